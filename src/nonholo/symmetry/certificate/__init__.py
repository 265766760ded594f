"""Certificates: what proves a claim, in a form that a program can check without this package.

`exact_points` draws admissible states of a system in plain coordinates modulo a prime, with SymPy and Python's integers.
`certificates` writes the system, the identity, the relations, the prime and the states as plain data; `judgement_latex` writes a
judgement for a paper. A checker that imports nothing of ours stands in ``tests/certificates/checker.py``.
"""
