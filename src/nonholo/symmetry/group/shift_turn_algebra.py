"""The symmetry algebra of a system, as far as shifts and turns make it: one null space over all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, transpose
from nonholo.algebra.prime.modular_arithmetic import P, fraction_of, null_space
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf
from nonholo.geometry.frames.frame import structure_functions
from nonholo.geometry.frames.frame_files import GROUPS
from nonholo.model.system import System, force_covector
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import Motion, States, exact_states, on_shell, settle
from nonholo.symmetry.exact.parameter_factors import factors_of
from nonholo.symmetry.vector_fields import components

Generator = tuple[Expr, ...]
PAIRS = 28
"""Systems with more pairs of coordinates than this are not asked for turns of them."""


@dataclass(frozen=True)
class Elementary:
    """A shift or turn: its name, the field on the coordinates, and its components in the frame."""

    name: str
    field: Generator
    inner: Generator


def elementary(system: System) -> list[Elementary]:
    """Shifts of coordinates, turns of pairs of them, turns of every rotation in space and about its own axes."""
    frame = system.frame
    names = system.coordinates
    bent = {str(s) for e in frame.relations for s in e.free_symbols}
    plain = [c for c in names if c not in bent]
    fields: dict[str, Mapping[str, Expr]] = {f"shift_{c}": {c: ONE} for c in plain}
    pairs = [tuple(sorted(pair)) for pair in combinations(plain, 2)]
    if len(pairs) <= PAIRS:
        fields |= {f"turn_{a}{b}": {a: -symbol(b), b: symbol(a)} for a, b in pairs}
    for words in frame.recipe:
        if words["kind"] == "Vertical":
            rates = str(words.get("rates", "w1 w2 w3")).split()
            columns = [transpose(frame.anchor)[system.velocities.index(w)] for w in rates]
            fields |= {f"{words.get('name', 'g')}_spin{k + 1}": dict(zip(names, c)) for k, c in enumerate(columns)}
        elif words["kind"] in GROUPS and words["kind"] != "SE2":
            fields |= _turns(words, names)
    result = []
    for name, table in fields.items():
        field = tuple(se.sympify(table.get(c, ZERO)) for c in names)
        try:
            inner = components(frame, field, f"{system.name}: {name}")
        except ModelError:
            continue
        result.append(Elementary(name, field, inner))
    return result


def _turns(words: Mapping[str, str], names: tuple[str, ...]) -> dict[str, Mapping[str, Expr]]:
    """The columns of the group's anchor from both sides: spins about axes of the body, turns about axes of space."""
    plain = {k: v for k, v in words.items() if k not in ("kind", "side")}
    result: dict[str, Mapping[str, Expr]] = {}
    for side, word in (("body", "spin"), ("spatial", "turn")):
        try:
            one = GROUPS[words["kind"]](**plain, side=side)
        except (ModelError, TypeError):
            continue
        for k, column in enumerate(transpose(one.anchor)[:3]):
            result[f"{plain.get('name', '')}_{word}{k + 1}"] = dict(zip(one.coordinates, column))
    return {n: f for n, f in result.items() if set(f) <= set(names)}


def symmetry_algebra(motion: Motion) -> dict[str, Generator]:
    """All combinations of the elementary fields, with constant factors, that leave L, D and the forces alone.

    The factors are numbers, or functions of the parameters.

    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> skate = System(coordinates="theta x y", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> list(symmetry_algebra(motion_of(skate)))
    ['shift_x', 'shift_y', 'shift_theta + turn_xy']
    """
    return decided_algebra(motion).fields


@dataclass(frozen=True)
class Algebra:
    """Fields by name, and why there may be more of them; nothing where there are none."""

    fields: dict[str, Generator]
    open: str = ""


def decided_algebra(motion: Motion) -> Algebra:
    """The same, with the reason where it could not be decided."""
    system = motion.system
    known = elementary(system) if system.coordinates else []
    if not known:
        return Algebra({})
    changes = _Changes(motion, known)
    first, second = _somewhere(changes, (3,)), _somewhere(changes, (173, 179, 181, 191))
    if first is None or second is None:
        return Algebra({}, "there are too few random states with real roots")
    (matrix, count), (again, _) = first, second
    result: dict[str, Generator] = {}
    left = ""
    for free, vector in null_space(matrix):
        used = [int(k) for k in np.flatnonzero(vector)]
        fractions = [fraction_of(int(vector[k])) for k in used]
        # one set of parameters is not enough: every fifth number is a fraction of numbers below 32000 by accident
        if None not in fractions and not np.any(_applied(again, used, vector)):
            weights = [se.Rational(w.numerator, w.denominator) for w in fractions if w is not None]
        else:
            read = factors_of(lambda given: changes.at(count, given), motion, used, free)
            if read is None:
                left = "a combination of shifts and turns does, with factors of the parameters that were not read"
                continue
            weights = [motion.restored(w) for w in read]
        parts = [(w / weights[0], known[k]) for w, k in zip(weights, used)]
        result[_word(parts)] = tuple(se.Add(*(w * e.field[k] for w, e in parts)) for k in range(len(system.coordinates)))
    return Algebra(dict(sorted(result.items(), key=lambda item: len(item[0].split()))), left)


def _somewhere(changes: _Changes, seeds: Sequence[int]) -> tuple[np.ndarray, int] | None:
    """Rows where enough states have real roots, and at how many states: roots exist at some only, or for some parameters."""
    size = len(changes.known)
    for seed, count in product(seeds, (size + 10, 4 * size + 60, 16 * size + 300)):
        try:
            return changes.at(count, seed=seed), count
        except (NoPoints, Unsupported):
            continue
    return None


def _word(parts: Sequence[tuple[Expr, Elementary]]) -> str:
    """The name of a combination, with a blank between its terms alone."""
    terms = []
    for w, e in parts:
        text = to_text(w).replace(" ", "")
        terms.append(e.name if w == 1 else f"{text if w.is_Number else f'({text})'}*{e.name}")
    return " + ".join(terms).replace("+ -1*", "- ")


def _applied(matrix: np.ndarray, used: Sequence[int], vector: np.ndarray) -> np.ndarray:
    """The combination of columns in every row."""
    total = np.zeros(len(matrix), dtype=np.int64)
    for k in used:
        total = (total + matrix[:, k] * int(vector[k])) % P
    return total


class _Changes:
    """How L, the constraints, the forces and the holonomic residuals change along each field: a row for each and each state."""

    def __init__(self, motion: Motion, known: Sequence[Elementary]) -> None:
        system = motion.system
        v, x = symbols(system.velocities), symbols(system.coordinates)
        lagrangian = lagrangian_in_frame(system)
        self.motion, self.known, self.residuals = motion, known, motion.allowed.rows.residuals
        forces = force_covector(system)
        self.forces = forces if any(e != 0 for e in forces) else ()
        self.columns: list[list[Expr]] = []
        slopes = gradient(lagrangian, v)
        for one in known:
            moved = lifted(system, one)
            steps = dict(zip(x, one.field))
            change = [along([lagrangian], steps)[0] + dot(slopes, moved)]
            for e in self.residuals:
                whole = along([e], steps)[0] + dot(gradient(e, v), moved)
                change.append(on_shell(motion, [whole])[0])
            for j, e in enumerate(self.forces):
                whole = along([e], steps)[0] + dot(gradient(e, v), moved)
                change.append(whole + sum((q * m.diff(v[j]) for q, m in zip(self.forces, moved)), ZERO))
            change += along(system.holonomic, steps)
            self.columns.append(change)

    def at(self, count: int, given: Mapping[str, int] | None = None, seed: int = 3) -> np.ndarray:
        """The rows at random states, all with the same parameters: random ones or given ones."""
        motion, system = self.motion, self.motion.system
        numbers = {n: Fraction(v) for n, v in given.items()} if given else None
        free = Points(count, seed)
        settle(free, motion, seed, numbers)
        if numbers is None:  # factors that depend on the parameters are found where these are the same in all rows
            numbers = {n: Fraction(int(free.value(symbol(n))[0])) for n in system.parameters}
        place_groups(free, system.frame)
        put_on_leaf(free, system.frame, system.holonomic)
        shell = exact_states(motion, count, seed + 2, numbers)
        parametric = _velocity_changes(motion, self.known, shell)
        rows = [] if parametric is None else [parametric]
        for part in range(len(self.columns[0])):
            points = shell.points if 1 <= part <= len(self.residuals) else free
            columns = [points.value(c[part]) for c in self.columns]
            points.need(len(self.known) + 4)
            rows.append(np.column_stack(columns)[points.good])
        return np.vstack(rows)


def _velocity_changes(motion: Motion, known: Sequence[Elementary], shell: States) -> np.ndarray | None:
    """How far the fields carry ``v = ψ(x, z)`` out of itself: ``δv − ξ[ψ]`` across ``∂ψ/∂z``, at every good state."""
    system, allowed = motion.system, motion.allowed
    if system.parametric is None:
        return None
    x = symbols(system.coordinates)
    basis = np.array([shell.points.values(row) for row in allowed.basis])
    steps = []
    for one in known:
        moved = on_shell(motion, lifted(system, one))
        carried = along(allowed.velocity, dict(zip(x, one.field)))
        steps.append(shell.points.values([a - b for a, b in zip(moved, carried)]))
    gaps = np.array(steps)
    p, rows = shell.points.p, []
    for k in np.flatnonzero(shell.good):
        for _, across in null_space(basis[:, :, k].T.copy(), p):
            rows.append([sum(int(a) * int(g) for a, g in zip(across, gaps[j, :, k])) % p for j in range(len(known))])
    return np.array(rows, dtype=np.int64).reshape(-1, len(known))


def lifted(system: System, one: Elementary) -> list[Expr]:
    """``δv^j = v^i u_i[η^j] + c_ik^j v^i η^k``: how the field ``η^k u_k`` moves the velocities."""
    frame = system.frame
    v = symbols(system.velocities)
    moved = list(along(one.inner, dict(zip(symbols(frame.coordinates), frame.rates))))
    for (i, k, j), c in structure_functions(frame).items():
        moved[j] += c * (v[i] * one.inner[k] - v[k] * one.inner[i])
    return moved
