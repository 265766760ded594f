"""Kernel -> motion: one file per method; events, inputs, ensembles."""
