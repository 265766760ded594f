"""The nine steps in a report, on request."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
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
