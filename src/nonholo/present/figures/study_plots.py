"""Studies of one shape variable by name, and their pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo import gallery
from nonholo.errors import StateError
from nonholo.present.figures.potential_plot import potential_figure
from nonholo.present.style.labels import math_name
from nonholo.present.style.plot_style import COLOURS, FAINT, PAGE, journal, new_axes, save_figure
from nonholo.symmetry.quadrature.one_shape_study import Contact, Study
from nonholo.symmetry.quadrature.one_shape_study import study as _study

CONTACTS = {"basketball": "m*((u - v*cos(psi))*thetadot**2*cos(psi) - v*psidot**2 + g*sin(psi))"}
"""Normal forces of exhibits whose contact can break [basketball: MacDonnell 1997 §11, Normal Component of Force]."""
WINDOWS = {"basketball": (-np.pi / 2, np.pi / 2)}
CENTIMETRES = 100.0
"""The thesis has Ω2 in 1/(cm s), the gallery in 1/(m s)."""


def study(
    subject: Any,
    start: Mapping[str, float] | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    window: tuple[float, float] | None = None,
    contact: str | None = None,
    speeds: Sequence[str] | None = None,
    C1: float | None = None,
    C2: float | None = None,
) -> Study:
    """The reduced motion of a gallery system (by name), a System or a Reduction: potential, equilibria, periods, contact.

    ``start`` gives the momenta; ``contact`` is a force that must stay positive (known for the basketball, whose
    constants ``C1 = Ω1(0)`` in 1/s and ``C2 = Ω2(0)`` in 1/(cm s) are those of MacDonnell 1997 §11).

    >>> print(study("lagrange-top").cycle.rotation_number("precession") > 0)
    True
    """
    name = subject if isinstance(subject, str) else getattr(subject, "name", "")
    if isinstance(subject, str):
        subject = gallery.get(subject)
    if C1 is not None or C2 is not None:
        if name != "basketball" or start is not None:
            raise StateError(
                "study: C1 and C2 are the basketball's constants, instead of a start; give start= for others."
            )
        one, two = -40.0 if C1 is None else C1, CENTIMETRES * (1.0 if C2 is None else C2)
        start = {"psi": 0.0, "Omega1": float(one), "Omega2": float(two)}
    contact = CONTACTS.get(name) if contact is None else contact
    window = WINDOWS.get(name) if window is None else window
    return _study(subject, start, parameters, window, contact, speeds, moving=C1 is None and C2 is None)


def plot_study(
    found: Study, window: tuple[float, float] | None = None, *, path: Any = None, width: float = PAGE, unit: str = ""
) -> Any:
    """The vertical velocities, the reduced potential and the contact of a study, side by side (a matplotlib figure)."""
    low, high = window or found.window
    r = np.linspace(low, high, 801)
    count = 1 + bool(found.speeds) + (found.contact is not None)
    with journal():
        figure, axes = new_axes(width, 1.0 if count == 3 else 0.7, columns=count, squeeze=False)
        panels = list(axes[0])
        if found.speeds:
            _velocities(panels.pop(0), found, r)
        potential_figure(r, found.potential, found.energy, label=found.potential.variable, unit=unit, axes=panels[0])
        if found.contact is not None:
            _contact(panels[1], found.contact, found.potential.variable, r)
            for place in found.contact_ends:
                if low <= place <= high:
                    for each in panels:
                        each.axvline(place, color=COLOURS[1], lw=0.8, ls=(0, (2, 2)))
    if path is not None:
        save_figure(figure, path)
    return figure


def _contact(axes: Any, contact: Contact, variable: str, r: Any) -> None:
    """The contact force of a slow passage, and where there would be none."""
    force = contact(r)
    axes.plot(r, force, color=COLOURS[0])
    axes.axhline(0, color=FAINT, lw=0.6)
    if np.any(force < 0):
        axes.fill_between(r, force, 0, where=force < 0, color=COLOURS[1], alpha=0.25, lw=0, label="no contact")
        axes.legend(loc="best")
    axes.set(xlabel=math_name(variable), ylabel="contact force, passing slowly", xlim=(r[0], r[-1]))


def _velocities(axes: Any, found: Study, r: Any) -> None:
    """Each solution of the adjoint equation by its own colour, the speeds by their lines; all scaled to one."""
    lines = ("-", (0, (4, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1)))
    solutions = found.solutions(r)
    # walls at singular shapes must not hide the rest
    sizes = {n: max(float(np.nanquantile(np.abs(s[n]), 0.9)) for s in solutions) or 1.0 for n in found.speeds}
    for k, solution in enumerate(solutions):
        for name, line in zip(found.speeds, lines):
            label = f"{math_name(name)}, solution {k + 1}"
            axes.plot(r, solution[name] / sizes[name], color=COLOURS[k % len(COLOURS)], ls=line, label=label)
    axes.axhline(0, color=FAINT, lw=0.6)
    axes.set(xlabel=math_name(found.potential.variable), ylabel="vertical velocities, scaled", xlim=(r[0], r[-1]))
    axes.set_ylim(max(-1.6, axes.get_ylim()[0]), min(1.6, axes.get_ylim()[1]))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, columnspacing=1.0)
