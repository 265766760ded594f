"""Systems of material points: metric, forces and magnetic 2-form from positions r_ν(q), charges in E and B fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, jacobian, substitute, symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate, transpose
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.declared_words import Formula, Names
from nonholo.model.system import TIME, System
from nonholo.notation.functions import RESERVED, plain
from nonholo.notation.read import expression, names_of

SPACE = ("x", "y", "z")
"""The place of a point, in the texts of fields E and B."""
_WORD = re.compile(r"[^\W\d]\w*")

Vector = tuple[Expr, Expr, Expr]


def particles(
    masses: Sequence[Formula] | Mapping[str, Formula],
    positions: Sequence[Sequence[Formula]] | Mapping[str, Sequence[Formula]],
    forces: Sequence[Sequence[Formula] | None] | Mapping[str, Sequence[Formula]] = (),
    *,
    coordinates: Names = (),
    parameters: Names | Mapping[str, float | None] = (),
    potential: Formula = 0,
    charges: Sequence[Formula] | Mapping[str, Formula] = (),
    E: Formula | Sequence[Formula] = (),
    B: Sequence[Formula] = (),
    name: str = "points",
    **other: Any,
) -> System:
    """The system of material points ``(P_ν, m_ν)`` at ``r_ν(q)``, moved by forces ``A_ν(q, q̇, t)``.

        g_ij = Σ m_ν ∂_i r_ν·∂_j r_ν,    A_i = Σ A_ν·∂_i r_ν,    M_ij = Σ e_ν B·(∂_i r_ν × ∂_j r_ν)
                                                    [Benenti 2008 (1), (14), (15); MacDonnell 1997 (2.2)]

    Positions and forces have two or three components each; ``None`` is no force. ``E`` (three components, or one potential
    φ with E = −grad φ) and ``B`` (three components, divergence free) are written in the place ``x y z`` of a charge and in
    ``t``. ``potential`` is energy that belongs to all points together. Names in positions are coordinates unless they are
    among the ``parameters``; other new names are parameters. ``other`` are keywords of `System`.

    >>> s = particles(["m1", "m2"], [("x", "y"), ("x + l*cos(phi)", "y + l*sin(phi)")], [("-k*x", "-k*y"), None],
    ...               coordinates="x y phi", constraints=["xdot*sin(phi) - ydot*cos(phi)"])
    >>> s.parameters
    {'m1': None, 'm2': None, 'l': None, 'k': None}
    >>> particles(["m"], [("x", "y", "z")], charges=["e"], B=("0", "0", "b")).magnetic
    {('x', 'y'): b*e}
    """
    heavy, places = _column(masses, f"{name}: masses"), _column(positions, f"{name}: positions")
    pushes, charged = _aligned(forces, positions, f"{name}: forces"), _aligned(charges, positions, f"{name}: charges")
    for rows, what in ((heavy, "masses"), (pushes, "forces"), (charged, "charges")):
        if rows and len(rows) != len(places):
            raise ModelError(f"{name}: {len(rows)} {what} for {len(places)} positions; give one for each point.")
    if not places:
        raise ModelError(f'{name}: no points; give positions such as [("x", "y")].')
    if charged and not _given(E) and not _given(B):
        raise ModelError(f"{name}: charges feel nothing without a field; give E=(…) or B=(…) in x, y, z.")
    if not charged and (_given(E) or _given(B)):
        raise ModelError(f"{name}: a field without charges moves nothing; give charges=[…], one for each point.")
    constants = names_of(list(parameters) if isinstance(parameters, Mapping) else parameters, f"{name}: parameters")
    listed = [_triple(r, f"{name}: position {k + 1}") for k, r in enumerate(places)]
    q = names_of(coordinates, f"{name}: coordinates") or tuple(
        n for n in _names(e for r in listed for e in r) if n not in constants and n != "t"
    )
    if not q:
        raise ModelError(f"{name}: no coordinate in the positions; they are functions r(q), e.g. (\"l*sin(phi)\", 0).")
    inputs = other.get("inputs", ())
    driven = names_of(list(inputs) if isinstance(inputs, Mapping) else inputs, f"{name}: inputs")
    rates = tuple(rate(c) for c in q)
    written = [*heavy, *(e for r in listed for e in r), *(e for f in pushes if f is not None for e in f), *charged, potential]
    fields: Any = [E] if _is_one(E) else E
    other_names = _names([*fields, *B], SPACE)
    known_elsewhere = {*q, *rates, *driven, "t"}
    extra = [n for n in (*_names(written), *other_names) if n not in (*constants, *known_elsewhere)]
    if not constants or not coordinates:
        constants = tuple(dict.fromkeys((*constants, *extra)))
    known = (*q, *rates, *constants, *driven, "t")
    weights = tuple(expression(e, known, f"{name}: mass {k + 1}") for k, e in enumerate(heavy))
    points = tuple(_vector(r, (*q, *constants, "t"), f"{name}: position {k + 1}") for k, r in enumerate(listed))
    active = tuple(
        _vector(_triple(f, f"{name}: force {k + 1}"), known, f"{name}: force {k + 1}") if f is not None else (ZERO, ZERO, ZERO)
        for k, f in enumerate(pushes or [None] * len(points))
    )
    _check_masses(weights, q, name)
    flow = {**dict(zip(symbols(q), symbols(rates))), TIME: ONE}
    moving = [along(r, flow) for r in points]
    energy = sum((m * dot(u, u) / 2 for m, u in zip(weights, moving)), ZERO)
    energy -= expression(potential, known, f"{name}: potential")
    total = [sum((dot(a, d) for a, d in zip(active, slopes)), ZERO) for slopes in _slopes(points, q)]
    twist: dict[tuple[str, str], Expr] = {}
    if charged:
        loads = [expression(e, known, f"{name}: charge {k + 1}") for k, e in enumerate(charged)]
        energy, total, twist = _electromagnetic(name, points, loads, E, B, q, constants, energy, total)
    forces_on = {c: f for c, f in zip(q, total) if f != ZERO}
    told: Any = {**dict.fromkeys(constants), **parameters} if isinstance(parameters, Mapping) else constants
    for key in ("forces", "magnetic"):
        if key in other:
            more = dict(other.pop(key))
            own: dict[Any, Any] = forces_on if key == "forces" else twist
            for place, value in more.items():
                own[place] = own.get(place, ZERO) + expression(value, known, f"{name}: {key}")
    return System(name=name, coordinates=q, parameters=told, lagrangian=energy, forces=forces_on, magnetic=twist, **other)


def _electromagnetic(
    name: str,
    points: Sequence[Vector],
    loads: Sequence[Expr],
    electric: Any,
    magnetic: Sequence[Formula],
    q: Sequence[str],
    constants: Sequence[str],
    energy: Expr,
    total: list[Expr],
) -> tuple[Expr, list[Expr], dict[tuple[str, str], Expr]]:
    """Energy, forces and magnetic 2-form with what the charges feel."""
    known = (*SPACE, *(n for n in constants if n not in SPACE), "t")
    space = symbols(SPACE)
    if any(n in SPACE for n in constants):
        raise ModelError(f"{name}: x, y, z are the place of a charge in E and B; give the parameter another name.")
    slopes = _slopes(points, q)
    if _given(electric) and _is_one(electric):
        height = expression(electric, known, f"{name}: E (potential)")
        energy -= sum((e * substitute([height], dict(zip(space, r)))[0] for e, r in zip(loads, points)), ZERO)
    elif _given(electric):
        field = _vector(_triple(electric, f"{name}: E"), known, f"{name}: E")
        for i, row in enumerate(slopes):
            total[i] += sum((e * dot(substitute(field, dict(zip(space, r))), d) for e, r, d in zip(loads, points, row)), ZERO)
    twist: dict[tuple[str, str], Expr] = {}
    if _given(magnetic):
        if len(magnetic) != 3:
            raise ModelError(f"{name}: B has {len(magnetic)} components; three are needed, e.g. B=(0, 0, \"b\").")
        field = _vector(_triple(magnetic, f"{name}: B"), known, f"{name}: B")
        _check_divergence(field, name)
        local = [substitute(field, dict(zip(space, r))) for r in points]
        for i in range(len(q)):
            for j in range(i + 1, len(q)):
                entry = sum((e * dot(b, _cross(slopes[i][k], slopes[j][k])) for k, (e, b) in enumerate(zip(loads, local))), ZERO)
                if tidy(entry) != ZERO:
                    twist[q[i], q[j]] = tidy(entry)
            carried = [jacobian(r, (TIME,)) for r in points]
            for k, (e, b) in enumerate(zip(loads, local)):
                drift = tuple(row[0] for row in carried[k])
                total[i] += e * dot(_cross(drift, b), slopes[i][k])
    return energy, total, twist


def _check_divergence(field: Vector, name: str) -> None:
    spread = sum((field[k].diff(symbol(s)) for k, s in enumerate(SPACE)), ZERO)
    unknown = sorted(map(str, spread.free_symbols))
    random = np.random.default_rng(11)
    for _ in range(3):
        here = dict(zip(unknown, random.uniform(0.4, 1.7, len(unknown)).tolist()))
        size = abs(float(evaluate([spread], here)[0]))
        if size > 1e-9:
            raise ModelError(f"{name}: div B = {spread}, not 0; a magnetic field has no sources.")


def _check_masses(weights: Sequence[Expr], q: Sequence[str], name: str) -> None:
    moving = {*symbols(q), *symbols(rate(c) for c in q), TIME}
    for k, mass in enumerate(weights):
        if mass.free_symbols & moving:
            raise ModelError(f"{name}: mass {k + 1} ({mass}) changes with the motion; masses of points are constant.")
        if mass.is_Number and float(mass) <= 0:
            raise ModelError(f"{name}: mass {k + 1} is {mass}; a mass must be positive.")


def _slopes(points: Sequence[Vector], q: Sequence[str]) -> list[list[Vector]]:
    """``∂_i r_ν`` by coordinate, then by point."""
    by_point = [transpose(jacobian(r, symbols(q))) for r in points]
    return [[(row[i][0], row[i][1], row[i][2]) for row in by_point] for i in range(len(q))]


def _cross(a: Sequence[Expr], b: Sequence[Expr]) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _is_one(given: Any) -> bool:
    """Whether a field is one formula, a potential, and not components."""
    return isinstance(given, str) or not isinstance(given, (list, tuple, np.ndarray))


def _given(field: Any) -> bool:
    return _is_one(field) or len(field) > 0


def _column(given: Any, where: str) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.values())
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)):
        raise ModelError(f"{where}: found {type(given).__name__} where a list was needed, one entry for each point.")
    return list(given)


def _aligned(given: Any, positions: Any, where: str) -> list[Any]:
    """One entry for each point; a table is read by the names of the positions, missing ones are none."""
    if isinstance(given, Mapping) and isinstance(positions, Mapping):
        stray = [n for n in given if n not in positions]
        if stray:
            raise ModelError(f"{where}: no point {stray[0]!r}; the points are {', '.join(map(str, positions))}.")
        empty: Any = 0 if where.endswith("charges") else None
        return [given.get(n, empty) for n in positions]
    return _column(given, where)


def _triple(given: Any, where: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)) or len(given) not in (1, 2, 3):
        raise ModelError(f"{where}: found {given!r}; one, two or three components were needed, e.g. (\"x\", \"y\").")
    return [*given, *[0] * (3 - len(given))]


def _vector(given: Sequence[Any], known: Sequence[str], where: str) -> Vector:
    first, second, third = (expression(e, known, where) for e in given)
    return first, second, third


def _names(formulas: Iterable[Any], without: Sequence[str] = ()) -> tuple[str, ...]:
    """Names in formulas, in order of appearance; functions and constants are none."""
    found: dict[str, None] = {}
    for formula in formulas:
        if isinstance(formula, str):
            words = [plain(w) for w in _WORD.findall(re.sub(r"\d+\.?\d*[eE][+-]?\d+", " ", formula))]
        else:
            words = [plain(str(getattr(s, "name", s))) for s in sorted(getattr(formula, "free_symbols", ()), key=str)]
        found.update(dict.fromkeys(w for w in words if w not in RESERVED and w not in without))
    return tuple(found)
