"""Symmetry groups, reduction, first integrals, measure and verdict."""
