"""Locate masses, blades and wheels of a planar mechanism from its energy and constraints.

A square pair ``m (A² + B²)/2`` in the kinetic energy is the velocity of a mass, in some turned frame; a constraint ``n·Ṗ = 0``
is a blade across ``n``. Both are fitted by points ``P = (x, y) + Σ d_k e(ψ_k) + …`` whose velocities they are, by least squares
at random states; what does not fit to rounding is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, atoms, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import kernel
from nonholo.model.system import System, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text
from nonholo.program.array_types import Array

SAMPLES = 24
EXACT = 1e-8


@dataclass(frozen=True)
class PlaneSamples:
    """A plane system at random states: its headings ``ψ_k`` and how every one of them turns."""

    system: System
    values: Mapping[str, float]
    x: str
    y: str | None
    headings: tuple[Expr, ...]
    table: Array
    """States: coordinates, rates, parameters and time."""
    names: tuple[str, ...]

    def at(self, exprs: Sequence[Expr]) -> Array:
        """The expressions at every state, states x expressions."""
        if not exprs:
            return np.zeros((len(self.table), 0))
        with np.errstate(all="ignore"):
            flat = numeric_function(symbols(self.names), [*exprs, ZERO], "lambda")(self.table)
        return np.asarray(flat, dtype=float).reshape(len(self.table), -1)[:, :-1]

    def rates(self, exprs: Sequence[Expr]) -> list[Expr]:
        """Their derivatives along the motion, in the rates."""
        coordinates = symbols(self.system.coordinates)
        return list(along(exprs, dict(zip(coordinates, symbols(f"{c}dot" for c in self.system.coordinates)))))

    def reach(self, one: Sequence[Expr], two: Sequence[Expr]) -> float:
        """The largest distance of two places among the states."""
        return float(np.max(self._distances(one, two)))

    def rigid(self, one: Sequence[Expr], two: Sequence[Expr]) -> bool:
        """Whether two places keep their distance."""
        return float(np.ptp(self._distances(one, two))) < EXACT

    def _distances(self, one: Sequence[Expr], two: Sequence[Expr]) -> Array:
        gap: Array = np.linalg.norm(self.at([b - a for a, b in zip(one, two)]), axis=1)
        return gap

    def seen(self, place: Sequence[Expr], here: Sequence[Expr], heading: Expr) -> tuple[float, float] | None:
        """How far ahead and to the left a place is, seen along a heading; None when that changes."""
        gap, angle = self.at([p - h for p, h in zip(place, here)]), self.at([heading])[:, 0]
        ahead = gap[:, 0] * np.cos(angle) + gap[:, 1] * np.sin(angle)
        aside = gap[:, 1] * np.cos(angle) - gap[:, 0] * np.sin(angle)
        return (float(ahead[0]), float(aside[0])) if max(np.ptp(ahead), np.ptp(aside)) < EXACT else None


def plane_samples(system: System, values: Mapping[str, float], x: str, y: str | None) -> PlaneSamples:
    """A system in plain coordinates at random states."""
    rates = [f"{c}dot" for c in system.coordinates]
    random = np.random.default_rng(5)
    moving = random.uniform(-1.2, 1.2, (SAMPLES, 2 * len(rates)))
    fixed = np.tile([float(values[p]) for p in system.parameters] + [0.3] * len(system.inputs) + [0.2], (SAMPLES, 1))
    names = (*system.coordinates, *rates, *system.parameters, *system.inputs, "t")
    return PlaneSamples(system, values, x, y, headings_of(system), np.hstack([moving, fixed]), names)


def headings_of(system: System) -> tuple[Expr, ...]:
    """The arguments of sines and cosines: integer combinations of coordinates, single angles first."""
    known = set(symbols(system.coordinates))
    found: dict[Expr, None] = {}
    for e in (system.lagrangian, *system.constraints, *system.quasivelocities.values()):
        for wave in sorted(atoms([e], se.sin, se.cos), key=str):
            inside = wave.args[0]
            slopes = [inside.diff(s) for s in inside.free_symbols]
            if inside.free_symbols and inside.free_symbols <= known and all(s in (ONE, -ONE) for s in slopes):
                found[inside] = None
    return tuple(sorted(found, key=lambda e: (len(e.free_symbols), to_text(e))))


def squares(expr: Expr, rates: set[Any], factor: Expr = ONE) -> list[tuple[Expr, Expr]]:
    """The squares of velocities a kinetic energy is written as: factor and root of each."""
    if isinstance(expr, se.Add):
        return [found for part in expr.args for found in squares(part, rates, factor)]
    parts = list(expr.args) if isinstance(expr, se.Mul) else [expr]
    moving = [p for p in parts if p.free_symbols & rates]
    still = se.Mul(*(p for p in parts if not p.free_symbols & rates))
    if len(moving) == 1 and isinstance(moving[0], se.Add):
        return squares(moving[0], rates, factor * still)
    if len(moving) == 1 and isinstance(moving[0], se.Pow) and moving[0].args[1] == 2:
        waves = [p for p in parts if isinstance(p, se.Pow) and p.args[1] == 2 and isinstance(p.args[0], (se.sin, se.cos))]
        rest = se.Mul(*(p for p in parts if p not in waves and p not in moving))
        return [(factor * rest, se.Mul(moving[0].args[0], *(p.args[0] for p in waves)))]
    return []


def masses(found: PlaneSamples) -> list[tuple[Expr, Expr]]:
    """The places of the masses, as coordinates of the plane."""
    rates = set(symbols(f"{c}dot" for c in found.system.coordinates))
    groups: dict[Expr, list[Expr]] = {}
    for factor, root in squares(found.system.lagrangian, rates):
        groups.setdefault(factor, []).append(root)
    places = [_mass(found, pair) for pair in groups.values() if len(pair) == 2]
    return list(dict.fromkeys(p for p in places if p is not None))


def _basis(found: PlaneSamples) -> list[Expr]:
    """Functions that make up a place: coordinates, directions, and coordinates along directions."""
    waves = [wave(h) for h in found.headings for wave in (se.cos, se.sin)]
    angles = {s for h in found.headings for s in h.free_symbols}
    lengths = [s for s in symbols(found.system.coordinates) if s not in angles]
    own = [s for s in lengths if str(s) in (found.x, found.y)]
    slides = [s for s in lengths if s not in own]
    return [*own, *slides, *waves, *(s * w for s in slides for w in waves)]


def _mass(found: PlaneSamples, pair: Sequence[Expr]) -> tuple[Expr, Expr] | None:
    """The place whose velocity is a pair of components in one of the turned frames."""
    basis = _basis(found)
    slopes = found.at(found.rates(basis))
    roots = found.at(pair)
    turns = np.hstack([np.zeros((SAMPLES, 1)), found.at(found.headings)])
    for angle in turns.T:
        for a, b in ((roots[:, 0], roots[:, 1]), (roots[:, 1], roots[:, 0])):
            for sign in (1.0, -1.0):
                across = a * np.cos(angle) - sign * b * np.sin(angle)
                up = a * np.sin(angle) + sign * b * np.cos(angle)
                fits = [f for f in (_fitted(slopes, target) for target in (across, up)) if f is not None]
                if len(fits) < 2:
                    continue
                first, second = (_sum(basis, f) for f in fits)
                shift = [f[k] for k, (f, n) in enumerate(zip(fits, (found.x, found.y))) if n is not None]
                if all(abs(abs(s) - 1) < EXACT for s in shift):
                    return (first * round(shift[0]), second * round(shift[-1]) if found.y else second)
    return None


def _fitted(slopes: Array, target: Array) -> Array | None:
    answer = np.asarray(np.linalg.lstsq(slopes, target, rcond=None)[0], dtype=np.float64)
    gap = float(np.max(np.abs(slopes @ answer - target), initial=0.0))
    return answer if np.isfinite(gap) and gap < EXACT * (1 + float(np.max(np.abs(target), initial=0.0))) else None


def _sum(basis: Sequence[Expr], factors: Array) -> Expr:
    terms = [se.RealDouble(float(np.round(f, 9))) * b if abs(f - 1) > EXACT else b for f, b in zip(factors, basis)]
    return se.Add(*(t for t, f in zip(terms, factors) if abs(f) > EXACT))


@dataclass(frozen=True)
class Blade:
    """Something that moves in one direction only: the joints from (x, y) to it, itself the last, and the way it looks."""

    chain: tuple[tuple[Expr, Expr], ...]
    heading: Expr

    @property
    def place(self) -> tuple[Expr, Expr]:
        """Where it is."""
        return self.chain[-1]


def blades(found: PlaneSamples) -> list[Blade]:
    """Where something can move in one direction only, and which way it looks."""
    rows = constraint_rows(found.system)
    if found.y is None or not rows.linear:
        return []
    places = [found.system.coordinates.index(n) for n in (found.x, found.y)]
    here = (symbols([found.x])[0], symbols([found.y])[0])
    result: list[Blade] = []
    ahead = _way(found, [list(row) for row in rows.slopes], places)
    if ahead is not None:
        result.append(Blade((here,), ahead))
    for row in rows.slopes:
        one = _blade(found, list(row), places)
        if one is not None and all((b.place, b.heading) != (one.place, one.heading) for b in result):
            result.append(one)
    return result


def _way(found: PlaneSamples, rows: list[list[Expr]], places: Sequence[int]) -> Expr | None:
    """The heading along which the place of the coordinates itself must move, if it must."""
    size = len(found.system.coordinates)
    table = found.at([e for row in rows for e in row]).reshape(SAMPLES, len(rows), size)
    ways = []
    for matrix in table:
        free = kernel(matrix, EXACT, absolute=True).T[:, places]
        if not len(free) or np.linalg.matrix_rank(free, tol=1e-7) != 1:
            return None
        ways.append(np.linalg.svd(free)[2][0])
    return _heading(found, np.array(ways))


def _heading(found: PlaneSamples, ways: Array) -> Expr | None:
    """The heading that all these directions have, either way round."""
    for angle, text in zip(found.at(found.headings).T, found.headings):
        if np.max(np.abs(ways[:, 0] * np.sin(angle) - ways[:, 1] * np.cos(angle))) < 1e-7:
            return text
    return None


def _blade(found: PlaneSamples, row: list[Expr], places: Sequence[int]) -> Blade | None:
    """The blade of one constraint, where its offset from (x, y) is a sum of lengths along and across headings."""
    numbers = found.at(row)
    across = numbers[:, places]
    size = np.linalg.norm(across, axis=1)
    if np.min(size) < EXACT:
        return None
    heading = _heading(found, np.column_stack([across[:, 1], -across[:, 0]]) / size[:, None])
    chain = _chain(found, numbers, places, ()) if heading is not None else None
    return Blade(chain, heading) if chain is not None and heading is not None else None


def _chain(
    found: PlaneSamples, numbers: Array, places: Sequence[int], without: Sequence[int]
) -> tuple[tuple[Expr, Expr], ...] | None:
    """The joints from (x, y) to the point whose velocity a row is a component of, apart from some coordinates."""
    along_row = numbers[:, places]
    waves = [pair for h in found.headings for pair in ((se.cos(h), se.sin(h)), (-se.sin(h), se.cos(h)))]
    coordinates = symbols(found.system.coordinates)
    rows, sides = [], []
    for k in range(len(coordinates)):
        if k in places or k in without:
            continue
        turned = found.at([w.diff(coordinates[k]) for pair in waves for w in pair]).reshape(SAMPLES, -1, 2)
        rows.append(np.einsum("nki,ni->nk", turned, along_row))
        sides.append(numbers[:, k])
    answer = _fitted(np.vstack(rows), np.concatenate(sides)) if rows and waves else np.zeros(0)
    if answer is None:
        return None
    x, y = symbols([found.x, str(found.y)])
    chain = [(x, y)]
    for k in np.flatnonzero(np.abs(answer) > EXACT).tolist():
        step = answer[k : k + 1]
        chain.append((chain[-1][0] + _sum(waves[k][:1], step), chain[-1][1] + _sum(waves[k][1:], step)))
    return tuple(chain)


@dataclass(frozen=True)
class Wheel(Blade):
    """A wheel that rolls along its heading: its angle, and its radius with the sign of rolling forwards."""

    spin: str
    radius: float


def wheels(found: PlaneSamples) -> list[Wheel]:
    """Wheels off (x, y): rows ``e(ψ)·Ṗ − r φ̇`` in which ``φ`` is no heading."""
    rows = constraint_rows(found.system)
    if found.y is None or not rows.linear:
        return []
    names = found.system.coordinates
    places = [names.index(n) for n in (found.x, found.y)]
    looking = {str(s) for h in found.headings for s in h.free_symbols}
    result = []
    for row in rows.slopes:
        numbers = found.at(list(row))
        ahead = numbers[:, places]
        size = np.linalg.norm(ahead, axis=1)
        spins = [k for k, n in enumerate(names) if k not in places and n not in looking and np.min(np.abs(numbers[:, k])) > EXACT]
        heading = _heading(found, ahead / size[:, None]) if np.min(size) > EXACT and len(spins) == 1 else None
        chain = _chain(found, numbers, places, spins) if heading is not None else None
        if heading is None or chain is None:
            continue
        angle = found.at([heading])[:, 0]
        forwards = ahead[:, 0] * np.cos(angle) + ahead[:, 1] * np.sin(angle)
        radius = -numbers[:, spins[0]] / forwards
        if np.ptp(radius) < EXACT:
            result.append(Wheel(chain, heading, names[spins[0]], float(np.round(radius[0], 9))))
    return result


def centre_of_mass(found: PlaneSamples) -> tuple[Expr, Expr, Expr] | None:
    """The centre of mass, its height up to a constant, however the energy is written; None where no sum of directions fits.

    Where x moves everything, ``∂²L/∂ẋ∂q̇`` is the total mass times ``∂X/∂q``, and ``-∂L/∂g`` at rest is the mass times the height.
    """
    system = found.system
    rates = symbols(f"{c}dot" for c in system.coordinates)
    (energy,) = resolve(system, [system.lagrangian])
    waves = [w for h in found.headings for w in (se.cos(h), se.sin(h))]
    basis = [*waves, *(a * b for i, a in enumerate(waves) for b in waves[2 * (i // 2) + 2 :])]
    coordinates = symbols(system.coordinates)
    places = [n for n in (found.x, found.y) if n is not None]
    result: list[Expr] = []
    for name in places:
        own = energy.diff(rates[system.coordinates.index(name)])
        mass = found.at([own.diff(rates[system.coordinates.index(name)])])[:, 0]
        others = [k for k, n in enumerate(system.coordinates) if n not in places]
        if not basis or not others or np.ptp(mass) > EXACT or mass[0] < EXACT:
            return None
        slopes = np.vstack([found.at([b.diff(coordinates[k]) for b in basis]) for k in others])
        sides = np.concatenate([found.at([own.diff(rates[k])])[:, 0] for k in others]) / mass[0]
        answer = _fitted(slopes, sides)
        if answer is None:
            return None
        result.append(symbols([name])[0] + _sum(basis, answer))
    still = energy.xreplace(dict.fromkeys(rates, ZERO))
    rise = -still.diff(symbols(["g"])[0]) / se.RealDouble(float(mass[0])) if "g" in system.parameters else ZERO
    return result[0], result[-1], rise if not rise.free_symbols & set(symbols(places)) else ZERO


def incline(found: PlaneSamples) -> tuple[float, float] | None:
    """How much higher a step along x and along y leads, where the plane is a slope; None where it is level."""
    if "g" not in found.system.parameters or found.y is None:
        return None
    (energy,) = resolve(found.system, [found.system.lagrangian])
    rates = symbols(f"{c}dot" for c in found.system.coordinates)
    weight = -energy.xreplace(dict.fromkeys(rates, ZERO)).diff(symbols(["g"])[0])
    first = rates[found.system.coordinates.index(found.x)]
    rises = found.at([weight.diff(s) for s in symbols([found.x, found.y])])
    mass = found.at([energy.diff(first).diff(first)])
    if np.max(np.ptp(rises, axis=0)) > EXACT or np.ptp(mass) > EXACT or mass[0, 0] < EXACT:
        return None
    slope = rises[0] / mass[0, 0]
    return (float(slope[0]), float(slope[1])) if EXACT < float(np.hypot(*slope)) <= 1 else None


def rolled(found: PlaneSamples, heading: Expr, angle: str) -> float | None:
    """The radius of a wheel at (x, y): ``v = r φ̇`` along the heading in every admissible motion."""
    rows = constraint_rows(found.system)
    if found.y is None or not rows.linear or angle not in found.system.coordinates:
        return None
    names = found.system.coordinates
    table = found.at([e for row in rows.slopes for e in row]).reshape(SAMPLES, len(rows.slopes), len(names))
    looks = found.at([heading])[:, 0]
    speeds, turns = [], []
    for matrix, look in zip(table, looks):
        for free in kernel(matrix, EXACT, absolute=True).T:
            speeds.append(free[names.index(found.x)] * np.cos(look) + free[names.index(found.y)] * np.sin(look))
            turns.append(free[names.index(angle)])
    fit = _fitted(np.array(turns)[:, None], np.array(speeds)) if turns else None
    return None if fit is None or abs(fit[0]) < EXACT else float(fit[0])


def rolling_radius(
    system: System, values: Mapping[str, float], rates: Sequence[str], only: str | None = None
) -> float | None:
    """The largest ratio of turning to moving in the constraints: the radius of a ball that rolls.

    ``only`` names the velocity that counts as moving, where others are no lengths.
    """
    rows = constraint_rows(system)
    turning = [k for k, v in enumerate(system.velocities) if v in rates]
    moving = [k for k, v in enumerate(system.velocities) if (v not in rates if only is None else v == only)]
    if not rows.linear or not rows.slopes or not turning or not moving:
        return None
    rest = [k for k in moving if any(row[k] != 0 for row in rows.slopes)]
    names = (*system.coordinates, *system.velocities, *system.parameters, *system.inputs, "t")
    random = np.random.default_rng(3)
    places = [
        [h + random.uniform(0.4, 0.9) * (f"{c}dot" in system.velocities) for c, h in zip(system.coordinates, system.frame.home)]
        for _ in range(4)  # entries of a rotation stay at home
    ]
    fixed = [*[0.0] * len(system.velocities), *(values[p] for p in system.parameters), *[0.0] * len(system.inputs), 0.0]
    table = np.array([[*place, *fixed] for place in places])
    flat = [row[k] for row in rows.slopes for k in (*turning, *rest)]
    found = np.asarray(numeric_function(symbols(names), [*flat, ZERO], "lambda")(table), dtype=float)
    found = found.reshape(4, -1)[:, :-1].reshape(4, len(rows.slopes), -1)
    turned, moved = np.linalg.norm(found[..., : len(turning)], axis=2), np.linalg.norm(found[..., len(turning) :], axis=2)
    good = moved > EXACT
    return float(np.max(turned[good] / moved[good])) or None if np.any(good) else None


def height(system: System, of: Sequence[str]) -> Expr | None:
    """The height of the only mass over the plane, from its weight ``m g h``; None without gravity."""
    if "g" not in system.parameters:
        return None
    (energy,) = resolve(system, [system.lagrangian])
    v = symbols(system.velocities)
    still = energy.xreplace(dict.fromkeys(v, ZERO))
    weight = -still.diff(symbols(["g"])[0])
    if not weight.free_symbols & set(symbols(of)):
        return None
    moving = [k for k, n in enumerate(system.velocities) if n == f"{of[0]}dot"]
    if not moving:
        return None
    mass = energy.diff(v[moving[0]]).diff(v[moving[0]]).xreplace(dict.fromkeys(symbols(of), ZERO))
    return weight / mass if mass != 0 else None
