"""Decimals are the numbers that are written; nothing is denied because of what arithmetic has rounded."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.symmetry.certificate.certificates import certificates
from tests.certificates.checker import check

SO3 = np.zeros((3, 3, 3))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    SO3[_i, _j, _k], SO3[_j, _i, _k] = 1.0, -1.0


def turned(seed: int) -> Any:
    """The constants of so(3) in a random basis, as arithmetic leaves them."""
    basis = np.random.default_rng(seed).uniform(-1, 1, (3, 3)) + 2 * np.eye(3)
    found = np.einsum("ia,jb,abk,kc->ijc", basis, basis, SO3, np.linalg.inv(basis))
    return (found - found.transpose(1, 0, 2)) / 2


SUM = 0.1 + 0.2
ROUNDED = {
    "a sum in Python": {("e1", "e2"): {"e2": SUM}, ("e1", "e3"): {"e3": -0.3}},
    "a sum in text": {("e1", "e2"): "(0.1 + 0.2)*e2", ("e1", "e3"): "-0.3*e3"},
    "a number in an f-string": {("e1", "e2"): f"{SUM}*e2", ("e1", "e3"): "-0.3*e3"},
    "Jacobi's identity but for rounding": {("e1", "e2"): "e3 + 1e-12*e1", ("e2", "e3"): "e1", ("e3", "e1"): "e2"},
    "a turned basis": turned(3),
    "another": turned(8),
}


def answers(constants: Any) -> tuple[nh.System, list[nh.Finding]]:
    frame = nh.LieAlgebra(constants, rates="e1 e2 e3")
    system = nh.System(frame=frame, lagrangian="(e1**2 + 2*e2**2 + 3*e3**2)/2")
    return system, [nh.frames.unimodular(frame), nh.measure(system), nh.studies.suslov_criterion(system).holds]


@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_denies_no_measure(name: str) -> None:
    _, found = answers(ROUNDED[name])
    assert [f.verdict for f in found if f.verdict != "holds"] and not any(f.verdict == "fails" for f in found)


EXACT = {
    "small": ({("e1", "e2"): "1e-12*e2"}, "fails"),
    "decimals": ({("e1", "e2"): "0.3*e2", ("e1", "e3"): "-0.1*e3"}, "fails"),
    "decimals without trace": ({("e1", "e2"): "0.3*e2", ("e1", "e3"): "-0.3*e3"}, "holds"),
    "thirds": ({("e1", "e2"): "e2/3", ("e1", "e3"): "-e3/3"}, "holds"),
    "a turning body": ({("e1", "e2"): "0.3*e3", ("e2", "e3"): "0.7*e1", ("e3", "e1"): "1.1*e2"}, "holds"),
}


@pytest.mark.parametrize("name", EXACT)
def test_written_decimals_are_exact_and_what_they_say_is_certified(name: str) -> None:
    constants, verdict = EXACT[name]
    system, found = answers(constants)
    for one in found:
        assert one.verdict == verdict and one.proved
        (made,) = json.loads(json.dumps(certificates(system, [one])))
        check(made)


def test_a_clear_trace_of_rounded_constants_is_measured() -> None:
    frame = nh.LieAlgebra({("e1", "e2"): {"e2": SUM}, ("e1", "e3"): {"e3": -0.1}}, rates="e1 e2 e3")
    found = nh.frames.unimodular(frame)
    assert found.verdict == "fails" and not found.exact


def test_a_decimal_that_is_a_shorter_one_but_for_rounding_gets_a_hint() -> None:
    lagrangian = f"(xdot**2 + ydot**2)/2 - {SUM}*x**2 - k*y**2"
    hints = [str(f) for f in nh.verdict(nh.System(coordinates="x y", parameters={"k": SUM}, lagrangian=lagrangian)).findings]
    assert sum("but for rounding" in h for h in hints) == 2
    meant = nh.System(coordinates="x y", parameters={"k": 1 / 3}, lagrangian=lagrangian.replace(str(SUM), "0.3"))
    assert not any("but for rounding" in str(f) for f in nh.verdict(meant).findings)
