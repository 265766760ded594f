"""Variables on which coefficients of gauge momenta may depend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import expand, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.algebra.subspaces import rational_kernel
from nonholo.errors import ModelError
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.symmetry.integrals.momentum_rates import Momenta, configuration

SAME = 1e-9
Generator = tuple[Expr, ...]


@dataclass(frozen=True)
class Variable:
    """What coefficients may depend on: a coordinate, or a sum of coordinates with its own private symbol."""

    symbol: Symbol
    expression: Expr
    pivot: str
    """The coordinate that is solved for when the variable is given."""
    across: str | None = None
    """The other coordinate of a radius ``sqrt(x² + y²)``."""

    def __str__(self) -> str:
        return str(self.expression)


def variable_of(system: System, text: Any) -> Variable:
    """A variable from a coordinate's name, or from text such as ``"xi - theta"`` that is linear in the coordinates."""
    value = expression(text, system.coordinates, f"{system.name}: depends_on")
    if value.is_Symbol:
        return Variable(value, value, str(value))
    round_one = _radius_of(value)
    if round_one is not None:
        return round_one
    x = symbols(system.coordinates)
    slopes = gradient(value, x)
    bent = system.frame.redundant & {str(s) for s in value.free_symbols}
    able = [c for c, e in zip(system.coordinates, slopes) if e in (1, -1)]
    if bent or not able or any(not e.is_Number for e in slopes):
        raise ModelError(
            f"{system.name}: depends_on {text!r} must be a coordinate, a sum of coordinates such as "
            f"'{' - '.join(system.coordinates[:2])}', or a radius such as 'sqrt(x**2 + y**2)'."
        )
    return Variable(symbol("_shape_"), value, able[0])


def shape_variables(found: Momenta, group: Mapping[str, Generator]) -> tuple[Variable, ...]:
    """The coordinates, and the sums of coordinates, that no generator moves and the motion does."""
    system = found.system
    x = found.coordinates
    if not x:
        return ()
    spots = [configuration(system, 40 + k) for k in range(4)]
    rows = np.vstack([evaluate_matrix(list(group.values()), s) for s in spots]) if group else np.zeros((0, len(x)))
    carried = np.abs(np.vstack([evaluate_matrix(found.fields, s) for s in spots]))
    free = [k for k in range(len(x)) if not len(rows) or np.max(np.abs(rows[:, k])) < SAME]
    result = [Variable(x[k], x[k], str(x[k])) for k in free if np.max(carried[:, k]) > SAME]
    rest = [k for k in range(len(x)) if k not in free and str(x[k]) not in system.frame.redundant]
    if rest and len(rows):
        for weights in rational_kernel(rows[:, rest]):
            used = [(w, x[k]) for w, k in zip(weights, rest) if w != 0]
            if all(abs(w) == 1 for w, _ in used):
                result.append(Variable(symbol("_shape_"), se.Add(*(w * c for w, c in used)), str(used[0][1])))
    moved = {str(x[k]) for k in rest}
    for a, b in combinations([c for c in map(str, x) if c in moved], 2):
        # a pair that the group turns about its origin has a radius
        k, l = system.coordinates.index(a), system.coordinates.index(b)
        places = np.array([[s[a], s[b]] for s in spots])
        turned = np.array([evaluate_matrix(list(group.values()), s)[:, [k, l]] for s in spots])
        if np.max(np.abs(np.einsum("sgi,si->sg", turned, places)), initial=0.0) < SAME:
            result.append(radius(a, b))
    return tuple(result)


def radius(a: str, b: str) -> Variable:
    """``sqrt(a² + b²)`` as a variable."""
    return Variable(symbol("_shape_"), se.sqrt(symbol(a) ** 2 + symbol(b) ** 2), a, b)


def _radius_of(value: Expr) -> Variable | None:
    names = sorted(map(str, value.free_symbols))
    if len(names) == 2 and expand(value**2 - symbol(names[0]) ** 2 - symbol(names[1]) ** 2) == 0:
        return radius(*names)
    return None
