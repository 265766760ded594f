"""Derivatives of a `Program`, written into the same program: what function and slopes share is computed once.

Forward mode gives the change of the outputs along one direction, reverse mode the gradient of one output, and both may
be applied to their own results. A Jacobian is had by eliminating the values between inputs and outputs one by one from
the graph of slopes (the chain rule in the cheapest order that looks one value ahead), which forward and reverse mode
are two special orders of. [Griewank, Reese 1991; Griewank, Walther 2008, ch. 9]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from nonholo.program.partials import partials, plus, times
from nonholo.program.program import Program

Row = Mapping[int, int]
"""A linear form in values: place of the value -> place of its coefficient."""


def tangents(program: Program, outputs: Sequence[int], direction: Mapping[int, int]) -> list[int]:
    """Forward mode: the change of ``outputs`` when each value at a key of ``direction`` changes as the value it names.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> out = p.multiply(x, p.put("sin", y))
    >>> tangents(p, [out], {x: p.number(1.0)}) == [p.put("sin", y)]
    True
    """
    zero = program.number(0.0)
    change = dict(direction)
    for i in _between(program, outputs, direction):
        total = zero
        for operand, slope in partials(program, i):
            if operand in change:
                total = plus(program, total, times(program, slope, change[operand]))
        change[i] = total
    return [change.get(i, zero) for i in outputs]


def gradient(program: Program, output: int, inputs: Sequence[int]) -> list[int]:
    """Reverse mode: the derivatives of one output by all ``inputs``, at a small multiple of its cost.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> gradient(p, p.multiply(x, y), [x, y]) == [y, x]
    True
    """
    return combined(program, {output: program.number(1.0)}, inputs)


def combined(program: Program, weights: Row, inputs: Sequence[int]) -> list[int]:
    """Reverse mode of a weighted sum of outputs (a vector times the Jacobian)."""
    zero = program.number(0.0)
    share: dict[int, int] = dict(weights)
    places = set(inputs)
    for i in reversed(_between(program, list(weights), places)):
        weight = share.get(i)
        if weight is None:
            continue
        for operand, slope in partials(program, i):
            share[operand] = plus(program, share.get(operand, zero), times(program, weight, slope))
    return [share.get(i, zero) for i in inputs]


def jacobian(program: Program, outputs: Sequence[int], inputs: Sequence[int]) -> list[list[int]]:
    """The derivatives of all ``outputs`` by all ``inputs``, row by row; what cannot vary is the number 0.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> jacobian(p, [p.multiply(x, y), p.add(x, y)], [x, y]) == [[y, x], [p.number(1.0)] * 2]
    True
    """
    one = program.number(1.0)
    return jacobian_of_forms(program, [{i: one} for i in outputs], inputs)


def jacobian_of_forms(program: Program, rows: Sequence[Row], inputs: Sequence[int]) -> list[list[int]]:
    """The derivatives of linear forms of values, their coefficients held, by all ``inputs``.

    With ``M ż = F`` the change of the solution is ``M⁻¹ (dF − dM ż)``: a linear form in the entries of M and F.
    """
    graph = _Graph(program, rows, inputs)
    graph.eliminate()
    zero = program.number(0.0)
    return [[graph.below[-1 - r].get(i, zero) for i in inputs] for r in range(len(rows))]


def _between(program: Program, outputs: Sequence[int], inputs: Mapping[int, int] | set[int]) -> list[int]:
    """The operations through which ``outputs`` depend on ``inputs`` (these not included), in order."""
    needed: set[int] = set()
    work = [i for i in outputs if i not in inputs]
    while work:
        i = work.pop()
        if i not in needed:
            needed.add(i)
            work.extend(j for j in program.operations[i].of if j not in inputs and j not in needed)
    active: set[int] = set()
    for i in sorted(needed):
        if any(j in inputs or j in active for j in program.operations[i].of):
            active.add(i)
    return sorted(active)


class _Graph:
    """Slopes between the values on the way from inputs to rows; a row r is the vertex −1 − r."""

    def __init__(self, program: Program, rows: Sequence[Row], inputs: Sequence[int]) -> None:
        self.program = program
        self.below: dict[int, dict[int, int]] = {}
        """Vertex -> what it depends on and by which slope."""
        self.above: dict[int, dict[int, None]] = {}
        places = set(inputs)
        outputs = [i for row in rows for i in row]
        order = _between(program, outputs, places)
        known = {*order, *places}
        for i in order:
            self.below[i] = {}
            for operand, slope in partials(program, i):
                if operand in known and program.value(slope) != 0.0:
                    self._join(operand, i, slope)
        for r, row in enumerate(rows):
            self.below[-1 - r] = {}
            for i, slope in row.items():
                if i in known:
                    self._join(i, -1 - r, slope)
        self.order = order

    def _join(self, low: int, high: int, slope: int) -> None:
        before = self.below[high].get(low)
        self.below[high][low] = slope if before is None else plus(self.program, before, slope)
        self.above.setdefault(low, {})[high] = None

    def _cost(self, v: int) -> tuple[int, int, int]:
        """What is eliminated first: values with one neighbour on one side, then few products, then the last written.

        Measured on the gallery's systems and the bicycle against seven other orders: fewest or nearly fewest operations.
        """
        below, above = len(self.below[v]), len(self.above.get(v, ()))
        return min(below, above), below * above, -v

    def eliminate(self) -> None:
        """Remove every value between inputs and rows, each time the cheapest."""
        left = set(self.order)
        costs = {v: self._cost(v) for v in self.order}
        heap = list(costs.values())
        heapify(heap)
        while heap:
            cost = heappop(heap)
            v = -cost[2]
            if v not in left or costs[v] != cost:
                continue
            left.discard(v)
            below, above = self.below.pop(v), self.above.pop(v, {})
            for w in above:
                upper = self.below[w].pop(v)
                for u, slope in below.items():
                    self._join(u, w, times(self.program, slope, upper))
            for u in below:
                self.above[u].pop(v, None)
            for near in (*below, *above):
                if near in left:
                    fresh = self._cost(near)
                    if fresh != costs[near]:
                        costs[near] = fresh
                        heappush(heap, fresh)
