"""Admissible velocities: independent speeds, rank of the constraints, inputs that drive coordinates."""
