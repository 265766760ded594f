"""docs/files.md: every key of a system's file is on the page, and its files are systems that pass their checks."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.drawing_words import SAME, SIZES
from nonholo.model.files.toml_files import READERS, loads
from nonholo.notation.functions import FUNCTIONS

PAGE = (Path(__file__).parents[1] / "docs" / "files.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)


def test_every_key_is_on_the_page_and_every_word_is_known() -> None:
    files, _, drawing = PAGE.partition("## A drawing")
    keys, shapes = (
        set(re.findall(r"\b[a-z]+\b", " ".join(line.split("|")[1] for line in part.splitlines() if line.startswith("| `"))))
        for part in (files, drawing)
    )
    assert keys == set(READERS)
    assert {SAME.get(n, n) for n in shapes - {"shape"}} == {*SIZES, "path"}
    words = re.search(r"`(sin cos .*?)`", PAGE, re.S)
    assert words and set(words.group(1).split()) - {"Piecewise"} <= set(FUNCTIONS)


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: text.split('"')[1])
def test_its_files_are_systems_whose_derivations_agree(text: str) -> None:
    system = loads(text)
    assert all(nh.check(system)) and nh.simulate(system, until=1.0).outcome.reached


def test_the_rolling_ball_keeps_its_velocity() -> None:
    """A homogeneous ball on a level table rolls straight on with constant speed [any textbook]."""
    run = nh.simulate(loads(BLOCKS[1]), until=3.0)
    assert run["xdot"] == pytest.approx(run["xdot"][0], abs=1e-8) and run["ydot"] == pytest.approx(
        run["ydot"][0], abs=1e-8
    )
    assert run["ydot"][0] == pytest.approx(-1.0)


def test_the_skateboards_wheels_stand_on_the_ground_and_look_where_they_go() -> None:
    board = loads(BLOCKS[2])
    run = nh.simulate(board, until=2.0, t_eval=9, rtol=1e-11)
    assert board.drawing is not None
    bodies = evaluate_drawing(board.drawing, board, {n: run[n] for n in (*board.coordinates, "t")})["bodies"]
    front = bodies[1]
    assert front["position"][:, 2] == pytest.approx(front["size"]["radius"])
    ahead = run["theta"] + run["delta"]
    # the truck's own velocity, x + l e(theta) differentiated by hand
    across = run["xdot"] - 0.4 * run["thetadot"] * np.sin(run["theta"])
    along = run["ydot"] + 0.4 * run["thetadot"] * np.cos(run["theta"])
    assert np.max(np.abs(across * np.sin(ahead) - along * np.cos(ahead))) < 1e-9
    assert front["rotation"][:, :2, 0] == pytest.approx(np.column_stack([np.cos(ahead), np.sin(ahead)]))
