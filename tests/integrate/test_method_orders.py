"""Every method on systems nobody prepared: the order it claims, constraints at the nodes, bad input in words."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.analyse.integrators.integrator_properties import TABLE
from nonholo.integrate.methods import registered_methods
from tests.integrate.method_systems import TEXTS, system

STEADY = [name for name in TABLE if not registered_methods()[name.split()[0]].adaptive]
IMPLICIT = [name for name, kind in registered_methods().items() if kind.principle]
QUICK = {("trailer", "hamel"), ("trailer", "rattle"), ("rod", "energy_exact"), ("turntable", "energy_exact"), ("wheel", "gni")}
PARTS = {"waves": 160}
"""On the waves the heading passes the place where speeds are chosen anew, and errors near it fall faster at long steps."""
RELATIONS = {"rod"}
EVERY = [
    pytest.param(n, m, marks=[] if (n, m) in QUICK else pytest.mark.slow)
    for n in TEXTS
    for m in STEADY
    if not (n in RELATIONS and m in ("gni", "leapfrog"))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("methods")


@lru_cache(maxsize=12)
def exact(name: str, folder: Path) -> Any:
    """By the form with multipliers, which shares nothing with frames and schemes."""
    words = {"rtol": 1e-13, "atol": 1e-14, "t_eval": "end", "progress": False}
    return nh.simulate(system(name, folder), until=1.0, form="multipliers", **words).final


@pytest.mark.parametrize(("name", "by"), EVERY)
def test_a_method_has_its_order_and_keeps_the_constraints(name: str, by: str, folder: Path) -> None:
    options, order, _ = TABLE[by]
    one, parts, errors = system(name, folder), PARTS.get(name, 40), []
    for count in (parts, 2 * parts):
        run = nh.simulate(
            one, until=1.0, method=by.split()[0], step=1 / count, t_eval="steps", progress=False, **options
        )
        assert run.outcome.reached
        errors.append(max(abs(run.final[n] - exact(name, folder)[n]) for n in one.coordinates))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)
    held = [np.max(np.abs(run[n])) for n in map(str, run.data) if n.startswith(("constraint", "holonomic", "rate of"))]
    assert len(held) >= 1 and max(held) < 1e-12
    if by in ("energy_exact", "energy_exact4") and name != "turntable":
        assert run.drift("energy") < 1e-13


@pytest.mark.parametrize(("limit", "value"), [("UNROLLED", 0), ("LONGEST", 330)])
def test_straight_line_code_and_pivoting_solve_the_same_steps(limit: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's equations with and without straight-line code for them: the same motion; names differ, so nothing is kept."""
    ends = []
    for name in ("straight", limit.lower()):
        if name != "straight":
            monkeypatch.setattr("nonholo.compile.implicit_step." + limit, value)
        one = nh.System(
            name, coordinates="x y theta", parameters={f"J_{name}": 0.3},
            lagrangian=f"(xdot**2 + ydot**2)/2 + J_{name}/2*thetadot**2 - x**4 - cos(y)",
            constraints=["ydot*cos(theta) - xdot*sin(theta)"],
            start={"x": 0.3, "y": 0.1, "theta": 0.5, "xdot": 0.7, "thetadot": 0.9},
        )  # fmt: skip
        run = nh.simulate(one, until=1.0, method="gauss4", step=0.05, t_eval="end", progress=False)
        ends.append([run.final[n] for n in ("x", "y", "theta")])
    assert ends[1] == pytest.approx(ends[0], abs=1e-13)


@pytest.mark.parametrize("by", ["gni", "leapfrog"])
def test_relations_of_the_coordinates_are_refused_by_those_that_cannot(by: str, folder: Path) -> None:
    with pytest.raises(nh.ModelError, match='relations of the coordinates; choose method="rattle"'):
        nh.simulate(system("rod", folder), until=1.0, method=by, step=0.01, progress=False)


@pytest.mark.parametrize("by", [n for n, kind in registered_methods().items() if not kind.adaptive])
def test_steps_that_are_none_are_refused_in_words(by: str, folder: Path) -> None:
    for step in (0, -0.1, float("nan"), float("inf"), "a", None, True):
        with pytest.raises(nh.StateError, match=f"method {by}: step = .* > 0 is needed"):
            nh.simulate(system("trailer", folder), until=1.0, method=by, step=step, progress=False)
    with pytest.raises(nh.StateError, match=f"method {by} needs a step"):
        nh.simulate(system("trailer", folder), until=1.0, method=by, progress=False)


@pytest.mark.parametrize(("by", "option"), [("hamel", "tau"), ("dlagrange_dalembert", "tau"), ("newmark", "gamma")])
def test_places_beyond_the_step_are_refused_in_words(by: str, option: str, folder: Path) -> None:
    for value in (-0.1, 1.1, float("nan"), "middle", None, True):
        with pytest.raises(nh.StateError, match=f"method {by}: {option} = .* from 0 to 1 is needed; 0.5 is best"):
            nh.simulate(system("trailer", folder), until=1.0, method=by, step=0.01, progress=False, **{option: value})


@pytest.mark.parametrize("by", [pytest.param(n, marks=[] if n == "hamel" else pytest.mark.slow) for n in IMPLICIT])
def test_a_step_that_cannot_be_solved_says_which_and_what_to_do(by: str) -> None:
    """A force that is no number beyond x = 1: the step there has no solution; what came before is returned."""
    wall = nh.System(
        "towards the wall", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - sqrt(1 - x)", constraints=["ydot - x*xdot"],
        start={"x": 0.2, "xdot": 0.5},
    )  # fmt: skip
    run = nh.simulate(wall, until=5.0, method=by, step=0.05, t_eval="steps", progress=False)
    count = len(run["t"])
    if by == "gni":  # it looks at the middle of a step alone, solves it, and arrives where there are no forces
        assert run.outcome.kind == "not finite" and "no finite number" in run.outcome.advice
    else:
        assert run.outcome.kind == "step not solved"
        assert f"Step {count} leaves its equations with a residual of" in run.outcome.advice
        assert "smaller step" in run.outcome.advice
    assert run.outcome.time == pytest.approx(0.05 * (count - 1)) and 0.5 < run["x"][-1] < 1.1
    assert np.all(np.isfinite(run["x"])) and run.final["x"] == run["x"][-1]
