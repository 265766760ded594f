"""Plots and films of fields."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import FileError, StateError
from nonholo.present.fields.field_interactive import film_figure

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def runs():
    return {
        "string": nh.fields.String(nodes=16).simulate({"theta": "s", "omega": "1"}, 0.5, t_eval=6),
        "sleigh": nh.fields.SleighString(nodes=16).simulate({"v": 1.0, "omega": 0.5}, 2.0, t_eval=6),
        "fluid": nh.fields.Fluid(nodes=16).simulate({"vorticity": "cos(x) + sin(2*y)"}, 0.5, t_eval=4),
    }


@pytest.mark.parametrize("name, panels", [("string", 4), ("sleigh", 4), ("fluid", 3)])
def test_a_sheet_of_what_is_worth_seeing(runs, name, panels, tmp_path):

    axes = runs[name].plot(path=tmp_path / "sheet.png")
    assert len(axes) == panels and (tmp_path / "sheet.png").stat().st_size > 10_000


def test_curves_maps_profiles_and_courses(runs):

    run = runs["string"]
    curves = run.plot("x", "y")
    assert sum(len(line.get_xdata()) == 200 for line in curves.lines) == 6
    last = [line for line in curves.lines if len(line.get_xdata()) == 200][-1]
    assert last.get_xdata()[-1] == pytest.approx(run["x"][-1, -1], abs=1e-9)
    assert np.allclose(run.plot("tension").collections[0].get_array(), run["tension"].T)
    assert len(run.plot("s", "tension").lines) == 5
    assert run.plot("t", "momentum_x", "momentum_y").get_legend() is not None
    assert len(run.plot("energy").lines) == 1
    assert run.plot(backend="png")[:4] == b"\x89PNG"


def test_what_cannot_be_drawn_is_said(runs):
    for names, words in (
        (("x", "energy"), "draw totals over t"),
        (("t", "tension"), "varies along the field too"),
        (("tensoin",), "did you mean 'tension'"),
    ):
        with pytest.raises(StateError, match=re.escape(words)):
            runs["string"].plot(*names)
    with pytest.raises(StateError, match="a flow is drawn alone"):
        runs["fluid"].plot("x", "vorticity")


@pytest.mark.parametrize("name", ["string", "sleigh", "fluid"])
def test_interactive_figures_are_plain_data(runs, name):
    for figure in runs[name].plot(backend="plotly"):
        assert json.loads(figure.to_json())["data"]


def test_every_curve_can_be_told_from_the_page(runs):
    from matplotlib.colors import to_rgb

    def luminance(colour):
        linear = [e / 12.92 if e <= 0.04045 else ((e + 0.055) / 1.055) ** 2.4 for e in to_rgb(colour)]
        return np.dot((0.2126, 0.7152, 0.0722), linear)

    drawn = [line.get_color() for line in runs["string"].plot("x", "y").lines if len(line.get_xdata()) == 200]
    interactive = [
        np.array(re.findall(r"\d+", e["line"]["color"]), dtype=float) / 255
        for e in json.loads(runs["string"].plot("x", "y", backend="plotly").to_json())["data"]
    ]
    assert len(drawn) == len(interactive) == 6
    assert min(1.05 / (luminance(e) + 0.05) for e in [*drawn, *interactive]) > 3


@pytest.mark.parametrize("name, parts", [("string", 2), ("sleigh", 3), ("fluid", 1)])
def test_a_film_shows_every_moment(runs, name, parts):
    run = runs[name]
    figure = film_figure(run)
    assert len(figure["frames"]) == len(run["t"]) and all(len(f["data"]) == parts for f in figure["frames"])
    json.dumps(figure, allow_nan=False)
    last = figure["frames"][-1]["data"][0]
    if name == "fluid":
        reach = np.abs(run["vorticity"]).max()
        assert np.abs(np.array(last["z"]) * reach - run["vorticity"][-1].T).max() < 2e-3 * reach
    else:
        assert last["x"][-1] == pytest.approx(run["x"][-1, -1], abs=1e-3)


def test_films_are_written(runs, tmp_path):
    runs["string"].film(tmp_path / "film.html")
    assert "Plotly.addFrames" in (tmp_path / "film.html").read_text("utf-8")
    for name in ("sleigh", "fluid"):
        runs[name].film(tmp_path / f"{name}.gif", seconds=0.5, fps=6, progress=False)
        from PIL import Image

        with Image.open(tmp_path / f"{name}.gif") as film:
            assert film.n_frames >= 2
    assert "iframe" in runs["string"].film()._repr_html_()
    with pytest.raises(FileError, match="a film ends in"):
        runs["string"].film(tmp_path / "film.avi")


def test_a_run_that_was_kept_is_drawn_too(runs, tmp_path):
    runs["string"].save(tmp_path / "run.nc")
    assert nh.open(tmp_path / "run.nc").plot(backend="png")[:4] == b"\x89PNG"
    assert "<table>" in runs["string"]._repr_html_()
