"""Beyond the laws: facts that fail when something is wrong, profiles and surfaces of one's own, drawings that touch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import symengine as se

from nonholo import gallery
from nonholo.derive.hamel import hamel
from nonholo.derive.multipliers import multipliers
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError, ParseError
from nonholo.gallery._axisymmetric import axisymmetric, profile
from nonholo.gallery._ball import ball, curve
from nonholo.gallery.exhibit import Exhibit
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo_papers.facts._chaplygin_time import gyroscopic


def failing(exhibit: Exhibit, chosen: str) -> bool:
    """Whether the one fact whose claim contains these words fails."""
    (fact,) = [f for f in exhibit.facts if chosen in f.claim]
    return fact(exhibit).verdict == "fails"


def with_constraint(exhibit: Exhibit, index: int, factor: object) -> Exhibit:
    """The exhibit with one constraint's velocity part scaled: a wrong sign or size of one term."""
    system = exhibit.system
    rows = list(system.constraints)
    first, *rest = rows[index].expand().args
    rows[index] = first * factor + se.Add(*rest)
    return replace(exhibit, system=replace(system, constraints=rows))


def with_lagrangian(exhibit: Exhibit, extra: str) -> Exhibit:
    system = exhibit.system
    text = se.sympify(extra)
    return replace(exhibit, system=replace(system, lagrangian=system.lagrangian + text))


WRONG_CONSTRAINT = [
    ("constrained-particle", 0, "(ẋ + y ż)/sqrt(1 + y²) is constant"),
    ("constrained-particle", 0, "the adjoint equation"),
    ("chaplygin-sphere", 0, "the three constants"),
    ("chaplygin-sphere", 1, "reduced equations"),
    ("chaplygin-sphere", 0, "the measure"),
    ("routh-top", 0, "Jellett's integral"),
    ("routh-top", 1, "Newton's and Euler's laws"),
    ("rolling-body", 1, "the adjoint equation"),
    ("ball-in-cylinder", 1, "Newton's laws"),
    ("ball-in-cylinder", 0, "Ω2 and Ω1 − Ω2 s"),
    ("ball-on-surface", 0, "Routh's form"),
    ("ball-on-sphere", 2, "a Lagrange top's axis"),
    ("basketball", 1, "the adjoint equation"),
    ("three-wheel-cart", 0, "the wheels roll"),
    ("three-wheel-cart", 3, "(f − J_D r² sin²α) Ω² is constant"),
]


@pytest.mark.parametrize(("name", "index", "chosen"), WRONG_CONSTRAINT)
def test_a_wrong_constraint_makes_the_fact_fail(name, index, chosen):
    exhibit = gallery.get(name)
    assert not failing(exhibit, chosen)
    assert failing(with_constraint(exhibit, index, se.Rational(11, 10)), chosen)


WRONG_LAGRANGIAN = [
    ("constrained-particle", "y**2", "the reduced motion"),
    ("chaplygin-sphere", "R31*m", "C = e3·WJω"),
    ("lagrange-top", "m*a*R31", "ϖ3 = C2"),
    ("lagrange-top", "m*a*R33", "the reduced energy"),
    ("lagrange-top", "m*a*R33", "the same accelerations"),
    ("routh-top", "m*R33", "the reduced kinetic energy"),
    ("ball-in-cylinder", "m*s", "harmonic"),
    ("ball-on-sphere", "m*z", "the centre moves as the tip"),
    ("three-wheel-cart", "xi", "J_D ξ' is constant"),
]


@pytest.mark.parametrize(("name", "extra", "chosen"), WRONG_LAGRANGIAN)
def test_a_wrong_force_makes_the_fact_fail(name, extra, chosen):
    exhibit = gallery.get(name)
    assert failing(with_lagrangian(exhibit, extra), chosen)


def test_only_the_inverse_root_makes_the_chaplygin_sphere_hamiltonian():
    exhibit = gallery.get("chaplygin-sphere")
    found = {power: gyroscopic(exhibit, power)[0] for power in (-1.0, -0.5, 0.0, 0.5)}
    spreads = {power: np.ptp(b) / np.max(np.abs(b)) for power, b in found.items()}
    assert spreads.pop(-0.5) < 1e-10
    assert min(spreads.values()) > 0.05


def test_equal_moments_need_no_change_of_time():
    exhibit = gallery.get("chaplygin-sphere")
    ball = replace(exhibit, parameters={**exhibit.parameters, "J1": 0.1, "J2": 0.1, "J3": 0.1})  # type: ignore[call-arg]
    found, _ = gyroscopic(ball, 0.0)
    assert np.ptp(found) < 1e-12


def test_a_profile_that_lifts_the_contact_is_refused_with_the_right_one():
    with pytest.raises(ModelError, match=r"h' = −a sin θ is needed.*give a = -p\*cos\(theta\)/sin\(theta\)"):
        gallery.get("rolling-body", h="p*sin(theta)", a="p", parameters={"p": 0.3})


def test_a_profile_may_leave_a_out():
    given, found = profile("r + a*cos(theta)", "a", "a r"), profile("r + a*cos(theta)", None, "a r")
    assert given.a == found.a
    assert axisymmetric("top", given).lagrangian == axisymmetric("top", found).lagrangian


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"profile": "eg"}, ModelError, "choose from egg"),
        ({"a": "1"}, ModelError, "without h"),
        ({"h": "p*sin(thta)", "parameters": {"p": 1}}, ParseError, "did you mean 'theta'"),
        ({"profile": "disk", "parameters": {"b": 1}}, ModelError, "has no parameter 'b'"),
    ],
)
def test_a_bad_profile_is_one_clear_error(options, error, words):
    with pytest.raises(error, match=words):
        gallery.get("rolling-body", **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"surface": "bowle"}, "choose from bowl"),
        ({"a": "s"}, "give both"),
        ({"a": "b", "z": "b", "parameters": {"b": 1}}, "depends on s"),
        ({"a": "0", "z": "s"}, "axis itself"),
        ({"a": "r + s", "z": "s", "parameters": {"r": 1}}, "rename"),
    ],
)
def test_a_bad_surface_is_one_clear_error(options, words):
    with pytest.raises(ModelError, match=words):
        gallery.get("ball-on-surface", **options)


def test_a_ball_is_outside_or_inside():
    with pytest.raises(ModelError, match="choose from outside, inside"):
        gallery.get("ball-on-sphere", side="left")


BODIES = [{"profile": "disk"}, {"profile": "wheel"}, {"h": "r + a*cos(theta)", "parameters": {"r": 0.1, "a": 0.2}}]


@pytest.mark.parametrize("options", BODIES)
def test_facts_hold_for_other_bodies(options):
    exhibit = gallery.get("rolling-body", **options)
    assert not [str(f(exhibit)) for f in exhibit.facts[:5] if not f(exhibit)]


@pytest.mark.parametrize("options", [{}, *BODIES])
def test_the_drawn_body_touches_the_plane(options):
    exhibit = gallery.get("rolling-body", **options)
    state = complete_state(exhibit.system, exhibit.start, exhibit.parameters)
    found = evaluate_drawing(exhibit.drawing, exhibit.system, state, exhibit.parameters, surface_points=(400, 200))
    body = found["bodies"][0]
    points = body["points"][0].reshape(-1, 3) @ body["rotation"][0].T + body["position"][0]
    lowest = points[np.argmin(points[:, 2])]
    assert -1e-12 < lowest[2] < 1e-5
    np.testing.assert_allclose(lowest[:2], found["traces"][0]["points"][0, :2], atol=0.01)


SURFACES = [
    {"surface": "funnel"},
    {"surface": "cone"},
    {"surface": "ring"},
    {"a": "b + s", "z": "k*s**3", "parameters": {"b": 0.5, "k": 0.3}},
]


@pytest.mark.parametrize("options", SURFACES)
def test_facts_hold_on_other_surfaces(options):
    exhibit = gallery.get("ball-on-surface", **options)
    assert not [str(f(exhibit)) for f in exhibit.facts[:5] if not f(exhibit)]


@pytest.mark.parametrize("options", [{}, SURFACES[-1]])
def test_a_quarter_of_a_turn_about_the_axis_is_no_singular_place(options):
    """The velocities are turned axes: solved by dividing by cos θ, a ball stopped at θ = π/2 when it was asked for 1e-14."""
    exhibit = gallery.get("ball-on-surface", **options)
    own, witness = hamel(exhibit.system), multipliers(exhibit.system)
    for theta in (np.pi / 2 - 1e-7, np.pi / 2):
        state = complete_state(exhibit.system, {**exhibit.start, "theta": theta}, exhibit.parameters)
        found, wanted = own.rates(state, exhibit.parameters), witness.rates(state, exhibit.parameters)
        shared = [n for n in wanted if n in found]
        np.testing.assert_allclose([found[n] for n in shared], [wanted[n] for n in shared], rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize("name", ["ball-on-surface", "ball-in-cylinder", "basketball"])
def test_the_drawn_ball_touches_the_drawn_surface(name):
    exhibit = gallery.get(name)
    state = complete_state(exhibit.system, exhibit.start, exhibit.parameters)
    found = evaluate_drawing(exhibit.drawing, exhibit.system, state, exhibit.parameters, surface_points=(400, 400))
    surface, ball = found["bodies"][:2]
    rho = exhibit.parameters["rho"]
    apart = np.linalg.norm(surface["points"][0] - ball["position"][0], axis=-1)
    assert rho - 1e-12 < apart.min() < 1.001 * rho
    np.testing.assert_allclose(np.linalg.norm(found["traces"][0]["points"][0] - ball["position"][0]), rho, rtol=1e-12)


def test_arc_length_is_found_and_other_speeds_are_allowed_for():
    arc, other = curve("u + v*sin(s/v)", "v*cos(s/v)", "u v"), curve("u + v*sin(s)", "v*cos(s)", "u v")
    assert arc.speed == 1
    values = {"m": 0.3, "J": 0.02, "rho": 0.1, "g": 9.8, "u": 0.7, "v": 0.4}
    speeds = {"Omega1": 2.0, "Omega2": -3.0, "roll": 1.5, "theta": 0.3}
    one = hamel(ball("arc", arc)).rates(complete_state(ball("arc", arc), {"s": 0.32, **speeds}, values), values)
    two = hamel(ball("angle", other)).rates(complete_state(ball("angle", other), {"s": 0.8, **speeds}, values), values)
    for name in ("Omega1", "Omega2", "roll"):
        assert one[name] == pytest.approx(two[name], rel=1e-12)
    assert one["s"] == pytest.approx(0.4 * two["s"], rel=1e-12)


def test_the_inside_of_a_sphere_has_the_same_facts():
    exhibit = gallery.get("ball-on-sphere", side="inside")
    assert not [str(f(exhibit)) for f in exhibit.facts[:3] if not f(exhibit)]
