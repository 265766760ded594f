"""Plots of reductions: the reduced motion, the effective potential of one shape variable, and a study of its motions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo import gallery
from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import StateError, give_parameter
from nonholo.model.system import known_parameters
from nonholo.notation.read import expression
from nonholo.present.style.labels import math_name, with_unit
from nonholo.present.style.plot_style import (
    COLOURS,
    COLUMN,
    FAINT,
    PAGE,
    STABLE,
    UNSTABLE,
    journal,
    new_axes,
    save_figure,
)
from nonholo.program.array_types import Array
from nonholo.symmetry.quadrature.one_shape_study import Contact, Study
from nonholo.symmetry.quadrature.one_shape_study import study as _study
from nonholo.symmetry.quadrature.reduced_potential import ReducedPotential
from nonholo.symmetry.reduction.reduce import Reduction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 801
CONTACTS = {"basketball": "m*((u - v*cos(psi))*thetadot**2*cos(psi) - v*psidot**2 + g*sin(psi))"}
"""Normal forces of exhibits whose contact can break [basketball: MacDonnell 1997 §11, Normal Component of Force]."""
WINDOWS = {"basketball": (-np.pi / 2, np.pi / 2)}
CENTIMETRES = 100.0
"""The thesis has Ω2 in 1/(cm s), the gallery in 1/(m s)."""


def plot_potential(
    reduction: Any,
    J: Any = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    r: Any = None,
    energy: float | None = None,
    **options: Any,
) -> Any:
    """The reduced potential ``Ū(r)`` of a Reduction at momenta (or constants) ``J``, over its one shape variable.

    ``r`` is the range (low, high) or an array of places; a `ReducedPotential` knows its own range. ``parameters``
    complete the system's own values.
    """
    if isinstance(reduction, Study):
        return plot_study(reduction, r, **options)
    if isinstance(reduction, ReducedPotential):
        low, high = reduction.window(*(r if r is not None and len(r) == 2 else ()))
        places = np.asarray(r, dtype=float) if r is not None and len(r) != 2 else np.linspace(low, high, POINTS)
        return potential_figure(places, reduction, energy, label=reduction.variable, **options)
    if isinstance(reduction, Reduction):
        return plot_potential(reduction.potential(J, parameters), r=r, energy=energy, **options)
    names = tuple(reduction.shape.names)
    if len(names) != 1:
        raise StateError(
            f"potential: a curve needs one shape variable; here there are {len(names)} ({', '.join(names)})."
        )
    if r is None:
        raise StateError(f"potential: over which {names[0]}? Give r=(low, high).")
    across = np.linspace(float(r[0]), float(r[1]), POINTS) if len(r) == 2 else np.asarray(r, dtype=float)
    found = reduction.potential(J)
    system = reduction.system
    values = known_parameters(system, parameters)
    function = function_of(found, names[0], values, J, tuple(system.parameters))
    momentum = options.pop("momentum", "" if J is None else f"J = {_parsed_potential(J)}")
    return potential_figure(across, function, energy, label=names[0], momentum=momentum, **options)


def function_of(
    potential: Any, name: str, values: Mapping[str, Any], J: Any = None, parameters: Sequence[str] = ()
) -> Callable[[Any], Any]:
    """A potential as a function of an array: it is one, has one (``.potential``), or is an expression or text."""
    potential = getattr(potential, "potential", potential)
    if callable(potential) and not hasattr(potential, "free_symbols"):
        return lambda at: potential(at)
    given = {**values, **({str(k): v for k, v in J.items()} if isinstance(J, Mapping) else {})}
    formula = expression(potential, (name, *given, *parameters), f"potential over {name}")
    free = sorted({str(s) for s in formula.free_symbols} - {name})
    missing = [n for n in free if n not in given]
    if missing:
        raise StateError(f"potential: {missing[0]!r} has no value;", remedy=give_parameter(missing[0]))
    compiled = numeric_function([*symbols([name]), *symbols(free)], [formula, ZERO])

    def value(at: Any) -> Any:
        places = np.atleast_1d(np.asarray(at, dtype=float))
        rows = np.column_stack([places, *(np.full(len(places), float(given[n])) for n in free)])
        with np.errstate(all="ignore"):
            found = np.asarray(compiled(rows), dtype=float).reshape(len(places), -1)[:, 0]
        return found if np.ndim(at) else float(found[0])

    return value


def _parsed_potential(J: Any) -> str:
    items: Sequence[Any] = list(J.values()) if isinstance(J, Mapping) else list(np.atleast_1d(J))
    words = ", ".join(f"{float(e):.3g}" for e in items)
    return words if len(items) == 1 else f"({words})"


@dataclass(frozen=True, eq=False)
class PotentialFigure:
    """What the figure of a potential shows, as numbers, and its axes."""

    r: Array
    potential: Array
    minima: tuple[tuple[float, float], ...]
    maxima: tuple[tuple[float, float], ...]
    turning: tuple[float, ...]
    """Where the potential is the given energy."""
    axes: Axes = field(kw_only=True)

    def save(self, path: Any) -> Any:
        """Write the figure as PDF, SVG or PNG."""
        return save_figure(self.axes.figure, path)


def potential_figure(
    r: Any,
    potential: Any,
    energy: float | None = None,
    *,
    label: str = "r",
    unit: str = "",
    momentum: str = "",
    top: float | None = None,
    width: float = COLUMN,
    axes: Any = None,
    path: Any = None,
) -> PotentialFigure:
    """The potential over one shape variable: minima filled (stable), maxima empty, turning points of a motion of ``energy``.

    ``potential`` is a function of an array, or the values at ``r`` (then places between are by a cubic through them).
    """
    across = np.asarray(r, dtype=float)
    if across.ndim != 1 or len(across) < 4 or np.any(np.diff(across) <= 0):
        raise StateError("potential: r must be at least four growing numbers.")
    function = potential if callable(potential) else _through(across, np.asarray(potential, dtype=float))
    with np.errstate(all="ignore"):
        values = np.asarray(function(across), dtype=float) * np.ones(len(across))
    if values.shape != across.shape or not np.any(np.isfinite(values)):
        raise StateError("potential: no finite values over the range of r; choose another range.")
    minima, maxima = (_extrema(function, across, values, sign) for sign in (1, -1))
    turning = _crossings(function, across, values, energy) if energy is not None else ()
    with journal():
        axes = axes if axes is not None else new_axes(width, 0.72)[1]
    found = PotentialFigure(across, values, minima, maxima, turning, axes=axes)
    _draw(found, energy, label, unit, momentum, top)
    if path is not None:
        save_figure(axes.figure, path)
    return found


def _through(r: Array, values: Array) -> Callable[[Any], Any]:
    from scipy.interpolate import CubicSpline

    good = np.isfinite(values)
    if values.shape != r.shape or np.count_nonzero(good) < 4:
        raise StateError(f"potential: {values.shape} values for {len(r)} places; give one number for each.")
    spline = CubicSpline(r[good], values[good], extrapolate=False)
    return lambda at: spline(at)


def _extrema(function: Any, r: Array, values: Array, sign: int) -> tuple[tuple[float, float], ...]:
    from scipy.optimize import minimize_scalar

    result = []
    level = sign * values
    for k in range(1, len(r) - 1):
        if level[k] < level[k - 1] and level[k] <= level[k + 1]:
            best = minimize_scalar(
                lambda at: sign * float(function(at)),
                bounds=(r[k - 1], r[k + 1]),
                method="bounded",
                options={"xatol": 1e-12},
            )
            result.append((float(best.x), float(function(best.x))))
    return tuple(result)


def _crossings(function: Any, r: Array, values: Array, energy: float) -> tuple[float, ...]:
    from scipy.optimize import brentq

    above = values - energy
    places = [k for k in range(len(r) - 1) if np.isfinite(above[k : k + 2]).all() and above[k] * above[k + 1] < 0]
    return tuple(float(brentq(lambda at: float(function(at)) - energy, r[k], r[k + 1], xtol=1e-13)) for k in places)


def _draw(
    found: PotentialFigure, energy: float | None, label: str, unit: str, momentum: str, top: float | None
) -> None:
    axes: Any = found.axes
    with journal():
        axes.plot(found.r, found.potential, color=COLOURS[0], label=momentum or None)
        axes.set_xlim(float(found.r[0]), float(found.r[-1]))
        axes.set_ylim(*_window(found, energy, top))
        if energy is not None:
            axes.axhline(energy, color=FAINT, lw=0.8, ls=(0, (4, 2)))
            axes.annotate(
                "$E$",
                (1, energy),
                xycoords=("axes fraction", "data"),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
            )
            axes.fill_between(
                found.r, found.potential, energy, where=found.potential < energy, color=COLOURS[4], alpha=0.18, lw=0
            )
            axes.plot(
                found.turning, [energy] * len(found.turning), "|", color=FAINT, ms=9, mew=1.2, label="turning points"
            )
        marks = (("minimum", found.minima, STABLE, STABLE), ("maximum", found.maxima, "white", UNSTABLE))
        for name, points, face, edge in marks:
            if points:
                axes.plot(*np.array(points).T, "o", ms=4.5, mfc=face, mec=edge, mew=1.1, label=name, zorder=4)
        axes.set_xlabel(with_unit(math_name(label), unit))
        axes.set_ylabel("reduced potential" + (" [J]" if unit else ""))
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best")


def _window(found: PotentialFigure, energy: float | None, top: float | None) -> tuple[float, float]:
    """Walls that rise without bound are cut well above what matters: the extrema and the energy."""
    finite = found.potential[np.isfinite(found.potential)]
    low = float(finite.min())
    matters = [*(u for _, u in (*found.minima, *found.maxima)), *([energy] if energy is not None else [])]
    high = float(finite.max())
    if matters and top is None:
        span = max(max(matters) - min(low, *matters), 0.15 * float(np.median(finite) - low), 1e-12)
        high = min(high, max(matters) + 1.2 * span)
    high = high if top is None else top
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


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
