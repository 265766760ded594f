"""Laws every exhibit obeys: derivations agree, motion keeps constraints and energy, drawings and files work."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from nonholo import gallery
from nonholo.algebra.calculus import symbols
from nonholo.algebra.linear_equations import dot
from nonholo.derive.laws.check import check
from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError
from nonholo.finding import AccelerationsUnique
from nonholo.gallery.exhibit import Exhibit
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.files.toml_files import dumps, loads
from nonholo.model.system import System, force_covector
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text

NAMES = gallery.system_names()
MOVING = tuple(n for n in NAMES if n != "degenerate-sleigh")
"""Exhibits whose start determines their motion; the degenerate sleigh is there to show that its start does not."""
GROUPS = {
    "Blades", "Wheels and disks", "Balls and rolling bodies", "Tops and pendulums", "Robots and vehicles", "Particles",
    "Strings and fluids",
}  # fmt: skip
SHORT = 2.0
"""Seconds of motion in these tests; facts look at longer ones."""


@cache
def shown(name: str) -> Exhibit:
    return gallery.get(name)


@cache
def short_run(name: str) -> Trajectory:
    exhibit = shown(name)
    until = min(exhibit.until, SHORT)
    closed = driven(exhibit.system, dict(exhibit.inputs)).closed
    power = to_text(dot(force_covector(closed), symbols(closed.velocities)))
    return simulate(
        exhibit.system,
        exhibit.start,
        until,
        exhibit.parameters,
        rtol=1e-10,
        atol=1e-12,
        t_eval=np.linspace(0, until, 401),
        inputs=dict(exhibit.inputs),
        watch={"_power": power},
        units=dict(exhibit.units),
    )


def values_for(exhibit: Exhibit, system: System) -> dict[str, float]:
    """The exhibit's values for the parameters that a variant shares with it."""
    return {n: e for n, e in exhibit.parameters.items() if n in system.parameters}


@pytest.mark.parametrize("name", MOVING)
def test_all_derivations_agree(name):
    exhibit = shown(name)
    failing = [str(f) for f in check(exhibit.system, exhibit.parameters) if f.verdict == "fails"]
    assert not failing


@pytest.mark.parametrize("name", NAMES)
def test_all_derivations_agree_in_other_words_too(name):
    exhibit = shown(name)
    for words, system in exhibit.variants.items():
        failing = [str(f) for f in check(system, values_for(exhibit, system), count=2) if f.verdict == "fails"]
        assert not failing, words


@pytest.mark.parametrize("name", MOVING)
def test_the_motion_reaches_its_end(name):
    run = short_run(name)
    assert run.outcome.kind == "reached", str(run.outcome)
    assert all(np.all(np.isfinite(run[str(n)])) for n in run.data.data_vars)


@pytest.mark.parametrize("name", MOVING)
def test_constraints_hold_along_the_motion(name):
    run = short_run(name)
    residuals = [str(n) for n in run.data.data_vars if str(n).startswith(("constraint_", "relation_", "holonomic_"))]
    exhibit = shown(name)
    if exhibit.system.constraints or exhibit.system.holonomic:
        assert residuals
    for residual in residuals:
        assert np.max(np.abs(run[residual])) < 1e-8, residual


@pytest.mark.parametrize("name", MOVING)
def test_energy_changes_by_the_power_of_forces_alone(name):
    exhibit, run = shown(name), short_run(name)
    moving = exhibit.system.lagrangian.free_symbols & {*symbols(("t", *exhibit.system.inputs))}
    if not _workless(exhibit.system) or moving:
        pytest.skip("reactions or time do work here; the balance of rates is part of check")
    energy, t = run["energy"], run["t"]
    work = np.concatenate([[0.0], _simpson(run["_power"], t)])
    size = 1 + np.max(np.abs(energy))
    assert np.max(np.abs(energy[::2] - energy[0] - work)) < 1e-6 * size


def _workless(system: System) -> bool:
    """Linear homogeneous constraints: the velocity is a virtual one, so the reactions do no work."""
    if system.parametric is not None:
        return False
    rows = constraint_rows(system)
    return rows.linear and all(side == 0 for side in rows.sides)


def _simpson(values, t):
    """The integral up to every second point."""
    pieces = (values[:-2:2] + 4 * values[1::2] + values[2::2]) * (t[2] - t[0]) / 6
    return np.cumsum(pieces)


@pytest.mark.parametrize("name", MOVING)
def test_the_drawing_evaluates_at_every_state(name):
    exhibit, run = shown(name), short_run(name)
    drawing = exhibit.drawing
    assert drawing.bodies or drawing.traces
    states = {str(n): run[str(n)] for n in run.data.data_vars if not str(n).startswith("_")} | {"t": run["t"]}
    found = evaluate_drawing(drawing, exhibit.system, states, exhibit.parameters)
    for body in found["bodies"]:
        turned = body["rotation"]
        gram = turned @ np.swapaxes(turned, -1, -2)
        np.testing.assert_allclose(gram, np.broadcast_to(np.eye(3), gram.shape), atol=1e-7)
        np.testing.assert_allclose(np.linalg.det(turned), 1, atol=1e-7)
        assert np.all(np.isfinite(body["position"]))
        assert all(np.all(np.isfinite(s)) for s in body["size"].values())
    assert all(np.all(np.isfinite(trace["points"])) for trace in found["traces"])
    for pair in drawing.plots:
        assert all(quantity in run.data.variables for quantity in pair), pair


@pytest.mark.parametrize("name", [n for n in NAMES if n not in MOVING])
def test_a_motion_that_is_not_determined_is_refused_and_the_start_can_be_drawn(name):
    exhibit = shown(name)
    failed = [f for f in check(exhibit.system, exhibit.parameters) if f.verdict == "fails"]
    assert any(isinstance(f.data, AccelerationsUnique) for f in failed)
    with pytest.raises(ModelError):
        simulate(exhibit.system, exhibit.start, 1.0, exhibit.parameters)
    start = complete_state(exhibit.system, exhibit.start, exhibit.parameters)
    found = evaluate_drawing(exhibit.drawing, exhibit.system, start, exhibit.parameters)
    assert all(np.all(np.isfinite(body["position"])) for body in found["bodies"])


@pytest.mark.parametrize("name", NAMES)
def test_named_starts_are_admissible(name):
    exhibit = shown(name)
    for start in (exhibit.start, *exhibit.starts.values()):
        complete_state(exhibit.system, start, exhibit.parameters)


@pytest.mark.parametrize("name", NAMES)
def test_toml_round_trip_is_exact(name):
    exhibit = shown(name)
    for system in (exhibit.system, *exhibit.variants.values()):
        assert loads(dumps(system)) == system


@pytest.mark.parametrize("name", NAMES)
def test_words_and_numbers_are_complete(name):
    exhibit = shown(name)
    entry = gallery.catalogue()[name]
    assert exhibit.name == name
    assert (exhibit.title, exhibit.group) == (entry["title"], entry["group"])
    assert exhibit.group in GROUPS
    assert entry["papers"] and exhibit.references and exhibit.until > 0
    assert exhibit.story.count(".") >= 1
    assert set(exhibit.parameters) == set(exhibit.system.parameters)
    assert not set(exhibit.parameters) - set(exhibit.units), "every parameter says its unit ('1' if it has none)"
    assert not set(exhibit.system.inputs) - set(exhibit.inputs), "every input has a law"


def test_an_unknown_name_is_one_clear_error():
    with pytest.raises(ModelError, match="rattleback"):
        gallery.get("ratleback")


def test_an_unknown_option_is_one_clear_error():
    with pytest.raises(ModelError, match="leave the option out"):
        gallery.get("rattleback", colour="red")
