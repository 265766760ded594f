"""Brackets and their duals in a frame: ``[v, w]_q``, ``[v, α]*_q``, Ad, Ad*, the trace form T, unimodular algebras."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, atoms, expand, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, evaluate, identity, multiply, solve, transpose
from nonholo.algebra.prime.random_points import rounded
from nonholo.algebra.prime.rational_reconstruction import decimal_fractions
from nonholo.errors import ModelError
from nonholo.finding import Finding, Proved, Unimodular, for_almost_all
from nonholo.geometry.frames.brackets import TOLERANCE, jacobi_law, sample, shorten, shorten_matrix, structure_functions
from nonholo.geometry.frames.frame_files import spatial
from nonholo.geometry.frames.frame_record import Frame
from nonholo.notation.read import expression
from nonholo.notation.write import to_text

DECIMALS = 400
"""Fractions with a denominator that divides this power of ten are decimal numbers."""
Components = Mapping[str, Any] | Sequence[Any]


def ad(frame: Frame, v: Components, w: Components) -> tuple[Expr, ...]:
    """``([v, w]_q)^m = c_ij^m v^i w^j``: the bracket of the fields ``v^i u_i`` and ``w^j u_j`` at a point [BMZ 2009, 2.1].

    Components are tables by velocity, or sequences, of numbers or text; they count as constants.

    >>> from nonholo.geometry.groups.matrix_groups import SO3
    >>> ad(SO3("R"), {"w1": "a"}, {"w2": "b"})
    (0, 0, a*b)
    """
    one, two = _read(frame, v, "v"), _read(frame, w, "w")
    result: list[Expr] = [ZERO] * frame.size
    for (i, j, m), c in structure_functions(frame).items():
        result[m] += c * (one[i] * two[j] - one[j] * two[i])
    return tuple(shorten(e) for e in result)


def ad_star(frame: Frame, v: Components, alpha: Components) -> tuple[Expr, ...]:
    """``([v, α]*_q)_j = c_ij^m v^i α_m``, the dual: ``⟨[v, α]*, w⟩ = ⟨α, [v, w]⟩`` [BMZ 2009, 2.1].

    >>> from nonholo.geometry.groups.matrix_groups import SO3
    >>> ad_star(SO3("R"), {"w1": "a"}, {"w3": "m"})
    (0, a*m, 0)
    """
    one, two = _read(frame, v, "v"), _read(frame, alpha, "α")
    result: list[Expr] = [ZERO] * frame.size
    for (i, j, m), c in structure_functions(frame).items():
        result[j] += c * one[i] * two[m]
        result[i] -= c * one[j] * two[m]
    return tuple(shorten(e) for e in result)


def _read(frame: Frame, given: Components, word: str) -> tuple[Expr, ...]:
    if not isinstance(frame, Frame):
        raise ModelError(
            f"found {type(frame).__name__} where a Frame was needed; give nh.SO3(…), nh.LieAlgebra(…) or system.frame."
        )
    names = frame.velocities
    if isinstance(given, Mapping):
        stray = [n for n in given if str(n) not in names]
        if stray:
            raise ModelError(f"{word}: the frame has no velocity {stray[0]!r}; it has {', '.join(names)}.")
        items = [given.get(n, 0) for n in names]
    else:
        items = list(given)
        if len(items) != len(names):
            raise ModelError(f"{word}: {len(items)} components where {len(names)} are needed, along {', '.join(names)}.")
    found = []
    for n, item in zip(names, items):
        known = _symbols_in(item)
        found.append(expression(item, (*frame.coordinates, *frame.parameters, *known), f"{word}, {n}"))
    return tuple(found)


def _symbols_in(item: Any) -> tuple[str, ...]:
    """Names in a component: any letters may denote numbers here."""
    import re

    return tuple(re.findall(r"[^\W\d]\w*", item)) if isinstance(item, str) else tuple(map(str, getattr(item, "free_symbols", ())))


def Ad(frame: Frame, xi: Components | None = None) -> Matrix | NDArray[np.float64]:
    """``Ad_g`` as a matrix in the coordinates of a group's frame: spatial velocities are ``Ad_g`` of those in the body.

    For a Lie algebra alone, or at a given element ``xi`` of numbers, ``Ad_exp(ξ) = exp(ad_ξ)`` as numbers.

    >>> from nonholo.geometry.groups.matrix_groups import SO3
    >>> Ad(SO3("R"))[0]
    (R11, R12, R13)
    """
    if xi is not None or not frame.coordinates:
        if xi is None:
            raise ModelError("Ad: a Lie algebra alone has no group coordinates; give the element, Ad(frame, xi), for exp(ad_ξ).")
        from scipy.linalg import expm

        numbers = np.array([float(e) for e in _read(frame, xi, "ξ")])
        matrix = np.zeros((frame.size, frame.size))
        for (i, j, m), c in structure_functions(frame).items():
            matrix[m, j] += float(c) * numbers[i]
            matrix[m, i] -= float(c) * numbers[j]
        return np.asarray(expm(matrix))
    other = spatial(frame)
    gram = multiply(transpose(other.anchor), other.anchor)
    mixed = multiply(transpose(other.anchor), frame.anchor)
    places = [sample(frame, k) for k in range(3)]
    lengths = np.array([[evaluate([e], p)[0] for row in gram for e in row] for p in places])
    size = len(gram)
    first = lengths[0].reshape(size, size)
    if np.allclose(lengths, lengths[0], atol=1e-12) and np.allclose(first, np.diag(np.diag(first)), atol=1e-12):
        scaled = [[e / se.Rational(round(4 * first[i, i]), 4) for e in row] for i, row in enumerate(mixed)]
        return _tidied(frame, scaled, places)
    return _tidied(frame, solve(gram, mixed, places), places)


def _tidied(frame: Frame, matrix: Any, places: Any) -> Matrix:
    """Entries of the matrix, each as one of the coordinates where it is one on the group."""
    x = symbols(frame.coordinates)
    values = np.array([evaluate(list(x), p) for p in places])
    result = []
    for row in matrix:
        line = []
        for e in row:
            numbers = np.array([evaluate([e], p)[0] for p in places])
            short = next((s for k, s in enumerate(x) if np.allclose(values[:, k], numbers, atol=1e-11)), None)
            steady = np.allclose(numbers, round(numbers[0]), atol=1e-11)
            line.append(se.Integer(round(numbers[0])) if steady else short if short is not None else shorten(e))
        result.append(tuple(line))
    return tuple(result)


def Ad_star(frame: Frame, xi: Components | None = None) -> Matrix | NDArray[np.float64]:
    """``Ad*_{g⁻¹}``, the transposed inverse of ``Ad_g``: spatial momenta are ``Ad*_{g⁻¹}`` of those in the body [BMZ 2009, 5].

    >>> from nonholo.geometry.groups.matrix_groups import SO3
    >>> Ad_star(SO3("R"))[0]
    (R11, R12, R13)
    """
    found = Ad(frame, xi)
    if isinstance(found, np.ndarray):
        return np.asarray(np.linalg.inv(found).T)
    size = len(found)
    places = [sample(frame, k) for k in range(3)]
    numbers = [np.array([evaluate(list(row), p) for row in found]) for p in places]
    if all(np.allclose(n @ n.T, np.eye(size), atol=1e-10) for n in numbers):
        return found
    unit = identity(size)
    return shorten_matrix(transpose(solve(found, unit, places)))


def trace_form(frame: Frame) -> tuple[Expr, ...]:
    """``T_i = Σ_j c_ij^j``, the form ``⟨T, ξ⟩ = Tr ad_ξ`` of BMZ 2009 (5.5).

    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> trace_form(LieAlgebra({("e1", "e2"): "e2"}))
    (1, 0)
    """
    return tuple(shorten(e) for e in _traces(frame, {}))


def _traces(frame: Frame, written: Mapping[Expr, Expr]) -> list[Expr]:
    """``T_i``, with the fractions that decimals are."""
    result: list[Expr] = [ZERO] * frame.size
    for (i, j, m), c in structure_functions(frame).items():
        if m == j:
            result[i] += c.xreplace(written)
        if m == i:
            result[j] -= c.xreplace(written)
    return result


@lru_cache(maxsize=64)
def rounded_algebra(frame: Frame) -> bool:
    """Whether constants are decimals that arithmetic has rounded, or obey Jacobi's identity up to rounding alone.

    A decimal of at most 15 digits is exact as it is written. Of others nothing that is not zero is proved.

    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> rounded_algebra(LieAlgebra({("e1", "e2"): "0.3*e2"})), rounded_algebra(LieAlgebra({("e1", "e2"): "(0.1 + 0.2)*e2"}))
    (False, True)
    """
    constants = structure_functions(frame)
    written = decimal_fractions(constants.values())
    table = FrozenMap({k: c.xreplace(written) for k, c in constants.items()})
    numbers = {n for n in atoms(table.values(), se.Rational, se.Integer) if 10**DECIMALS % int(n.get_num_den()[1]) == 0}
    if any(rounded(float(n)) for n in numbers):
        return True
    whole = frame.coordinates or all(c.is_Integer for c in table.values())
    return not whole and any(expand(e) != 0 for _, e in jacobi_law(replace(frame, brackets=table, checked=True)))


def unimodular(frame: Frame) -> Finding:
    """Whether ``Tr ad_ξ = 0`` for all ξ: then the Euler–Poincaré equations preserve volume [Kozlov 1988; BMZ 2009, 5.1].

    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> print(unimodular(LieAlgebra({("e1", "e2"): "e2"})))
    – the algebra is not unimodular (Tr ad_e1 = 1)
    """
    constants = structure_functions(frame).values()
    exact = tuple(map(expand, _traces(frame, decimal_fractions(constants))))
    if not any(e != 0 for e in exact):
        return Finding(Unimodular(), "holds", None, Proved("Tr ad_ξ = 0 for every ξ"))
    shown = [to_text(se.RealDouble(float(e)) if e.is_Rational and not e.is_Integer else e) for e in exact]
    words = ", ".join(f"Tr ad_{n} = {e}" for n, e in zip(frame.velocities, shown) if e != "0")
    if rounded_algebra(frame):
        size = max(abs(float(c)) for c in constants if c.is_Number)
        clear = any(e.is_Number and abs(float(e)) > TOLERANCE * size for e in exact)
        why = f"{words}, of rounded constants; write them as they are meant, e.g. 3/10 or 1/3"
        return Finding(Unimodular(), "fails" if clear else "unknown", evidence=why)
    numbers = any(e != 0 and not e.free_symbols for e in exact)
    return for_almost_all(Finding(Unimodular(), "fails", None, Proved(words)), [] if numbers else frame.parameters)
