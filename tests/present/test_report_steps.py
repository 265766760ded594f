"""The nine steps in a report, on request."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.present.report.report_motion import film, motion, moving_section
from nonholo.present.report.report_steps import steps_section
from nonholo.present.report.report_subject import case


def towed() -> nh.System:
    return nh.particles(
        ["m1", "m2"], [("x", "y"), ("x + l*cos(phi)", "y + l*sin(phi)")], coordinates="x y phi",
        parameters={"m1": 1.0, "m2": 0.5, "l": 0.8}, constraints=["xdot*sin(phi) - ydot*cos(phi)"], start={"phidot":
        1.0}, until=1.0,
    )  # fmt: skip


def test_every_step_has_its_formulas() -> None:
    body = steps_section(case(towed(), None, None, None, None)).body
    assert body.count('class="label">') == 9 and body.count('class="formula"') == 9


@pytest.mark.slow
def test_steps_are_in_the_report_when_asked_for(tmp_path: Path) -> None:
    page = nh.report(towed(), tmp_path / "towed.html", steps=True).read_text("utf-8")
    assert "The nine steps" in page and "G_αβ" in page


def test_nonlinear_residuals_say_what_to_do() -> None:
    bent = nh.System(
        coordinates="x y",
        lagrangian="(xdot**2 + ydot**2)/2",
        constraints=["xdot**2 + ydot**2 - 1"],
        start={"xdot": 1.0},
    )
    assert "forms.parametric" in steps_section(case(bent, None, None, None, None)).body


def test_a_motion_is_filmed_from_a_frame_that_moves_with_the_group() -> None:
    """The view's film differs from the plain one, names its speeds, and wrong words are refused."""
    skate = nh.System(
        name="skate", coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
        constraints=["xdot*sin(th) - ydot*cos(th)"], symmetry=nh.planar_motion("x", "y", "th"),
        start={"xdot": 1.0, "thdot": 0.7}, until=2.0,
    )  # fmt: skip
    chosen = case(skate, None, None, None, None)
    found = motion(chosen)
    body = moving_section(chosen, found, {"turn": 0.7, "shift_x": 0.25}).body
    assert "turn 0.7 per second, shift_x 0.25 per second" in body and 'class="film"' in body
    still = moving_section(chosen, found, {"turn": 0.0}).body
    assert film(chosen, found) is not None and body.split("figcaption")[0] != still.split("figcaption")[0]
    with pytest.raises(nh.ModelError, match="no generator"):
        moving_section(chosen, found, {"turns": 0.7})
