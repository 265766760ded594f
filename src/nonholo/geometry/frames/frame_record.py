"""The records: a frame ẋ = ψ(x) v with brackets [u_i, u_j] = c_ij^a u_a, and a chart of plain coordinates for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, expand, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import DependentRows, Matrix, dot, evaluate_matrix, multiply, solve, transpose
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import find_home, sample, structure_functions
from nonholo.geometry.frames.frame_checks import check_frame
from nonholo.geometry.frames.frame_words import (
    Brackets,
    Chart,
    listed,
    numbers,
    rate,
    read_brackets,
    read_matrix,
    read_smooth,
)
from nonholo.geometry.groups.one_parameter_groups import Amount, NoFlow, exact, flow
from nonholo.notation.read import check_clashes, names_of
from nonholo.notation.write import to_text


@dataclass(frozen=True, init=False, repr=False)
class Frame:
    """Coordinates ``x`` (N), velocities ``v`` (n), anchor ``ψ`` (N x n) and brackets ``c``.

    ``anchor`` is rows of text or expressions; ``brackets`` maps pairs of velocities to the bracket as a linear form
    in the velocities, ``{("w1", "w2"): "w3"}``, or to its components, ``{("w1", "w2"): {"w3": "1"}}``, or is the full
    array ``c[i][j][a]``. When N = n and the anchor is regular, brackets may be left out: they are computed.
    ``relations`` are zero on the configurations (``|q|² - 1``) and ``home`` is one of them. What is given is checked
    when the frame is built.

    >>> from nonholo.geometry.frames.frame import structure_functions
    >>> frame = Frame("theta x y", velocities="w v s",
    ...               anchor=[["1", "0", "0"], ["0", "cos(theta)", "-sin(theta)"], ["0", "sin(theta)", "cos(theta)"]])
    >>> structure_functions(frame)
    {(0, 1, 2): 1, (0, 2, 1): -1}
    """

    coordinates: tuple[str, ...]
    velocities: tuple[str, ...]
    anchor: Matrix
    brackets: Brackets | None
    parameters: tuple[str, ...]
    relations: tuple[Expr, ...]
    home: tuple[float, ...]
    chart: Chart | None
    relative: tuple[tuple[str, ...], Matrix] | None = field(repr=False, compare=False)
    """The velocities of the frame this one was changed from, and ``B`` with ``v_old = B v``."""
    recipe: tuple[FrozenMap[str, str], ...] = field(compare=False)
    checked: bool = field(repr=False, compare=False)
    domain: tuple[Expr, ...] = field(repr=False, compare=False)
    """Roots and logarithms that a system has on it: generic configurations are sought where they are real."""

    def __init__(
        self,
        coordinates: Any,
        velocities: Any,
        anchor: Any,
        brackets: Any = None,
        parameters: Any = (),
        relations: Any = (),
        home: Any = (),
        chart: Chart | None = None,
        relative: tuple[tuple[str, ...], Matrix] | None = None,
        recipe: tuple[FrozenMap[str, str], ...] = (),
        checked: bool = False,
        domain: tuple[Expr, ...] = (),
    ) -> None:
        words = locals()
        for own in fields(self):
            object.__setattr__(self, own.name, words[own.name])
        if not checked:
            _read(self)
            if not self.home:
                object.__setattr__(self, "home", find_home(self))
            check_frame(self)
            # A recipe belongs to the constructor that wrote it, not to a changed copy of what it made.
            object.__setattr__(self, "recipe", ())
        # A changed copy (dataclasses.replace) is read and checked anew.
        object.__setattr__(self, "checked", False)

    def __repr__(self) -> str:
        place = ", ".join(self.coordinates) or "a Lie algebra"
        return f"<Frame on {place} with velocities {', '.join(self.velocities)}; print it to read it>"

    def __str__(self) -> str:
        """Rates of the coordinates and the brackets, where they were given or computed."""
        lines = [f"{rate(c)} = {to_text(e)}" for c, e in zip(self.coordinates, self.rates)]
        rows: dict[tuple[int, int], Expr] = {}
        for (i, j, a), e in sorted((self.brackets or {}).items()):
            if i < j:
                rows[i, j] = rows.get((i, j), se.S.Zero) + e * symbols(self.velocities)[a]
        lines += [f"[{self.velocities[i]}, {self.velocities[j]}] = {to_text(e)}" for (i, j), e in rows.items()]
        return "\n".join(lines)

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
    def redundant(self) -> frozenset[str]:
        """The coordinates in the relations: entries of rotation matrices, quaternions and unit vectors."""
        return frozenset(str(s) for e in self.relations for s in e.free_symbols)

    @property
    def plain(self) -> bool:
        """True for a coordinate frame: the velocities are the coordinates' rates."""
        return bool(self.velocities == tuple(rate(c) for c in self.coordinates))

    def __mul__(self, other: Frame) -> Frame:
        if not isinstance(other, Frame):
            return NotImplemented
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
    relations = enumerate(listed(frame.relations, "frame: relations"))
    put(frame, "relations", tuple(read_smooth(e, known, f"frame relation {i + 1}") for i, e in relations))
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


def _read_chart(chart: Chart, frame: Frame) -> Chart:
    if not isinstance(chart, Chart):
        raise ModelError(f"frame: chart is {chart!r}; give nh.frames.Chart(names, embedding, velocities, center).")
    places = (*chart.names, *frame.parameters)
    known = (*places, *map(rate, chart.names))
    wanted = {"names": frame.size, "embedding": len(frame.coordinates), "velocities": frame.size}
    for what, count in wanted.items():
        if len(getattr(chart, what)) != count:
            raise ModelError(f"chart: {len(getattr(chart, what))} {what} where the frame needs {count}.")
    check_clashes({"coordinates": chart.names, "parameters": frame.parameters})
    return Chart(
        chart.names,
        tuple(read_smooth(e, places, f"chart embedding, {c}") for c, e in zip(frame.coordinates, chart.embedding)),
        tuple(read_smooth(e, known, f"chart velocity {v}") for v, e in zip(frame.velocities, chart.velocities)),
        chart.center,
        chart.reach,
    )


def product(left: Frame, right: Frame) -> Frame:
    """Both frames side by side; their vector fields commute.

    >>> from nonholo.geometry.frames.frame_constructions import Euclidean
    >>> product(Euclidean("x"), Euclidean("y")).velocities
    ('xdot', 'ydot')
    """
    _check_apart(left, right)
    rows = [(*row, *[ZERO] * right.size) for row in left.anchor] + [(*[ZERO] * left.size, *row) for row in right.anchor]
    table = dict(structure_functions(left))
    offset = left.size
    table.update({(i + offset, j + offset, a + offset): e for (i, j, a), e in structure_functions(right).items()})
    return Frame(
        coordinates=(*left.coordinates, *right.coordinates),
        velocities=(*left.velocities, *right.velocities),
        anchor=tuple(rows),
        brackets=FrozenMap(table),
        parameters=(*left.parameters, *(p for p in right.parameters if p not in left.parameters)),
        relations=(*left.relations, *right.relations),
        home=(*left.home, *right.home),
        chart=_product_chart(left, right),
        recipe=(*left.recipe, *right.recipe) if left.recipe and right.recipe else (),
        checked=True,
    )


def _check_apart(left: Frame, right: Frame) -> None:
    """Parameters may be shared; every other name belongs to one factor, charts and rates included."""

    def own(frame: Frame) -> set[str]:
        plain = (*frame.coordinates, *(frame.chart.names if frame.chart else ()))
        return {*plain, *map(rate, plain), *frame.velocities}

    shared = (own(left) & {*own(right), *right.parameters}) | (own(right) & {*left.parameters})
    if shared:
        raise ModelError(f"product of frames: both use the name {min(shared)!r}; rename it in one of them.")


def _product_chart(left: Frame, right: Frame) -> Chart | None:
    if left.chart is None and right.chart is None:
        return None
    if not (_has_chart(left) and _has_chart(right)):
        return None
    one, two = own_chart(left), own_chart(right)
    return Chart(
        names=(*one.names, *two.names),
        embedding=(*one.embedding, *two.embedding),
        velocities=(*one.velocities, *two.velocities),
        center=(*one.center, *two.center),
        reach=(*one.reach, *two.reach),
    )


def _has_chart(frame: Frame) -> bool:
    try:
        own_chart(frame)
    except ModelError:
        return False
    return True


def own_chart(frame: Frame) -> Chart:
    """The frame's chart, or its own coordinates when they are plain ones."""
    if frame.chart is not None:
        return frame.chart
    missing = ModelError(
        f"the frame with coordinates {', '.join(frame.coordinates) or '(none)'} and velocities "
        f"{', '.join(frame.velocities)} has no chart of plain coordinates; give one with nh.frames.Chart."
    )
    if len(frame.coordinates) != frame.size or frame.relations:
        found = linear_chart(frame)
        if found is None:
            raise missing
        return found
    rates = symbols(rate(c) for c in frame.coordinates)
    forms: tuple[Expr, ...] = rates
    if not frame.plain:
        try:
            inverse = solve(frame.anchor, [[r] for r in rates], [sample(frame, k) for k in range(2)])
        except DependentRows:
            raise missing from None
        forms = tuple(row[0] for row in inverse)
    return Chart(frame.coordinates, symbols(frame.coordinates), forms, frame.home)


def linear_chart(frame: Any) -> Chart | None:
    """A chart around home where the frame's fields are affine in the coordinates, as those of a matrix group are.

    ``x = exp(y_1 A_1) … exp(y_n A_n) home`` with the matrices of the fields; None when they are not affine with constant
    numbers, or their groups are not known in closed form.
    """
    x = symbols(frame.coordinates)
    size = len(x)
    matrices = []
    for column in transpose(frame.anchor):
        parts = [(*(expand(p) for p in gradient(e, x)), e.xreplace(dict.fromkeys(x, ZERO))) for e in column]
        if any(not p.is_Number for row in parts for p in row):
            return None
        matrices.append(np.array([*([float(p) for p in row] for row in parts), [0.0] * (size + 1)]))
    names = tuple(f"{v}_y" for v in frame.velocities)
    point: list[list[Expr]] = [[exact(float(h))] for h in (*frame.home, 1.0)]
    try:
        for name, matrix in reversed(list(zip(names, matrices))):
            point = [list(row) for row in multiply(flow(matrix, Amount(value=symbols([name])[0])), point)]
    except NoFlow:
        return None
    embedding = tuple(row[0] for row in point[:-1])
    moving = [dot(gradient(e, symbols(names)), symbols(rate(n) for n in names)) for e in embedding]
    anchor = [substitute(row, dict(zip(x, embedding))) for row in frame.anchor]
    columns = transpose(frame.anchor)
    gram = multiply(columns, frame.anchor)
    places = [sample(frame, k) for k in range(2)]
    numbers = [evaluate_matrix(gram, p) for p in places]
    sides = [[dot(column, moving)] for column in transpose(anchor)]
    if all(np.allclose(g, np.diag(np.diag(numbers[0])), atol=1e-12) for g in numbers):
        forms = tuple(row[0] / exact(float(length)) for row, length in zip(sides, np.diag(numbers[0])))
    else:
        spots = [dict(zip(names, 0.1 + 0.2 * np.arange(len(names)) * (-1) ** k)) for k in range(2)]
        inner = [substitute(row, dict(zip(x, embedding))) for row in gram]
        try:
            forms = tuple(row[0] for row in solve(inner, sides, spots))
        except DependentRows:
            return None
    return Chart(names, embedding, forms, (0.0,) * len(names), 0.6)
