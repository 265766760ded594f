"""Three hundred systems with known answers: no claim about them is false, and none of them ends in a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from tests.engine.algebras import random_algebra
from tests.engine.bodies import BODIES, SEQUENCES, body
from tests.engine.changes import CHANGES
from tests.engine.dynamics import Dynamics
from tests.engine.known import MAKERS, systems
from tests.engine.record import Known, known
from tests.engine.trial import QUICK, built, make, tried, written

SEED, CASES, PARTS = 2026, 300, 10


def cases() -> list[tuple[int, dict[str, object]]]:
    return [(k, make(Random(f"systems {SEED} {k}"), QUICK)) for k in range(CASES)]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_answers_are_the_same_in_every_writing(part: int) -> None:
    wrong = [f"case {k}, {case}: {w}" for k, case in cases() if k % PARTS == part for w in tried(case).wrong]
    assert wrong == []


def test_a_density_for_given_values_names_the_speeds_that_are_chosen_for_them() -> None:
    """A table that turns under a swirl, whose speeds are others once c is a number: the density was tried in the wrong ones."""
    changes = [["mix", 583382], ["constraints combined", 159425], ["frame in motion", 214534]]
    case = {"bases": ["spherical pendulum", "swirl"], "changes": changes, "questions": ["measure"]}
    found = nh.measure(built(case).system())
    assert found and found.proved and found.data.speeds == ("thdot", "phdot", "xdot", "ydot")
    assert tried(case).wrong == []


@pytest.mark.parametrize("name", ["bead on a ring", "Atwood's machine", "trough"])
def test_symmetries_keep_the_holonomic_constraints(name: str) -> None:
    assert tried({"bases": [name], "changes": [], "questions": ["symmetry"]}).wrong == []


def test_measures_on_random_lie_algebras() -> None:
    assert [w for k in range(40) for w in tried({"algebra": k}).wrong] == []


def test_a_driven_damped_spring_preserves_no_measure() -> None:
    assert tried({"bases": ["driven spring"], "changes": [], "questions": ["measure"]}).wrong == []


def test_a_gauge_term_with_time_hides_no_symmetry() -> None:
    changes = [["bent axis", 391607], ["gauge term with time", 354759]]
    assert tried({"bases": ["geodesic"], "changes": changes, "questions": ["verdict"]}).wrong == []


@pytest.mark.parametrize(
    "case",
    [
        {"bases": ["Atwood's machine"], "changes": [["frame in motion", 929501]], "questions": ["integrals"]},
        {"bases": ["skate on a slope"], "changes": [["frame in motion", 331115]], "questions": ["integrals"]},
    ],
    ids=["a holonomic constraint that moves", "a frame that turns"],
)
def test_what_was_found_stays_right(case: dict[str, object]) -> None:
    """Both ended in a traceback."""
    assert tried(case).wrong == []


def test_a_verdict_without_random_points_is_open() -> None:
    """It ended in a traceback: roots of the embedding are real at too few points."""
    changes = [["embedded", 617264], ["bent axis", 913760], ["forces for potential", 679652]]
    one = built({"bases": ["bead on a ring"], "changes": changes})
    assert not nh.verdict(one.system())


def test_recipes_are_the_same_for_the_same_seed_and_cover_every_change() -> None:
    made = cases()
    assert made == cases()
    used = {str(name) for _, case in made for name, _ in case.get("changes", ())}  # type: ignore[attr-defined]
    assert used == set(CHANGES)
    for _, case in made[:40]:
        if "algebra" not in case:
            assert str(built(case)) == str(built(case))


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_known_of_a_system_is_true(name: str) -> None:
    """The engine's integrals and symmetries against its own accelerations; nonholo is not asked."""
    one = MAKERS[name]()
    dynamics = Dynamics(one)
    states = dynamics.states(5, 3)
    assert all(dynamics.drift_of(e, states) < 1e-8 for e in one.integrals)
    assert all(dynamics.departure(f, states) < 1e-6 for f in one.symmetries)
    assert dynamics.rank(list(one.integrals), states[0]) == len(one.integrals)


@pytest.mark.parametrize("chart", [*SEQUENCES, "quaternion"])
def test_what_is_known_of_bodies_is_true_in_every_chart(chart: str) -> None:
    for name in BODIES:
        one = body(name, chart)
        dynamics = Dynamics(one)
        states = dynamics.states(2, 3)
        assert all(dynamics.drift_of(e, states) < 1e-8 for e in one.integrals), name
        assert all(dynamics.departure(f, states) < 1e-6 for f in one.symmetries), name


def test_the_engine_sees_a_false_symmetry_a_false_integral_and_a_false_density() -> None:
    """The judge is judged: what is nearly true is told from what is true."""
    spring = known("spring", "x y", "(xdot**2 + ydot**2)/2 - x**2/2 - y**2/2*1.001", measure="holds")
    dynamics = Dynamics(spring)
    states = dynamics.states(4, 1)
    assert dynamics.drift_of(se.sympify("x*ydot - y*xdot"), states) > 1e-6
    assert dynamics.departure((-se.Symbol("y"), se.Symbol("x")), states) > 1e-4
    ring = next(one for one in systems() if one.name == "bead on a ring")
    dynamics = Dynamics(ring)
    assert dynamics.departure((se.Integer(0), se.Integer(1), se.Integer(0)), dynamics.states(2, 1)) > 0.1
    from tests.engine.trial import _unbalanced

    blade = MAKERS["Heisenberg particle"]()
    dynamics = Dynamics(blade)
    states, y = dynamics.states(2, 1), se.Symbol("y")
    assert _unbalanced(blade.system(), dynamics, se.sqrt(1 + y**2), states) < 1e-6
    assert _unbalanced(blade.system(), dynamics, 1 + y**2, states) > 1e-4


def test_random_algebras_satisfy_jacobi_and_unimodular_ones_keep_a_measure() -> None:
    kept = []
    for k in range(30):
        one = random_algebra(Random(k))
        c = one.constants
        total = np.einsum("mij,lmk->lijk", c, c)
        assert not np.any(total + np.transpose(total, (0, 2, 3, 1)) + np.transpose(total, (0, 3, 1, 2)))
        unimodular = not np.any(np.einsum("kik->i", c))
        if not len(one.rows):
            assert one.kept == unimodular
            kept.append(one.kept)
    assert True in kept and False in kept


def test_a_failure_is_kept_as_a_system_that_can_be_loaded(tmp_path: Path) -> None:
    case = {"bases": ["sleigh"], "changes": [["polar", 3], ["rename", 4]], "questions": ["measure"]}
    path = written(case, 7, 12, "measure: called holds\nwhere it fails", tmp_path / "kept")
    system = nh.load(path)
    assert (path.name, system.coordinates) == ("systems-7-12.toml", built(case).coordinates)
    assert json.dumps(case) in path.read_text()
    assert nh.load(written({"algebra": 3}, 7, 13, "", tmp_path)).frame.size == len(random_algebra(Random(3)).metric)


def test_a_change_keeps_what_is_known() -> None:
    """Every change of every system it can be made of: fields and integrals are carried along correctly."""
    chance = Random(4)
    for name in sorted(CHANGES):
        for base in chance.sample(sorted(MAKERS), 4):
            one: Known | None = CHANGES[name].make(MAKERS[base](), Random(5))
            if one is None:
                continue
            dynamics = Dynamics(one)
            states = dynamics.states(2, 3)
            assert all(dynamics.drift_of(e, states) < 1e-7 for e in one.integrals), (name, base)
            assert all(dynamics.departure(f, states) < 1e-5 for f in one.symmetries), (name, base)
