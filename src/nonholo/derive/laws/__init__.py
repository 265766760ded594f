"""Checks, hints, constraint reactions and energy of derived equations."""
