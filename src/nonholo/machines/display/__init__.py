"""Picture, meanings and units of a machine's names."""
