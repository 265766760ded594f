"""Parameters and start values from measured data."""
