"""Whether a given quantity is constant along every motion: proved, refuted at a state, or open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.algebra.prime.rational_reconstruction import decimal_fractions
from nonholo.derive.laws.check import AdmissibleState, random_states
from nonholo.derive.multipliers import multipliers
from nonholo.derive.states.equation_values import solution
from nonholo.errors import ModelError, NonholoError
from nonholo.finding import Condition, Counterexample, Finding, FirstIntegral, Measured, Proved, Reason
from nonholo.model.declared_words import known_names
from nonholo.model.specialise import addition_formulas, angles_apart, laws_of, replaced
from nonholo.model.system import TIME, System, check_system, known_parameters, parameter_values, resolve
from nonholo.notation.read import expression as read
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.exact.null_space_search import Rate, Sought, exact_rate
from nonholo.symmetry.integrals.drift_test import fractions, run_parameters, with_angles
from nonholo.symmetry.integrals.integral_text import text_of
from nonholo.symmetry.witness.trials import tried_integrals

STATES = 6
"""Random states at which the rate is computed by multipliers."""
CLEAR = 1e-7
"""A rate larger than this part of its terms is not rounding."""
INVERSE = (type(se.atan2(*se.symbols("x y"))), se.atan, se.asin, se.acos)
"""Functions with branches: a motion may jump from one to another."""


def conserved(system: System, expression: Any, parameters: Mapping[str, Any] | None = None) -> Finding:
    """Whether an expression in the system's names is constant along every motion.

    Proved: its rate is zero exactly, at random states modulo two primes, for all values of the parameters, or for the given
    ones only, which is said; or only while the inputs are zero. Refuted: `Finding.counterexample` is a state, with the
    parameters, at which its rate by Lagrange's equations with multipliers is not zero. Otherwise the verdict is ``unknown``.

    >>> skate = System(name="skate", coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> print(conserved(skate, "thdot"))
    ✓ thdot is constant (proved: its rate is zero identically)
    >>> conserved(skate, "xdot").counterexample.rate != 0
    True
    """
    check_system(system)
    whole = quantity(system, expression)
    given = parameter_values_given(system, parameters)
    driven = with_laws(system)
    if any(symbol(n) in whole.free_symbols for n in driven.inputs):
        raise ModelError(
            f"{system.name}: {expression} has an input in it, whose rate is not part of the system; ask for a function of the "
            "state."
        )
    return judged(driven, whole, given)


def quantity(system: System, expression: Any) -> Expr:
    """An expression in the system's names in coordinates, frame velocities, parameters and time."""
    names = (*known_names(system), *(system.parametric[0] if system.parametric is not None else ()))
    where = f"{system.name}: the quantity"
    return resolve(system, [read(expression, names, where)], where)[0]


def parameter_values_given(system: System, parameters: Mapping[str, Any] | None) -> dict[str, float]:
    """The parameters with given values, those of the system included."""
    given = known_parameters(system, {str(n): e for n, e in (parameters or {}).items()})
    numbers = parameter_values(system, {**dict.fromkeys(system.parameters, 1.0), **given})
    return {n: numbers[n] for n in given}


def with_laws(system: System) -> System:
    """The system with what its inputs do in their place, where they do a formula of time or state."""
    others = set(symbols(system.inputs))
    table = {s: e for s, e in laws_of(system).items() if s in others and not e.free_symbols & others}
    if not table:
        return system
    kept = tuple(n for n in system.inputs if symbol(n) not in table)
    return replaced(system, table, inputs=kept)


def judged(system: System, whole: Expr, given: Mapping[str, float], method: str = "") -> Finding:
    """The finding on a quantity in coordinates and frame velocities."""
    shown = text_of(system, whole, "the quantity")
    if not whole.free_symbols & moving_names(system):
        return Finding(FirstIntegral(shown), "holds", None, Proved("it depends on parameters alone"), whole, method)
    special: Mapping[str, Fraction] = fractions(given)
    trials = [(Condition(), {}), (Condition(values=True), special)] if special else [(Condition(), {})]
    if system.inputs:
        trials += [(replace(when, idle=True), fixed) for when, fixed in trials]
    answers = []
    for when, fixed in trials:
        answer = _rate_of(system, whole, fixed, when.idle)
        answers.append(answer)
        if answer in ("zero", "trivial"):
            words = "it is the same number at every admissible state" if answer == "trivial" else "its rate is zero identically"
            when = replace(when, branches=bool(atoms([whole], *INVERSE)))
            finding = Finding(FirstIntegral(shown, when=when), "holds", None, Proved(f"proved: {words}"), whole, method)
            (finding,) = with_angles(system, [finding])
            values = {**run_parameters(system, None), **given}
            tried = answer == "zero" and not system.inputs and not when.branches
            return tried_integrals(system, values, [finding])[0] if tried else finding
    when = Condition(idle=bool(system.inputs))
    return _refuted(system, whole, FirstIntegral(shown, when=when), given, answers, method)


def moving_names(system: System) -> set[Expr]:
    """Coordinates, velocities and time."""
    own = symbols(system.parametric[0]) if system.parametric is not None else ()
    return {*symbols(system.coordinates), *symbols(system.velocities), *own, TIME}


def _rate_of(system: System, whole: Expr, fixed: Mapping[str, Fraction], idle: bool) -> Rate:
    """The rate of a quantity; decimals are fractions, and sums with parameters in sines are taken apart."""
    try:
        sought = Sought(motion_of(angles_apart(system)), fixed, idle)
    except (NoPoints, Unsupported):
        return "open"
    whole = whole.xreplace(addition_formulas([whole], tuple(system.parameters)))
    return exact_rate(sought, whole.xreplace(decimal_fractions([whole])))


@dataclass(frozen=True)
class RateAt:
    """The rate of a quantity at a state by multipliers, and the size of the terms that are added up in it."""

    place: AdmissibleState
    rate: float
    size: float

    @property
    def relative(self) -> float:
        return abs(self.rate) / self.size if self.size > 0 else 0.0


def rates_by_multipliers(
    system: System, whole: Expr, given: Mapping[str, float], count: int = STATES, seed: int = 17
) -> list[RateAt]:
    """The rate at random admissible states, with the inputs at zero; states without numbers are left out."""
    equations = multipliers(system)
    (inner,) = substitute([whole], {symbol(n): e for n, e in equations.outputs.items()})
    names = symbols(equations.state)
    slopes = (*gradient(inner, names), inner.diff(TIME))
    idle = dict.fromkeys(system.inputs, 0.0)
    known = {*equations.state, *equations.outputs, "t"}
    found = []
    for place in random_states(system, {**given}, count, seed):
        try:
            state = {n: e for n, e in place.values.items() if n in known}
            flow = solution(equations, {**state, **idle}, place.parameters)
        except NonholoError:
            continue
        numbers = evaluate(slopes, {**place.values, **flow.state, **idle, **place.parameters})
        parts = numbers * np.array([*(flow.rates[str(s)] for s in names), 1.0])
        # accelerations of size one are what rounding is measured against, for none may act on this quantity
        size = float(np.sum(np.abs(parts)) + 1e-6 * np.sum(np.abs(numbers)))
        if np.isfinite(size):
            found.append(RateAt(place, float(np.sum(parts)), size))
    return found


def _refuted(
    system: System, whole: Expr, data: FirstIntegral, given: Mapping[str, float], answers: Sequence[Rate], method: str
) -> Finding:
    try:
        rates = rates_by_multipliers(system, whole, given)
    except NonholoError as problem:
        return Finding(data, "unknown", None, Reason(str(problem)), whole, method)
    if not rates:
        return Finding(data, "unknown", None, Reason("at no random state do its formulas have finite values"), whole, method)
    worst = max(rates, key=lambda r: r.relative)
    if worst.relative > CLEAR and "zero" not in answers:
        return Finding(data, "fails", worst.rate, counterexample(system, worst), whole, method)
    words = f"its rate is below {max(worst.relative, 1e-16):.0e} of its terms at {len(rates)} random states; no proof was found"
    return Finding(data, "unknown", None, Measured(words), whole, method)


def counterexample(system: System, found: RateAt) -> Counterexample:
    """A state, in names that `simulate` takes, at which a rate is not zero."""
    values = found.place.values
    own = system.parametric[0] if system.parametric is not None else system.velocities
    names = (*system.coordinates, *own, *(["t"] if _timed(system) else []))
    state = tuple((n, float(values[n])) for n in names if n in values)
    numbers = tuple((n, float(e)) for n, e in found.place.parameters.items())
    shown = ", ".join(f"{n} = {e:.4g}" for n, e in (*state, *numbers))
    return Counterexample(f"its rate is {found.rate:.4g} at {shown}", state, numbers, found.rate)


def _timed(system: System) -> bool:
    parts = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values()]
    return any(TIME in se.sympify(e).free_symbols for e in parts)


__all__ = ["conserved", "judged", "quantity", "rates_by_multipliers"]
