"""Gauge momenta with coefficients of one variable."""
