"""The README's sleigh works as printed: the file, the Python lines and the commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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
