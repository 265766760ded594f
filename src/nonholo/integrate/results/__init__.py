"""Quantities of a trajectory: named arrays, files, resampling, work, presenters."""
