"""Witnesses: a claim is tested on computed motions that share no code with its proof before it is called proved.

`multiplier_flow` integrates Lagrange's equations with multipliers in NumPy. `symmetry_trial` and `steady_trial` register a trial
for each kind of claim: integrals, symmetries, densities and reversibility; steady motions, dimensions and eigenvalues.
`confirmation` runs them and turns a contradiction into a `Defect` with the system attached; `trials` applies them to the findings
of one answer. The work is bounded by counts of states and steps.
"""
