"""Changes that no answer may depend on: names, order, units, gauge terms, coordinates, frames in motion, products."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import symengine as se

from tests.engine.chance import NUMBERS
from tests.engine.record import Expr, Known, T, rate_of

LETTERS = [
    "q1",
    "q2",
    "q3",
    "xi",
    "eta",
    "zeta",
    "u1",
    "lam",
    "beta",
    "S",
    "N",
    "Q",
    "x0",
    "alpha",
    "kappa",
    "s",
    "E1",
    "pi1",
]
"""Names of coordinates and parameters, some of which mean something to others."""


@dataclass(frozen=True)
class Change:
    """A change of a system, when it can be made, and whether all that was found before must be found again."""

    name: str
    make: Callable[[Known, Random], Known | None]
    faithful: bool = False


CHANGES: dict[str, Change] = {}


def change(
    name: str, faithful: bool = False
) -> Callable[[Callable[[Known, Random], Known | None]], Callable[[Known, Random], Known | None]]:
    """Register a change; one that cannot be made of a system returns None."""

    def register(make: Callable[[Known, Random], Known | None]) -> Callable[[Known, Random], Known | None]:
        CHANGES[name] = Change(name, make, faithful)
        return make

    return register


def replaced(one: Known, table: Mapping[Expr, Expr]) -> Known:
    """Every expression with symbols replaced; coordinates, fields and numbers stay."""

    def of(exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(se.sympify(e).xreplace(table) for e in exprs)

    return replace(
        one,
        lagrangian=one.lagrangian.xreplace(table),
        constraints=of(one.constraints),
        holonomic=of(one.holonomic),
        forces=dict(zip(one.forces, of(list(one.forces.values())))),
        integrals=of(one.integrals),
        symmetries=tuple(of(f) for f in one.symmetries),
    )


def substituted(
    one: Known,
    names: Sequence[str],
    maps: Mapping[str, Expr],
    inverse: Callable[[dict[str, float]], dict[str, float]],
    boxes: Mapping[str, tuple[float, float]],
    angles: Sequence[str] = (),
) -> Known:
    """The system in new coordinates ``names``, with ``q = maps(Q, t)`` for the old ones (those left out keep their name)."""
    new = replace(one, coordinates=tuple(names))
    image = [maps.get(c, se.Symbol(c)) for c in one.coordinates]
    rates = rate_of(image, new)
    table = {**dict(zip(one.q, image)), **dict(zip(one.v, rates))}
    slopes = [[e.diff(q) for q in new.q] for e in image]
    moved = replaced(one, table)
    fields = []
    for field in moved.symmetries:
        own = _solved(slopes, field)
        if own is not None and not any(T in e.free_symbols for e in own):
            fields.append(own)
    old = [moved.forces.get(c, se.Integer(0)) for c in one.coordinates]
    forces = (
        {c: se.Add(*(f * slopes[i][k] for i, f in enumerate(old))) for k, c in enumerate(new.coordinates)}
        if one.forces
        else {}
    )
    still = {c: b for c, b in one.boxes.items() if c in new.coordinates}
    rest = None if one.equilibrium is None else inverse(dict(one.equilibrium))
    return replace(
        moved,
        coordinates=new.coordinates,
        symmetries=tuple(fields),
        forces={c: e for c, e in forces.items() if e != 0},
        angles=frozenset([*(one.angles & set(new.coordinates)), *angles]),
        boxes={**still, **boxes},
        equilibrium=rest,
    )


def _solved(slopes: list[list[Expr]], field: Sequence[Expr]) -> tuple[Expr, ...] | None:
    """The field in the new coordinates."""
    matrix = se.Matrix(slopes)
    try:
        found = matrix.inv() * se.Matrix([[e] for e in field])
    except (RuntimeError, ZeroDivisionError):
        return None
    return tuple(se.expand(found[i, 0]) for i in range(len(field)))


@change("rename", faithful=True)
def rename(one: Known, chance: Random) -> Known:
    taken = {str(s) for s in one.lagrangian.free_symbols}
    free = [n for n in LETTERS if n not in taken and f"{n}dot" not in taken and n not in one.parameters]
    names = chance.sample(free, min(len(free), len(one.coordinates) + len(one.parameters)))
    spare = iter([*names, *(f"k{i}" for i in range(40))])
    coordinates = {c: next(spare) for c in one.coordinates}
    parameters = {p: next(spare) for p in one.parameters}
    table = {se.Symbol(a): se.Symbol(b) for a, b in {**coordinates, **parameters}.items()}
    table |= {se.Symbol(f"{a}dot"): se.Symbol(f"{b}dot") for a, b in coordinates.items()}
    new = replaced(one, table)
    rest = None if one.equilibrium is None else {coordinates[c]: v for c, v in one.equilibrium.items()}
    return replace(
        new,
        coordinates=tuple(coordinates[c] for c in one.coordinates),
        equilibrium=rest,
        parameters={parameters[p]: v for p, v in one.parameters.items()},
        forces={coordinates[c]: e for c, e in new.forces.items()},
        angles=frozenset(coordinates[c] for c in one.angles),
        boxes={coordinates[c]: b for c, b in one.boxes.items()},
    )


@change("reorder", faithful=True)
def reorder(one: Known, chance: Random) -> Known:
    order = chance.sample(range(len(one.coordinates)), len(one.coordinates))
    return replace(
        one,
        coordinates=tuple(one.coordinates[k] for k in order),
        symmetries=tuple(tuple(f[k] for k in order) for f in one.symmetries),
        constraints=tuple(chance.sample(one.constraints, len(one.constraints))),
    )


@change("units")
def units(one: Known, chance: Random) -> Known | None:
    """A coordinate in other units: a number, or a parameter of its own."""
    plain = [c for c in one.coordinates if c not in one.angles]
    if not plain:
        return None
    c = chance.choice(plain)
    factor, more = chance.choice(NUMBERS), {}
    if chance.random() < 0.3 and "unit" not in one.parameters:
        factor, more = se.Symbol("unit"), {"unit": 1.25}
    number = float(more.get("unit", factor))
    low, high = sorted(b / number for b in one.box(c))
    new = substituted(
        one, one.coordinates, {c: factor * se.Symbol(c)}, lambda q: {**q, c: q[c] / number}, {c: (low, high)}
    )
    return replace(new, parameters={**one.parameters, **more})


@change("time unit", faithful=True)
def time_unit(one: Known, chance: Random) -> Known | None:
    """Another unit of time: rates are multiplied, frequencies too."""
    if T in one.lagrangian.free_symbols:
        return None
    factor = chance.choice([se.Rational(1, 2), se.Integer(2), se.Rational(3, 2)])
    new = replaced(one, {v: factor * v for v in one.v})
    forces = dict(new.forces)
    spectrum = None if one.spectrum is None else tuple(e / float(factor) for e in one.spectrum)
    return replace(new, forces=forces, spectrum=spectrum)


@change("scale", faithful=True)
def scale(one: Known, chance: Random) -> Known:
    """L times a number, and a number added to it."""
    factor = chance.choice([se.Integer(2), se.Rational(1, 3), se.Rational(7, 5)])
    return replace(
        one,
        lagrangian=factor * one.lagrangian + chance.choice(NUMBERS),
        forces={c: factor * e for c, e in one.forces.items()},
    )


@change("constraints combined", faithful=True)
def combined(one: Known, chance: Random) -> Known | None:
    """Constraints times functions without zeros, and added to each other."""
    if not one.constraints:
        return None
    q = chance.choice(one.q)
    rows = [e * chance.choice([se.Integer(-2), 1 + q**2, 2 + se.cos(q), se.exp(q)]) for e in one.constraints]
    if len(rows) > 1:
        rows[0] = rows[0] + chance.choice([q, se.sin(q), se.Integer(1)]) * rows[1]
    return replace(one, constraints=tuple(rows))


def _gauge(one: Known, chance: Random, timed: bool) -> Known:
    x, y = chance.choice(one.q), chance.choice(one.q)
    parts = [x * y, x**2, se.sin(x), x * se.cos(y), x**3, se.cos(x - y)]
    f = chance.choice(NUMBERS) * chance.choice(parts)
    if timed:
        f = f * chance.choice([T, se.cos(T), 1 + T**2]) + chance.choice([se.Integer(0), T**2])
    (total,) = rate_of([f], one)
    return replace(one, lagrangian=one.lagrangian + total)


@change("gauge term")
def gauge(one: Known, chance: Random) -> Known:
    return _gauge(one, chance, False)


@change("gauge term with time")
def gauge_in_time(one: Known, chance: Random) -> Known:
    return _gauge(one, chance, True)


@change("forces for potential")
def forced(one: Known, chance: Random) -> Known | None:
    """The potential, or one of its terms, as forces."""
    table = {v: se.Integer(0) for v in one.v}
    potential = -one.lagrangian.xreplace(table)
    if not potential.free_symbols & set(one.q):
        return None
    slopes = {c: -potential.diff(q) for c, q in zip(one.coordinates, one.q)}
    forces = {c: one.forces.get(c, se.Integer(0)) + slopes[c] for c in one.coordinates}
    return replace(one, lagrangian=one.lagrangian + potential, forces={c: e for c, e in forces.items() if e != 0})


@change("mix")
def mixed(one: Known, chance: Random) -> Known | None:
    """``x = X + k Y``, or oblique with a bent second axis ``x = X + k Y²``."""
    if len(one.coordinates) < 2:
        return None
    a, b = chance.sample(list(one.coordinates), 2)
    k, bent = chance.choice(NUMBERS), chance.random() < 0.4
    if a in one.angles and (bent or k.q != 1):
        return None
    power = 2 if bent else 1
    low, high = one.box(a)
    far = abs(float(k)) * max(abs(s) for s in one.box(b)) ** power
    if a in one.boxes and far > 0.2 * (high - low):
        return None
    image = {a: se.Symbol(a) + k * se.Symbol(b) ** power}
    return substituted(one, one.coordinates, image, lambda q: {**q, a: q[a] - float(k) * q[b] ** power}, {})


@change("bent axis")
def bent_axis(one: Known, chance: Random) -> Known | None:
    """``x = X + X³`` or ``x = sinh(X)``."""
    plain = [c for c in one.coordinates if c not in one.angles and c not in one.boxes]
    if not plain:
        return None
    c = chance.choice(plain)
    s = se.Symbol(c)
    cubic = chance.random() < 0.6
    image = s + s**3 if cubic else se.sinh(s)

    def back(q: dict[str, float]) -> dict[str, float]:
        roots = np.roots([1.0, 0.0, 1.0, -q[c]]) if cubic else [np.arcsinh(q[c])]
        return {**q, c: float(min(roots, key=lambda r: abs(np.imag(r))).real)}

    return substituted(one, one.coordinates, {c: image}, back, {})


@change("polar")
def polar(one: Known, chance: Random) -> Known | None:
    held = {str(s) for e in one.holonomic for s in e.free_symbols}  # a leaf may pass the origin, where the chart ends
    plain = [c for c in one.coordinates if c not in one.angles and c not in one.boxes and c not in held]
    if len(plain) < 2 or "r" in one.parameters or {"r", "f"} & set(one.coordinates) or one.equilibrium is not None:
        return None
    a, b = chance.sample(plain, 2)
    r, f = se.Symbol("r"), se.Symbol("f")
    names = ["r" if c == a else "f" if c == b else c for c in one.coordinates]
    image = {a: r * se.cos(f), b: r * se.sin(f)}
    return substituted(one, names, image, dict, {"r": (0.5, 1.4), "f": (-1.2, 1.2)}, ["f"])


@change("turned with a coordinate")
def turned(one: Known, chance: Random) -> Known | None:
    """``(x, y)`` in axes that turn with a third coordinate."""
    plain = [c for c in one.coordinates if c not in one.angles and c not in one.boxes]
    others = [c for c in one.coordinates if c in one.angles]
    if len(plain) < 2 or not others or one.equilibrium is not None:
        return None
    a, b = chance.sample(plain, 2)
    x, y, f = se.Symbol(a), se.Symbol(b), se.Symbol(chance.choice(others))
    return substituted(
        one, one.coordinates, {a: x * se.cos(f) - y * se.sin(f), b: x * se.sin(f) + y * se.cos(f)}, dict, {}
    )


@change("frame in motion")
def moving_frame(one: Known, chance: Random) -> Known | None:
    """A frame that moves or turns in time."""
    plain = [c for c in one.coordinates if c not in one.angles and c not in one.boxes]
    if not plain:
        return None
    speed = chance.choice([se.Rational(1, 2), se.Rational(-3, 5), se.Integer(1)])
    if len(plain) > 1 and chance.random() < 0.5:
        a, b = chance.sample(plain, 2)
        x, y, f = se.Symbol(a), se.Symbol(b), speed * T
        image = {a: x * se.cos(f) - y * se.sin(f), b: x * se.sin(f) + y * se.cos(f)}
    else:
        a = chance.choice(plain)
        image = {a: se.Symbol(a) + chance.choice([speed * T, speed * T**2 / 2, se.sin(T)])}
    new = substituted(one, one.coordinates, image, dict, {})
    return replace(new, equilibrium=None, spectrum=None, measure="" if one.measure == "fails" else one.measure)


@change("opposite angle", faithful=True)
def opposite(one: Known, chance: Random) -> Known | None:
    if not one.angles:
        return None
    c = chance.choice(sorted(one.angles))
    k = chance.choice([se.pi / 2, -se.pi, se.Integer(0)])
    low, high = sorted(float(k) - b for b in one.box(c))
    return substituted(
        one,
        one.coordinates,
        {c: k - se.Symbol(c)},
        lambda q: {**q, c: float(k) - q[c]},
        {c: (low, high)} if c in one.boxes else {},
    )


def product(one: Known, other: Known) -> Known:
    """Two systems side by side, the second with other names."""
    coordinates = {c: f"{c}2_" if c in one.coordinates or c in one.parameters else c for c in other.coordinates}
    taken = {*one.coordinates, *one.parameters, *coordinates.values()}
    parameters = {p: f"{p}2_" if p in taken else p for p in other.parameters}
    table = {se.Symbol(a): se.Symbol(b) for a, b in {**coordinates, **parameters}.items()}
    table |= {se.Symbol(f"{a}dot"): se.Symbol(f"{b}dot") for a, b in coordinates.items()}
    new = replaced(other, table)
    first, second = [se.Integer(0)] * len(one.coordinates), [se.Integer(0)] * len(coordinates)
    timed = any(T in e.free_symbols for k in (one, new) for e in (k.lagrangian, *k.constraints, *k.forces.values()))
    plain = not timed and not any("affine" in k.name for k in (one, other)) and "swirl" not in (one.name, other.name)
    measure = (
        ""
        if not plain or not (one.measure and other.measure)
        else "holds"
        if {one.measure, other.measure} == {"holds"}
        else "fails"
    )
    rest = (
        one.equilibrium is not None
        and other.equilibrium is not None
        and one.spectrum is not None
        and other.spectrum is not None
    )
    return Known(
        f"{one.name} and {other.name}",
        (*one.coordinates, *coordinates.values()),
        one.lagrangian + new.lagrangian,
        {**one.parameters, **{parameters[p]: v for p, v in other.parameters.items()}},
        (*one.constraints, *new.constraints),
        (*one.holonomic, *new.holonomic),
        {**one.forces, **{coordinates[c]: e for c, e in new.forces.items()}},
        one.angles | {coordinates[c] for c in other.angles},
        {**one.boxes, **{coordinates[c]: b for c, b in other.boxes.items()}},
        (*((*f, *second) for f in one.symmetries), *((*first, *f) for f in new.symmetries)),
        False,
        (*one.integrals, *new.integrals),
        None,
        measure,
        {**(one.equilibrium or {}), **{coordinates[c]: v for c, v in (other.equilibrium or {}).items()}}
        if rest
        else None,
        (*(one.spectrum or ()), *(other.spectrum or ())) if rest else None,
    )
