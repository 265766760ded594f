"""Flat systems: `derived_flags` holds the conditions, `chained_form` the coordinates of driftless systems with two inputs,
`flat_outputs` the answer with maps both ways.
"""
