"""Frames, groups and distributions."""
