"""Figures of orbits: multipliers beside the unit circle, and along a family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.analyse.orbits.orbit import Orbit
from nonholo.errors import StateError
from nonholo.present.figures.branch_plot import MARKS, SHADE, label, quantity, stretches
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, INK, handed_over, journal, new_axes

if TYPE_CHECKING:
    from nonholo.analyse.orbits.orbit_family import OrbitFamily

FARTHEST = 3.0
"""Multipliers beyond this are drawn at its edge, with their value."""


def plot_orbits(
    what: Orbit | OrbitFamily,
    y: str | None = None,
    axes: Any = None,
    backend: str = "matplotlib",
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
    limits: tuple[float, float] | None = None,
) -> Any:
    """Multipliers of an orbit in the plane, or along a family their sizes (or the quantity ``y``), stable stretches shaded."""
    if isinstance(what, Orbit) and not what:
        raise StateError(f"{what.name}: there is no orbit to draw: {what.outcome}.")
    with journal():
        panel = axes if axes is not None else new_axes(width or (COLUMN if isinstance(what, Orbit) else 1.4 * COLUMN), 0.8)[1]
        if isinstance(what, Orbit):
            _circle(what, panel)
        else:
            _along(what, y, panel)
        if limits is not None:
            panel.set_ylim(*limits)
        if title:
            panel.set_title(title)
    return handed_over(panel, backend, path, "orbits")


def _circle(orbit: Orbit, panel: Any) -> None:
    turn = np.linspace(0, 2 * np.pi, 361)
    panel.fill(np.cos(turn), np.sin(turn), color=SHADE, lw=0, zorder=0)
    panel.plot(np.cos(turn), np.sin(turn), color=INK, lw=0.6, zorder=1)
    own, others = orbit.genuine, orbit.multipliers[len(orbit.genuine) :]
    panel.plot(others.real, others.imag, "o", color=FAINT, ms=5, mfc="white", zorder=3, label="flow, symmetry, family, integrals")
    for k, value in enumerate(own):
        shown = value * min(1.0, FARTHEST / max(abs(value), 1e-300))
        panel.plot([shown.real], [shown.imag], "o", color=COLOURS[0], ms=4, zorder=4, label="multipliers" if not k else None)
        if abs(value) > FARTHEST:
            panel.annotate(f"{abs(value):.3g}", (shown.real, shown.imag), xytext=(0, 5), textcoords="offset points", fontsize=7)
    panel.set_aspect("equal")
    panel.set_xlabel("real part")
    panel.set_ylabel("imaginary part")
    panel.legend(fontsize=6, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, ncols=2)


def _along(family: OrbitFamily, y: str | None, panel: Any) -> None:
    if y is not None:
        quantity(family, y, panel)
    else:
        for low, high in stretches(family):
            panel.axvspan(low, high, color=SHADE, lw=0, zorder=0)
        panel.axhline(1, color=INK, lw=0.6, zorder=1)
        sizes = np.abs(family.multipliers)
        for k in range(sizes.shape[1]):
            panel.plot(family.values, np.maximum(sizes[:, k], 1e-12), color=COLOURS[0], lw=1.2, zorder=3)
        if sizes.size and (np.max(sizes) > 20 or np.min(sizes) < 0.05):
            panel.set_yscale("log")
        for one in family.special:
            panel.plot([one.value], [1], MARKS[one.kind], color=INK, ms=4, mfc="white", zorder=5, clip_on=False)
            panel.annotate(
                f"{one.value:.4g}", (one.value, 1), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=7, color=INK
            )
        panel.set_ylabel("sizes of the multipliers")
    panel.set_xlabel(label(family.along))
    if len(family.values) > 1:
        panel.set_xlim(float(np.min(family.values)), float(np.max(family.values)))
