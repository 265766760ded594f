"""The search for momenta with coefficients of several variables: how many there are, and those without a closed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, symbols
from nonholo.algebra.expression_types import is_expression
from nonholo.algebra.linear_equations import dot
from nonholo.errors import NonholoError
from nonholo.finding import Finding, LinearMomenta
from nonholo.geometry.distributions.numeric_rank import independent
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, in_speeds_of, readable
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, states, table
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.integrals.several.pde_prolongation import Closure, closure, equation_of
from nonholo.symmetry.integrals.several.taylor_transport import SeveralMomentum, several_momenta
from nonholo.symmetry.reduction.budgeted_reduction import attempted
from nonholo.symmetry.reduction.momentum.parallel_basis import conserved_momenta

FEWEST, MOST = 2, 3
"""So many variables are taken together without being asked for."""
LITTLE = (90, 3000)
"""Unknowns and nodes of a prolongation that nobody asked for."""
METHOD = "prolongation of the linear partial differential equations for the coefficients"
PARALLEL = "momentum of a basis of S that is parallel under τ [BMZ 2009, Theorem 4.4]"
PLACES, SAME = 6, 1e-9
"""So many configurations with the same variables are compared, and so well."""
NEAR = 0.2
"""How far from the origin momenta are compared."""


def momenta_of_several(
    found: Momenta,
    names: Sequence[str],
    known: Sequence[Candidate],
    values: Mapping[str, float],
    start: Mapping[str, float],
    asked: bool,
    along: tuple[Sequence[Field], str] | None = None,
) -> tuple[list[Candidate], list[Finding]]:
    """Candidates beyond the known ones, as numbers, when ``asked`` for; and what is proved about how many there are.

    ``along`` are fields of D and what they are called; without them the fields of the speeds, which turn with a body where the
    speeds are its own rates.
    """
    bent = {str(s) for e in found.system.frame.relations for s in e.free_symbols}
    if not FEWEST <= len(names) <= (len(names) if asked else MOST) or any(n in bent for n in names) or found.system.holonomic:
        return [], []
    if any(n not in map(str, found.coordinates) for n in names):
        return [], []
    count = len(found.speeds)
    own = tuple(tuple(ONE if i == k else ZERO for i in range(count)) for k in range(count))
    fields = own if along is None else tuple(map(tuple, along[0]))
    equation = equation_of(found, fields, symbols(names))
    closed = closure(equation) if asked else closure(equation, *LITTLE)
    asked_for = LinearMomenta(tuple(names), "" if along is None else along[1])
    if closed is None:
        reason = "the equations for the coefficients do not close within the work allowed"
        return [], [Finding(replace(asked_for, further=True), "unknown", evidence=reason, method=METHOD)] if asked else []
    total = closed.dimension - (0 if found.homogeneous else 1)
    inside = [c for c in known if depends_only(found, c, names, None if along is None else fields)]
    numbers = [c for c in known if isinstance(c.expression, NumericMomentum) and c.expression.variable in names]
    shown = f"the equations for the coefficients close at order {closed.order}"
    if total <= len(inside) + len(numbers):
        no_more = replace(asked_for, further=bool(inside or numbers))
        fails = Finding(no_more, "fails", total, f"{shown}, with {total} independent solutions", method=METHOD, proved=True)
        return [], [fails] if asked or (not known and total == 0) else []
    counted = replace(asked_for, count=total)
    if not closed.closed:
        return [], [Finding(counted, "unknown", evidence=shown, method=METHOD)] if asked else []
    how = f"{shown}; {len(inside)} of them in closed form"
    fact = Finding(counted, "holds", None, how, method=METHOD, proved=True)
    return (_numeric(found, closed, names, inside, values, start, total) if asked else []), [fact]


def parallel_momenta(found: Momenta) -> list[Candidate]:
    """Momenta of a basis of S that is parallel under τ, for several shape variables; not yet tested."""
    reduction, _ = attempted(found.system)
    if reduction is None or len(reduction.shape.names) < FEWEST:
        return []
    return [Candidate(readable(found, e), PARALLEL) for e in in_speeds_of(found, conserved_momenta(reduction))]


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
