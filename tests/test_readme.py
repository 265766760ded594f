"""The README's sleigh works as printed: the file, the Python lines and the commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

import nonholo as nh

README = Path(__file__).parents[1] / "README.md"


def block(kind: str) -> str:
    found = re.search(rf"```{kind}\n(.*?)```", README.read_text("utf-8"), re.S)
    assert found, kind
    return found.group(1)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "sleigh.toml").write_text(block("toml"), "utf-8")
    return tmp_path


def test_the_python_lines_run(place):
    script = "import matplotlib\nmatplotlib.use('Agg')\n" + block("python")
    done = subprocess.run([sys.executable, "-c", script], cwd=place, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "cos(" in done.stdout and (place / "sleigh.html").stat().st_size > 10_000


def test_the_commands_run(place):
    lines = [line.strip() for line in README.read_text("utf-8").splitlines() if line.startswith("    nonholo ")]
    assert len(lines) == 4
    for line in lines:
        words = shlex.split(line)
        call = [sys.executable, "-m", "nonholo", *words[1:]]
        done = subprocess.run(call, cwd=place, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, (line, done.stderr)
    assert (place / "sleigh.html").exists() and (place / "sleigh.gif").exists()


def test_every_picture_is_there():
    for path in re.findall(r"\]\(((?:docs|examples)/[^)]*)\)", README.read_text("utf-8")):
        assert (README.parent / path).exists(), path


def test_it_begins_with_three_sentences_a_picture_and_two_commands():
    title, words, picture, commands = README.read_text("utf-8").split("\n\n")[:4]
    assert title == "# nonholo" and len(re.findall(r"\.(?=\s|$)", words.replace("**", ""))) == 3
    assert picture.startswith("![") and [line.split()[1] for line in commands.splitlines()] == ["run", "test"]


def test_its_counts_are_those_of_the_gallery():
    words = README.read_text("utf-8")
    assert len(nh.gallery.names()) == 78 and "seventy-eight systems" in words
    assert f"`nonholo` {nh.__version__}" in words


def test_every_call_it_names_exists():
    words = README.read_text("utf-8")
    calls = set(re.findall(r"`nh\.(\w+)", words))
    assert len(calls) > 15 and not [name for name in calls if not hasattr(nh, name)]
    from nonholo.cli.application import application

    commands = {c.name or c.callback.__name__ for c in application().registered_commands}
    assert set(re.findall(r"(?:`|^    )nonholo ([a-z]+)", words, re.M)) <= commands


def table(heading: str) -> list[list[str]]:
    """The rows of a table of docs/benchmarks.md."""
    words = (README.parent / "docs" / "benchmarks.md").read_text("utf-8")
    part = words.partition(f"`python -m benchmarks {heading}`")[2].partition("\n## ")[0]
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    return rows[2:]


def test_its_measured_numbers_are_those_of_the_tables():
    """Rounded as a person would; the tables say how they were taken."""
    rows = {
        line.split("|")[3].strip(): line.split("|")[2]
        for line in README.read_text("utf-8").splitlines()
        if "benchmarks " in line
    }

    def numbers(cells):
        return [float(c) for c in cells if c]

    first = numbers(row[3] for row in takewhile(lambda row: row[0] != "method", table("first")))
    assert f"{first[0]:.0f} / {first[1]:.0f} times faster" in README.read_text("utf-8")
    against = numbers(row[3] for row in table("integrate"))
    assert f"{min(against):.0f} to {max(against):.0f} times faster" in README.read_text("utf-8")
    sleigh, stone = (numbers(r[4] for r in table("integrate") if r[0].startswith(n)) for n in ("sleigh", "rattleback"))
    told = f"{min(sleigh):.3g} to {max(sleigh):.2g} (sleigh), {min(stone):.0f} to {max(stone):.0f} (rattleback) times faster"
    assert told in README.read_text("utf-8")
    assert min(numbers(row[2] for row in table("peers"))) > 160
    gcc = numbers(row[4] for row in table("rhs"))
    assert f"{min(gcc):.2f} to {max(gcc):.2f} of its time" in rows["`python -m benchmarks rhs`"]
    many = numbers(row[3] for row in table("many") if "heyoka" in row[0])
    assert f"{min(many):.0f} to {max(many):.0f} times the motions" in rows["`python -m benchmarks many`"]
