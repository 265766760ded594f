"""Gauge momenta as first integrals: coefficients of one variable after the other, then of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from nonholo.algebra.budget import Purse
from nonholo.algebra.calculus import ZERO, expand, gradient, symbols
from nonholo.algebra.expression_types import is_expression
from nonholo.algebra.linear_equations import dot, identity
from nonholo.algebra.subspaces import independent
from nonholo.errors import NonholoError
from nonholo.finding import Exact, Finding, LinearMomenta, Proved, for_almost_all
from nonholo.model.specialise import without_value
from nonholo.model.system import known_inputs
from nonholo.symmetry.exact.term_library import active
from nonholo.symmetry.integrals.gauge.gauge_basis import Variable, generators
from nonholo.symmetry.integrals.gauge.gauge_search import (
    NO_VALUES,
    WHOLE,
    component_texts,
    fields_in_space,
    fields_named,
    gauge_momenta,
    variables,
)
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, distinct, in_speeds_of
from nonholo.symmetry.integrals.gauge.momentum_frames import parallel_momenta
from nonholo.symmetry.integrals.gauge.prolongation import at as value_of
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, states, table
from nonholo.symmetry.integrals.noether import hidden_of
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.integrals.searches.integral_question import Question, search
from nonholo.symmetry.integrals.several.pde_prolongation import (
    LITTLE,
    NODES,
    UNKNOWNS,
    Closure,
    at_values,
    closure,
    equation_of,
)
from nonholo.symmetry.integrals.several.taylor_transport import SeveralMomentum, several_momenta

MANY = 2
"""With so many momenta for each speed no further gauge momenta are sought."""
FEWEST, MOST = 2, 3
"""How many variables are taken together where ``depends_on`` names none."""
METHOD = "prolongation of the linear partial differential equations for the coefficients"
PLACES, SAME = 6, 1e-9
"""So many configurations with the same variables are compared, and so well."""
NEAR = 0.2
"""How far from the origin momenta are compared."""


def has_momenta(question: Question) -> bool:
    """Momenta and their rates are computed with the inputs at zero."""
    return question.momenta is not None and not known_inputs(question.system)


@search("gauge momenta", cost=50, applies=has_momenta)
def gauge_momentum_integrals(question: Question) -> list[Finding]:
    """Momenta along invariant fields of D beyond those that are polynomials from the library."""
    if question.momenta is None:
        return []
    known, idle = list(question.linear), bool(question.system.inputs)
    return [question.finding(c, idle) for c in _gauge_momenta(question, question.momenta, known) if c not in known]


def _gauge_momenta(question: Question, found: Momenta, linear: list[Candidate]) -> list[Candidate]:
    """The linear integrals with the gauge momenta of one variable after the other."""
    group = {**(question.group or generators(question.system)), **hidden_of(question.sought)}
    fields, called = fields_named(found, group)
    purse = Purse(WHOLE)
    for variable in variables(question.system, found, group, question.depends_on):
        if len(linear) >= MANY * len(found.speeds) and question.depends_on is None:
            break
        origin = _origin(question, variable)
        new, failure = gauge_momenta(found, fields, variable, question.values, origin, called, purse, question.given)
        if failure is not None:
            question.failures.append(failure)
        linear = distinct(found, [*linear, *new], question.values)
    for c in linear:
        if question.system.inputs and is_expression(c.expression) and c.expression not in question.exact:
            question.idle.append(c.expression)
        else:
            question.new(c.expression)
    if linear and question.depends_on is None:
        question.failures = [f for f in question.failures if f.verdict == "unknown"]
    names = question.listed()
    if question.depends_on is None or names:
        linear += [c for c in parallel_momenta(found) if question.new(c.expression)]
    turned, called = fields_in_space(found, group) if question.system.frame.relations else (None, "")
    if names and question.sought is not None:  # momenta of symmetries, with coefficients of these coordinates alone
        symmetric = question.named(found, list(linear))
        own = [c for c in symmetric if c not in linear and depends_only(found, c, names, turned)]
        linear = distinct(found, [*linear, *own], question.values)
    return [*linear, *_of_several(question, found, linear, None if turned is None else (turned, called))]


def _of_several(question: Question, found: Momenta, linear: list[Candidate], along: Any) -> list[Candidate]:
    """Momenta with coefficients of several variables: those in ``depends_on``, or the coordinates that act."""
    if question.depends_on is not None:
        names = question.listed()
    else:
        names = [str(c) for c in active(question.sought.motion)] if question.sought is not None else []
    asked = question.depends_on is not None
    more, failures = momenta_of_several(found, names, linear, question.values, _start(question), asked, along, question.given)
    question.failures += failures
    return more


def _origin(question: Question, variable: Variable) -> float | None:
    """Where the user's motion starts, if that is known."""
    begin = _start(question)
    names = {str(s) for s in variable.expression.free_symbols}
    return value_of(variable, begin) if names and names <= set(begin) else None


def _start(question: Question) -> dict[str, Any]:
    return {**dict(question.system.start), **(question.start or {})}


def momenta_of_several(
    found: Momenta,
    names: Sequence[str],
    known: Sequence[Candidate],
    values: Mapping[str, float],
    start: Mapping[str, float],
    asked: bool,
    along: tuple[Sequence[Field], str] | None = None,
    given: Mapping[str, Fraction] = NO_VALUES,
) -> tuple[list[Candidate], list[Finding]]:
    """Numeric candidates beyond the known ones where ``depends_on`` was given (``asked``), and the proved number of momenta.

    ``along`` are fields of D and what they are called; without them the fields of the speeds, which turn with a body where the
    speeds are its own rates. What is counted holds for the ``given`` values of parameters where these have as many; else for
    almost all values, and it is not called proved.
    """
    few = FEWEST <= len(names) <= (len(names) if asked else MOST)
    if not few or found.system.frame.redundant & set(names) or found.system.holonomic:
        return [], []
    if any(n not in map(str, found.coordinates) for n in names):
        return [], []
    count = len(found.speeds)
    own = identity(count)
    fields = own if along is None else tuple(map(tuple, along[0]))
    equation = equation_of(found, fields, symbols(names))
    most = (UNKNOWNS, NODES) if asked else LITTLE
    closed = closure(equation, *most)
    told = () if along is None else component_texts(found, fields)
    asked_for = LinearMomenta(tuple(names), "" if along is None else along[1], fields=told)
    if closed is None:
        reason = "the equations for the coefficients do not close within the work allowed"
        return [], [Finding(replace(asked_for, further=True), "unknown", evidence=reason, method=METHOD)] if asked else []
    total = closed.dimension - (0 if found.homogeneous else 1)
    inside = [c for c in known if depends_only(found, c, names, None if along is None else fields)]
    numbers = [c for c in known if isinstance(c.expression, NumericMomentum) and c.expression.variable in names]
    here = closure(at_values(equation, given), *most) if given else closed
    usual = here is not None and (here.dimension, here.closed) == (closed.dimension, closed.closed)
    others = without_value(found.system, given if usual else ())
    shown = f"the equations for the coefficients close at order {closed.order}"
    if total <= len(inside) + len(numbers):
        no_more = replace(asked_for, further=bool(inside or numbers))
        words = f"{shown}, with {total} independent solutions"
        why = Proved(words) if usual and total == 0 and (along is None or told) else Exact(words)
        fails = for_almost_all(Finding(no_more, "fails", total, why, method=METHOD), others)
        return [], [fails] if asked or (not known and total == 0) else []
    counted = replace(asked_for, count=total)
    if not closed.closed:
        return [], [Finding(counted, "unknown", evidence=shown, method=METHOD)] if asked else []
    how = f"{shown}; {len(inside)} of them in closed form"
    basis = Proved(how) if usual and (along is None or told) else Exact(how)
    fact = for_almost_all(Finding(counted, "holds", None, basis, method=METHOD), others)
    return (_numeric(found, closed, names, inside, values, start, total) if asked else []), [fact]


def depends_only(found: Momenta, one: Candidate, names: Sequence[str], fields: Sequence[Field] | None = None) -> bool:
    """Whether a candidate's coefficients (along the fields) depend on these coordinates alone."""
    if not is_expression(one.expression) or one.special:
        return False
    (shell,) = in_speeds_of(found, [one.expression])
    if fields is not None:
        slopes = gradient(shell, found.speeds)
        rest = shell.xreplace(dict.fromkeys(found.speeds, ZERO))
        place = states(found, 1, seed=730)[0]
        fixed = {n: place[n] for n in found.system.parameters}
        spots = states(found, PLACES, fixed, {n: place[n] for n in names}, seed=730)
        numbers = table(found, [*(dot(f, slopes) for f in fields), rest], spots)
        return bool(np.max(np.abs(numbers - numbers[0])) < SAME * (1 + np.max(np.abs(numbers))))
    parts = [*gradient(shell, found.speeds), shell.xreplace(dict.fromkeys(found.speeds, ZERO))]
    held = {s for e in parts for s in expand(e).free_symbols}
    return not held & (set(found.coordinates) - set(symbols(names))) and not held & set(found.speeds)


def _numeric(
    found: Momenta,
    closed: Closure,
    names: Sequence[str],
    inside: Sequence[Candidate],
    values: Mapping[str, float],
    start: Mapping[str, float],
    total: int,
) -> list[Candidate]:
    """As many as there are beyond those in closed form, from the start on."""
    generic = states(found, 1, values, seed=900)[0]
    places = [[float(start.get(n, generic[n])) for n in names], [generic[n] for n in names]]
    for origin in places:
        try:
            numeric = several_momenta(closed, values, origin)
            chosen = _beyond(found, numeric, names, origin, inside, values)
        except NonholoError:
            continue
        word = f"momentum with coefficients of {', '.join(names)}: the closed equations carried along, in numbers"
        return [Candidate(e, word) for e in chosen][: total - len(inside)]
    return []


def _beyond(
    found: Momenta, numeric: Sequence[SeveralMomentum], names: Sequence[str], origin: Sequence[float],
    inside: Sequence[Candidate], values: Mapping[str, float],
) -> list[SeveralMomentum]:  # fmt: skip
    """The numeric ones that no combination of those in closed form, of a number and of each other is, near the origin."""
    spots = states(found, 2 * (len(numeric) + len(inside)) + 4, values, seed=720)
    random = np.random.default_rng(31)
    spots = [{**s, **{n: e + NEAR * float(random.uniform(-1, 1)) for n, e in zip(names, origin)}} for s in spots]
    shells = in_speeds_of(found, [c.expression for c in inside if is_expression(c.expression)])
    rows = [np.ones(len(spots)), *(table(found, shells, spots).T if shells else [])]
    first = len(rows)
    rows += [one.many(spots) for one in numeric]
    scaled = np.array([row / max(1e-12, float(np.max(np.abs(row)))) for row in rows])
    return [numeric[k - first] for k in independent(scaled) if k >= first]
