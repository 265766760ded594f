"""Interactive figures: the numbers in them against closed forms, their size, their labels."""

from __future__ import annotations

import json

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.analyse.force_arrows import contact_forces
from nonholo.present.figures.interactive import (
    drift_figure,
    line,
    path_figure,
    reaction_figure,
    thinned_indices,
    time_figure,
    titled,
)
from tests.present.runs import motion


def closed_sleigh(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ω = W sech(κ t + δ), v = V tanh(κ t + δ) through the gallery's start."""
    values = gallery.get("chaplygin-sleigh")
    m, inertia, a = (values.parameters[n] for n in ("m", "J", "a"))
    omega, v = values.start["omega"], values.start["v"]
    speed = np.hypot(v, omega * np.sqrt((inertia + m * a**2) / m))
    rate, shift = m * a * speed / (inertia + m * a**2), np.arctanh(v / speed)
    return speed * np.sqrt(m / (inertia + m * a**2)) / np.cosh(rate * t + shift), speed * np.tanh(rate * t + shift)


def test_time_figure_holds_the_closed_motion_of_the_sleigh() -> None:
    figure = time_figure(motion("chaplygin-sleigh"), ["omega", "v"]).plotly()
    omega, v = closed_sleigh(np.asarray(figure.data[0].x, dtype=float))
    assert np.max(np.abs(figure.data[0].y - omega)) < 1e-6
    assert np.max(np.abs(figure.data[1].y - v)) < 1e-6
    assert figure.data[0].name == "<i>ω</i> [rad/s]" and figure.data[1].name == "<i>v</i> [m/s]"
    assert figure.layout.xaxis.title.text == "<i>t</i> [s]"


def test_a_curve_is_whole_where_it_goes_farthest_to_the_side() -> None:
    """Plotly leaves no room beside lines: points without a face stand at both ends of what is drawn."""
    run = motion("chaplygin-sleigh")
    (ends,) = [c for c in path_figure(run, "omega", "v").plotly().data if c.meta and c.meta.get("farthest")]
    assert ends.mode == "markers" and list(ends.x) == pytest.approx([np.min(run["omega"]), np.max(run["omega"])], rel=1e-4)


def test_a_path_has_equal_axes_marked_ends_and_headings_along_the_velocity() -> None:
    run = motion("chaplygin-sleigh")
    figure = path_figure(run).plotly()
    curves = {c.name: c for c in figure.data}
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.layout.xaxis.title.text == "<i>x</i> [m]"
    assert float(curves["end"].x[0]) == pytest.approx(run.final["x"], rel=1e-6)
    assert float(curves["start"].y[0]) == 0.0
    looking = np.radians(90 - np.asarray(curves["heading"].marker.angle, dtype=float))
    at = [
        int(np.argmin(np.hypot(run["x"] - x, run["y"] - y))) for x, y in zip(curves["heading"].x, curves["heading"].y)
    ]
    sideways = run["xdot"][at] * np.sin(looking) - run["ydot"][at] * np.cos(looking)
    forward = run["xdot"][at] * np.cos(looking) + run["ydot"][at] * np.sin(looking)
    assert np.max(np.abs(sideways)) < 1e-5
    assert np.allclose(
        forward, run["v"][at], atol=1e-5
    )  # the sign too: the blade looks forward, also when it goes back


def test_other_quantities_are_not_forced_to_equal_axes() -> None:
    assert path_figure(motion("chaplygin-sleigh"), "omega", "v").plotly().layout.yaxis.scaleanchor is None


def test_curves_are_small() -> None:
    run = motion("chaplygin-sleigh", t_eval=5000)
    figure = path_figure(run).plotly()
    assert len(figure.data[0].x) == 1000
    assert len(figure.to_json()) < 30_000
    assert thinned_indices(5000)[0] == 0 and thinned_indices(5000)[-1] == 4999


def test_drift_is_the_relative_departure_on_a_logarithmic_axis() -> None:
    system = nh.System("spiral", coordinates="x", lagrangian="xdot**2/2 - x**2/2", forces={"x": "-0.3*xdot"})
    run = nh.simulate(system, {"x": 1.0}, 4.0)
    figure = drift_figure(run, ["energy"]).plotly()
    slow, fast = 0.15, np.sqrt(1 - 0.15**2)
    t = np.asarray(figure.data[0].x, dtype=float)
    x = np.exp(-slow * t) * (np.cos(fast * t) + slow / fast * np.sin(fast * t))
    rate = -np.exp(-slow * t) * np.sin(fast * t) / fast
    lost = 1 - (x**2 + rate**2)
    assert figure.layout.yaxis.type == "log"
    assert np.allclose(figure.data[0].y[1:], lost[1:], rtol=1e-5)
    assert figure.data[0].name == "energy"


def test_normal_force_of_the_disk_is_that_of_newton() -> None:
    """N = m (g + z̈) with the height z = r sqrt(1 − R33²) of the centre, differentiated along the motion."""
    run = motion("rolling-disk", t_eval=2001)
    values = gallery.get("rolling-disk").parameters
    found = contact_forces(run)
    assert found is not None
    press, pull = found
    height = values["r"] * np.sqrt(1 - run["R33"] ** 2)
    step = run["t"][1] - run["t"][0]
    stencil = np.array([-1, 16, -30, 16, -1]) / (12 * step**2)
    rising = np.convolve(height, stencil, mode="valid")
    assert np.max(np.abs(press[2:-2] - values["m"] * (values["g"] + rising))) < 2e-4
    slope = np.array([1, -8, 0, 8, -1]) / (12 * step)
    across, up = (values["m"] * np.convolve(run[n], slope[::-1], mode="valid")[:] for n in ("xdot", "ydot"))
    assert np.max(np.abs(pull[2:-2] - np.hypot(across, up))) < 2e-4


def test_reactions_of_a_rolling_body_stand_against_friction_cones() -> None:
    figure = reaction_figure(motion("rolling-disk"), mu=(0.3, 0.6)).plotly()
    cones = [c for c in figure.data if c.name.startswith("μ")]
    assert [c.y[1] / c.x[1] for c in cones] == pytest.approx([0.3, 0.6])
    assert figure.layout.xaxis.title.text == "normal force [N]"


def test_reactions_without_a_normal_are_drawn_over_time() -> None:
    run = motion("chaplygin-sleigh")
    figure = reaction_figure(run).plotly()
    values = gallery.get("chaplygin-sleigh").parameters
    m, inertia, a = (values[n] for n in ("m", "J", "a"))
    omega, v = closed_sleigh(np.asarray(figure.data[0].x, dtype=float))
    force = m * omega * v * inertia / (inertia + m * a**2)  # m (v ω + a ω̇), across the blade
    assert np.max(np.abs(figure.data[0].y - force)) < 1e-5


def test_a_system_without_constraints_has_no_reactions() -> None:
    run = nh.simulate(nh.System("free", coordinates="x", lagrangian="xdot**2/2"), {"xdot": 1.0}, 1.0)
    with pytest.raises(nh.StateError, match="no constraints, hence no reactions"):
        reaction_figure(run)


def test_figures_are_plain_json() -> None:
    figure = drift_figure(motion("rolling-disk"))
    assert json.loads(json.dumps(figure.table(), allow_nan=False))["layout"]["yaxis"]["type"] == "log"
    assert any(c["name"].startswith("energy") for c in figure.data)


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rolling-disk"])
def test_a_figure_in_a_page_is_the_one_that_plotly_itself_writes(name: str) -> None:
    """The same JSON by plotly's classes, which check every word; they say which way a marker looks within half a turn."""
    run = motion(name)
    for figure in (path_figure(run), time_figure(run, run.of_kind("speed")), drift_figure(run), reaction_figure(run)):
        assert figure.table() == json.loads(figure.plotly().to_json())


def test_numbers_that_json_does_not_know_are_none() -> None:
    figure = titled("t", "x")
    figure.yaxis["range"] = [0.0, float("inf")]
    line(figure, [], [], "nothing")
    table = figure.table()
    assert table["layout"]["yaxis"]["range"] == [0.0, None] and table["data"][0]["x"] == []
