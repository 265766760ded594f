"""Exercises of the gallery: the goals can be reached by the sliders they name, and the right answers are what the motion does."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import nonholo as nh
from nonholo.gallery.exhibit import page_lists
from nonholo.notation.parse import parse


def test_there_are_ten_and_they_stand_on_pages_of_the_gallery() -> None:
    assert sum(map(len, page_lists("exercises").values())) == 10
    for name, told in page_lists("exercises").items():
        page = nh.gallery.get(name).system.page
        assert page is not None
        assert [e.question for e in page.exercises] == [e["question"] for e in told]


def _final(name: str, more: dict[str, float]) -> dict[str, float]:
    exhibit = nh.gallery.get(name)
    start = {**exhibit.start, **{n: e for n, e in more.items() if n not in exhibit.system.parameters}}
    values = {n: e for n, e in more.items() if n in exhibit.system.parameters}
    return dict(nh.simulate(exhibit.system, start, exhibit.until, values).final)


@pytest.mark.parametrize(
    ("name", "between", "signed"),
    [
        ("chaplygin-sleigh", (0.05, 1.2), "theta - pi/2"),
        ("vertical-disk", (0.7, 0.9), "turn"),
        ("ball-on-turntable", (2.6, 3.2), "turn"),
    ],
)
def test_a_goal_is_reached_by_the_slider_it_names(name: str, between: tuple[float, float], signed: str) -> None:
    page = nh.gallery.get(name).system.page
    assert page is not None
    one = next(e for e in page.exercises if e.goal)
    (slider,) = one.change
    goal = parse(one.goal, nh.gallery.get(name).system.coordinates, "goal")

    def distance(value: float) -> float:
        final = _final(name, {**one.numbers, slider: value})
        return abs(float(goal.subs({s: final[str(s)] for s in goal.free_symbols})))

    own = {**nh.gallery.get(name).start, **nh.gallery.get(name).parameters, **one.numbers}[slider]
    assert distance(own) > 3 * one.within
    if signed == "turn":  # a distance has no sign: the closed forms of the explanations
        found = 2 * np.pi / 8 if name == "vertical-disk" else 2 * 7 * np.pi / 15
    else:
        found = brentq(lambda w: _final(name, {**one.numbers, slider: w})["theta"] - np.pi / 2, *between, xtol=1e-6)
    assert between[0] < found < between[1]
    assert distance(found) < one.within / 3


def test_the_right_choices_are_what_the_motions_do() -> None:
    sleigh = _final("chaplygin-sleigh", {})
    assert abs(sleigh["omega"]) < 1e-2 < 0.5 < sleigh["v"]
    exhibit = nh.gallery.get("knife-edge")
    edge = nh.simulate(exhibit.system, exhibit.start, 10 * exhibit.until)
    down, across = (np.ptp(edge.data[c].values) for c in "xy")  # the weight acts along x
    assert across > 50 * down
    turn = nh.gallery.get("ball-on-turntable")
    path = nh.simulate(turn.system, turn.start, 30.0)
    points = np.stack([path.data[c].values for c in "xy"], axis=1)
    rows = np.hstack([2 * points, np.ones((len(points), 1))])
    centre = np.linalg.lstsq(rows, np.sum(points**2, axis=1), rcond=None)[0]
    radii = np.linalg.norm(points - centre[:2], axis=1)
    assert np.ptp(radii) < 1e-6 * np.mean(radii)
    assert _final("rattleback", {})["w3"] > 1
    assert _final("tippe-top", {})["R33"] < -0.5
    board = nh.gallery.get("snakeboard")
    ridden = nh.simulate(board.system, board.start, board.until)
    assert np.hypot(ridden.final["x"], ridden.final["y"]) > 1


@pytest.mark.slow
def test_the_bicycle_comes_upright_at_the_speed_of_the_answer_alone() -> None:
    bicycle = nh.gallery.get("whipple-bicycle").system
    lean = {}
    for v in (3.0, 5.0, 8.0):
        run = nh.simulate(bicycle, {"v": v, "leaning": 0.5}, 5.0)
        lean[v] = max(abs(run.data["phi"].values[-200:]))
    assert lean[5.0] < 0.05 < min(lean[3.0], lean[8.0])


def test_a_file_holds_exercises_and_gives_them_back(tmp_path) -> None:  # type: ignore[no-untyped-def]
    system = nh.gallery.get("chaplygin-sleigh").system
    nh.dump(system, tmp_path / "sleigh.toml")
    again = nh.load(tmp_path / "sleigh.toml")
    assert again == system
    assert again.page.exercises == system.page.exercises
    assert "[[exercises]]" in (tmp_path / "sleigh.toml").read_text()


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"question": "?"}, "either choices"),
        ({"question": "?", "choices": ["a"], "answer": 2}, "counted from 1"),
        ({"question": "?", "goal": "x - 1"}, "positive number"),
        ({"question": "?", "goal": "z - 1", "within": 0.1}, "z"),
        ({"question": "?", "goal": "x", "within": 0.1, "change": ["vv"]}, "no quantity is called 'vv'"),
        ({"question": "?", "goal": "x", "within": 0.1, "at": "start"}, "end, closest"),
        ({"question": "?", "gaol": "x"}, "did you mean 'goal'"),
    ],
)
def test_mistakes_in_exercises_say_what_is_needed(bad: dict[str, object], words: str) -> None:
    with pytest.raises(nh.NonholoError, match=words):
        nh.System(coordinates="x", lagrangian="xdot**2/2", page={"exercises": [bad]})
