"""Lie algebras: frames without coordinates, by structure constants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, expand, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame_record import Frame
from nonholo.geometry.frames.frame_words import Brackets, Chart, rate, read_brackets
from nonholo.notation.functions import RESERVED
from nonholo.notation.read import names_of
from nonholo.notation.write import to_text

Constants = tuple[tuple[tuple[int, ...], ...], ...]


def LieAlgebra(structure_constants: Any, rates: Any = None, *, parameters: Any = ()) -> Frame:
    """A Lie algebra alone, ``[e_i, e_j] = c_ij^a e_a``: no coordinates, Euler and Poincaré's equations.

    ``structure_constants`` is the array ``c[i][j][a]`` (ready ones: `so`, `se`, `heisenberg`) or the brackets as text,
    ``{("e1", "e2"): "e3"}``. For a body's velocities, ``g⁻¹ġ``, these are the algebra's own brackets; for spatial ones
    the opposite. Jacobi's identity is checked.

    >>> LieAlgebra(so(3), rates="w1 w2 w3").brackets
    {(0, 1, 2): 1, (0, 2, 1): -1, (1, 2, 0): 1}
    """
    extra = names_of(parameters, "Lie algebra parameters")
    names = names_of(rates, "Lie algebra rates") if rates is not None else _default_names(structure_constants, extra)
    if not names:
        raise ModelError('Lie algebra: no rates; give brackets as {("e1", "e2"): "e3"} or the array c[i][j][a].')
    table = read_brackets(structure_constants, names, extra)
    words: dict[str, Any] = {"kind": "LieAlgebra", "rates": " ".join(names), "brackets": bracket_texts(table, names)}
    if extra:
        words["parameters"] = " ".join(extra)
    frame = Frame(
        coordinates=(),
        velocities=names,
        anchor=(),
        brackets=table,
        parameters=extra,
        chart=exponential_chart(table, names),
    )
    return replace(frame, recipe=(FrozenMap(words),), checked=True)


def _default_names(given: Any, parameters: Sequence[str]) -> tuple[str, ...]:
    """The names a table of brackets uses, in their order, or e1 … en."""
    if not isinstance(given, Mapping):
        try:
            return tuple(f"e{i + 1}" for i in range(len(given)))
        except TypeError:
            raise ModelError(
                f"Lie algebra: {given!r} is neither an array c[i][j][a] nor a table of brackets."
            ) from None
    if not all(isinstance(key, (str, tuple)) and all(isinstance(k, str) for k in key) for key in given):
        raise ModelError('Lie algebra: name the rates, rates="e1 e2 e3", or give the brackets by names.')
    legs = [leg for key in given for leg in (key.replace(",", " ").split() if isinstance(key, str) else key)]
    used = [word for value in given.values() for word in re.findall(r"(?<![\w.])[^\W\d]\w*", str(value))]
    known = {*parameters, *RESERVED}
    return names_of(list(dict.fromkeys((*legs, *(u for u in used if u not in known)))), "Lie algebra rates")


def bracket_texts(table: Brackets, names: Sequence[str]) -> FrozenMap[str, Any]:
    """Brackets as plain text, ``{"e1, e2": "e3"}``; where they vary by components, ``{"u, w": {"u": "1/(x + 1)"}}``."""
    parts: dict[str, dict[str, Expr]] = {}
    for (i, j, a), e in table.items():
        parts.setdefault(f"{names[i]}, {names[j]}", {})[names[a]] = e
    result: dict[str, Any] = {}
    for key, form in parts.items():
        if all(e.is_Number for e in form.values()):
            result[key] = to_text(sum((e * symbol(v) for v, e in form.items()), ZERO))
        else:
            result[key] = FrozenMap({v: to_text(e) for v, e in form.items()})
    return FrozenMap(result)


def exponential_chart(table: Brackets, names: Sequence[str]) -> Chart:
    """Exponential coordinates, ``v = ẏ − ½[y, ẏ] + ⅙[y, [y, ẏ]]``: the left Maurer–Cartan form to second order.

    Equations of motion need the first derivatives of ``v`` by ``y``, so they are exact at ``y = 0`` and only there.
    """
    places = tuple(f"y_{name}" for name in names)
    y, moving = symbols(places), symbols(map(rate, places))

    def turn(a: Sequence[Expr], b: Sequence[Expr]) -> list[Expr]:
        total = [ZERO] * len(names)
        for (i, j, m), e in table.items():
            total[m] += e * (a[i] * b[j] - a[j] * b[i])
        return total

    once = turn(y, moving)
    twice = turn(y, once)
    forms = tuple(expand(m - a / 2 + b / 6) for m, a, b in zip(moving, once, twice))
    return Chart(places, (), forms, (0.0,) * len(names), 0.0)


def so(n: int) -> Constants:
    """The rotations of n-dimensional space; for n = 3 in the basis with ``[e1, e2] = e3``.

    Otherwise by the turns ``L_12, L_13, …, L_23, …`` from axis i to axis j.

    >>> so(3)[0][1]
    (0, 0, 1)
    """
    return constants_of_matrices(_turns(_whole(n, "so", 2), n))


def se(n: int) -> Constants:
    """The rigid motions of n-dimensional space: turns as in `so`, then translations.

    >>> se(2)[0][1]  # [w, v1] = v2
    (0, 0, 1)
    """
    size = _whole(n, "se", 2)
    turns = [np.pad(m, ((0, 1), (0, 1))) for m in _turns(size, size)]
    return constants_of_matrices([*turns, *(_entry(size + 1, i, size) for i in range(size))])


def heisenberg(n: int = 1) -> Constants:
    """``[p_i, q_i] = z``, in the order p1 … pn, q1 … qn, z.

    >>> heisenberg()[0][1]
    (0, 0, 1)
    """
    size = _whole(n, "heisenberg", 1)
    rows = [_entry(size + 2, 0, i + 1) for i in range(size)]
    columns = [_entry(size + 2, i + 1, size + 1) for i in range(size)]
    return constants_of_matrices([*rows, *columns, _entry(size + 2, 0, size + 1)])


def constants_of_matrices(basis: Sequence[Any]) -> Constants:
    """``c_ij^a`` of integer matrices: ``E_i E_j − E_j E_i = c_ij^a E_a``; they must span an algebra."""
    flat = np.array([m.reshape(-1) for m in basis], dtype=float)
    result = []
    for one in basis:
        row = []
        for two in basis:
            commutator = (one @ two - two @ one).reshape(-1).astype(float)
            parts, *_ = np.linalg.lstsq(flat.T, commutator, rcond=None)
            whole = np.rint(parts)
            if not np.allclose(whole @ flat, commutator, atol=1e-9):
                raise ModelError("Lie algebra of matrices: a commutator is no whole combination of the basis.")
            row.append(tuple(int(p) for p in whole))
        result.append(tuple(row))
    return tuple(result)


def _turns(size: int, n: int) -> list[Any]:
    pairs = [(1, 2), (2, 0), (0, 1)] if n == 3 else [(i, j) for i in range(n) for j in range(i + 1, n)]
    return [_entry(size, j, i) - _entry(size, i, j) for i, j in pairs]


def _entry(size: int, i: int, j: int) -> Any:
    matrix = np.zeros((size, size), dtype=int)
    matrix[i, j] = 1
    return matrix


def _whole(n: Any, name: str, least: int) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n <= 12:
        raise ModelError(f"{name}({n!r}): give a whole number from {least} to 12.")
    return n
