"""The flow as numbers at many states: rates, symmetry fields, divergence, balancing."""
