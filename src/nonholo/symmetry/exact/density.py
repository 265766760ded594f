"""Invariant measures of a system as it stands: a density found and proved, or proved absent.

In coordinates, admissible speeds and the frame's own volume the flow has the divergence

    div = Σ_j u_j[V^j] − V^j Σ_k c_jk^k + ∂ż^α/∂z^α

and ``f(x) dx dz`` is preserved when ``d(ln f)/dt + div = 0`` along all motions. For linear constraints this says
``X_b[ln f] = −Θ_b`` for the admissible fields; brackets of them say it for more fields, until two answers disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, larger_than, symbol, symbols
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import determinant, dot, transpose
from nonholo.algebra.prime.field import Residues, null_space, rank, solve
from nonholo.algebra.prime.points import Points, Unsupported
from nonholo.finding import Finding
from nonholo.geometry.frame import structure_functions
from nonholo.geometry.variety import place_groups, put_on_leaf
from nonholo.symmetry.exact.library import active, atoms, products
from nonholo.symmetry.exact.search import Sought, columns, enough, weights_of
from nonholo.symmetry.exact.states import Motion, NoPoints, States, on_shell
from nonholo.symmetry.vectors import bracket, derivatives

CLAIM = "a measure with a density of the configuration is preserved"
MOST = 3
"""Absence is decided for at most so many speeds: the metric is inverted by hand."""
DEEP = 3
"""How often brackets are taken."""
NODES = 1500
BRACKETS = 2500
"""Longer expressions are left alone, and brackets that are longer together."""


@dataclass(frozen=True)
class Flow:
    """Symbols of the divergence: the part from the frame, the force's slopes and the mass."""

    carried: Expr
    slopes: tuple[tuple[Expr, ...], ...]


def measure_of(motion: Motion) -> Finding:
    """Whether ``f(x) dx dz`` is preserved, with the density where it is found; proved either way where it can be.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.states import motion_of
    >>> sleigh = System(coordinates="theta x y", parameters="m J a", constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    ...     lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2")
    >>> measure_of(motion_of(sleigh)).verdict
    'fails'
    """
    sought = Sought(motion, {}, True)
    try:
        if not motion.allowed.explicit:
            return Finding(CLAIM, "unknown", None, "nonlinear constraints given by residuals; not tried")
        density = _density(sought)
    except (NoPoints, Unsupported) as problem:
        return Finding(CLAIM, "unknown", None, str(problem))
    if density is not None:
        words = "proved: the divergence of f times the flow is zero identically, in coordinates and the speeds "
        words += ", ".join(map(str, motion.allowed.speeds))
        shown = motion.restored(density)
        short = shortened(shown) if not larger_than([shown], 120) else shown
        return Finding(CLAIM, "holds", None, words, short, "logarithms by a null space", True)
    return _absent(motion)


def shortened(expr: Expr) -> Expr:
    """The shortest of some equal forms, by SymPy, if that is little work."""
    from nonholo.algebra.budget import within
    from nonholo.algebra.calculus import node_count

    def forms() -> list[Expr]:
        import sympy

        plain = sympy.sympify(expr)
        powers = sympy.powsimp(sympy.factor(sympy.together(plain)))
        return [se.sympify(powers), se.sympify(sympy.factor(sympy.trigsimp(powers)))]

    return min([expr, *(within(1.0, forms) or [])], key=lambda e: node_count([e]))


def _divergence(motion: Motion) -> Flow:
    system, allowed, equations = motion.system, motion.allowed, motion.equations
    frame = system.frame
    x = symbols(frame.coordinates)
    total: Expr = ZERO
    for j, column in enumerate(transpose(frame.anchor) if x else ()):
        total += along([allowed.velocity[j]], dict(zip(x, column)))[0]
    for (i, k, a), c in structure_functions(frame).items():
        # c_jk^k for both orders of the pair
        if a == k:
            total -= allowed.velocity[i] * c
        if a == i:
            total += allowed.velocity[k] * c
    z = equations.speeds
    return Flow(total, tuple(gradient(e, z) for e in equations.force))


def _source(motion: Motion) -> Any:
    flow = _divergence(motion)
    equations = motion.equations
    size = len(equations.speeds)
    mass_slopes = [[gradient(e, equations.speeds) for e in row] for row in equations.mass]
    bent = any(g != 0 for row in mass_slopes for e in row for g in e)

    def source(states: States) -> Residues:
        points, p = states.points, states.points.p
        count = points.count
        mass = np.stack(points.values([e for row in equations.mass for e in row]), axis=1).reshape(count, size, size)
        total = points.value(flow.carried)
        for a in range(size):
            right = np.stack(points.values([row[a] for row in flow.slopes]), axis=1)
            if bent:
                for j in range(size):
                    step = states.rates[equations.speeds[j]]
                    for i in range(size):
                        right[:, i] = (right[:, i] - points.value(mass_slopes[i][j][a]) * step) % p
            column, regular = solve(mass, right, p)
            points.good &= regular
            total = (total + column[:, a]) % p
        return total

    return source


def _candidates(motion: Motion) -> list[Expr]:
    """Functions whose logarithms a density may be made of, and functions that stand in it as they are."""
    mass = motion.equations.mass
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
    rows = motion.allowed.rows.slopes
    if rows and not larger_than([e for row in rows for e in row], 600):
        found.append(determinant([[dot(a, b) for b in rows] for a in rows]))
    base = atoms(motion, moving)
    found += [e for e in base if not isinstance(e, se.Pow)]
    found += [*(1 + e for e in base), *(1 - e for e in base)]
    inside = set(motion.equations.coordinates)
    return list(dict.fromkeys(e for e in found if e.free_symbols & inside))


def _density(sought: Sought) -> Expr | None:
    motion = sought.motion
    source = _source(motion)
    states = enough(sought, 12, seed=13)
    values = source(states)
    if not np.any(values[states.good]):
        return ONE
    logs = [se.log(e) for e in _candidates(motion)]
    simple = products(atoms(motion, active(motion)), 2, 40)[1:]
    for library in (logs, [*logs, *simple]):
        terms = [(k,) for k in range(len(library))]
        states = enough(sought, len(library) + 12, seed=19)
        _, rates = columns(states, library, terms)
        matrix = np.column_stack([rates, source(states)])[states.good]
        kernel = [vector for column, vector in null_space(matrix) if column == len(library)]
        if not kernel:
            continue
        used = [int(k) for k in np.flatnonzero(kernel[0][:-1])]
        weights = weights_of(sought, [library[k] for k in used], [(k,) for k in range(len(used))], len(used), source)
        if weights is None:
            continue
        parts = [(w, library[k]) for w, k in zip(weights, used)]
        density = se.Mul(*(e.args[0] ** w if isinstance(e, se.log) else se.exp(w * e) for w, e in parts))
        if _checked(sought, parts, source):
            return density
    return None


def _checked(sought: Sought, parts: Sequence[tuple[Expr, Expr]], source: Any) -> bool:
    """The balance at new states, with new parameters."""
    states = enough(sought, 16, seed=907)
    log = se.Add(*(w * e for w, e in parts))
    (shell,) = on_shell(sought.motion, [log])
    total = (states.rate(shell) + source(states)) % states.points.p
    return not np.any(total[states.good])


def _absent(motion: Motion) -> Finding:
    """Whether the conditions ``X_b[ln f] = −Θ_b`` and their brackets contradict each other."""
    system, allowed = motion.system, motion.allowed
    unknown = Finding(CLAIM, "unknown", None, "no density in the library of logarithms and simple functions")
    speeds = set(motion.equations.speeds)
    linear = system.parametric is None and allowed.rows.linear and all(e == 0 for e in allowed.rows.sides)
    forced = system.forces or system.magnetic or system.inputs
    if (
        not linear
        or forced
        or len(allowed.speeds) > MOST
        or any(e.free_symbols & speeds for r in allowed.basis for e in r)
    ):
        return unknown
    try:
        pairs = _conditions(motion)
        if larger_than([e for field, value in pairs for e in (*field, value)], NODES):
            return unknown
        seen = _contradiction(motion, pairs)
    except (NoPoints, Unsupported):
        return unknown
    if not seen:
        return unknown
    words = "proved: d(ln f) along the brackets of the admissible fields would have two values"
    return Finding(CLAIM, "fails", None, words, None, "brackets of the admissible fields", True)


def _conditions(motion: Motion) -> list[tuple[tuple[Expr, ...], Expr]]:
    """The admissible fields and ``Θ_b = div X_b − c_ab^a``, with the bracket projected on D by the metric."""
    system, allowed = motion.system, motion.allowed
    frame = system.frame
    fields = transpose(allowed.basis)
    still = dict.fromkeys(motion.equations.speeds, ZERO)
    metric = [[e.xreplace(still) for e in row] for row in motion.equations.mass]
    size = len(fields)
    whole = determinant(metric)
    inverse = [[_cofactor(metric, j, i) / whole for j in range(size)] for i in range(size)]
    l = _metric(motion)
    result = []
    for b in range(size):
        total: Expr = ZERO
        for j in range(frame.size):
            total += derivatives(frame, tuple(ONE if i == j else ZERO for i in range(frame.size)), [fields[b][j]])[0]
        for (i, k, a), c in structure_functions(frame).items():
            total -= fields[b][i] * c if a == k else ZERO
            total += fields[b][k] * c if a == i else ZERO
        for a in range(size):
            inner = bracket(frame, fields[a], fields[b])
            lowered = [dot(f, [dot(row, inner) for row in l]) for f in fields]
            total -= dot(inverse[a], lowered)
        result.append((tuple(fields[b]), total))
    return result


def _metric(motion: Motion) -> list[list[Expr]]:
    from nonholo.derive.hamel import unconstrained

    still = dict.fromkeys(symbols(motion.system.velocities), ZERO)
    return [[e.xreplace(still) for e in row] for row in unconstrained(motion.system)[0]]


def _cofactor(matrix: Sequence[Sequence[Expr]], i: int, j: int) -> Expr:
    rest = [[e for n, e in enumerate(row) if n != j] for k, row in enumerate(matrix) if k != i]
    return (determinant(rest) if rest else ONE) * (-1) ** (i + j)


def _contradiction(motion: Motion, pairs: list[tuple[tuple[Expr, ...], Expr]]) -> bool:
    """Whether fields that depend on each other at a random place have values that do not."""
    system = motion.system
    frame = system.frame
    first = list(pairs)
    for _ in range(DEEP + 1):
        if _disagree(motion, pairs):
            return True
        more = []
        for field, value in pairs[-6:]:
            for own, other in first:
                new = bracket(frame, own, field)
                if all(e == 0 for e in new):
                    continue
                slope = derivatives(frame, own, [value])[0] - derivatives(frame, field, [other])[0]
                if not larger_than([*new, slope], NODES):
                    more.append((new, slope))
        if not more or larger_than([e for field, value in more for e in (*field, value)], BRACKETS):
            return False
        pairs = [*pairs, *more]
    return _disagree(motion, pairs)


def _disagree(motion: Motion, pairs: Sequence[tuple[tuple[Expr, ...], Expr]]) -> bool:
    system = motion.system
    for attempt in range(8):
        points = Points(6, 41 + attempt)
        for name in system.parameters:
            points.set(symbol(name), np.full(6, int(points.random()[0]), dtype=np.int64))
        place_groups(points, system.frame)
        put_on_leaf(points, system.frame, system.holonomic)
        rows = np.array([points.values([*field, value]) for field, value in pairs])
        if points.opaque:
            return False  # what is unknown here may make the two values one
        if not np.any(points.good):
            continue
        k = int(np.flatnonzero(points.good)[0])
        return rank(rows[:, :, k]) > rank(rows[:, :-1, k])
    return False
