"""Questions about systems: constraints, steady motions, stability, continuation, orbits, chaos, linear systems, fits."""
