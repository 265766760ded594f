"""Symmetry generators lifted from coordinates to speeds, with their slopes, and the flow seen from the moving frame.

Where ``f(y) = c^a η_a(y)`` with ``η_a`` the lifted generators, the field ``f − c^a η_a`` vanishes, and its slopes are the
constant matrix of the linear flow in comoving variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import ZERO, along, gradient, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.linear_equations import dot, multiply, solve, transpose
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.errors import ModelError, StateError
from nonholo.geometry.frames.frame import sample
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.model.declared_words import Parametric
from nonholo.model.system import System, resolve
from nonholo.model.system_structure import structure
from nonholo.notation.read import expression
from nonholo.symmetry.group.symmetry_group import group_of, table_of
from nonholo.symmetry.vector_fields import components, velocity_lift

INSIDE = 1e-7
_GENERATORS: Cache[tuple[tuple[str, tuple[Expr, ...]], ...]] = Cache(64)
STEADY = 1e-7
"""Rates further than this part of the largest (at least 1) from all motions of the group are not steady."""


class Lifted:
    """Generators ``ξ_a`` by name, as fields ``(δx, δz)`` on the state of some equations."""

    def __init__(self, generators: Sequence[tuple[str, Sequence[Expr]]], kernel: SystemKernel) -> None:
        self.names = tuple(name for name, _ in generators)
        self.fields = tuple(tuple(field) for _, field in generators)
        self._size, self._derived = len(kernel.equations.state), kernel
        flat = [e for field in self.fields for e in field]
        where = f"{kernel.equations.name}: fields of the symmetry"
        by = symbols(kernel.equations.state)
        self._table = jacobian_table(kernel.symbols, flat, by, where) if flat else None

    def __len__(self) -> int:
        return len(self.names)

    def only(self, places: Sequence[int]) -> Lifted:
        """Some of the generators."""
        if len(places) == len(self):
            return self
        return Lifted([(self.names[a], self.fields[a]) for a in places], self._derived)

    def __call__(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Fields (rows, generators, state) and their slopes (rows, generators, state, state) at input vectors."""
        count, size = len(self.names), self._size
        if self._table is None:
            return np.zeros((len(rows), 0, size)), np.zeros((len(rows), 0, size, size))
        found = self._table(rows)
        cut = count * size
        return found[:, :cut].reshape(-1, count, size), found[:, cut:].reshape(-1, count, size, size)


_LIFTED: WeakCache[Cache[Lifted]] = WeakCache(64)


def generators_of(system: System) -> tuple[tuple[str, tuple[Expr, ...]], ...]:
    """Fields on the coordinates that leave the system as it is: the declared ones, all affine ones, rotations in angles."""
    key = (structure(system), system.symmetry, system.parameters, system.start)
    return _GENERATORS.get(key, lambda: _generators(system))


def _generators(system: System) -> tuple[tuple[str, tuple[Expr, ...]], ...]:
    names = system.coordinates
    fields: dict[str, tuple[Expr, ...]] = {}
    declared = system.symmetry.generators if system.symmetry is not None else {}
    for name, table in declared.items():
        where = f"{system.name}: symmetry, generator {name!r}"
        known = (*names, *system.parameters)
        fields[name] = tuple(expression(table[c], known, where) if c in table else ZERO for c in names)
    found = group_of(system).affine
    others = {n: m for n, m in found.generators.items() if np.any(m)}
    others |= {_label(system, m, k): m for k, m in enumerate(found.algebra)}
    for name, matrix in others.items():
        texts = table_of(system, matrix)
        field = tuple(expression(texts[c], names, name) if c in texts else ZERO for c in names)
        label = name if name not in fields else f"{name}_more"
        if _new(system, field, list(fields.values())):
            fields[label] = field
    for name, field in group_of(system).generators.items():  # with factors of the parameters, or not affine
        if _new(system, field, list(fields.values())):
            fields[name if name not in fields else f"{name}_more"] = field
    return tuple((name, field) for name, field in fields.items() if any(e != 0 for e in field))


def _label(system: System, matrix: Numbers, k: int) -> str:
    places = list(zip(*np.nonzero(np.abs(matrix) > 1e-9)))
    if len(places) == 1 and places[0][1] == len(system.coordinates):
        return f"shift_{system.coordinates[places[0][0]]}"
    return f"symmetry_{k + 1}"


def _new(system: System, field: Sequence[Expr], known: Sequence[Sequence[Expr]]) -> bool:
    """Whether a field is no combination of others with constant coefficients, at a few configurations."""
    from nonholo.algebra.linear_equations import evaluate

    rows = []
    for k in range(4):
        place = {**dict.fromkeys(system.parameters, 1.0 + 0.3 * k), **sample(system.frame, k)}
        rows.append(np.array([evaluate(list(f), place) for f in (*known, field)]).T)
    table = np.vstack(rows)
    if not known:
        return True
    weights = np.linalg.lstsq(table[:, :-1], table[:, -1], rcond=None)[0]
    return bool(np.max(np.abs(table[:, :-1] @ weights - table[:, -1])) > INSIDE)


def lifted(system: System, kernel: SystemKernel) -> Lifted:
    """The generators as fields on the state of these equations."""
    generators = generators_of(system)
    return _LIFTED.get(kernel, lambda: Cache(8)).get(generators, lambda: _lifted(system, kernel, generators))


def _lifted(system: System, kernel: SystemKernel, generators: tuple[tuple[str, tuple[Expr, ...]], ...]) -> Lifted:
    equations = kernel.equations
    x, v = symbols(system.coordinates), symbols(system.velocities)
    own = {**equations.outputs, **{str(s): s for s in equations.speeds}}
    velocity = {s: own[str(s)] for s in v}
    result: list[tuple[str, tuple[Expr, ...]]] = []
    for name, field in generators:
        try:
            moved = velocity_lift(system, components(system.frame, field, f"{system.name}: {name}"))
        except ModelError:
            continue
        step = dict(zip(x, field))
        if system.parametric is not None:
            speeds = _parametric(system, system.parametric, step, moved, equations.speeds)
        else:
            forms = resolve(system, [symbol(str(z)) for z in equations.speeds])
            speeds = [a + dot(gradient(e, v), moved) for a, e in zip(along(forms, step), forms)]
        result.append((name, (*field, *substitute([se.sympify(e) for e in speeds], velocity))))
    return Lifted(result, kernel)


def _parametric(
    system: System, parametric: Parametric, step: dict[Symbol, Expr], moved: Sequence[Expr], speeds: Sequence[Symbol]
) -> list[Expr]:
    """``δz`` with ``∂ψ/∂z δz = δv − ξ[ψ]``, by least squares, which is exact for a symmetry."""
    _, table = parametric
    psi = [table[u] for u in system.velocities]
    slopes = jacobian(psi, list(speeds))
    sides = [[m - a] for m, a in zip(moved, along(psi, step))]
    turned = transpose(slopes)
    place = {**sample(system.frame, 3), **{str(z): 0.6 + 0.17 * k for k, z in enumerate(speeds)}}
    place |= {n: 1.0 + 0.1 * k for k, n in enumerate(system.parameters)}
    return [row[0] for row in solve(multiply(turned, slopes), multiply(turned, sides), [place])]


class Comoving(NamedTuple):
    """The group's part of rates and slopes, and the velocity along each generator: (rows, …)."""

    rates: Numbers
    slopes: Numbers
    velocity: dict[str, Numbers]


def comoving(kernel: SystemKernel, system: System | None, rows: Numbers, flow: Numbers) -> Comoving:
    """The part of the flow at some states that is a motion of the symmetry group; a StateError when something is left."""
    if system is None:
        raise StateError(f"{kernel.equations.name}: comoving: equations by hand have no symmetry; give the System.")
    chosen = _chosen(lifted(system, kernel), system)
    if not len(chosen):
        raise StateError(f"{system.name}: comoving: no symmetry was declared or found; leave comoving out.")
    fields, slopes = chosen(rows)
    speeds = np.array([np.linalg.lstsq(field.T, rate, rcond=1e-9)[0] for field, rate in zip(fields, flow)])
    rates = np.einsum("ka,kai->ki", speeds, fields)
    left = np.max(np.abs(flow - rates), axis=1)
    if np.any(left > STEADY * np.maximum(1.0, np.max(np.abs(flow), axis=1))):
        raise StateError(
            f"{system.name}: comoving: the state is not a relative equilibrium, its rates are {np.max(left):.3g} from "
            f"every motion of the symmetry ({', '.join(chosen.names)}); give a state that is one."
        )
    return Comoving(rates, np.einsum("ka,kaij->kij", speeds, slopes), dict(zip(chosen.names, speeds.T)))


def _chosen(every: Lifted, system: System) -> Lifted:
    """The declared generators, or a group that acts freely, found: then the velocity is one, but for special states."""
    wanted = system.symmetry.generators if system.symmetry is not None else group_of(system).affine.generators
    return every.only([a for a, name in enumerate(every.names) if name in wanted])
