"""Questions about systems, answered by numbers and proofs.

`flow` gives rates, slopes and symmetry fields at many states. On it stand `steady` (equilibria and relative
equilibria), then `stability` and `continuation`; `orbits` shoots for periodic motions, `chaos` measures exponents and
sections, `portrait` draws nothing but finds what a phase portrait shows. `constraints` classifies, `linear`
linearises, `fitting` fits to data, `integrators` compares methods.
"""
