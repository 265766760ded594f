"""A sleigh that tows a string which cannot slip sideways."""

from __future__ import annotations

from nonholo.fields.strings.towing_sleigh import SleighString
from nonholo.gallery.fields._exhibit import FieldExhibit

TITLE = "Sleigh that tows a string"
GROUP = "Strings and fluids"
PAPERS = "Zenkov 2016, Example 4.2"


def exhibit() -> FieldExhibit:
    """An unbalanced sleigh that pulls a bent string straight."""
    return FieldExhibit(
        name="sleigh-string",
        title=TITLE,
        group=GROUP,
        field=SleighString(
            mass=1.3, inertia=0.7, offset=0.15, length=1.6, density=0.4, forces={"omega": "tau"}, inputs=("tau",)
        ),
        start={"v": 0.8, "omega": 1.4, "theta": "pi + 0.7*s*sin(3*s)"},
        inputs={"tau": 0.0},
        until=8.0,
        equations=(
            r"(m + \mu)\, \dot v = m a\, \omega^2 + F, \qquad (J + m a^2)\, \dot\omega = -m a\, \omega v + T",
            r"\eta = v, \qquad \lambda = \rho\, \dot v\, (L - s)",
            r"z(s, t) = z(0, t'), \qquad \int_{t'}^t v\, dt = s",
        ),
        references=("Zenkov 2016, Example 4.2, (4.7)–(4.12), with the string behind the sleigh",),
        plots=(
            ("x", "y"),
            ("t", "v"),
            ("t", "turning"),
            ("tension",),
            ("energy",),
            ("t", "momentum_x", "momentum_y"),
            ("angular_momentum",),
        ),
        story=(
            "The string lies in the groove that the blade cuts: it follows the sleigh exactly and only makes it "
            "heavier. A balanced sleigh runs on a circle for ever; with its mass ahead of the blade it straightens out."
        ),
    )
