"""A motion ends where another edge of a shape strikes the ground; smooth shapes go on, and so does a line of contact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many.ensemble import OUTCOMES

START = {"tilt": 0.5, "pitch": 0.3, "w1": 2.0, "w2": 1.0}
SHAPES: dict[str, dict[str, object]] = {
    "box": {"kind": "box", "x": 0.3, "y": 0.2, "z": 0.1},
    "cylinder": {"kind": "cylinder", "radius": 0.1, "length": 0.3, "axis": "x"},
    "capsule": {"kind": "capsule", "radius": 0.05, "length": 0.3, "axis": "y"},
}


def tumbling(shape: dict[str, object], **more: object) -> nh.System:
    body = nh.Body("thing", mass=1.0, shape=nh.Shape(**shape))  # type: ignore[arg-type]
    return nh.assemble(nh.Machine(bodies=[body], contacts=[nh.Contact("thing", kind="sliding")], start={**START, **more}))


@pytest.mark.parametrize("name", SHAPES)
def test_a_motion_ends_where_another_edge_strikes(name: str) -> None:
    """Energy is kept up to there, and there an axis of the body is parallel to the ground."""
    run = nh.simulate(tumbling(SHAPES[name]), until=5.0)
    assert run.outcome.kind == "another edge touches" and "a law of impact" in run.outcome.advice
    assert 0.01 < run.outcome.time < 5.0 and run.drift("energy") < 1e-7
    assert min(abs(run.final[f"R3{k}"]) for k in (1, 2, 3)) < 1e-8


@pytest.mark.slow
def test_members_of_an_ensemble_and_of_a_sweep_end_where_another_edge_strikes(tmp_path: Path) -> None:
    """At the times of the single motions; the sweep stores the way in which each member ended."""
    system, rates = tumbling(SHAPES["box"]), np.array([1.5, 2.0, 2.5])
    state = {n: e for n, e in nh.complete_state(system).items() if n in (*system.coordinates, "w2", "w3")}
    alone = [nh.simulate(system, {**state, "w1": w}, 5.0).outcome for w in rates]
    many = nh.ensemble(system, {**state, "w1": rates}, 5.0)
    assert list(many["outcome"].values) == [o.kind for o in alone] == ["another edge touches"] * 3
    assert np.max(np.abs(many["end_time"].values - [o.time for o in alone])) < 1e-9
    assert all("a law of impact" in str(words) for words in many["advice"].values)
    table = {"system": system, "until": 5.0, "grid": {"w1": rates.tolist()}, "record": {"final": ["z"]}}
    swept = nh.sweep(table, store=tmp_path / "edges.zarr")
    assert np.max(np.abs(swept["end_time"].values - [o.time for o in alone])) < 1e-9
    assert [OUTCOMES[k] for k in swept["outcome"].values] == [o.kind for o in alone]


def test_a_ball_goes_on() -> None:
    run = nh.simulate(tumbling({"kind": "ball", "radius": 0.1}), until=2.0)
    assert run.outcome.reached and run.drift("energy") < 1e-8


def test_a_roller_that_rolls_on_its_side_goes_on() -> None:
    body = nh.Body("roller", mass=1.0, shape=nh.Shape(kind="cylinder", radius=0.1, length=0.3, axis="y"))
    machine = nh.Machine(bodies=[body], contacts=[nh.Contact("roller")], start={"z": 0.1, "w2": 3.0})
    run = nh.simulate(nh.assemble(machine), until=2.0)
    assert run.outcome.reached and float(run.data["x"][-1]) == pytest.approx(0.6, abs=1e-9)
    assert np.max(np.abs(run.data["y"].values)) < 1e-12


def test_members_of_an_ensemble_end_where_another_edge_strikes() -> None:
    system = tumbling(SHAPES["capsule"])
    state = {n: e for n, e in nh.complete_state(system).items() if n in (*system.coordinates, *system.velocities)}
    many = nh.ensemble(system, {n: np.array([e, e]) for n, e in state.items()}, 5.0)
    outcome = nh.simulate(system, state, 5.0).outcome
    assert set(many["outcome"].values) == {outcome.kind} == {"another edge touches"}
    assert np.max(np.abs(many["end_time"].values - outcome.time)) < 1e-9
