"""New frames from old: products, changes of frame, quasi-velocities by linear forms, plain coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonholo.algebra.calculus import along, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import DependentRows, Matrix, identity, multiply, solve, transpose
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import sample, shorten, structure_functions
from nonholo.geometry.frames.frame_checks import check_rates
from nonholo.geometry.frames.frame_record import Frame, check_names
from nonholo.geometry.frames.frame_words import Chart, linear_form, rate, read_matrix
from nonholo.notation.read import expression, names_of


def Euclidean(coordinates: Any) -> Frame:
    """Plain coordinates: the velocities are their rates, all brackets vanish.

    >>> Euclidean("x y").velocities
    ('xdot', 'ydot')
    """
    names = names_of(coordinates, "coordinates")
    frame = Frame(
        coordinates=names,
        velocities=tuple(map(rate, names)),
        anchor=identity(len(names)),
        brackets=FrozenMap(),
        home=(0.0,) * len(names),
        recipe=(FrozenMap({"kind": "Euclidean", "coordinates": " ".join(names)}),),
        checked=True,
    )
    check_names(frame)
    return frame


def change_frame(frame: Frame, matrix: Sequence[Sequence[Any]], velocities: Any, *, parameters: Any = ()) -> Frame:
    """The frame with columns ``u'_j = B_j^i u_i``, so ``v = B v'``; brackets follow.

    ``[u'_i, u'_j] = (B_i^k B_j^l c_kl^m + u'_i[B_j^m] − u'_j[B_i^m]) u_m``

    >>> change_frame(Euclidean("x y"), [[1, "-y"], [0, 1]], "u w").anchor
    ((1, -y), (0, 1))
    """
    names = names_of(velocities, "new velocities")
    extra = tuple(p for p in names_of(parameters, "parameters") if p not in frame.parameters)
    known = (*frame.coordinates, *frame.parameters, *extra)
    change = read_matrix(matrix, known, "change of frame")
    size = frame.size
    if len(change) != size or any(len(row) != size for row in change) or len(names) != size:
        raise ModelError(
            f"change of frame: the matrix must be {size} x {size} and the new velocities {size}, one for each column."
        )
    anchor = multiply(frame.anchor, change)
    base = replace(frame, parameters=(*frame.parameters, *extra)) if extra else frame
    try:
        brackets = _changed_brackets(base, change, transpose(anchor) if anchor else ((),) * size)
        chart = _changed_chart(base, change)
    except DependentRows as found:
        raise ModelError(f"change of frame: {found}; the new velocities must be independent.") from None
    result = Frame(
        coordinates=frame.coordinates,
        velocities=names,
        anchor=anchor,
        brackets=brackets,
        parameters=base.parameters,
        relations=frame.relations,
        home=frame.home,
        chart=chart,
        relative=(frame.velocities, change),
        checked=True,
        domain=frame.domain,
    )
    check_names(result)
    check_rates(result)
    return result


def _changed_brackets(frame: Frame, change: Matrix, columns: Matrix) -> FrozenMap[tuple[int, int, int], Expr]:
    c = structure_functions(frame)
    x = symbols(frame.coordinates)
    size = frame.size
    parts = transpose(change)
    fields: dict[tuple[int, int], list[Expr]] = {}
    for i in range(size):
        for j in range(i + 1, size):
            forward = along(parts[j], dict(zip(x, columns[i])))
            backward = along(parts[i], dict(zip(x, columns[j])))
            total = [f - b for f, b in zip(forward, backward)]
            for (k, l, m), e in c.items():
                minor = parts[i][k] * parts[j][l] - parts[i][l] * parts[j][k]
                if minor != 0:
                    total[m] += e * minor
            if any(e != 0 for e in total):
                fields[(i, j)] = total
    # solved even when nothing is to be done, because it refuses dependent columns
    sides = transpose(list(fields.values())) if fields else ((),) * size
    solution = solve(change, sides, [sample(frame, k) for k in range(2)])
    table = {(*pair, a): shorten(solution[a][k]) for k, pair in enumerate(fields) for a in range(size)}
    return FrozenMap({key: e for key, e in table.items() if e != 0})


def _changed_chart(frame: Frame, change: Matrix) -> Chart | None:
    chart = frame.chart
    if chart is None:
        return None
    inside = dict(zip(symbols(frame.coordinates), chart.embedding))
    rows = [substitute(row, inside) for row in change]
    spots = [
        {n: c + part * r for n, c, r in zip(chart.names, chart.center, chart.reach)} for part in (0.21, -0.37)
    ]
    samples = [{**sample(frame, k), **spot} for k, spot in enumerate(spots)]
    forms = solve(rows, [[v] for v in chart.velocities], samples)
    return replace(chart, velocities=tuple(row[0] for row in forms))


def frame_of_forms(coordinates: Any, forms: Mapping[str, Any], parameters: Any = ()) -> Frame:
    """The frame dual to quasi-velocities given as n linear forms in the rates.

    >>> frame_of_forms("x y", {"u": "xdot + y*ydot", "w": "ydot"}).anchor
    ((1, -y), (0, 1))
    """
    names = names_of(coordinates, "coordinates")
    extra = names_of(parameters, "parameters")
    rates = symbols(rate(c) for c in names)
    known = (*names, *map(str, rates), *extra)
    read = {n: expression(f, known, f"quasi-velocity {n}") for n, f in forms.items()}
    rows = [linear_form(f, rates, f"quasi-velocity {n}") for n, f in read.items()]
    if len(rows) != len(names):
        raise ModelError(
            f"quasi-velocities {', '.join(forms)}: {len(rows)} forms on {len(names)} coordinates; a frame needs as "
            "many forms as coordinates."
        )
    unit = identity(len(names))
    blank = Frame(names, tuple(map(rate, names)), unit, parameters=extra)
    try:
        anchor = solve(rows, unit, [sample(blank, k) for k in range(2)])
    except DependentRows as found:
        raise ModelError(
            f"quasi-velocities {', '.join(forms)}: {list(forms)[found.row]} depends on the others; replace it."
        ) from None
    return Frame(names, tuple(forms), anchor, parameters=extra)
