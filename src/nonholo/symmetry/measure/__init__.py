"""Invariant measures: densities found and proved, or proved absent."""
