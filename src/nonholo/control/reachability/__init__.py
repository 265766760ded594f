"""Controllability: can a system be steered?

`control_affine` reads a System as ``ẋ = f + Σ u_i g_i``; `field_jets` expands the fields about a state modulo a prime;
`sussmann`, `linear_tests` and `kinematic_reductions` hold the theorems; `controllability` puts their findings together.
"""
