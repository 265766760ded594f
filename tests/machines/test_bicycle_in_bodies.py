"""The Whipple bicycle in four bodies: benchmark speeds, and the accelerations of the bicycle written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import dumps, loads

BICYCLE = """
name = "bicycle"
bodies = [
  {name = "frame", mass = 85, center = [0.3, 0, 0.9], inertia = {xx=9.2, yy=11, zz=2.8, xz=-2.4}, free = "x y z yaw roll pitch"},
  {name = "fork", mass = 4, center = [-0.2, 0, 0.7], inertia = {xx = 0.05892, yy = 0.06, zz = 0.00708, xz = 0.00756}},
  {name = "rear wheel", mass = 2, inertia = [0.0603, 0.12, 0.0603], shape = {kind = "disk", radius = 0.3}},
  {name = "front wheel", mass = 3, inertia = [0.1405, 0.28, 0.1405], shape = {kind = "disk", radius = 0.35}},
]
joints = [
  {name = "steer", parent = "frame", child = "fork", at = [1.1, 0, 0], axis = ["-sin(lam)", 0, "cos(lam)"]},
  {name = "rear", parent = "frame", child = "rear wheel", at = [0, 0, 0.3], axis = "y"},
  {name = "front", parent = "fork", child = "front wheel", at = [-0.08, 0, 0.35], axis = "y"},
]
contacts = [{body = "rear wheel"}, {body = "front wheel"}]
[parameters]
lam = "pi/10"
"""
WEAVE, CAPSIZE = 4.292382536341, 6.024262015388
"""Speeds of the benchmark, in m/s. [Meijaard, Papadopoulos, Ruina and Schwab 2007, table 2]"""


def eigenvalues(system: nh.System, speed: float) -> np.ndarray:
    steady = nh.complete_state(system, {"xdot": speed})
    return np.asarray(np.linalg.eigvals(nh.linearise(system, steady).A))


def test_weave_and_capsize_speeds_are_those_of_the_benchmark() -> None:
    system = loads(BICYCLE)
    weave = eigenvalues(system, WEAVE)
    assert min(abs(e.real) for e in weave if abs(e.imag) > 3) < 1e-9
    # capsize: a real eigenvalue passes zero; the others that vanish belong to symmetry and speed
    small = [np.sort(np.abs(eigenvalues(system, v))) for v in (CAPSIZE, CAPSIZE + 0.1)]
    assert sum(e < 1e-5 for e in small[0]) == sum(e < 1e-5 for e in small[1]) + 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_accelerations_are_those_of_the_bicycle_by_hand(seed: int) -> None:
    """The gallery's lean is the roll, its steer is to the right, its rear wheel turns against the ground."""
    random = np.random.default_rng(seed)
    hand, machine = nh.gallery.get("whipple-bicycle"), loads(BICYCLE)
    lean, steer, yaw, leaning, steering, v = random.uniform(-0.4, 0.4, 6).tolist()
    state = nh.complete_state(
        hand.system,
        {"phi": lean, "delta": steer, "psi": yaw, "theta": "~0", "leaning": leaning, "steering": steering, "v": 3 + v},
        hand.parameters,
    )
    there = nh.hamel(hand.system, at=state).rates(state, hand.parameters)
    place = {"roll": lean, "steer": -steer, "yaw": yaw, "pitch": "~0", "z": "~0"}
    rates = {"rolldot": leaning, "steerdot": -steering, "yawdot": there["psi"]}
    here = nh.complete_state(machine, {**place, **rates})
    assert here["pitch"] == pytest.approx(state["theta"], abs=1e-12)
    found = nh.hamel(machine, at=here).rates(here, {**machine.values, "g": 9.81})
    pairs = {"roll": "phi", "yaw": "psi", "pitch": "theta", "front": "wf"}
    for own, other in pairs.items():
        assert here[f"{own}dot"] == pytest.approx(there[other], rel=1e-11, abs=1e-11), own
        assert found[f"{own}dot"] == pytest.approx(there[f"{other}dot"], rel=1e-9, abs=1e-10), own
    assert found["steerdot"] == pytest.approx(-there["deltadot"], rel=1e-9, abs=1e-10)


def test_the_file_reads_back() -> None:
    system = loads(BICYCLE)
    assert loads(dumps(system)) == system
    assert "[[bodies]]" in dumps(system)
    assert len(BICYCLE.strip().splitlines()) < 30


def test_it_carries_its_weight() -> None:
    """The normal forces of a bicycle at rest upright, by moments about the contact points."""
    run = nh.simulate(loads(BICYCLE), {"xdot": 5.0}, 0.1)
    masses = {0.3: 85.0, 0.9: 4.0, 0.0: 2.0, 1.02: 3.0}
    weight, front = 9.81 * sum(masses.values()), 9.81 * sum(x * m for x, m in masses.items()) / 1.02
    normal = run.contacts.normal.isel(t=0)
    assert float(normal.sel(contact="front wheel")) == pytest.approx(front, rel=1e-11)
    assert float(normal.sel(contact="rear wheel")) == pytest.approx(weight - front, rel=1e-11)


def test_all_derivations_agree_at_random_states_away_from_lying_flat() -> None:
    findings = nh.check(loads(BICYCLE))
    assert {finding.verdict for finding in findings} == {"holds", "unknown"}
    assert sum(finding.verdict == "holds" for finding in findings) >= 8
