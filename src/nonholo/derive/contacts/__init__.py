"""Equations of motion in the modes of contacts."""
