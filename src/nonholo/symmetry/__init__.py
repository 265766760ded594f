"""Symmetry groups, first integrals, reduction, invariant measures and verdicts of a system.

A question begins with the equations of motion at random admissible states modulo a prime (`exact`). `group` finds the symmetries
of the equations, `integrals` the first integrals (a registry of searches), `measure` invariant densities or proofs that none
exists. `reduction` divides by a group: shape, momenta, connection, reduced equations; `quadrature` integrates what is left.
`judgement` puts the findings together in a verdict; `certificate` writes its proofs for an independent checker; `witness` tests
every claim on computed motions by another route before it is called proved.
"""
