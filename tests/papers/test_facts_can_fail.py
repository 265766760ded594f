"""A fact that cannot fail says nothing: change the system a little and watch each of them go red."""

from __future__ import annotations

from dataclasses import replace

import pytest
import symengine as se

from nonholo import gallery
from nonholo.errors import NonholoError
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.geometry.groups.lie_algebra import LieAlgebra
from nonholo.geometry.groups.matrix_groups import SE2
from nonholo.model.system import System

SIZES = {"tippe-top": 3e-7, "rattleback": 3e-5}
"""How much to add where the bodies are light; 0.03 elsewhere."""
OF_THE_CONSTRAINTS = {
    ("vertical-disk", "growth"),
    ("snakeboard", "kinematics"),
    ("heisenberg", "brackets"),
    ("heisenberg", "straight"),
    ("heisenberg", "area"),
    ("chaplygin-sleigh", "brackets"),
    ("euler-top", "volume"),
}
"""Facts about brackets or any metric, which more kinetic energy must leave true; they have their own changes below."""
MINE = (
    "euler-top",
    "suslov",
    "suslov-n",
    "chaplygin-sleigh",
    "balanced-sleigh",
    "sleigh-oscillator",
    "gauge-momentum",
    "rolling-disk",
    "vertical-disk",
    "rattleback",
    "snakeboard",
    "heisenberg",
    "tippe-top",
    "routh-sphere",
)


def heavier(system: System, size: float) -> System:
    """More kinetic energy, in a skew direction."""
    skew = sum((k + 1) * se.Symbol(v) for k, v in enumerate(system.velocities))
    return replace(system, lagrangian=system.lagrangian + se.RealDouble(size) * skew**2)


def changed(exhibit: Exhibit, change) -> Exhibit:
    return replace(exhibit, system=change(exhibit.system), variants={k: change(s) for k, s in exhibit.variants.items()})


def holds(fact: Fact, exhibit: Exhibit) -> bool:
    try:
        return bool(fact(exhibit))
    except (NonholoError, ValueError, IndexError):
        return False


@pytest.mark.parametrize("name", MINE)
def test_facts_fail_for_another_kinetic_energy(name):
    exhibit = gallery.get(name)
    other = changed(exhibit, lambda system: heavier(system, SIZES.get(name, 0.03)))
    assert not [f.claim for f in exhibit.facts if (name, f.test.__name__) not in OF_THE_CONSTRAINTS and holds(f, other)]


@pytest.mark.parametrize(
    ("name", "facts"),
    [("vertical-disk", {"growth"}), ("snakeboard", {"kinematics"}), ("heisenberg", {"brackets", "area"})],
)
def test_facts_fail_for_another_constraint(name, facts):
    exhibit = gallery.get(name)

    def skewed(system: System) -> System:
        first, *rest = system.constraints
        return replace(
            system, constraints=(first + se.Rational(1, 10) * se.Symbol(f"{system.coordinates[0]}dot"), *rest)
        )

    other = changed(exhibit, skewed)
    chosen = [f for f in exhibit.facts if f.test.__name__ in facts]
    assert len(chosen) == len(facts)
    assert not [f.claim for f in chosen if holds(f, other)]


def test_straight_lines_need_that_nothing_pulls():
    exhibit = gallery.get("heisenberg")
    pulled = replace(exhibit, system=replace(exhibit.system, lagrangian=exhibit.system.lagrangian - se.Symbol("x") / 5))
    (fact,) = (f for f in exhibit.facts if f.test.__name__ == "straight")
    assert not holds(fact, pulled)


def test_the_momentum_volume_of_a_group_that_is_not_unimodular_changes():
    exhibit = gallery.get("euler-top")
    algebra = LieAlgebra({("w1", "w2"): "w2", ("w1", "w3"): "w3"}, rates="w1 w2 w3")
    other = replace(exhibit, variants={"Lie algebra": replace(exhibit.variants["Lie algebra"], frame=algebra)})
    (fact,) = (f for f in exhibit.facts if f.test.__name__ == "volume")
    assert not holds(fact, other)


def test_brackets_of_another_frame_are_not_those_of_the_conserving_one():
    exhibit = gallery.get("chaplygin-sleigh")
    system = exhibit.variants["conserving frame"]
    other = replace(system, frame=SE2("theta x y", rates="xi1 xi2 xi3"))
    (fact,) = (f for f in exhibit.facts if f.test.__name__ == "brackets")
    assert not holds(fact, replace(exhibit, variants={"conserving frame": other}))


@pytest.mark.parametrize(
    ("name", "option", "value"), [("suslov-n", "n", 3), ("suslov-n", "n", 5), ("snakeboard", "gait", "rotate")]
)
def test_facts_hold_with_options(name, option, value):
    exhibit = gallery.get(name, **{option: value})
    assert not [str(f(exhibit)) for f in exhibit.facts if not f(exhibit)]


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.3, -0.5, 0.8)])
def test_suslov_moves_for_every_constraint_vector(axis):
    from nonholo.integrate.motion.simulate import simulate

    exhibit = gallery.get("suslov")
    values = {**exhibit.parameters, **dict(zip(("a1", "a2", "a3"), axis))}
    start = {"w1": 0.0 if axis[0] == 1 else 0.7, "w2": 0.4 if axis[1] == 0 else 0.0}
    run = simulate(exhibit.system, start, 5.0, values)
    assert run.outcome.kind == "reached"
    assert run.drift("energy") < 1e-8
    assert abs(sum(a * run.final[w] for a, w in zip(axis, ("w1", "w2", "w3")))) < 1e-12


def test_a_gait_that_does_not_exist_is_one_clear_error():
    with pytest.raises(NonholoError, match="drive, rotate, parallel"):
        gallery.get("snakeboard", gait="fly")
    with pytest.raises(NonholoError, match="whole number"):
        gallery.get("suslov-n", n=2)
