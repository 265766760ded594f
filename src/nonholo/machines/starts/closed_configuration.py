"""A configuration that closes every loop and contact by changing the fewest coordinates, heights first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import jacobian, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import searched
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import StateError
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.dynamics.mass_properties import gravity_of
from nonholo.model.scalars import Guess, finite
from nonholo.model.system import GRAVITY, System, known_parameters
from nonholo.program.array_types import Array

CLOSED = 1e-10
"""Residuals below this are closed, in metres."""
TRIES = 6
LINE = 1e-9
"""A minor of the distance's second derivative below this is zero: bodies touch along a line."""
LIFTS = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Heights in metres from which a body is lowered."""


@dataclass(frozen=True)
class Settled:
    """A configuration in which loops and contacts are closed, and a text on the given coordinates that were changed."""

    start: dict[str, float]
    moved: tuple[str, ...] = ()


def settled(
    parts: Assembly, system: System, start: Mapping[str, Any], values: Mapping[str, float] | None, movable: bool
) -> Settled:
    """The start with the coordinates that loops and contacts decide, as guesses: the fewest are changed, heights first."""
    if values is None:
        return Settled(dict(start))
    names = system.coordinates
    told = {n: float(plain_number(start[n])) for n in names if n in start}
    held = {n for n in told if not isinstance(start[n], (str, Guess))}
    point = _first(parts, system, {**values, **told})
    lifted = _lifted(system, held, {**values, **point})
    gaps = [one.law.gap for one in parts.contacts if one.law.gap is not None and one.law.gap not in system.holonomic]
    residuals = (*system.frame.relations, *(e for e in (*system.holonomic, *gaps) if e not in lifted))
    if len(residuals) == len(system.frame.relations):
        return Settled({**start, **{n: point[n] for n in names}} if lifted else dict(start))
    stages = _stages(parts, system, held)
    refused: list[tuple[bool, str]] = []
    for loose, tries in [*((loose, 1) for loose in stages), *((loose, TRIES) for loose in stages)]:
        if not movable and held & set(loose):
            near = _solved(system, residuals, point, values, loose, tries)
            if near is not None:
                away = [n for n in loose if n in held and abs(near[n] - point[n]) > 1e-9]
                raise StateError(_open(parts, point, values, away, near))
            continue
        found = _solved(system, residuals, point, values, loose, tries)
        if found is not None and _hangs(parts, {**values, **found}):
            found = _from_above(parts, system, residuals, point, values, loose, held) or found
        if found is not None and (problem := _too_curved(parts, {**values, **found})):
            refused.append(problem)
        elif found is not None:
            moved = {n: Guess(found[n]) for n in loose}
            kept = {n: point[n] for n in names if n not in loose}
            away = [n for n in loose if n in held and abs(found[n] - point[n]) > 1e-9]
            words = tuple(f"{n} = {found[n]:.6g} in the place of {point[n]:.6g}" for n in away)
            return Settled({**start, **kept, **moved}, words)
    if refused:
        raise StateError(min(refused, key=lambda one: one[0])[1])
    raise StateError(_refusal(parts, system, point, values))


def _too_curved(parts: Assembly, here: Mapping[str, float]) -> tuple[bool, str] | None:
    """Which contact has its body on the wrong side, and whether beyond its end: the points that touch are not the nearest."""
    for one in parts.contacts:
        minors = Formulas(tuple(here), list(one.minors)).at(here) if one.minors else np.ones(2)
        law = one.law
        if np.any(np.abs(minors[:2]) < LINE):
            return bool(minors[-1] <= 0), (
                f"{parts.machine.name}: contact {law.name!r}: {law.body!r} and {law.on} touch along a line at the start, so that "
                "no point is nearest; use a disk or a wheel at its rim, a shape that is round everywhere, or start elsewhere."
            )
        if not np.all(minors > 0):
            return bool(minors[-1] <= 0), (
                f"{parts.machine.name}: contact {law.name!r}: the points that touch at the start are not the nearest ones: "
                f"{law.on} is more curved than {law.body!r}, or the point lies beyond the end of its shape; use a smaller or "
                "rounder body, a flatter ground, or start elsewhere."
            )
    return None


def _hangs(parts: Assembly, here: Mapping[str, float]) -> bool:
    """Whether gravity pulls some body off the surface of its contact, and no other contact is from above."""
    pull = gravity_of(parts.machine, parts.formulas)
    sides = [dot(one.law.normal, pull) for one in parts.contacts if one.law.gap is not None and not one.law.lifts]
    return bool(sides) and bool(np.all(Formulas(tuple(here), sides).at(here) > 1e-9))


def _from_above(
    parts: Assembly, system: System, residuals: tuple[Expr, ...], point: Mapping[str, float], values: Mapping[str, float],
    loose: list[str], held: set[str],
) -> dict[str, float] | None:  # fmt: skip
    """The search from greater heights of free bodies without a given height, until they rest on their contacts."""
    heights = [one.motion.lengths[2] for one in parts.placed.values() if len(one.motion.lengths) == 3]
    heights = [n for n in heights if n in loose and n not in held]
    points = {n for one in parts.contacts for n in one.guess or ()}
    for lift in LIFTS if heights else ():
        higher = {n: e + lift if n in heights else e for n, e in point.items() if n not in points}
        found = _solved(system, residuals, _first(parts, system, {**values, **higher}), values, loose, 1)
        if found is not None and not _hangs(parts, {**values, **found}):
            return found
    return None


def _lifted(system: System, held: set[str], place: Mapping[str, float]) -> list[Expr]:
    """The gaps that stay open: of contacts that may lift, at given heights, and above the lowest of a free height."""
    found: list[Expr] = []
    free: dict[str, list[tuple[float, Expr]]] = {}
    for law in system.contacts:
        if not law.lifts or law.gap is None:
            continue
        gap, value = law.gap, float(evaluate([law.gap], place)[0])
        heights = [n for n in system.coordinates if gap.diff(symbol(n)) == 1]
        if any(n in held for n in heights):
            found += [gap] if value > CLOSED else []
        elif heights:
            free.setdefault(heights[0], []).append((value, gap))
    for several in free.values():
        lowest = min(range(len(several)), key=lambda k, several=several: several[k][0])  # type: ignore[misc]
        found += [gap for k, (_, gap) in enumerate(several) if k != lowest]
    return found


def plain_number(value: Any) -> float:
    """A number, or that of a guess."""
    return finite(value[1:] if isinstance(value, str) and value.startswith("~") else value, "start")


def known_values(system: System, given: Mapping[str, float] | None) -> dict[str, float] | None:
    """The values of all parameters, where all have one; inputs and time are zero."""
    values = {**({"g": GRAVITY} if "g" in system.parameters else {}), **known_parameters(system, given)}
    if any(n not in values for n in system.parameters):
        return None
    return {**values, **dict.fromkeys((*system.inputs, "t"), 0.0)}


def _first(parts: Assembly, system: System, known: Mapping[str, float]) -> dict[str, float]:
    """Initial points of the search: the given start, the frame's home, and the contacts' own guesses of their points."""
    point = {n: known.get(n, h) for n, h in zip(system.coordinates, system.frame.home)}
    for one in parts.contacts:
        if one.guess:
            names = tuple(dict.fromkeys((*point, *known)))
            numbers = Formulas(names, list(one.guess.values())).at({**known, **point})
            point |= {n: float(e) for n, e in zip(one.guess, numbers) if n not in known and np.isfinite(e)}
    return point


def _stages(parts: Assembly, system: System, held: set[str]) -> list[list[str]]:
    """Which coordinates may move: contact points, heights, pitch, roll, everything unsaid, everything."""
    order = [[n for one in parts.contacts for frame in one.frames for n in frame.coordinates], [], [], [], [], []]
    for one in parts.placed.values():
        motion = one.motion
        if len(motion.lengths) == 3:
            order[1].append(motion.lengths[2])
            if motion.angles:
                order[2].append(motion.angles[2])
                order[3].append(motion.angles[1])
    order[4] = [n for n in system.coordinates if n not in held]
    order[5] = list(system.coordinates)
    stages: list[list[str]] = []
    loose: list[str] = []
    for k, names in enumerate(order):
        more = [n for n in names if n not in loose and (k == 5 or n not in held)]
        loose = [n for n in system.coordinates if n in loose or n in more]
        if more or k == 0:
            stages.append(loose)
    return stages


_FORMULAS: Cache[Formulas] = Cache(64)


def _solved(
    system: System,
    residuals: tuple[Expr, ...],
    point: Mapping[str, float],
    values: Mapping[str, float],
    loose: list[str],
    tries: int,
) -> dict[str, float] | None:
    """The nearest point on all residuals, moving the loose coordinates alone."""
    known = (*system.coordinates, *values)

    def made() -> Formulas:
        slopes = [e for row in jacobian(residuals, symbols(loose)) for e in row] if loose else []
        return Formulas(known, [*residuals, *slopes])

    formulas = _FORMULAS.get((residuals, known, tuple(loose)), made)
    count = len(residuals)

    def function(part: Array) -> tuple[Array, Array]:
        numbers = formulas.at({**values, **point, **dict(zip(loose, part.tolist()))})
        return numbers[:count], numbers[count:].reshape(count, len(loose))

    start = np.array([point[n] for n in loose])
    if not loose:
        found, left = start, function(start)[0]
    else:  # the later ones away from a place where slopes vanish, as a linkage that is stretched out
        shifts = [np.random.default_rng(k).uniform(-0.7, 0.7, len(loose)) * (k > 0) for k in range(tries)]
        found, left = searched(function, [start + shift for shift in shifts], CLOSED)
    if not np.all(np.isfinite(left)) or float(np.max(np.abs(left), initial=0.0)) > CLOSED:
        return None
    return {**point, **dict(zip(loose, found.tolist()))}


def _open(
    parts: Assembly, point: Mapping[str, float], values: Mapping[str, float], away: list[str], near: Mapping[str, float]
) -> str:
    """What is open at a start, and what closes it."""
    here = {**values, **point}
    laws = [one.law for one in parts.contacts if one.law.gap is not None]
    gaps = {law.name: float(Formulas(tuple(here), [law.gap]).at(here)[0]) for law in laws if law.gap is not None}
    name = max(gaps, key=lambda n: abs(gaps[n])) if gaps else ""
    side = "above" if name and gaps[name] > 0 else "inside"
    message = f"{name!r} is {abs(gaps[name]):.3g} m {side} what it touches" if name else "a loop is open"
    fits = ", ".join(f"{n} = {round(near[n], 9) + 0.0:g}" for n in away)
    return f"{parts.machine.name}: at this start {message}; leave out {' or '.join(away)} so that it is found, or give {fits}."


def _refusal(parts: Assembly, system: System, point: Mapping[str, float], values: Mapping[str, float]) -> str:
    """Which contact or loop cannot be closed, and by how much."""
    name = parts.machine.name
    here = {**values, **point}
    for one in parts.contacts:
        if one.law.gap is not None:
            gap = float(Formulas(tuple(here), [one.law.gap]).at(here)[0])
            if not abs(gap) < CLOSED:
                side = f"{abs(gap):.3g} m {'above' if gap > 0 else 'inside'} {one.law.on}"
                where = side if np.isfinite(gap) else f"without a contact point on {one.law.on}"
                return (
                    f"{name}: contact {one.law.name!r} cannot be closed: at the start {one.law.body!r} is {where}, and no "
                    "coordinate brings it there; move its joint, change its size, or give a start nearer to it."
                )
    if parts.machine.loops:
        labels = ", ".join(loop.name or f"{loop.parent}–{loop.child}" for loop in parts.machine.loops)
        return f"{name}: the loop {labels} cannot be closed; check its lengths (at, in_child), or give a start nearer to it."
    return f"{name}: the holonomic constraints cannot be satisfied near this start; give a start nearer to them."
