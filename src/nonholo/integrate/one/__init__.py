"""One motion: from a system and a start to a Trajectory."""
