"""Ideal fluids: on the flat torus and Zeitlin's truncation of it, in a rectangle with walls, on the 3-torus, convective."""
