"""Attacks: what was broken once, and what should never break."""
