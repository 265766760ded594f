"""Integrals with coefficients of the angle of a vector that a holonomic constraint keeps on a circle: written in this angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import symengine as se

from nonholo.algebra.calculus import ZERO, along, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, is_expression
from nonholo.finding import Finding, LinearMomenta
from nonholo.geometry.frames.frame import rate
from nonholo.geometry.frames.frame_constructions import Euclidean
from nonholo.model.system import System, resolve, varied
from nonholo.notation.write import to_text
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate
from nonholo.symmetry.integrals.searches.gauge_momenta_search import gauge_momentum_integrals
from nonholo.symmetry.integrals.searches.integral_question import Question, search


@dataclass(frozen=True)
class Heading:
    """``a² + b² = r²`` for linear forms a, b of the coordinates, by the holonomic constraint of this number."""

    a: Expr
    b: Expr
    radius: Expr
    constraint: int

    @property
    def angle(self) -> Expr:
        """The angle of the vector (a, b)."""
        return se.atan2(self.b, self.a)


def headings(system: System) -> list[Heading]:
    """The vectors that holonomic constraints keep on circles.

    >>> [(h.a, h.b, h.radius) for h in headings(System(coordinates="x y a b", holonomic=["a**2 + b**2 - 4"],
    ...     lagrangian="(xdot**2 + ydot**2 + adot**2 + bdot**2)/2", constraints=["ydot*a - xdot*b"]))]
    [(a, b, 2)]
    """
    x = set(symbols(system.coordinates))
    result = []
    for number, residual in enumerate(system.holonomic):
        parts = residual.args if isinstance(residual, se.Add) else ()
        terms = [t for t in parts if t.free_symbols & x]
        bases = [t.args[0] for t in terms if isinstance(t, se.Pow) and t.args[1] == 2]
        straight = all(not (b.diff(s).free_symbols & x) for b in bases for s in b.free_symbols & x)
        if len(terms) == len(bases) == 2 and straight:
            b, a = sorted(bases, key=to_text, reverse=True)
            result.append(Heading(a, b, se.sqrt(se.Add(*(-t for t in parts if t not in terms))), number))
    return result


def has_headings(question: Question) -> bool:
    """Holonomic constraints that keep a vector on a circle."""
    return question.depends_on is None and bool(headings(question.system))


@search("angles of headings", cost=95, applies=has_headings)
def heading_momenta(question: Question) -> list[Finding]:
    """Momenta with coefficients of the angle of a vector, found where this angle is a coordinate and written back."""
    found: list[Finding] = []
    for heading in headings(question.system):
        asked = LinearMomenta((to_text(heading.angle),), further=True)
        chart = in_angle(question.system, heading)
        if chart is None:
            why = "the system could not be written in the vector's angle"
            question.failures.append(Finding(asked, "unknown", evidence=why))
            continue
        system, back = chart
        inside = Question(system, question.values, system.coordinates[0], 1, None, question.given)
        for one in gauge_momentum_integrals(inside):
            e = one.expression
            if not is_expression(e):
                question.failures.append(Finding(asked, "unknown", evidence="in the vector's angle they are known as numbers"))
                continue
            own = substitute([e], back)[0]
            if question.new(own):
                found.append(question.finding(Candidate(own, one.method)))
        question.failures += [replace(f, data=asked) for f in inside.failures if f.verdict == "unknown"]
    return found


def in_angle(system: System, heading: Heading) -> tuple[System, dict[Expr, Expr]] | None:
    """The system with the heading's angle as its first coordinate in place of two others, and what to put back."""
    x, v = symbols(system.coordinates), symbols(system.velocities)
    plain = system.frame.plain and system.parametric is None and not (system.magnetic or system.contacts or system.inputs)
    if not plain or not set(system.forces) <= set(system.coordinates):
        return None
    forms = (heading.a, heading.b)
    a, b = (gradient(e, x) for e in forms)
    minors = {(i, j): a[i] * b[j] - a[j] * b[i] for i, j in combinations(range(len(x)), 2)}
    pair = next((p for p, e in minors.items() if e.is_Number and e != 0), None)
    if pair is None:
        return None
    (i, j), det = pair, minors[pair]
    name = "heading"
    while {name, rate(name)} & {*system.coordinates, *system.velocities, *system.parameters, *system.quasivelocities}:
        name += "_"
    angle, turning = symbols((name, rate(name)))
    circle = (heading.radius * se.cos(angle), heading.radius * se.sin(angle))
    first, second = (c - e.xreplace({x[i]: ZERO, x[j]: ZERO}) for c, e in zip(circle, forms))
    places = {x[i]: (b[j] * first - a[j] * second) / det, x[j]: (a[i] * second - b[i] * first) / det}
    kept = [k for k in range(len(x)) if k not in pair]
    direction = {angle: turning, **{x[k]: v[k] for k in kept}}
    table = places | dict(zip((v[i], v[j]), along(list(places.values()), direction)))
    forces = {}
    for s in direction:
        pulls = [(se.sympify(e), places.get(symbol(c), symbol(c))) for c, e in system.forces.items()]
        forces[str(s)] = se.Add(*(e * place.diff(s) for e, place in pulls))

    def written(exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        return substitute(resolve(system, exprs), table)

    names = tuple(map(str, direction))
    holonomic = [e for k, e in enumerate(system.holonomic) if k != heading.constraint]
    chart = varied(
        system, coordinates=names, frame=Euclidean(" ".join(names)), lagrangian=written([system.lagrangian])[0],
        constraints=written(system.constraints), holonomic=written(holonomic), quasivelocities={}, start={}, units={},
        forces=dict(zip(forces, written(list(forces.values())))) if system.forces else {}, symmetry=None, page=None,
    )  # fmt: skip
    rates = along(forms, dict(zip(x, v)))
    unit = [e / heading.radius for e in forms]
    back = {se.cos(angle): unit[0], se.sin(angle): unit[1], se.tan(angle): forms[1] / forms[0], angle: heading.angle}
    return chart, {**back, turning: (unit[0] * rates[1] - unit[1] * rates[0]) / heading.radius}
