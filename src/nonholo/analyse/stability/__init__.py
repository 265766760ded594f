"""Stability of steady motions: spectrum, energy–momentum method, boundaries."""
