"""The principles behind the equations: forms on TQ, Dirac structures, the action and its variation, multipliers in a frame.

`variational_objects` has ∂l/∂v, u[l] and [v, ∂l/∂v]* apart; `action_variation` the action of a run and Theorem 2.1 as a test;
`frame_multipliers` Hamel's equations with multipliers; `symplectic_form` θ_L and ω; `dirac_structure` implicit Lagrangian
systems.
"""
