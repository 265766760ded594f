"""Lyapunov spectra, Poincaré sections, charts of indicators."""
