"""Every machine of the gallery against Newton–Euler equations with multipliers in maximal coordinates, to 1e-11.

Accelerations of all bodies; and the forces of `run.contacts`, put on the bodies in the place of the contacts, give the same
accelerations. Where rows are redundant the forces are those of least norm.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.kinematics.closed_loops import rigid_inertias
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_files import loads
from nonholo.machines.starts.body_starts import parts_of
from nonholo.model.system import known_parameters, parameter_values
from tests.machines import newton_euler as ne
from tests.machines.machine_states import contact_pushes, matrices, random_state
from tests.machines.maximal_coordinates import Witness
from tests.machines.test_against_hand_written import CASES, hand_written, in_words

Array = Any
SPREAD = {"wheelset": 0.004, "bowl-car": 0.004, "ball-on-ball": 0.05, "drum-wheel": 0.2}
SPREAD |= dict.fromkeys(("bumpy-tricycle", "skateboard"), 0.05)
"""How far off their starts machines are compared, whose contacts open elsewhere; 0.3 for the others."""
SLOW = {
    "ball-on-ball", "skateboard", "bumpy-tricycle", "bowl-car", "balancing-ballbot", "segway", "ball on a paraboloid",
    "torus on bumps",
}  # fmt: skip
WITHIN = 1e-11


BODIES = {
    "disk": ('inertia = [0.02, 0.02, 0.03], shape = {kind = "disk", radius = 0.3, axis = "z"}', ""),
    "torus": ('inertia = [0.02, 0.03, 0.02], shape = {kind = "wheel", radius = 0.3, tube = 0.04}', ""),
    "Chaplygin sphere": ('inertia = [0.02, 0.03, 0.04], shape = {kind = "ball", radius = 0.3}', ""),
    "Routh sphere": ('inertia = [0.03, 0.03, 0.04], center = [0, 0, -0.06], shape = {kind = "ball", radius = 0.3}', ""),
    "ball on a paraboloid": ('shape = {kind = "ball", radius = 0.05}', 'height = "x**2 + y**2"'),
    "ball in a cone": ('shape = {kind = "ball", radius = 0.05}', "cone = 0.9, inside = true"),
    "ball on a sphere": ('shape = {kind = "ball", radius = 0.05}', "sphere = 0.45"),
    "ball in a sphere": ('shape = {kind = "ball", radius = 0.05}', "sphere = 0.55, inside = true"),
    "ball in a cylinder": ('shape = {kind = "ball", radius = 0.05}', "cylinder = 0.4, inside = true"),
    "disk on bumps": ('inertia = [0.02, 0.02, 0.03], shape = {kind = "disk", radius = 0.2}', 'height = "0.03*sin(3*x)*cos(2*y)"'),
    "torus on bumps": (
        'inertia = [0.02, 0.02, 0.03], shape = {kind = "wheel", radius = 0.2, tube = 0.04}', 'height = "0.03*sin(3*x)*cos(2*y)"',
    ),
}  # fmt: skip
START = {"ball in a sphere": "x = 0.2, z = -0.4", "ball on a sphere": "x = 0.2, z = 0.4"}


def witness_of(system: nh.System, state: dict[str, float], found: dict[str, float]) -> Witness:
    """The witness at a state, with the accelerations that the equations found."""
    machine = system.machine
    assert isinstance(machine, MachineData)
    series = {c: np.array([state[c], found[c], found.get(f"{c}dot", np.nan) / 2]) for c in system.coordinates}
    roots = [b.name for b in machine.bodies if b.name not in {j.child for j in machine.joints}]
    for entries in matrices(system):
        head = entries[0].removesuffix("11")
        tail = head.partition("_")[2]
        owner = next(
            (b.name for b in machine.bodies if b.name.replace(" ", "_") == tail),
            next((j.child for j in machine.joints if j.type == "ball"), roots[0]),
        )
        rates = [f"w{k}_{tail}" if tail else f"w{k}" for k in (1, 2, 3)]
        R = np.array([state[n] for n in entries]).reshape(3, 3)
        w, push = (ne.hat(np.array([where[n] for n in rates])) for where in (state, found))
        series[owner] = np.array([R, R @ w, R @ (w @ w + push) / 2])
    inputs = {n: state[n] for n in system.inputs}
    return Witness(machine, series, {"g": 9.81, **known_parameters(system), **inputs}).build()


def on_bodies(system: nh.System, witness: Witness, each: dict[str, Array]) -> Array:
    """Force and torque on each body from the forces of the contacts."""
    total, rigids = np.zeros((len(witness.bodies), 6)), witness.rigids()
    places = [(b.r, b.R) for b in rigids]
    for law in system.contacts:
        point, force = np.real(witness.finds[law.name](places, 0.0)[0]), each[law.name]
        for name, sign in ((witness.touching[law.name], 1.0), (law.on, -1.0)):
            k = witness.index(name)
            if k != ne.GROUND:
                total[k] += sign * np.concatenate([force, np.cross(point - rigids[k].r, force)])
    return total


def compare(system: nh.System, spread: float, seeds: tuple[int, ...] = (1, 2), moving: bool = False) -> None:
    """With ``moving`` the rates are those of motions, whose speeds are chosen at the start, not those of `nh.hamel`."""
    equations = None if moving else nh.hamel(system)
    for seed in seeds:
        state = random_state(system, np.random.default_rng(seed), spread)
        values = parameter_values(system, None)
        found = nh.prepare(system).rates(state) if equations is None else equations.rates(state, values)
        witness = witness_of(system, state, found)
        mine = np.array([one.acceleration() for one in witness.bodies.values()])
        size = max(9.81, np.max(np.abs(mine)))
        bodies, forces = witness.rigids(), witness.forces()
        theirs, _ = ne.accelerations(bodies, [*witness.joints, *witness.contacts.values()], forces)
        assert np.max(np.abs(mine - theirs)) < WITHIN * size
        each = contact_pushes(system, state)
        free, _ = ne.accelerations(bodies, witness.joints, forces + on_bodies(system, witness, each))
        weight = max(1.0, *(np.max(np.abs(e)) for e in each.values()))
        assert np.max(np.abs(mine - free)) < WITHIN * size
        assert hidden(witness, each) < WITHIN * weight


def hidden(witness: Witness, each: dict[str, Array]) -> float:
    """The part of the contacts' forces that moves nothing, since joints and other contacts balance it: none where least."""
    places = [(b.r + 0j, b.R + 0j) for b in witness.rigids()]
    size = 6 * len(places)

    def matrix(rows: list[ne.Row]) -> Array:
        full = np.zeros((len(rows), size))
        for k, (row, _) in enumerate(rows):
            for body, part in row.items():
                full[k, 6 * body : 6 * body + 6] += np.real(part)
        return full

    held = matrix([row for rule in witness.joints for row in rule(places, 0.0)])
    _, sizes, basis = np.linalg.svd(held) if len(held) else (0, np.zeros(0), np.eye(size))
    loose = basis[int(np.sum(sizes > 1e-9)) :]
    rows, forces = [], []
    for name, force in each.items():
        for (row, _), way in zip(witness.contacts[name](places, 0.0), witness.ways(name, places)):
            rows.append((row, 0.0))
            forces.append(way @ force)
    left, sizes, _ = np.linalg.svd(matrix(rows) @ loose.T)
    idle = left[:, int(np.sum(sizes > 1e-9)) :]
    return float(np.max(np.abs(idle.T @ np.array(forces)), initial=0.0))


def some_slow(names: Iterable[str]) -> list[Any]:
    return [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in names]


@pytest.mark.parametrize("name", some_slow(nh.gallery.machine_names()))
def test_a_machine_of_the_gallery_against_newton_and_euler(name: str) -> None:
    compare(nh.gallery.get(name).system, SPREAD.get(name, 0.3))


@pytest.mark.parametrize("name", some_slow(BODIES))
def test_a_rolling_body_against_newton_and_euler(name: str) -> None:
    body, ground = BODIES[name]
    start = START.get(name, "x = 0.3, z = 0.5" if ground else "tilt = 0.4")
    start = start if name not in ("disk on bumps", "torus on bumps") else "x = 0.1, z = 0.2"
    system = loads(
        f'name = "{name}"\nbodies = [{{name = "body", mass = 0.7, {body}}}]\ncontacts = [{{body = "body"}}]\n'
        f"ground = {{{ground}}}\nstart = {{{start}}}"
    )
    compare(system, 0.1)


@pytest.mark.parametrize("case", [n for n in CASES if n != "inverted pendulum on two wheels"])
def test_a_plane_machine_against_newton_and_euler(case: str) -> None:
    source, text, _ = CASES[case]
    compare(in_words(text, hand_written(source)[1]), 0.4)


WELDED = """
name = "crate on a pole"
bodies = [{name = "hull", mass = 3, center = [0.1, 0, 0.05], inertia = {xx = 0.2, yy = 0.3, zz = 0.25, xy = 0.02}},
  {name = "mast", mass = 0.5, center = [0, 0, 0.3], inertia = [0.02, 0.02, 0.001]},
  {name = "flag", mass = 0.2, inertia = [0.001, 0.003, 0.002]}, {name = "vane", mass = 0.4, inertia = [0.01, 0.02, 0.03]},
  {name = "pod", mass = 0.7, center = [0, 0.1, 0], inertia = [0.01, 0.03, 0.02], shape = {kind = "ball", radius = 0.2}}]
joints = [{type = "weld", parent = "hull", child = "mast", at = [0.2, 0.1, 0.1], turned = [{x = 0.3}, {z = 0.4}]},
  {type = "weld", parent = "mast", child = "flag", at = [0, 0, 0.6], in_child = [0.1, 0, 0], turned = [{y = 1.1}]},
  {name = "q", parent = "flag", child = "vane", at = [0, 0.2, 0], in_child = [0.1, 0, 0.1], axis = [1, 2, 0]},
  {type = "weld", parent = "hull", child = "pod", at = [0, 0, -0.3], turned = [{y = 0.2}]}]
contacts = [{body = "pod"}]
start = {tilt = 0.1}
"""


def test_welded_bodies_are_one_body() -> None:
    """Accelerations and forces as of separate bodies; the kinetic energy has one term for the hull with all that is on it."""
    system = loads(WELDED)
    compare(system, 0.2)
    parts = parts_of(system)
    assert parts is not None
    assert set(rigid_inertias(parts.machine, parts.placed, parts.inertias, parts.formulas)) == {"hull", "vane"}
    named = loads(WELDED.replace("mass = 0.2", 'mass = "m"') + "parameters = {m = 0.2}")
    own, other = nh.hamel(system), nh.hamel(named)
    state = random_state(system, np.random.default_rng(3), 0.2)
    one, two = own.rates(state, {"g": 9.81}), other.rates(state, {"g": 9.81, "m": 0.2})
    assert max(abs(one[n] - two[n]) for n in one) < WITHIN * max(map(abs, one.values()))
