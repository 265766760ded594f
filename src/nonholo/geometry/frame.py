"""A frame: ẋ = ψ(x) v with brackets [u_i, u_j] = c_ij^a u_a, on plain or redundant coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, smooth, substitute, symbol, symbols
from nonholo.algebra.door import expression, names_of
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.linear import DependentRows, Matrix, evaluate, evaluate_matrix, solve, transpose
from nonholo.errors import ModelError

Expr = Any
Brackets = FrozenMap[tuple[int, int, int], Expr]
TOLERANCE = 1e-9


def rate(name: str) -> str:
    """The name of a coordinate's rate: ``x`` -> ``xdot``."""
    return f"{name}dot"


@dataclass(frozen=True)
class Chart:
    """Plain coordinates ``y`` for a frame's redundant ones: ``x = X(y)`` and ``v`` as linear forms in ``ẏ``.

    The multiplier witness works here, so that it shares neither anchor nor brackets with Hamel's equations.
    ``center`` is where the chart is good; `None` in ``local`` charts means that only ``y = 0`` may be asked.
    """

    names: tuple[str, ...]
    embedding: tuple[Expr, ...]
    velocities: tuple[Expr, ...]
    center: tuple[float, ...]
    reach: float = 0.5


@dataclass(frozen=True)
class Frame:
    """Coordinates ``x`` (N), velocities ``v`` (n), anchor ``ψ`` (N x n) and brackets ``c``.

    ``anchor`` is rows of text or expressions; ``brackets`` maps pairs of velocities to the bracket as a linear form
    in the velocities, ``{("w1", "w2"): "w3"}``, or is the full array ``c[i][j][a]``. When N = n and the anchor is
    regular, brackets may be left out: they are computed. ``relations`` are zero on the configurations (``|q|² - 1``).

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
    recipe: tuple[FrozenMap[str, Any], ...] = field(default=(), compare=False)
    checked: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.checked:
            _normalise(self)
            _check(self)

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
        return self.velocities == tuple(rate(c) for c in self.coordinates)

    def __mul__(self, other: Frame) -> Frame:
        return product(self, other)


def _normalise(frame: Frame) -> None:
    put = object.__setattr__
    put(frame, "coordinates", names_of(frame.coordinates, "frame coordinates") if frame.coordinates else ())
    put(frame, "velocities", names_of(frame.velocities, "frame velocities"))
    put(frame, "parameters", names_of(frame.parameters, "frame parameters") if frame.parameters else ())
    known = (*frame.coordinates, *frame.parameters)
    count, size = len(frame.coordinates), len(frame.velocities)
    rows = tuple(frame.anchor)
    if len(rows) != count or any(len(row) != size for row in rows):
        shape = f"{len(rows)} x {len(rows[0]) if rows else 0}"
        raise ModelError(
            f"frame: the anchor has shape {shape}, but {count} coordinates and {size} velocities need {count} x {size}; "
            "give one row for each coordinate and one entry in it for each velocity."
        )
    read = [tuple(smooth(expression(e, known, "frame anchor"), "frame anchor") for e in row) for row in rows]
    put(frame, "anchor", tuple(read))
    put(frame, "relations", tuple(expression(e, known, "frame relations") for e in frame.relations))
    put(frame, "home", tuple(float(h) for h in frame.home) or (0.0,) * count)
    if len(frame.home) != count:
        raise ModelError(f"frame: home has {len(frame.home)} numbers where the {count} coordinates need one each.")
    put(frame, "brackets", None if frame.brackets is None else _read_brackets(frame, known))


def _read_brackets(frame: Frame, known: Sequence[str]) -> Brackets:
    names, size = frame.velocities, len(frame.velocities)
    result: dict[tuple[int, int, int], Expr] = {}
    given = frame.brackets

    def put(i: int, j: int, a: int, value: Expr) -> None:
        if i > j:
            i, j, value = j, i, -value
        previous = result.setdefault((i, j, a), value)
        if (i == j and value != 0) or previous != value:
            raise ModelError(
                f"frame: the bracket [{names[i]}, {names[j]}] is not antisymmetric (component {names[a]}: "
                f"{previous} and {value}); a bracket changes its sign when its entries are swapped."
            )

    if isinstance(given, Mapping):
        for key, value in given.items():
            if len(key) == 3 and all(isinstance(k, int) for k in key):
                put(*key, se.sympify(value))
                continue
            unknown = [k for k in key if k not in names]
            if len(key) != 2 or unknown:
                raise ModelError(f"frame: the bracket {key} must name two of the velocities {names}.")
            form = expression(value, (*known, *names), f"bracket [{key[0]}, {key[1]}]")
            for a, part in enumerate(linear_form(form, symbols(names), f"bracket [{key[0]}, {key[1]}]")):
                if part != 0:
                    put(names.index(key[0]), names.index(key[1]), a, part)
    else:
        array = [[[expression(e, known, "brackets") for e in row] for row in block] for block in given]
        if len(array) != size or any(len(b) != size or any(len(r) != size for r in b) for b in array):
            raise ModelError(f"frame: brackets must be an array c[i][j][a] of shape {size} x {size} x {size}.")
        for i in range(size):
            for j in range(size):
                for a in range(size):
                    if i <= j:
                        put(i, j, a, array[i][j][a])
                    elif (array[i][j][a] + array[j][i][a]).expand() != 0:
                        put(i, j, a, array[i][j][a])
    return FrozenMap({k: v for k, v in result.items() if v != 0})


def linear_form(form: Expr, variables: Sequence[Any], where: str) -> tuple[Expr, ...]:
    """The coefficients of a homogeneous linear form; a ModelError when it is something else."""
    parts = gradient(form, variables)
    inner = set(variables)
    if any(p.free_symbols & inner for p in parts):
        parts = gradient(form.expand(), variables)
    rest = form.xreplace(dict.fromkeys(variables, ZERO))
    if any(p.free_symbols & inner for p in parts) or rest.expand() != 0:
        raise ModelError(f"{where}: {form} must be linear and homogeneous in {', '.join(map(str, variables))}.")
    return parts


def sample(frame: Frame, seed: int = 0, at: Mapping[str, float] | None = None) -> dict[str, float]:
    """A generic configuration on the frame's manifold (or ``at``, completed), with generic positive parameters."""
    random = np.random.default_rng(1000 + seed)
    values = dict(zip(frame.parameters, random.uniform(0.6, 1.6, len(frame.parameters))))
    if frame.chart is not None:
        y = np.array(frame.chart.center) + random.uniform(-1, 1, len(frame.chart.names)) * frame.chart.reach
        point = evaluate(frame.chart.embedding, dict(zip(frame.chart.names, y)))
    else:
        point = np.array(frame.home) + random.uniform(-1.0, 1.0, len(frame.coordinates))
        point = onto(frame, frame.relations, point, values)
    values.update(zip(frame.coordinates, (float(p) for p in point)))
    values.update(at or {})
    return values


def onto(frame: Frame, relations: Sequence[Expr], point: Any, values: Mapping[str, float]) -> Any:
    """The point moved onto ``relations = 0`` by Gauss–Newton with the least change."""
    if not relations:
        return point
    slopes = [gradient(r, symbols(frame.coordinates)) for r in relations]
    for _ in range(60):
        here = {**values, **dict(zip(frame.coordinates, (float(p) for p in point)))}
        residual = evaluate(relations, here)
        if np.max(np.abs(residual)) < 1e-14:
            break
        point = point - np.linalg.lstsq(evaluate_matrix(slopes, here), residual, rcond=None)[0]
    return point


def bracket_of_fields(frame: Frame, i: int, j: int) -> tuple[Expr, ...]:
    """The coordinates' components of ``[u_i, u_j] = ψ_i^l ∂_l ψ_j − ψ_j^l ∂_l ψ_i``."""
    x = symbols(frame.coordinates)
    columns = transpose(frame.anchor)
    forward = along(columns[j], dict(zip(x, columns[i])))
    backward = along(columns[i], dict(zip(x, columns[j])))
    return tuple(a - b for a, b in zip(forward, backward))


def structure_functions(frame: Frame) -> Brackets:
    """The nonzero ``c_ij^a``, i < j: as given, or computed from the anchor when N = n [BMZ 2009 §2.1].

    ``c_ij^a = (ψ⁻¹)^a_k (ψ_i^l ∂_l ψ_j^k − ψ_j^l ∂_l ψ_i^k)``
    """
    if frame.brackets is not None:
        return frame.brackets
    from nonholo.algebra.calculus import tidy

    pairs = [(i, j) for i in range(frame.size) for j in range(i + 1, frame.size)]
    fields = {pair: bracket_of_fields(frame, *pair) for pair in pairs}
    busy = [pair for pair in pairs if any(e != 0 for e in fields[pair])]
    if not busy:
        return FrozenMap()
    sides = transpose([fields[pair] for pair in busy])
    solution = solve(frame.anchor, sides, [sample(frame, k) for k in range(2)])
    table = {(*pair, a): tidy(solution[a][k]) for k, pair in enumerate(busy) for a in range(frame.size)}
    return FrozenMap({key: e for key, e in table.items() if e != 0})


def bracket(table: Brackets, i: int, j: int, a: int) -> Expr:
    """``c_ij^a`` from the table of i < j."""
    return table.get((i, j, a), ZERO) if i < j else -table.get((j, i, a), ZERO)


def _check(frame: Frame) -> None:
    """Independent columns when N = n without brackets; brackets carried by the anchor otherwise."""
    count, size = len(frame.coordinates), frame.size
    if frame.brackets is None:
        if frame.plain:
            return
        if count != size:
            raise ModelError(
                f"frame: {count} coordinates and {size} velocities; brackets can be computed only when the numbers "
                'agree. Give them, e.g. brackets={("w1", "w2"): "w3", …}.'
            )
        ranks = [np.linalg.matrix_rank(evaluate_matrix(frame.anchor, sample(frame, k)), tol=TOLERANCE) for k in range(2)]
        if max(ranks, default=size) < size:
            raise ModelError(
                f"frame: the {size} columns of the anchor are dependent (rank {max(ranks)}); change one of them so "
                "that together they span every velocity."
            )
        return
    for k in range(2):
        values = sample(frame, k)
        anchor = evaluate_matrix(frame.anchor, values) if count else np.zeros((0, size))
        for i in range(size):
            for j in range(i + 1, size):
                if not count:
                    continue
                true = evaluate(bracket_of_fields(frame, i, j), values)
                given = anchor @ evaluate([bracket(frame.brackets, i, j, a) for a in range(size)], values)
                gap = float(np.max(np.abs(true - given)))
                if not gap < TOLERANCE * (1 + float(np.max(np.abs(true)))):
                    raise ModelError(
                        f"frame: the bracket [{frame.velocities[i]}, {frame.velocities[j]}] does not match the anchor: "
                        f"the vector fields' bracket differs by {gap:.3g}. Correct the sign or entry, or leave "
                        "brackets out when there are as many coordinates as velocities."
                    )
    worst = max((abs(v) for v in jacobi_defect(frame).values()), default=0.0)
    if worst > TOLERANCE:
        raise ModelError(
            f"frame: the brackets break Jacobi's identity cyc(c c − u[c]) = 0 by {worst:.3g}; "
            "correct the structure constants."
        )


def jacobi_law(frame: Frame) -> Iterator[tuple[tuple[int, int, int, int], Expr]]:
    """The identity every frame obeys, ``cyc(c_ij^m c_mk^l − u_k[c_ij^l]) = 0``, as expressions by (i, j, k, l).

    Jacobi's identity on frozen ``c`` is false when ``c`` varies [corrects BMZ 2009 §2.1, Zenkov 2016 §3.2].
    """
    c = structure_functions(frame)
    size = frame.size
    x = symbols(frame.coordinates)
    columns = transpose(frame.anchor) if frame.coordinates else ((),) * size
    for i in range(size):
        for j in range(i + 1, size):
            for k in range(j + 1, size):
                for l in range(size):
                    total = ZERO
                    for p, q, r in ((i, j, k), (j, k, i), (k, i, j)):
                        total += se.Add(*(bracket(c, p, q, m) * bracket(c, m, r, l) for m in range(size)))
                        total -= along([bracket(c, p, q, l)], dict(zip(x, columns[r])))[0]
                    if total != 0:
                        yield (i, j, k, l), total


def jacobi_defect(frame: Frame) -> dict[tuple[int, int, int, int], float]:
    """The numbers of `jacobi_law` at a generic configuration; all should vanish."""
    law = dict(jacobi_law(frame))
    if not law:
        return {}
    return dict(zip(law, evaluate(list(law.values()), sample(frame)).tolist()))


def product(left: Frame, right: Frame) -> Frame:
    """Both frames side by side; their vector fields commute."""
    shared = {*left.coordinates, *left.velocities} & {*right.coordinates, *right.velocities}
    if shared:
        raise ModelError(f"product of frames: both use the name {sorted(shared)[0]!r}; rename it in one of them.")
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


def _product_chart(left: Frame, right: Frame) -> Chart | None:
    if left.chart is None and right.chart is None:
        return None
    one, two = own_chart(left), own_chart(right)
    return Chart(
        names=(*one.names, *two.names),
        embedding=(*one.embedding, *two.embedding),
        velocities=(*one.velocities, *two.velocities),
        center=(*one.center, *two.center),
        reach=min(one.reach, two.reach),
    )


def own_chart(frame: Frame) -> Chart:
    """The frame's chart, or its own coordinates when they are plain ones."""
    if frame.chart is not None:
        return frame.chart
    if len(frame.coordinates) != frame.size:
        raise ModelError(
            f"the frame with coordinates {', '.join(frame.coordinates) or '(none)'} and velocities "
            f"{', '.join(frame.velocities)} has no chart of plain coordinates; give one with nh.Chart."
        )
    rates = symbols(rate(c) for c in frame.coordinates)
    if frame.plain:
        forms: tuple[Expr, ...] = rates
    else:
        forms = tuple(row[0] for row in solve(frame.anchor, [[r] for r in rates], [sample(frame, k) for k in range(2)]))
    return Chart(frame.coordinates, symbols(frame.coordinates), forms, frame.home)


def change_frame(frame: Frame, matrix: Sequence[Sequence[Any]], velocities: Any) -> Frame:
    """The frame with columns ``u'_j = B_j^i u_i``, so ``v = B v'``; brackets follow.

    ``[u'_i, u'_j] = (B_i^k B_j^l c_kl^m + u'_i[B_j^m] − u'_j[B_i^m]) u_m``
    """
    names = names_of(velocities, "new velocities")
    known = (*frame.coordinates, *frame.parameters)
    change: Matrix = tuple(tuple(smooth(expression(e, known, "change of frame"), "change of frame") for e in row) for row in matrix)
    if len(change) != frame.size or any(len(row) != len(names) for row in change) or len(names) != frame.size:
        raise ModelError(f"change of frame: the matrix must be {frame.size} x {frame.size}, one column for each new velocity.")
    from nonholo.algebra.linear import multiply

    anchor = multiply(frame.anchor, change)
    c = structure_functions(frame)
    x = symbols(frame.coordinates)
    new_columns = transpose(anchor) if anchor else ((),) * frame.size
    columns = transpose(change)
    pairs = [(i, j) for i in range(frame.size) for j in range(i + 1, frame.size)]
    fields = []
    for i, j in pairs:
        forward = along(columns[j], dict(zip(x, new_columns[i])))
        backward = along(columns[i], dict(zip(x, new_columns[j])))
        inner = [ZERO] * frame.size
        for (k, l, m), e in c.items():
            inner[m] += e * (columns[i][k] * columns[j][l] - columns[i][l] * columns[j][k])
        fields.append(tuple(a + f - b for a, f, b in zip(inner, forward, backward)))
    try:
        solution = solve(change, transpose(fields), [sample(frame, k) for k in range(2)])
    except DependentRows as found:
        raise ModelError(f"change of frame: {found}; the new velocities must be independent.") from None
    table = {(*pair, a): solution[a][k] for k, pair in enumerate(pairs) for a in range(frame.size)}
    chart = frame.chart
    if chart is not None:
        inside = dict(zip(x, chart.embedding))
        rows = [substitute(row, inside) for row in change]
        ys = dict(zip(chart.names, chart.center))
        start = [{n: v + 0.1 * (1 + k) for n, v in ys.items()} for k in range(2)]
        forms = tuple(r[0] for r in solve(rows, [[v] for v in chart.velocities], start))
        chart = replace(chart, velocities=forms)
    return replace(
        frame, velocities=names, anchor=anchor, brackets=FrozenMap({k: e for k, e in table.items() if e != 0}), chart=chart, recipe=()
    )


def frame_of_forms(coordinates: Any, forms: Mapping[str, Any], parameters: Any = ()) -> Frame:
    """The frame dual to quasi-velocities given as n linear forms in the rates.

    >>> frame_of_forms("x y", {"u": "xdot + y*ydot", "w": "ydot"}).anchor
    ((1, -y), (0, 1))
    """
    names = names_of(coordinates, "coordinates")
    extra = names_of(parameters, "parameters") if parameters else ()
    rates = symbols(rate(c) for c in names)
    known = (*names, *map(str, rates), *extra)
    rows = [linear_form(expression(f, known, f"quasi-velocity {n}"), rates, f"quasi-velocity {n}") for n, f in forms.items()]
    if len(rows) != len(names):
        raise ModelError(
            f"quasi-velocities {', '.join(forms)}: {len(rows)} forms on {len(names)} coordinates; a frame needs as many "
            "forms as coordinates."
        )
    blank = Frame(names, tuple(f"{n}dot" for n in names), _identity(len(names)), parameters=extra)
    unit = _identity(len(names))
    try:
        anchor = solve(rows, unit, [sample(blank, k) for k in range(2)])
    except DependentRows as found:
        raise ModelError(f"quasi-velocities {', '.join(forms)}: form {found.row + 1} depends on the others; replace it.") from None
    return Frame(names, tuple(forms), anchor, parameters=extra)


def _identity(size: int) -> Matrix:
    return tuple(tuple(ONE if i == j else ZERO for j in range(size)) for i in range(size))


def Euclidean(coordinates: Any) -> Frame:  # noqa: N802 - the public name of a space
    """Plain coordinates: the velocities are their rates, all brackets vanish.

    >>> Euclidean("x y").velocities
    ('xdot', 'ydot')
    """
    names = names_of(coordinates, "coordinates")
    recipe = FrozenMap({"kind": "Euclidean", "coordinates": " ".join(names)})
    return Frame(names, tuple(map(rate, names)), _identity(len(names)), brackets=FrozenMap(), recipe=(recipe,), checked=True, home=(0.0,) * len(names))


__all__ = [
    "Chart", "Euclidean", "Frame", "bracket", "bracket_of_fields", "change_frame", "frame_of_forms", "jacobi_defect",
    "jacobi_law", "linear_form", "own_chart", "product", "rate", "sample", "structure_functions", "symbol",
]
