"""Linearisation about states, steady motions and trajectories."""
