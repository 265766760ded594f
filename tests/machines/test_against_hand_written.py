"""Machines in bodies, joints and wheels: the accelerations and reactions of the same systems written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.machines.machine_files import loads
from nonholo.notation.read import expression
from tests.machines.machine_states import contact_pushes

PLAIN = Path(__file__).parents[1] / "plain"
WITHIN = 1e-11

CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "n-trailer": (
        "n-trailer",
        """
bodies = [{name = "car", mass = "M", inertia = "J", center = ["a", 0], free = "x y theta0"},
          {name = "one", mass = "m", inertia = "K"}, {name = "two", mass = "m", inertia = "K"}]
joints = [{name = "b1", parent = "car", child = "one", in_child = ["l", 0]},
          {name = "b2", parent = "one", child = "two", in_child = ["l", 0]}]
wheels = [{body = "car"}, {body = "one"}, {body = "two"}]
""",
        {"b1": "theta1 - theta0", "b2": "theta2 - theta1"},
    ),
    "snakeboard": (
        "snakeboard",
        """
bodies = [{name = "board", mass = "m", inertia = "J", free = "x y theta"}, {name = "rotor", mass = 0, inertia = "Jr"},
          {name = "front", mass = 0, inertia = "Jw"}, {name = "back", mass = 0, inertia = "Jw"}]
joints = [{name = "psi", parent = "board", child = "rotor"}, {name = "phi", parent = "board", child = "front", at = ["l", 0]},
          {name = "phib", parent = "board", child = "back", at = ["-l", 0]}]
gears = [{joints = ["phi", "phib"], ratio = -1}]
wheels = [{body = "front"}, {body = "back"}]
motors = [{joint = "psi", torque = "tau_psi"}, {joint = "phi", torque = "tau_phi"}]
""",
        {"phib": "-phi"},
    ),
    "roller racer": (
        "roller-racer",
        """
bodies = [{name = "seat", mass = "m", inertia = "I1", free = "x y theta"}, {name = "bar", mass = 0, inertia = "I2"}]
joints = [{name = "phi", parent = "seat", child = "bar", at = ["d1", 0]}]
wheels = [{body = "seat"}, {body = "bar", at = ["d2", 0]}]
motors = [{joint = "phi", torque = "tau"}]
""",
        {},
    ),
    "two-wheel robot": (
        "two-wheel-robot",
        """
bodies = [{name = "base", mass = "m", inertia = "J", center = ["a", 0], free = "x y theta"}]
wheels = [{body = "base", at = [0, "-b"], radius = "R", inertia = "I", name = "right", motor = "torque_r"},
          {body = "base", at = [0, "b"], radius = "R", inertia = "I", name = "left", motor = "torque_l"}]
casters = [{body = "base", at = ["c", 0], trail = "d", radius = "rc", inertia = ["Jc", "Ic"], name = "beta"}]
""",
        {"beta_spin": "chi"},
    ),
    "unicycle": (
        "unicycle",
        """
bodies = [{name = "rider", mass = "m", inertia = "J", free = "x y theta"}]
wheels = [{body = "rider", radius = "R", inertia = "I", name = "psi", motor = "drive"}]
loads = [{body = "rider", torque = "steer"}]
""",
        {},
    ),
    "sleigh": (
        "chaplygin-sleigh",
        'bodies = [{name = "sleigh", mass = "m", inertia = "J", center = ["a", 0]}]\nwheels = [{body = "sleigh"}]',
        {},
    ),
    "cart with a castor": (
        "castor-cart.toml",
        """
bodies = [{name = "cart", mass = "M", inertia = "J", center = ["c", 0], free = "xx yy h"}]
wheels = [{body = "cart", at = [0, "-b"], radius = "rho", inertia = "I", name = "p1"},
          {body = "cart", at = [0, "b"], radius = "rho", inertia = "I", name = "p2"}]
casters = [{body = "cart", at = ["l", 0], trail = "e", inertia = ["K", 0], mass = "mu", name = "castor"}]
""",
        {},
    ),
    "tricycle with trailers": (
        "tricycle-trailers.toml",
        """
bodies = [{name = "tricycle", mass = "m0", inertia = "J0", free = "x y th0"}, {name = "one", mass = "m1", inertia = "J1"},
          {name = "two", mass = "m2", inertia = "J2"}]
joints = [{name = "b1", parent = "tricycle", child = "one", at = ["-c", 0], in_child = ["l", 0]},
          {name = "b2", parent = "one", child = "two", at = ["-c", 0], in_child = ["l", 0]}]
wheels = [{body = "tricycle"}, {body = "tricycle", at = ["b", 0], steer = "de", inertia = "Js"}, {body = "one"}, {body = "two"}]
""",
        {"b1": "th1 - th0", "b2": "th2 - th1"},
    ),
    "car with a trailer": (
        "car-trailer.toml",
        """
bodies = [{name = "car", mass = "m0", inertia = "J0", free = "x y a"}, {name = "trailer", mass = "m1", inertia = "J1"}]
joints = [{name = "hitch", parent = "car", child = "trailer", in_child = ["d", 0]}]
wheels = [{body = "car"}, {body = "car", at = ["L", 0], steer = "s", inertia = "Js"}, {body = "trailer"}]
""",
        {"hitch": "b - a"},
    ),
    "trident snake": (
        "trident-snake.toml",
        """
bodies = [{name = "hub", mass = "m", inertia = "J", free = "x y th"}, {name = "leg 1", mass = 0, inertia = "j"},
          {name = "leg 2", mass = 0, inertia = "j"}, {name = "leg 3", mass = 0, inertia = "j"}]
joints = [{name = "f1", parent = "hub", child = "leg 1", at = ["a", 0]},
  {name = "f2", parent = "hub", child = "leg 2", at = ["a*cos(2*pi/3)", "a*sin(2*pi/3)"], turned = [{z = "2*pi/3"}]},
  {name = "f3", parent = "hub", child = "leg 3", at = ["a*cos(2*pi/3)", "-a*sin(2*pi/3)"], turned = [{z = "-2*pi/3"}]}]
wheels = [{body = "leg 1", at = ["l", 0]}, {body = "leg 2", at = ["l", 0]}, {body = "leg 3", at = ["l", 0]}]
springs = [{joint = "f1", stiffness = "k"}, {joint = "f2", stiffness = "k"}, {joint = "f3", stiffness = "k"}]
""",
        {},
    ),
    "twistcar": (
        "twistcar.toml",
        """
bodies = [{name = "car", mass = "m1", inertia = "J1", free = "x y th"},
          {name = "bar", mass = "m2", inertia = "J2", center = ["l2", 0]}]
joints = [{name = "ph", parent = "car", child = "bar", at = ["l1", 0]}]
wheels = [{body = "car"}, {body = "bar", at = ["l2", 0]}]
""",
        {},
    ),
    "inverted pendulum on two wheels": (
        "segway.toml",
        """
world = "space"
bodies = [{name = "body", mass = "M", inertia = ["Jz", "Jy", "Jx"], center = [0, 0, "h"], free = "x y z th roll alpha"},
          {name = "right", mass = "mw", inertia = [0, "Jw", 0], shape = {kind = "disk", radius = "r"}},
          {name = "left", mass = "mw", inertia = [0, "Jw", 0], shape = {kind = "disk", radius = "r"}}]
joints = [{name = "qr", parent = "body", child = "right", at = [0, "-b", 0], axis = "y"},
          {name = "ql", parent = "body", child = "left", at = [0, "b", 0], axis = "y"}]
contacts = [{body = "right"}, {body = "left"}]
motors = [{joint = "qr", torque = "u1"}, {joint = "ql", torque = "u2"}]
lagrangian = "-mw*b**2*thdot**2"
""",
        {"qr": "pr - alpha", "ql": "pl - alpha", "z": "r", "roll": "0*x"},
    ),
}  # fmt: skip


def hand_written(name: str) -> tuple[nh.System, dict[str, float]]:
    if name.endswith(".toml"):
        system = nh.load(PLAIN / name)
        return system, dict(system.parameters)
    exhibit = nh.gallery.get(name)
    return exhibit.system, dict(exhibit.parameters)


def generic_state(system: nh.System, values: Mapping[str, float], seed: int) -> dict[str, float]:
    random = np.random.default_rng(seed)
    start = dict(zip(system.coordinates, random.uniform(-0.6, 0.6, len(system.coordinates)).tolist()))
    speeds = nh.hamel(system).speeds
    start |= dict(zip(map(str, speeds), random.uniform(-1, 1, len(speeds)).tolist()))
    return nh.complete_state(system, start, values)


def related(relations: Mapping[str, str], names: tuple[str, ...], values: Mapping[str, float]) -> dict[str, float]:
    """Coordinates of the machine by linear relations, which hold for rates and accelerations too."""
    texts = [expression(relations.get(name, name), list(values), "relation") for name in names]
    return dict(zip(names, evaluate(texts, values).tolist()))


@pytest.mark.parametrize("case", CASES)
def test_accelerations_and_reactions_are_those_of_the_hand_written_system(case: str) -> None:
    """The reactions on all coordinates of the hand-written system are those of the machine, carried over as covectors.

    The force on (x, y), which shift the whole machine, is also the sum of the forces of `run.contacts`.
    """
    source, text, relations = CASES[case]
    hand, values = hand_written(source)
    inputs = {name: 0.3 + 0.2 * k for k, name in enumerate(hand.inputs)}
    machine = in_words(text, values)
    for seed in (1, 2):
        state = generic_state(hand, values, seed)
        there = nh.hamel(hand).rates({**state, **inputs}, values)
        still = dict.fromkeys(values, 0.0)
        place = related(relations, machine.coordinates, {**values, **{c: state[c] for c in hand.coordinates}})
        rates = related(relations, machine.coordinates, {**still, **{c: there[c] for c in hand.coordinates}})
        wanted = related(relations, machine.coordinates, {**still, **{c: there[f"{c}dot"] for c in hand.coordinates}})
        given = {**place, **{f"{c}dot": e for c, e in rates.items()}, **inputs, "t": 0.0}
        here = nh.hamel(machine).rates(given, values)
        size = max(1.0, *(abs(e) for e in wanted.values()))
        for name in machine.coordinates:
            assert here[name] == pytest.approx(rates[name], abs=WITHIN)
            assert here[f"{name}dot"] == pytest.approx(wanted[name], abs=WITHIN * size), name
        pushes = sum(contact_pushes(machine, given).values())
        held = nh.reactions(hand).at(state, values, inputs=inputs)
        size = max(1.0, *(abs(held[c]) for c in machine.coordinates[:2]))
        for found, c in zip(pushes, machine.coordinates[:2]):  # type: ignore[call-overload]
            assert found == pytest.approx(held[c], abs=WITHIN * size), c
        mine = nh.reactions(machine).at(given, values, inputs=inputs)
        size = max(1.0, *(abs(held[c]) for c in hand.coordinates))
        for c in hand.coordinates:
            along = {**still, **dict.fromkeys(hand.coordinates, 0.0), c: 1.0}
            carried = sum(part * mine[n] for n, part in related(relations, machine.coordinates, along).items())
            assert carried == pytest.approx(held[c], abs=WITHIN * size), c


@pytest.mark.parametrize("case", ["n-trailer", "roller racer", "twistcar", "tricycle with trailers"])
def test_sideways_forces_are_the_multipliers_of_the_hand_written_constraints(case: str) -> None:
    """The same rows in the same order: no blade slides to its left."""
    source, text, relations = CASES[case]
    hand, values = hand_written(source)
    inputs = dict.fromkeys(hand.inputs, 0.4)
    machine = in_words(text, values)
    state = generic_state(hand, values, 3)
    there = nh.multipliers(hand).rates({**state, **inputs}, values)
    place = related(relations, machine.coordinates, {**values, **{c: state[c] for c in hand.coordinates}})
    speeds = {c: there[c] for c in hand.coordinates}
    rates = related(relations, machine.coordinates, {**dict.fromkeys(values, 0.0), **speeds})
    here = nh.multipliers(machine).rates({**place, **{f"{c}dot": e for c, e in rates.items()}, **inputs}, values)
    for k in range(len(hand.constraints)):
        assert here[f"lambda{k + 1}"] == pytest.approx(there[f"lambda{k + 1}"], rel=WITHIN, abs=WITHIN)


def in_words(text: str, values: Mapping[str, float]) -> nh.System:
    world = "" if "world =" in text else 'world = "plane"\n'
    numbers = "\n".join(f"{n} = {e!r}" for n, e in values.items())
    return loads(f'name = "machine"\n{world}{text}\n[parameters]\n{numbers}')
