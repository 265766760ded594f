"""First integrals: energy, momenta, polynomials, powers; proof and drift test."""
