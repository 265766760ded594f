"""The plain arrays of a motion are those of its Dataset, before and after it is made; reactions have names in what is watched."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.results.quantity_arrays import Quantity


def sleigh() -> nh.Trajectory:
    exhibit = nh.gallery.get("chaplygin-sleigh")
    return nh.simulate(exhibit.system, exhibit.start, 1.0, exhibit.parameters, t_eval=11)


def same(run: nh.Trajectory) -> None:
    assert set(run.quantities) == set(map(str, run.data.variables))
    for name, one in run.quantities.items():
        variable = run.data.variables[name]
        assert np.array_equal(one.values, variable.values) and dict(one.words) == variable.attrs, name
        assert one.kind == variable.attrs.get("kind", "") and one.unit == variable.attrs.get("units", "")


def test_quantities_are_those_of_the_dataset() -> None:
    run, other = sleigh(), sleigh()
    plain = {n: (one.values.copy(), dict(one.words)) for n, one in run.quantities.items()}
    assert [n for n in plain if n != "t"] == list(run.names) == list(map(str, other.data.data_vars))
    for name, (values, words) in plain.items():
        assert np.array_equal(values, other.data[name].values) and words == other.data[name].attrs, name
    same(other)
    assert {k: v for k, v in other.data.attrs.items() if k != "outcome"} == dict(run.attributes)
    assert run.of_kind("reaction") == ("lambda1",) and plain["x"][1]["units"] == "m"


def test_more_quantities_join_plain_ones_and_a_dataset_alike() -> None:
    size = {"kind": "watched", "size": 2.0}
    one, two = sleigh(), sleigh()
    assert two.data.sizes["t"] == 11
    for run in (one, two):
        longer = run.with_quantities({"C1": Quantity(np.ones(11), size)})
        assert np.all(longer["C1"] == 1) and "C1" not in run.quantities and longer.names[-1] == "C1"
        assert longer.quantities["C1"].words == size and longer.parameters == run.parameters and longer.final == run.final
        same(longer)
        assert longer.data["C1"].attrs == size and longer.data.attrs["outcome"] == "reached"
        with pytest.raises(nh.StateError, match="no quantity 'C2'"):
            longer["C2"]


def test_numbers_travel_without_a_dataset_and_what_a_user_adds_there_is_seen() -> None:
    run = sleigh()
    again = pickle.loads(pickle.dumps(run))
    assert again.data.equals(run.data) and again.data.attrs == run.data.attrs
    again.data["doubled"] = 2 * again.data["x"]
    assert np.array_equal(again["doubled"], 2 * run["x"]) and "doubled" in again.names


@pytest.mark.parametrize("name", ["rolling-disk", "rattleback", "snakeboard"])
def test_reactions_are_named_in_events_and_watched_quantities(name: str) -> None:
    exhibit = nh.gallery.get(name)
    system, first = exhibit.system, nh.simulate(exhibit.system, exhibit.start, 0.4, exhibit.parameters, t_eval=9)
    level = 0.6 * first["lambda2"][0] + 0.4 * first["lambda2"][-1]
    event = f"lambda2 - ({level!r})"
    watch = {"push": "lambda1", "both": "lambda1*lambda2 + energy"}
    stop = nh.Event(event, terminal=1)
    run = nh.simulate(system, exhibit.start, 0.4, exhibit.parameters, events=[stop], watch=watch, t_eval="end")
    by_multipliers = nh.reactions(system).at(run.final, exhibit.parameters)
    scale = max(1.0, *map(abs, by_multipliers.values()))
    assert str(run.outcome).startswith("event") and abs(by_multipliers["lambda2"] - level) < 1e-9 * scale
    assert abs(run["push"][-1] - by_multipliers["lambda1"]) < 1e-11 * scale
    assert abs(run["both"][-1] - (by_multipliers["lambda1"] * level + run["energy"][-1])) < 1e-9 * scale**2
