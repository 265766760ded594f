"""The page's figures of behaviour: the numbers of the branch, its stable stretches, its special points; sections."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

import nonholo as nh
from nonholo.present.figures.family_plots import plot_branch
from nonholo.present.figures.interactive import branch_figure, section_figure


@pytest.fixture(scope="module")
def hoop() -> nh.Branch:
    """A bead at the bottom of a turning hoop: λ² = Ω² − 1, so that it swings below Ω = 1 and leaves above."""
    system = nh.System(coordinates="q", lagrangian="qdot**2/2 + Omega**2*sin(q)**2/2 + cos(q)", parameters={"Omega": 0.5})
    return nh.branch(system, {"q": 0}, along="Omega", until=2.0)


def test_curves_are_the_closed_eigenvalues_and_the_stable_stretch_ends_where_they_turn_real(hoop: nh.Branch) -> None:
    figure = branch_figure(hoop)
    for curve in figure.data:
        x, y = (np.asarray(curve[n], dtype=float) for n in "xy")
        if curve["name"] == "frequency":
            seen = np.isfinite(y)
            assert np.all(x[seen] <= 1 + 1e-6) and np.allclose(y[seen], np.sqrt(1 - x[seen] ** 2), atol=1e-6)
        elif curve["name"] == "growth":
            assert np.allclose(np.abs(y), np.sqrt(np.clip(x**2 - 1, 0, None)), atol=1e-6)
    assert [c["name"] for c in figure.data if c.get("showlegend", True)] == ["frequency", "growth", "branch point"]
    shapes = figure.layout["shapes"]
    assert isinstance(shapes, list)
    shaded = [(s["x0"], s["x1"]) for s in shapes if s["type"] == "rect"]
    assert shaded == [pytest.approx((0.5, 1.0), abs=1e-9)]
    assert [a["text"] for a in figure.layout["annotations"]] == ["1"]  # type: ignore[attr-defined]


def test_the_page_shows_the_window_of_the_printed_figure(hoop: nh.Branch) -> None:

    panel = plot_branch(hoop)
    figure = branch_figure(hoop)
    assert figure.yaxis["range"] == pytest.approx(panel.get_ylim())
    assert figure.xaxis["range"] == pytest.approx(panel.get_xlim())


def test_slow_growth_beside_fast_oscillation_has_an_axis_of_its_own(hoop: nh.Branch) -> None:
    """Growth up to 4 beside frequencies of 115 is no flat line, on page and paper; frequencies fill their axis from zero up."""

    rates = np.linspace(-4.2, 4.2, len(hoop.values))
    fast = replace(hoop, eigenvalues=np.stack([rates + 115j, rates - 115j], axis=1), special=())
    figure = branch_figure(fast)
    axes = figure.table()["layout"]
    (low, high), second = axes["yaxis"]["range"], axes["yaxis2"]["range"]
    assert 4.2 <= high <= 6 and -6 <= low <= -4.2
    assert second[0] == 0 and 115 <= second[1] < 150
    assert {c["name"]: c.get("yaxis", "y") for c in figure.data} == {"frequency": "y2", "growth": "y"}
    panel = plot_branch(fast, y="modes")
    assert panel.get_ylim() == pytest.approx((low, high))
    assert panel.figure.axes[1].get_ylim() == pytest.approx(second)
    assert "yaxis2" not in branch_figure(hoop).layout


def test_a_branch_shows_its_diagram_with_the_modes_below(hoop: nh.Branch) -> None:
    """Beyond Ω = 1 the bead stays at cos q = 1/Ω², on either side."""

    system = nh.System(coordinates="q", lagrangian="qdot**2/2 + Omega**2*sin(q)**2/2 + cos(q)", parameters={"Omega": 0.5})
    found = nh.branch(system, {"q": 0}, along="Omega", until=2.0, switch=True)
    panel = found.plot()
    below = panel.figure.axes[1]
    drawn = np.concatenate([line.get_xydata() for line in panel.lines])
    away = drawn[np.isfinite(drawn[:, 1]) & (np.abs(drawn[:, 1]) > 0.05)]
    assert panel.get_ylabel() == "$q$" and "growth" in below.get_ylabel() and below.get_xlabel() == r"$\Omega$"
    assert min(away[:, 1]) < -0.9 < 0.9 < max(away[:, 1])
    assert np.cos(away[:, 1]) == pytest.approx(1 / away[:, 0] ** 2, abs=1e-8)
    stone = nh.branch(nh.gallery.get("rattleback").system, {"w3": 1.0}, along="w3", until=3.0)
    assert "growth" in stone.plot().get_ylabel()  # nothing varies but the spin itself
    alone = found.plot("modes")
    assert len(alone.figure.axes) == 1 and "growth" in alone.get_ylabel()


def test_angles_of_a_section_are_wrapped() -> None:

    turning = nh.System(coordinates="a b", lagrangian="(adot**2 + bdot**2)/2 + cos(a) + cos(b)/3 - (1 - cos(a - b))/5")
    found = nh.section(turning, {"adot": 2.9, "bdot": 0.4}, "sin(a)", 12)
    assert (found.plot().get_xlabel(), found.plot().get_title()) == ("$b$", r"system: $\sin a$ = 0")  # a is 0 or ±π there
    panel = found.plot("a", "b")
    shown = np.asarray(panel.collections[0].get_offsets())
    assert np.ptp(found["a"]) > 7 and np.all(np.abs(shown) <= np.pi + 1e-9)
    assert np.sin(shown[:, 1]) == pytest.approx(np.sin(found["b"][0]))


def test_plotly_knows_every_word_and_json_holds_it(hoop: nh.Branch) -> None:
    figure = branch_figure(hoop)
    assert json.loads(json.dumps(figure.table(), allow_nan=False)) == json.loads(figure.plotly().to_json())


def test_a_point_at_zero_but_for_rounding_is_told_as_zero() -> None:
    sleigh = nh.gallery.get("chaplygin-sleigh")
    found = nh.branch(sleigh.system, {"v": -1.0}, along="v", until=1.0, parameters=sleigh.parameters)
    assert [a["text"] for a in branch_figure(found).layout["annotations"]] == ["0"]  # type: ignore[attr-defined]


def test_two_points_at_one_place_are_told_once_and_neighbours_one_above_the_other(hoop: nh.Branch) -> None:
    one = hoop.special[0]
    at = [replace(one, value=v, kind=kind) for v, kind in ((1.0, "fold"), (1.0 + 1e-12, "collision"), (1.05, "Hopf point"))]
    figure = branch_figure(replace(hoop, special=tuple(at)))
    assert [(a["text"], a["yshift"]) for a in figure.layout["annotations"]] == [("1", 0), ("1.05", 12)]  # type: ignore[attr-defined]
    assert [c["name"] for c in figure.data if c["mode"] == "markers"] == ["fold", "collision", "Hopf point"]


def test_a_section_is_drawn_point_by_point() -> None:
    swing = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**2/2 - y**2", name="two springs")
    found = nh.section(swing, {"x": 1, "ydot": 0.7}, "x", 9)
    figure = section_figure(found, "y", "ydot").table()
    up = np.frombuffer(b64decode(figure["data"][0]["y"]["bdata"]), "<f4")
    assert np.array_equal(up, found["ydot"][0].astype(np.float32)) and figure["data"][0]["mode"] == "markers"
    assert figure["layout"]["xaxis"]["title"]["text"] == "<i>y</i>"


def modes_of(branch: nh.Branch, *columns: np.ndarray) -> nh.Branch:
    return replace(branch, eigenvalues=np.stack(columns, axis=1).astype(complex))


def window(branch: nh.Branch) -> list[float]:
    return np.asarray(branch_figure(branch).yaxis["range"], dtype=float).tolist()


def test_the_window_is_flattened_neither_by_a_fast_mode_nor_by_one_that_grows_without_bound(hoop: nh.Branch) -> None:
    x = hoop.values
    slow, fast = 0.5 * np.sin(x), -332.0 - x
    low, high = window(modes_of(hoop, slow, -slow, *[0 * x] * 3, fast))
    assert -0.7 < low < -0.4 and 0.4 < high < 0.7
    low, high = window(modes_of(hoop, slow, -8 * slow))
    assert low < -3.9, "what is only some times faster is shown"
    pole = 1 / (2.01 - x)
    _, high = window(modes_of(hoop, pole, -pole))
    assert pole.max() > 50 and high < 12 * np.median(pole)
