"""Solutions of linear ODEs ``y′ = N(s) y``: closed forms and Chebyshev panels."""
