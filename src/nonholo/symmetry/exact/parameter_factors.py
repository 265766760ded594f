"""Coefficients of a combination as rational functions of the parameters, reconstructed from null spaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import Residues, draws, null_space
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.algebra.prime.rational_reconstruction import degrees_on, lines, needed, rational
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.symmetry.exact.modular_states import Motion

SETS = 150
"""So many null spaces are computed at most for one combination."""


def factors_of(
    matrix: Callable[[Mapping[str, int]], Residues], motion: Motion, used: Sequence[int], free: int
) -> list[Expr] | None:
    """The factors of the columns that are ``used``, 1 at the column ``free``; None where they are not simple enough."""
    names = list(motion.system.parameters)

    def vector(given: Mapping[str, int]) -> Residues | None:
        try:
            table = matrix(given)[:, list(used)]
        except (NoPoints, Unsupported):
            return None
        kernel = [v for column, v in null_space(table) if column == list(used).index(free)]
        return kernel[0] if kernel else None

    draw = draws(131, 1)
    base = {n: int(draw()[0]) for n in names}
    first = vector(base)
    if first is None:
        return None
    relevant = []
    for n in names:
        other = vector({**base, n: int(draw()[0])})
        if other is None:
            return None
        if np.any(other != first):
            relevant.append(n)
    on_lines = lines(relevant, base, 233)
    if len(on_lines[relevant[0]]) > SETS if relevant else True:
        return None
    seen, good = _many(vector, base, on_lines)
    kinds = {row.tobytes(): row for row in seen.T}
    bounds = {key: degrees_on(len(relevant), row, good, 233) for key, row in kinds.items()}
    if any(pair is None for pair in bounds.values()):
        return None
    size = max(needed(pair) for pair in bounds.values() if pair is not None)
    if size + 6 > SETS:
        return None
    fresh = draws(239, size + 6)
    sets = {n: fresh() for n in relevant}
    values, able = _many(vector, base, sets)
    result = []
    for row, found in zip(seen.T, values.T):
        one = rational(relevant, bounds[row.tobytes()] or (), [sets[n][able] for n in relevant], found[able])
        if one is None:
            return None
        result.append(one)
    return result


def _many(
    vector: Callable[[Mapping[str, int]], Residues | None], base: Mapping[str, int], sets: Mapping[str, Residues]
) -> tuple[Residues, Residues]:
    """The vectors for many sets of parameters, and for which there is one."""
    count = len(next(iter(sets.values())))
    found = [vector({**base, **{n: int(v[k]) for n, v in sets.items()}}) for k in range(count)]
    size = next(len(v) for v in found if v is not None)
    rows = np.array([v if v is not None else np.zeros(size, dtype=np.int64) for v in found])
    return rows, np.array([v is not None for v in found])
