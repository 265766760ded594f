"""Sections through the group orbits, moving frames and shape variables."""
