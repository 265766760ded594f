"""MacDonnell's reduction to Q/G against closed forms of the thesis and against the full motion."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.symmetry.quadrature.adjoint_equation import flatness, integrable
from nonholo.symmetry.quadrature.effective_system import reduced_system
from nonholo.symmetry.quadrature.periods import after_period, cycle
from nonholo.symmetry.quadrature.reduced_potential import potential
from nonholo.symmetry.quadrature.vertical_velocity import shape_state, vertical


@cache
def reduced(name: str) -> tuple[Any, Any]:
    exhibit = nh.gallery.get(name)
    return exhibit, nh.reduce(exhibit.system)


def run(system: Any, start: Any, until: float, parameters: Any, **options: Any) -> Any:
    return nh.simulate(system, start, until, parameters, rtol=1e-12, atol=1e-13, **options)


@pytest.mark.parametrize("name", ["rolling-disk", "basketball", "constrained-particle", "chaplygin-sphere"])
def test_the_thesis_s_examples_are_flat(name: str) -> None:
    assert all(flatness(reduced(name)[1])) and integrable(reduced(name)[1])


def test_the_three_wheel_cart_is_not_flat() -> None:
    reduction = reduced("three-wheel-cart")[1]
    assert not all(flatness(reduction))
    with pytest.raises(nh.ModelError, match="not functions of the shape alone"):
        reduced_system(reduction)


def test_constrained_particle_s_potential_is_constant_and_its_velocity_falls_like_one_over_root() -> None:
    """Ω = C/sqrt(1 + y²) (1, 0, y), Ū = C²/2 [MacDonnell 1997 §8.4]."""
    exhibit, reduction = reduced("constrained-particle")
    U = potential(reduction, {"y": 0.4, "xdot": 1.3}, exhibit.parameters)
    C = 1.3 * np.sqrt(1 + 0.16)
    y = np.array([-7.0, -0.2, 0.0, 3.3])
    assert U.vertical.states(y)["xdot"] == pytest.approx(C / np.sqrt(1 + y**2), rel=1e-12)
    assert U.vertical.states(y)["zdot"] == pytest.approx(C * y / np.sqrt(1 + y**2), rel=1e-12, abs=1e-13)
    assert U(y) == pytest.approx(np.full(4, C**2 / 2), rel=1e-12)
    assert U.mass(y) == pytest.approx(np.ones(4), rel=1e-12)
    assert U.extrema() == ()


def test_ball_in_cylinder_rises_and_falls_harmonically() -> None:
    """Ū = m g s + ½{J (C1 s + C2)² + (J + m r²) a² C1²}: frequency C1 sqrt(J/(m + J/r²)) about s0 [§10.6]."""
    exhibit, reduction = reduced("ball-in-cylinder")
    p = SimpleNamespace(**exhibit.parameters)
    start = {"s": 0.2, "Omega1": 7.0, "Omega2": -90.0, "roll": 0.6}
    one = -90.0
    two = 7.0 - one * 0.2
    U = potential(reduction, start, exhibit.parameters)
    s = np.array([-2.0, 0.3, 4.0])
    spin = p.J * (one * s + two) ** 2 + (p.J + p.m * p.rho**2) * p.a**2 * one**2
    assert U(s) == pytest.approx(p.m * p.g * s + spin / 2, rel=1e-12)
    (low,) = U.extrema()
    frequency = abs(one) * np.sqrt(p.J / (p.m + p.J / p.rho**2))
    assert low.kind == "minimum" and low.rate == pytest.approx(frequency, rel=1e-12)
    assert low.place == pytest.approx(-(p.m * p.g + p.J * one * two) / (p.J * one**2), rel=1e-11)
    found = cycle(U, start)
    assert found.period == pytest.approx(2 * np.pi / frequency, rel=1e-12)
    assert found.advance["theta"] == pytest.approx(-p.rho * one * found.period, rel=1e-12)


@pytest.mark.parametrize("name", ["lagrange-top", "rolling-disk", "routh-top"])
def test_period_and_rotation_by_quadrature_are_those_of_the_full_motion(name: str) -> None:
    exhibit, reduction = reduced(name)
    U = potential(reduction, exhibit.start, exhibit.parameters)
    found = cycle(U, exhibit.start)
    states = {n: float(e[0]) for n, e in U.vertical.states(found.turning[0]).items()}
    names = (*exhibit.system.coordinates, *exhibit.system.velocities)
    full = run(exhibit.system, {n: states[n] for n in names}, found.period, exhibit.parameters)
    assert full.final["R33"] == pytest.approx(found.turning[0], abs=1e-9)
    half = run(exhibit.system, {n: states[n] for n in names}, found.period / 2, exhibit.parameters, t_eval="end")
    assert half.final["R33"] == pytest.approx(found.turning[1], abs=1e-9)
    ways = {"precession": np.arctan2(full["R23"], full["R13"]), "spin": np.arctan2(full["R32"], -full["R31"])}
    for angle, values in ways.items():
        turned = np.unwrap(values)
        assert found.advance[angle] == pytest.approx(turned[-1] - turned[0], abs=1e-8)
    end = after_period(U, found)
    assert max(abs(end[n] - full.final[n]) for n in exhibit.system.coordinates) < 1e-8


def test_small_oscillations_have_the_frequency_of_the_bottom() -> None:
    exhibit, reduction = reduced("rolling-disk")
    U = potential(reduction, exhibit.start, exhibit.parameters)
    (bottom,) = U.extrema()
    found = cycle(U, bottom.value + 1e-9, near=bottom.place)
    assert found.period == pytest.approx(2 * np.pi / bottom.rate, rel=1e-6)


def test_what_the_shape_s_speed_adds_to_an_angle_cancels_in_a_period() -> None:
    """θ̇ = Ω − (1 + r) ṙ: there and back differ, the advance is ∮ Ω dt; against the full motion."""
    system = nh.System(
        coordinates="r theta",
        lagrangian="(rdot**2 + (2 + r**2)*(thetadot + (1 + r)*rdot)**2)/2 - r**2 + r**3/5",
        symmetry=nh.translation("theta"),
    )
    start = {"r": 0.3, "rdot": 0.8, "thetadot": 0.5}
    found = cycle(nh.reduce(system).potential(start, {}), start)
    full = run(system, start, found.period, {}, t_eval="end")
    assert full.final["r"] == pytest.approx(0.3, abs=1e-9) and full.final["rdot"] == pytest.approx(0.8, abs=1e-9)
    assert found.advance["theta"] == pytest.approx(full.final["theta"], abs=1e-9)


def test_a_radius_stays_positive_and_a_pole_is_no_extremum() -> None:
    """Kepler in x and y: Ū = J²/(2 m r²) − k/r has one minimum, at J²/(m k), and the ellipse of period 2π a^(3/2)."""
    system = nh.System(
        coordinates="x y",
        parameters="m k",
        lagrangian="m/2*(xdot**2 + ydot**2) + k/sqrt(x**2 + y**2)",
        symmetry=nh.Symmetry({"turn": {"x": "-y", "y": "x"}}),
    )
    values, start = {"m": 1.3, "k": 2.6}, {"x": 1.0, "ydot": 1.6}
    U = nh.reduce(system).potential(start, values)
    assert 0 <= U.interval[0] < 1e-6
    (circle,) = U.extrema(0.01, 9)
    assert circle.place == pytest.approx(1.3**2 * 1.6**2 / (1.3 * 2.6), rel=1e-12) and circle.kind == "minimum"
    axis = 1 / (2 - 1.6**2 / 2)
    found = cycle(U, start, low=0.01)
    assert found.turning == pytest.approx((1.0, 2 * axis - 1), rel=1e-12)
    assert found.period == pytest.approx(2 * np.pi * np.sqrt(axis**3 / 2), rel=1e-12)


def test_derivatives_of_the_potential_are_those_of_its_values() -> None:
    exhibit, reduction = reduced("routh-top")
    U = potential(reduction, exhibit.start, exhibit.parameters)
    r, step = np.linspace(-0.8, 0.8, 7), 1e-4
    weights = np.array([1, -8, 0, 8, -1]) / (12 * step)
    steps = step * np.arange(-2, 3)
    assert U.derivative(r) == pytest.approx(np.array([weights @ U(x + steps) for x in r]), rel=1e-7)
    assert U.second(r) == pytest.approx(np.array([weights @ U.derivative(x + steps) for x in r]), rel=1e-7)


def test_vertical_velocity_of_the_basketball_solves_the_thesis_s_equation() -> None:
    """(11.1), by SciPy."""
    from scipy.integrate import solve_ivp

    exhibit, reduction = reduced("basketball")
    p = SimpleNamespace(**exhibit.parameters)

    def slopes(psi: float, y: Any) -> Any:
        a, da = p.u - p.v * np.cos(psi), p.v * np.sin(psi)
        return [p.u * y[1], -(2 * da * y[1] + p.J / (p.J + p.m * p.rho**2) * y[0]) / a]

    exact = solve_ivp(slopes, (0, 6.0), [-40.0, 100.0], "DOP853", rtol=1e-13, atol=1e-11).y[:, -1]
    found = vertical(reduction, {"psi": 0.0, "Omega1": -40.0, "Omega2": 100.0}, parameters=exhibit.parameters).states(6.0)
    assert [found["Omega1"][0], found["Omega2"][0]] == pytest.approx(exact, rel=1e-11)


def test_chaplygin_sphere_s_shape_moves_alone_only_with_the_term_the_thesis_misses() -> None:
    """Two shape variables, a magnetic form and K([κ_i, κ_j]_N, κ_k) v^j v^k: against the full motion."""
    exhibit, reduction = reduced("chaplygin-sphere")
    vertical_momentum = se.sympify("R31*J1*w1 + R32*J2*w2 + R33*J3*w3")
    found = reduced_system(reduction, integrals=[vertical_momentum])
    assert found.hamiltonian.verdict == "fails" and not found.findings[3]
    assert any(e != 0 for row in found.magnetic for e in row)
    begin = shape_state(reduction, exhibit.start, exhibit.parameters)
    full = run(exhibit.system, exhibit.start, 0.3, exhibit.parameters)
    weight = sum(full[f"R3{k}"][0] * exhibit.parameters[f"J{k}"] * full[f"w{k}"][0] for k in (1, 2, 3))
    begin.pop("p")
    alone = run(found.equations, begin, 0.3, {**exhibit.parameters, found.constants[0]: float(weight)})
    assert max(np.max(np.abs(full[n] - alone[n])) for n in reduction.shape.names) < 1e-10
    assert alone.drift("energy") < 1e-10 and alone["energy"][0] == pytest.approx(full["energy"][0], rel=1e-11)


def test_only_true_integrals_give_the_momenta() -> None:
    reduction = reduced("chaplygin-sphere")[1]
    wrong = ["R31*J2*w1 + R32*J2*w2 + R33*J3*w3", "w1**2", "R13"]
    with pytest.raises(nh.ModelError, match="0 of the 3 expressions"):
        reduced_system(reduction, integrals=[se.sympify(e) for e in wrong])


@pytest.mark.slow
def test_routh_top_s_shape_moves_alone_with_the_integrals_found() -> None:
    """Jellett's and Routh's integrals, as nh.integrals finds them among others, give Ω(J, r) in closed form."""
    exhibit, reduction = reduced("routh-top")
    found = reduced_system(reduction, integrals=nh.integrals(exhibit.system))
    assert found.equations.state == ("R33", "R33dot") and found.hamiltonian
    full = run(exhibit.system, exhibit.start, 0.5, exhibit.parameters)
    now = {n: float(full[n][0]) for n in (*exhibit.system.coordinates, *exhibit.system.velocities)}
    p = SimpleNamespace(**exhibit.parameters)
    # Jellett's and Routh's integrals [MacDonnell 1997 §9.5], in terms of the start
    up = np.array([now["R31"], now["R32"], now["R33"]])
    w = np.array([now["w1"], now["w2"], now["w3"]])
    jellett = p.r * p.J1 * (up[0] * w[0] + up[1] * w[1]) + p.J3 * (p.a + p.r * up[2]) * w[2]
    arm = p.J1 * p.J3 + p.m * (p.J1 * p.r**2 * (1 - up[2] ** 2) + p.J3 * (p.a + p.r * up[2]) ** 2)
    routh = w[2] * np.sqrt(arm) / (p.m * p.r**2)  # nonholo writes it with this factor
    values = {**exhibit.parameters, **dict(zip(found.constants, (jellett, routh)))}
    begin = shape_state(reduction, exhibit.start, exhibit.parameters)
    alone = run(found.equations, {n: begin[n] for n in ("R33", "R33dot")}, 0.5, values)
    assert np.max(np.abs(full["R33"] - alone["R33"])) < 1e-10 < np.ptp(full["R33"])
