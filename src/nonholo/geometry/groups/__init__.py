"""Frames on groups: rotations, planar and spatial motions, Lie algebras, one-parameter subgroups."""
