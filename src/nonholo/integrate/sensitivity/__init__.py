"""Derivatives of trajectories by parameters and start values."""
