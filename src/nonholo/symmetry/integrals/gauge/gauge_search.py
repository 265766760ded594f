"""Search for gauge momenta, one variable after the other, closed forms first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from nonholo.algebra.budget import Purse, within
from nonholo.algebra.calculus import larger_than, symbols
from nonholo.algebra.linear_equations import dot, evaluate_matrix, identity
from nonholo.algebra.subspaces import numeric_rank
from nonholo.errors import NonholoError, StateError
from nonholo.finding import Exact, Finding, LinearMomenta, Proved, for_almost_all
from nonholo.model.specialise import without_value
from nonholo.model.system import System
from nonholo.notation.write import to_text
from nonholo.symmetry.integrals.gauge.gauge_basis import (
    Variable,
    declared_generators,
    invariant_fields,
    shape_variables,
    variable_of,
)
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, of_closed, of_special
from nonholo.symmetry.integrals.gauge.prolongation import (
    GaugeOde,
    Undecided,
    at,
    conditions,
    full_rank,
    gauge_ode,
    states_at,
)
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, configuration, states, table
from nonholo.symmetry.integrals.noether import in_speeds
from nonholo.symmetry.integrals.ode.closed_form import gauss_solutions
from nonholo.symmetry.integrals.ode.closed_solutions import closed_solutions
from nonholo.symmetry.integrals.ode.numeric_momentum import numeric_momenta
from nonholo.symmetry.integrals.several.pde_prolongation import LITTLE, at_values, closure, equation_of
from nonholo.symmetry.reduction.reduce import attempted

INVARIANT = "the invariant fields"
TRIED = 6
"""The most coordinates that are tried in turn where there is no single shape variable."""
WIDE = 160
"""Fields with more letters than this are not written out."""
LONG = 1500
"""Fields of a reduction with more nodes than this are left alone."""
SYMBOLS = 2.5
NUMBERS = 4.0
SPECIAL = 4.0
"""Units of work after which the ODE with symbols, with numbers, and special functions are given up."""
PROOF = 0.7
"""Units of work for the proof that there are no momenta, where a numerical fit finds none."""
WHOLE = 5.5
"""Units of work for the ODEs of all variables together."""
HALF = 0.06
"""Half the length of the interval."""
DEGREE = 9
NODES = 14
NO_VALUES: Mapping[str, Fraction] = {}
CLEAR = 1e-6
"""Relative residual above which there is no solution: functions without singularities nearer than 1 fit to 1e-10."""


def variables(system: System, found: Momenta, group: Any, depends_on: Any) -> tuple[Variable, ...]:
    """The variables of the coefficients: those of ``depends_on``, the shape variable, or the coordinates in turn."""
    if depends_on is not None:
        listed = depends_on if isinstance(depends_on, (list, tuple)) else [depends_on]
        return tuple(variable_of(system, d) for d in listed)
    shape = shape_variables(found, group)
    if len(shape) == 1:
        return shape
    bent = system.frame.redundant
    moving = shape or tuple(variable_of(system, c) for c in system.coordinates if c not in bent)
    # of a rotation's or a unit vector's entries the last ones, by habit, belong to the vertical
    return moving[-3:] if any(v.pivot in bent for v in moving) else moving[:TRIED]


def fields_for(found: Momenta, group: Mapping[str, Any]) -> tuple[tuple[Field, ...], str]:
    """Fields of D that the group leaves alone, and what they are called: simple ones, also of a smaller group, those of the
    reduction, and at last the fields of the speeds, which the group may move.
    """
    simple = invariant_fields(found, group)
    if simple is None:
        simple = _reduced_fields(found)
    if simple is not None:
        return simple, INVARIANT
    without_spins = {n: g for n, g in group.items() if "spin" not in n}
    for part in (without_spins, declared_generators(found.system)):
        simple = invariant_fields(found, part) if part else None
        if simple is not None:
            return simple, f"fields invariant under {', '.join(part)}"
    count = len(found.speeds)
    own = identity(count)
    return own, f"the fields of the speeds {', '.join(map(str, found.speeds))}"


def fields_named(found: Momenta, group: Mapping[str, Any]) -> tuple[tuple[Field, ...], str]:
    """`fields_for`, written out where what is said of one variable depends on which invariant fields were taken."""
    fields, called = fields_for(found, group)
    if called == INVARIANT and len(shape_variables(found, group)) != 1:
        called = written_fields(found, fields)
    return fields, called


def fields_in_space(found: Momenta, group: Mapping[str, Any]) -> tuple[tuple[Field, ...], str]:
    """Fields of D that do not turn with the bodies, where spinning these is a symmetry, and their name; or else `fields_for`."""
    spins = {n: g for n, g in group.items() if "spin" in n}
    still = invariant_fields(found, spins) if spins else None
    return (still, "fields that do not turn with the body") if still is not None else fields_for(found, group)


def written_fields(found: Momenta, fields: Sequence[Field]) -> str:
    """What the fields do to the coordinates: of several shape variables, whether one alone is enough depends on the fields."""
    long = f"{INVARIANT} that were tried"
    if larger_than([e for f in (*fields, *found.fields) for e in f], WIDE):  # a letter a node at least
        return long
    texts = []
    for field in fields:
        whole = [dot(field, [own[k] for own in found.fields]) for k in range(len(found.coordinates))]
        texts.append(f"({', '.join(f'{c}: {to_text(e)}' for c, e in zip(found.coordinates, whole) if e != 0)})")
    text = ", ".join(texts)
    return f"the fields {text}" if len(text) <= WIDE else long


def _reduced_fields(found: Momenta) -> tuple[Field, ...] | None:
    """H and S of the reduction by the symmetry that is declared or found, if they span D and are short."""
    reduction, _ = attempted(found.system)
    if reduction is None:
        return None
    bases = reduction.bases
    fields = tuple(in_speeds(found.system, f) for f in (*bases.S, *bases.H))
    if len(fields) != len(found.speeds) or larger_than([e for f in fields for e in f], LONG):
        return None
    place = configuration(found.system, 7)
    numbers = evaluate_matrix(fields, place)
    return fields if np.all(np.isfinite(numbers)) and numeric_rank(numbers) == len(fields) else None


def gauge_momenta(
    found: Momenta,
    fields: Sequence[Field],
    variable: Variable,
    values: Mapping[str, float],
    origin: float | None = None,
    called: str = INVARIANT,
    purse: Purse | None = None,
    given: Mapping[str, Fraction] = NO_VALUES,
) -> tuple[list[Candidate], Finding | None]:
    """All momenta with coefficients of one variable along the fields; or the finding that there are none, for ``given`` values
    of parameters where that can be shown.
    """
    try:  # before the work is counted, since its numbers serve one variable after the other
        ranks = full_rank(found, fields, variable)
    except (NonholoError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return [], _open(variable, "its conditions could not be computed as numbers")
    bound = ranks[1] == len(conditions(found, fields, variable)[0])  # f = 0 by its values alone, without prolongation
    ode, trouble = (None, "") if bound else _ode(found, fields, variable, values, purse or Purse(WHOLE), ranks)
    if ode is None and not bound:
        return [], _open(variable, trouble)
    if ode is None or not ode.dimension:
        what, words = LinearMomenta((str(variable),), called), "the linear system for the coefficients has only the solution 0"
        told = component_texts(found, fields) if _closes_at_zero(found, fields, variable, given) else ()
        reason = Proved(words) if told else Exact(words)
        none = Finding(replace(what, fields=told), "fails", 0, reason, method="prolongation of the overdetermined linear system")
        return [], for_almost_all(none, without_value(found.system, given if told else ()))
    result: list[Candidate] = []
    moving = {*found.coordinates, *found.speeds, *symbols(found.system.velocities)}
    for one in closed_solutions(ode):
        # a number is a solution where functions of the configuration may join in, and no momentum
        result += [c for c in some(of_closed(ode, one)) if getattr(c.expression, "free_symbols", set()) & moving]
    if len(result) == ode.dimension - (1 if ode.affine else 0):
        return result, None
    return [*result, *_numeric(found, ode, values, origin)], None


def _closes_at_zero(found: Momenta, fields: Sequence[Field], variable: Variable, given: Mapping[str, Fraction]) -> bool:
    """Whether the equations for the coefficients, for these values and modulo a prime, leave none: a certificate can state it."""
    system, s = found.system, variable.expression
    if not s.is_Symbol or str(s) in system.frame.redundant or system.holonomic:
        return False
    closed = closure(at_values(equation_of(found, fields, (s,)), given), *LITTLE)
    return closed is not None and closed.closed and closed.dimension == (0 if found.homogeneous else 1)


def component_texts(found: Momenta, fields: Sequence[Field]) -> tuple[tuple[str, ...], ...]:
    """Fields of D by their components along the coordinates; none where these are long."""
    if larger_than([e for f in (*fields, *found.fields) for e in f], LONG):
        return ()
    size = range(len(found.coordinates))
    return tuple(tuple(to_text(dot(field, [own[k] for own in found.fields])) for k in size) for field in fields)


def _open(variable: Variable, trouble: str) -> Finding:
    """Nothing is known of momenta with coefficients of one variable."""
    return Finding(LinearMomenta((str(variable),)), "unknown", evidence=f"tried the linear system for them, but {trouble}")


def some(candidate: Candidate | None) -> list[Candidate]:
    """A list of one, or of none."""
    return [] if candidate is None else [candidate]


def _ode(
    found: Momenta,
    fields: Sequence[Field],
    variable: Variable,
    values: Mapping[str, float],
    purse: Purse,
    ranks: tuple[int, int],
) -> tuple[GaugeOde | None, str]:
    """The ODE of the coefficients, with symbols or else with numbers for the parameters; or why there is none."""
    trouble: list[str] = []

    def attempt(given: Mapping[str, float] | None) -> GaugeOde | None:
        try:
            return gauge_ode(found, fields, variable, given, ranks)
        except Undecided as problem:
            trouble.append(str(problem))
            return None

    fit = best_fit(found, fields, variable)
    vain = fit is not None and fit.none
    ode = purse.within(lambda: attempt(None), PROOF if vain else SYMBOLS)
    if ode is None and not trouble and not vain:
        ode = purse.within(lambda: attempt(values), NUMBERS)
    if fit is not None and vain:
        near = f"no further one fits near {variable} = {fit.at:.3g} in numbers (least residual {fit.residual:.0e})"
        return ode, f"{near}, and to prove that there is none was too much work"
    return ode, trouble[0] if trouble else "the work was too long before it was solved"


def _numeric(found: Momenta, ode: GaugeOde, values: Mapping[str, float], origin: float | None) -> list[Candidate]:
    """The momenta of an ODE by special functions, or else by its fundamental matrix."""
    places = [origin] if origin is not None else []
    places += [at(ode.variable, state) for state in states(found, 2, values, seed=900)]
    numeric: Any = ()
    for place in places:
        try:
            numeric = numeric_momenta(ode, values, place)
            break
        except (NonholoError, StateError):
            continue
    if not numeric:
        return []
    special: list[Candidate] = []
    for one in gauss_solutions(ode):
        special += some(within(SPECIAL, lambda: of_special(ode, one, numeric[0])))  # noqa: B023 - used at once
    if len(special) == ode.dimension:
        return special
    word = f"gauge momentum with coefficients of {ode.variable}: the fundamental matrix of the ODE, in numbers"
    return [*special, *(Candidate(n, word) for n in numeric)]


@dataclass(frozen=True)
class Fit:
    """How well ``Σ f_k(s) P_k`` can be constant near ``s = at`` with polynomials ``f_k``: 0 for a solution.

    A momentum that is constant along one of the fields is no news and not counted.
    """

    at: float
    residual: float

    @property
    def none(self) -> bool:
        """Whether there is clearly no solution."""
        return self.residual > CLEAR


def best_fit(found: Momenta, fields: Sequence[Field], variable: Variable) -> Fit | None:
    """The least relative residual of ``f' ṡ P + f Ṗ = 0`` at random states near one value; None where these are too much work.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.integrals.gauge.gauge_basis import variable_of
    >>> from nonholo.symmetry.integrals.momentum_rates import momenta
    >>> import symengine as se
    >>> def least(potential):
    ...     energy = f"(xdot**2 + ydot**2 + zdot**2)/2 - {potential}"
    ...     one = System(coordinates="x y z", lagrangian=energy, constraints=["zdot - y*xdot"])
    ...     found = momenta(one)
    ...     return best_fit(found, [(se.Integer(1), se.Integer(0)), (se.Integer(0), se.Integer(1))], variable_of(one, "y"))
    >>> least("y**2/2").none, least("x**2*y/2").none
    (False, True)
    """
    if found.system.holonomic:
        return None  # every state would have to be brought to the leaf: more work than it saves
    _, columns = conditions(found, fields, variable)
    count = len(columns) // 2
    try:
        place = states(found, 1, seed=900)[0]
        fixed = {n: place[n] for n in found.system.parameters}
        middle = at(variable, place)
        nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
        rows = [_rows(found, columns, fixed, variable, middle, float(x), count, k) for k, x in enumerate(nodes)]
    except NonholoError:
        return None
    matrix = np.concatenate(rows)
    matrix = matrix[np.all(np.isfinite(matrix), axis=1)]
    if len(matrix) < matrix.shape[1] + 4:
        return None
    size = np.linalg.norm(matrix, axis=0)
    moving = size > 1e-12 * np.max(size)  # the others are constants along fields with constant momenta, which are known
    values = np.linalg.svd(matrix[:, moving] / size[moving], compute_uv=False)
    return Fit(middle, float(values[-1] / values[0]))


def _rows(
    found: Momenta,
    columns: Sequence[Any],
    fixed: dict[str, float],
    variable: Variable,
    middle: float,
    x: float,
    count: int,
    seed: int,
) -> Any:
    """One row for each state at ``s = middle + HALF x``, one column for each coefficient of each polynomial."""
    spots = states_at(found, 2 * count + 4, fixed, variable, middle + HALF * x, seed=1000 + seed)
    numbers = np.asarray(table(found, columns, spots), dtype=float)
    size = np.max(np.abs(numbers), axis=1, keepdims=True)
    numbers = numbers / np.where(size > 0, size, np.nan)  # a row of zeros says nothing
    powers = np.eye(DEGREE + 1)
    value = np.array([chebyshev.chebval(x, p) for p in powers])
    slope = np.array([chebyshev.chebval(x, chebyshev.chebder(p)) for p in powers]) / HALF
    both = numbers[:, :count, None] * slope + numbers[:, count:, None] * value
    return both.reshape(len(numbers), -1)
