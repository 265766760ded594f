"""A sharp string on ice: it follows its front end."""

from __future__ import annotations

from nonholo.fields.strings.constrained_string import ConstrainedString
from nonholo.gallery.fields._exhibit import FieldExhibit

TITLE = "String that cannot slip sideways"
GROUP = "Strings and fluids"
PAPERS = "Zenkov 2016, Example 4.1"


def exhibit() -> FieldExhibit:
    """A string on a wavy track whose front swings."""
    return FieldExhibit(
        name="constrained-string",
        title=TITLE,
        group=GROUP,
        field=ConstrainedString(nodes=48),
        start={"theta": "0.9*sin(4*s)", "speed": 0.6, "front": "0.9*sin(4) + 0.8*sin(1.5*t)"},
        until=5.0,
        equations=(
            r"\dot z = z_s\, \xi, \qquad \xi = \bar\xi",
            r"\dot\xi = \xi\, \xi_s + \lambda_s, \qquad \xi_s = 0",
            r"z = \varphi(s + \xi t)",
        ),
        references=("Zenkov 2016, Example 4.1, (4.5) and (4.6)",),
        plots=(
            ("x", "y"),
            ("theta",),
            ("reaction",),
            ("energy",),
            ("t", "momentum_x", "momentum_y"),
            ("angular_momentum",),
        ),
        story=(
            "Every point moves along the string, so all of it has one speed and follows the front end like a train on a track "
            "that the front lays. Where the front goes, no equation says."
        ),
    )
