"""Equilibria and relative equilibria.

`steady_equations` states the equations, `many_zeros` solves them from many starts, `steady_zeros` deflates,
`steady_families` and `join_families` find families, `equilibria` is the front, `equilibrium_record` the answer.
"""
