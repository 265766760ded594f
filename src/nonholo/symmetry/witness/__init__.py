"""Witnesses: what is about to be called proved is first tried on computed motions that share no code with the proof.

`multiplier_flow` integrates Lagrange's equations with multipliers in NumPy. One file for each kind of claim registers its
trial: `integral_trial`, `symmetry_trial`, `density_trial`, `reversal_trial`, `mode_trial`, `steady_trial`, `dimension_trial`.
`confirmation` asks them, and turns a contradiction into a `Defect` that carries the system. The work is bounded by counts: so
many states, so many steps.
"""
