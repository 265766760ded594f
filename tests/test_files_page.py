"""docs/files.md: every key of a system's file is on the page, and its files are systems that pass their checks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.algebra.functions import FUNCTIONS
from nonholo.model.files import READERS, loads

PAGE = (Path(__file__).parents[1] / "docs" / "files.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)


def test_every_key_is_on_the_page_and_every_word_is_known() -> None:
    keys = set(
        re.findall(r"\b[a-z]+\b", " ".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")))
    )
    assert keys == set(READERS)
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
