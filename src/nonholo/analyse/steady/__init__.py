"""Equilibria and relative equilibria: search, families, closed forms."""
