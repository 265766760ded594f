"""Continuation of steady motions: branches, bifurcations, branch switching."""
