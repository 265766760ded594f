"""Facts of Benenti's, Zenkov's and the classic exhibits go red when a term of the derivation or a constraint is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
import symengine as se

import nonholo.derive.hamel as derivation
from nonholo import gallery
from nonholo.algebra.cache import forget
from nonholo.errors import NonholoError
from nonholo.gallery.exhibit import Exhibit

FORCE_TERMS = derivation.force_terms
CARRIED = derivation.velocity_drift
METRIC = derivation.symmetric_jacobian


def flipped(name):
    """One term of F with the other sign; energy alone would not notice some of them."""

    def terms(system):
        return {k: tuple(-e for e in v) if k == name else v for k, v in FORCE_TERMS(system).items()}

    return "force_terms", terms


def heavier(momenta, v):
    """A metric with a little more on its diagonal."""
    rows = [list(row) for row in METRIC(momenta, v)]
    for i, row in enumerate(rows):
        row[i] = row[i] * (1 + se.Rational(i + 1, 37)) + se.Rational(i + 1, 50)
    return tuple(map(tuple, rows))


ERRORS = {
    **{name: flipped(name) for name in ("brackets", "slope", "applied", "transport")},
    "velocity_drift": ("velocity_drift", lambda allowed, motion: tuple(-e for e in CARRIED(allowed, motion))),
    "metric": ("symmetric_jacobian", heavier),
}
NOTICED = [
    ("chaplygin-top", "slope", {"newton", "loaded"}),
    ("chaplygin-top", "metric", {"newton", "balanced", "loaded"}),
    ("chaplygin-top", "velocity_drift", {"newton", "loaded"}),
    ("sleigh-chain", "velocity_drift", {"by_kane", "one_link", "turning"}),
    ("sleigh-chain", "slope", {"by_kane", "one_link", "turning"}),
    ("ball-on-turntable", "velocity_drift", {"turns_its_velocity", "published_rate", "constants", "work", "drifts"}),
    ("ball-on-turntable", "slope", {"drifts"}),
    ("parallel-points", "metric", {"metric", "any_forces", "inclined", "spring", "incline_constants"}),
    ("parallel-points", "slope", {"inclined", "spring", "spring_constants"}),
    ("knife-edge", "slope", {"rates"}),
    ("orthogonal-points", "metric", {"metric", "any_forces", "disguise", "discs"}),
    ("rigid-parallel-points", "slope", {"type_one", "type_two", "same_motion"}),
    ("steered-point", "velocity_drift", {"by_hand", "normal_form"}),
    ("coaxial-discs", "metric", {"steady"}),
    ("spherical-pendulum", "slope", {"equations", "constants"}),
    ("heavy-suslov-top", "brackets", {"equations", "reaction"}),
    ("heavy-suslov-top", "slope", {"equations", "constants", "kharlamova", "lagrange_case", "swings"}),
    ("degenerate-sleigh", "metric", {"constant_speed", "regularised"}),
    ("n-trailer", "transport", {"turning", "pulling", "straight"}),
    ("roller-racer", "velocity_drift", {"momentum", "momentum_closed"}),
    ("roller-racer", "metric", {"momentum", "momentum_closed", "circle"}),
    ("unicycle", "applied", {"equations", "ground"}),
    ("two-wheel-robot", "transport", {"without_caster", "by_kane"}),
    ("two-wheel-robot", "applied", {"without_caster", "by_kane"}),
]


def holding(exhibit: Exhibit, names: set[str]) -> list[str]:
    """The facts of these names that hold all the same."""
    facts = [f for f in exhibit.facts if f.test.__name__ in names]
    assert {f.test.__name__ for f in facts} == names
    result = []
    for fact in facts:
        try:
            if fact(exhibit):
                result.append(fact.claim)
        except NonholoError:
            pass
    return result


@pytest.fixture(autouse=True)
def anew():
    """Nothing derived before a derivation is spoiled is asked, nor anything afterwards that was derived by a spoiled one."""
    forget()
    yield
    forget()


@pytest.mark.parametrize(("name", "error", "facts"), NOTICED, ids=[f"{n}-{e}" for n, e, _ in NOTICED])
def test_a_wrong_term_of_the_derivation_is_noticed(monkeypatch, name, error, facts):
    attribute, wrong = ERRORS[error]
    monkeypatch.setattr(derivation, attribute, wrong)
    assert not holding(gallery.get(name), facts)


@pytest.mark.parametrize(
    ("name", "which", "facts"),
    [
        ("n-trailer", 1, {"kinematics"}),
        ("roller-racer", 1, {"kinematics"}),
        ("two-wheel-robot", 1, {"wheels"}),
        ("two-wheel-robot", 3, {"caster"}),
        ("ball-on-turntable", 0, {"turns_its_velocity"}),
    ],
)
def test_a_wrong_constraint_is_noticed(name, which, facts):
    exhibit = gallery.get(name)
    residuals = list(exhibit.system.constraints)
    residuals[which] += se.Rational(1, 20) * se.Symbol("xdot")
    assert not holding(replace(exhibit, system=replace(exhibit.system, constraints=residuals)), facts)


def test_a_constraint_that_can_be_integrated_is_noticed_by_the_growth_vector():
    exhibit = gallery.get("unicycle")
    straight = replace(exhibit.system, constraints=["xdot - R*psidot", exhibit.system.constraints[1]])
    assert not holding(replace(exhibit, system=straight), {"growth"})


def test_figures_and_forces_of_the_parallel_points():
    for figure in (10, 17, 29):
        exhibit = gallery.get("parallel-points", figure=figure)
        assert exhibit.parameters["m2"] / exhibit.parameters["m1"] == {10: 1, 17: 1, 29: 3}[figure]
    assert gallery.get("parallel-points", figure=28).start["x2"] == 10.0  # the caption's P2 = (10, 0)
    assert set(gallery.get("parallel-points", force="incline").parameters) == {"m1", "m2", "g"}
    with pytest.raises(NonholoError, match="10 to 29"):
        gallery.get("parallel-points", figure=9)
    with pytest.raises(NonholoError, match="free, incline, spring"):
        gallery.get("parallel-points", force="wind")


def test_any_steering_law_may_be_given():
    exhibit = gallery.get("steered-point", f="x", g="-y")
    from nonholo.derive.laws.check import check

    assert not [str(f) for f in check(exhibit.system, exhibit.parameters) if f.verdict == "fails"]


def test_a_hollow_ball_circles_faster_than_a_solid_one():
    from nonholo_papers.facts.ball_on_turntable import circling

    solid, hollow = (gallery.get("ball-on-turntable", ball=b) for b in ("solid", "hollow"))
    assert circling(solid) / solid.parameters["Omega"] == pytest.approx(2 / 7)
    assert circling(hollow) / hollow.parameters["Omega"] == pytest.approx(2 / 5)
