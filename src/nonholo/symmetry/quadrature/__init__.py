"""Motions of few shape variables by quadrature; measures and Chaplygin's time."""
