"""Proofs of stability or instability: each file registers one; they are tried in order of their place."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from nonholo.analyse.stability.proofs.proof_registry import Proof, Situation, proofs

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Proof", "Situation", "first_proof", "proofs"]


def first_proof(situation: Situation) -> Proof | None:
    """The first proof that decides, or None."""
    return next((found for rule in proofs() if (found := rule.prove(situation)) is not None), None)
