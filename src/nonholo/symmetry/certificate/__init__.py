"""Certificates: what proves a claim, in a form that a program can check without this package.

`stated_system` writes a system and admissible states of it modulo a prime as text and integers. `certificates` adds the claim in
formulas and the theorem applied; `judgement_latex` writes a judgement for a paper. A checker that imports nothing of ours
stands in ``tests/certificates/checker.py``.
"""
