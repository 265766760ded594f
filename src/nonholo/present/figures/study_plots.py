"""Studies of one shape variable by name, and their pictures; MacDonnell's basketball among them."""

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
FAMILY = ((0.5, (-40.0, -50.0, -60.0)), (1.0, (-20.0, -30.0, -40.0)))
"""C2 and the C1 of figures 11.5 and 11.6 of MacDonnell 1997."""
CENTIMETRES = 100.0
"""The thesis has Ω2 in 1/(cm s), the gallery in 1/(m s)."""


def study(
    subject: Any,
    start: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    window: tuple[float, float] | None = None,
    contact: str | None = None,
    speeds: Sequence[str] | None = None,
    *,
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


def plot_basketball(found: Study | None = None, *, path: Any = None) -> Any:
    """Figures 11.2 to 11.8 of MacDonnell 1997 on one sheet, in its units: ψ in π, g = 980.66 cm/s², m = 1.

    >>> import nonholo as nh
    >>> nh.studies.plot_basketball().savefig("basketball.pdf")  # doctest: +SKIP
    """
    found = found or study("basketball", C1=-40.0, C2=1.0)
    potential, vertical = found.potential, found.potential.vertical
    mass = vertical.parameters["m"] / 1e4
    wide, turn, near = np.linspace(-4, 4, 1601), np.linspace(-1, 1, 801), np.linspace(-0.5, 0.5, 801)
    scale = {"Omega1": 1.0, "Omega2": 1 / CENTIMETRES}
    with journal():
        figure, axes = new_axes(PAGE, 0.72, rows=3, columns=3)
        for k, (one, two) in enumerate(((1.0, 0.0), (0.0, 1.0))):
            shown = _thesis_states(potential, one, two).vertical.states(np.pi * wide)
            for name, label in (("Omega1", f"$f_{{{k + 1}1}}$"), ("Omega2", f"$f_{{{k + 1}2}}$")):
                axes[0, k].plot(wide, shown[name] * scale[name], label=label)
            axes[0, k].set_title(f"11.{2 + k}: $C_1 = {one:g}$, $C_2 = {two:g}$")
        corners = {
            pair: _swirl(_thesis_states(potential, *pair), np.pi * turn) / mass for pair in ((1, 0), (0, 1), (1, 1))
        }
        A, C = corners[(1, 0)], corners[(0, 1)]
        for label, values in (("A", A), ("B", (corners[(1, 1)] - A - C) / 2), ("C", C)):
            axes[0, 2].plot(turn, 2 * values, label=label)
        axes[0, 2].set_title("11.4: coefficients of $\\bar U$")
        for axis, (two, ones), number in zip(axes[1], FAMILY, (5, 6)):
            for one in ones:
                axis.plot(near, _thesis_states(potential, one, two)(np.pi * near) / mass, label=f"$C_1 = {one:g}$")
            axis.set_title(f"11.{number}: $\\bar U$ for $C_2 = {two:g}$")
            axis.margins(y=0.3)
        last = _thesis_states(potential, -40.0, 1.0)
        axes[1, 2].plot(near, last(np.pi * near) / mass)
        tops = [e for e in last.extrema(-np.pi / 2, np.pi / 2) if e.kind == "maximum"]
        axes[1, 2].plot(
            [e.place / np.pi for e in tops], [e.value / mass for e in tops], "o", mfc="white", label="maximum"
        )
        axes[1, 2].set_title("11.7: $C_1 = -40$, $C_2 = 1$")
        _limit(axes[2, 0], found, last, near)
        _after(axes[2, 1:], found)
        for k, axis in enumerate(axes.ravel()[:7]):
            axis.set_xlabel("$\\psi/\\pi$")
            many = {"loc": "upper center", "ncol": 3, "columnspacing": 0.8, "handlelength": 0.9, "fontsize": 6.5}
            axis.legend(**(many if k in (3, 4) else {"loc": "best"}))
    if path is not None:
        save_figure(figure, path)
    return figure


def _thesis_states(potential: Any, one: float, two: float) -> Any:
    """The potential for Ω1(0), Ω2(0) in the thesis's units, by the same solution matrix."""
    vertical = potential.vertical
    units = [vertical.starting(e).states(0.0) for e in np.eye(2)]
    table = np.array([[unit[n][0] for unit in units] for n in ("Omega1", "Omega2")])
    at_zero = np.linalg.solve(table, [one, CENTIMETRES * two])
    moved = np.linalg.inv(vertical.solution(0.0)[0]) if vertical.origin else np.eye(2)
    return potential.starting((moved @ at_zero).tolist())


def _swirl(potential: Any, r: Any) -> Any:
    """``½ K(Ω, Ω)``: the potential without gravity's part."""
    rest = potential.starting([0.0, 0.0])
    return potential(r) - rest(r)


def _limit(axis: Any, found: Study, potential: Any, near: Any) -> None:
    """N(ψ), the limit of ψ̇² [figure 11.8]: the contact force at rest over m v."""
    values = potential.vertical.parameters
    states = potential.vertical.states(np.pi * near)
    a = values["u"] - values["v"] * np.cos(np.pi * near)
    limit = (a * states["thetadot"] ** 2 * np.cos(np.pi * near) + values["g"] * np.sin(np.pi * near)) / values["v"]
    axis.plot(near, limit)
    axis.axhline(0, color=FAINT, lw=0.6)
    ends = near[:-1][np.sign(limit[:-1]) != np.sign(limit[1:])]
    axis.plot(ends, 0 * ends, "o", mfc="white", label="leaves the hoop")
    axis.set_title("11.8: limit of $\\dot\\psi^2$")


def _after(axes: Any, found: Study) -> None:
    """What the thesis does not draw: potential and contact of the study itself, in SI units."""
    low, high = found.window
    r = np.linspace(low, high, 801)
    potential_figure(r, found.potential, found.energy, label="psi", unit="rad", axes=axes[0])
    if found.contact is not None:
        axes[1].plot(r, found.contact(r), label="slowly")
        if found.energy is not None:
            axes[1].plot(r, found.contact.at_energy(r, found.energy), label="with the start's energy")
    axes[1].axhline(0, color=FAINT, lw=0.6)
    axes[1].set(xlabel="$\\psi$ [rad]", ylabel="normal force [N]")
    axes[1].legend(loc="best")
