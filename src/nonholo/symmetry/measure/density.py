"""Invariant measures of a system: a density found and proved, or proved absent.

In coordinates and admissible speeds the flow has the divergence

    div = u_j[V^j] + V^j div u_j + ∂ż^α/∂z^α

with ``div u_j`` on the configurations (`frame_volume`; zero for a Lie algebra alone, whose group is no part of the state), and
``f(x) dx dz`` is preserved when ``d(ln f)/dt + div = 0`` along all motions (`divergence_of`). For linear constraints
this says ``X_b[ln f] = −Θ_b`` for the admissible fields; brackets of them say it for more fields, until two answers disagree
(`density_absence`). Without potential and forces a density ``f(x, z)`` gives ``f(x, 0)`` [Kozlov 1988]. At equilibria and along
the symmetries a trace decides (`equilibrium_trace`). With nonlinear constraints ``f`` may depend on the velocities, and the
volume is ``dx dv/dφ`` where residuals φ are kept at zero.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache, key_of
from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, larger_than, node_count, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import determinant, dot, evaluate, evaluate_all
from nonholo.algebra.prime.modular_arithmetic import Residues, null_space
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.algebra.prime.rational_reconstruction import plain_number
from nonholo.derive.angle_coordinates import angle_coordinates, formulas
from nonholo.derive.hamel import kinetic_metric, lagrangian_in_frame
from nonholo.finding import Density, Finding, Measure, for_almost_all
from nonholo.model.specialise import specialised
from nonholo.model.system import TIME
from nonholo.model.velocities.admissible import samples_of
from nonholo.notation.shortening.length import written_length
from nonholo.notation.shortening.shorten import neat
from nonholo.notation.write import to_text
from nonholo.program.hash_consing import shared
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, motion_of, on_shell, parameters_left
from nonholo.symmetry.exact.null_space_search import Sought, columns, enough, weights_of
from nonholo.symmetry.exact.term_library import active, atoms, products
from nonholo.symmetry.measure.density_absence import NODES, bracket_contradiction, divergence_of, kinetic
from nonholo.symmetry.measure.equilibrium_trace import Contracting, contracting

Term = tuple[Expr, Expr]
"""A weight, and a function that it multiplies in the logarithm of a density."""
SEARCH = "logarithms by a null space"
WIDE = 6
"""Determinants of larger matrices are not written out."""
CLAIM = Measure(Density.CONFIGURATION)
BENT = Measure(Density.VELOCITIES)
PHASED = Measure(Density.PHASE)
TIMED = Measure(Density.TIME)
SMOOTH = Measure(Density.SMOOTH)
SHARED = Measure(Density.INVARIANT)
LONG = 400
"""Longer factors are left as they are."""
MOMENTS = (0.3, 1.9, 4.1, 7.3, 11.0)
"""Times at which factors of a density that hold the time have their signs."""


def measure_of(motion: Motion) -> Finding:
    """Whether ``f(x) dx dz`` is preserved, with the density where it is found; proved either way where it can be.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> sleigh = System(coordinates="theta x y", parameters="m J a", constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    ...     lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2")
    >>> measure_of(motion_of(sleigh)).verdict
    'fails'
    """
    sought = Sought(motion, {}, True)
    claim = BENT if has_nonlinear_constraints(motion) else CLAIM
    try:
        parts = _logarithm(sought)
    except (NoPoints, Unsupported) as problem:
        return Finding(claim, "unknown", None, str(problem))
    if parts is None:
        return _absent(motion, claim)
    if any(TIME in e.free_symbols for _, e in parts):
        driven = any(TIME in e.free_symbols for e in formulas(motion.system))
        absent = None if driven else _absent(motion, claim)  # at an equilibrium more may be known
        return absent if absent is not None and absent.data == SMOOTH else _with_time(motion, parts)
    if parts and any(TIME in e.free_symbols for e in motion.system.holonomic):
        claim = TIMED  # where a surface moves, functions of the configuration may be functions of time alone
    return Finding(claim, "holds", None, balance(motion), _formula(motion, parts), SEARCH, True)


def measure_for(motion: Motion, given: Mapping[str, float]) -> Finding:
    """As `measure_of`; where no density exists or is known for generic parameters, the given values are tried.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> damped = motion_of(System(coordinates="x", parameters="c", lagrangian="xdot**2/2", forces={"x": "-c*xdot"}))
    >>> measure_for(damped, {}).verdict, measure_for(damped, {"c": 0.0}).verdict
    ('fails', 'holds')
    """
    key = key_of(motion.system, given, tuple(motion.constants.items()))
    return _measure_for(motion, given) if key is None else _MEASURES.get(key, lambda: _measure_for(motion, given))


_MEASURES: Cache[Finding] = Cache(16)
"""A judgement, a report and a user ask for the same measure."""


def _measure_for(motion: Motion, given: Mapping[str, float]) -> Finding:
    own = measure_of(motion)
    known = {n: v for n, v in given.items() if n in motion.system.parameters and n not in motion.system.frame.parameters}
    if own.verdict == "holds" or (own.verdict == "fails" and not own.proved):
        return own
    own = for_almost_all(own, parameters_left(motion, known))
    if not known:
        return own
    speeds = tuple(map(str, motion.allowed.speeds))
    try:
        special = motion_of(specialised(motion.system, known))
        found, speeds = measure_of(special), tuple(map(str, special.allowed.speeds))
    except NoPoints as problem:
        found = Finding(CLAIM, "unknown", None, str(problem))
    if found.verdict == own.verdict and found.proved == own.proved:
        return own
    if not isinstance(found.data, Measure):
        return found
    own_speeds = speeds == tuple(map(str, motion.allowed.speeds)) or found.expression is None
    return replace(found, data=replace(found.data, values=True, speeds=() if own_speeds else speeds))


def balance(motion: Motion) -> str:
    """What proves a density."""
    words = "proved: the divergence of f times the flow is zero identically, in coordinates and the speeds "
    words += ", ".join(map(str, motion.allowed.speeds))
    if motion.allowed.explicit:
        return words
    return f"{words}, over the differential of {', '.join(to_text(motion.restored(e)) for e in motion.allowed.rows.residuals)}"


def _with_time(motion: Motion, parts: Sequence[Term]) -> Finding:
    """Densities that depend on time: periodic with the forces, or a volume that changes at a constant rate, or neither.

    Where ``exp(c t) g`` is a density and the forces are periodic, or the same at all times, the flow on ``(x, v, t)`` modulo the
    period carries a set of volume ``V`` to one of volume ``exp(−c t) V``. A finite measure with a density would keep what it
    has on the set, and tend to zero with the volume: there is none.
    """
    growing = [(w, e) for w, e in parts if not periodic_in_time(e)]
    formula = _formula(motion, parts)
    if not all(periodic_in_time(e) for e in formulas(motion.system)):
        return Finding(TIMED, "holds", None, balance(motion), formula, SEARCH, True)
    if not growing:
        return Finding(PHASED, "holds", None, balance(motion), formula, SEARCH, True)
    if any(e != TIME for _, e in growing):
        return Finding(PHASED, "unknown", None, f"a density that depends on time is known, f = {to_text(formula)}")
    rate = motion.restored(se.Add(*(w for w, _ in growing)))
    rest = _formula(motion, [(w, e) for w, e in parts if e != TIME])
    volume = "the volume of states" if rest == ONE else f"the volume with the density {to_text(rest)}"
    words = f"proved: {volume} changes as {to_text(se.exp(-rate * TIME))}, everywhere; "
    words += f"f = {to_text(formula)} is a density that depends on time"
    return Finding(Measure(Density.FINITE, to_text(rate), to_text(rest)), "fails", None, words, None, SEARCH, True)


def periodic_in_time(expr: Expr) -> bool:
    """Whether the time stands in sines and cosines of multiples of it alone."""
    if TIME not in expr.free_symbols:
        return True
    if isinstance(expr, (se.sin, se.cos, se.tan)):
        slope = expand(expr.args[0]).diff(TIME)
        return not slope.free_symbols & {TIME} or periodic_in_time(expr.args[0])
    return bool(expr.args) and all(map(periodic_in_time, expr.args))


def _formula(motion: Motion, parts: Sequence[Term]) -> Expr:
    """The density of a logarithm: positive where the system begins, or near its home."""
    restored = motion.restored
    factors = [(restored(e.args[0]), restored(w)) for w, e in parts if isinstance(e, se.log)]
    exponent = se.Add(*(restored(w * e) for w, e in parts if not isinstance(e, se.log)))
    speeds = {str(s): 0.4 + 0.23 * k for k, s in enumerate(motion.equations.speeds)}
    begin = {n: float(v) for n, v in motion.system.start.items() if n in motion.system.coordinates}
    constants = {str(s): e for e, s in motion.constants.items()}
    timed = any(TIME in e.free_symbols for e, _ in factors)
    places = [{**speeds, **p} for p in samples_of(motion.system, begin)][: 1 if begin else None]
    places = [{**p, "t": t} for p in places for t in MOMENTS] if timed else places
    for place in places:
        place.update({n: float(evaluate([e], place)[0]) for n, e in constants.items()})
    inside = {*motion.equations.coordinates, *motion.equations.speeds, TIME}
    return positive_product(factors, inside, places) * se.exp(exponent)


def has_nonlinear_constraints(motion: Motion) -> bool:
    """Whether the constraints are nonlinear in the velocities."""
    speeds = set(motion.equations.speeds)
    return not motion.allowed.explicit or any(e.free_symbols & speeds for row in motion.allowed.basis for e in row)


def _absent(motion: Motion, claim: Measure) -> Finding:
    """Absence proved by a trace, which needs no assumption on the density, or by brackets of the admissible fields."""
    seen = contracting(motion, divergence_of(motion))
    if seen is not None and seen.everywhere:
        return Finding(SMOOTH, "fails", None, f"proved: {_traced(seen)}", None, "trace at an equilibrium", True)
    quadratic = kinetic(motion)
    if quadratic and not motion.equations.coordinates and diverges(motion):
        words = "proved: the rates are quadratic in the speeds, and their divergence is not zero"
        return Finding(SMOOTH, "fails", None, words, None, "homogeneous rates", True)
    if bracket_contradiction(motion) is not None:
        words = f"proved: a density f{' at rest' if quadratic else ''} would need two different values of d(ln f)"
        words += " along a bracket of admissible fields"
        if seen is not None:
            words += "; " if quadratic else "; nor is a density preserved that is invariant under the symmetries: "
            words += _traced(seen)
        return Finding(SMOOTH if quadratic else CLAIM, "fails", None, words, None, "brackets of the admissible fields", True)
    if seen is not None:
        return Finding(SHARED, "fails", None, f"proved: {_traced(seen)}", None, "trace at a relative equilibrium", True)
    return Finding(claim, "unknown", None, "no density in the library of logarithms and simple functions")


def diverges(motion: Motion) -> bool:
    """Whether the divergence is not zero at a random state, with nothing unknown there."""
    states = enough(Sought(motion, {}, True), 12, seed=13)
    values = divergence_of(motion)(states)
    return not states.points.opaque and bool(np.any(values[states.good]))


def _traced(seen: Contracting) -> str:
    return f"the trace of the linearised motion is not zero at relative equilibria {seen.words}"


def constrained_potential(motion: Motion) -> Expr | None:
    """The potential energy where a nonlinear constraint makes it part of a density."""
    if not has_nonlinear_constraints(motion):
        return None
    still = dict.fromkeys(symbols(motion.system.velocities), ZERO)
    found = lagrangian_in_frame(motion.system).xreplace(still)
    return found if found.free_symbols & set(motion.equations.coordinates) else None


def _candidates(motion: Motion) -> list[Expr]:
    """Functions whose logarithms a density may be made of, and functions that stand in it as they are."""
    size = len(motion.equations.mass)
    mass = [motion.formulas.mass[size * k : size * (k + 1)] for k in range(size)]
    found: list[Expr] = []
    moving = active(motion)
    if len(mass) <= 4:
        whole = determinant(mass)
        if not larger_than([whole], NODES):
            found.append(whole)
    for size in range(1, min(3, len(mass))):
        for chosen in combinations(range(len(mass)), size):
            minor = determinant([[mass[i][j] for j in chosen] for i in chosen])
            if not larger_than([minor], 300):
                found.append(minor)
    curved = has_nonlinear_constraints(motion)
    found += _volumes(motion)
    rows = motion.allowed.rows.slopes
    if 0 < len(rows) <= WIDE and not larger_than([e for row in rows for e in row], 600):
        found.append(determinant([[dot(a, b) for b in rows] for a in rows]))
    base = atoms(motion, moving)
    found += [e for e in base if not isinstance(e, se.Pow)]
    found += [*(1 + e for e in base), *(1 - e for e in base)]
    inside = {*motion.equations.coordinates, TIME}
    found = sorted(shared(found), key=lambda e: node_count([e]))  # the first that serve are taken
    if curved:
        z = motion.equations.speeds
        inside |= set(z)
        twice = dot(gradient(lagrangian_in_frame(motion.system), symbols(motion.system.velocities)), motion.allowed.velocity)
        found = [*z, twice, *(f(s) for s in z for f in (se.cos, se.sin)), *(a**2 + b**2 for a, b in combinations(z, 2)), *found]
    return list(dict.fromkeys(e for e in found if e.free_symbols & inside))


def _volumes(motion: Motion) -> list[Expr]:
    """The determinants of the metric, of the frame and of the constraints on the velocities that follow: the metric's volume."""
    system, allowed = motion.system, motion.allowed
    still = dict.fromkeys(symbols(system.velocities), ZERO)
    whole = [shared(e.xreplace(still) for e in row) for row in kinetic_metric(system)]
    tables = [whole, *([system.frame.anchor] if len(system.coordinates) == system.frame.size else [])]
    if allowed.explicit and system.parametric is None:
        follow = [k for k, s in enumerate(symbols(system.velocities)) if s not in allowed.speeds]
        rows = [tuple(row[k] for k in follow) for row in allowed.rows.slopes]
        tables += [rows] if len(rows) == len(follow) else []
    return [e for t in tables if 0 < len(t) <= WIDE for e in [determinant(t)] if not larger_than([e], NODES)]


def _logarithm(sought: Sought) -> list[Term] | None:
    """The logarithm of a density as weights and functions; None where there is none in the library."""
    motion = sought.motion
    source = divergence_of(motion)
    states = enough(sought, 12, seed=13)
    values = source(states)
    states.points.need(8)
    if not np.any(values[states.good]):
        return []
    logs = [se.log(e) for e in _candidates(motion) if np.any(states.value(e)[states.good])]
    simple = products(atoms(motion, active(motion)), 2, 40)[1:]
    potential = constrained_potential(motion)
    if potential is not None:  # exp(−(d − 1) U/c²) where the speed is kept [Evans and Morriss 1990]
        logs = [potential, *logs]
    turning = set(symbols(angle_coordinates(motion.system)))  # a density has its values again after a whole turn
    idle = [c for c in motion.equations.coordinates if c not in {*active(motion), *turning}]
    for library in (logs, [*logs, *simple], [*logs, *simple, *idle], [*logs, TIME]):
        terms = [(k,) for k in range(len(library))]
        states = enough(sought, len(library) + 12, seed=19)
        _, rates = columns(states, library, terms)
        matrix = np.column_stack([rates, source(states)])[states.good]
        kernel = [vector for column, vector in null_space(matrix) if column == len(library)]
        if not kernel:
            continue
        used = [int(k) for k in np.flatnonzero(kernel[0][:-1])]
        for weights in _weights(sought, kernel[0], [library[k] for k in used], used, source):
            parts = [(w, library[k]) for w, k in zip(weights, used)]
            if _checked(sought, parts, source):
                return parts
    return None


def _weights(
    sought: Sought, kernel: Residues, functions: Sequence[Expr], used: Sequence[int], source: Any
) -> Iterator[Sequence[Expr]]:
    """Weights of the functions: plain numbers, as most are, and else rational functions of the parameters."""
    numbers = [plain_number(int(kernel[k])) for k in used]
    if None not in numbers:
        yield [n for n in numbers if n is not None]
    read = weights_of(sought, functions, [(k,) for k in range(len(used))], len(used), source)
    if read is not None:
        yield read


def _checked(sought: Sought, parts: Sequence[tuple[Expr, Expr]], source: Any) -> bool:
    """Whether ``d(ln f)/dt + div = 0`` at new states, with new parameters."""
    states = enough(sought, 16, seed=907)
    log = se.Add(*(w * e for w, e in parts))
    (shell,) = on_shell(sought.motion, [log])
    total = (states.rate(shell) + source(states)) % states.points.p
    states.points.need(8)
    return not np.any(total[states.good])


def positive_product(
    factors: Iterable[tuple[Expr, Expr]], variables: Collection[Symbol], places: Sequence[Mapping[str, float]]
) -> Expr:
    """The product of ``base**weight`` up to a constant factor, each base with the sign that it has at the places.

    A base whose sign differs there stands as the root of its square.

    >>> x, k, y = se.symbols("x k y")
    >>> positive_product([(k*(-x**2), se.Rational(1, 2)), (-y, -se.Integer(1))], [x, y], [{"x": -1.0, "y": 0.5, "k": 2.0}])
    -x/y
    """
    known = set(variables)
    powers: dict[Expr, Expr] = {}
    for base, weight in factors:
        short = base if larger_than([base], LONG) else neat(base)
        for part, exponent in _parts(short, weight):
            if part.free_symbols & known:
                powers[part] = powers.get(part, ZERO) + exponent
    bases = [b for b, w in powers.items() if w != 0]
    signs = np.sign(evaluate_all(bases, places)) if bases else np.zeros((0, 0))
    result = []
    for base, column in zip(bases, signs.T):
        weight = powers[base]
        if np.all(column < 0):
            base = -base
        elif not np.all(column > 0) and not _even(weight):
            base, weight = base**2, weight / 2
        result.append(base**weight)
    whole = se.Mul(*result)
    if larger_than([whole], LONG):
        return whole
    return min([whole, neat(whole)], key=written_length) if all(w.is_Integer for w in powers.values()) else whole


def _parts(expr: Expr, weight: Expr) -> Iterable[tuple[Expr, Expr]]:
    """The factors of a product with their exponents; signs are left out."""
    if isinstance(expr, se.Mul):
        for part in expr.args:
            yield from _parts(part, weight)
    elif isinstance(expr, se.Pow) and expr.args[1].is_Number:
        yield from _parts(expr.args[0], weight * expr.args[1])
    elif not expr.is_Number:
        yield expr, weight


def _even(weight: Expr) -> bool:
    return bool(weight.is_Integer) and int(weight) % 2 == 0
