"""Symmetry, picture, meanings and units that the assembler declares."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import dumps, loads
from tests.machines.test_bicycle_in_bodies import BICYCLE
from tests.machines.test_machine_starts import COIN
from tests.machines.test_machine_summary import CART, PENDULUM


def generators(system: nh.System) -> set[str]:
    return set(system.symmetry.generators) if system.symmetry is not None else set()


def test_planar_motions_and_spins_are_declared_on_flat_ground() -> None:
    assert generators(loads(BICYCLE)) == {"shift_x", "shift_y", "turn", "turn_rear", "turn_front"}
    assert generators(loads(COIN)) == {"shift_x", "shift_y", "turn"}
    assert generators(loads(CART)) == {"shift_x", "shift_y", "turn", "turn_left", "turn_right", "turn_c1_spin"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (COIN.replace("[[contacts]]", '[ground]\nslope = "r"\n[[contacts]]'), {"shift_y"}),
        (CART.replace('world = "plane"', 'world = "plane"\ngravity = [0, -1.0]'), {"shift_x"}),
        (CART + '[forces]\nx = "-x"', {"shift_y"}),
        (PENDULUM, set()),
    ],
)
def test_what_breaks_a_symmetry_is_seen(text: str, kept: set[str]) -> None:
    assert {n for n in generators(loads(text)) if not n.startswith("turn_")} == kept


def test_names_have_meanings_and_units() -> None:
    coin = loads(COIN)
    assert coin.units["r"] == "m" and coin.units["m"] == "kg" and coin.units["w3"] == "rad/s"
    assert coin.page is not None and coin.page.meanings["r"] == "radius of coin"
    assert loads(BICYCLE).units["steerdot"] == "rad/s"


def test_shapes_are_drawn_where_the_bodies_are() -> None:
    system = loads(BICYCLE)
    drawing = system.drawing
    assert drawing is not None
    wheels = [body for body in drawing.bodies if body.shape == "disc"]
    assert [body.label for body in wheels] == ["rear wheel", "front wheel"]
    run = nh.simulate(system, {"rolling": 5}, 0.2)
    assert np.all(np.isfinite(run.data["x"]))
    assert loads(dumps(system)).drawing == drawing
