"""Integrals of the configuration: functions that are constant on the leaves of the constraints."""

from __future__ import annotations

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.finding import Finding
from nonholo.geometry.distributions.distribution import Distribution, annihilator, growth_flag
from nonholo.geometry.foliations.leaves import integrable_forms, leaf_functions
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate
from nonholo.symmetry.integrals.searches.integral_question import Question, search

WORK = 3.0
"""Units of work for the brackets and the closed forms."""
LEAF = "integral of the constraints, by Frobenius' theorem"


@search("leaves of the constraints", cost=20)
def leaf_integrals(question: Question) -> list[Finding]:
    """Functions of the configuration that are constant on the leaves."""
    found = configuration_integrals(question.system)
    return [question.finding(Candidate(e, LEAF)) for e in found if question.new(e)]


def configuration_integrals(system: System) -> tuple[Expr, ...]:
    """As many independent functions as dimensions that brackets of admissible fields never reach, where they are found.

    >>> spiral = System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
    ...     constraints=["x*zdot - z*xdot - x*z*ydot"])
    >>> configuration_integrals(spiral)
    (2*y + log(x**2) - log(z**2),)
    """
    if not system.constraints or system.parametric is not None or system.holonomic:
        return ()
    rows = constraint_rows(system)
    moving = {TIME, *symbols(system.inputs)}
    if not rows.linear or any(e != 0 for e in rows.sides) or any(e.free_symbols & moving for row in rows.slopes for e in row):
        return ()
    return within(WORK, lambda: _functions(system)) or ()


def _functions(system: System) -> tuple[Expr, ...]:
    frame, rows = system.frame, constraint_rows(system).slopes
    extra = tuple(p for p in (*system.parameters, *system.inputs) if p not in frame.parameters)
    whole = Distribution(frame, rows=rows, parameters=extra)
    places = [{n: float(e) for n, e in s.items()} for s in samples_of(system, count=6)[1:]]
    flag = growth_flag(whole, samples=places)
    first, last = flag.dimensions[0], flag.dimensions[-1]
    if not flag.complete or last == frame.size:
        return ()
    known = len(flag.fields) == last
    forms = integrable_forms(annihilator(whole, samples=places), flag.fields[first:], places) if known else ()
    return tuple(leaf.function for leaf in leaf_functions(whole, forms, frame.size - last, places))
