"""A shape with edges says in the motion that its contact point jumps; smooth shapes and splined ground say nothing."""

from __future__ import annotations

import pytest

import nonholo as nh

BOX = {"kind": "box", "x": 0.3, "y": 0.2, "z": 0.1}
BALL = {"kind": "ball", "radius": 0.1}
START = {"tilt": 0.5, "w1": 2.0, "w2": 1.0}


@pytest.mark.parametrize(("shape", "hints"), [(BOX, 1), (BALL, 0)])
def test_a_shape_with_edges_is_told_in_the_hints(shape: dict[str, object], hints: int) -> None:
    body = nh.Body("thing", mass=1.0, shape=nh.Shape(**shape))  # type: ignore[arg-type]
    machine = nh.Machine(bodies=[body], contacts=[nh.Contact("thing", kind="sliding")], start=START)
    run = nh.simulate(nh.assemble(machine), until=2.0)
    told = [hint for hint in run.hints if "another edge touches" in hint]
    assert len(told) == hints
    assert (run.drift("energy") > 1e-3) == bool(hints)
