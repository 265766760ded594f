"""Periodic and relatively periodic orbits: shooting, Floquet multipliers, families."""
