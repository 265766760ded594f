"""Control: controllability, flatness, steering, gaits, feedback, observers and environments."""
