"""Calculus, linear algebra, roots, exact arithmetic modulo a prime, work budgets and caches."""
