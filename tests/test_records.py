"""The nouns of nonholo as a researcher handles them: equal, copied, pickled, sent to other processes, shown in notebooks."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import pytest

import nonholo as nh


def records(name: str) -> dict[str, Any]:
    exhibit = nh.gallery.get(name)
    system = exhibit.system
    run = nh.simulate(system, exhibit.start, 0.4, exhibit.parameters, inputs=exhibit.inputs or None)
    found = {"exhibit": exhibit, "system": system, "frame": system.frame, "hamel": nh.hamel(system)}
    found |= {"multipliers": nh.multipliers(system), "findings": nh.check(system, exhibit.parameters), "run": run}
    found |= {"reduction": nh.reduce(system), "class": nh.classify(system), "outcome": run.outcome}
    return found


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "suslov"])
def test_copies_are_equal_and_answer_alike(name: str) -> None:
    for word, one in records(name).items():
        for same in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
            assert type(same) is type(one)
            if word not in ("exhibit", "run"):
                assert same == one, word
            if word == "run":
                assert same.final == one.final and same.drift("energy") == one.drift("energy")


def end_of(job: tuple[nh.System, dict[str, float], dict[str, float]]) -> float:
    system, start, parameters = job
    return float(nh.simulate(system, start, 1.0, parameters).final["theta"])


def test_systems_travel_to_processes_that_start_afresh() -> None:
    exhibit = nh.gallery.get("chaplygin-sleigh")
    job = (exhibit.system, dict(exhibit.start), dict(exhibit.parameters))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(end_of, [job]) == [end_of(job)]
