"""Labels, formulas and the look of all pictures."""
