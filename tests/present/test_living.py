"""The page's solver, in Node, against Python: final states, reactions, starts, kicks, pictures, outcomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.derive.multipliers import bordered
from nonholo.derive.states.consistent_state import complete_state
from nonholo.machines import machine_files
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.files.toml_files import dumps, loads
from nonholo.model.system import numbered
from nonholo.present.film.attitudes import angles_of
from nonholo.present.living.living_data import with_law_numbers
from tests.present.living_cases import CAN_SOLVE, OWN, apart, asked, data_of, own, python_final, solved_in_node, subject

needs_node = pytest.mark.skipif(
    not CAN_SOLVE, reason="Node or the viewer's packages are missing (`cd viewer && npm ci --omit=dev`)"
)
SHORT = {"rattleback": 1.0, "ball-on-sphere": 1.0, "chaplygin-top": 1.0}
"""Motions that forget their start: compared over so many seconds."""
NO_MOTION = {"degenerate-sleigh"}
FEW = ("chaplygin-sleigh", "rattleback", "roller-racer", "parallel-points", "spherical-pendulum", "snakeboard")


def full_of(system: Any) -> dict[str, float]:
    return complete_state(with_law_numbers(system)[0])


def compare(names: list[str], place: Path) -> dict[str, float]:
    work, systems = {}, {}
    for name in names:
        system = subject(name)
        if name in SHORT:
            system = numbered(system, until=SHORT[name])
        data = data_of(system)
        systems[name] = system
        work[name] = {"plan": data["plan"], "requests": [asked(data, full=full_of(system))]}
    answers = solved_in_node(work, place)
    gaps = {}
    for name, system in systems.items():
        run, found = python_final(system), answers[name][0]
        assert found["outcome"]["kind"] == run.outcome.kind == "reached", name
        assert found["moved"] == {}, name
        gaps[name] = apart(work[name]["plan"], found["final"], run.final)
    return gaps


@needs_node
def test_the_pages_final_states_are_pythons(tmp_path: Path) -> None:
    """Own systems (charts that end, linkages, nonlinear constraints, quaternions, laws) and some of the gallery."""
    gaps = compare([*OWN, *FEW], tmp_path)
    assert max(gaps.values()) < 1e-9, gaps


@needs_node
@pytest.mark.slow
def test_the_pages_final_states_are_pythons_for_the_whole_gallery(tmp_path: Path) -> None:
    gaps = compare([n for n in gallery.system_names() if n not in NO_MOTION], tmp_path)
    assert max(gaps.values()) < 1e-9, gaps


@needs_node
def test_reactions_contact_and_watched_quantities_are_pythons(tmp_path: Path) -> None:
    names = ("rattleback", "trailer", "linkage", "steady speed")
    work, systems = {}, {}
    for name in names:
        system = numbered(subject(name), until=0.5)
        data = data_of(system)
        wanted = [*data["plan"]["unknowns"], *data["plan"]["shown"]]
        systems[name] = system
        request = asked(data, full=full_of(system), columns=["t", *wanted, "contact_tangential"])
        work[name] = {"plan": data["plan"], "requests": [request]}
    answers = solved_in_node(work, tmp_path)
    for name, system in systems.items():
        found = {n: np.array(c) for n, c in answers[name][0]["columns"].items()}
        run = nh.simulate(system, rtol=1e-13, atol=1e-15, t_eval=found["t"], progress=False)
        shared = [n for n in found if n in run.data and n != "t" and run.data[n].attrs.get("kind") != "residual"]
        assert {"energy", "lambda1"} <= set(shared)
        for n in shared:
            scale = 1 + np.abs(run[n]).max()
            assert np.abs(found[n] - run[n]).max() < 1e-7 * scale, (name, n)
        if name == "rattleback":
            from nonholo.analyse.force_arrows import contact_forces

            press, pull = contact_forces(run)  # type: ignore[misc]
            assert np.abs(found["contact_normal"] - press).max() < 1e-6 * np.abs(press).max()
            assert np.abs(found["contact_tangential"] - pull).max() < 1e-6 * np.abs(press).max()


@needs_node
def test_the_page_doubts_the_negative_masses_that_python_doubts(tmp_path: Path) -> None:
    """Also where a negative moment is outweighed along the constraints, and where a speed has no kinetic energy."""
    cases: dict[str, list[dict[str, float]]] = {
        "pushed": [{}, {"m": -30.0}, {"J": -2.0}, {"m": -3.1, "J": -0.9}],
        "linkage": [{}, {"I1": -0.01}, {"I1": -9.0}, {"k": -2.3}],
        "weightless pointer": [{}, {"m": -1.3}],
        "chaplygin-sphere": [{}],
        "bowling-ball": [{}, {"m": -6.8}],  # a machine: Python refuses the mass
    }
    work, doubted = {}, {}
    for name, numbers in cases.items():
        system = subject(name)
        data = data_of(system)
        full = system.start if system.contacts else full_of(system)
        work[name] = {"plan": data["plan"], "requests": [asked(data, n, full=full, until=0.01) for n in numbers]}
        if name == "bowling-ball":
            doubted[name] = [False, True]
            continue
        runs = [nh.simulate(numbered(system, {**system.parameters, **n}, until=0.01), progress=False) for n in numbers]
        doubted[name] = [any("mass matrix is not positive" in hint for hint in run.hints) for run in runs]
    found = {name: [one["negative"] for one in answers] for name, answers in solved_in_node(work, tmp_path).items()}
    assert found == doubted
    assert doubted["pushed"] == [False, True, True, True] and doubted["linkage"] == [False, False, True, False]


@needs_node
def test_starts_are_completed_as_in_python_and_what_breaks_a_constraint_is_moved_and_told(tmp_path: Path) -> None:
    cases = {
        "chaplygin-sleigh": {"theta": 0.7, "omega": -0.4, "v": 2.0},
        "linkage": {"a": 0.9, "adot": -0.5},
        "steady speed": {"xdot": -0.3, "y": 0.1},
        "rattleback": {"w1": 0.4, "w2": -0.2, "w3": 3.0},
    }
    work = {}
    expected = {}
    for name, start in cases.items():
        system = subject(name)
        data = data_of(system)
        full = complete_state(system, {**{n: e for n, e in system.start.items() if n not in ("b", "c")}, **start})
        expected[name] = full
        given = {**full_of(system), **{n: e for n, e in start.items() if n in system.coordinates}}
        request = asked(data, start, full=given)
        request["start"]["held"] = [c not in data["tied"] or c in start for c in data["plan"]["coordinates"]]
        work[name] = {"plan": data["plan"], "requests": [request]}
    # a blade cannot move sideways, and a linkage has no third angle of its own
    system = subject("chaplygin-sleigh")
    data = data_of(system)
    broken = asked(data, full=full_of(system))
    broken["start"]["velocities"] = {"xdot": 1.0, "ydot": 1.0, "omega": 0.5}
    work["broken"] = {"plan": data["plan"], "requests": [broken]}
    answers = solved_in_node(work, tmp_path)
    for name, full in expected.items():
        assert apart(work[name]["plan"], answers[name][0]["first"], full) < 1e-9, name
        assert answers[name][0]["moved"] == {}
    found = answers["broken"][0]
    values = system.parameters
    wanted = complete_state(system, {"theta": 0.0, "xdot": 1.0, "ydot": 1.0, "omega": 0.5}, values, repair=True)
    assert apart(work["broken"]["plan"], found["first"], wanted) < 1e-9
    assert set(found["moved"]) >= {"ydot"} and abs(found["moved"]["ydot"]) < 1e-12


@needs_node
def test_a_kick_changes_speeds_as_an_impulse_does_and_keeps_the_constraints(tmp_path: Path) -> None:
    """``M Δz = J`` with `hamel`'s mass matrix, which shares neither border nor multipliers."""
    system = subject("chaplygin-sleigh")
    data = data_of(system)
    time, push = 1.7, 0.6
    request = asked(data, {"until": time + 1e-9}, full=full_of(system), kicks=[{"time": time, "speed": 0, "impulse": push}])
    (found,) = solved_in_node({"sleigh": {"plan": data["plan"], "requests": [request]}}, tmp_path)["sleigh"]
    before = python_final(system, until=time).final
    p = system.parameters
    # (J + m a²) Δω = J_θ, and v does not change: thetadot is omega, and the blade's own direction is not struck
    after = {**before, "thetadot": before["omega"] + push / (p["J"] + p["m"] * p["a"] ** 2)}
    names = [*data["plan"]["coordinates"], *data["plan"]["speeds"]]
    got = dict(zip(names, found["final"]))
    assert got["thetadot"] == pytest.approx(after["thetadot"], abs=1e-7)
    along = got["xdot"] * np.cos(got["theta"]) + got["ydot"] * np.sin(got["theta"])
    across = got["ydot"] * np.cos(got["theta"]) - got["xdot"] * np.sin(got["theta"])
    assert along == pytest.approx(before["v"], abs=1e-7) and abs(across) < 1e-12


@needs_node
def test_outcomes_are_told_in_pythons_words_and_no_motion_hangs_the_page(tmp_path: Path) -> None:
    escape = nh.System(name="escape", coordinates="x", lagrangian="xdot**2/2 + x**4/4", start={"x": 1.0, "xdot": 1.0}, until=9.0)
    fall = nh.System(name="fall", coordinates="x", lagrangian="xdot**2/2 + 1/x", start={"x": 1.0}, until=5.0)
    quick = nh.System(name="quick", coordinates="x", lagrangian="xdot**2/2 - 1e14*x**2/2", start={"x": 1.0}, until=50.0)
    work = {}
    for system in (escape, fall, quick):
        data = data_of(system)
        work[system.name] = {"plan": data["plan"], "requests": [asked(data, full=full_of(system))]}
    answers = solved_in_node(work, tmp_path)
    for system in (escape, fall):
        run = nh.simulate(system, progress=False)
        told = answers[system.name][0]["outcome"]
        assert not run.outcome.reached and told["kind"] == run.outcome.kind and told["advice"] == run.outcome.said("page")
        assert told["time"] == pytest.approx(run.outcome.time, rel=1e-6)
    assert answers["quick"][0]["outcome"]["kind"] in ("too many steps", "interrupted")
    assert answers["quick"][0]["spent"][0] < 8000


@needs_node
@pytest.mark.parametrize("name", ["three-wheel-cart", "parallel-points", "rolling-disk"])
def test_pictures_are_those_of_the_drawing(name: str, tmp_path: Path) -> None:
    """Places, attitudes, sizes and traces against Python's evaluation of the same texts; a rolling wheel apart."""
    system = numbered(subject(name), until=1.0)
    data = data_of(system)
    request = asked(data, full=full_of(system), picture=True, pictured=True)
    (found,) = solved_in_node({name: {"plan": data["plan"], "requests": [request]}}, tmp_path)[name]
    run = nh.simulate(system, t_eval=np.array(found["picture"]["times"]), progress=False)
    values = {str(n): run.data[n].values for n in run.data.variables if run.data[n].dims == ("t",)}
    drawn = evaluate_drawing(system.drawing, system, values)  # type: ignore[arg-type]
    for mine, theirs in zip(found["picture"]["bodies"], drawn["bodies"], strict=True):
        np.testing.assert_allclose(np.array(mine["position"]).reshape(-1, 3), theirs["position"], atol=2e-6)
        for size, value in mine["size"].items():
            np.testing.assert_allclose(value, theirs["size"][size], rtol=1e-6, atol=1e-6)
        if theirs["shape"] != "wheel":
            np.testing.assert_allclose(rotations(mine["rotation"]), theirs["rotation"], atol=3e-6)
        else:  # its axle is its own, whatever it has rolled
            np.testing.assert_allclose(rotations(mine["rotation"])[:, :, 2], theirs["rotation"][:, :, 2], atol=3e-6)
    for mine, trace in zip(found["picture"]["traces"], drawn["traces"], strict=True):
        np.testing.assert_allclose(np.array(mine).reshape(-1, 3), trace["points"], atol=2e-6)


def rotations(flat: list[float]) -> Any:
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(np.array(flat).reshape(-1, 4)).as_matrix()


@pytest.mark.parametrize("name", [*OWN, "rattleback", "n-trailer"])
def test_bordered_equations_have_the_rates_of_hamels(name: str) -> None:
    """At the start and its accelerations: another matrix, the same motion."""
    system = with_law_numbers(subject(name))[0]
    from nonholo.derive.states.feedback_laws import driven

    closed = driven(system, {}).closed
    full = {n: e for n, e in complete_state(system).items() if n not in system.inputs}
    known = {n: system.parameters[n] for n in closed.parameters}
    mine, theirs = bordered(closed).rates(full, known), nh.hamel(closed, at=full).rates(full, known)
    shared = mine.keys() & theirs.keys()
    assert set(closed.coordinates) | set(closed.velocities) <= shared
    for n in shared:
        assert mine[n] == pytest.approx(theirs[n], rel=1e-9, abs=1e-9), n


def test_angles_tell_a_rotation() -> None:
    from scipy.spatial.transform import Rotation

    random = np.random.default_rng(3)
    for _ in range(20):
        tilt, heading, spin = random.uniform(0.01, 3.1), *random.uniform(-3, 3, 2)
        turned = Rotation.from_euler("ZXZ", [heading, tilt, spin])
        matrix = turned.as_matrix()
        assert angles_of("matrix", matrix.ravel().tolist()) == pytest.approx([tilt, heading, spin])
        x, y, z, w = turned.as_quat()
        again = Rotation.from_euler("ZXZ", np.array(angles_of("quaternion", [w, x, y, z]))[[1, 0, 2]])
        np.testing.assert_allclose(again.as_matrix(), matrix, atol=1e-12)
        assert angles_of("vertical", matrix[2].tolist())[::2] == pytest.approx([tilt, spin])
    flat = Rotation.from_euler("Z", 0.8).as_matrix()
    assert angles_of("matrix", flat.ravel().tolist()) == pytest.approx([0.0, 0.8, 0.0])


def test_the_data_of_a_page_is_small_plain_json_with_a_control_for_every_number() -> None:
    system = own("trailer")
    data = data_of(system)
    text = json.dumps(data, allow_nan=False)
    assert len(text) < 60_000
    controls = {c["name"]: c for c in data["controls"]}
    assert {*system.parameters, *system.coordinates, "until"} <= controls.keys()
    assert controls["l"]["meaning"] == "length of the drawbar" and (controls["l"]["low"], controls["l"]["high"]) == (0.3, 2.0)
    laws = [c for c in data["controls"] if c["kind"] == "law"]
    assert sorted(c["value"] for c in laws) == [1.2, 4.0]
    assert data["presets"][0]["name"] == "long bar" and data["presets"][0]["values"]["l"] == 1.6
    assert all(c["low"] <= c["value"] <= c["high"] and c["step"] > 0 for c in data["controls"])
    assert loads(dumps(system)).page == system.page


def test_a_machine_with_a_law_starts_on_the_page_as_in_python() -> None:
    """Its own completion rolls where nothing is said of the velocity; that of its equations alone would turn it instead."""
    text = '''
inputs = {T = "-800*nod - 200*noddot"}
start = {lean = 0.05, spindot = 4.0}
[[bodies]]
name = "wheel"
mass = 3
inertia = [0.08, 0.15, 0.08]
free = "x y z yaw lean spin"
shape = {kind = "disk", radius = 0.3}
contact = {}
[[bodies]]
name = "clown"
mass = 55
center = [0, 0, 0.9]
inertia = [7, 6, 2]
joint = {name = "nod", parent = "wheel", axis = "y", motor = "T"}
'''
    system = machine_files.loads(text)
    state = nh.complete_state(system, None)
    velocities = {c["name"]: c["value"] for c in data_of(system)["controls"] if c["kind"] == "velocity"}
    assert state["xdot"] == pytest.approx(1.2) and state["yawdot"] == pytest.approx(0.0, abs=1e-12)
    assert velocities == pytest.approx({n: state[n] for n in velocities}, abs=1e-12) and "spindot" in velocities
