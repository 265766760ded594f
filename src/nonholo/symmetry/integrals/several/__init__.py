"""Gauge momenta with coefficients of several variables."""
