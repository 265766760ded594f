"""Mistakes in calls of the control functions: one clear line each, never a traceback from within."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nonholo as nh

CART = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
UNICYCLE = nh.control.kinematic_system("x y th", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w")
BOARD = nh.gallery.get("snakeboard")
LOOP = {"psi": "sin(t)", "phi": "0"}


def lin() -> Any:
    return nh.linearise(CART, {"x": 0})


def flat() -> Any:
    return nh.control.flatness(UNICYCLE)


def watch() -> Any:
    return nh.observer(CART, {"x": 1})


def gait(**words: Any) -> Any:
    return nh.gait(BOARD.system, LOOP, displacement="x", parameters=BOARD.parameters, **words)


def shaped(shape: Any) -> Any:
    return nh.gait(BOARD.system, shape, displacement="x", parameters=BOARD.parameters)


def acted(action: Any) -> Any:
    world = nh.environment(CART, ["x"], act={"u": 1})
    world.reset(seed=0)
    return world.step(action)


def world(**words: Any) -> Any:
    return nh.environment(CART, **{"observe": ["x"], "act": {"u": 1}, **words})


WRONG: list[tuple[str, Callable[[], Any]]] = [
    ("nh.linearise", lambda: nh.lqr(None, 1, 1)),
    ("nh.linearise", lambda: nh.lqr(CART, 1, 1)),
    ("Q: 'a' where numbers", lambda: nh.lqr(lin(), "a", 1)),
    ("R of u", lambda: nh.lqr(lin(), 1, {"u": "a"})),
    ("Q: .* where numbers", lambda: nh.lqr(lin(), [[1, 2], [3]], 1)),
    ("Q of shape", lambda: nh.lqr(lin(), [1, 2, 3], 1)),
    ("Q holds no finite", lambda: nh.lqr(lin(), float("nan"), 1)),
    ("every", lambda: nh.lqr(lin(), 1, 1, every="a")),
    ("every = -1 where a number above 0", lambda: nh.lqr(lin(), 1, 1, every=-1)),
    ("final", lambda: nh.lqr(lin(), 1, 1, final="a")),
    ("K: 'abc' where numbers", lambda: lin().feedback("abc")),
    ("there are x, xdot", lambda: nh.trim(CART, {"zzzz": 1}, ["u"])),
    ("solve: None where a list", lambda: nh.trim(CART, {"x": 1}, None)),
    ("nothing is called '3'", lambda: nh.trim(CART, {"x": 1}, [3])),
    ("kinematic = 'yes'", lambda: nh.controllability(CART, kinematic="yes")),
    ("1 where two functions", lambda: nh.control.flatness(UNICYCLE, outputs=["x"])),
    ("outputs: 3 where a list", lambda: nh.control.chained_form(UNICYCLE, outputs=3)),
    ("near th", lambda: nh.control.flatness(UNICYCLE, near={"th": "a"})),
    ("nh.control.flatness", lambda: nh.control.track(None, ["t"], 1.0)),
    ("outputs: None where a list", lambda: nh.control.track(flat(), None, 1.0)),
    ("until", lambda: nh.control.track(flat(), ["t", "t"], "a")),
    ("times = 0", lambda: nh.control.track(flat(), ["t", "t"], 1.0, times=0)),
    ("steer: start", lambda: nh.steer(CART, 3, {"x": 1})),
    ("obstacles: 3", lambda: nh.steer(CART, {}, {"x": 1}, 1.0, obstacles=3)),
    ("iterations", lambda: nh.steer(CART, {}, {"x": 1}, 1.0, iterations="a")),
    ("tolerance", lambda: nh.steer(CART, {}, {"x": 1}, 1.0, tolerance=-1)),
    ("shape: None", lambda: shaped(None)),
    ("no shape variable", lambda: shaped({})),
    ("psi: .* where numbers", lambda: shaped({"psi": [1, "a"], "phi": "0"})),
    ("three finite values", lambda: shaped({"psi": [], "phi": "0"})),
    ("displacement: unknown name", lambda: nh.gait(BOARD.system, LOOP, displacement="zzz", parameters=BOARD.parameters)),
    ("cycles", lambda: gait(cycles="a")),
    ("harmonics", lambda: gait(harmonics=0)),
    ("gait: start", lambda: gait(start=3)),
    ("bounds of psi", lambda: nh.gait(
        BOARD.system, ["psi", "phi"], displacement="x", parameters=BOARD.parameters, bounds={"psi": 0, "phi": 1}
    )),
    ("points", lambda: nh.control.connection(BOARD.system, {"psi": (0, 1)}, parameters=BOARD.parameters, points="a")),
    ("values of psi", lambda: nh.control.connection(BOARD.system, {"psi": ["a"]}, parameters=BOARD.parameters)),
    ("observe: 3", lambda: world(observe=3)),
    ("act u", lambda: world(act={"u": "a"})),
    ("act must be a table", lambda: world(act=3)),
    (r"act u = \(1, -1\)", lambda: world(act={"u": (1, -1)})),
    ("reward: 3", lambda: world(reward=3)),
    ("until = -1", lambda: world(until=-1)),
    ("start must be a table", lambda: world(start=3)),
    ("steps", lambda: world(steps="a")),
    (r"actions of shape \(2,\)", lambda: acted([1.0, 2.0])),
    ("actions: 'a' where numbers", lambda: acted("a")),
    ("noise must be a table", lambda: nh.observer(CART, {"x": 1}, noise=3)),
    ("every = 0", lambda: nh.observer(CART, {"x": 1}, every=0)),
    ("window = 0", lambda: nh.observer(CART, {"x": 1}, window=0)),
    ("spread", lambda: watch().begin({}, spread="a")),
    ("2 measurements where 1", lambda: watch().correct(watch().begin(), [1, 2])),
    ("NoneType where a belief", lambda: watch().predict(None)),
    ("times: 'a'", lambda: watch().estimate("a", "b")),
    ("count", lambda: nh.control.region_of_attraction(CART, {"x": 0}, None, {"x": 1}, 1.0, count="a")),
    ("where a System was needed", lambda: nh.control.kinematic(None)),
    ("rates: 3", lambda: nh.control.kinematic_system("x y", 3, "v w")),
    ("NoneType where a task", lambda: nh.control.record(None, None, 3, Path("never"))),
]  # fmt: skip


@pytest.mark.parametrize(("words", "call"), WRONG, ids=[f"{k}: {words}" for k, (words, _) in enumerate(WRONG)])
def test_a_mistake_is_told_in_one_clear_line(words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(nh.NonholoError, match=words) as found:
        call()
    line = str(found.value).splitlines()[0]
    assert not line.rstrip().endswith((";", ":", ","))


def test_a_system_whose_coordinates_are_all_free_is_steered() -> None:
    """A pendulum with a reaction wheel: the chain of its free speeds has no middle."""
    wheel = nh.System(
        coordinates="q f", lagrangian="qdot**2/2 + (qdot + fdot)**2/20 - 3*cos(q)", forces={"f": "u"}, inputs="u",
    )  # fmt: skip
    assert nh.steer(wheel, {"q": 0.0}, {"q": 0.0, "f": 0.5}, 2.0, nodes=20).error < 1e-8
