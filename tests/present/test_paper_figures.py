"""The plotted figures of the papers: all there, each with a caption, and what they show is what the papers say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import nonholo as nh

matplotlib.use("Agg")


def drawn(paper: str, number: str) -> Any:
    found = nh.figures(paper, number)
    plt.close(found.figure)
    return found.figure.axes


def longest(axes: Any) -> list[Any]:
    return sorted((line.get_xydata() for line in axes.lines), key=len)[::-1]


def test_there_are_forty_four_with_captions_of_their_own() -> None:
    listed = nh.figures()
    assert len(listed) == 44
    count = {p: len(nh.figures(p)) for p in ("bmz", "zenkov", "benenti", "macdonnell", "notices")}
    assert count == {"bmz": 3, "zenkov": 4, "benenti": 28, "macdonnell": 8, "notices": 1}
    assert len({e.caption for e in listed}) == 44


@pytest.mark.parametrize("which", ["bmz 6.4", "zenkov 4b", "benenti 4", "benenti 32", "macdonnell 9.2", "notices 4"])
def test_figures_are_drawn_and_written(which: str, tmp_path: Path) -> None:
    paper, number = which.split()
    found = nh.figures(paper, number, path=tmp_path / "figure.png")
    found.close()
    assert (tmp_path / "figure.png").stat().st_size > 8000


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path: Path) -> None:
    for entry in nh.figures():
        nh.figures(entry.paper, entry.number, path=tmp_path / "figure.svg").close()


def test_reduced_motions_of_the_oscillator_are_closed_curves() -> None:
    """BMZ 6.3: the last turn lies on the first, to the distance of drawn points."""
    (axes,) = drawn("bmz", "6.3")
    curves = [np.array(line.get_data_3d()).T for line in axes.lines if len(line.get_data_3d()[0]) > 10]
    assert len(curves) == 4
    for curve in curves:
        gaps = np.linalg.norm(curve[-300:, None] - curve[None, :900], axis=2).min(axis=1)
        assert gaps.max() < 5e-3 < np.ptp(curve[:, 0])


def test_hamel_integrator_keeps_length_and_energy_to_rounding() -> None:
    for number in ("5a", "5b"):
        (axes,) = drawn("zenkov", number)
        values = longest(axes)[0][:, 1]
        assert len(values) == 10_001 and 0 < np.max(np.abs(values)) < 1e-13


def test_figures_of_the_points_show_what_the_text_says() -> None:
    """Benenti 17: parallel straight lines; 10: one closed curve for both points; 32: ahead first, then back."""
    (axes,) = drawn("benenti", "17")
    assert all(np.ptp(curve[:, 0]) < 1e-9 for curve in longest(axes)[:2])
    (axes,) = drawn("benenti", "10")
    first, second = longest(axes)[:2]
    assert np.max(np.abs(first + second)) < 1e-6
    (axes,) = drawn("benenti", "32")
    path = longest(axes)[0]
    ahead = path @ np.array([np.cos(2 * np.pi / 3), np.sin(2 * np.pi / 3)])
    assert 0 < ahead.max() < 0.2 and ahead[-1] < -ahead.max()


def test_basketball_leaves_the_hoop_where_the_thesis_says() -> None:
    (axes,) = drawn("macdonnell", "11.8")
    (place,) = [line.get_xdata() for line in axes.lines if line.get_marker() == "o"]
    assert float(np.ravel(place)[0]) == pytest.approx(-0.10, abs=0.01)


@pytest.mark.parametrize(("given", "words"), [(("bmz", "6.1"), "no plotted figure"), (("bmx", "6.2"), "no paper")])
def test_wrong_numbers_say_what_there_is(given: Any, words: str) -> None:
    with pytest.raises(nh.StateError, match=words):
        nh.figures(*given)
