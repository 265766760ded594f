"""Motion with contacts that roll, slide and open: numbers at a state, choice of the mode, impacts, pieces between changes."""
