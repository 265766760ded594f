"""Figures of trajectories, branches, orbits, sections, portraits and potentials."""
