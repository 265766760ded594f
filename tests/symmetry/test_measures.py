"""Invariant measures: nonlinear constraints, and absence by the trace at equilibria, each against another derivation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.measure.density_absence import divergence_of
from nonholo.symmetry.measure.equilibrium_trace import contracting
from tests.symmetry.plain_systems import CASES

PLAIN = Path(__file__).parents[1] / "plain"
NONLINEAR = (
    "steady speed under gravity",
    "Appell's machine",
    "two parallel points on an incline",
    "parallel-points-spring",
)


def system_of(name: str) -> nh.System:
    return CASES[name].system() if name in CASES else nh.load(PLAIN / f"{name}.toml")


def contraction(system: nh.System) -> object:
    motion = motion_of(system)
    return contracting(motion, divergence_of(motion))


@pytest.mark.parametrize("name", NONLINEAR)
def test_the_density_of_a_nonlinear_constraint_in_coordinates_of_its_own(name: str) -> None:
    """One velocity is solved for; in the others the density is ``f/|∂φ/∂v|``, and the flow comes from multipliers."""
    system = system_of(name)
    found = nh.measure(system)
    assert found and found.proved and "velocities" in found.claim
    parameters = run_parameters(system, None)
    witness = nh.multipliers(system)
    (residual,) = system.constraints
    bound = system.velocities[-1]
    free = [*system.coordinates, *system.velocities[:-1]]
    slope = residual.diff(bound)

    def whole(point: np.ndarray) -> dict[str, float]:
        known = {**parameters, **dict(zip(free, point.tolist()))}

        def there(last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            values = evaluate([residual, slope], {**known, bound: float(last[0])})
            return values[:1], values[1:].reshape(1, 1)

        last, left = gauss_newton(there, np.array([0.8]))
        assert abs(left[0]) < 1e-12
        return {**known, bound: float(last[0])}

    def flow(point: np.ndarray) -> np.ndarray:
        state = whole(point)
        rates = witness.rates({n: state[n] for n in witness.state}, parameters)
        return np.array([rates[n] if n in rates else state[f"{n}dot"] for n in free])

    def log_density(point: np.ndarray) -> float:
        state = whole(point)
        density, across = evaluate([found.expression, slope], state)
        return float(np.log(abs(density)) - np.log(abs(across)))

    speed = parameters.get("c", 1.0)
    place = np.array([0.4 + 0.13 * k for k in range(len(system.coordinates))] + [0.6 * speed, 0.45, 0.75])[: len(free)]
    step = 1e-5
    around = np.eye(len(free)) * step
    divergence = sum((flow(place + e)[k] - flow(place - e)[k]) / (2 * step) for k, e in enumerate(around))
    slopes = np.array([(log_density(place + e) - log_density(place - e)) / (2 * step) for e in around])
    assert float(slopes @ flow(place)) + divergence == pytest.approx(0, abs=1e-7)


def test_a_steady_speed_under_gravity_has_the_density_of_its_height() -> None:
    """With ``ẋ = c cos z``, ``ẏ = c sin z`` gravity turns by ``ż = −g cos z/c``: ``exp(−g y/c²) dx dy dz`` is preserved."""
    found = nh.measure(system_of("steady speed under gravity"))
    place = {"y": 0.4, "g": 3.0, "c": 1.3}
    assert evaluate([found.expression], place)[0] == pytest.approx(np.exp(-place["g"] * place["y"] / place["c"] ** 2), rel=1e-12)


@pytest.mark.parametrize("name", ["sleigh", "skate with friction in its pivot", "rotor-body", "suslov-spatial"])
def test_what_contracts_at_an_equilibrium_preserves_no_smooth_measure(name: str) -> None:
    found = nh.measure(system_of(name))
    assert found.verdict == "fails" and found.proved and "trace of the linearised motion" in found.evidence


def test_the_sleighs_trace_is_told_for_densities_that_the_symmetries_leave_alone() -> None:
    """It glides away in a straight line: only such densities are excluded by ``trace = −m a v/(J + m a²)`` at ω = 0."""
    seen = contraction(system_of("sleigh"))
    assert seen is not None and not seen.everywhere and "shift of x, shift of y" in seen.words
    assert contraction(replace(system_of("sleigh"), lagrangian=system_of("sleigh").lagrangian.xreplace({"a": 0}))) is None


@pytest.mark.parametrize("turned", [True, False])
def test_the_rattlebacks_trace_is_that_of_the_multiplier_form(turned: bool) -> None:
    """Steady rotation: zero just when the axes of inertia are those of the surface [Borisov and Mamaev 2003]."""
    exhibit = nh.gallery.get("rattleback")
    system = exhibit.system
    parameters = {**exhibit.parameters, **({} if turned else {"delta": 0.0})}
    witness = nh.multipliers(system)
    steady = {"w1": 0.0, "w2": 0.0, "w3": 1.7}

    def rate(name: str, by: float) -> float:
        state = nh.complete_state(system, {**steady, name: steady[name] + by}, parameters)
        return float(witness.rates(state, parameters)[name])

    trace = sum((rate(n, 1e-4) - rate(n, -1e-4)) / 2e-4 for n in steady)
    assert (abs(trace) > 1e-2) == turned


@pytest.mark.parametrize(
    "name", ["contact-oscillator", "vertical disk", "two parallel points", "Lagrange's top", "ball on a turntable", "veselova"]
)
def test_a_density_and_a_trace_exclude_each_other(name: str) -> None:
    assert nh.measure(system_of(name)) and contraction(system_of(name)) is None


@pytest.mark.slow
def test_no_system_with_a_density_contracts_anywhere() -> None:
    for name in [*CASES, *(f.stem for f in sorted(PLAIN.glob("*.toml")))]:
        system = system_of(name)
        assert not (nh.measure(system) and contraction(system) is not None), name


def test_a_root_of_a_parameter_is_no_parameter_of_its_own() -> None:
    """A skate on a cone is one in the plane, cut and rolled up: in Cartesian coordinates of the plane the density is 1."""
    cone = nh.System(
        name="skate on a cone",
        coordinates="th r ph",
        parameters="m J c g",
        lagrangian="m/2*(rdot**2*(1+c**2)+r**2*phdot**2)+J/2*(thdot+phdot/sqrt(1+c**2))**2-m*g*c*r",
        constraints=["-sin(th)*rdot*sqrt(1+c**2)+cos(th)*r*phdot"],
    )
    found = nh.measure(cone)
    assert found.verdict == "holds" and found.proved
    place = {"th": 0.7, "r": 1.3, "ph": 0.2, "m": 1.1, "J": 0.4, "c": 0.6, "g": 9.81}
    # of dX dY dθ dω dv in the plane, in r, φ, θ and their rates: v = ṙ sqrt(1 + c²)/cos θ, ω = θ̇ + …
    densities = [evaluate([found.expression], {**place, "th": th, "r": r})[0] for th, r in ((0.7, 1.3), (-0.4, 2.1))]
    own = [r / np.cos(th) for th, r in ((0.7, 1.3), (-0.4, 2.1))]
    assert abs(densities[0] / own[0] - densities[1] / own[1]) < 1e-12 * densities[0] / own[0]


def test_a_turn_that_needs_sine_and_cosine_of_a_parameter_together_is_found() -> None:
    """A sleigh on a slope, its speed along the slope by its horizontal and vertical parts."""
    slope = nh.System(
        name="slope",
        coordinates="x y th",
        parameters="m J al",
        lagrangian="m/2*((cos(al)*xdot)**2+(sin(al)*xdot)**2+ydot**2)+J/2*thdot**2",
        constraints=["-sin(th)*xdot+cos(th)*ydot"],
    )
    assert "shift_th + turn_xy" in group_of(slope).plain


@pytest.mark.parametrize("factor", ["sqrt(3)", "sqrt(29)", "sqrt(b)", "sqrt(1 + b**2)"])
def test_roots_of_numbers_and_parameters_make_no_symmetry(factor: str) -> None:
    """The sleigh with lengths along x in another unit turns no more; in both directions it does."""
    names = {"x": f"{factor}*x", "xdot": f"{factor}*xdot", "y": f"{factor}*y", "ydot": f"{factor}*ydot"}
    lagrangian = "m/2*((Xdot-a*sin(th)*thdot)**2+(Ydot+a*cos(th)*thdot)**2)+J/2*thdot**2"
    constraint = "-Xdot*sin(th)+Ydot*cos(th)"
    for both, expected in ((False, ["shift_x", "shift_y"]), (True, ["shift_x", "shift_y", "shift_th + turn_xy"])):
        table = {"Xdot": names["xdot"], "Ydot": names["ydot"] if both else "ydot"}
        texts = [lagrangian, constraint]
        for old, new in table.items():
            texts = [e.replace(old, f"({new})") for e in texts]
        own = nh.System(coordinates="x y th", parameters="m J a b", lagrangian=texts[0], constraints=[texts[1]])
        assert list(group_of(own).plain) == expected


def test_a_coordinate_under_a_root_is_taken_where_the_root_is_real() -> None:
    """A skate under gravity with y = √Y: what holds in x, y holds in x, Y, and no number of it is complex."""
    own = nh.System(
        coordinates="x Y th",
        parameters="m J g",
        lagrangian="m/2*(xdot**2+Ydot**2/(4*Y)) + J/2*thdot**2 - m*g*sqrt(Y)",
        constraints=["-xdot*sin(th)+Ydot/(2*sqrt(Y))*cos(th)"],
    )
    plain = nh.System(
        coordinates="x y th",
        parameters="m J g",
        lagrangian="m/2*(xdot**2+ydot**2) + J/2*thdot**2 - m*g*y",
        constraints=["-xdot*sin(th)+ydot*cos(th)"],
    )
    counts = [sum(f.proved and f.verdict == "holds" for f in nh.integrals(s)) for s in (own, plain)]
    assert counts[0] == counts[1] >= 4
    assert nh.measure(own).verdict == nh.measure(plain).verdict == "holds"


def test_constraints_combined_by_functions_with_other_fractions_keep_their_measure() -> None:
    """A vertical disk whose constraints are combined by exp(3x/5) and sin(3x/5): the same distribution, the same measure."""
    plain = {"coordinates": "x y th ph", "parameters": {"m": 1.1, "I": 0.3, "J": 0.2, "R": 0.6}}
    energy = "I/2*thdot**2 + J/2*phdot**2 + m/2*(9/25*xdot**2 + ydot**2)"
    one, two = "3/5*xdot + R*cos(ph)*thdot", "ydot + R*sin(ph)*thdot"
    mixed = [f"exp(3*x/5)*({one}) + sin(3*x/5)*(2 + cos(3*x/5))*({two})", f"(2 + cos(3*x/5))*({two})"]
    for constraints in ([one, two], mixed):
        assert nh.measure(nh.System(**plain, lagrangian=energy, constraints=constraints))
