"""Motion by Taylor series, with heyoka."""
