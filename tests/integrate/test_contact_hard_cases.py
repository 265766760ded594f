"""The hard cases of `docs/contacts.md`, each with its outcome."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import StateError
from tests.integrate.test_contact_modes import G, disk


def test_friction_of_zero_and_without_limit() -> None:
    smooth = nh.simulate(disk(), {"xdot": 2.0, "phidot": 3.0}, 1.0, {"mu": 0.0})
    assert len(smooth.modes) == 0 and abs(smooth.final["xdot"] - 2.0) < 1e-13 and abs(smooth.final["phidot"] - 3.0) < 1e-13
    rough = nh.simulate(disk(friction={"static": "inf", "kinetic": "mu"}), {}, 1.0, {"b": 1.2, "k": 0.5})
    assert np.all(rough.contacts.mode == "rolling") and abs(rough.final["xdot"] - G * np.sin(1.2) / 1.5) < 1e-10


def test_static_friction_above_kinetic_begins_to_slip_with_a_jump() -> None:
    run = nh.simulate(disk(friction={"static": 0.4, "kinetic": 0.25}), {}, 2.0, {"b": 0.3, "k": 0.5}, t_eval=3)
    assert len(run.modes) == 0  # tan(0.3)/3 = 0.10 is below both
    pushed = nh.System(
        name="pushed", coordinates="x", lagrangian="xdot**2/2", forces={"x": "1.5*t"},
        contacts=[{"name": "floor", "slip": ["xdot"], "load": 10, "friction": {"static": 0.4, "kinetic": 0.25}, "slips": True}],
    )  # fmt: skip
    run = nh.simulate(pushed, {}, 5.0, t_eval=3)
    begin = 4 / 1.5
    assert np.allclose(run.modes.time, [begin], rtol=0, atol=1e-11)
    assert abs(run.final["xdot"] - (0.75 * (25 - begin**2) - 2.5 * (5 - begin))) < 1e-9


def test_a_slip_that_reverses_at_a_corner_goes_on_sliding() -> None:
    """On a steep slope a block thrown upwards stops and slides back: friction changes its side, rolling is not admitted."""
    b, mu, v = 0.7, 0.3, 2.3
    block = nh.System(
        name="block", coordinates="x z", lagrangian=f"(xdot**2 + zdot**2)/2 - 9.81*(z*cos({b}) - x*sin({b}))",
        contacts=[{"name": "slope", "gap": "z", "slip": ["xdot"], "friction": mu, "slips": True}],
    )  # fmt: skip
    run = nh.simulate(block, {"xdot": -v}, 2.0)
    up = v / (G * (np.sin(b) + mu * np.cos(b)))
    assert abs(run.modes.time[0] - up) < 1e-12 and run.modes.why == ("the slip reverses",)
    assert abs(run.final["xdot"] - G * (np.sin(b) - mu * np.cos(b)) * (2.0 - up)) < 1e-10


def test_painleve_is_told_in_words() -> None:
    rod = nh.System(
        name="rod", coordinates="x z th", parameters={"mu": 2.5}, lagrangian="(xdot**2 + zdot**2)/2 + thdot**2/6 - 9.81*z",
        contacts=[{
            "name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "friction": "mu", "slips": True, "lifts": True,
        }],
    )  # fmt: skip
    run = nh.simulate(rod, {"th": 1.1, "xdot": -2.0}, 1.0)
    assert run.outcome.kind == "undecided contact" and "Painlevé" in str(run.outcome) and "tip pulls" in str(run.outcome)
    calm = nh.simulate(rod, {"th": 1.1, "xdot": -2.0}, 0.1, {"mu": 0.4})
    assert calm.outcome == "reached"


def test_painleve_leaves_two_ways_open_and_the_user_takes_one() -> None:
    """Where friction turns the response of the gap round and the free tip would rise, sliding and lifting are both consistent."""
    th, mu, rate = 1.1, 2.5, 4.0
    rod = nh.System(
        name="rod", coordinates="x z th", parameters={"mu": mu}, lagrangian="(xdot**2 + zdot**2)/2 + thdot**2/6 - 9.81*z",
        contacts=[{
            "name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "friction": "mu", "slips": True, "lifts": True,
        }],
    )  # fmt: skip
    start = {"th": th, "thdot": rate, "xdot": -2.0 - rate * np.sin(th), "zdot": rate * np.cos(th)}
    response = 1 + 3 * np.cos(th) * (np.cos(th) - mu * np.sin(th))
    free = rate**2 * np.sin(th) - G
    assert response < 0 < free
    stopped = nh.simulate(rod, start, 0.05)
    assert stopped.outcome.kind == "undecided contact" and "tip sliding; tip open" in str(stopped.outcome)
    flies = nh.simulate(rod, start, 1e-3, t_eval=2, undecided="open")
    assert set(flies.contacts.mode.values[:, 0]) == {"open"} and abs(flies.final["thdot"] - rate) < 1e-12
    slides = nh.simulate(rod, start, 1e-6, t_eval=2, undecided="sliding")
    assert set(slides.contacts.mode.values[:, 0]) == {"sliding"}
    assert abs(float(slides.contacts.normal[0, 0]) + free / response) < 1e-9
    assert nh.simulate(rod, start, 0.05, undecided="rolling").outcome.kind == "undecided contact"


def test_a_wheel_at_the_cone_where_the_force_grows_slides_at_once() -> None:
    pushed = nh.System(
        name="pushed", coordinates="x", lagrangian="xdot**2/2", forces={"x": "4 + 1.5*t"},
        contacts=[{"name": "floor", "slip": ["xdot"], "load": 10, "friction": 0.4, "slips": True}],
    )  # fmt: skip
    run = nh.simulate(pushed, {}, 2.0, t_eval=5)
    assert abs(run.final["xdot"] - 0.75 * 4) < 1e-9
    falling = nh.simulate(nh.System(
        name="held", coordinates="x", lagrangian="xdot**2/2", forces={"x": "4 - 1.5*t"},
        contacts=[{"name": "floor", "slip": ["xdot"], "load": 10, "friction": 0.4, "slips": True}],
    ), {}, 2.0, t_eval=5)  # fmt: skip
    assert abs(falling.final["x"]) < 1e-12 and np.all(falling.contacts.mode == "rolling")


def test_two_wheels_that_share_say_how_and_move_as_one() -> None:
    words = {"friction": 0.3, "slips": True, "load": 5.0}
    sled = nh.System(
        name="sled", coordinates="x", lagrangian="xdot**2/2", forces={"x": "1.5*t"},
        contacts=[{"name": "left", "slip": ["xdot"], **words}, {"name": "right", "slip": ["xdot + 0"], **words, "friction": 0.1}],
    )  # fmt: skip
    run = nh.simulate(sled, {}, 3.0, t_eval=4)
    begin = (0.3 * 5 + 0.1 * 5) / 1.5
    assert "least sum of squares" in str(run.outcome)
    assert abs(run.final["xdot"] - (0.75 * (9 - begin**2) - 2.0 * (3 - begin))) < 1e-9
    assert run.modes.contact == ("right", "left") and abs(run.modes.time[1] - begin) < 1e-10


def test_a_start_that_slips_is_refused_where_friction_has_no_limit() -> None:
    with pytest.raises(StateError, match="friction without limit admits no slip"):
        nh.simulate(disk(friction="inf"), {"xdot": 1.0, "phidot": 0.0}, 1.0)


@pytest.mark.parametrize("above", [0.0, 1e-12, 1e-6])
def test_a_point_that_grazes_a_circle_goes_straight_on(above: float) -> None:
    point = nh.System(
        name="point", coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2",
        contacts=[{"name": "circle", "gap": "sqrt(x**2 + z**2) - 1", "lifts": True, "restitution": 0.5}],
    )  # fmt: skip
    run = nh.simulate(point, {"x": -2.0, "z": 1.0 + above, "xdot": 1.3}, 3.0, t_eval="end")
    assert run.outcome.reached and abs(run.final["x"] - 1.9) < 1e-12 and abs(run.final["z"] - 1 - above) < 1e-12
    assert abs(run.final["zdot"]) < 1e-12


def test_every_test_that_the_page_names_exists() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`(test_[a-z_0-9]+)`", (root / "docs/contacts.md").read_text()))
    files = [*(root / "tests/integrate").glob("test_contact*.py"), *(root / "tests/gallery").glob("test_contact*.py")]
    known = {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)}
    known |= {file.stem for file in files}
    assert len(named) > 20 and named <= known, named - known
