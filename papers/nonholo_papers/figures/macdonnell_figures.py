"""Plotted figures of MacDonnell 1997: the function Q of the Routh top, and the basketball on its hoop."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from nonholo.present.figures.paper_figures import drawn_as
from nonholo.present.figures.reduction_plot import CENTIMETRES, potential_figure, study
from nonholo.present.style.plot_style import COLUMN, FAINT, PAGE, journal, new_axes, save_figure
from nonholo.symmetry.quadrature.one_shape_study import Study

FAMILY = {5: (0.5, (-40.0, -50.0, -60.0)), 6: (1.0, (-20.0, -30.0, -40.0))}
"""Number of the figure, C2 and the C1 of figures 11.5 and 11.6."""
WIDE, TURN, NEAR = np.linspace(-4, 4, 1601), np.linspace(-1, 1, 801), np.linspace(-0.5, 0.5, 801)
"""Ranges of ψ/π."""
MANY = {"loc": "upper center", "ncol": 3, "columnspacing": 0.8, "handlelength": 0.9, "fontsize": 6.5}


@lru_cache(maxsize=1)
def _basketball() -> Study:
    return study("basketball", C1=-40.0, C2=1.0)


def _solutions(axis: Any, found: Study, k: int) -> None:
    """11.2 and 11.3: one column of the fundamental solution."""
    one, two = ((1.0, 0.0), (0.0, 1.0))[k]
    scale = {"Omega1": 1.0, "Omega2": 1 / CENTIMETRES}
    shown = _thesis_states(found.potential, one, two).vertical.states(np.pi * WIDE)
    for name, label in (("Omega1", f"$f_{{{k + 1}1}}$"), ("Omega2", f"$f_{{{k + 1}2}}$")):
        axis.plot(WIDE, shown[name] * scale[name], label=label)
    axis.legend(loc="best")


def _coefficients(axis: Any, found: Study) -> None:
    """11.4: A, B and C of the reduced potential."""
    mass = _mass(found)
    pairs = ((1, 0), (0, 1), (1, 1))
    corners = {pair: _swirl(_thesis_states(found.potential, *pair), np.pi * TURN) / mass for pair in pairs}
    first, last = corners[(1, 0)], corners[(0, 1)]
    for label, values in (("A", first), ("B", (corners[(1, 1)] - first - last) / 2), ("C", last)):
        axis.plot(TURN, 2 * values, label=label)
    axis.legend(loc="best")


def _family(axis: Any, found: Study, number: int) -> None:
    """11.5 and 11.6: reduced potentials."""
    two, ones = FAMILY[number]
    for one in ones:
        axis.plot(
            NEAR, _thesis_states(found.potential, one, two)(np.pi * NEAR) / _mass(found), label=f"$C_1 = {one:g}$"
        )
    axis.margins(y=0.3)
    axis.legend(**MANY)


def _hilltop(axis: Any, found: Study) -> None:
    """11.7: one of them, with its maximum."""
    last = _thesis_states(found.potential, -40.0, 1.0)
    axis.plot(NEAR, last(np.pi * NEAR) / _mass(found))
    tops = [e for e in last.extrema(-np.pi / 2, np.pi / 2) if e.kind == "maximum"]
    axis.plot(
        [e.place / np.pi for e in tops], [e.value / _mass(found) for e in tops], "o", mfc="white", label="maximum"
    )
    axis.legend(loc="best")


def _leaving(axis: Any, found: Study) -> None:
    """11.8: the limit of ψ̇²."""
    _limit(axis, found, _thesis_states(found.potential, -40.0, 1.0), NEAR)
    axis.legend(loc="best")


def _mass(found: Study) -> float:
    return float(found.potential.vertical.parameters["m"]) / 1e4


PANELS: dict[int, tuple[str, str, str, Callable[[Any, Study], None]]] = {
    2: (
        "$C_1 = 1$, $C_2 = 0$",
        "solution",
        "First fundamental solution of the basketball's velocities.",
        partial(_solutions, k=0),
    ),
    3: ("$C_1 = 0$, $C_2 = 1$", "solution", "Second fundamental solution of the same.", partial(_solutions, k=1)),
    4: (
        "coefficients of $\\bar U$",
        "A, B, C",
        "Coefficients A, B, C of the basketball's reduced potential.",
        _coefficients,
    ),
    5: (
        "$\\bar U$ for $C_2 = 0.5$",
        "$\\bar U$",
        "Reduced potentials of the basketball for C₂ = 0.5.",
        partial(_family, number=5),
    ),
    6: (
        "$\\bar U$ for $C_2 = 1$",
        "$\\bar U$",
        "Reduced potentials of the basketball for C₂ = 1.",
        partial(_family, number=6),
    ),
    7: (
        "$C_1 = -40$, $C_2 = 1$",
        "$\\bar U$",
        "Reduced potential for C₁ = −40, C₂ = 1, its top below the horizontal.",
        _hilltop,
    ),
    8: (
        "limit of $\\dot\\psi^2$",
        "$N(\\psi)$",
        "Limit of ψ̇² at which the ball leaves the hoop, C₁ = −40, C₂ = 1.",
        _leaving,
    ),
}
"""Number of the figure in chapter 11: title on a sheet, label, caption, how it is drawn."""


def _alone(number: int) -> Any:
    _, label, _, draw = PANELS[number]
    figure, axis = new_axes(COLUMN, 0.72)
    draw(axis, _basketball())
    axis.set(xlabel="$\\psi/\\pi$", ylabel=label)
    axis.set_title("")
    return figure


for _number, _panel in PANELS.items():
    drawn_as("macdonnell", f"11.{_number}", f"{_panel[2]} In the thesis's units.")(partial(_alone, _number))


@drawn_as(
    "macdonnell",
    "9.2",
    "The function Q of the Routh top in z = cos θ for S(±1) ≠ 0: walls at both ends, a minimum between (values ours).",
)
def routh_function() -> Any:
    """Q(z) = m g a z + S(z)²/(2r² J₁² J₃ (1 − z²)); the thesis gives no scales."""
    m, g, a, r, first, third = 1.0, 9.81, 0.3, 1.0, 0.5, 0.4
    z = np.linspace(-0.985, 0.985, 1200)
    figure, axes = new_axes(COLUMN, 0.72)
    for one, two in ((0.8, 0.5), (0.8, 0.9), (-0.6, 0.4)):
        root = np.sqrt(first * (third + m * r**2 * (1 - z**2)) + m * third * (a + r * z) ** 2)
        swirl = one * root - two * third * (a + r * z)
        axes.plot(
            z,
            m * g * a * z + swirl**2 / (2 * r**2 * first**2 * third * (1 - z**2)),
            label=f"$C_1 = {one:g}$, $C_2 = {two:g}$",
        )
    axes.set(xlabel="$z = \\cos\\theta$", ylabel="$Q(z)$", ylim=(-4, 30), xlim=(-1, 1))
    axes.legend(loc="best")
    return figure


def plot_basketball(found: Study | None = None, *, path: Any = None) -> Any:
    """Figures 11.2 to 11.8 of MacDonnell 1997 on one sheet, in its units: ψ in π, g = 980.66 cm/s², m = 1.

    >>> plot_basketball().savefig("basketball.pdf")  # doctest: +SKIP
    """
    found = found or _basketball()
    with journal():
        figure, axes = new_axes(PAGE, 0.72, rows=3, columns=3)
        for axis, (number, (title, _, _, draw)) in zip(axes.ravel(), PANELS.items()):
            draw(axis, found)
            axis.set_title(f"11.{number}: {title}")
            axis.set_xlabel("$\\psi/\\pi$")
        _after(axes[2, 1:], found)
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
