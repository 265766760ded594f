"""Numbers modulo a prime: identities tested, null spaces found, rational functions read back, all without rounding."""
