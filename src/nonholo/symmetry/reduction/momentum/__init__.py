"""Bases of the constrained symmetry directions, connection and momentum equation."""
