"""Tables on a terminal of 80 columns: nothing is cut, formulas break after operators, marks have colours (NO_COLOR: none)."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from contextlib import redirect_stdout
from typing import Any

import pytest

from nonholo import gallery
from nonholo.cli.main import main
from nonholo.cli.terminal import fitted, say, table, wrapped

MORE = ("chaplygin-sleigh", "snakeboard", "rolling-disk", "unicycle")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((80, 24)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Screen()


def test_every_name_of_the_gallery_can_be_copied_from_the_list(screen: Screen) -> None:
    with redirect_stdout(screen):
        assert main(["list"]) == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if line[:1].strip()} >= set(gallery.names())
    # a title stays in one line where it can, below the thing it belongs to
    assert len(lines) < 1.3 * len(gallery.names())
    places = ("── Blades", "chaplygin-sleigh          Chaplygin sleigh (unbalanced)", "── Machines")
    assert sorted(places, key=lines.index) == list(places)


@pytest.mark.slow
def test_rotations_are_told_by_angles_on_a_terminal_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stability", "lagrange-top"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("equilibrium", "steady"))]
    assert any("tilt = 3.14159" in line for line in told) and not any("R33 =" in line for line in told)


def test_a_long_formula_is_wrapped_after_operators_and_whole(screen: Screen) -> None:
    formula = "+".join(f"m{k}*xdot*cos(theta{k})*sin(psi{k})" for k in range(9))
    with redirect_stdout(screen):
        table(("", "quantity", "drift"), [("✓", formula, "1e-13")])
    lines = screen.getvalue().splitlines()[2:]
    parts = [line.replace("\033[32m", "").replace("\033[0m", "")[3:] for line in lines]
    assert "".join(p.removesuffix("1e-13").strip() for p in parts) == formula
    assert all(p.removesuffix("1e-13").strip()[-1] in "*/+,(-" for p in parts[:-1])


def test_marks_are_coloured_unless_the_user_says_no(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    with redirect_stdout(screen):
        table(("", "check"), [("✓", "holds"), ("✗", "fails")])
    assert "\033[32m✓" in screen.getvalue() and "\033[31m✗" in screen.getvalue()
    screen.truncate(0)
    monkeypatch.setenv("NO_COLOR", "1")
    with redirect_stdout(screen):
        table(("", "check"), [("✓", "holds"), ("✗", "fails")])
    assert "\033" not in screen.getvalue()


@pytest.mark.parametrize("command", ["classify", "control", "derive", "integrals", "linearise", "reduce", "stability", "verdict"])
@pytest.mark.parametrize("name", ["vertical-disk", *(pytest.param(n, marks=pytest.mark.slow) for n in MORE)])
def test_answers_fit_80_columns_and_break_no_word(command: str, name: str, screen: Screen, monkeypatch: Any) -> None:
    """The words and formulas at 80 columns are those of a terminal as wide as one likes."""
    monkeypatch.setenv("NO_COLOR", "1")
    wide = Screen()
    with redirect_stdout(screen):
        assert main([command, name]) == 0
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((5000, 24)))
    with redirect_stdout(wide):
        assert main([command, name]) == 0
    words = [re.findall(r"[A-Za-z_]\w*|[\d.]+(?:e[+-]?\d+)?", text.getvalue()) for text in (screen, wide)]
    assert max(map(len, screen.getvalue().splitlines())) <= 80 and Counter(words[0]) == Counter(words[1])


def test_a_power_keeps_its_exponent() -> None:
    assert wrapped("a**2*m*omega**2/2", 11) == ["a**2*m*", "omega**2/2"]


def test_a_function_keeps_its_bracket() -> None:
    assert wrapped("R*g*sin(alpha)*sin(th)", 11) == ["R*g*", "sin(alpha)*", "sin(th)"]


def test_a_word_that_fills_its_column_hangs_like_those_above() -> None:
    told = fitted("  proved   a is constant\n  measured a momentum is constant", 24)
    assert told.splitlines()[1:] == ["  measured a momentum is", "           constant"]


def test_short_words_stay_whole() -> None:
    assert wrapped("stable-looking words", 8) == ["stable-", "looking", "words"]
    assert wrapped("", 8) == [""]


def test_in_a_pipe_a_line_arrives_when_it_is_said() -> None:
    """The lab says its address and goes on for hours: a program that reads the address must not wait for its end."""
    arrived = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(arrived, encoding="utf-8")) as stream:
        say("The lab is open")
        assert arrived.getvalue() == b"The lab is open\n"
        stream.detach()
