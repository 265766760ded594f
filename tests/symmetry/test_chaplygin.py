"""Invariant measures and Chaplygin's change of time, against published multipliers and the full motion."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.quadrature.adjoint_equation import places_of
from nonholo.symmetry.quadrature.chaplygin_time import hamiltonise, measure
from nonholo.symmetry.quadrature.vertical_velocity import shape_state


@cache
def reduced(name: str) -> tuple[Any, Any]:
    exhibit = nh.gallery.get(name)
    return exhibit, nh.reduce(exhibit.system)


def particle(form: str) -> Any:
    return nh.System(
        name="particle",
        coordinates="x y w z",
        parameters="a",
        lagrangian="(xdot**2 + ydot**2 + wdot**2 + zdot**2)/2",
        constraints=[f"zdot - ({form})"],
        symmetry=nh.translation("z"),
    )


def test_chaplygin_sphere_s_multiplier_is_chaplygin_s() -> None:
    """N = (1 − m r² γ·(J + m r²)⁻¹γ)^(−1/2), up to a factor that may depend on the parameters."""
    exhibit, reduction = reduced("chaplygin-sphere")
    found = hamiltonise(reduction)
    assert found and found.multiplier is not None
    values = exhibit.parameters
    ratios = []
    for place in places_of(reduction, 6):
        up = np.array([place[n] for n in ("R31", "R32", "R33")])
        arm = values["m"] * values["r"] ** 2
        moments = np.array([values[f"J{k}"] for k in (1, 2, 3)])
        known = (1 - arm * np.sum(up**2 / (moments + arm))) ** -0.5
        ratios.append(evaluate([found.multiplier], {**place, **values})[0] / known)
    assert np.ptp(ratios) < 1e-12 * ratios[0]


def test_chaplygin_sphere_in_the_new_time_is_the_full_motion() -> None:
    exhibit, reduction = reduced("chaplygin-sphere")
    found = hamiltonise(reduction, integrals=[se.sympify("R31*J1*w1 + R32*J2*w2 + R33*J3*w3")])
    assert found.equations is not None
    full = nh.simulate(exhibit.system, exhibit.start, 0.3, exhibit.parameters, rtol=1e-12, atol=1e-13)
    weight = sum(full[f"R3{k}"][0] * exhibit.parameters[f"J{k}"] * full[f"w{k}"][0] for k in (1, 2, 3))
    values = {**exhibit.parameters, found.reduced.constants[0]: float(weight)}
    begin = shape_state(reduction, exhibit.start, exhibit.parameters)
    first = evaluate([found.multiplier], {**values, **begin})[0]
    start = {n: begin[n] for n in reduction.shape.names} | {"clock": 0.0}
    start |= {f"{n.removesuffix('dot')}prime": begin[n] / first for n in reduction.rates}
    run = nh.simulate(found.equations, start, 0.2 * first, values, rtol=1e-12, atol=1e-13, t_eval=5)
    times = run["clock"]
    again = nh.simulate(
        exhibit.system, exhibit.start, float(times[-1]), exhibit.parameters, t_eval=times, rtol=1e-12, atol=1e-13
    )
    assert 0.1 < times[-1] < 0.3 and not np.allclose(np.diff(times), np.diff(times)[0], rtol=1e-4)
    for name in reduction.shape.names:
        assert run[name] == pytest.approx(again[name], abs=1e-10)


def test_particle_s_multiplier_is_one_over_root() -> None:
    """ż = y ẋ: K̄ = diag(1 + y², 1), N = (1 + y²)^(−1/2)."""
    system = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    found = hamiltonise(nh.reduce(system, nh.translation("z")))
    assert found
    for y in (-1.3, 0.2, 2.0):
        assert evaluate([found.multiplier], {"x": 0.3, "y": y})[0] == pytest.approx((1 + y**2) ** -0.5, rel=1e-12)


def test_knife_edge_in_the_new_time_is_the_full_motion() -> None:
    exhibit, reduction = reduced("knife-edge")
    found = hamiltonise(reduction)
    assert found and found.equations is not None
    begin = shape_state(reduction, exhibit.start, exhibit.parameters)
    first = evaluate([found.multiplier], {**exhibit.parameters, **begin})[0]
    start = {n: begin[n] for n in reduction.shape.names} | {"clock": 0.0}
    start |= {f"{n.removesuffix('dot')}prime": begin[n] / first for n in reduction.rates}
    run = nh.simulate(found.equations, start, 0.4 * first, exhibit.parameters, rtol=1e-12, atol=1e-13, t_eval=5)
    times = run["clock"]
    again = nh.simulate(
        exhibit.system, exhibit.start, float(times[-1]), exhibit.parameters, t_eval=times, rtol=1e-12, atol=1e-13
    )
    for name in reduction.shape.names:
        assert run[name] == pytest.approx(again[name], abs=1e-10)


def test_an_unknown_multiplier_is_carried_along() -> None:
    """ż = y ẋ with a mass 2 + cos y along x: φ = −y dy/(2 + cos y + y²) is a gradient without a formula."""
    system = nh.System(
        coordinates="x y z",
        lagrangian="((2 + cos(y))*xdot**2 + 2*ydot**2 + zdot**2)/2 - x*y",
        constraints=["zdot - y*xdot"],
    )
    found = hamiltonise(nh.reduce(system, nh.translation("z")))
    assert found and found.multiplier is None and found.equations is not None
    begin = {"x": 0.2, "y": 0.4, "clock": 0.0, "log_multiplier": 0.0, "xprime": 0.7, "yprime": -0.3}
    run = nh.simulate(found.equations, begin, 1.0, {}, rtol=1e-12, atol=1e-13, t_eval=5)
    assert abs(run["clock"][-1] - 1) > 1e-3
    start = {"x": 0.2, "y": 0.4, "xdot": 0.7, "ydot": -0.3}
    full = nh.simulate(system, start, float(run["clock"][-1]), {}, t_eval=run["clock"], rtol=1e-12, atol=1e-13)
    assert run["x"] == pytest.approx(full["x"], abs=1e-10) and run["y"] == pytest.approx(full["y"], abs=1e-10)


def test_three_shape_variables_need_more_than_a_measure() -> None:
    """ż = y ẋ preserves a measure in three variables too, but w then spoils the change of time."""
    reduction = nh.reduce(particle("y*xdot"))
    found = hamiltonise(reduction)
    assert found.findings[0] and not found.findings[1] and not found.findings[2] and found.equations is None


def test_three_shape_variables_that_can_be_hamiltonised() -> None:
    """ż_a = f(x) ẋ_a: K̄ = (1 + f²) 1 and T_ijk is that of N = (1 + f²)^(−1/2), measure N² dr dP; against the full motion."""
    names = (("x", "p"), ("y", "q"), ("w", "s"))
    system = nh.System(
        name="carried",
        coordinates="x y w p q s",
        lagrangian="(xdot**2 + ydot**2 + wdot**2 + pdot**2 + qdot**2 + sdot**2)/2 - x*w - y**2/2",
        constraints=[f"{b}dot - (x*y + w + 1)*{a}dot" for a, b in names],
        symmetry=nh.translation("p", "q", "s"),
    )
    reduction = nh.reduce(system)
    found = hamiltonise(reduction)
    assert found and found.equations is not None and found.reduced.hamiltonian.verdict == "fails"
    start = {"x": 0.3, "y": -0.4, "w": 0.2, "xdot": 0.7, "ydot": 0.5, "wdot": -0.9}

    def known(s: dict[str, float]) -> float:
        return float((1 + (s["x"] * s["y"] + s["w"] + 1) ** 2) ** -0.5)

    first = evaluate([found.multiplier], start)[0]
    other = {"x": 1.1, "y": 0.6, "w": -0.8}
    assert evaluate([found.multiplier], other)[0] / first == pytest.approx(known(other) / known(start), rel=1e-12)
    begin = {n: start[n] for n in "xyw"} | {"clock": 0.0} | {f"{n}prime": start[f"{n}dot"] / first for n in "xyw"}
    run = nh.simulate(found.equations, begin, 0.8 * first, {}, rtol=1e-12, atol=1e-13, t_eval=5)
    times = run["clock"]
    full = nh.simulate(system, start, float(times[-1]), {}, t_eval=times, rtol=1e-12, atol=1e-13)
    for name in "xyw":
        assert run[name] == pytest.approx(full[name], abs=1e-10)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("n-trailer", "fails"),
        ("knife-edge", "holds"),
        ("rolling-disk", "holds"),
        ("suslov", "fails"),
        ("sleigh-chain", "unknown"),
    ],
)
def test_measures_of_the_gallery(name: str, verdict: str) -> None:
    assert measure(reduced(name)[1]).verdict == verdict


def test_divergence_of_the_rolling_disk_and_the_particle_by_numbers() -> None:
    """The divergence of the flow in (r, P, p), by differences of the reduced equations' own rates."""
    exhibit, reduction = reduced("constrained-particle")
    density = measure(reduction).expression
    equations = reduction.equations
    state = {"y": 0.7, "ydot": 0.4, "p": -0.9}
    step = 1e-6

    def rates(s: dict[str, float]) -> dict[str, float]:
        return equations.rates(s, exhibit.parameters)

    # K̄ = 1, so ẏ is its own momentum
    growth = sum(
        (rates({**state, n: state[n] + step})[n] - rates({**state, n: state[n] - step})[n]) / (2 * step) for n in state
    )
    logs = [np.log(evaluate([density], {"y": state["y"] + s, **exhibit.parameters})[0]) for s in (step, -step)]
    assert growth + (logs[0] - logs[1]) / (2 * step) * state["ydot"] == pytest.approx(0.0, abs=1e-8)
    assert abs(growth) > 0.05


def test_the_sleigh_s_measure_fails_where_its_motion_contracts() -> None:
    """The unbalanced sleigh turns ever slower: no measure; the balanced one has one."""
    assert measure(reduced("chaplygin-sleigh")[1]).verdict == "fails"
    assert measure(reduced("balanced-sleigh")[1]).verdict == "holds"
