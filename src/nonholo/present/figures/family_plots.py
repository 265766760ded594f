"""Plots of families: branches of steady motions with their eigenvalues, and orbits with their multipliers."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError, meant
from nonholo.present.style.labels import math_label
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, INK, handed_over, journal, new_axes

if TYPE_CHECKING:
    from nonholo.analyse.continuation.branch import Branch
    from nonholo.analyse.orbits.orbit import Orbit
    from nonholo.analyse.orbits.orbit_family import OrbitFamily


SHADE = "#e8f3ec"
ROUNDING = 1e-7
"""A frequency that is this part of the largest eigenvalue is none."""
VARIES = 1e-6
"""A smaller change, beside 1 and the values themselves, is none."""
BOUNDED = 10.0
"""Where all modes together are larger than their median along the branch by this factor, they leave the picture."""
FLATTENED = 10.0
"""Modes that decay faster than all others grow or decay, by this factor, leave the picture."""
FASTER = 4.0
"""Frequencies that are larger than the growth by this factor are drawn to a scale of their own."""
MARKS = {"fold": "s", "branch point": "D", "Hopf point": "o", "collision": "^", "period doubling": "v"} | {
    "Neimark–Sacker point": "o"
}
FARTHEST = 3.0
"""Multipliers beyond this are drawn at its edge, with their value."""


def plot_branch(
    branch: Branch,
    y: str | None = None,
    axes: Any = None,
    backend: str = "matplotlib",
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
    limits: tuple[float, float] | None = None,
) -> Any:
    """The diagram of a branch: the quantity ``y`` against what is varied, stable stretches as lines, others dashed.

    Without ``y`` the first one that varies, and below it the modes: real parts (lines) and frequencies (dashes), stable
    stretches shaded; the modes alone with ``y="modes"``, or where nothing varies. The other branches of ``switch=True`` are
    drawn too. Special points are marked by kind. ``limits`` are those of the vertical axis.
    """
    with journal():
        if y is None and axes is None and (shown := varying(branch)) is not None:
            _, (panel, below) = new_axes(width or 1.4 * COLUMN, 0.5, rows=2, sharex=True)
            _eigenvalues(branch, below, limits)
            below.set_xlabel(math_label(branch.along))
            y = shown
        else:
            panel = axes if axes is not None else new_axes(width or 1.4 * COLUMN, 0.66)[1]
        if y is None or y == "modes":
            _eigenvalues(branch, panel, limits)
        else:
            for one in (*branch.others, branch):
                quantity(one, y, panel)
            if limits is not None and len(panel.figure.axes) == 1:
                panel.set_ylim(*limits)
        if len(panel.figure.axes) == 1 or axes is not None:
            panel.set_xlabel(math_label(branch.along))
        if title:
            panel.set_title(title)
        if len(branch.values) > 1:
            drawn = np.concatenate([branch.values, *(one.values for one in branch.others if y not in (None, "modes"))])
            panel.set_xlim(float(np.min(drawn)), float(np.max(drawn)))
    return handed_over(panel, backend, path, "a branch")


def varying(branch: Branch) -> str | None:
    """The first quantity of the state that changes along the branch or from it to the others, beside what is varied."""
    everything = [one.data for one in (branch, *branch.others)]
    beside = {"unstable", "stable", branch.along, *(f"velocity_{n}" for n in branch.velocities)}
    for name in everything[0].data_vars:
        if everything[0][name].dims != ("point",) or name in beside:
            continue
        values = np.concatenate([np.asarray(d[name].values, dtype=float) for d in everything if name in d])
        if np.ptp(values) > VARIES * (1 + float(np.max(np.abs(values)))):
            return str(name)
    return None


def _eigenvalues(branch: Branch, panel: Any, limits: tuple[float, float] | None) -> None:
    x, values = branch.values, branch.eigenvalues
    for low, high in stretches(branch):
        panel.axvspan(low, high, color=SHADE, lw=0, zorder=0)
    panel.axhline(0, color=INK, lw=0.6, zorder=1)
    size = max(float(np.max(np.abs(values))), 1e-300) if values.size else 1.0
    growth, fast = windows(branch)
    above = panel.twinx() if fast is not None else panel
    for k in range(values.shape[1]):
        panel.plot(x, values[:, k].real, color=COLOURS[0], lw=1.2, zorder=3, label="growth" if k == 0 else None)
        turning = np.where(values[:, k].imag > ROUNDING * size, values[:, k].imag, np.nan)
        if np.any(np.isfinite(turning)):
            above.plot(x, turning, color=COLOURS[1], lw=0.9, ls=(0, (4, 2)), zorder=2)
    for one in branch.special:
        panel.plot([one.value], [0], MARKS[one.kind], color=INK, ms=4, mfc="white", zorder=5, clip_on=False)
        panel.axvline(one.value, color=INK, lw=0.5, ls=":", zorder=1)
        place = {
            "xy": (one.value, 1),
            "xycoords": ("data", "axes fraction"),
            "xytext": (0, 3),
            "textcoords": "offset points",
        }
        panel.annotate(f"{one.value:.4g}", **place, ha="center", fontsize=7, color=INK, annotation_clip=False)
    panel.set_ylabel("growth, 1/s" if fast is not None else "growth (–), frequency (- -), 1/s")
    if fast is not None:
        above.set_ylabel("frequency (- -), rad/s", color=COLOURS[1])
        above.spines["right"].set_visible(True)
        above.set_ylim(*fast)
    if limits is not None or values.size:
        panel.set_ylim(*(limits if limits is not None else growth))


def windows(branch: Branch) -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Parts of the vertical axes to show, of growth and of frequencies; None: one axis serves both.

    A fast decaying mode must not flatten the others, nor values of the branch near which a mode grows without bound.
    Frequencies more than `FASTER` times the growth have an axis of their own, from zero up.
    """
    values = branch.eigenvalues
    if values.size:
        each = np.max(np.abs(values), axis=1)
        values = values[each <= BOUNDED * np.median(each)]
    if not values.size:
        return (-1.0, 1.0), None
    size, fast = max(float(np.max(np.abs(values))), 1e-300), float(np.max(values.imag))
    real = np.sort(values.real.ravel())
    depths = [-float(np.min(row)) for row in np.sort(values.real, axis=1).T] + [0.0]
    steps = [k for k, (a, b) in enumerate(pairwise(depths)) if a > FLATTENED * max(b, float(real[-1]), ROUNDING * size)]
    low = -depths[steps[-1] + 1] if steps and depths[steps[-1] + 1] > ROUNDING * size else float(real[0])
    most = max(abs(low), abs(float(real[-1])))
    if not ROUNDING * size < FASTER * most < fast:
        shown = max(most, fast)
        return (1.15 * min(low, -0.05 * shown), 1.15 * max(fast, float(real[-1]), 0.05 * shown)), None
    growth = (1.15 * min(low, -0.1 * most), 1.15 * max(float(real[-1]), 0.1 * most))
    return growth, (0.0, 1.15 * fast)


def stretches(branch: Branch | OrbitFamily) -> list[tuple[float, float]]:
    """Ranges of what is varied in which every mode (or multiplier) is stable, ends at the special points."""
    x, stable = branch.values, branch.unstable == 0
    marks = sorted(one.value for one in branch.special)
    result = []
    k = 0
    while k < len(x):
        if not stable[k]:
            k += 1
            continue
        last = k
        while last + 1 < len(x) and stable[last + 1]:
            last += 1
        ends = [x[k], x[last]]
        for i, neighbour in ((0, x[k - 1] if k else None), (1, x[last + 1] if last + 1 < len(x) else None)):
            if neighbour is not None:
                between = [m for m in marks if min(ends[i], neighbour) <= m <= max(ends[i], neighbour)]
                ends[i] = between[0] if between else ends[i]
        result.append((float(min(ends)), float(max(ends))))
        k = last + 1
    return result


def quantity(branch: Branch | OrbitFamily, y: str, panel: Any) -> None:
    data = branch.data
    if y not in data.variables:
        known = [str(n) for n in data.data_vars if data[n].dims == ("point",)]
        raise StateError(f"{branch.name}: a branch has no {y!r}; {meant(y, known, f'it has {chr(44).join(known)}.')}")
    x, values, stable = branch.values, np.asarray(data[y].values, dtype=float), branch.unstable == 0
    for mask, style, colour in ((stable, "-", COLOURS[0]), (~stable, "--", FAINT)):
        wide = mask.copy()
        wide[:-1] |= mask[1:] if style == "-" else False
        panel.plot(np.where(wide, x, np.nan), np.where(wide, values, np.nan), style, color=colour, lw=1.2)
    for one in branch.special:
        told = {**one.state, "period": getattr(one, "period", None)}
        if told.get(y) is not None:
            panel.plot([one.value], [told[y]], MARKS[one.kind], color=INK, ms=4, mfc="white", zorder=5, clip_on=False)
    panel.set_ylabel(math_label(y))


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
    from nonholo.analyse.orbits.orbit import Orbit

    if isinstance(what, Orbit) and not what:
        raise StateError(f"{what.name}: there is no orbit to draw: {what.outcome}.")
    with journal():
        panel = axes if axes is not None else new_axes(width or (COLUMN if isinstance(what, Orbit) else 1.4 * COLUMN), 0.8)[1]
        if isinstance(what, Orbit):
            _circle(what, panel)
        else:
            _draw_family(what, y, panel)
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


def _draw_family(family: OrbitFamily, y: str | None, panel: Any) -> None:
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
    panel.set_xlabel(math_label(family.along))
    if len(family.values) > 1:
        panel.set_xlim(float(np.min(family.values)), float(np.max(family.values)))
