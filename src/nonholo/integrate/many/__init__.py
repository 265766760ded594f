"""Many motions: ensembles and sweeps."""
