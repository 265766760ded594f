"""The symmetry group of a system: generators, their action, free subgroups."""
