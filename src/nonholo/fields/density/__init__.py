"""Fields by a Lagrangian density: jets, Hamel's equations derived from it, their discretisation and motion.

`jets` names the derivatives, `density_equations` derives weak and strong equations, `semidiscrete` makes them finite on a grid,
`field` is the user's record, `field_steps` moves it; `rods` has strings and rods ready made.
"""
