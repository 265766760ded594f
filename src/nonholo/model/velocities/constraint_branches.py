"""Split nonlinear constraints into linear ones, branches and the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ZERO, expand, gradient, node_count, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.kinks import without_equal_pieces
from nonholo.algebra.linear_equations import solve_rows
from nonholo.algebra.subspaces import independent, numeric_rank
from nonholo.errors import ModelError, StateError
from nonholo.model.system import System, check_system, varied
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.model.velocities.linear_equivalents import along_angle, without_monotone
from nonholo.model.velocities.quadratic_constraints import split_quadratic
from nonholo.notation.write import to_text

Row = tuple[Expr, ...]
Values = Mapping[str, float]
VANISHING = 1e-11
FACTORABLE = 400
WORK = 2.0
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
SAMPLES = 5


@dataclass(frozen=True)
class Split:
    """What a residual is equivalent to: all of the parts vanish, or one of them does; or it follows, or cannot hold."""

    kind: Literal["all", "one", "follows", "impossible"]
    parts: tuple[Expr, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Branch:
    """One set of constraints: residuals linear or affine in the velocities, and those that stay nonlinear."""

    linear: tuple[Expr, ...]
    nonlinear: tuple[Expr, ...]
    reasons: tuple[str, ...] = ()


def branches(
    residuals: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]
) -> tuple[tuple[Branch, ...], bool]:
    """The sets of constraints into which the residuals fall, and whether some set was dropped as impossible.

    >>> x, y = se.symbols("xdot ydot")
    >>> spots = [{"xdot": 0.3, "ydot": -0.8}, {"xdot": 1.2, "ydot": 0.5}]
    >>> [b.linear for b in branches([(x - 2 * y) ** 2], (x, y), spots)[0]]
    [(xdot - 2*ydot,)]
    >>> sorted(str(b.linear[0]) for b in branches([x**2 - y**2], (x, y), spots)[0])
    ['xdot + ydot', 'xdot - ydot']
    """
    linear = tuple(r for r in residuals if affine_row(r, velocities) is not None)
    nonlinear = tuple(r for r in residuals if affine_row(r, velocities) is None)
    found: list[Branch] = []
    impossible = False
    for branch in _unfold(Branch(linear, nonlinear), velocities, samples, 0):
        if branch is None or _contradicts(branch.linear, velocities, samples):
            impossible = True
        else:
            found.append(branch)
    return _without_inner(found, velocities, samples), impossible


def affine_row(residual: Expr, velocities: Sequence[Any]) -> Row | None:
    """The coefficients of the velocities, then the rest, of a residual that is affine in them; None of another one."""
    inner = set(velocities)
    for read in (se.sympify, expand):  # multiplied out only where that is needed: a contact of machines may have 10**10 terms
        form = read(residual)
        parts = tuple(map(without_equal_pieces, gradient(form, velocities)))
        if not any(p.free_symbols & inner for p in parts):
            return (*parts, substitute([form], dict.fromkeys(velocities, ZERO))[0])
    return None


def _rows(linear: Sequence[Expr], velocities: Sequence[Any]) -> list[Row]:
    return [row for row in (affine_row(e, velocities) for e in linear) if row is not None]


def _unfold(
    branch: Branch, velocities: Sequence[Any], samples: Sequence[Values], depth: int
) -> Iterator[Branch | None]:
    """The branch taken apart as far as it goes; None for each part that no velocity satisfies."""
    for k, residual in enumerate(branch.nonlinear):
        found = split(residual, branch.linear, velocities, samples) if depth < 12 else None
        if found is None:
            continue
        others = (*branch.nonlinear[:k], *branch.nonlinear[k + 1 :])
        reasons = (*branch.reasons, found.reason)
        if found.kind == "impossible":
            yield None
        elif found.kind == "one":
            for part in found.parts:
                yield from _unfold(_with(branch, others, (part,), reasons, velocities), velocities, samples, depth + 1)
        else:
            yield from _unfold(_with(branch, others, found.parts, reasons, velocities), velocities, samples, depth + 1)
        return
    yield branch


def _with(
    branch: Branch, others: tuple[Expr, ...], parts: Sequence[Expr], reasons: tuple[str, ...], velocities: Sequence[Any]
) -> Branch:
    linear = tuple(p for p in parts if affine_row(p, velocities) is not None)
    nonlinear = tuple(p for p in parts if p not in linear)
    return replace(branch, linear=(*branch.linear, *linear), nonlinear=(*others, *nonlinear), reasons=reasons)


def split(
    residual: Expr, linear: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]
) -> Split | None:
    """What one nonlinear residual comes to, given the linear ones; None when it stays as it is."""
    inner = set(velocities)
    found = _by_its_shape(residual, inner)
    if found is not None:
        return found
    plain = without_monotone(residual, inner)
    if plain is not residual:
        return Split("all", (plain,), f"{residual} vanishes with {plain}: it is a strictly monotone function of velocities")
    plain = along_angle(residual, inner)
    if plain is not residual:
        return Split("all", (plain,), f"{residual} vanishes on one half of the velocities of {plain} = 0, an open cone")
    here = on_kernel(residual, linear, velocities, samples)
    if vanishes(here, samples):
        return Split("follows", (), f"{residual} = 0 follows from the linear constraints")
    if linear and affine_row(here, velocities) is not None:
        return Split("all", (here,), f"{residual} is linear where the other constraints hold")
    above = _numerator(here, inner)
    if above is not here and above != here:
        return Split("all", (above,), f"{residual} vanishes with its numerator")
    return _by_factors(here, velocities, samples) or _by_quadratic(here, velocities, samples)


def _by_its_shape(residual: Expr, inner: set[Any]) -> Split | None:
    """A product vanishes with one of its factors, a power with its base, a sum of squares with all of them."""
    if isinstance(residual, se.Mul):
        factors = [f for f in residual.args if f.free_symbols & inner and not _never_zero(f)]
        bases = tuple(dict.fromkeys(_base(f) for f in factors))
        if bases and bases != (residual,):
            return Split("one", bases, f"{residual} is a product") if len(bases) > 1 else Split("all", bases, "a factor")
    if isinstance(residual, se.Pow) and _base(residual) != residual:
        return Split("all", (_base(residual),), f"{residual} is a power")
    if isinstance(residual, se.Add):
        squares = [_square(t) for t in residual.args]
        signs = {s for s, _ in squares}
        if len(signs) == 1 and 0 not in signs:
            bases = tuple(b for _, b in squares)
            if any(not b.free_symbols & inner and b.is_Number for b in bases):
                return Split("impossible", (), f"{residual} is a sum of squares and a number, never zero")
            if all(b.free_symbols & inner for b in bases):
                return Split("all", bases, f"{residual} is a sum of squares")
    return None


def _never_zero(factor: Expr) -> bool:
    if not isinstance(factor, se.Pow):
        return False
    base, power = factor.args
    return bool(base.is_Number or base == se.E or (power.is_Number and power.is_negative))


def _base(factor: Expr) -> Expr:
    if isinstance(factor, se.Pow) and factor.args[1].is_Number and not factor.args[1].is_negative:
        return factor.args[0]
    return factor


def _square(term: Expr) -> tuple[int, Expr]:
    """Sign and base of a number times an even power (or of a number); sign 0 for anything else."""
    if term.is_Number:
        return (-1 if term.is_negative else 1), term
    sign, rest = 1, term
    if isinstance(term, se.Mul) and term.args[0].is_Number:
        sign = -1 if term.args[0].is_negative else 1
        rest = term / term.args[0]
    factors = rest.args if isinstance(rest, se.Mul) else (rest,)
    if all(isinstance(f, se.Pow) and f.args[1].is_Integer and int(f.args[1]) % 2 == 0 for f in factors):
        return sign, se.Mul(*(f.args[0] for f in factors if not f.args[1].is_negative))
    return 0, term


def on_kernel(
    residual: Expr, linear: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]
) -> Expr:
    """The residual where the linear ones vanish, in as many velocities as these leave free."""
    table = _rows(linear, velocities)
    if not table:
        return residual
    numbers = [evaluate_matrix_precisely([r[:-1] for r in table], s) for s in samples[:3]]
    kept = max((independent(n) for n in numbers if np.all(np.isfinite(n))), key=len, default=[])
    if not kept:
        return residual
    sides = [[-table[k][-1]] for k in kept]
    coefficients = [table[k][:-1] for k in kept]
    free, solution = solve_rows(coefficients, sides, samples[:3], lambda e: bool(e.is_Number))
    value = {
        v: se.Add(*(e * s for e, s in zip(row, (*(velocities[j] for j in free), se.Integer(1)))))
        for j, (v, row) in enumerate(zip(velocities, solution))
        if j not in free
    }
    return substitute([residual], value)[0]


def vanishes(expr: Expr, samples: Sequence[Values]) -> bool:
    """Whether the expression is zero at every sample, computed with 60 digits."""
    return all(abs(evaluate_precisely([expr], s)[0]) < VANISHING for s in samples)


def _numerator(residual: Expr, inner: set[Any]) -> Expr:
    """The numerator, when velocities occur in a denominator."""
    above, below = residual.as_numer_denom()
    return above if below.free_symbols & inner else residual


def _by_factors(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> Split | None:
    """The factors over the rational numbers, with sines, cosines and other functions taken for symbols."""
    if node_count([residual]) > FACTORABLE:
        return None

    def work() -> tuple[Expr, list[tuple[Expr, int]]]:
        import sympy

        above, below = sympy.fraction(sympy.together(sympy.sympify(residual)))
        number, factors = sympy.factor_list(above)
        return se.sympify(number / below), [(se.sympify(f), int(p)) for f, p in factors]

    found = within(WORK, work)
    if found is None:
        return None
    number, factors = found
    inner = set(velocities)
    parts = [(f, p) for f, p in factors if f.free_symbols & inner]
    if not parts or (len(parts) == 1 and parts[0][1] == 1):
        return None
    product = number * se.Mul(*(f**p for f, p in factors))
    if not vanishes(product - residual, samples):
        return None
    bases = tuple(f for f, _ in parts)
    told = " * ".join(f"({f})" + (f"**{p}" if p > 1 else "") for f, p in parts)
    return Split("one" if len(bases) > 1 else "all", bases, f"{residual} has the factors {told}")


def _by_quadratic(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> Split | None:
    found = split_quadratic(residual, velocities, samples)
    if found is None:
        return None
    kind, parts, reason = found
    inner = set(velocities)
    if kind == "all" and any(not p.free_symbols & inner for p in parts):
        return Split("impossible", (), reason)
    moving = tuple(p for p in parts if p.free_symbols & inner)
    return Split(kind if len(moving) > 1 else "all", moving, reason)


def _contradicts(linear: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]) -> bool:
    """Whether affine residuals have no common zero at almost all configurations."""
    rows = _rows(linear, velocities)
    if not any(r[-1] != 0 for r in rows):
        return False
    found = []
    for s in samples:
        whole = evaluate_matrix_precisely(rows, s)
        if np.all(np.isfinite(whole)):
            found.append(numeric_rank(whole) > numeric_rank(whole[:, :-1]))
    return bool(found) and all(found)


def _without_inner(
    found: Sequence[Branch], velocities: Sequence[Any], samples: Sequence[Values]
) -> tuple[Branch, ...]:
    """The linear branches that do not lie inside another one."""
    kept: list[Branch] = []
    for k, branch in enumerate(found):
        wider = [other for j, other in enumerate(found) if j != k and _inside(branch, other, velocities, samples)]
        same = [other for other in wider if _inside(other, branch, velocities, samples)]
        if len(wider) > len(same) or any(other in kept for other in same):
            continue
        kept.append(branch)
    return tuple(kept)


def _inside(branch: Branch, other: Branch, velocities: Sequence[Any], samples: Sequence[Values]) -> bool:
    """Whether the velocities of the first are among those of the other, which must be linear."""
    if other.nonlinear:
        return False
    own = _rows(branch.linear, velocities)
    both = [*own, *_rows(other.linear, velocities)]
    numbers = [(_unit(evaluate_matrix_precisely(own, s)), _unit(evaluate_matrix_precisely(both, s))) for s in samples[:4]]
    return all(numeric_rank(b) == numeric_rank(a) for a, b in numbers)


def _unit(matrix: Any) -> Any:
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(size == 0, 1.0, size)


_FOUND: WeakCache[dict[str, System]] = WeakCache(32)


def constraint_branches(system: System) -> dict[str, System]:
    """The types of motion that nonlinear constraints leave, by the names I, II, …: each is the system with its own constraints.

    Where several types are possible at one state (a transitional state) mechanics does not say which goes on; choose it:
    ``simulate(s, …, branch="II")``. `classify` tells of each whether it is holonomic.

    >>> rod = System(coordinates="x y phi", lagrangian="(xdot**2 + ydot**2 + phidot**2)/2",
    ...              constraints=["(xdot*cos(phi) + ydot*sin(phi))*phidot"])
    >>> [(name, one.constraints[0]) for name, one in constraint_branches(rod).items()]
    [('I', sin(phi)*ydot + cos(phi)*xdot), ('II', phidot)]
    """
    check_system(system)
    return dict(_FOUND.get(system, lambda: _branches(system)))


def _branches(system: System) -> dict[str, System]:
    rows = constraint_rows(system)
    if rows.linear or not system.constraints:
        return {"I": system}
    own = rows.residuals[: len(system.constraints)]
    found, _ = branches(own, symbols(system.velocities), samples_of(system, count=SAMPLES))
    if not found:
        raise ModelError(f"{system.name}: no velocity satisfies the constraints.")
    parts = sorted(((*b.linear, *b.nonlinear) for b in found), key=lambda e: (-len(str(e)), str(e)))
    if len(parts) == 1 and set(parts[0]) == set(own):
        return {"I": system}
    return {name: varied(system, constraints=part, start={}) for name, part in zip(ROMAN, parts)}


def on_branch(system: System, which: str | int) -> System:
    """The system of one branch, by its name, its number or the text of its constraint."""
    known = constraint_branches(system)
    listed = "; ".join(f"{n}: {', '.join(to_text(c) for c in one.constraints)} = 0" for n, one in known.items())
    if len(known) < 2:
        raise StateError(f"{system.name}: branch = {which!r}, but its constraints have one branch only.")
    if isinstance(which, int) and not isinstance(which, bool) and 1 <= which <= len(known):
        return list(known.values())[which - 1]
    word = str(which).strip()
    for name, one in known.items():
        if word in (name, ", ".join(to_text(c) for c in one.constraints)):
            return one
    raise StateError(f"{system.name}: no branch {which!r}; it has {listed}.")
