"""A system and its group to shape, momentum and reconstruction."""
