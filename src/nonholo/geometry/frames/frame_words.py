"""Read the parts of a frame from user input: brackets, charts, matrices, linear forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol

from nonholo.algebra.calculus import ZERO, expand, gradient, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import Matrix
from nonholo.errors import ModelError
from nonholo.notation.read import expression, names_of

Brackets = FrozenMap[tuple[int, int, int], Expr]


def rate(name: str) -> str:
    """The name of a coordinate's rate: ``x`` -> ``xdot``."""
    return f"{name}dot"


@dataclass(frozen=True, init=False)
class Chart:
    """Plain coordinates ``y`` for a frame's redundant ones: ``x = X(y)`` and ``v`` as linear forms in ``ẏ``.

    The multiplier witness works here, so that it shares neither anchor nor brackets with Hamel's equations. The chart
    is good at ``center`` and around it by ``reach`` (one number, or one for each ``y``); a reach of 0 means that the
    forms are right at the center only, to the order that equations of motion need.

    >>> import nonholo as nh
    >>> ball = nh.SO3("R", rates="w1 w2 w3")
    >>> print(*ball.chart.names)
    R_a R_b R_c
    """

    names: tuple[str, ...]
    embedding: tuple[Expr, ...]
    velocities: tuple[Expr, ...]
    center: tuple[float, ...]
    reach: tuple[float, ...]

    def __init__(self, names: Any, embedding: Any, velocities: Any, center: Any = (), reach: Any = 0.5) -> None:
        put = object.__setattr__
        put(self, "names", names_of(names, "chart names"))
        put(self, "embedding", listed(embedding, "chart: embedding"))
        put(self, "velocities", listed(velocities, "chart: velocities"))
        size = len(self.names)
        put(self, "center", numbers(center, "chart: center") or (0.0,) * size)
        put(self, "reach", numbers([reach] * size if isinstance(reach, (int, float)) else reach, "chart: reach"))
        for what in ("center", "reach"):
            if len(getattr(self, what)) != size:
                raise ModelError(
                    f"chart: {what} has {len(getattr(self, what))} numbers where the {size} names need one each."
                )


class Framed(Protocol):
    """What the laws of a frame look at: a `nonholo.geometry.frames.frame_record.Frame`, also while it is being built."""

    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def velocities(self) -> tuple[str, ...]: ...
    @property
    def anchor(self) -> Matrix: ...
    @property
    def brackets(self) -> Brackets | None: ...
    @property
    def parameters(self) -> tuple[str, ...]: ...
    @property
    def relations(self) -> tuple[Expr, ...]: ...
    @property
    def home(self) -> tuple[float, ...]: ...
    @property
    def chart(self) -> Chart | None: ...
    @property
    def domain(self) -> tuple[Expr, ...]: ...
    @property
    def size(self) -> int: ...
    @property
    def rates(self) -> tuple[Expr, ...]: ...
    @property
    def plain(self) -> bool: ...


def read_smooth(value: Any, known: Sequence[str], where: str) -> Expr:
    return exact_zero(smooth(expression(value, known, where), where))


def exact_zero(expr: Expr) -> Expr:
    """0 for the double 0.0, which SymEngine does not take for zero; anything else as it is."""
    return ZERO if expr.is_Number and float(expr) == 0 else expr


def read_matrix(given: Any, known: Sequence[str], where: str) -> Matrix:
    """Rows of text or expressions as a matrix of differentiable expressions."""
    rows = [listed(row, f"{where}, row {i + 1}") for i, row in enumerate(listed(given, where))]
    return tuple(
        tuple(read_smooth(e, known, f"{where}, row {i + 1}, entry {j + 1}") for j, e in enumerate(row))
        for i, row in enumerate(rows)
    )


def read_brackets(given: Any, names: Sequence[str], known: Sequence[str]) -> Brackets:
    """The table of ``c_ij^a``, i < j, from a mapping of pairs, a table by indices or a full array."""
    result: dict[tuple[int, int, int], Expr] = {}
    for i, j, a, value in _bracket_entries(given, list(names), known):
        low, high, signed = (i, j, value) if i <= j else (j, i, -value)
        previous = result.setdefault((low, high, a), ZERO if i == j else signed)
        if signed != previous and tidy(signed - previous) != 0:
            raise ModelError(
                f"frame: the bracket [{names[low]}, {names[high]}] is not antisymmetric (component {names[a]}: "
                f"{previous} and {signed}); a bracket changes its sign when its entries are swapped."
            )
    return FrozenMap({k: v for k, v in result.items() if v != 0})


def _bracket_entries(given: Any, names: list[str], known: Sequence[str]) -> Iterable[tuple[int, int, int, Expr]]:
    size = len(names)
    if not isinstance(given, Mapping):
        yield from _array_entries(given, size, known)
        return
    for key, value in given.items():
        legs = tuple(key.replace(",", " ").split()) if isinstance(key, str) else tuple(key)
        if len(legs) == 3 and all(isinstance(k, int) and 0 <= k < size for k in legs):
            yield int(legs[0]), int(legs[1]), int(legs[2]), read_smooth(value, known, f"bracket {key}")
            continue
        if len(legs) != 2 or any(k not in names for k in legs):
            raise ModelError(f"frame: the bracket {key!r} must name two of the velocities {', '.join(names)}.")
        i, j = names.index(legs[0]), names.index(legs[1])
        where = f"bracket [{legs[0]}, {legs[1]}]"
        if isinstance(value, Mapping):
            yield from ((i, j, a, e) for a, e in enumerate(_components(value, names, known, where)))
            continue
        form = read_smooth(value, (*known, *names), where)
        for a, part in enumerate(linear_form(form, symbols(names), where)):
            yield i, j, a, part


def _components(given: Mapping[Any, Any], names: list[str], known: Sequence[str], where: str) -> list[Expr]:
    stray = [k for k in given if k not in names]
    if stray:
        raise ModelError(f"frame: {where} has a component {stray[0]!r}, which is none of {', '.join(names)}.")
    return [read_smooth(given.get(v, 0), known, f"{where}, component {v}") for v in names]


def _array_entries(given: Any, size: int, known: Sequence[str]) -> Iterable[tuple[int, int, int, Expr]]:
    fault = ModelError(f"frame: brackets must be an array c[i][j][a] of shape {size} x {size} x {size}, or a table.")
    try:
        array = [[list(row) for row in block] for block in given]
    except TypeError:
        raise fault from None
    if len(array) != size or any(len(block) != size or any(len(row) != size for row in block) for block in array):
        raise fault
    for i, block in enumerate(array):
        for j, row in enumerate(block):
            for a, entry in enumerate(row):
                # 1.0 of a numerical array means 1
                whole = int(entry) if isinstance(entry, float) and entry.is_integer() else entry
                yield i, j, a, read_smooth(whole, known, f"bracket array, entry ({i}, {j}, {a})")


def linear_form(form: Expr, variables: Sequence[Any], where: str) -> tuple[Expr, ...]:
    """The coefficients of a homogeneous linear form; a ModelError when it is something else."""
    parts = gradient(form, variables)
    inner = set(variables)
    if any(p.free_symbols & inner for p in parts):
        parts = gradient(expand(form), variables)
    rest = form.xreplace(dict.fromkeys(variables, ZERO))
    if any(p.free_symbols & inner for p in parts) or exact_zero(tidy(expand(rest))) != 0:
        raise ModelError(f"{where}: {form} must be linear and homogeneous in {', '.join(map(str, variables))}.")
    return tuple(map(exact_zero, parts))


def numbers(given: Any, where: str) -> tuple[float, ...]:
    """Finite numbers, or a ModelError."""
    try:
        result = tuple(float(e) for e in given)
    except (TypeError, ValueError):
        raise ModelError(f"{where} is {given!r}; give a list of numbers.") from None
    for value in result:
        if not isfinite(value):
            raise ModelError(f"{where} contains {value}; every number must be finite.")
    return result


def listed(given: Any, where: str) -> tuple[Any, ...]:
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise ModelError(f"{where} is {given!r}; give a list.")
    return tuple(given)
