"""Every example runs and leaves a picture that is not blank."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_example_runs_and_draws(path, tmp_path, monkeypatch, capsys):
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    plt.close("all")
    (picture,) = tmp_path.glob("*.png")
    pixels = plt.imread(picture)[..., :3]
    assert pixels.std() > 0.02 and capsys.readouterr().out.strip()
