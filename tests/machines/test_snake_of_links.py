"""Long chains in the plane: the same accelerations as a chain written by hand, and a program that grows with the links."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import nonholo as nh
from benchmarks.chains import long_chain
from benchmarks.growth import operations

VALUES = {"m": 1.1, "J": 0.2, "l": 0.6, "b": 0.35, "c": 0.25}


def snake(links: int) -> nh.System:
    names = [f"link {k}" for k in range(1, links + 1)]
    hinges = enumerate(pairwise(names), 1)
    return nh.assemble(
        nh.Machine(
            world="plane",
            bodies=[nh.Body(name, mass="m", inertia="J", center=["-c", 0]) for name in names],
            joints=[nh.Joint(name=f"b{k}", parent=a, child=b, at=["-l", 0]) for k, (a, b) in hinges],
            wheels=[nh.Wheel(name, at=["-b", 0]) for name in names],
            parameters=VALUES,
        )
    )


@pytest.mark.parametrize("links", [4, 15])
def test_accelerations_are_those_of_the_chain_by_hand(links: int) -> None:
    """Fifteen links are derived in the angular velocities of the links, four in the rates of the joints."""
    hand, machine = long_chain(links), snake(links)
    assert any(v.startswith("omega_") for v in machine.velocities) == (links > 12)
    angles = [f"theta{k}" for k in range(1, links + 1)]
    bend = np.random.default_rng(links).uniform(-0.5, 0.5, links)
    place = dict(zip(angles, bend.tolist()))
    state = nh.complete_state(hand, {**place, "x": 0.2, "v": 0.8, "omega": -0.4}, VALUES)
    there = nh.hamel(hand).rates(state, VALUES)
    joints = [f"b{k}" for k in range(1, links)]
    start = {"x": 0.2, "theta": bend[0], **dict(zip(joints, np.diff(bend).tolist())), "forward": 0.8, "thetadot": -0.4}
    here = nh.complete_state(machine, start)
    found = nh.hamel(machine).rates(here, VALUES)
    assert here["b1dot"] == pytest.approx(state["theta2dot"] - state["theta1dot"], rel=1e-11)
    pairs = {"x": there["xdot"], "y": there["ydot"], "theta": there["theta1dot"]}
    pairs |= {n: there[f"{b}dot"] - there[f"{a}dot"] for n, a, b in zip(joints, angles, angles[1:])}
    size = max(map(abs, pairs.values()))
    for name, wanted in pairs.items():
        assert found[f"{name}dot"] == pytest.approx(wanted, abs=1e-11 * size), name


def test_operations_grow_with_the_number_of_links() -> None:
    few, many = (operations(nh.hamel(snake(n))) for n in (20, 40))
    assert many < 2.2 * few
