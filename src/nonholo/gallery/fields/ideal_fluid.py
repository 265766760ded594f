"""The ideal fluid on the flat torus."""

from __future__ import annotations

from nonholo.fields.fluids.fluid import Fluid
from nonholo.gallery.fields._exhibit import FieldExhibit

TITLE = "Ideal fluid on the torus"
GROUP = "Strings and fluids"
PAPERS = "Zenkov 2016, Example 3.1; Zeitlin 1991"
MERGING = (
    "exp(8*(cos(x - pi + 0.6) + cos(y - pi) - 2)) + exp(8*(cos(x - pi - 0.6) + cos(y - pi) - 2)) - 0.04114535209326218"
)
"""Two equal vortices near enough to merge; the number takes the mean away."""


def exhibit() -> FieldExhibit:
    """Two equal vortices that merge."""
    return FieldExhibit(
        name="ideal-fluid",
        title=TITLE,
        group=GROUP,
        field=Fluid(nodes=96),
        start={"vorticity": f"8*({MERGING})"},
        until=3.5,
        equations=(
            r"\frac{d}{dt} \frac{\delta l}{\delta \xi} = \left[\xi, \frac{\delta l}{\delta \xi}\right]^*, "
            r"\qquad l = \frac12 \int |\xi|^2",
            r"w_t + u \cdot \nabla w = 0, \qquad u = (-\psi_y, \psi_x), \qquad w = \Delta \psi",
        ),
        references=(
            "Zenkov 2016, Example 3.1",
            "Arnold 1966",
            "Zeitlin 1991, Finite-mode analogs of 2D ideal hydrodynamics",
        ),
        plots=(("vorticity",), ("energy",), ("enstrophy",)),
        starts={"Taylor–Green": {"vorticity": "2*cos(x)*cos(y)"}, "shear": {"vorticity": "cos(2*x + y)"}},
        story=(
            "The motion of a fluid is a curve in the group of maps that keep areas, and its velocity in space is Hamel's "
            "quasi-velocity. Vorticity is carried along; two like vortices dance around each other and merge."
        ),
    )
