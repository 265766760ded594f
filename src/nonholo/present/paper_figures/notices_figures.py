"""The plotted figure of Bloch, Marsden and Zenkov, Notices 2005: phase portrait of the Chaplygin sleigh."""

from __future__ import annotations

from typing import Any

from nonholo import gallery
from nonholo.present.figures.phase_portrait import momentum_plane
from nonholo.present.paper_figures.figure_registry import drawn_as


@drawn_as(
    "notices",
    "4",
    "Phase portrait of the Chaplygin sleigh in its momenta, with the field of directions: p₂ > 0 attracts.",
)
def sleigh_portrait() -> Any:
    """The positive p₂-axis attracts all motions."""
    return momentum_plane(gallery.get("chaplygin-sleigh"), field=True).axes.figure
