"""Conservation laws: momenta of symmetries and gauge momenta."""
