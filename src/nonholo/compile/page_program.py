"""Equations and a drawing -> one program for a page that solves the motion itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.compile.explicit_rates import UNROLLED, factored
from nonholo.compile.kernel import input_symbols
from nonholo.compile.portable_program import Portable, ProgramSection, identifier
from nonholo.derive.equations import Equations
from nonholo.program.machine_code import checked, refusal
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

OWN = ("_curve_s", "_curve_r")
"""The variables of wires and surfaces follow the parameters; then come the rates of the state."""

SAFE = 1e-9
"""A pivot below this part of its diagonal, times the size, lets the page exchange rows."""


@dataclass(frozen=True)
class PageProgram:
    """A program with the sections of a living page, and the names behind their numbers.

    Every section reads ``[t, x…, z…, u…, p…, s, r, ẋ…, ż…]``:

    * ``rates`` gives ``[ẋ, ż, unknowns, flag]``, the flag 1 where elimination without exchange of rows was safe;
    * ``system`` gives ``[ẋ, mass by rows, force]``; where it was not, the page solves ``mass · (ż, unknowns) = force`` itself;
    * ``shown`` the quantities of ``shown``;
    * ``invariants`` their values, those of the coordinates alone (``positions``) first, then their slopes by the state;
    * ``forms`` the slopes of the velocities of ``forms`` by the speeds, row by row;
    * ``contacts`` the slopes of constraints and contacts by the speeds, where forces are shared, and given loads;
    * ``survey`` the numbers of contacts that change their modes; then ``system`` is without them and there are no ``rates``;
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
    contacts: Sequence[Expr] = (),
    survey: Sequence[Expr] = (),
) -> PageProgram:
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
        "contacts": contacts,
        "survey": survey,
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
        sections.append(ProgramSection(name, name, tuple(found[at : at + len(part)]), (len(part),)))
        at += len(part)
    if 0 < len(equations.mass) <= UNROLLED and not survey:
        outputs = _rates(program, sections[0].outputs, len(equations.coordinates), len(equations.speeds))
        sections.append(ProgramSection("rates", "rates", tuple(outputs), (len(outputs),)))
    values = (None,) * len(equations.parameters)
    made = Portable(identifier(equations.name), equations, values, program, tuple(sections))
    positions = sum(not value.free_symbols & moving for _, value in order)
    return PageProgram(made, tuple(shown), tuple(n for n, _ in order), positions, tuple(forms))


def _rates(p: Program, system: Sequence[int], count: int, speeds: int) -> list[int]:
    """``[ẋ, v̇, λ, flag]`` in straight-line code, from ``[[G, −Aᵀ], [A, 0]] (v̇, λ) = (f, g)``.

    With ``G = L D Lᵀ``: ``(A G⁻¹ Aᵀ) λ = g − A G⁻¹ f``, ``v̇ = G⁻¹ f + G⁻¹ Aᵀ λ``.
    Zeros cost nothing there, and most entries are some.
    """
    size = round((len(system) - count + 0.25) ** 0.5 - 0.5)  # its square and it are what follows the kinematics
    rows = [list(system[count + i * size : count + (i + 1) * size]) for i in range(size)]
    force = system[count + size * size :]
    metric = factored(p, [rows[i][j] for i in range(speeds) for j in range(i + 1)], speeds, SAFE)
    slopes = [row[:speeds] for row in rows[speeds:]]
    free = metric.solve(p, force[:speeds])
    if not slopes:
        return [*system[:count], *free, metric.flag]
    lifted = [metric.solve(p, row) for row in slopes]
    inner = [_product(p, slopes[i], lifted[j]) for i in range(len(slopes)) for j in range(i + 1)]
    border = factored(p, inner, len(slopes), SAFE)
    lack = [p.subtract(side, _product(p, row, free)) for side, row in zip(force[speeds:], slopes)]
    unknowns = border.solve(p, lack)
    moved = [p.add(e, _product(p, unknowns, [row[i] for row in lifted])) for i, e in enumerate(free)]
    safe = p.put("compare", metric.flag, p.number(0.0), detail="ogt")
    return [*system[:count], *moved, *unknowns, p.choose(safe, border.flag, p.number(-1.0))]


def _product(p: Program, one: Sequence[int], two: Sequence[int]) -> int:
    total = p.number(0.0)
    for a, b in zip(one, two):
        total = p.add(total, p.multiply(a, b))
    return total


def curve_symbols() -> tuple[Symbol, Symbol]:
    """The parameters of wires and surfaces in the program."""
    return symbol(OWN[0]), symbol(OWN[1])
