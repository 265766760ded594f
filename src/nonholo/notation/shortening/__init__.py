"""Shorten expressions for people: collect, factor, cancel, use sin² + cos² = 1 and RᵀR = 1."""
