"""Drawings of a system: shapes, their words, their values along a trajectory, automatic sketches."""
