"""Implicit steps inside the loops: Newton's method, Rosenbrock methods, small linear systems, the continuous extension."""
