"""The records: a frame ẋ = ψ(x) v with brackets [u_i, u_j] = c_ij^a u_a, and a chart of plain coordinates for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO, gradient, smooth, symbols, tidy
from nonholo.algebra.door import check_clashes, expression, names_of
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import Matrix
from nonholo.errors import ModelError

Brackets = FrozenMap[tuple[int, int, int], Expr]


def rate(name: str) -> str:
    """The name of a coordinate's rate: ``x`` -> ``xdot``."""
    return f"{name}dot"


@dataclass(frozen=True)
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

    names: Any
    embedding: Any
    velocities: Any
    center: Any = ()
    reach: Any = 0.5

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "names", names_of(self.names, "chart names"))
        put(self, "embedding", _listed(self.embedding, "chart: embedding"))
        put(self, "velocities", _listed(self.velocities, "chart: velocities"))
        size = len(self.names)
        put(self, "center", numbers(self.center, "chart: center") or (0.0,) * size)
        reach = [self.reach] * size if isinstance(self.reach, (int, float)) else self.reach
        put(self, "reach", numbers(reach, "chart: reach"))
        for what in ("center", "reach"):
            if len(getattr(self, what)) != size:
                raise ModelError(
                    f"chart: {what} has {len(getattr(self, what))} numbers where the {size} names need one each."
                )


@dataclass(frozen=True)
class Frame:
    """Coordinates ``x`` (N), velocities ``v`` (n), anchor ``ψ`` (N x n) and brackets ``c``.

    ``anchor`` is rows of text or expressions; ``brackets`` maps pairs of velocities to the bracket as a linear form
    in the velocities, ``{("w1", "w2"): "w3"}``, or to its components, ``{("w1", "w2"): {"w3": "1"}}``, or is the full
    array ``c[i][j][a]``. When N = n and the anchor is regular, brackets may be left out: they are computed.
    ``relations`` are zero on the configurations (``|q|² - 1``) and ``home`` is one of them. What is given is checked
    when the frame is built.

    >>> from nonholo.geometry.frame import structure_functions
    >>> frame = Frame("theta x y", velocities="w v s",
    ...               anchor=[["1", "0", "0"], ["0", "cos(theta)", "-sin(theta)"], ["0", "sin(theta)", "cos(theta)"]])
    >>> structure_functions(frame)
    {(0, 1, 2): 1, (0, 2, 1): -1}
    """

    coordinates: Any
    velocities: Any
    anchor: Any
    brackets: Any = None
    parameters: Any = ()
    relations: Any = ()
    home: Any = ()
    chart: Chart | None = None
    relative: tuple[tuple[str, ...], Any] | None = field(default=None, repr=False, compare=False)
    """The velocities of the frame this one was changed from, and ``B`` with ``v_old = B v``."""
    recipe: tuple[FrozenMap[str, Any], ...] = field(default=(), compare=False)
    checked: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.checked:
            # The laws need this record, so they are met here and not at the top.
            from nonholo.geometry.checks import check_frame
            from nonholo.geometry.structure import find_home

            _read(self)
            if not self.home:
                object.__setattr__(self, "home", find_home(self))
            check_frame(self)
            # A recipe belongs to the constructor that wrote it, not to a changed copy of what it made.
            object.__setattr__(self, "recipe", ())
        # A changed copy (dataclasses.replace) is read and checked anew.
        object.__setattr__(self, "checked", False)

    @property
    def size(self) -> int:
        """n, the number of velocities."""
        return len(self.velocities)

    @property
    def rates(self) -> tuple[Expr, ...]:
        """``ẋ = ψ v`` in the symbols of the velocities."""
        v = symbols(self.velocities)
        return tuple(se.Add(*(e * s for e, s in zip(row, v) if e != 0)) for row in self.anchor)

    @property
    def plain(self) -> bool:
        """True for a coordinate frame: the velocities are the coordinates' rates."""
        return bool(self.velocities == tuple(rate(c) for c in self.coordinates))

    def __mul__(self, other: Frame) -> Frame:
        if not isinstance(other, Frame):
            return NotImplemented
        from nonholo.geometry.constructions import product

        return product(self, other)


def _read(frame: Frame) -> None:
    """Text to names, expressions and numbers; shapes are checked here, laws elsewhere."""
    put = object.__setattr__
    put(frame, "coordinates", names_of(frame.coordinates, "frame coordinates"))
    put(frame, "velocities", names_of(frame.velocities, "frame velocities"))
    put(frame, "parameters", names_of(frame.parameters, "frame parameters"))
    check_names(frame)
    known = (*frame.coordinates, *frame.parameters)
    put(frame, "anchor", _read_anchor(frame.anchor, known, len(frame.coordinates), frame.size))
    relations = enumerate(_listed(frame.relations, "frame: relations"))
    put(frame, "relations", tuple(_read_smooth(e, known, f"frame relation {i + 1}") for i, e in relations))
    put(frame, "home", numbers(frame.home, "frame: home"))
    if len(frame.home) not in (0, len(frame.coordinates)):
        raise ModelError(
            f"frame: home has {len(frame.home)} numbers where the {len(frame.coordinates)} coordinates need one each."
        )
    if frame.brackets is not None:
        put(frame, "brackets", read_brackets(frame.brackets, frame.velocities, known))
    if frame.chart is not None:
        put(frame, "chart", _read_chart(frame.chart, frame))


def check_names(frame: Frame) -> None:
    """No velocities, or a name with two meanings, is an error; a velocity may be a coordinate's rate."""
    if not frame.velocities:
        raise ModelError("frame: no velocities; name at least one, e.g. velocities=\"w v\".")
    own = {rate(c) for c in frame.coordinates}
    others = tuple(v for v in frame.velocities if v not in own)
    check_clashes({"coordinates": frame.coordinates, "velocities": others, "parameters": frame.parameters})


def _read_smooth(value: Any, known: Sequence[str], where: str) -> Expr:
    return exact_zero(smooth(expression(value, known, where), where))


def exact_zero(expr: Expr) -> Expr:
    """0 for the double 0.0, which SymEngine does not take for zero; anything else as it is."""
    return ZERO if expr.is_Number and float(expr) == 0 else expr


def _read_anchor(given: Any, known: Sequence[str], count: int, size: int) -> Matrix:
    rows = read_matrix(given, known, "frame anchor")
    if len(rows) != count or any(len(row) != size for row in rows):
        widths = sorted({len(row) for row in rows}) or [0]
        shape = f"{len(rows)} x {' or '.join(map(str, widths))}"
        raise ModelError(
            f"frame: the anchor has shape {shape}, but {count} coordinates and {size} velocities need {count} x {size}"
            "; give one row for each coordinate and one entry in it for each velocity."
        )
    return rows


def read_matrix(given: Any, known: Sequence[str], where: str) -> Matrix:
    """Rows of text or expressions as a matrix of differentiable expressions."""
    rows = [_listed(row, f"{where}, row {i + 1}") for i, row in enumerate(_listed(given, where))]
    return tuple(
        tuple(_read_smooth(e, known, f"{where}, row {i + 1}, entry {j + 1}") for j, e in enumerate(row))
        for i, row in enumerate(rows)
    )


def _read_chart(chart: Chart, frame: Frame) -> Chart:
    if not isinstance(chart, Chart):
        raise ModelError(f"frame: chart is {chart!r}; give nh.Chart(names, embedding, velocities, center).")
    places = (*chart.names, *frame.parameters)
    known = (*places, *map(rate, chart.names))
    wanted = {"names": frame.size, "embedding": len(frame.coordinates), "velocities": frame.size}
    for what, count in wanted.items():
        if len(getattr(chart, what)) != count:
            raise ModelError(f"chart: {len(getattr(chart, what))} {what} where the frame needs {count}.")
    check_clashes({"coordinates": chart.names, "parameters": frame.parameters})
    return Chart(
        chart.names,
        tuple(_read_smooth(e, places, f"chart embedding, {c}") for c, e in zip(frame.coordinates, chart.embedding)),
        tuple(_read_smooth(e, known, f"chart velocity {v}") for v, e in zip(frame.velocities, chart.velocities)),
        chart.center,
        chart.reach,
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
            yield int(legs[0]), int(legs[1]), int(legs[2]), _read_smooth(value, known, f"bracket {key}")
            continue
        if len(legs) != 2 or any(k not in names for k in legs):
            raise ModelError(f"frame: the bracket {key!r} must name two of the velocities {', '.join(names)}.")
        i, j = names.index(legs[0]), names.index(legs[1])
        where = f"bracket [{legs[0]}, {legs[1]}]"
        if isinstance(value, Mapping):
            yield from ((i, j, a, e) for a, e in enumerate(_components(value, names, known, where)))
            continue
        form = _read_smooth(value, (*known, *names), where)
        for a, part in enumerate(linear_form(form, symbols(names), where)):
            yield i, j, a, part


def _components(given: Mapping[Any, Any], names: list[str], known: Sequence[str], where: str) -> list[Expr]:
    stray = [k for k in given if k not in names]
    if stray:
        raise ModelError(f"frame: {where} has a component {stray[0]!r}, which is none of {', '.join(names)}.")
    return [_read_smooth(given.get(v, 0), known, f"{where}, component {v}") for v in names]


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
                yield i, j, a, _read_smooth(whole, known, f"bracket array, entry ({i}, {j}, {a})")


def linear_form(form: Expr, variables: Sequence[Any], where: str) -> tuple[Expr, ...]:
    """The coefficients of a homogeneous linear form; a ModelError when it is something else."""
    parts = gradient(form, variables)
    inner = set(variables)
    if any(p.free_symbols & inner for p in parts):
        parts = gradient(form.expand(), variables)
    rest = form.xreplace(dict.fromkeys(variables, ZERO))
    if any(p.free_symbols & inner for p in parts) or exact_zero(tidy(rest.expand())) != 0:
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


def _listed(given: Any, where: str) -> tuple[Any, ...]:
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise ModelError(f"{where} is {given!r}; give a list.")
    return tuple(given)
