"""Ideal fluids beside the flat torus: a rectangle with walls, the 3-torus, and the convective representation."""
