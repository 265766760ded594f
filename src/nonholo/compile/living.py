"""Equations and a drawing -> one program for a page that solves the motion itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import gradient, symbol, symbols
from nonholo.algebra.kinds import Expr, Symbol
from nonholo.compile.kernel import input_symbols
from nonholo.compile.portable import Portable, Section, word
from nonholo.derive.equations import Equations
from nonholo.program.machine_code import checked, refusal
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

OWN = ("_curve_s", "_curve_r")
"""What the points of a wire or surface run over stands behind the parameters; then come the rates of the state."""


@dataclass(frozen=True)
class Living:
    """A program with the sections of a living page, and the names behind their numbers.

    Every section reads ``[t, x…, z…, u…, p…, s, r, ẋ…, ż…]``:

    * ``system`` gives ``[ẋ, mass by rows, force]``; the page solves ``mass · (ż, unknowns) = force`` itself;
    * ``shown`` the quantities of ``shown``;
    * ``invariants`` their values, those of the coordinates alone (``positions``) first, then their slopes by the state;
    * ``forms`` the slopes of the velocities of ``forms`` by the speeds, row by row;
    * ``drawing`` and ``points0``, ``points1``, … what the pictures need.
    """

    portable: Portable
    shown: tuple[str, ...]
    invariants: tuple[str, ...]
    positions: int
    forms: tuple[str, ...]


def living(
    equations: Equations,
    shown: Mapping[str, Expr],
    forms: Mapping[str, Expr],
    drawing: Sequence[Expr] = (),
    points: Sequence[Sequence[Expr]] = (),
) -> Living:
    """The program; ``shown`` and ``forms`` are expressions of the equations' own state (``_flow_x`` for the rate of ``x``)."""
    where = f"{equations.name}: living page"
    state = (*equations.coordinates, *equations.speeds)
    given = (*input_symbols(equations), *symbols(OWN), *symbols(f"_flow_{s}" for s in state))
    moving = set(equations.speeds)
    order = sorted(equations.invariants.items(), key=lambda item: bool(item[1].free_symbols & moving))
    slopes = [e for _, value in order for e in gradient(value, state)]
    rows = [e for value in forms.values() for e in gradient(value, equations.speeds)]
    parts: dict[str, Sequence[Expr]] = {
        "system": [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force],
        "shown": list(shown.values()),
        "invariants": [*(value for _, value in order), *slopes],
        "forms": rows,
        "drawing": drawing,
        **{f"points{k}": each for k, each in enumerate(points)},
    }
    program = Program(fixed=len(given))
    places: dict[Symbol, int] = {s: i for i, s in enumerate(given)}
    exprs = checked(given, [e for part in parts.values() for e in part], where)
    try:
        found = translate(program, places, exprs)
    except NoMachineCode as problem:
        raise refusal(given, exprs, where) from problem
    sections, at = [], 0
    for name, part in parts.items():
        sections.append(Section(name, name, tuple(found[at : at + len(part)]), (len(part),)))
        at += len(part)
    values = (None,) * len(equations.parameters)
    made = Portable(word(equations.name), equations, values, program, tuple(sections))
    positions = sum(not value.free_symbols & moving for _, value in order)
    return Living(made, tuple(shown), tuple(n for n, _ in order), positions, tuple(forms))


def curve_symbols() -> tuple[Symbol, Symbol]:
    """The parameters of wires and surfaces in the program."""
    return symbol(OWN[0]), symbol(OWN[1])
