"""Integrals that are products of powers: combinations of logarithms of velocities and of the potential that are constant.

Where a nonlinear constraint fixes the speed ``c``, ``ẋ exp(−V/c²)`` is such an integral.
"""

from __future__ import annotations

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import null_space
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.finding import Finding
from nonholo.symmetry.exact.modular_states import NoPoints
from nonholo.symmetry.exact.null_space_search import Sought, columns, enough, proved, weights_of
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate
from nonholo.symmetry.integrals.searches.integral_question import Question, search
from nonholo.symmetry.measure.density import constrained_potential, has_nonlinear_constraints

POWERS = "product of powers, by a null space of logarithms"


@search("products of powers", cost=70)
def products_of_powers(question: Question) -> list[Finding]:
    """Products of powers of speeds and an exponential of the potential."""
    return [question.finding(Candidate(e, POWERS)) for e in power_integrals(question.sought) if question.new(e)]


def power_integrals(sought: Sought | None) -> list[Expr]:
    """Products of powers of the speeds and an exponential of the potential that are constant, for nonlinear constraints; proved.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> steady = System(coordinates="x y", parameters="c g", lagrangian="(xdot**2 + ydot**2)/2 - g*y",
    ...     constraints=["xdot**2 + ydot**2 - c**2"])
    >>> from nonholo.notation.write import to_text
    >>> [to_text(e) for e in power_integrals(Sought(motion_of(steady), {}, False))]
    ['xdot*exp(-g*y/c**2)']
    """
    potential = constrained_potential(sought.motion) if sought is not None else None
    if sought is None or potential is None or not has_nonlinear_constraints(sought.motion):
        return []
    motion = sought.motion
    z = motion.equations.speeds
    bases = [*z] if motion.system.parametric is None else [f(s) for s in z for f in (se.cos, se.sin)] + [*z]
    library = [potential, *map(se.log, bases)]
    try:
        states = enough(sought, len(library) + 12, seed=23)
        _, rates = columns(states, library, [(k,) for k in range(len(library))])
        kernel = null_space(rates[states.good])
        result = []
        for free, vector in kernel:
            used = [int(k) for k in np.flatnonzero(vector)]
            weights = weights_of(sought, [library[k] for k in used], [(k,) for k in range(len(used))], used.index(free))
            if weights is None:
                continue
            pairs = [(w, library[k]) for w, k in zip(weights, used)]
            parts = [e.args[0] ** w if isinstance(e, se.log) else se.exp(w * e) for w, e in pairs]
            whole = motion.restored(se.Mul(*parts))
            if proved(sought, whole):
                result.append(whole)
    except (NoPoints, Unsupported):
        return []
    return result
