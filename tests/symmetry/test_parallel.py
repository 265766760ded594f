"""Bases of S without the τ term, for one and several shape variables, on systems of no gallery."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.calculus import symbol
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states

CARRIAGE = nh.System(
    name="carriage", coordinates="r s x z", parameters="k", lagrangian="(rdot**2 + sdot**2 + xdot**2 + zdot**2)/2 - k*r*s**2",
    constraints=["zdot - (r + s**2)*xdot"],
)  # fmt: skip
LADDER = nh.System(
    name="ladder", coordinates="q1 q2 q3 x y z", parameters="c",
    lagrangian="(q1dot**2 + q2dot**2 + (1 + q1**2)*q3dot**2 + 2*xdot**2 + (1 + q2**2)*ydot**2 + zdot**2)/2 - q1*cos(q2)*q3",
    constraints=["zdot - (c*q1*q2 + exp(q3))*xdot"],
)  # fmt: skip
WINCH = nh.System(
    name="blade with a sliding load and a flywheel", coordinates="r th x y", parameters="m M J i k",
    lagrangian="M/2*(xdot**2 + ydot**2) + (J + i*r**2)/2*thdot**2 + m/2*((xdot + rdot*cos(th) - r*thdot*sin(th))**2"
    " + (ydot + rdot*sin(th) + r*thdot*cos(th))**2) - k/4*r**4",
    constraints=["ydot*cos(th) - xdot*sin(th)"], symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip


def start_of(system: nh.System, seed: int = 6) -> tuple[dict[str, float], dict[str, float]]:
    place = next(iter(random_states(system, None, 1, seed)))
    return {n: place.values[n] for n in (*system.coordinates, *system.velocities)}, place.parameters


def test_two_shape_variables_have_the_closed_form() -> None:
    found = [f for f in nh.integrals(CARRIAGE) if "parallel" in f.method]
    assert len(found) == 1 and found[0].proved
    for place in random_states(CARRIAGE, None, 4, 2):
        v = place.values
        expected = v["xdot"] * np.sqrt(1 + (v["r"] + v["s"] ** 2) ** 2)
        assert evaluate([found[0].formula], {**v, **place.parameters})[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("system", [CARRIAGE, pytest.param(LADDER, marks=pytest.mark.slow)])
def test_momenta_of_a_parallel_basis_are_constant_along_full_motions(system: nh.System) -> None:
    red = nh.reduce(system, basis="parallel")
    assert all(e == 0 or e.expand() == 0 for e in red.momentum_equation.values())
    start, parameters = start_of(system)
    run = nh.simulate(system, start, 1.5, parameters, rtol=1e-12, atol=1e-13, method="dop853")
    whole = nh.reduce(system)
    frame = nh.studies.momentum_frame(whole, parameters, origin={n: start[n] for n in whole.shape.names})
    assert frame.formula is not None
    both = whole.simulate(start, 1.5, parameters, rtol=1e-12, atol=1e-13, t_eval=np.linspace(0, 1.5, 7))
    momenta = frame.values(both)
    assert np.max(np.abs(momenta - momenta[0])) < 1e-9 * (1 + np.max(np.abs(momenta)))
    # the closed form and the numbers are the same basis: η(r) = η(r0) · numbers
    places = np.stack([np.asarray(both[n]) for n in frame.variables], axis=1)
    spots = [{**parameters, **dict(zip(frame.variables, p))} for p in places]
    closed = np.array([[evaluate(list(row), spot) for row in frame.formula] for spot in spots])
    assert np.einsum("ij,tjk->tik", closed[0], frame(places)) == pytest.approx(closed, rel=1e-9, abs=1e-9)
    assert both.final["x"] == pytest.approx(run.final["x"], rel=1e-8)


def test_the_tau_term_alone_is_removed_where_quadratic_terms_remain() -> None:
    """As (6.6)–(6.8): p1' and p2' have terms pp alone; by hand the factor is (J + (i + m) r²)^(−…) for this load."""
    red = nh.reduce(WINCH, basis="parallel")
    plain = nh.reduce(WINCH)
    rdot = red.rates[0]
    assert any(e.diff(rdot) != 0 for e in plain.momentum_equation.values())
    for e in red.momentum_equation.values():
        assert e.diff(rdot) == 0 and e != 0
    start, parameters = start_of(WINCH)
    one = red.simulate(start, 3.0, parameters, rtol=1e-11, atol=1e-12)
    two = nh.simulate(WINCH, start, 3.0, parameters, rtol=1e-11, atol=1e-12)
    for c in WINCH.coordinates:
        assert one.final[c] == pytest.approx(two.final[c], rel=1e-7, abs=1e-7)
    # p1 = η p_θ with dη/dr = −η τ: integrate τ = m² r/((m + M)(J + (i + m) r²)) by hand
    P = parameters
    power = -(P["m"] ** 2) / (2 * (P["m"] + P["M"]) * (P["i"] + P["m"]))
    r = np.asarray(one["r"])
    inertia = P["J"] + (P["i"] + P["m"]) * r**2
    expected = inertia**power * inertia * np.asarray(one["thdot"])
    ratio = np.asarray(one[red.momenta[0]]) / expected
    assert np.ptp(ratio) < 1e-8 * abs(ratio[0])


ROTOR = nh.System(
    name="skater with a rotor", coordinates="x y th ph", constraints=["ydot*cos(th) - xdot*sin(th)"],
    lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + i*(thdot + phdot)**2/2 + m*a*thdot*(ydot*cos(th) - xdot*sin(th)) "
    "- k*(1 - cos(ph))",
    parameters={"m": 1.3, "J": 0.7, "i": 0.2, "a": 0.4, "k": 0.9},
)  # fmt: skip
CURVED = nh.System(
    name="curved rails", coordinates="x z r", lagrangian="(c*xdot**2 + zdot**2 + rdot**2)/2 - cos(r)",
    constraints=["zdot - sin(r)*xdot"], parameters={"c": 2.3},
)  # fmt: skip


@pytest.mark.parametrize("system", [ROTOR, CURVED], ids=lambda s: s.name)
def test_no_term_of_momentum_and_shape_rate_is_left(system: nh.System) -> None:
    """τ of the rotor turns two momenta into each other, by cosines of an angle; rails of another shape have one momentum."""
    red, plain = nh.reduce(system, basis="parallel"), nh.reduce(system)
    values = dict(system.parameters)

    def mixed(found: nh.Reduction) -> float:
        shape, rate, *p = (symbol(n) for n in (found.shape.names[0], found.rates[0], *found.momenta))
        exprs = [e.diff(rate).diff(s) for e in found.momentum_equation.values() for s in p]
        at = {**values, str(shape): 0.43, str(rate): 0.0, **dict.fromkeys(map(str, p), 0.0)}
        return float(np.max(np.abs(evaluate(exprs, at))))

    assert mixed(plain) > 1e-2 and mixed(red) < 1e-12
    start = {"x": 0.1, "xdot": 0.7, **({"thdot": 0.9, "phdot": -0.6} if system is ROTOR else {"r": 0.2, "rdot": 0.5})}
    one = red.simulate(start, 2.0, rtol=1e-11, atol=1e-12)
    two = nh.simulate(system, start, 2.0, rtol=1e-11, atol=1e-12)
    for c in system.coordinates:
        assert one.final[c] == pytest.approx(two.final[c], rel=1e-7, abs=1e-7)


def test_the_basis_is_a_frame_for_hamel() -> None:
    frame = nh.studies.adapted_frame(nh.reduce(WINCH, basis="parallel"))
    start, parameters = start_of(WINCH)
    equations = nh.hamel(WINCH, frame)
    rates = equations.rates({n: start[n] for n in (*WINCH.coordinates, *WINCH.velocities)}, parameters)
    witness = nh.multipliers(WINCH).rates(start, parameters)
    for n in WINCH.velocities:
        assert rates[n] == pytest.approx(witness[n], rel=1e-8, abs=1e-8)


def rotated(basis: dict[str, Any]) -> nh.Reduction:
    plane = nh.System(
        name="plane over two shapes", coordinates="r s x y", lagrangian="(rdot**2 + sdot**2 + xdot**2 + 3*ydot**2)/2 - r*s",
        symmetry=nh.translation("x", "y"),
    )  # fmt: skip
    return nh.reduce(plane, basis=basis)


def test_a_turning_basis_is_turned_back() -> None:
    """The parallel basis of a basis that turns by an angle f(r, s) is the one that stands still: η = turn by −f."""
    red = rotated({"e1": {"x": "cos(r*s)", "y": "sin(r*s)"}, "e2": {"x": "-sin(r*s)", "y": "cos(r*s)"}})
    frame = nh.studies.momentum_frame(red, origin={"r": 0.0, "s": 0.0})
    assert frame.formula is not None
    for r, s in ((0.3, 0.7), (-1.1, 0.4)):
        turn = np.array([[np.cos(r * s), -np.sin(r * s)], [np.sin(r * s), np.cos(r * s)]])
        assert frame([[r, s]])[0] == pytest.approx(turn, abs=1e-10)


def test_a_basis_without_closed_form_is_transported_in_numbers() -> None:
    """τ of this basis does not commute with itself at other shapes; η is its inverse matrix, known by hand."""
    red = rotated({"e1": {"x": "1 + r**2", "y": "sin(s)"}, "e2": {"x": "r*s", "y": "2 + cos(r)"}})
    frame = nh.studies.momentum_frame(red, origin=(0.2, 0.1))

    def columns(r: float, s: float) -> Any:
        return np.array([[1 + r**2, r * s], [np.sin(s), 2 + np.cos(r)]])

    r, s = 0.9, -0.4
    expected = np.linalg.solve(columns(r, s), columns(0.2, 0.1)).T
    assert frame([[r, s]])[0] == pytest.approx(expected, abs=1e-10)
