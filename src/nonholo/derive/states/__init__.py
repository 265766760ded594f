"""Consistent states: completion of starts, their derivatives, values of equations at a state."""
