"""The Whipple bicycle in four bodies: benchmark speeds, and the accelerations of the bicycle written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import nonholo as nh
from nonholo.machines.machine_files import dumps, loads
from tests.machines import newton_euler as ne
from tests.machines.machine_states import contact_pushes

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
WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837
"""Speeds of the benchmark, in m/s. [Meijaard, Papadopoulos, Ruina and Schwab 2007, table 2]"""
EIGENVALUES = {
    0.0: (3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393),
    5.0: (-0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j, -14.07838969279822, -0.32286642900409),
}
"""The same table, at 0 and 5 m/s."""
WITHIN = 1e-11


@pytest.fixture(scope="module")
def bicycle() -> nh.System:
    return loads(BICYCLE)


def eigenvalues(system: nh.System, speed: float) -> np.ndarray:
    steady = nh.complete_state(system, {"xdot": speed})
    return np.asarray(nh.linearise(system, steady, leave_out="all").eigenvalues)


def test_eigenvalues_are_those_of_the_benchmark(bicycle: nh.System) -> None:
    for speed, wanted in EIGENVALUES.items():
        found = eigenvalues(bicycle, speed)
        assert max(min(abs(e - one) for e in found) for one in wanted) < 1e-9


def test_weave_and_capsize_speeds_are_found_where_the_benchmark_has_them(bicycle: nh.System) -> None:
    """Located: where the weave pair crosses the imaginary axis, and where a real eigenvalue beside the one of speed vanishes."""

    def weave(speed: float) -> float:
        return float(next(e.real for e in eigenvalues(bicycle, speed) if e.imag > 1))

    def capsize(speed: float) -> float:
        real = sorted((e.real for e in eigenvalues(bicycle, speed) if abs(e.imag) < 1e-9), key=abs)
        return float(real[1])

    assert abs(brentq(weave, 4.0, 4.6, xtol=1e-13) - WEAVE) < 1e-9
    assert abs(brentq(capsize, 5.5, 6.5, xtol=1e-13) - CAPSIZE) < 1e-9


def test_accelerations_are_those_of_basu_mandal(bicycle: nh.System) -> None:
    """Table 1 of Basu-Mandal, Chatterjee and Papadopoulos 2007: lean ψ = π/2 − roll, wheels against frame and fork."""
    start = {
        "roll": np.pi / 2 - 0.9501292851472, "steer": 0.2311385135743, "rolldot": -0.6068425835418,
        "steerdot": 0.4859824687093, "reardot": 8.9129896614890, "pitch": "~0", "z": "~0.2",
    }  # fmt: skip
    state = nh.complete_state(bicycle, start)
    told = {"yawdot": 0.7830033527065, "pitchdot": -0.0119185528069, "frontdot": 8.0133620584155}
    told["pitch"] = 3.1257073014894 - np.pi
    wanted = {
        "rolldot": 7.8555281128244, "steerdot": -4.6198904039403, "yawdot": 0.8353281706379, "pitchdot": 0.1205543897884,
        "reardot": 1.8472554144217, "frontdot": 2.4548072904550,
    }  # fmt: skip
    found = nh.hamel(bicycle).rates(state, {**bicycle.parameters, "g": 9.81})
    assert max(abs(state[n] - e) for n, e in told.items()) < WITHIN
    assert max(abs(found[n] - e) for n, e in wanted.items()) < WITHIN


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_accelerations_and_reactions_are_those_of_the_bicycle_by_hand(seed: int, bicycle: nh.System) -> None:
    """The gallery's lean is the roll, its steer is to the right, its rear wheel turns against the ground.

    Its first two rows are the slip of the rear wheel along x and y, the others that of the front wheel times the length of the
    heading and its square, and the height of the front wheel: their multipliers are forces.
    """
    random = np.random.default_rng(seed)
    hand, machine = nh.gallery.get("whipple-bicycle"), bicycle
    lean, steer, yaw, leaning, steering, v = random.uniform(-0.4, 0.4, 6).tolist()
    state = nh.complete_state(
        hand.system,
        {"phi": lean, "delta": steer, "psi": yaw, "theta": "~0", "leaning": leaning, "steering": steering, "v": 3 + v},
        hand.parameters,
    )
    there = nh.hamel(hand.system, at=state).rates(state, hand.parameters)
    place = {"roll": lean, "steer": -steer, "yaw": yaw, "pitch": f"~{state['theta']!r}", "z": "~0"}
    rates = {"rolldot": leaning, "steerdot": -steering, "yawdot": there["psi"]}
    here = nh.complete_state(machine, {**place, **rates})
    assert here["pitch"] == pytest.approx(state["theta"], abs=1e-13)
    found = nh.hamel(machine, at=here).rates(here, {**machine.parameters, "g": 9.81})
    pairs = {"roll": "phi", "yaw": "psi", "pitch": "theta", "front": "wf"}
    size = max(abs(e) for e in there.values())
    for own, other in pairs.items():
        assert here[f"{own}dot"] == pytest.approx(there[other], abs=WITHIN), own
        assert found[f"{own}dot"] == pytest.approx(there[f"{other}dot"], abs=WITHIN * size), own
    assert found["steerdot"] == pytest.approx(-there["deltadot"], abs=WITHIN * size)
    push = contact_pushes(machine, here)
    held = nh.reactions(hand.system).at(state, hand.parameters)
    axle = front_axle(lean, state["theta"], steer, yaw)
    length = np.hypot(axle[0], axle[1])
    ahead = np.array([axle[1], -axle[0], 0]) / length
    rear, front = push["rear wheel"], push["front wheel"]
    forces = [*rear[:2], front @ ahead, front @ [-ahead[1], ahead[0], 0], front[2]]
    wanted = [held["lambda1"], held["lambda2"], held["lambda3"] * length, held["lambda4"] * length**2, held["lambda5"]]
    assert np.max(np.abs(np.array(forces) - wanted)) < WITHIN * 94 * 9.81


def front_axle(lean: float, pitch: float, steer: float, yaw: float) -> np.ndarray:
    """Of a wheel in a fork that is turned to the right by the steer about its tilted axis."""
    tilt = ne.turn([0, 1, 0], -np.pi / 10)
    frame = ne.turn([0, 0, 1], yaw) @ ne.turn([1, 0, 0], lean) @ ne.turn([0, 1, 0], pitch)
    return np.asarray(frame @ tilt @ ne.turn([0, 0, 1], -steer) @ tilt.T @ [0, 1, 0])


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


@pytest.mark.slow
def test_all_derivations_agree_at_random_states_away_from_lying_flat() -> None:
    findings = nh.check(loads(BICYCLE))
    assert {finding.verdict for finding in findings} == {"holds", "unknown"}
    assert sum(finding.verdict == "holds" for finding in findings) >= 8
