"""Certificates of judgements: the system, the identity, the relations, the prime and the states, as plain data.

Every identity is one of rational functions of coordinates, velocities, parameters and of sines, roots and exponentials with their
relations. One that vanishes at random states modulo a prime is zero, but for a chance of degree over prime at each state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from nonholo.algebra.calculus import substitute, symbol, symbols
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.multipliers import multipliers
from nonholo.errors import NonholoError
from nonholo.finding import Finding, FirstIntegral, Freedom, Measure, Symmetries
from nonholo.finding.answer import kind_name
from nonholo.model.system import System, force_covector, resolve
from nonholo.model.velocities.admissible import admissible
from nonholo.symmetry.certificate.exact_points import PRIME, NoPoint, Plain, Point, Residue, plain_form

FORMAT = "nonholo certificate 1"
STATES = 4
RANDOM = "an identity of rational functions that holds at random points modulo a prime [Schwartz 1980; Zippel 1979]"
MOTION = "Lagrange's equations with multipliers [d'Alembert's principle]"
THEOREMS = {
    "first_integral": f"dI/dt = q̇·∂I/∂q + q̈·∂I/∂v + ∂I/∂t = 0 along {MOTION}; {RANDOM}",
    "symmetries": f"the second prolongation of the field keeps constraints and accelerations [Lie]; {RANDOM}",
    "no_symmetries": "the conditions on the factors of shifts and turns have full rank modulo a prime, so also over the numbers",
    "measure": f"d(ln f)/dt + div = 0 [Liouville 1838]; {RANDOM}",
    "freedom": "the rank of the constraints' slopes modulo a prime, the largest there is",
}


@dataclass(frozen=True)
class Certificate:
    """One claim with what proves it; `as_json` is what a checker reads."""

    kind: str
    claim: str
    theorem: str
    system: FrozenMap[str, object]
    formulas: FrozenMap[str, object]
    states: tuple[FrozenMap[str, int], ...]
    prime: int = PRIME

    def as_json(self) -> dict[str, object]:
        """Plain data: every number an integer below the prime, every formula text that SymPy reads."""
        names = sorted({n for state in self.states for n in state if "(" in n})
        relations = [f"sin({n[4:-1]})**2 + cos({n[4:-1]})**2 - 1" for n in names if n.startswith("sin(")]
        relations += [f"{n}**2 - ({n[5:-1]})" for n in names if n.startswith("sqrt(")]
        return {
            "format": FORMAT, "kind": self.kind, "claim": self.claim, "theorem": self.theorem, "prime": self.prime,
            "system": dict(self.system), "formulas": dict(self.formulas), "relations": relations,
            "states": [dict(state) for state in self.states],
        }  # fmt: skip


def certificate(system: System, finding: Finding) -> Certificate | None:
    """What proves a finding, for a checker; None where it is not proved, or by no identity of this form."""
    if not finding.proved:
        return None
    try:
        return _certificate(system, finding)
    except (NoPoint, NonholoError, NotImplementedError, TypeError):
        return None


def _certificate(system: System, finding: Finding) -> Certificate | None:
    data = finding.data
    if system.inputs or system.parametric is not None or not system.coordinates:
        return None
    chart = in_chart(system)
    forces = force_covector(chart)
    texts = resolve(chart, [chart.lagrangian, *chart.constraints, *forces])
    count = len(chart.constraints)
    plain = Plain(chart.coordinates, texts[0], texts[1 : 1 + count], chart.holonomic, texts[1 + count :])
    writer = _Writer(system, plain)
    match data:
        case FirstIntegral() if finding and finding.formula is not None and not data.when.idle and not data.when.values:
            return writer.integral(finding)
        case Symmetries() if finding and data.fields and system.frame.plain:
            return writer.symmetry(finding, data.fields)
        case Symmetries() if finding.verdict == "fails" and system.frame.plain:
            return writer.no_symmetry(finding)
        case Measure() if finding and finding.formula is not None and system.frame.plain and not chart.holonomic:
            return writer.density(finding, [str(s) for s in admissible(system).speeds])
        case Freedom():
            return writer.freedom(finding, data.free)
    return None


class _Writer:
    """Certificates of one system."""

    def __init__(self, system: System, plain: Plain) -> None:
        self.plain, self.p = plain, PRIME
        outputs = multipliers(system).outputs
        self.table = {symbol(n): e for n, e in outputs.items()}
        self.rates = symbols(f"{c}dot" for c in map(str, plain.q))

    def formula(self, expr: Any) -> Any:
        """An expression in the system's names, in the chart's coordinates and rates."""
        return plain_form(substitute([expr], self.table)[0])

    def made(self, finding: Finding, kind: str, formulas: dict[str, object], points: Sequence[Point]) -> Certificate:
        plain = self.plain
        system: dict[str, object] = {
            "coordinates": [str(q) for q in plain.q], "velocities": [str(v) for v in plain.v], "time": "t",
            "lagrangian": str(plain.lagrangian), "constraints": [str(e) for e in plain.constraints],
            "holonomic": [str(e) for e in plain.holonomic], "forces": [str(e) for e in plain.forces],
        }  # fmt: skip
        states = tuple(FrozenMap(dict(sorted(point.values.items()))) for point in points)
        return Certificate(kind, finding.claim, THEOREMS[kind], FrozenMap(system), FrozenMap(formulas), states)

    def points(self, asked: Sequence[Any], count: int = STATES) -> list[Point]:
        return [self.plain.point(41 + 7 * k, asked) for k in range(count)]

    def integral(self, finding: Finding) -> Certificate | None:
        plain, p = self.plain, self.p
        whole = self.formula(finding.formula)
        slopes = [whole.diff(s) for s in (*plain.q, *plain.v, plain.t)]
        points = self.points([whole, *slopes])
        for point in points:
            pull = plain.acceleration(point) or []
            steps = [*(point.value(v) for v in plain.v), *pull[: len(plain.v)], 1]
            if sum(point.value(e) * d for e, d in zip(slopes, steps)) % p:
                return None
        return self.made(finding, "first_integral", {"integral": str(whole)}, points)

    def prolonged(self, field: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """``ξ``, ``ξ_q v`` and ``(ξ_q v)_q v``: the acceleration adds ``ξ_q a`` to the last."""
        xi = [plain_form(e) for e in field]
        first = [self.plain.along(e) for e in xi]
        return xi, first, [self.plain.along(e) for e in first]

    def conditions(self, field: Sequence[Any], point: Point) -> list[Residue]:
        """What vanishes for a symmetry: changes of the constraints, and of the accelerations beyond those of the field."""
        plain, p = self.plain, self.p
        xi, first, second = self.prolonged(field)
        place, speed = [point.value(e) for e in xi], [point.value(e) for e in first]
        state, steps = [*plain.q, *plain.v], [*place, *speed]
        result = [
            sum(point.value(e.diff(s)) * d for s, d in zip(state, steps) if d) % p for e in (*plain.holonomic, *plain.rows)
        ]
        pull, change = plain.acceleration(point) or [], plain.changed(point, place, speed) or []
        for k, e in enumerate(second):
            turned = sum(point.value(xi[k].diff(q)) * a for q, a in zip(plain.q, pull))
            result.append((change[k] - point.value(e) - turned) % p)
        return result

    def symmetry(self, finding: Finding, fields: Sequence[Sequence[str]]) -> Certificate | None:
        names = {str(s): s for e in (self.plain.lagrangian, *self.plain.rows) for s in e.free_symbols}
        names |= {str(s): s for s in (*self.plain.q, *self.plain.v)}
        read = [[sympy.parse_expr(e, local_dict=names) for e in field] for field in fields]
        points = self.points([e for field in read for part in self.prolonged(field) for e in part], 2)
        for field in read:
            if any(any(self.conditions(field, point)) for point in points):
                return None
        table: dict[str, object] = {"fields": [[str(plain_form(e)) for e in field] for field in read]}
        return self.made(finding, "symmetries", table, points)

    def no_symmetry(self, finding: Finding) -> Certificate | None:
        """Shifts of coordinates and turns of pairs: no combination of them is a symmetry."""
        q = self.plain.q
        shifts = [[sympy.Integer(int(i == k)) for i in range(len(q))] for k in range(len(q))]
        turns = [
            [-q[b] if i == a else q[a] if i == b else sympy.Integer(0) for i in range(len(q))]
            for a in range(len(q)) for b in range(a + 1, len(q))
        ]  # fmt: skip
        fields = [*shifts, *turns]
        points: list[Point] = []
        for k in range(2 + len(fields)):
            points.append(self.plain.point(41 + 7 * k))
            rows = [[row for point in points for row in self.conditions(field, point)] for field in fields]
            if _rank(rows, self.p) == len(fields):
                table: dict[str, object] = {"fields": [[str(e) for e in field] for field in fields]}
                return self.made(finding, "no_symmetries", table, points)
        return None

    def density(self, finding: Finding, speeds: Sequence[str]) -> Certificate | None:
        """``d(ln f)/dt + div = 0`` in coordinates and speeds; the other velocities follow from the constraints."""
        plain, p = self.plain, self.p
        whole = self.formula(finding.formula)
        slopes = [whole.diff(s) for s in (*plain.q, *plain.v, plain.t)]
        points = self.points([whole, *slopes])
        free = [k for k, v in enumerate(plain.v) if str(v) in speeds]
        bound = [k for k in range(len(plain.v)) if k not in free]
        if len(free) != len(speeds) or len(bound) != len(plain.rows):
            return None
        for point in points:
            pull = plain.acceleration(point) or []
            steps = [*(point.value(v) for v in plain.v), *pull[: len(plain.v)], 1]
            total = sum(point.value(e) * d for e, d in zip(slopes, steps)) * pow(point.value(whole), -1, p)
            for k in range(len(plain.q)):
                place = [int(i == k) for i in range(len(plain.q))]
                following = self.following(point, place, free, bound)
                total += following[k]
            for k in free:
                following = self.following(point, [0] * len(plain.q), free, bound, k)
                change = plain.changed(point, [0] * len(plain.q), following)
                total += (change or [1] * len(plain.q))[k]
            if total % p:
                return None
        return self.made(finding, "measure", {"density": str(whole), "speeds": list(speeds)}, points)

    def following(
        self, point: Point, place: Sequence[Residue], free: Sequence[int], bound: Sequence[int], moved: int | None = None
    ) -> list[Residue]:
        """How the velocities change with the state: one of the speeds, or a coordinate with the speeds held."""
        from nonholo.symmetry.certificate.exact_points import solved

        plain, p = self.plain, self.p
        slopes = [[point.value(e) for e in row] for row in plain.slopes]
        right = []
        for row, residual in zip(slopes, plain.rows):
            carried = sum(point.value(residual.diff(q)) * d for q, d in zip(plain.q, place) if d)
            right.append(-(carried + (row[moved] if moved is not None else 0)) % p)
        inner = solved([[row[k] for k in bound] for row in slopes], right, p)
        if inner is None:
            raise NoPoint("the speeds do not describe the velocities there")
        result = [0] * len(plain.v)
        for k, value in zip(bound, inner):
            result[k] = value
        if moved is not None:
            result[moved] = 1
        return result

    def freedom(self, finding: Finding, free: int) -> Certificate | None:
        point = self.plain.point(41)
        rows = [[point.value(e) for e in row] for row in self.plain.slopes]
        if len(self.plain.v) - _rank(rows, self.p) != free:
            return None
        return self.made(finding, "freedom", {"free": free}, [point])


def _rank(matrix: Sequence[Sequence[Residue]], p: int) -> int:
    rows, rank = [list(row) for row in matrix], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column] % p), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, p)
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] * inverse % p
            if factor:
                rows[i] = [(a - factor * b) % p for a, b in zip(rows[i], rows[rank])]
        rank += 1
    return rank


def certificates(system: System, findings: Sequence[Finding]) -> list[dict[str, object]]:
    """One entry for each proved line: its certificate, or the kind of its proof where there is none of this form."""
    result: list[dict[str, object]] = []
    for f in findings:
        if f.proved:
            found = certificate(system, f)
            open_entry: dict[str, object] = {"kind": kind_name(f.data), "claim": f.claim, "evidence": f.evidence, "states": None}
            result.append(open_entry if found is None else found.as_json())
    return result
