"""Arrows of a film: Newton's law holds between the momentum and the forces drawn, and each force acts where the body touches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.model.system import numbered
from nonholo.present.film.scene import numbers, scene
from nonholo.present.report.report_motion import Motion, contact_figures, motion_section
from nonholo.present.report.report_subject import case
from nonholo.present.report.report_symmetry import SymmetryResults
from tests.present.living_cases import asked, data_of, solved_in_node
from tests.present.test_living import full_of, needs_node

PARTS = ("normal", "along", "across", "ratio")

WEIGHT = {
    "rolling-disk": 1.3, "bicycle": 94.0, "bowling-ball": 6.8, "chaplygin-sleigh": 0.0, "n-trailer": 0.0, "unicycle": 0.0,
}  # fmt: skip
"""What falls, in kilograms; in the plane nothing does."""


def drawn(name: str, count: int = 801, span: float = 1.0) -> dict[str, Any]:
    exhibit = gallery.get(name)
    run = nh.simulate(exhibit.system, until=span, t_eval=count)
    return scene(run, frames=count) or {}


@pytest.mark.parametrize("name", WEIGHT)
def test_the_momentum_changes_by_the_forces_drawn(name: str) -> None:
    shown = drawn(name)
    times = numbers(shown["times"])
    vectors = [(one["kind"], numbers(one["vector"], -1, 3)) for one in shown["forces"]]
    (momentum,) = (v for kind, v in vectors if kind == "momentum")
    total = sum(v for kind, v in vectors if kind != "momentum") + np.array([0.0, 0.0, -9.81 * WEIGHT[name]])
    # over whole intervals: float32 has seven digits, and differences of neighbours would lose them
    for first, last in ((0, len(times) // 3), (len(times) // 3, len(times) - 1)):
        part = slice(first, last + 1)
        impulse = np.trapezoid(total[part], times[part], axis=0)
        change = momentum[last] - momentum[first]
        size = np.abs(momentum).max() + np.trapezoid(np.linalg.norm(total[part], axis=1), times[part])
        seen = slice(0, 3 if WEIGHT[name] else 2)
        assert np.abs(impulse - change)[seen].max() < 2e-5 * size


def test_forces_stand_where_the_bodies_touch() -> None:
    (disk,) = (one for one in drawn("rolling-disk")["forces"] if one["kind"] == "contact")
    point = numbers(disk["point"], -1, 3)
    assert np.abs(point[:, 2]).max() < 1e-6
    assert np.ptp(point[:, 0]) > 0.1
    trailer = drawn("n-trailer", span=4.0)
    times = numbers(trailer["times"])
    reactions = [one for one in trailer["forces"] if one["kind"] == "reaction"]
    assert len(reactions) == 3
    for one in reactions:  # a blade does no work: its force is across the way of its point
        way = np.gradient(numbers(one["point"], -1, 3), times, axis=0)
        force = numbers(one["vector"], -1, 3)
        power = np.einsum("ni,ni->n", way, force)[2:-2]
        assert np.abs(power).max() < 2e-3 * np.linalg.norm(way, axis=1).max() * np.linalg.norm(force, axis=1).max()


def test_a_film_says_where_contacts_slide_or_are_open() -> None:
    ball = drawn("bowling-ball", 401, 3.0)
    (lane,) = (one for one in ball["forces"] if one["kind"] == "contact")
    assert set(lane["mode"]) == {"s", "r"} and lane["mode"].index("r") == len(lane["mode"].rstrip("r"))
    times, vector, normal = numbers(ball["times"]), numbers(lane["vector"], -1, 3), numbers(lane["normal"], -1, 3)
    slides = np.array([letter == "s" for letter in lane["mode"]])
    press = np.einsum("ni,ni->n", vector, normal)
    pull = np.linalg.norm(vector - press[:, None] * normal, axis=1)
    # on the cone while it slides, inside when it rolls, where a ball on a level lane needs no friction
    assert np.abs(pull - numbers(lane["slope"]) * press)[slides].max() < 1e-4 * press.max()
    assert pull[~slides][1:].max() < 1e-4 * press.max()
    assert 1.9 < times[slides].max() < 2.1


@needs_node
def test_forces_of_contacts_on_a_page_are_those_of_python(tmp_path: Path) -> None:
    """The wheels of the drive's axle share what its motion does not tell apart."""
    work, systems = {}, {}
    for name in ("drum-wheel", "differential-drive"):
        system = numbered(gallery.get(name).system, until=0.6)
        data = data_of(system)
        columns = [f"{part}({law.name})" for law in system.contacts for part in PARTS]
        request = asked(data, full=full_of(system), columns=["t", *columns], picture=True, pictured=True)
        work[name], systems[name] = {"plan": data["plan"], "requests": [request]}, system
    assert work["drum-wheel"]["plan"]["own"] == -1 and work["differential-drive"]["plan"]["own"] >= 0
    answers = solved_in_node(work, tmp_path)
    for name, system in systems.items():
        found, picture = answers[name][0]["columns"], answers[name][0]["picture"]
        run = nh.simulate(system, t_eval=np.array(found["t"]), rtol=1e-12, atol=1e-14, progress=False)
        forces = run.contact_columns
        size = max(float(np.nanmax(np.abs(forces[part]))) for part in ("along", "across"))
        compared = 0
        for k, law in enumerate(system.contacts):
            for part in PARTS:
                wanted, given = forces[part][:, k], np.array(found[f"{part}({law.name})"], float)
                if np.isfinite(wanted).all() and len(given):
                    assert np.abs(given - wanted).max() < 1e-6 * (size + np.abs(wanted).max()), (name, law.name, part)
                    compared += 1
        assert compared >= len(system.contacts)
        shown = scene(nh.simulate(system, t_eval=np.minimum(picture["times"], 0.6), progress=False), frames=4000) or {}
        assert [one["name"] for one in shown["forces"]] == [one["name"] for one in picture["forces"]]
        for one, other in zip(shown["forces"], picture["forces"]):
            for key in ("point", "vector"):
                wanted = numbers(one[key])
                gap = np.abs(np.array(other[key])[-3:] - wanted[-3:]).max()
                assert gap < 1e-4 * (1 + np.abs(wanted).max()), (one["name"], key)


def test_a_report_shows_forces_friction_and_modes_of_contacts() -> None:
    ball = gallery.get("bowling-ball")
    run = nh.simulate(ball.system)
    (forces, _), (friction, _), (modes, _) = contact_figures(run)
    assert [curve["name"] for curve in forces.data] == ["lane: normal", "lane: along", "lane: across"]
    assert [curve["name"] for curve in friction.data] == ["lane", "μ of lane"]
    assert friction.data[1]["y"] == pytest.approx([0.12, 0.12])
    bars = [(bar["name"], *np.round(np.asarray(bar["x"], float), 3)) for bar in modes.data]
    (change,) = run.modes
    assert bars == [("sliding", 0.0, round(change.time, 3)), ("rolling", round(change.time, 3), 3.0)]
    section = motion_section(case("bowling-ball"), Motion(run), SymmetryResults(energy=True)).body
    lost = float(run["energy"][0] - run["energy"][-1])
    assert lost > 10 and "energy went from" in section, "sliding takes energy, whatever its balance"
