"""Properties that integrators conserve, measured on small test systems, and comparisons of methods."""
