"""Systems with many velocities: the pair along the admissible directions is the pair of the whole metric, and it stays short."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from benchmarks.chains import driven_train, long_chain
from benchmarks.growth import operations
from nonholo.algebra.cache import forget
from nonholo.algebra.calculus import ZERO, gradient, node_count, symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix, solve_rows
from nonholo.derive import hamel as hamel_module
from nonholo.derive.laws.check import AGREEMENT
from nonholo.gallery.sleigh_chain import exhibit
from nonholo.model.system import System
from nonholo_papers.facts.sleigh_chain import by_kane
from tests import systems
from tests.counted import calls
from tests.derive.test_agreement import disagreement

EXPLICIT = [
    "falling_disk", "driven_sleigh", "suslov_matrix", "heavy_top", "magnetic_particle", "unbalanced_sleigh",
    "parallel_points_parametric",
]  # fmt: skip


@pytest.fixture(autouse=True)
def anew():
    yield
    forget()


@pytest.mark.parametrize("name", EXPLICIT)
def test_the_pair_along_directions_agrees_with_multipliers(name, monkeypatch):
    asked = []
    monkeypatch.setattr(hamel_module, "few_directions", lambda *sizes: not asked.append(sizes))
    assert disagreement(systems.ALL[name](), "hamel") < AGREEMENT
    assert asked


@pytest.mark.parametrize("part", ["velocity_drift", "force_covector", "_bracket_terms"])
def test_a_part_that_is_left_out_is_noticed(part, monkeypatch):
    name = {"velocity_drift": "falling_disk", "force_covector": "driven_sleigh", "_bracket_terms": "heavy_top"}[part]
    original = getattr(hamel_module, part)
    monkeypatch.setattr(hamel_module, "few_directions", lambda *sizes: True)
    monkeypatch.setattr(hamel_module, part, lambda *given: [ZERO] * len(original(*given)))
    assert disagreement(systems.ALL[name](), "hamel") > 1e-3


def test_a_long_chain_moves_as_kanes_method_says():
    found = by_kane(exhibit(14))
    assert found.verdict == "holds", str(found)


def test_a_train_of_carts_with_springs_driven_and_dragged():
    """Forces, time and an affine constraint among more velocities than `WIDE`: one cart is driven at the speed u."""
    count = 14
    names = [f"x{k}" for k in range(count)]
    stretch = " + ".join(f"(x{k + 1} - x{k})**2*(1 + {k}/7)" for k in range(count - 1))
    heavy = " + ".join(f"(1 + {k}/5)*x{k}dot**2*(2 + cos(x{k}))" for k in range(count))
    train = System(
        name="train",
        coordinates=names,
        parameters="k c",
        lagrangian=f"({heavy})/2 - k*({stretch})/2 + x0*sin(t)",
        constraints=[f"x{k + 1}dot - x{k}dot*(1 + x0/9)" for k in range(1, count - 1)] + ["x1dot - u"],
        forces={f"x{k}": f"-c*x{k}dot*({k} + 1)" for k in range(count)},
        inputs="u",
    )
    assert disagreement(train, "hamel") < AGREEMENT


def test_the_program_of_a_chain_grows_like_its_length():
    """Sums that many rows share are computed once: a blade more costs the same wherever the chain ends."""
    short, long = (operations(hamel_module.hamel(long_chain(n))) for n in (15, 30))
    assert long < 2.2 * short
    assert long < 9_500


@pytest.mark.parametrize("form, growth", [("multipliers", 3.6), ("voronetz", 4.0)])
def test_the_forms_of_a_driven_train_cost_no_more_than_its_mass_matrix(form, growth):
    """The matrix has N² entries: twice as many trailers may cost four times as much, where they cost eight times and more."""
    derive = getattr(nh, form)
    derive(driven_train(3))
    trains = [driven_train(n) for n in (10, 20)]
    short, long = (calls(lambda s=train: derive(s)) for train in trains)
    assert long < growth * short


def test_the_forms_of_a_driven_train_stay_short():
    """Derivatives along directions keep the sums of the Lagrangian: 6,998 and 5,642 parts by all partial derivatives."""
    train = driven_train(20)
    for form, most in ((nh.voronetz, 4_000), (nh.multipliers, 4_000)):
        found = form(train)
        assert node_count([*(e for row in found.mass for e in row), *found.force]) < most
    assert disagreement(driven_train(13), "voronetz") < AGREEMENT


def test_long_rows_are_solved_as_they_were_written():
    """Rows that share a sum, one with a value told by another row, against NumPy's solution."""
    count = 17
    v, x = symbols(f"v{k}" for k in range(count)), symbols(["x", "y"])
    sums = [sum((v[j] * (x[0] + j) / 90 for j in range(k)), ZERO) for k in range(count)]
    written = [(x[1] + k) * sums[k] - 3 * v[k] + (k == 1) * v[0] * x[0] for k in range(1, count)]
    rows = [gradient(e, v) for e in written] + [tuple(x[0] if j == 0 else ZERO for j in range(count))]
    sides = [[x[1] * k] for k in range(len(rows))]
    place = {"x": 0.83, "y": -0.41}
    free, solution = solve_rows(
        rows, sides, [place, {"x": 0.3, "y": 0.7}], lambda e: bool(e.is_Number), None, written, v
    )
    assert not free
    truth = np.linalg.solve(evaluate_matrix(rows, place), evaluate([s for (s,) in sides], place))
    found = evaluate_matrix(solution, place)[:, 0]
    assert np.allclose(found, truth, rtol=1e-10)


def test_what_cancels_only_when_written_out_is_solved_by_its_slopes():
    """``v0 (1 + v1) − v0 v1`` is linear, but its slope along a direction keeps v1: it is not taken as it was written."""
    count = 15
    v = symbols(f"v{k}" for k in range(count))
    written = [v[0] * (1 + v[1]) - v[0] * v[1] + sum(v[1:], ZERO)]
    rows = [gradient(written[0], v)]
    _, solution = solve_rows(rows, [[ZERO]], [{}, {}], lambda e: bool(e.is_Number), None, written, v)
    assert not {s for row in solution for e in row for s in e.free_symbols}
