"""``nh.gait``: where a periodic change of shape leads, what of it is geometry and what momentum, and the best such loop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.gaits.driven_system import Loop, driven_system, fourier_loop
from nonholo.control.gaits.gait_measure import SAMPLES, Measure
from nonholo.control.gaits.gait_search import best_loop
from nonholo.control.gaits.horizontal_lift import horizontal_lift
from nonholo.derive.chart_coordinates import in_chart
from nonholo.errors import NonholoError, StateError
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.scalars import finite, name_list, number_array, positive, whole
from nonholo.model.system import System, check_system, named, parameter_values
from nonholo.notation.read import expression

Array = NDArray[np.float64]
PER = ("cycle", "time", "effort")
HARMONICS = 4
"""Harmonics of a loop that is given, unless told."""


@dataclass(frozen=True, eq=False)
class Gait:
    """A loop in shape space and the displacement in its cycles.

    >>> [name for name in Gait.__dataclass_fields__ if name in ("displacement", "geometric", "dynamic")]
    ['displacement', 'geometric', 'dynamic']
    """

    system: System
    loop: Loop
    displacement: float
    """Of the named quantity, in all cycles, from the start or after those that settle."""
    geometric: float
    """The part of it that the connection makes: the motion with the momentum held at zero."""
    dynamic: float
    """The rest, made by momentum."""
    run: Trajectory
    cycles: int
    quantity: str
    effort: float
    """``∫ |ṙ|² dt`` over all cycles."""
    score: float
    """What was made as large as possible: displacement per cycle, time or effort."""
    area: float | None = None
    """The integral of the curvature over the inside of a plane loop, times the cycles: geometric to leading order."""
    better: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """The score of the loop from which the search began, and of the best one."""
    held: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """Displacements that the search kept at zero, as they are."""

    def __str__(self) -> str:
        lines = [
            f"{self.system.name}: {self.quantity} moves by {self.displacement:.6g} in {self.cycles} cycle"
            f"{'s' * (self.cycles > 1)} of {self.loop.period:.4g} s",
            f"  geometric {self.geometric:.6g}, dynamic {self.dynamic:.6g}"
            + (f", curvature integral {self.area:.6g}" if self.area is not None else ""),
        ]
        small = 1e-12 * float(np.max(np.abs(self.loop.coefficients), initial=0.0))
        for c, row in zip(self.loop.shape, self.loop.coefficients):
            words = ["", *(f" {f} {k if k > 1 else ''}wt" for k in range(1, self.loop.harmonics + 1) for f in ("cos", "sin"))]
            series = [f"{e:+.4g}{word}" for e, word in zip(row, words) if abs(e) > small]
            lines.append(f"  {c} = {' '.join(series) or '0'}   (w = {2 * math.pi / self.loop.period:.4g}/s)")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Gait of {self.system.name} in {', '.join(self.loop.shape)}: {self.quantity} {self.displacement:.6g}>"


def gait(
    s: System,
    shape: Mapping[str, Any] | Sequence[str],
    *,
    displacement: str = "x",
    parameters: Mapping[str, Any] | None = None,
    period: float = 2 * math.pi,
    cycles: int = 1,
    settle: int = 0,
    bounds: Mapping[str, Any] | None = None,
    per: str = "cycle",
    harmonics: int | None = None,
    start: Mapping[str, Any] | None = None,
    first: Mapping[str, Any] | None = None,
    effort: float | None = None,
    hold: str | Sequence[str] = (),
) -> Gait:
    """The displacement by a loop in shape space; the best loop where the shape variables are only named.

    ``shape`` gives a text in t (or a function, or values at equally spaced times of the period) for each shape variable, or just
    their names: then the Fourier series of the loop are chosen, within ``bounds`` on each variable (a size or a pair), so that
    ``displacement`` (a name or text in the coordinates) per ``"cycle"``, ``"time"`` or ``"effort"`` is largest; the search begins
    with the loop ``first`` where one is given, and keeps ``∫ |ṙ|² dt`` of a cycle below ``effort`` where that is given.
    Displacements in ``hold`` (``"theta"``, or several) stay zero: a board that parks does not turn. Motions begin with zero
    momentum unless ``start`` gives other velocities, and are measured over ``cycles`` after ``settle`` more.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> drive = nh.gait(board.system, {"psi": "1.1*sin(t)", "phi": "0.4*sin(t)"}, displacement="x", parameters=board.parameters)
    >>> round(drive.displacement, 4), round(drive.geometric, 12), drive.dynamic == drive.displacement - drive.geometric
    (0.3943, 0.0, True)
    """
    check_system(s)
    if per not in PER:
        raise StateError(f"{s.name}: gait: per = {per!r}; choose from {', '.join(PER)}.")
    period = positive(period, f"{s.name}: gait: period")
    cycles, settle = whole(cycles, f"{s.name}: gait: cycles"), whole(settle, f"{s.name}: gait: settle", 0)
    numbers = parameter_values(s, parameters)
    names = tuple(map(str, name_list(shape, f"{s.name}: gait: shape", '{"phi": "0.4*sin(t)"} or ["psi", "phi"]')))
    if not names:
        raise StateError(f'{s.name}: gait: no shape variable; give e.g. {{"phi": "0.4*sin(t)"}} or ["psi", "phi"].')
    if in_chart(s).coordinates != s.coordinates:
        raise StateError(f"{s.name}: gait: shape variables must be plain coordinates; write its rotations in angles.")
    expression(displacement, (*s.coordinates, *s.parameters), f"{s.name}: gait: displacement")
    given = dict(shape) if isinstance(shape, Mapping) else None
    count = (1 if given is None else HARMONICS) if harmonics is None else whole(harmonics, f"{s.name}: gait: harmonics")
    begun = {n: finite(e, f"{s.name}: gait: start {n}") for n, e in named(start, f"{s.name}: gait: start", '{"u": 0.1}').items()}
    rates = [u for u in s.inputs if any(symbol(u) in e.free_symbols for e in s.constraints)]
    if rates:
        raise StateError(
            f"{s.name}: gait: the input {rates[0]} is a velocity in the constraints, so that no shape is free; "
            "leave such inputs out: a gait needs the constraints alone."
        )
    lift = horizontal_lift(s, names, numbers)
    held = tuple(map(str, name_list(hold, f"{s.name}: gait: hold", '"theta" or ["x", "theta"]')))
    for e in held:
        expression(e, (*s.coordinates, *s.parameters), f"{s.name}: gait: hold")
    asked = Measure(s, driven_system(s, names, count), lift, displacement, numbers, cycles, settle, per, begun, held)
    if given is not None:
        if held:
            raise StateError(f"{s.name}: gait: hold is for best loops; this loop is given. Name the shape variables and bounds.")
        return _gait_of(asked, fourier_loop(_sampled(s, given, period), period, count), {})
    sizes = named(bounds, f"{s.name}: gait: bounds", '{"phi": 0.7}')
    limits = {n: _range(e, f"{s.name}: gait: bounds of {n}") for n, e in sizes.items()}
    if set(limits) != set(names):
        example = f"bounds={{{names[0]!r}: 0.7}}"
        raise StateError(f"{s.name}: gait: bounds for every shape variable are needed to find the best loop, e.g. {example}.")
    begin = None
    if first is not None:
        table = named(first, f"{s.name}: gait: first", '{"phi": "0.4*sin(t)"}')
        if set(table) != set(names):
            found = ", ".join(table) or "nothing"
            raise StateError(f"{s.name}: gait: first: a loop of {', '.join(names)} is needed; found {found}.")
        begin = fourier_loop(_sampled(s, {n: table[n] for n in names}, period), period, count)
    most = math.inf if effort is None else positive(effort, f"{s.name}: gait: effort")
    loop, scores = best_loop(asked, names, count, period, limits, begin, most)
    if held and not scores:
        raise StateError(
            f"{s.name}: gait: no loop was found that moves {displacement} and keeps {', '.join(held)}; "
            "give more harmonics, wider bounds, or another loop to begin with (first)."
        )
    try:
        return _gait_of(asked, loop, scores)
    except NonholoError as problem:
        if scores:
            raise
        raise StateError(
            f"{s.name}: gait: no loop was found that moves {displacement}, and in the middle of the bounds the motion is not "
            f"determined; give bounds on one side of such shapes, or a loop to begin with (first). {problem}"
        ) from None


def _range(given: Any, where: str) -> tuple[float, float]:
    """``(low, high)`` of a size or a pair."""
    if not isinstance(given, (tuple, list)):
        size = positive(given, where)
        return -size, size
    ends = [finite(e, where) for e in given]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise StateError(f"{where}: {given!r} where a size or a pair (low, high) is needed.")
    return ends[0], ends[1]


def _sampled(s: System, shape: dict[str, Any], period: float) -> dict[str, Any]:
    """Texts and functions at equally spaced times."""
    times = np.arange(SAMPLES) * period / SAMPLES
    result: dict[str, Any] = {}
    for name, e in shape.items():
        if callable(e):
            result[name] = [float(e(t)) for t in times.tolist()]
        elif isinstance(e, (list, tuple, np.ndarray)):
            result[name] = number_array(e, f"{s.name}: gait: {name}")
            if result[name].ndim != 1 or len(result[name]) < 3 or not np.all(np.isfinite(result[name])):
                raise StateError(f"{s.name}: gait: {name}: three finite values or more, equally spaced in a period, are needed.")
        else:
            read = expression(e, ("t",), f"{s.name}: gait {name}")
            result[name] = [float(read.subs({"t": t})) for t in times.tolist()]
    return result


def _gait_of(measure: Measure, loop: Loop, scores: Mapping[str, float]) -> Gait:
    """Everything about one loop."""
    run, (total, *kept), _ = measure.moved(loop)
    if not run.outcome.reached:
        raise StateError(f"{measure.system.name}: gait: the motion under this loop ended early: {run.outcome}")
    geometric = measure.geometric(loop)
    return Gait(
        measure.system, loop, float(total), geometric, float(total) - geometric, run, measure.cycles, measure.quantity,
        measure.effort(loop), measure.score(loop, float(total)), measure.area(loop), FrozenMap(dict(scores)),
        FrozenMap(dict(zip(measure.held, map(float, kept)))),
    )  # fmt: skip
