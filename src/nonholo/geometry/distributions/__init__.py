"""Distributions and their flags: brackets, ranks, random configurations."""
