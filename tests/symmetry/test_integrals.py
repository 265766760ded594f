"""Conservation laws found automatically, against the published ones at random states and along independent motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states
from nonholo.finding import Finding, LinearMomenta
from nonholo.symmetry.integrals.integrals import integrals
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo_papers.facts import _offset_sphere, chaplygin_sphere, lagrange_top, routh_top, sleigh_oscillator

Quantity = Callable[[Any], Any]


@lru_cache
def found(name: str, depends_on: str | None = None) -> tuple[Finding, ...]:
    exhibit = nh.gallery.get(name)
    return integrals(exhibit.system, depends_on, exhibit.parameters)


def momenta_of(name: str, depends_on: str | None = None) -> list[Finding]:
    """The momenta among the findings that hold, without the energy."""
    return [
        f
        for f in found(name, depends_on)
        if f and f.method.startswith(("gauge momentum", "momentum with", "nonholonomic"))
    ]


def places(name: str, count: int = 9) -> list[SimpleNamespace]:
    exhibit = nh.gallery.get(name)
    states = random_states(exhibit.system, exhibit.parameters, count, seed=31)
    return [SimpleNamespace(**{**s.parameters, **s.values}) for s in states]


def values(finding: Finding, spots: list[SimpleNamespace]) -> NDArray[np.float64]:
    if isinstance(finding.expression, NumericMomentum):
        return np.array([finding.expression.evaluate(vars(s)) for s in spots])
    return np.array([evaluate([finding.expression], vars(s))[0] for s in spots])


@lru_cache
def motion_by_multipliers(name: str) -> nh.Trajectory:
    """A motion from a generic state by the witness, which shares no derivation with the momenta."""
    exhibit = nh.gallery.get(name)
    system = exhibit.system
    state = next(iter(random_states(system, exhibit.parameters, 1, seed=8))).values
    start = {n: state[n] for n in (*system.coordinates, *system.velocities)}
    idle = dict.fromkeys(system.inputs, 0.0)
    return nh.simulate(
        system, start, 1.0, exhibit.parameters, rtol=1e-13, atol=1e-14, t_eval=40, form="multipliers", inputs=idle
    )


def spanned(own: list[NDArray[np.float64]], quantity: NDArray[np.float64]) -> float:
    """How far a quantity is from the span of one's own, relative to its size."""
    columns = np.column_stack([c / np.max(np.abs(c)) for c in own])
    weights = np.linalg.lstsq(columns, quantity, rcond=None)[0]
    return float(np.max(np.abs(columns @ weights - quantity)) / np.max(np.abs(quantity)))


def _sleigh(s: Any) -> tuple[Any, Any]:
    whole = s.J + s.m * s.a**2
    k = s.a * np.sqrt(s.m / whole)
    turn, move = np.sqrt(whole) * s.omega, np.sqrt(s.m) * s.v
    c, q = np.cos(k * s.theta), np.sin(k * s.theta)
    return turn * c + move * q, move * c - turn * q


def _on_sphere(s: Any) -> tuple[Any, Any]:
    """Spin about the normal, and the angular momentum of spin and place about the vertical (Newton's laws)."""
    place, spin = np.array([s.x, s.y, s.z]), np.array([s.nu1, s.nu2, s.nu3])
    orbit = np.cross(place, [s.xdot, s.ydot, s.zdot])[2]
    return spin @ place, s.J * s.nu3 + s.m * s.rho / s.v * orbit


KNOWN: dict[tuple[str, str | None], Quantity] = {
    ("constrained-particle", "y"): lambda s: (s.xdot + s.y * s.zdot) / np.sqrt(1 + s.y**2),
    ("gauge-momentum", "r"): lambda s: s.s1dot * np.exp(-((s.b0 + s.b1 * np.sin(s.r)) ** 2) / 2),
    ("chaplygin-sleigh", "theta"): _sleigh,
    ("routh-top", "R33"): lambda s: (routh_top._jellett(s), routh_top._routh(s)),
    ("routh-sphere", "R33"): lambda s: (
        _offset_sphere.jellett(s),
        s.w3 * np.sqrt(s.A * s.C + s.m * _offset_sphere.arm_inertia(s)),
    ),
    ("lagrange-top", "R33"): lambda s: (s.w3, lagrange_top._first(s)),
    ("ball-in-cylinder", "s"): lambda s: (s.Omega2, s.Omega1 - s.Omega2 * s.s),
    ("ball-on-sphere", "z"): _on_sphere,
    ("chaplygin-sphere", None): lambda s: tuple(chaplygin_sphere._angular(s)),
    ("vertical-disk", None): lambda s: (s.rolling, s.turning),
    ("three-wheel-cart", None): lambda s: s.JD * s.xidot,
    ("tippe-top", "R33"): _offset_sphere.jellett,
    ("euler-top", None): lambda s: tuple(
        sum(getattr(s, f"R{i}{j}") * getattr(s, f"I{j}") * getattr(s, f"w{j}") for j in (1, 2, 3)) for i in (1, 2, 3)
    ),
    ("ball-on-turntable", None): lambda s: (
        s.w3,
        s.xdot * (1 + s.I / (s.m * s.r**2)) + s.I * s.Omega / (s.m * s.r**2) * s.y,
    ),
}


QUICK = ("constrained-particle", "chaplygin-sleigh", "lagrange-top", "ball-in-cylinder", "vertical-disk")


LONG = ("three-wheel-cart", "routh-top", "tippe-top", "ball-on-turntable", "routh-sphere")


@pytest.mark.parametrize(
    ("name", "depends_on"), [pytest.param(*key, marks=pytest.mark.slow) if key[0] in LONG else key for key in KNOWN]
)
def test_known_integrals_are_found_in_closed_form(name: str, depends_on: str | None) -> None:
    own = momenta_of(name, depends_on)
    assert own
    assert not any(isinstance(f.expression, NumericMomentum) for f in own)
    spots = places(name)
    columns = [values(f, spots) for f in own]
    table = np.array([np.atleast_1d(KNOWN[(name, depends_on)](s)) for s in spots])
    assert len(own) < len(spots)
    for quantity in table.T:
        assert spanned(columns, quantity) < 1e-11


@pytest.mark.parametrize(
    ("name", "depends_on"),
    [key if key[0] in QUICK else pytest.param(*key, marks=pytest.mark.slow) for key in KNOWN],
)
def test_found_integrals_hold_along_motions_by_multipliers(name: str, depends_on: str | None) -> None:
    run = motion_by_multipliers(name)
    for finding in momenta_of(name, depends_on):
        assert finding.drift(run) < 1e-10, finding.claim
        assert finding.value is not None and finding.value < 1e-10


def test_what_changes_is_seen_to_drift() -> None:
    exhibit = nh.gallery.get("chaplygin-sleigh")
    run = nh.simulate(exhibit.system, exhibit.start, 2.0, exhibit.parameters)
    changing = Finding("", "holds", expression="m*v*cos(theta)")
    assert changing.drift(run) > 1e-2
    assert changing.along(run) == pytest.approx(exhibit.parameters["m"] * run["v"] * np.cos(run["theta"]))
    assert Finding("", "holds", expression="v - v").drift(run) == 0
    with pytest.raises(ValueError, match="no expression"):
        Finding("nothing", "holds").drift(run)


@pytest.mark.slow
def test_energy_fails_with_its_reason() -> None:
    turntable, tippe = found("ball-on-turntable")[0], found("tippe-top", "R33")[0]
    assert turntable.verdict == tippe.verdict == "fails"
    assert "affine" in turntable.evidence
    assert "force on s1, s2 does work" in tippe.evidence
    assert found("chaplygin-sleigh", "theta")[0]


@pytest.mark.slow
def test_no_momentum_of_r_alone_for_sleigh_and_oscillator_but_its_frame() -> None:
    """BMZ 2009 §6: the frame is ``(J + m r²)^(−m/(2(M + m)))``, and the momenta along it are those of (6.6)."""
    findings = found("sleigh-oscillator")
    (no,) = [f for f in findings if f.verdict == "fails" and isinstance(f.data, LinearMomenta) and f.data.variables == ("r",)]
    assert no.value == 0
    frames = [f for f in findings if f and f.method.startswith("momentum frame (4.12)")]
    spots = places("sleigh-oscillator")
    assert all(f.expression is None for f in frames)  # they are no integrals
    columns = [values(replace(f, expression=f.value), spots) for f in frames]
    for quantity in np.array([sleigh_oscillator._second(s) for s in spots]).T:
        assert spanned(columns, quantity) < 1e-12
    (wronskian,) = [f for f in findings if "Wronskian" in f.claim]
    expected = np.array([(s.J + s.m * s.r**2) ** (-s.m / (2 * (s.M + s.m))) for s in spots])
    assert np.ptp(values(replace(wronskian, expression=wronskian.value), spots) / expected) < 1e-12


@pytest.mark.slow
def test_flatness_fails_for_the_cart_and_holds_for_the_top() -> None:
    group, shape = [f for f in found("three-wheel-cart") if f.method == "flatness"]
    assert group and shape.verdict == "fails"
    assert all(f for f in found("lagrange-top") if f.method == "flatness")


@pytest.mark.slow
def test_the_cart_has_a_second_momentum_by_its_energy() -> None:
    """``(f − J_D r² sin²α) Ω²`` is constant [MacDonnell 1997 §12.4], hence its root, linear in Ω."""
    spots = places("three-wheel-cart")
    own = [values(f, spots) for f in momenta_of("three-wheel-cart")]
    assert len(own) == 2
    from nonholo_papers.facts import three_wheel_cart

    alpha = [s.xi - s.theta for s in spots]
    inner = [three_wheel_cart.first(x, s) - s.JD * s.r**2 * np.sin(x) ** 2 for x, s in zip(alpha, spots)]
    assert spanned(own, np.array([np.sqrt(e) * s.Omega for e, s in zip(inner, spots)])) < 1e-11


def test_horizontal_symmetries_are_told_as_such() -> None:
    methods = [f.method for f in found("lagrange-top") if f]
    assert any("horizontal symmetry spin" in m for m in methods)
    assert any("horizontal symmetry turn" in m for m in methods)


def test_special_parameters_do_not_make_an_integral_for_all() -> None:
    """ω is constant only for the balanced sleigh: nothing of the kind is claimed for the unbalanced one."""
    spots = places("chaplygin-sleigh")
    own = [values(f, spots) for f in momenta_of("chaplygin-sleigh", "theta")]
    assert spanned(own, np.array([s.omega for s in spots])) > 1e-2


def test_nonlinear_constraints_are_answered_not_refused() -> None:
    findings = found("steered-point")
    assert [f.verdict for f in findings] == ["fails", "unknown"]
    assert "linear" in findings[1].evidence


def test_a_system_of_ones_own_without_values_or_start() -> None:
    disk = nh.System(
        coordinates="phi psi x y",
        parameters="m I J R",
        lagrangian="m/2*(xdot**2 + ydot**2) + I/2*psidot**2 + J/2*phidot**2",
        constraints=["xdot - R*cos(phi)*psidot", "ydot - R*sin(phi)*psidot"],
    )
    findings = integrals(disk)
    assert all(f and f.proved for f in findings)
    assert {"psidot is constant", "phidot is constant"} < {f.claim for f in findings}


def test_a_wrong_name_is_told() -> None:
    system = nh.gallery.get("chaplygin-sleigh").system
    with pytest.raises(nh.StateError, match="no parameter 'mass'"):
        integrals(system, parameters={"mass": 1.0})
    with pytest.raises(nh.ParseError, match="theta"):
        integrals(system, depends_on="tetha")


def test_magnetic_terms_join_in() -> None:
    """A charge in a field: the guiding centre ``ẋ − (B/m) y``, ``ẏ + (B/m) x`` is constant [Lorentz force]."""
    charge = nh.System(
        coordinates="x y",
        lagrangian="(xdot**2 + ydot**2)/2",
        magnetic={("x", "y"): "1"},
    )
    own = [f for f in integrals(charge) if f and "energy" not in f.claim]
    random = np.random.default_rng(3)
    spots = [SimpleNamespace(**dict(zip(("x", "y", "xdot", "ydot"), random.uniform(-1, 1, 4)))) for _ in range(8)]
    columns = [values(f, spots) for f in own]
    for quantity in ([s.xdot - s.y for s in spots], [s.ydot + s.x for s in spots]):
        assert spanned(columns, np.array(quantity)) < 1e-12


def test_when_symbols_are_too_much_work_numbers_are_given_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first attempt, with symbols, is too long; the second, with the parameters as numbers, is not."""
    monkeypatch.setattr("nonholo.symmetry.integrals.gauge.gauge_search.SYMBOLS", 1e-5)
    exhibit = nh.gallery.get("rolling-disk")
    found_momenta = integrals(exhibit.system, "R33", exhibit.parameters)[1:]
    assert len(found_momenta) == 2
    run = nh.simulate(exhibit.system, exhibit.start, 1.0, exhibit.parameters, rtol=1e-13, atol=1e-14)
    for finding in found_momenta:
        assert finding.drift(run) < 1e-10
        other = nh.simulate(exhibit.system, exhibit.start, 0.1, {**exhibit.parameters, "m": 3.3})
        with pytest.raises(nh.StateError, match="other parameters"):
            finding.drift(other)


def test_when_all_is_too_much_work_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("SYMBOLS", "NUMBERS"):
        monkeypatch.setattr(f"nonholo.symmetry.integrals.gauge.gauge_search.{limit}", 1e-5)
    exhibit = nh.gallery.get("routh-top")
    energy, rest = integrals(exhibit.system, "R33", exhibit.parameters)
    assert energy
    assert rest.verdict == "unknown" and "too long" in rest.evidence


@pytest.mark.slow
def test_without_friction_in_the_model_jellett_is_the_same() -> None:
    """Jellett's integral does not know of the friction [Jellett 1872]: the same span with another coefficient."""
    exhibit = nh.gallery.get("tippe-top")
    loose = replace(exhibit.system, forces={})
    own = [f for f in integrals(loose, "R33", exhibit.parameters) if f and "gauge" in f.method]
    spots = places("tippe-top")
    assert spanned([values(f, spots) for f in own], np.array([_offset_sphere.jellett(s) for s in spots])) < 1e-11
