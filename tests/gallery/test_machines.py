"""Machines of the gallery: derivations agree, motions keep energy and constraints, files and words are complete."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.machines.machine import Machine

HEAVY = {"bumpy-tricycle", "skateboard", "wheelset"}
"""Machines whose equations take seconds to compile."""
NAMES = [pytest.param(n, marks=pytest.mark.slow) if n in HEAVY else n for n in gallery.machine_names()]
DRIVEN_GROUND = {"drum-wheel"}
"""The ground does work."""


@cache
def short_run(name: str) -> nh.Trajectory:
    exhibit = gallery.get(name)
    return nh.simulate(exhibit.system, until=min(exhibit.until, 0.5), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_machine_moves_and_keeps_its_constraints(name: str) -> None:
    run = short_run(name)
    assert run.outcome == "reached"
    residuals = [float(np.max(np.abs(run.data[v]))) for v in run.data if str(v).startswith(("constraint", "holonomic"))]
    assert residuals and max(residuals) < 1e-8
    if not run.system.inputs and not run.system.forces and name not in DRIVEN_GROUND:
        assert run.drift("energy") < 1e-8


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_the_gallery_says_all_that_others_say(name: str) -> None:
    exhibit = gallery.get(name)
    entry = gallery.catalogue()[name]
    assert (exhibit.name, exhibit.title, exhibit.group) == (name, entry["title"], "Machines")
    assert entry["papers"] and exhibit.references and exhibit.until > 0 and exhibit.story.count(".") >= 1
    assert set(exhibit.parameters) == set(exhibit.system.parameters)
    assert not set(exhibit.system.inputs) - set(exhibit.inputs)
    assert isinstance(exhibit.system.machine, Machine)


@pytest.mark.parametrize("name", NAMES)
def test_a_machine_is_written_and_read_back(name: str) -> None:
    from nonholo.machines.machine_files import dumps, loads

    system = gallery.get(name).system
    assert loads(dumps(system)) == system


def test_machines_are_listed_with_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    from nonholo.cli.commands.list import list_

    assert list_(True) == 0
    listed = json.loads(capsys.readouterr().out)
    assert set(gallery.machine_names()) <= set(listed) and listed["bicycle"]["group"] == "Machines"


def test_a_machine_takes_no_options() -> None:
    with pytest.raises(nh.ModelError, match="leave the option out"):
        gallery.get("mecanum", n=3)
