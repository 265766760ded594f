"""The checks made when a frame is built: each refuses with one clear error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, gradient, jacobian, symbols
from nonholo.algebra.linear_equations import Matrix, evaluate, evaluate_matrix, multiply
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import TOLERANCE, bracket, columns_of, fields_brackets, jacobi_defect, sample
from nonholo.geometry.frames.frame_words import Brackets, Chart, Framed, linear_form, rate

Values = Mapping[str, float]


def check_frame(frame: Framed) -> None:
    """Refuse a frame that breaks one of its laws: rates, home, relations, columns, brackets, Jacobi, chart."""
    check_rates(frame)
    if frame.chart is not None:
        check_chart(frame, frame.chart)
    samples = [sample(frame, k) for k in range(2)]
    _check_home(frame, samples[0])
    _check_relations(frame, samples)
    if frame.brackets is None:
        _check_columns(frame, samples)
    elif frame.brackets or not frame.plain:
        _check_brackets(frame, frame.brackets, samples)
        _check_jacobi(frame)
    if frame.chart is not None and frame.brackets is not None:
        check_turning(frame, frame.brackets, frame.chart)


def check_rates(frame: Framed) -> None:
    """A velocity with the name of a coordinate's rate must be that rate."""
    for name, row in zip(frame.coordinates, frame.anchor):
        if rate(name) not in frame.velocities:
            continue
        place = frame.velocities.index(rate(name))
        gaps = [e - int(k == place) for k, e in enumerate(row)]
        if any(g != 0 for g in gaps) and not largest(evaluate(gaps, sample(frame))) < TOLERANCE:
            raise ModelError(
                f"frame: the velocity {rate(name)!r} has the name of a rate, but the anchor's row of {name} gives "
                "another velocity; rename it, or make that row 1 there and 0 elsewhere."
            )


def largest(values: NDArray[np.float64]) -> float:
    """The largest size of the numbers; not a number when one of them is none."""
    return float(np.max(np.abs(values))) if values.size else 0.0


def _check_home(frame: Framed, values: Values) -> None:
    own = set(frame.coordinates)
    steady = [r for r in frame.relations if {str(s) for s in r.free_symbols} <= own]
    residuals = evaluate(steady, {**values, **dict(zip(frame.coordinates, frame.home))})
    for relation, residual in zip(steady, residuals):
        if not abs(residual) < TOLERANCE:
            raise ModelError(
                f"frame: home {frame.home} breaks the relation {relation} = 0 by {residual:.3g}; "
                "give a home that keeps it."
            )


def _check_relations(frame: Framed, samples: Sequence[Values]) -> None:
    """No velocity leaves the relations: ``u_i[relation] = 0`` on them."""
    if not frame.relations:
        return
    slopes = multiply(jacobian(frame.relations, symbols(frame.coordinates)), frame.anchor)
    for values in samples:
        numbers = np.abs(evaluate_matrix(slopes, values))
        if not largest(numbers) < TOLERANCE:
            r, i = np.unravel_index(int(np.argmax(numbers)), numbers.shape)
            raise ModelError(
                f"frame: the velocity {frame.velocities[i]} leaves the relation {frame.relations[r]} = 0 (its rate is "
                f"{numbers[r, i]:.3g}); correct the anchor or the relation."
            )


def _check_columns(frame: Framed, samples: Sequence[Values]) -> None:
    count, size = len(frame.coordinates), frame.size
    if count != size:
        raise ModelError(
            f"frame: {count} coordinates and {size} velocities; brackets can be computed only when the numbers "
            'agree. Give them, e.g. brackets={("w1", "w2"): "w3", …}.'
        )
    rank = max(_rank(evaluate_matrix(frame.anchor, s)) for s in samples)
    if rank < size:
        raise ModelError(
            f"frame: the {size} columns of the anchor are dependent (rank {rank}); change one of them so that together "
            "they span every velocity, or give the brackets if some velocity is meant to move nothing."
        )


def _rank(matrix: NDArray[np.float64]) -> int:
    """The rank after scaling the columns to length one, so that units do not matter."""
    length = np.linalg.norm(matrix, axis=0)
    return int(np.linalg.matrix_rank(matrix / np.where(length == 0, 1, length), tol=TOLERANCE))


def _check_brackets(frame: Framed, brackets: Brackets, samples: Sequence[Values]) -> None:
    """``ψ`` maps the given brackets to those of the vector fields."""
    fields = fields_brackets(columns_of(frame), symbols(frame.coordinates))
    pairs = sorted({*fields, *((i, j) for i, j, _ in brackets)})
    if not pairs or not frame.coordinates:
        return
    nothing = (ZERO,) * len(frame.coordinates)
    forms = [[bracket(brackets, i, j, a) for a in range(frame.size)] for i, j in pairs]
    for values in samples:
        true = evaluate_matrix([fields.get(pair, nothing) for pair in pairs], values)
        given = evaluate_matrix(forms, values) @ evaluate_matrix(frame.anchor, values).T
        for (i, j), expected, found in zip(pairs, true, given):
            gap = largest(expected - found)
            if not gap < TOLERANCE * (1 + largest(expected)):
                raise ModelError(
                    f"frame: the bracket [{frame.velocities[i]}, {frame.velocities[j]}] does not match the anchor: "
                    f"the vector fields' bracket differs by {gap:.3g}. Correct the sign or entry, or leave brackets "
                    "out when there are as many coordinates as velocities."
                )


def _check_jacobi(frame: Framed) -> None:
    names = frame.velocities
    for (i, j, k, l), defect in jacobi_defect(frame).items():
        if not abs(defect) < TOLERANCE:
            raise ModelError(
                f"frame: the brackets of {names[i]}, {names[j]}, {names[k]} break Jacobi's identity "
                f"cyc(c c − u[c]) = 0 by {defect:.3g} along {names[l]}; correct the structure constants."
            )


def check_chart(frame: Framed, chart: Chart) -> None:
    """Refuse a chart that does not move as the frame: ``d/dt X(y) = ψ(X) v``, on the relations."""
    forms, motion = _forms(frame, chart), jacobian(chart.embedding, symbols(chart.names))
    for values, place, told in _spots(frame, chart):
        matrix = evaluate_matrix(forms, values)
        if not np.all(np.isfinite(matrix)) or _rank(matrix) < frame.size:
            raise ModelError(f"chart: its velocities are dependent at {told}; move the center or lessen the reach.")
        if not largest(evaluate(frame.relations, place)) < TOLERANCE:
            raise ModelError(f"chart: its embedding leaves the frame's relations at {told}; correct it.")
        if not frame.coordinates:
            continue
        gap = evaluate_matrix(motion, values) - evaluate_matrix(frame.anchor, place) @ matrix
        if not largest(gap) < TOLERANCE:
            worst = frame.coordinates[int(np.argmax(np.max(np.abs(gap), axis=1)))]
            raise ModelError(
                f"chart: the rate of {worst} from the embedding differs from the anchor's by {largest(gap):.3g} "
                f"at {told}; correct the embedding or the chart's velocities."
            )


def check_turning(frame: Framed, brackets: Brackets, chart: Chart) -> None:
    """Refuse a chart whose ``v^a = W^a_i ẏ^i`` have other brackets: Maurer and Cartan's equation.

    ``∂_j W^a_i − ∂_i W^a_j + c_bc^a W^b_j W^c_i = 0``
    """
    forms, y, size = _forms(frame, chart), symbols(chart.names), frame.size
    slopes = [gradient(entry, y) for form in forms for entry in form]
    for values, place, told in _spots(frame, chart):
        matrix = evaluate_matrix(forms, values)
        change = evaluate_matrix(slopes, values).reshape(size, size, size)
        table = np.zeros((size, size, size))
        for (b, c, a), number in zip(brackets, evaluate(list(brackets.values()), place)):
            table[b, c, a], table[c, b, a] = number, -number
        gap = change - np.transpose(change, (0, 2, 1)) + np.einsum("bca,bj,ci->aij", table, matrix, matrix)
        if not largest(gap) < TOLERANCE:
            raise ModelError(
                f"chart: its velocities do not have the frame's brackets (gap {largest(gap):.3g} at {told}); "
                "correct the chart's velocities or the brackets."
            )


def _forms(frame: Framed, chart: Chart) -> Matrix:
    rates = symbols(map(rate, chart.names))
    pairs = zip(frame.velocities, chart.velocities)
    return tuple(linear_form(e, rates, f"chart velocity {v}") for v, e in pairs)


def _spots(frame: Framed, chart: Chart) -> Iterator[tuple[Values, Values, str]]:
    """Two places in the chart: values by the chart's names, by the frame's names, and in words."""
    random = np.random.default_rng(5)
    for _ in range(2):
        spot = np.array(chart.center) + random.uniform(-1, 1, frame.size) * np.array(chart.reach)
        values = {**sample(frame), **dict(zip(chart.names, spot.tolist()))}
        place = {**values, **dict(zip(frame.coordinates, evaluate(chart.embedding, values).tolist()))}
        yield values, place, ", ".join(f"{n} = {v:.3g}" for n, v in zip(chart.names, spot))
