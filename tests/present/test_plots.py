"""Paper figures of a motion: numbers in the lines, labels with units, files, headings, notebooks."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import nonholo as nh
from nonholo.finding import Finding
from nonholo.finding.html_tables import Findings
from nonholo.gallery.exhibit import Body, Drawing
from nonholo.gallery.exhibit import heading as turned
from nonholo.integrate.results.presenters import presenter
from nonholo.present.figures.plane_path import headings, is_place, smooth_path
from nonholo.present.style.plot_style import save_figure
from tests.present.runs import motion
from tests.present.test_interactive import closed_sleigh


def labels(axes: Any) -> tuple[str, str]:
    return axes.get_xlabel(), axes.get_ylabel()


def test_velocities_over_time_are_the_closed_motion() -> None:
    axes = motion("chaplygin-sleigh").plot("t", "omega", "v")
    omega, v = closed_sleigh(axes.lines[0].get_xdata())
    assert np.max(np.abs(axes.lines[0].get_ydata() - omega)) < 1e-7
    assert np.max(np.abs(axes.lines[1].get_ydata() - v)) < 1e-7
    assert labels(axes) == ("$t$ [s]", r"$\omega$, $v$")
    assert [t.get_text() for t in axes.get_legend().get_texts()] == [r"$\omega$ [rad/s]", "$v$ [m/s]"]


def test_a_path_has_equal_axes_units_and_marked_ends() -> None:
    run = motion("chaplygin-sleigh")
    axes = run.plot("x", "y")
    assert axes.get_aspect() == 1.0
    assert labels(axes) == ("$x$ [m]", "$y$ [m]")
    ends = {
        line.get_label(): line.get_xydata()[0].tolist() for line in axes.lines if line.get_label() in ("start", "end")
    }
    assert ends == {"start": [0.0, 0.0], "end": [run["x"][-1], run["y"][-1]]}


def test_heading_marks_look_along_the_blade() -> None:
    run = motion("chaplygin-sleigh")
    axes = run.plot("x", "y", glyphs=9)
    quiver = next(c for c in axes.collections if type(c).__name__ == "Quiver")
    at = [int(np.argmin(np.hypot(run["x"] - x, run["y"] - y))) for x, y in quiver.get_offsets()]
    assert len(at) == 9
    assert np.allclose(
        np.column_stack([quiver.U, quiver.V]), np.column_stack([np.cos(run["theta"][at]), np.sin(run["theta"][at])])
    )


def test_one_name_alone_is_drawn_over_time_and_a_constant_as_a_level_line() -> None:
    axes = motion("chaplygin-sleigh").plot("energy")
    assert labels(axes) == ("$t$ [s]", "energy [J]")
    low, high = axes.get_ylim()
    assert high - low > 0.05 * axes.lines[0].get_ydata()[0]  # rounding errors do not fill the picture


def test_rates_have_units_per_second() -> None:
    assert motion("chaplygin-sleigh").plot("t", "thetadot").get_ylabel() == r"$\dot{\theta}$ [rad/s]"


def test_the_sheet_shows_what_the_drawing_says() -> None:
    panels = motion("chaplygin-sleigh").plot()
    assert [labels(p) for p in panels] == [
        ("$x$ [m]", "$y$ [m]"),
        ("$t$ [s]", r"$\omega$ [rad/s]"),
        ("$t$ [s]", "$v$ [m/s]"),
        (r"$\omega$ [rad/s]", "$v$ [m/s]"),
    ]


def test_a_system_of_ones_own_gets_a_sensible_sheet() -> None:
    system = nh.System(
        "own", coordinates="x y phi", lagrangian="(xdot**2 + ydot**2 + phidot**2)/2",
        constraints=["ydot*cos(phi) - xdot*sin(phi)"],
    )  # fmt: skip
    run = nh.simulate(system, {"xdot": 1.0, "phidot": 0.5}, 6.0)
    panels = run.plot()
    assert labels(panels[0]) == ("$x$", "$y$")
    quiver = next(c for c in panels[0].collections if type(c).__name__ == "Quiver")  # φ is a heading: it moves along it
    assert np.allclose(np.hypot(quiver.U, quiver.V), 1)
    radius = 1.0 / 0.5  # a circle of radius v/ω about (0, 2)
    assert np.allclose(np.hypot(run["x"], run["y"] - radius), radius, atol=1e-7)


def test_an_angle_that_is_no_heading_gives_no_marks() -> None:
    system = nh.System("tilt", coordinates="x y theta", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2")
    run = nh.simulate(system, {"xdot": 1.0, "thetadot": 0.5}, 3.0)
    assert headings(run, "x", "y") is None
    assert not run.plot("x", "y").collections


def test_a_drawing_says_where_the_body_looks() -> None:
    system = nh.System("drawn", coordinates="x y theta", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2")
    run = nh.simulate(system, {"xdot": 1.0, "thetadot": 0.5}, 3.0)
    drawing = Drawing(bodies=(Body("box", ("x", "y", "0"), turned("2*theta"), {"x": "1", "y": "1", "z": "1"}),))
    found = headings(run, "x", "y", drawing, 5)
    assert found is not None
    at, angle = found
    assert np.allclose(angle, 2 * run["theta"][at])


def test_what_counts_as_a_place() -> None:
    run = motion("rolling-disk", t_eval=21)
    assert is_place(run, "x", "y") and is_place(run, "R13", "R23")
    assert not is_place(run, "x", "w3") and not is_place(run, "t", "x")
    trailer = motion("n-trailer", t_eval=21)
    assert not is_place(trailer, "theta0", "theta1")


def test_a_coarse_path_is_smoothed_by_its_velocities_and_keeps_its_points() -> None:
    system = nh.System("circle", coordinates="x y", lagrangian="(xdot**2 + ydot**2 - x**2 - y**2)/2")
    run = nh.simulate(system, {"x": 1.0, "ydot": 1.0}, 6.0, t_eval=25)
    x, y = smooth_path(run, "x", "y")
    assert np.array_equal(x[::6], run["x"]) and np.array_equal(y[::6], run["y"])
    assert np.max(np.abs(np.hypot(x, y) - 1)) < 2e-4  # a chord would miss the circle by 8e-3
    fine = nh.simulate(system, {"x": 1.0, "ydot": 1.0}, 6.0)
    assert len(smooth_path(fine, "x", "y")[0]) == 401


@pytest.mark.parametrize(("kind", "begins"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_figures_are_written_as_pdf_svg_and_png(tmp_path: Any, kind: str, begins: bytes) -> None:
    place = tmp_path / f"path.{kind}"
    motion("chaplygin-sleigh").plot("x", "y", path=place)
    content = place.read_bytes()
    assert content.startswith(begins)
    assert kind != "pdf" or b"/Type3" not in content  # journals refuse such fonts
    assert [p.name for p in tmp_path.iterdir()] == [place.name]


def test_a_figure_that_cannot_be_written_is_one_clear_line(tmp_path: Any) -> None:
    axes = motion("chaplygin-sleigh").plot("x", "y")
    with pytest.raises(nh.FileError, match=r"nowhere.a\.pdf cannot be written"):
        save_figure(axes.figure, tmp_path / "nowhere" / "a.pdf")
    with pytest.raises(nh.FileError, match=r"a\.txt cannot be written: .*txt"):
        save_figure(axes.figure, tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())


def test_given_axes_are_drawn_into() -> None:
    figure, axes = plt.subplots()
    assert motion("chaplygin-sleigh").plot("t", "v", axes=axes) is axes
    with pytest.raises(nh.StateError, match="4 panels into 1 axes"):
        motion("chaplygin-sleigh").plot(axes=axes)
    assert figure.axes == [axes]


def test_plotly_is_the_twin() -> None:
    run = motion("chaplygin-sleigh")
    assert run.plot("x", "y", backend="plotly").layout.yaxis.scaleanchor == "x"
    assert len(run.plot(backend="plotly")) == 4
    with pytest.raises(nh.StateError, match="choose one of matplotlib, plotly"):
        run.plot("x", "y", backend="gnuplot")


def test_unknown_names_are_refused_with_a_suggestion() -> None:
    with pytest.raises(nh.StateError, match="did you mean 'omega'"):
        motion("chaplygin-sleigh").plot("t", "omga")


def test_the_style_does_not_leak() -> None:
    before = dict(plt.rcParams)
    motion("chaplygin-sleigh").plot("x", "y")
    assert dict(plt.rcParams) == before


def test_a_notebook_shows_a_table_and_a_picture() -> None:
    run = motion("chaplygin-sleigh")
    page = run._repr_html_()
    assert "reached" in page and "energy drift" in page and f"{run.steps} (" in page
    content = b64decode(re.search(r"base64,([^\"]+)", page)[1])  # type: ignore[index]
    assert content.startswith(b"\x89PNG")
    assert not plt.get_fignums()


def test_findings_are_a_table() -> None:
    page = Findings([Finding("a", "holds", 1.25e-9, "b"), Finding("<c>", "fails")])._repr_html_()
    assert page.count("<tr>") == 2 and "1.25e-09" in page and "&lt;c&gt;" in page and "✗" in page


def test_a_missing_presenter_says_what_to_do() -> None:
    with pytest.raises(nh.ModelError, match=r"no presenter 'hologram' is installed \(found: .*plot"):
        presenter("hologram")


def test_a_motion_that_has_not_begun_is_an_empty_picture() -> None:
    from dataclasses import replace

    whole = motion("chaplygin-sleigh")
    run = replace(whole, data=whole.data.isel(t=slice(0, 0)))
    assert len(run.plot("x", "y").lines[0].get_xdata()) == 0
    assert len(run.plot("t", "omega").lines[0].get_xdata()) == 0
    assert "no times" in run._repr_html_()


def odd(**columns: Any) -> Any:
    """A motion made of numbers alone."""
    import xarray as xr

    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.integrate.outcome import Outcome

    times = np.linspace(0.0, 1.0, len(next(iter(columns.values()))))
    data = xr.Dataset(
        {n: ("t", np.asarray(v, float), {"kind": "coordinate"}) for n, v in columns.items()}, {"t": times}
    )
    return Trajectory(data.assign_attrs(system="odd"), {}, Outcome("reached", 1.0, ""))


GOES = np.linspace(0.0, 1.0, 101)


@pytest.mark.parametrize(
    "columns",
    [
        {"x": [1.0], "y": [2.0]},
        {"x": [1.0, 2.0], "y": [2.0, 2.0]},
        {"x": np.full(101, 3.0), "y": np.zeros(101)},
        {"x": np.where(GOES > 0.5, np.nan, GOES), "y": np.where(GOES > 0.6, np.nan, GOES**2)},
        {"x": np.where(GOES > 0.9, np.inf, GOES), "y": GOES},
        {"x": np.full(101, np.nan), "y": np.full(101, np.nan)},
        {"x": 1e12 * np.exp(20 * GOES), "y": 1e-15 * GOES},
    ],
    ids=["one state", "two", "constant", "not a number", "infinite", "nothing", "huge and tiny"],
)
def test_odd_motions_are_drawn_without_a_warning(columns: dict[str, Any]) -> None:
    run = odd(**columns)
    for names in (("x", "y"), ("x",), ("t", "x", "y"), ()):
        for axes in np.ravel(np.asarray(run.plot(*names), dtype=object)):
            axes.figure.canvas.draw()
            assert np.all(np.isfinite([*axes.get_xlim(), *axes.get_ylim()]))


def test_a_path_that_breaks_off_ends_at_its_last_number_and_one_state_is_a_dot() -> None:
    axes = odd(x=np.where(GOES > 0.5, np.nan, GOES), y=GOES**2).plot("x", "y")
    end = next(line for line in axes.lines if line.get_label() == "end")
    assert end.get_xydata()[0] == pytest.approx([0.5, 0.25])
    assert odd(x=[1.0]).plot("x").lines[0].get_marker() == "o"
    assert odd(x=[1.0, 2.0]).plot("x").lines[0].get_marker() == "None"


def test_a_nearly_constant_quantity_is_a_level_line_that_says_how_constant() -> None:
    run = odd(x=9.81 + 3e-8 * np.sin(40 * GOES))
    axes = run.plot("x")
    low, high = axes.get_ylim()
    assert high - low > 0.5 and [t.get_text() for t in axes.texts] == ["constant to 6e-09"]
    axes.figure.canvas.draw()
    assert axes.yaxis.get_offset_text().get_text() == ""
    assert run.plot("x").lines[0].get_linewidth() == pytest.approx(1.1)
    assert not odd(x=9.81 + 3e-3 * np.sin(40 * GOES)).plot("x").texts


def test_the_legend_of_several_curves_hides_none_of_them() -> None:
    axes = motion("snakeboard").plot("t", "theta", "psi", "phi")
    axes.figure.canvas.draw()
    box = axes.get_legend().get_window_extent()
    for line in axes.lines:
        places = axes.transData.transform(line.get_xydata())
        inside = (places > [box.x0, box.y0]) & (places < [box.x1, box.y1])
        assert not np.any(np.all(inside, axis=1))


def test_numbers_without_a_unit_have_no_brackets() -> None:
    axes = motion("spherical-pendulum").plot("gamma1", "gamma2")
    assert "[" not in axes.get_xlabel() and "[rad/s]" in motion("spherical-pendulum").plot("xi1").get_ylabel()


def test_reductions_integrals_and_exhibits_are_drawn_in_a_notebook_as_in_a_report() -> None:
    from nonholo.present.notebook.notebook_pages import exhibit_html, integrals_html, reduction_html

    exhibit = nh.gallery.get("chaplygin-sleigh")
    reduced = reduction_html(nh.reduce(exhibit.system))
    assert reduced.count("<math") >= 2 and "Momentum equation" in reduced and "<pre" not in reduced
    found = nh.integrals(exhibit.system)
    assert isinstance(found, tuple) and "<math" in integrals_html(found) and "constant" in found._repr_html_()  # type: ignore[attr-defined]
    told = exhibit_html(exhibit)
    assert "centre of mass ahead of the blade" in told and "<math" in told and "knife" not in told.lower()
