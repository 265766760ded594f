"""Certificates of brackets of drift and input fields; nothing of nonholo is imported.

A kinematic reading states its fields, ``v = b_0 + u_k b_k``, in the frame; these must be all velocities that the constraints
allow. A dynamic one has no fields: ``f`` and ``g_k`` are read from the equations of motion with multipliers.
"""

from __future__ import annotations

from typing import Any

import sympy

from tests.certificates.equations import At, Equations
from tests.certificates.kinds import Formulas, fields_of, proves, several
from tests.certificates.residues import Jets, kernel, need, rank, read, solve
from tests.certificates.towers import brackets, solved

Words = list[tuple[int, ...]]


class Fields:
    """Drift and input fields on the coordinates, or on coordinates and velocities."""

    def __init__(self, eq: Equations, states: list[At], formulas: Formulas) -> None:
        self.eq, self.states, self.p = eq, states, states[0].p
        need(not eq.timed and not eq.z, "fields that change with time, or velocities by parameters")
        self.dynamic = formulas["reading"] == "dynamic"
        self.names = [*map(str, eq.x), *(map(str, eq.v) if self.dynamic else ())]
        self._dynamic() if self.dynamic else self._kinematic(fields_of(formulas))

    def _kinematic(self, fields: list[list[Any]]) -> None:
        eq = self.eq
        need(not eq.driven, "inputs in constraints")
        drift = dict(zip(eq.v, fields[0]))
        slopes = [[r.diff(v) for v in eq.v] for r in eq.rows]
        need(not any(e.has(v) for row in slopes for e in row for v in eq.v), "constraints that are not affine")
        for s in self.states:
            need(not any(s.of(r.xreplace(drift)) for r in eq.rows), "a drift that is not admissible")
            rows = [[s.of(e) for e in row] for row in slopes]
            own = [[s.of(e) for e in field] for field in fields[1:]]
            across = [sum(a * b for a, b in zip(row, f)) % self.p for row in rows for f in own]
            need(not any(across), "a field that is not admissible")
            free = len(eq.v) - (rank(rows, self.p) if rows else 0)
            need(rank(own, self.p) == free == len(own), "not all admissible velocities")
        self.still = all(e == 0 for e in fields[0])
        self.count = len(fields)
        self.texts = [[sympy.Add(*(a * b for a, b in zip(row, f))) for row in eq.anchor] for f in fields]

    def _dynamic(self) -> None:
        eq = self.eq
        inputs = [u for u, _ in eq.driven]
        need(
            not any(e.has(u) for row in eq.matrix for e in row for u in inputs),
            "inputs in the inertia or in constraints",
        )
        slopes = [[e.diff(u) for e in eq.right] for u in inputs]
        slopes = [[sympy.expand(e) if e.has(*inputs) else e for e in row] for row in slopes]
        need(
            not any(e.has(u) for row in slopes for e in row for u in inputs), "forces that are not affine in the inputs"
        )
        idle = dict.fromkeys(inputs, sympy.Integer(0))
        self.still, self.count = False, 1 + len(inputs)
        self.texts = [[e.xreplace(idle) for e in eq.right], *slopes]
        self.rates = [e.diff(r) for e in eq.right for _, r in eq.driven]
        need(all(e == 0 for e in self.rates), "rates of inputs")

    def at(self, s: At) -> Any:
        """The field as a function of its number and of a place near a state."""
        if not self.dynamic:
            return lambda k, place: [place.of(e) for e in self.texts[k]]
        size = len(self.eq.matrix)
        inner = [[s.of(e) for e in row] for row in self.eq.matrix]
        columns = [solve(inner, [int(i == j) for i in range(size)], self.p) for j in range(size)]
        back = [list(row) for row in zip(*columns)]

        def field(k: int, place: Any) -> list[Any]:
            matrix = [[place.of(e) for e in row] for row in self.eq.matrix]
            pull = solved(matrix, [place.of(e) for e in self.texts[k]], back, self.p)[: len(self.eq.v)]
            return [*(place.of(e) if k == 0 else 0 for e in self.eq.steps), *pull]

        return field

    def dimension(self, s: At) -> int:
        """Of the states near a state."""
        eq, n = self.eq, len(self.eq.v)
        held = [[s.of(eq.along(j, h)) for j in range(n)] for h in eq.holonomic]
        size = rank([list(s.place(way).values()) for way in kernel(held, n, self.p)], self.p)
        rows = [[s.of(r.diff(v)) for v in eq.v] for r in eq.rows]
        return size + (n - (rank(rows, self.p) if rows else 0) if self.dynamic else 0)

    def values(self, s: At, words: Words) -> list[list[int]]:
        return brackets(self.at(s), s.state, self.names, words, self.p)


def grown(fields: Fields, formulas: Formulas, s: At) -> int:
    """The rank of the words at a state; no brackets up to each length are beyond ``growth``."""
    growth = formulas["growth"]
    words = [tuple(w) for w in formulas["words"]]
    need(all(0 <= k < fields.count for w in words for k in w), "a field that is not there")
    need(fields.dimension(s) == formulas["dimension"], "another dimension")
    known = dict(zip(words, fields.values(s, words)))
    need(rank(list(known.values()), s.p) == len(words), "brackets that depend on each other")
    for length, size in enumerate(growth, 1):
        short = [w for w in words if len(w) <= length]
        need(len(short) == size, "another growth")
        last = [w for w in words if len(w) == length - 1]
        fresh: Words = (
            [(k, *w) for w in last for k in range(fields.count)] if length > 1 else [(k,) for k in range(fields.count)]
        )
        if size < formulas["dimension"]:
            inside(fields, s, [known[w] for w in short], [w for w in fresh if w not in known])
    need(len(words) == growth[-1], "words beyond the growth")
    return len(words)


def inside(fields: Fields, s: At, basis: list[list[int]], words: Words) -> None:
    """Every one of the words is in the span."""
    for value in fields.values(s, words):
        need(rank([*basis, value], s.p) == len(basis), "a bracket beyond the growth")


@proves("brackets_span")
def _span(eq: Equations, states: list[At], formulas: Formulas) -> None:
    several(states)
    fields = Fields(eq, states, formulas)
    need(all(grown(fields, formulas, s) == formulas["dimension"] for s in states), "brackets that do not span")
    need(not formulas["driftless"] or fields.still, "a drift")


@proves("brackets_close")
def _close(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """One more field adds nothing where the brackets have their largest rank; functions are constant along all fields."""
    several(states)
    fields = Fields(eq, states, formulas)
    words = [tuple(w) for w in formulas["words"]]
    longer = [(k, *w) for w in words if len(w) == len(formulas["growth"]) for k in range(fields.count)]
    need(not formulas["driftless"] or fields.still, "a drift")
    exprs = [read(e) for e in formulas["integrals"]]
    need(not exprs or not fields.dynamic, "functions of a dynamic system")
    for s in states:
        size = grown(fields, formulas, s)
        need(size < formulas["dimension"], "brackets that span")
        inside(fields, s, fields.values(s, words), longer)
        n = len(eq.v)
        ways = [s.place([s.of(e) for e in f]) for f in fields_of(formulas)] if exprs else []
        need(not any(Jets(s.state, way, s.p).of(e)[1] for way in ways for e in exprs), "a function that changes")
        every = [Jets(s.state, s.place([int(i == j) for i in range(n)]), s.p) for j in range(n)]
        slopes = [[jets.of(e)[1] for e in exprs] for jets in every]
        need(rank(slopes, s.p) == len(exprs) <= formulas["dimension"] - size, "functions that depend on each other")


@proves("brackets_of_group")
def _of_group(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """How many directions of the group lie in the span of the brackets; fewer than all only where these close."""
    several(states)
    fields = Fields(eq, states, formulas)
    need(not fields.dynamic, "a dynamic system")
    words = [tuple(w) for w in formulas["words"]]
    longer = [(k, *w) for w in words if len(w) == len(formulas["growth"]) for k in range(fields.count)]
    group = [[read(e) for e in field] for field in formulas["fields"]]
    for s in states:
        size = grown(fields, formulas, s)
        if formulas["reached"] < len(group) and size < formulas["dimension"]:
            inside(fields, s, fields.values(s, words), longer)
        values = [[s.of(e) for e in field] for field in group]
        reached = len(group) - rank([*fields.values(s, words), *values], s.p) + size
        need(reached == formulas["reached"], "another number of directions")


@proves("fewer_inputs")
def _fewer(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """Without drift the linearisation at rest is (0, B), and all velocities lie in a distribution of the rank of B."""
    several(states)
    fields = Fields(eq, states, formulas)
    need(not fields.dynamic and fields.still, "a drift")
    for s in states:
        size = rank(fields.values(s, [(k,) for k in range(1, fields.count)]), s.p)
        need(size == formulas["rank"] and fields.dimension(s) == formulas["dimension"], "another rank")
