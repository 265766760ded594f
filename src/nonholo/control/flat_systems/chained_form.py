"""Chained form of driftless systems with two inputs: ``ẋ1 = v1, ẋ2 = v2, ẋ3 = x2 v1, …, ẋn = x_{n−1} v1``.

It exists at generic states exactly when the derived flag has dimensions 2, 3, …, n [Martin and Rouchon 1994; Murray 1994].
Two functions ``h1 = x1, h2 = xn`` give all of it: each further coordinate is a rate per rate of ``h1``, which must not depend on
the inputs until all n are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.modular_arithmetic import P, fraction_of, null_space
from nonholo.algebra.prime.modular_arithmetic import residue as residue_of
from nonholo.algebra.prime.random_points import Points, Unsupported, vanishes
from nonholo.control.flat_systems.derived_flags import characteristic, derived_flag, generic_fields
from nonholo.control.flat_systems.inverse_map import inverted
from nonholo.control.reachability.control_affine import ControlAffine, control_affine
from nonholo.control.reachability.field_jets import fraction_near
from nonholo.errors import ModelError, StateError
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.model.scalars import finite, name_list
from nonholo.model.system import System
from nonholo.notation.write import to_text

POINTS = 6
"""Random states at which candidates for flat outputs are compared, and by which equations for them are made."""
COLUMNS = 60
"""A library of candidates has at most so many functions."""
Pair = tuple[Expr, Expr]


@dataclass(frozen=True, eq=False)
class ChainedForm:
    """Coordinates and inputs of the chained form as functions of state and inputs, and back. Made by `chained_form`."""

    name: str
    coordinates: tuple[Expr, ...]
    """``x1 … xn`` as functions of the state."""
    inputs: tuple[Expr, ...]
    """``v1, v2`` as functions of state and inputs."""
    state: FrozenMap[str, Expr] | None
    """Every state variable as a function of ``x1 … xn``; None where no closed form was found."""
    given: FrozenMap[str, Expr]
    """Every input as a function of the state and ``v1, v2``."""

    def __str__(self) -> str:
        rows = [f"x{k} = {to_text(e)}" for k, e in enumerate(self.coordinates, 1)]
        rows += [f"v{k} = {to_text(e)}" for k, e in enumerate(self.inputs, 1)]
        return "\n".join([f"{self.name}: chained form", *(f"  {row}" for row in rows)])


def chained_form(
    system: System, kinematic: bool | None = None, *, outputs: Sequence[Any] | None = None, near: Mapping[str, Any] | None = None
) -> ChainedForm:
    """The chained form of a driftless system with two inputs.

    ``outputs`` are the functions ``x1, xn``, found where they are coordinates or points of a train of hitched axles; ``near`` is
    a state whose branch of the inverse is taken.

    >>> import nonholo as nh
    >>> unicycle = nh.control.kinematic_system("x y th", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w")
    >>> form = nh.control.chained_form(unicycle)
    >>> form.coordinates
    (x, tan(th), y)
    """
    control = control_affine(system, kinematic)
    for first, last in chain_outputs(control, outputs):
        chain = chain_of(control, first, last)
        if chain is not None:
            return _chained_form(control, chain, near)
    found = f"outputs {outputs!r} do not give one" if outputs is not None else "no outputs were found; give outputs=[x1, xn]"
    raise ModelError(f"{system.name}: a chained form exists at almost every state, but {found}.")


def chain_outputs(control: ControlAffine, outputs: Sequence[Any] | None = None) -> Iterator[Pair]:
    """Pairs ``x1, xn`` to try; a ModelError where no chained form exists."""
    system = control.system
    if not control.driftless or len(control.inputs) != 2 or control.relations:
        raise ModelError(f"{system.name}: a chained form needs two inputs, no drift and independent coordinates.")
    size = len(control.state)
    jets = generic_fields(control, max(2, size - 1), {})
    dimensions, _ = derived_flag(jets, list(jets.fields[1:]))
    if dimensions != list(range(2, size + 1)):
        grows, needed = (", ".join(map(str, some)) for some in (dimensions, range(2, size + 1)))
        raise ModelError(
            f"{system.name}: no chained form: the derived flag has dimensions {grows} where {needed} are needed "
            "(Martin–Rouchon); the system is not flat."
        )
    if outputs is None:
        return candidates(control)
    from nonholo.notation.read import expression

    given = name_list(outputs, f"{system.name}: outputs", 'outputs=["x", "y"]')
    if len(given) != 2:
        raise StateError(f"{system.name}: outputs: {len(given)} where two functions of the state are needed.")
    first, last = (expression(e, (*control.names, *system.parameters), f"{system.name}: outputs") for e in given)
    return iter([(first, last)])


def _rate(control: ControlAffine, function: Expr, k: int) -> Expr:
    """``L_{g_k} h``."""
    fields = control.kinematics[k]
    return se.Add(*(function.diff(s) * e for s, e in zip(control.coordinates, fields)))


def chain_of(control: ControlAffine, first: Expr, last: Expr, short: bool = True) -> list[Expr] | None:
    """``x1, x2, …, xn`` from both ends; None where a rate per rate of ``first`` depends on inputs too early, or never.

    ``short`` asks for shorter expressions, which takes a while; only those of a chain that exists are made shorter.
    """
    along = [_rate(control, first, k) for k in (1, 2)]
    k = next((k for k in (0, 1) if not vanishing(control, along[k])), None)
    if k is None:
        return None
    chain = [last]
    for _ in range(len(control.state) - 2):
        rates = [_rate(control, chain[-1], j) for j in (1, 2)]
        if not vanishing(control, rates[0] * along[1] - rates[1] * along[0]):
            return None
        chain.append(rates[k] / along[k])
    rates = [_rate(control, chain[-1], j) for j in (1, 2)]
    if vanishing(control, rates[0] * along[1] - rates[1] * along[0]):
        return None
    if short:
        chain = [last]
        for _ in range(len(control.state) - 2):
            chain.append(shorter(independent_part(control, _rate(control, chain[-1], k + 1) / along[k])))
    return [first, *chain[::-1]]


def independent_part(control: ControlAffine, expr: Expr) -> Expr:
    """The expression without the coordinates on which it does not depend."""
    for s in control.coordinates:
        if s in expr.free_symbols and vanishing(control, expr.diff(s)):
            for number in (se.Integer(0), se.pi / 2, se.Integer(1)):
                there = expr.xreplace({s: number})
                if vanishing(control, expr - there):
                    expr = there
                    break
    return expr


def shorter(expr: Expr) -> Expr:
    """A shorter form where SymPy finds one soon."""
    import sympy

    plain = sympy.sympify(expr)
    if plain.count_ops() > 400:
        return expr
    short = sympy.cancel(sympy.expand_trig(plain)) if plain.count_ops() < 120 else plain
    short = sympy.trigsimp(short) if short.count_ops() < 120 else short
    return se.sympify(min((plain, short), key=lambda e: e.count_ops()))


def vanishing(control: ControlAffine, expr: Expr) -> bool:
    """Whether an expression is zero at all states and parameters, tried modulo a prime."""
    return vanishes([expr], Points(POINTS, 17))


def candidates(control: ControlAffine) -> Iterator[Pair]:
    """Pairs of functions that may begin and end a chain: coordinates; then sums of a library that satisfy its first condition."""
    yield from permutations(control.coordinates, 2)
    library = _library(control)
    used = {str(s) for row in control.kinematics for e in row for s in e.free_symbols}
    names = [n for n in control.system.parameters if n in used]
    values = {n: float(Fraction(31 + 6 * k, 29 + 12 * k)) for k, n in enumerate(names)}
    for first in (*control.coordinates, *_train_points(control, library, values)):
        for last in _partners(control, first, library, values):
            yield first, last


def _library(control: ControlAffine) -> list[Expr]:
    """Coordinates and the sines and cosines of angles; of systems without angles monomials up to the third degree."""
    still = set(symbols(control.system.parameters))
    waves = [f for row in control.kinematics for f in atoms(row, se.sin, se.cos, se.tan)]
    angles = sorted({s for f in waves for s in f.free_symbols} - still, key=str)
    plain = [s for s in control.coordinates if s not in angles]
    if angles:
        return [*plain, *(f(s) for s in angles for f in (se.cos, se.sin))]
    return [se.Mul(*some) for d in (1, 2, 3) for some in combinations_with_replacement(plain, d)][:COLUMNS]


def _partners(control: ControlAffine, first: Expr, library: Sequence[Expr], values: Mapping[str, float]) -> Iterator[Expr]:
    """Sums of the library whose rates per rate of ``first``, one after the other, do not depend on inputs."""
    points = Points(len(library) + POINTS, 23)
    for n, value in values.items():
        points.set(symbol(n), np.full(points.count, residue_of(fraction_near(value), points.p), dtype=np.int64))
    along = [_rate(control, first, k) for k in (1, 2)]
    k = next((k for k in (0, 1) if not vanishing(control, along[k])), None)
    if k is None:
        return
    rows, level = [], list(library)
    try:
        for _ in range(len(control.state) - 2):
            rates = [[_rate(control, e, j) for e in level] for j in (1, 2)]
            columns = points.values([a * along[1] - b * along[0] for a, b in zip(*rates)])
            rows.append(np.column_stack(columns)[points.good])
            level = [e / along[k] for e in rates[k]]
    except Unsupported:
        return
    for _, vector in null_space(np.concatenate(rows), points.p):
        scale = pow(int(vector[np.flatnonzero(vector)[0]]), -1, points.p)
        parts = [_coefficient(int(w) * scale % points.p, values, points.p) for w in vector]
        if None not in parts:
            yield _sum(parts, library)


def _train_points(control: ControlAffine, library: Sequence[Expr], values: Mapping[str, float]) -> list[Expr]:
    """Sums of a coordinate and multiples of sines and cosines that are constant along the characteristic directions.

    At generic states the flat outputs are functions of three functions that are constant along these directions.
    """
    rows: list[Any] = []
    plain = [e for e in library if e in control.coordinates]
    if len(plain) == len(control.coordinates):
        return []
    try:
        for seed in range(len(library)):
            jets = generic_fields(control, len(control.state) - 1, values, seed + 5)
            slopes = np.array([[jets.place.value(e.diff(s)) for s in control.coordinates] for e in library], dtype=np.int64)
            _, bases = derived_flag(jets, list(jets.fields[1:]))
            rows += [np.sum(slopes * d[None] % jets.p, axis=1) % jets.p for d in characteristic(jets, bases[-2])]
    except (NoPoints, Unsupported, ValueError):
        return []
    if not rows:
        return []
    sums: list[Expr] = []
    waves: list[Expr] = []
    for _, vector in null_space(np.array(rows, dtype=np.int64)[:, ::-1], P):
        weights = vector[::-1]
        scale = next((int(weights[k]) for k, e in enumerate(library) if e in plain and weights[k]), 0)
        parts = [_coefficient(int(w) * pow(scale or 1, -1, P) % P, values, P) for w in weights]
        if None not in parts:
            (sums if scale else waves).append(_sum(parts, library))
    sizes = [se.Integer(0), *(sign * symbol(n) for n in values for sign in (-1, 1))]
    return [one + size * wave for one in sums for size in sizes for wave in (waves if size != 0 else [se.Integer(0)])]


def _sum(parts: Sequence[Expr | None], library: Sequence[Expr]) -> Expr:
    return se.Add(*(c * e for c, e in zip(parts, library) if c is not None))


def _coefficient(residue: int, values: Mapping[str, float], p: int) -> Expr | None:
    """A small fraction, or one times a parameter."""
    plain = fraction_of(residue, p, 12)
    if plain is not None:
        return se.Rational(plain.numerator, plain.denominator)
    for name, value in values.items():
        ratio = fraction_of(residue * pow(residue_of(fraction_near(value), p), -1, p) % p, p, 12)
        if ratio is not None:
            return se.Rational(ratio.numerator, ratio.denominator) * symbol(name)
    return None


def _chained_form(control: ControlAffine, chain: list[Expr], near: Mapping[str, Any] | None) -> ChainedForm:
    u = control.inputs
    first, second = chain[0], chain[1]
    matrix = [[_rate(control, h, k) for k in (1, 2)] for h in (first, second)]
    v = tuple(shorter(row[0]) * u[0] + shorter(row[1]) * u[1] for row in matrix)
    v1, v2 = symbols(["v1", "v2"])
    (a, b), (c, d) = matrix
    below = a * d - b * c
    given = {str(u[0]): (d * v1 - b * v2) / below, str(u[1]): (a * v2 - c * v1) / below}
    names = symbols(f"x{k}" for k in range(1, len(chain) + 1))
    clash = {str(s): symbol(f"_{s}") for s in control.coordinates}
    own = [e.xreplace({s: clash[str(s)] for s in control.coordinates}) for e in chain]
    start = {f"_{n}": finite(e, f"{control.system.name}: near {n}") for n, e in (near or {}).items()}
    state = inverted(own, names, [clash[str(s)] for s in control.coordinates], start)
    table = None if state is None else FrozenMap({n: state[s] for n, s in clash.items()})
    return ChainedForm(control.system.name, tuple(chain), v, table, FrozenMap(given))
