"""The command figure: lists, draws, and says what there is."""

from __future__ import annotations

from pathlib import Path


def test_figures_are_listed_and_drawn(run, tmp_path: Path) -> None:
    assert "6.3" in run("nonholo figure bmz").stdout
    target = tmp_path / "portrait.pdf"
    found = run(f"nonholo figure notices 4 --out {target}")
    assert found.returncode == 0 and target.exists()


def test_a_wrong_number_is_one_line(run) -> None:
    found = run("nonholo figure bmz 7")
    assert found.returncode == 2
    assert "6.2, 6.3, 6.4" in found.stderr
