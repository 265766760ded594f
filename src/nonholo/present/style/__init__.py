"""Labels, formulas and the common style of all pictures."""
