"""Random configurations and velocities modulo a prime that satisfy relations: groups by formulas, the rest one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import atoms, expand, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import Residues, inverse, root
from nonholo.algebra.prime.random_points import Points
from nonholo.geometry.distributions.norm_roots import repeated, set_on_norm
from nonholo.geometry.frames.frame import Frame


class NoPoints(Exception):
    """Why no random admissible states could be made; the message is for people."""


def place_groups(points: Points, frame: Frame) -> None:
    """Random rotations, unit quaternions and unit vectors for the groups of a frame; its other coordinates are free."""
    left = list(frame.relations)
    for words in frame.recipe:
        kind, name = words["kind"], str(words.get("name", ""))
        if kind in ("SO3", "SE3"):
            entries = symbols(f"{name}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))
            for s, value in zip(entries, _rotation(points)):
                points.set(s, value)
        elif kind in ("Quaternion", "Vertical"):
            names = [c for c in frame.coordinates if c.startswith(name) and c[len(name) :].isdigit()]
            for n, value in zip(names, _unit_vector(points, len(names))):
                points.set(symbol(n), value)
    held = [e for e in left if np.any(points.value(e)[points.good])]
    put_on(points, held, symbols(frame.coordinates))


def _unit_vector(points: Points, size: int) -> list[Residues]:
    """A point of the sphere from its stereographic projection."""
    p = points.p
    flat = [points.random() for _ in range(size - 1)]
    square = np.zeros(points.count, dtype=np.int64)
    for u in flat:
        square = (square + u * u) % p
    below = inverse((1 + square) % p, p)
    return [*(2 * u % p * below % p for u in flat), (square - 1) % p * below % p]


def _rotation(points: Points) -> list[Residues]:
    """A rotation matrix from a quaternion of any length."""
    p = points.p
    a, b, c, d = (points.random() for _ in range(4))
    below = inverse((a * a % p + b * b % p + c * c % p + d * d % p) % p, p)

    def entry(*terms: Any) -> Residues:
        total = np.zeros(points.count, dtype=np.int64)
        for sign, x, y in terms:
            total = (total + sign * (x * y % p)) % p
        return total * below % p

    return [
        entry((1, a, a), (1, b, b), (-1, c, c), (-1, d, d)), entry((2, b, c), (-2, a, d)), entry((2, b, d), (2, a, c)),
        entry((2, b, c), (2, a, d)), entry((1, a, a), (-1, b, b), (1, c, c), (-1, d, d)), entry((2, c, d), (-2, a, b)),
        entry((2, b, d), (-2, a, c)), entry((2, c, d), (2, a, b)), entry((1, a, a), (-1, b, b), (-1, c, c), (1, d, d)),
    ]  # fmt: skip


def put_on_leaf(points: Points, frame: Frame, residuals: Sequence[Expr]) -> None:
    """Move the points onto holonomic constraints by coordinates that no relation of the frame holds: rotations stay rotations."""
    bent = {s for e in frame.relations for s in e.free_symbols}
    put_on(points, residuals, [s for s in symbols(frame.coordinates) if s not in bent])


_ELIMINATED: Cache[tuple[list[Expr], list[tuple[Any, Expr]], list[Any]]] = Cache(64)
"""By residuals and free symbols: points are put on the same constraints again and again."""


def put_on(points: Points, residuals: Sequence[Expr], free: Sequence[Any]) -> None:
    """Move the points so that the residuals vanish, each by one of the free symbols in which it can be solved for.

    What is moved must not disturb what was solved before; where two residuals share all their symbols, as ``u·u = 1`` and
    ``n·u = 0`` do, one that is linear in a symbol is solved for it first and put into the others.
    """
    try:
        _one_by_one(points, residuals, free)
    except NoPoints as problem:
        simpler, solved, left = _ELIMINATED.get((*residuals, None, *free), lambda: _eliminated(residuals, free))
        if not solved:
            raise problem from None
        _one_by_one(points, simpler, left)
        for s, e in reversed(solved):
            points.set(s, points.value(e))
            _forget(points)


def _one_by_one(points: Points, residuals: Sequence[Expr], free: Sequence[Any]) -> None:
    able = list(free)
    for k, residual in enumerate(residuals):
        if not np.any(points.good):  # the roots that were needed exist at none of them: the caller draws others
            return
        points.values(sorted(residual.free_symbols, key=str))
        before = points.good.copy()
        points.value(residual)  # every other symbol gets its value now
        now = [s for s in able if s in residual.free_symbols and not any(s in e.free_symbols for e in residuals[:k])]
        for s in now:
            if _by_value(points, residual, s) or _by_circle(points, residual, s):
                able.remove(s)
                break
        else:
            points.good = before  # other angles may have roots
            done = next((s for s in now if set_on_norm(points, residual, s)), None)
            if done is not None:
                able.remove(done)
                _forget(points)
                continue
            words = f"{residual} = 0" if len(str(residual)) <= 80 else "a long constraint"
            raise NoPoints(f"{words} could not be solved for one coordinate or velocity")


def _eliminated(residuals: Sequence[Expr], free: Sequence[Any]) -> tuple[list[Expr], list[tuple[Any, Expr]], list[Any]]:
    """Residuals that are linear in a free symbol solved for it, from the last one back, and put into the others."""
    rest = [se.sympify(e) for e in residuals]
    inside = [e.free_symbols for e in rest]
    for k in reversed(range(len(rest))):
        others = set().union(*inside[:k], *inside[k + 1 :])
        shared = [s for s in free if s in inside[k] and s in others]
        flat = expand(rest[k]) if shared else rest[k]
        for s in shared:
            slope = flat.diff(s)
            if slope == 0 or s in slope.free_symbols:
                continue
            value = -flat.xreplace({s: se.Integer(0)}) / slope
            left = [e.xreplace({s: value}) for e in rest if e is not rest[k]]
            return sorted(left, key=lambda e: len(e.free_symbols)), [(s, value)], [z for z in free if z != s]
    return rest, [], list(free)


def _by_value(points: Points, residual: Expr, s: Any) -> bool:
    """Solve a residual that is a polynomial of degree one or two in a symbol; its values tell whether it is."""
    p = points.p
    if any(s in f.free_symbols for f in atoms([residual], se.sin, se.cos, se.tan)):
        return False
    half = pow(2, -1, p)
    trials = repeated(points, {s: np.repeat([0, 1, -1, 2, 5], points.count)}, {})
    f = trials.value(residual).reshape(5, -1)
    good = points.good & np.all(trials.good.reshape(5, -1), axis=0)  # roots of the symbol exist at few of the trials
    if not np.any(good):
        return False
    c, a = f[0], (f[1] + f[2] - 2 * f[0]) % p * half % p
    b = (f[1] - a - c) % p
    for m, seen in ((2, f[3]), (5, f[4])):
        if np.any(((a * m * m + b * m + c - seen) % p)[good]):
            return False
    if not np.any(a[good]):
        if not np.any(b[good]):  # the symbol cancels
            return False
        points.good = good
        if np.any(b == 0):
            points.good &= b != 0
        points.set(s, -c * inverse(b, p) % p)
    else:
        discriminant, square = root((b * b - 4 * (a * c % p)) % p, p)
        points.good = good & square & (a != 0)
        points.set(s, (discriminant - b) % p * inverse(2 * a % p, p) % p)
    _forget(points)
    return True


def _by_circle(points: Points, residual: Expr, s: Any) -> bool:
    """Solve ``A cos s + B sin s + C = 0`` for the pair; values at three pairs tell A, B and C, a fourth whether it is so."""
    p = points.p
    pairs = np.repeat([0, 1, 0, 3], points.count), np.repeat([0, 0, 1, 7], points.count)
    f = repeated(points, {}, {s: pairs}).value(residual).reshape(4, -1)
    C, A, B = f[0], (f[1] - f[0]) % p, (f[2] - f[0]) % p
    if np.any(((3 * A + 7 * B + C - f[3]) % p)[points.good]) or not np.any((A | B)[points.good]):
        return False
    # cos = (-A C - B w)/(A² + B²), sin = (-B C + A w)/(A² + B²), w² = A² + B² - C²
    length = (A * A + B * B) % p
    w, able = root((length - C * C) % p, p)
    points.good &= able & (length != 0)
    below = inverse(length, p)
    points.set_circle(s, (-A * C - B * w) % p * below % p, (A * w - B * C) % p * below % p)
    _forget(points)
    return True


def _forget(points: Points) -> None:
    fresh = points.copy_with({})
    points._known = fresh._known
