"""From equations to trajectories.

`motion` sets up one motion and follows it through changes of frame; `methods` are the integrators as records, `loops`
their compiled steps; `contacts` changes modes of contacts; `results` names the quantities of a motion; `sensitivity`
differentiates it; `many` runs ensembles and sweeps; `taylor` integrates with heyoka. `model` is the compiled system
as a user holds it, `inputs` what drives it, `outcome` how a motion ended.
"""
