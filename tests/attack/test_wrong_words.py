"""Options of wrong kinds, in Python and in tables of sweeps: one sentence each, never a raw error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import nonholo as nh

LINE = nh.System(coordinates="x", lagrangian="xdot**2/2")
CART = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
START = {"x": 0.0, "xdot": 1.0}


def broken(t: float) -> float:
    raise ZeroDivisionError("nothing")


SIMULATE = [
    ({"t_eval": ["a", "b"]}, "t_eval"), ({"t_eval": {}}, "t_eval"), ({"t_eval": [[1], [1, 2]]}, "t_eval"),
    ({"t_eval": [None]}, "t_eval"), ({"t_eval": 2.5}, "t_eval"), ({"inputs": [1]}, "inputs: .* dict"),
    ({"inputs": "u"}, "inputs: .* dict"), ({"events": 5}, "events: 5"), ({"events": None}, "events: None"),
    ({"watch": ["x"]}, "watch: .* dict"), ({"units": 5}, "units: .* dict"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), SIMULATE)
def test_options_of_a_motion(words: dict, told: str) -> None:
    with pytest.raises(nh.StateError, match=told):
        nh.simulate(LINE, START, 1.0, **words)


@pytest.mark.parametrize(
    "given",
    [lambda t: None, lambda t: "a", broken, lambda t, s: None, lambda t, s: s["no"], ([0, 1], [1, 2, 3]), ([0, 1], ["a", "b"]),
     ([], []), ([[0, 1]], [[1, 2]]), None],
)  # fmt: skip
def test_inputs_that_give_no_numbers(given: object) -> None:
    with pytest.raises(nh.StateError, match="input"):
        nh.simulate(CART, START, 1.0, inputs={"u": given})
    with pytest.raises(nh.StateError, match="input"):
        nh.ensemble(CART, {"x": [0.0, 1.0]}, 1.0, inputs={"u": given})


ENSEMBLE = [
    ({"t_eval": "steps"}, "t_eval"), ({"t_eval": ["a"]}, "t_eval"), ({"t_eval": -1}, "t_eval"), ({"t_eval": 0}, "t_eval"),
    ({"t_eval": True}, "t_eval"), ({"starts": {"x": []}}, "no starts"), ({"starts": {"x": ["a"]}}, "start x"),
    ({"starts": []}, "no starts"), ({"starts": 5}, "starts = 5"), ({"starts": [5]}, "starts"), ({"starts": "x"}, "starts = x"),
    ({"parameters": {"m": "a"}}, "parameter m"), ({"threads": -3}, "threads = -3"), ({"threads": 2.5}, "threads"),
    ({"threads": "two"}, "threads = 'two'"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), ENSEMBLE)
def test_options_of_an_ensemble(words: dict, told: str) -> None:
    words = {"starts": {"x": [0.0, 1.0]}, **words}
    with pytest.raises(nh.StateError, match=told):
        nh.ensemble(LINE, until=1.0, **words)


@pytest.mark.parametrize("value", [True, b"1", "one", None, [1.0], 1j])
def test_what_is_no_number_though_python_may_read_it_as_one(value: object) -> None:
    with pytest.raises(nh.StateError, match=r"parameter m: .* is not a number"):
        nh.System(coordinates="x", parameters={"m": value or False}, lagrangian="m*xdot**2/2")
    with pytest.raises(nh.StateError, match="is not a number"):
        nh.simulate(LINE, {"x": value, "xdot": 1.0}, 1.0)


def test_an_ensemble_may_keep_its_ends_alone() -> None:
    runs = nh.ensemble(LINE, {"x": [0.0, 1.0], "xdot": 2.0}, 3.0, t_eval="end")
    assert runs["t"].values.tolist() == [3.0]
    assert runs["x"].values[:, 0] == pytest.approx([6.0, 7.0], abs=1e-9)


SWEEPS = [
    {"until": "long"}, {"until": [1]}, {"until": float("inf")}, {"start": 5}, {"start": {"x": "a"}}, {"parameters": [1]},
    {"grid": 3}, {"grid": {"x": "many"}}, {"grid": {"x": []}}, {"grid": {"x": {"from": -1, "to": 1, "count": 3, "log": True}}},
    {"grid": {"x": {"from": 0, "to": 1, "count": 0}}}, {"grid": {"x": {"from": 0, "to": 1}}}, {"grid": {"nobody": [1, 2]}},
    {"grid": {"x": {"from": "a", "to": 1, "count": 2}}}, {"random": 4}, {"random": {"count": "x"}},
    {"random": {"count": 3, "x": {"from": -1, "to": 2, "log": True}}}, {"latin": {"count": -2, "x": {"from": 0, "to": 1}}},
    {"record": 5}, {"record": {"final": 5}}, {"record": {"final": ["nobody"]}}, {"record": {"drift": ["nobody"]}},
    {"record": {"trajectory": ["x"], "points": 0}}, {"record": {"most_events": -1}}, {"record": {"events": [1]}},
    {"method": 5}, {"method": "magic"}, {"method": []}, {"rtol": "small"}, {"rtol": True}, {"chunk": 0}, {"chunk": "two"},
    {"seed": "x"}, {"options": 3}, {"system": 5}, {"system": {"coordinates": 5}},
]  # fmt: skip


@pytest.mark.parametrize("words", SWEEPS, ids=str)
def test_tables_of_sweeps(words: dict, tmp_path: Path) -> None:
    table = {"system": LINE, "until": 1.0, "start": START, "grid": {"x": [0.0, 1.0]}, **words}
    with pytest.raises(nh.NonholoError):
        nh.sweep(table, store=tmp_path / "s.zarr", progress=False)


def test_a_table_that_is_refused_leaves_no_store(tmp_path: Path) -> None:
    table = {"system": LINE, "until": 1.0, "start": START, "grid": {"x": [0.0, 1.0]}, "record": {"final": ["xx"]}}
    with pytest.raises(nh.ModelError, match="no quantity 'xx'"):
        nh.sweep(table, store=tmp_path / "s.zarr", progress=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_system(place: str) -> None:
    with pytest.raises(nh.FileError, match="a device or a pipe"):
        nh.load(place)


def test_a_fifo_is_no_system_and_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(nh.FileError, match="a device or a pipe"):
        nh.load(tmp_path / "pipe.toml")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.toml").open("wb") as file:
        file.truncate(2**40)  # a hole: it takes no room
    with pytest.raises(nh.FileError, match="more than any system"):
        nh.load(tmp_path / "huge.toml")
