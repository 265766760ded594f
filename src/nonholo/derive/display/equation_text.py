"""Equations for a person: text and LaTeX, shortened within a budget of work, long ones with shared parts named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, larger_than, substitute, symbol
from nonholo.algebra.common_factors import without_common_factors
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.kinks import written_kinks
from nonholo.algebra.numeric_functions import private
from nonholo.derive.chart_coordinates import turns_of
from nonholo.derive.display.vector_lines import axis_rows, pair_axes, text_style, turning_vectors, vector_rows
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.finding.sentences import EQUATIONS
from nonholo.model.rotation_axes import met, with_axes, with_letters
from nonholo.notation.names import Notation, notation
from nonholo.notation.rotation_matrices import Turning, entries
from nonholo.notation.shortening.length import written_length, written_nodes
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text
from nonholo.program.hash_consing import definitions, is_deep, shared

SMALL = 9
"""Shared parts with at most this many nodes get no name."""
HARD_NODES, HARD = 1000, 0.25
"""Equations with more nodes than this, equal parts counted once, get at most so many seconds for shortening."""
COMMON_SUMS, DEEP_SUMS = 2500, 1000
"""Sub-sums that several sums share are sought in smaller graphs alone (the second for deep ones): the work grows quickly."""
LONG = 1500
"""Equations that, written out, have more nodes than this are shown with their shared parts named."""


def shared_parts(exprs: Sequence[Expr], taken: Sequence[str]) -> tuple[list[tuple[Any, Expr]], list[Expr]]:
    """Repeated parts as definitions ``k1, k2, …`` and the expressions in them; nothing when all is short."""
    if sum(written_nodes(e, LONG) for e in exprs) <= LONG:
        return [], list(exprs)
    if _many(exprs):
        back: dict[Any, Expr] = {}
        named, reduced = definitions(map(se.sympify, exprs))
    else:
        arguments = sorted({s for e in exprs for s in se.sympify(e).free_symbols}, key=str)
        hidden, renamed = private(arguments, exprs)
        back = dict(zip(hidden, arguments))
        named, reduced = se.cse(renamed)
    letter = free_letter(taken)
    small: dict[Any, Expr] = {}
    kept: list[tuple[Any, Expr]] = []
    for old, side in named:
        (side,) = substitute([side], {s: small[s] for s in side.free_symbols if s in small})
        if written_nodes(side, SMALL) <= SMALL:  # a name would be no shorter
            small[old] = side
        else:
            kept.append((old, side))
    names = {old: symbol(f"{letter}{i + 1}") for i, (old, _) in enumerate(kept)}
    back |= names
    sides = substitute([side for _, side in kept], back)
    return list(zip(names.values(), sides)), list(substitute(substitute(reduced, small), back))


def _many(exprs: Sequence[Expr]) -> bool:
    """Whether seeking common sub-sums would take long, or SymEngine's `cse` would name a condition, which is no number."""
    if larger_than(exprs, COMMON_SUMS) or (larger_than(exprs, DEEP_SUMS) and is_deep(map(se.sympify, exprs))):
        return True
    return bool(atoms(exprs, se.Piecewise))


def common_parts(exprs: Sequence[Expr]) -> tuple[list[tuple[Expr, Expr]], list[Expr]]:
    """What occurs more than once, by names of SymEngine or of ours.

    >>> x, y = symbol("x"), symbol("y")
    >>> step = se.Piecewise((0, x <= 0), (x, True))
    >>> common_parts([y * step, 2 * step])
    ([(_part_0_, Piecewise((0, x <= 0), (x, True)))], [y*_part_0_, 2*_part_0_])
    """
    return definitions(map(se.sympify, exprs)) if _many(exprs) else se.cse(list(exprs))


def in_use(definitions: Sequence[tuple[Any, Expr]], exprs: Sequence[Expr]) -> tuple[list[tuple[Any, Expr]], list[Expr]]:
    """The definitions that something written still needs, numbered anew without gaps, and the expressions in them.

    >>> k1, k2, k3, x = (symbol(n) for n in ("k1", "k2", "k3", "x"))
    >>> in_use([(k1, x**2), (k2, x**3), (k3, x + k2)], [k3 + 1])
    ([(k1, x**3), (k2, k1 + x)], [1 + k2])
    """
    wanted = {s for e in exprs for s in se.sympify(e).free_symbols}
    kept: list[tuple[Any, Expr]] = []
    for name, side in reversed(definitions):
        if name in wanted:
            kept.insert(0, (name, side))
            wanted |= side.free_symbols
    back = {old: new for (old, _), (new, _) in zip(kept, definitions)}
    sides = substitute([side for _, side in kept], back) if kept else ()
    return list(zip(back.values(), sides)), list(substitute(exprs, back)) if kept else list(exprs)


def free_letter(taken: Sequence[str]) -> str:
    """A letter for abbreviations ``k1, k2, …`` that look like no other name."""
    letters = ("k", "s", "q", "h", "part", "shared")
    return next(c for c in letters if not any(re.fullmatch(rf"{c}_?\d+", t) for t in taken))


@dataclass(frozen=True)
class Parts:
    """Equations ready to be written: ``mass · unknown = force``, rows without common factors."""

    definitions: tuple[tuple[Symbol, Expr], ...]
    kinematics: tuple[Expr, ...]
    mass: tuple[tuple[Expr, ...], ...]
    force: tuple[Expr, ...]
    unknown: tuple[Symbol, ...]
    complete: bool
    """False when the budget was used up before all was shortened."""
    turns: FrozenMap[str, Turning]
    """How each rotation matrix turns."""


def distinct_nodes(exprs: Sequence[Expr], most: int) -> int:
    """How many nodes the expressions have together, equal parts counted once; above ``most`` just a larger number."""
    if larger_than(exprs, most):
        return most + 1
    named, reduced = common_parts(exprs)
    return sum(written_nodes(e, most) for e in (*(side for _, side in named), *reduced))


def parts(equations: MassAndForce, budget: float, taken: Sequence[str] = ()) -> Parts:
    """The equations shortened within ``budget`` units of work, what they share named when they are long.

    Very long ones are given less: they stay long whatever one does.
    """
    size, count = len(equations.force), len(equations.kinematics)
    mass = equations.mass
    if equations.symmetric:  # both of a pair written alike, and shortened once
        mass = tuple(tuple(mass[min(i, j)][max(i, j)] for j in range(size)) for i in range(size))
    flat = [*equations.kinematics, *(e for row in mass for e in row), *equations.force]
    table = dict(zip(map(str, equations.coordinates), equations.kinematics))
    turns = turns_of(equations)
    turned = {entry for letter in turns for entry in entries(letter)}
    flat[:count] = [se.Integer(0) if n in turned else e for n, e in table.items()]
    flat += [e for found in turns.values() for e in found.rates]
    flat = list(shared(map(written_kinks, map(se.sympify, flat)) if atoms(flat, se.Piecewise) else map(se.sympify, flat)))
    if budget > HARD and distinct_nodes(flat, HARD_NODES) > HARD_NODES:
        budget = HARD
    own = [*equations.state, *map(str, (*equations.parameters, *equations.inputs)), *taken]
    spelling = equations_notation(equations)
    long = flat
    flat, complete = shortened(flat, budget, spelling)
    definitions, flat = shared_parts(flat, own)
    if definitions and not complete:  # what is shortened in part shares less
        others, rest = shared_parts(shortened(long, 0.0)[0], own)
        if _width([*(e for _, e in others), *rest]) < _width([*(e for _, e in definitions), *flat]):
            definitions, flat = others, rest
    if definitions and budget > 0:
        sides, _ = shortened([*(side for _, side in definitions), *flat], budget / 2, spelling)
        definitions, flat = [(n, e) for (n, _), e in zip(definitions, sides)], sides[len(definitions) :]
    definitions, flat = in_use(definitions, flat)
    for letter, found in reversed(turns.items()):
        flat, short = flat[:-3], flat[-3:]
        turns[letter] = replace(found, rates=(short[0], short[1], short[2]))
        table |= turns[letter].entries(letter)
    flat[:count] = [table[n] if n in turned else e for n, e in zip(table, flat)]
    rows = [[*flat[count + i * size : count + (i + 1) * size], flat[count + size * size + i]] for i in range(size)]
    rows = [without_common_factors(row) for row in rows] if budget > 0 else rows
    return Parts(
        tuple(definitions),
        tuple(flat[:count]),
        tuple(tuple(row[:-1]) for row in rows),
        tuple(row[-1] for row in rows),
        (*(symbol(acceleration(str(s))) for s in equations.speeds), *equations.unknowns),
        complete,
        FrozenMap(turns),
    )


def _width(exprs: Sequence[Expr]) -> float:
    return sum(map(written_length, exprs))


def acceleration(speed: str) -> str:
    """The name of the rate of a speed: ``xddot`` of ``xdot``, ``omegadot`` of ``omega``."""
    return f"{speed[:-3]}ddot" if speed.endswith("dot") else f"{speed}dot"


def equations_notation(equations: MassAndForce) -> Notation:
    """How the names of the equations are written, and in which order."""
    names = [*equations.state, *equations.outputs]
    rates = [*(f"{n}dot" for n in names), *(acceleration(n) for n in names), *(n for n in names if n.endswith("dot"))]
    plain = notation(
        [str(p) for p in equations.parameters],
        [str(c) for c in equations.coordinates],
        [str(s) for s in equations.speeds],
        [str(i) for i in equations.inputs],
        rates,
        rotations(equations),
    )
    return with_axes(plain, pair_axes(equations))


def rotations(equations: MassAndForce) -> tuple[str, ...]:
    """The letters R of rotation matrices of which all entries are coordinates, or some, by the names of the axes."""
    table = dict(zip(map(str, equations.coordinates), equations.kinematics))
    return tuple(turns_of(equations)) or tuple(dict.fromkeys(a.matrix for a in equations.axes if set(a.entries) & table.keys()))


def text(equations: MassAndForce, budget: float = 2.0) -> str:
    """The equations as lines of text: in the letters of the axes of rotations, and as vectors too where that is proved."""
    found, spelling, axes = parts(equations, budget), equations_notation(equations), pair_axes(equations)
    style = text_style(spelling, axes)
    table = dict(zip(map(str, equations.coordinates), found.kinematics))
    told: set[str] = set()
    first: list[str] = []
    for letter, turn in found.turns.items():
        told |= set(entries(letter))
        rates = ", ".join(style.scalar(e) for e in turn.rates)
        first.append(f"  d/dt {letter} = {f'ŵ {letter}' if turn.in_space else f'{letter} ŵ'},  w = ({rates})")
    turned = turning_vectors(equations, table, axes, told, style)
    told |= {name for _, names in turned.values() for name in names}
    lines = [
        f"  d/dt {coordinate} = {to_text(velocity, spelling)}"
        for coordinate, velocity in table.items()
        if coordinate not in told and str(velocity) != f"{coordinate}dot"
    ]
    for row, side in zip(found.mass, found.force):
        lines.append(f"  {_left(row, found.unknown, spelling)} = {to_text(side, spelling)}")
    if found.definitions:
        lines += ["", "with", *(f"  {name} = {to_text(side, spelling)}" for name, side in found.definitions)]
    lines = [with_letters(line, axes) for line in lines]
    if rows := vector_rows(equations, style):
        lines += ["", "as vectors", *(f"  {left} = {right}" for left, right in rows)]
    named = met(axes, "\n".join(lines))
    named = [a for a in axes if a in named or a.name in turned]
    meant = axis_rows(equations.system, found.turns, named, style)
    first += [f"  {left} = {right}" for left, right in (*meant, *(row for row, _ in turned.values()))]
    title = EQUATIONS.get(equations.origin, equations.origin).removeprefix("the ")
    return "\n".join([f"{equations.name}: {title}", "", *first, *lines])


def _left(row: Sequence[Expr], unknown: Sequence[Any], spelling: Notation) -> str:
    found = []
    for coefficient, name in zip(row, unknown):
        if coefficient == 0:
            continue
        if coefficient == 1 or coefficient == -1:
            found.append(str(name) if coefficient == 1 else f"-{name}")
        else:
            inside = to_text(coefficient, spelling)
            found.append(f"({inside})*{name}" if isinstance(coefficient, se.Add) else f"{inside}*{name}")
    return joined(found) or "0"


def joined(terms: Sequence[str]) -> str:
    """A sum of terms that may begin with a minus; one without comes first.

    >>> joined(["-a", "b", "- c"])
    'b - a - c'
    """
    first = next((t for t in terms if not t.startswith("-")), terms[0] if terms else "")
    place = terms.index(first) if terms else 0
    rest = [*terms[:place], *terms[place + 1 :]]
    return first + "".join(f" - {t[1:].strip()}" if t.startswith("-") else f" + {t}" for t in rest)
