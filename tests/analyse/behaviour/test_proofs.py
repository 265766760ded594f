"""Proofs of stability are registered: one file adds one, and the order of their places decides which is tried first."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.analyse.stability.proofs import Proof, Situation, proof_registry, proofs

SWING = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)", forces={"q": "-c*qdot"}, parameters={"c": 1.0})


def test_each_theorem_decides_its_own_case() -> None:
    """Upright: a positive eigenvalue; hanging with drag: negative ones; hanging without: the energy is definite."""
    assert [rule.name for rule in proofs()] == [
        "Lyapunov's first method", "Lyapunov–Malkin theorem", "all neighbours are steady", "energy–momentum method",
    ]  # fmt: skip
    assert nh.stability(SWING, {"q": 3.141592653589793}).verdict == "unstable"
    assert nh.stability(SWING, {"q": 0}).verdict == "asymptotically stable"
    assert nh.stability(SWING, {"q": 0}, parameters={"c": 0.0}).verdict == "orbitally stable"


def test_a_registered_proof_is_tried_at_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_registry, "_RULES", dict(proof_registry._RULES))
    seen: list[int] = []

    @proof_registry.proof("a theorem of ours", place=15)
    def ours(situation: Situation) -> Proof | None:
        seen.append(situation.family)
        return Proof("orbitally stable", "by a theorem of ours")

    assert nh.stability(SWING, {"q": 3.141592653589793}).verdict == "unstable" and seen == []
    assert nh.stability(SWING, {"q": 0}).evidence == "by a theorem of ours" and seen == [0]
