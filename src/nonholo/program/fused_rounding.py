"""Decide which products and sums are rounded once, so that bits do not depend on the compiler."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from nonholo.program.program import Program


class FusedPair(NamedTuple):
    """A sum that takes in a product: ``± a b ± c`` for ``of = (a, b, c)``."""

    product: int
    of: tuple[int, int, int]
    minus_product: bool = False
    minus_other: bool = False


def fused_pairs(program: Program, order: Iterable[int], outputs: Sequence[int], ready: Collection[int]) -> dict[int, FusedPair]:
    """For every sum or difference among ``order`` of which a product is a term that nothing else uses: that product.

    The first term goes first. A value used twice is rounded once and for all, so that what is shared stays shared; a value in
    ``ready`` is found, not made.

    >>> p = Program(3)
    >>> a, b, c = (p.put("input", detail=k) for k in range(3))
    >>> total = p.subtract(c, p.multiply(a, b))
    >>> fused_pairs(p, [a, b, c, 3, total], [total], ())
    {4: FusedPair(product=3, of=(0, 1, 2), minus_product=True, minus_other=False)}
    >>> fused_pairs(p, [a, b, c, 3, total], [total, 3], ())
    {}
    """
    made = [i for i in order if i not in ready]
    uses: dict[int, int] = {}
    for i in outputs:
        uses[i] = uses.get(i, 0) + 1
    for i in made:
        for j in program.operations[i].of:
            uses[j] = uses.get(j, 0) + 1
    pairs: dict[int, FusedPair] = {}
    for i in made:
        kind, of, _ = program.operations[i]
        if kind not in ("add", "subtract"):
            continue
        minus = kind == "subtract"
        for k in (0, 1):
            product = program.operations[of[k]]
            if product.kind == "multiply" and uses[of[k]] == 1 and of[k] not in ready:
                a, b = product.of
                pairs[i] = FusedPair(of[k], (a, b, of[1 - k]), minus and k == 1, minus and k == 0)
                break
    return pairs
