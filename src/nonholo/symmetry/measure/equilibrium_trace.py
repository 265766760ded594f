"""Prove that no smooth density exists by the trace of the linear flow at an equilibrium.

Where the motion ``X`` is at rest a preserved ``f`` needs ``f div X = 0``. Where it moves along the symmetries alone,
``X = c_a Ξ_a`` at a state (a relative equilibrium), a density that the symmetries leave alone has
``X[ln f] = c_a Ξ_a[ln f] = −c_a div Ξ_a``, so that ``div X = c_a div Ξ_a`` is needed: the trace of the linearised
reduced motion vanishes. A compact group can be averaged over, and then no density at all is preserved
[Kozlov 1988; Borisov and Mamaev 2003 for the rattleback; Clark and Bloch 2023 for nonlinear constraints].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, gradient, larger_than, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.algebra.linear_equations import solve as solve_exprs
from nonholo.algebra.prime.modular_arithmetic import Residues, rank, solve
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.errors import ModelError
from nonholo.finding.sentences import symmetry_words
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.exact.modular_states import Held, Motion, NoPoints, States, exact_states, on_shell
from nonholo.symmetry.group.shift_turn_algebra import Generator
from nonholo.symmetry.group.symmetry_group import group_of_motion
from nonholo.symmetry.vector_fields import components, divergence, velocity_lift

COUNT = 12
"""States at which a family is tested; a third of them must be good."""
MOVING = 2
"""At most so many speeds move in a family."""
FAMILIES = 40
FACTORS = 160
"""A common factor of the forces is sought where these have fewer nodes."""


@dataclass(frozen=True)
class Lift:
    """A symmetry on the states: its steps of coordinates and speeds, and its divergence."""

    word: str
    steps: tuple[Expr, ...]
    speeds: tuple[Expr, ...]
    divergence: Expr
    compact: bool


@dataclass(frozen=True)
class Contracting:
    """Relative equilibria whose trace is not zero."""

    words: str
    everywhere: bool
    """Whether no smooth positive density at all is preserved, or only none that the symmetries leave alone."""
    held: Held
    lifts: tuple[Lift, ...]
    """The symmetries along which the states move."""


def contracting(motion: Motion, source: Callable[[States], Residues]) -> Contracting | None:
    """Equilibria, or motions along the symmetries, where the divergence forbids a density; the strongest that is found.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.measure.density_absence import divergence_of
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> damped = motion_of(System(coordinates="x", parameters="c", lagrangian="xdot**2/2", forces={"x": "-c*xdot"}))
    >>> contracting(damped, divergence_of(damped)).words
    'with xdot = 0'
    """
    if not motion.autonomous:
        return None  # a density that changes with time may take up the trace
    lifts = _lifts(motion)
    found: Contracting | None = None
    for held in _families(motion):
        try:
            one = _tested(motion, source, held, lifts)
        except (NoPoints, Unsupported):
            continue
        if one is not None and (found is None or one.everywhere):
            found = one
        if found is not None and found.everywhere:
            break
    return found


def _families(motion: Motion) -> Iterator[Held]:
    """States where few speeds move, or where a common factor of the forces vanishes; anywhere first, then at home."""
    speeds = motion.equations.speeds
    factor = _common_factor(motion)
    ways = [tuple(s for s in speeds if s not in moving) for k in range(MOVING + 1) for moving in combinations(speeds, k)]
    frame = motion.system.frame
    homely = not motion.system.holonomic and all(
        h == 0 or (c in frame.redundant and float(h).is_integer()) for c, h in zip(frame.coordinates, frame.home)
    )
    found = [Held(zero=zero, home=home) for home in ((False, True) if homely else (False,)) for zero in ways]
    if factor is not None:
        found.insert(0, Held(residual=factor))
    yield from found[:FAMILIES]


def _common_factor(motion: Motion) -> Expr | None:
    """A factor of all forces that is linear in the speeds."""
    force = [e for e in motion.equations.force if e != 0]
    if not force or larger_than(force, FACTORS):
        return None
    from nonholo.algebra.budget import within

    def factor() -> Expr | None:
        import sympy

        whole = [sympy.numer(sympy.together(sympy.sympify(e))) for e in force]
        z = [sympy.Symbol(str(s)) for s in motion.equations.speeds]
        common = sympy.gcd_list(whole) if len(whole) > 1 else sympy.factor(whole[0])
        for part, _ in sympy.factor_list(common)[1]:
            if part.free_symbols & set(z) and sympy.Poly(part, *z).total_degree() == 1:
                return se.sympify(part)
        return None

    return within(0.3, factor)


def _lifts(motion: Motion) -> list[Lift]:
    system = motion.system
    result = []
    for word, field in group_of_motion(motion).plain.items():
        try:
            result.append(lift_of(motion, word, field))
        except ModelError:
            continue
    held = [*system.holonomic, *(() if motion.allowed.explicit else motion.allowed.rows.residuals)]
    if not held or not result:
        return result
    # the volume of the leaf is that of the space over the residuals', which the symmetry must leave alone too
    v = symbols(system.velocities)
    states = exact_states(motion, 6, seed=91)
    kept = []
    for one in result:
        steps = {**dict(zip(symbols(system.coordinates), one.steps)), **dict(zip(v, one.speeds))}
        if all(not np.any(states.points.copy_with({s: states.points.random() for s in v}).value(e)) for e in along(held, steps)):
            kept.append(one)
    return kept


def lift_of(motion: Motion, word: str, field: Generator) -> Lift:
    """A symmetry on the states."""
    system, allowed = motion.system, motion.allowed
    frame = system.frame
    x, v, z = symbols(system.coordinates), symbols(system.velocities), motion.equations.speeds
    inner = components(frame, field, system.name)
    moved = velocity_lift(system, inner)
    steps = dict(zip(x, field))
    if system.parametric is not None:
        speeds: Sequence[Expr] = _parameters_moved(motion, steps, moved)
    else:
        raw = [along([form], steps)[0] + dot(gradient(form, v), moved) for form in allowed.forms]
        speeds = on_shell(motion, raw)
    total = divergence(frame, inner) + sum((e.diff(s) for e, s in zip(speeds, z)), ZERO)
    return Lift(word, tuple(field), tuple(speeds), total, _compact(motion, word))


def _parameters_moved(motion: Motion, steps: Mapping[Any, Expr], moved: Sequence[Expr]) -> tuple[Expr, ...]:
    """``δz`` with ``∂ψ/∂z δz = δv − ξ[ψ]``, by the rows of a square part that can be solved."""
    allowed = motion.allowed
    gap = [a - b for a, b in zip(on_shell(motion, moved), along(allowed.velocity, steps))]
    places = [{**s, **{str(z): 0.4 + 0.3 * k for k, z in enumerate(allowed.speeds)}} for s in samples_of(motion.system)]
    size = len(allowed.speeds)
    for chosen in combinations(range(len(gap)), size):
        part = [allowed.basis[i] for i in chosen]
        if all(abs(np.linalg.det(evaluate_matrix(part, place))) > 1e-6 for place in places):
            return tuple(row[0] for row in solve_exprs(part, [[gap[i]] for i in chosen], places))
    raise ModelError(f"{motion.system.name}: the velocity parameters do not follow from the rates.")


def _compact(motion: Motion, word: str) -> bool:
    """Whether the symmetry generates a compact group: rotations, and translations of angles."""
    angles = angle_coordinates(motion.system)
    names = [part.split("*")[-1] for part in word.split()]
    return all(n.removeprefix("shift_") in angles for n in names if n.startswith("shift_"))


def states_of(motion: Motion, held: Held) -> States:
    """The states at which a family is tested."""
    return exact_states(motion, COUNT, seed=83, idle=True, held=held)


def _tested(
    motion: Motion, source: Callable[[States], Residues], held: Held, lifts: Sequence[Lift]
) -> Contracting | None:
    """Whether the family consists of relative equilibria with a trace that is nowhere zero."""
    equations = motion.equations
    states = states_of(motion, held)
    points, p = states.points, states.points.p
    if np.sum(points.good) < COUNT // 3:
        return None
    own = [*equations.coordinates, *equations.speeds]
    rates = np.stack([states.rates[s] for s in own], axis=1)
    still = not np.any(rates[points.good])
    used: list[Lift] = []
    if not still:
        columns = [np.stack(points.values([*one.steps, *one.speeds]), axis=1) for one in lifts]
        below = points.values([one.divergence for one in lifts])
        used = _spanning(columns, rates, points.good, lifts, p)
        if not used:
            return None
        chosen = [lifts.index(one) for one in used]
    total = source(states)
    if not still:
        for k in np.flatnonzero(points.good):
            weights = _weights(np.stack([columns[c][k] for c in chosen], axis=1), rates[k], p)
            total[k] = (total[k] - sum(int(w) * int(below[c][k]) for w, c in zip(weights, chosen))) % p
    if points.opaque or np.sum(points.good) < COUNT // 3 or np.any(total[points.good] == 0):
        return None
    if not motion.allowed.explicit and not _real(motion, held):
        return None
    return Contracting(_words(motion, held, used), still or all(one.compact for one in used), held, tuple(used))


def _spanning(
    columns: Sequence[Residues], rates: Residues, good: Any, lifts: Sequence[Lift], p: int
) -> list[Lift]:
    """The fewest symmetries, compact ones first, that carry every state of the family as the motion does."""
    order = sorted(range(len(lifts)), key=lambda k: not lifts[k].compact)
    rows = np.flatnonzero(good)
    for size in (1, 2, 3):
        for chosen in combinations(order, size):
            tables = [np.stack([columns[c][k] for c in chosen], axis=1) for k in rows]
            if all(
                rank(t, p) == size and rank(np.column_stack([t, rates[k]]), p) == size for t, k in zip(tables, rows)
            ):
                return [lifts[c] for c in chosen]
    return []


def _weights(table: Residues, rate: Residues, p: int) -> list[int]:
    """``c`` with ``table c = rate``, which is known to have one answer: by the rows that are independent."""
    size = table.shape[1]
    kept: list[int] = []
    for k in range(table.shape[0]):
        if len(kept) < size and rank(table[[*kept, k]], p) > len(kept):
            kept.append(k)
    inner, _ = solve(table[kept][None], rate[kept][None], p)
    return [int(w) for w in inner[0]]


def _real(motion: Motion, held: Held) -> bool:
    """Whether a nonlinear constraint has real velocities there: by Newton's method from several of them."""
    system, rows = motion.system, motion.allowed.rows
    free = [s for s in motion.allowed.speeds if s not in held.zero]
    for place in samples_of(system, count=4):
        still = {**place, **{str(s): 0.0 for s in held.zero}}
        if held.home:
            still |= dict(zip(system.frame.coordinates, map(float, system.frame.home)))

        def residual(point: Any, still: Mapping[str, float] = still) -> tuple[Any, Any]:
            now = {**still, **{str(s): float(e) for s, e in zip(free, point)}}
            slopes = [[row.diff(s) for s in free] for row in rows.residuals]
            flat = evaluate([*rows.residuals, *(e for line in slopes for e in line)], now)
            size = len(rows.residuals)
            return flat[:size], flat[size:].reshape(size, len(free))

        begin = np.array([still.get(str(s), 0.7) for s in free])
        point, left = gauss_newton(residual, begin)
        if np.all(np.isfinite(left)) and np.max(np.abs(left), initial=0.0) < 1e-12 and np.max(np.abs(point)) > 1e-3:
            return True
    return False


def _words(motion: Motion, held: Held, used: Sequence[Lift]) -> str:
    where = " = ".join([*map(str, held.zero), "0"]) if held.zero else ""
    if held.residual is not None:
        where = f"{motion.restored(held.residual)} = 0"
    if len(held.zero) == len(motion.equations.speeds):
        where = "at rest"
    else:
        where = f"with {where}" if where else "everywhere"
    where += " at the reference configuration" if held.home else ""
    return f"{where} (moving along {', '.join(symmetry_words(one.word) for one in used)})" if used else where
