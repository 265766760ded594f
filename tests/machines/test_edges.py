"""A motion ends where another edge of a shape strikes the ground; smooth shapes go on, and so does a line of contact."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh

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


def test_a_ball_goes_on() -> None:
    run = nh.simulate(tumbling({"kind": "ball", "radius": 0.1}), until=2.0)
    assert run.outcome.reached and run.drift("energy") < 1e-8


def test_a_roller_that_rolls_on_its_side_goes_on() -> None:
    body = nh.Body("roller", mass=1.0, shape=nh.Shape(kind="cylinder", radius=0.1, length=0.3, axis="y"))
    machine = nh.Machine(bodies=[body], contacts=[nh.Contact("roller")], start={"z": 0.1, "w2": 3.0})
    run = nh.simulate(nh.assemble(machine), until=2.0)
    assert run.outcome.reached and float(run.data["x"][-1]) == pytest.approx(0.6, abs=1e-9)
    assert np.max(np.abs(run.data["y"].values)) < 1e-12
