"""Living pages: the solver's plan, controls and linear modes."""
