"""Living pages: the solver's plan, controls and security policy."""
