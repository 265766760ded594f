"""Systems whose proofs hold functions and roots that are seldom, each with all certificates checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

import nonholo as nh
from nonholo.symmetry.certificate.certificates import certificates
from tests.certificates.checker import check
from tests.certificates.test_certificates import complete

EULER = ["adot*sin(b)*sin(c) + bdot*cos(c)", "adot*sin(b)*cos(c) - bdot*sin(c)", "cdot + adot*cos(b)"]
TURNING = f"({EULER[0]})**2/2 + 3*({EULER[1]})**2/4 + C*({EULER[2]})**2/2"
SYSTEMS: dict[str, dict[str, Any]] = {
    "a fourth root in a density": {
        "coordinates": "f z be ps", "parameters": {"m": 1.0, "J": 0.1, "K": 0.2},
        "lagrangian": "m*(4*fdot**2 + zdot**2)/2 + J*(bedot**2 + fdot**2*cos(be)**2)/2 + K*psdot**2/2 - 3*m*z",
        "constraints": ["2*fdot - psdot*cos(be)/3", "zdot - psdot*sin(be)/3"],
    },
    "asinh in an integral": {
        "coordinates": "x y z", "parameters": {"B": 0.7}, "constraints": ["zdot - y*xdot"],
        "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 + B*(x*ydot - y*xdot)",
    },
    "momenta in words for speeds": {
        "coordinates": "x y th", "parameters": "J", "lagrangian": "(xdot**2 + ydot**2 + J*thdot**2)/2",
        "constraints": ["ydot*cos(th) - xdot*sin(th)"], "quasivelocities": {"u": "xdot*cos(th) + ydot*sin(th)", "om": "thdot"},
        "forces": {"th": "tau"}, "inputs": "tau",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_everything_proved_of_a_stranger_is_certified(name: str) -> None:
    assert len(complete(nh.System(**SYSTEMS[name]))) >= 3


@pytest.mark.parametrize("side", ["", " - w"])
def test_a_momentum_that_is_a_number_is_certified_beside_the_others(side: str) -> None:
    """A rubber body and one that spins at a given rate: C times the spin is a number, another one at each state."""
    system = nh.System(coordinates="a b c", parameters="C w", lagrangian=TURNING, constraints=[EULER[2] + side])
    found = [*nh.verdict(system).findings, nh.noether(system, "c").constant]
    for entry in json.loads(json.dumps(certificates(system, found))):
        assert entry["states"] is not None, entry["claim"]
        check(entry)


@pytest.mark.parametrize("function", ["asin(x/3)", "acos(x/3)", "asinh(x)", "acosh(x + 3)", "atanh(x/3)", "atan(x)", "log(x)"])
def test_slopes_of_inverse_functions_are_the_checkers_own(function: str) -> None:
    system = nh.System(coordinates="x y", lagrangian=f"(xdot**2 + ydot**2)/2 - {function}")
    for entry in complete(system):
        if entry["kind"] == "first_integral" and function.split("(")[0] in entry["formulas"]["integral"]:
            return
    raise AssertionError("the energy is not certified")


def test_a_function_that_certificates_do_not_know_is_no_traceback() -> None:
    system = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - abs(x)")
    for entry in certificates(system, nh.verdict(system).findings):
        if entry["states"] is not None:
            check(json.loads(json.dumps(entry)))
