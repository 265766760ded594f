"""Every example runs, holds its own checks, and leaves a picture in the folder it is given, and nothing elsewhere."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
WANTED = (
    "sleigh_phase_portrait", "disk_never_falls", "rattleback_reversal", "basketball_pops_out", "benenti_orbits",
    "basketball_map", "snakeboard_gaits", "own_system",
)  # fmt: skip
"""What a newcomer is promised; there may be more."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_example_runs_and_draws(path, tmp_path, monkeypatch, capsys):
    import matplotlib.pyplot as plt

    here, out = tmp_path / "here", tmp_path / "new" / "out"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "argv", [str(path), str(out)])
    before = set(FOLDER.iterdir())
    runpy.run_path(str(path), run_name="__main__")
    (picture,) = out.iterdir()
    assert picture.name == f"{path.stem}.png" and not list(here.iterdir())
    assert {p for p in FOLDER.iterdir() if p.name != "__pycache__"} <= before
    pixels = plt.imread(picture)[..., :3]
    assert pixels.std() > 0.02 and min(pixels.shape[:2]) > 300
    assert f"wrote {picture}" in capsys.readouterr().out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_example_reads_like_a_page_and_checks_itself(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = ast.get_docstring(tree) or ""
    assert len(words.splitlines()) >= 6 and f"Run it: ``python examples/{path.name} [folder]``" in words
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree)), "no number is compared with a closed form"


def test_the_list_of_examples_is_complete():
    assert set(WANTED) <= {path.stem for path in EXAMPLES}
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES:
        assert f"({path.name})" in listed and f"{path.stem}.png" in listed
