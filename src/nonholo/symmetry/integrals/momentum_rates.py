"""Momenta along the admissible fields and their rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import dot, evaluate, multiply, transpose
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.derive.hamel import force_terms, lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import onto, sample
from nonholo.model.real_domain import inside
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import admissible, domain_of, generic_numbers
from nonholo.program.hash_consing import shared

Field = tuple[Expr, ...]
"""A field of D by its components along the admissible fields, ``Y = Σ y^i X_i``."""


FAINT = 1e-3


@dataclass(frozen=True)
class Momenta:
    """``p_i = ⟨∂L/∂q̇, X_i⟩`` along the admissible fields ``X_i`` of the speeds ``z``, and ``ṗ_i``.

    With ``v = W z + V_0`` and ``p_j = ∂l/∂v^j`` taken before the constraints are imposed, Hamel's equations give

        p_i = W_i^j p_j,     ṗ_i = Ẇ_i^j p_j + W_i^j (c_kj^a p_a v^k + u_j[l] + Q_j)        [BMZ 2009 (3.4)]

    so that ``ṗ_i`` is a polynomial of degree two in ``z`` for a Lagrangian that is one.
    """

    system: System
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    fields: tuple[tuple[Expr, ...], ...]
    """The ``X_i`` as fields on the coordinates."""
    motion: tuple[Expr, ...]
    """``ẋ`` in ``(x, z)``."""
    momenta: tuple[Expr, ...]
    changes: tuple[Expr, ...]
    homogeneous: bool
    """Whether a term of first or zeroth degree is absent, so that no function of the configuration can join in."""


def momenta(system: System) -> Momenta:
    """The momenta of a system with linear or affine constraints that do not depend on time; inputs are zero.

    >>> sleigh = System(coordinates="theta x y", parameters="m J a", quasivelocities={
    ...     "omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
    ...     lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2", constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> momenta(sleigh).speeds
    (omega, v)
    """
    allowed = admissible(system)
    x, v, z = symbols(system.coordinates), symbols(system.velocities), allowed.speeds
    if not allowed.explicit or any(e.free_symbols & set(z) for row in allowed.basis for e in row):
        raise ModelError(f"{system.name}: momenta linear in the velocities need constraints that are linear in them.")
    idle = dict.fromkeys(symbols(system.inputs), ZERO)
    on_shell = dict(zip(v, substitute(allowed.velocity, idle)))
    motion = substitute(system.frame.rates, on_shell)
    terms = force_terms(system)
    lagrangian = lagrangian_in_frame(system)
    pull = [sum(parts, ZERO) for parts in zip(terms["brackets"], terms["slope"], terms["applied"])]
    whole = substitute(substitute(gradient(lagrangian, v), on_shell), idle)
    pull = list(substitute(substitute(pull, on_shell), idle))
    basis = tuple(substitute(row, idle) for row in allowed.basis)
    columns = transpose(basis)
    steps = dict(zip(x, motion))
    own = tuple(dot(column, whole) for column in columns)
    changes = tuple(dot(along(column, steps), whole) + dot(column, pull) for column in columns)
    every = shared((*own, *changes, *motion))  # where they are deep, nothing below compares equal copies
    own, changes, motion = every[: len(own)], every[len(own) : 2 * len(own)], every[2 * len(own) :]
    if any(TIME in e.free_symbols for e in (*own, *changes, *motion)):
        raise ModelError(f"{system.name}: momenta are sought for systems that do not depend on time.")
    still = dict.fromkeys(z, ZERO)
    flat = [*(e for row in jacobian(changes, z) for e in row), *own, *motion]
    homogeneous = _vanish(system, [*substitute(flat, still)])
    fields = transpose(multiply(system.frame.anchor, basis)) if x else ((),) * len(z)
    fields = tuple(map(shared, fields))
    return Momenta(system, x, z, fields, motion, own, changes, homogeneous)


def _vanish(system: System, exprs: Sequence[Expr]) -> bool:
    """Whether the expressions are zero at generic configurations."""
    left = [e for e in exprs if e != 0]
    if not left:
        return True
    return all(np.all(np.abs(evaluate(left, configuration(system, k))) < 1e-11) for k in range(2))


def along_field(found: Momenta, field: Field) -> tuple[Expr, Expr]:
    """``P = Σ y^i p_i`` and ``Ṗ = Σ ẏ^i p_i + y^i ṗ_i`` for ``Y = Σ y^i X_i``."""
    steps = dict(zip(found.coordinates, found.motion))
    return dot(field, found.momenta), dot(along(field, steps), found.momenta) + dot(field, found.changes)


def configuration(
    system: System, seed: int, parameters: Mapping[str, float] | None = None, at: Mapping[str, float] | None = None
) -> dict[str, float]:
    """A generic configuration with generic positive parameters, by name; given values are kept."""
    moving = set(symbols(system.velocities))
    bounds = [e for e in domain_of(system) if not e.free_symbols & moving]
    return inside(lambda scale: _configuration(system, seed, parameters, at, scale), bounds)


def _configuration(
    system: System, seed: int, parameters: Mapping[str, float] | None, at: Mapping[str, float] | None, scale: float
) -> dict[str, float]:
    frame = system.frame
    random = np.random.default_rng(4200 + seed)
    values = generic_numbers(system, tuple(system.parameters), random, scale)
    values |= {n: float(e) for n, e in (parameters or {}).items()}
    fixed = {n: float(e) for n, e in (at or {}).items()}
    # a coordinate that no relation holds can be set afterwards, without moving the others
    held = {n: e for n, e in fixed.items() if n in frame.redundant}
    here = sample(frame, 31 + seed, {**{n: values[n] for n in frame.parameters}, **held}) | fixed
    if system.holonomic:
        point = np.array([here[c] for c in frame.coordinates])
        point = onto(frame, (*frame.relations, *system.holonomic), point, {**values, **here, str(TIME): 0.0}, tuple(fixed))
        here |= dict(zip(frame.coordinates, point.tolist()))
    return {**values, **here, "t": 0.0}


def states(
    found: Momenta,
    count: int,
    parameters: Mapping[str, float] | None = None,
    at: Mapping[str, float] | None = None,
    seed: int = 0,
) -> list[dict[str, float]]:
    """Generic admissible states by name: coordinates, speeds and parameters."""
    result = []
    for k in range(count):
        values = configuration(found.system, seed + k, parameters, at)
        random = np.random.default_rng(7700 + seed + k)
        size = random.uniform(0.4, 1.6, len(found.speeds)) * random.choice((-1, 1), len(found.speeds))

        def drawn(scale: float, values: Any = values, size: Any = size) -> dict[str, float]:
            return {**values, **dict(zip(map(str, found.speeds), (min(scale, 1 / scale) * size).tolist()))}

        result.append(inside(drawn, found.momenta if domain_of(found.system) else ()))
    return result


def table(found: Momenta, exprs: Sequence[Expr], places: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
    """Expressions in ``(x, z, parameters, t)`` as numbers: one row for each state."""
    names = [*map(str, found.coordinates), *map(str, found.speeds), *found.system.parameters]
    if any(TIME in e.free_symbols for e in exprs):
        names.append(str(TIME))
    backend = "llvm" if len(places) * len(exprs) > 400 else "lambda"
    function = numeric_function(symbols(names) or (se.Symbol("_none"),), [*exprs, ONE], backend)
    given = np.array([[s[n] for n in names] or [0.0] for s in places], dtype=float)
    with np.errstate(all="ignore"):
        return np.array([np.asarray(function(row), dtype=float).reshape(-1)[:-1] for row in given])


def defect(found: Momenta, momentum: Expr, places: Sequence[Mapping[str, float]]) -> float:
    """How far an expression in ``(x, z)`` is from constant along the motions: its rate, relative to the rate's terms.

    The rate needs ``ż``; it is solved for in numbers, from ``∂p_i/∂z^j ż^j = ṗ_i − (∂p_i/∂x) ẋ``.
    """
    z, steps = found.speeds, dict(zip(found.coordinates, found.motion))
    mass = [e for row in jacobian(found.momenta, z) for e in row]
    push = [c - d for c, d in zip(found.changes, along(found.momenta, steps))]
    slope = gradient(momentum, z)
    carried = [momentum.diff(x) * e for x, e in steps.items() if momentum.diff(x) != 0]
    count = len(z)
    worst = 0.0
    for row in table(found, [*mass, *push, *slope, *carried], places):
        inertia, force = row[: count * count].reshape(count, count), row[count * count : count * (count + 1)]
        lever, rest = row[count * (count + 1) : count * (count + 2)], row[count * (count + 2) :]
        try:
            pull = np.linalg.solve(inertia, force)
        except np.linalg.LinAlgError:
            return float("nan")
        parts = np.array([*(lever * pull), *rest])
        if not np.all(np.isfinite(parts)):
            return float("nan")
        # rounding is measured against accelerations of size one, for none may act on this momentum
        size = float(np.sum(np.abs(parts)) + np.max(np.abs(lever)) * (np.max(np.abs(pull)) + FAINT))
        worst = max(worst, abs(float(np.sum(parts))) / size) if size > 0 else worst
    return worst
