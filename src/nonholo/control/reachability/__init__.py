"""Controllability: can a system be steered?

`control_affine` reads a System as ``ẋ = f + Σ u_i g_i``; `power_series` and `field_jets` expand the fields about a state modulo a
prime; `lie_words` takes their brackets; `sussmann`, `linear_tests`, `kinematic_reductions` and `fibres` hold the theorems;
`controllability` puts their findings together.
"""
