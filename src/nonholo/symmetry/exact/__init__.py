"""Systems at random states modulo a prime: rates of everything without rounding, symmetries and integrals by null spaces."""
