"""Records of equilibria and steady motions: a state, the tangent directions of its family, exact values and a finding.

An exact value is reported only after a proof: with the values substituted, every force of ``M ż = F`` and every rate of the
coordinates is zero, for all values of the parameters that stay symbols. Steady motions are confirmed by Lagrange's equations with
multipliers (`nonholo.symmetry.witness`), which share no code with the search.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.analyse.steady.steady_equations import Steady, rest_means_zero_speeds, typical_rates
from nonholo.analyse.steady.steady_families import Direction
from nonholo.finding import Finding, Lasting
from nonholo.finding.html_tables import html_table
from nonholo.finding.sentences import lasting_words
from nonholo.finding.statements import ALWAYS
from nonholo.symmetry.witness.confirmation import Contradiction, defect
from nonholo.symmetry.witness.trials import tried_steady

NEAR = 1e-9
"""A number this near to a candidate is tried."""
LARGEST = 24
"""Denominators up to this are tried."""
UNITS = 3.0
"""Units of work for one equilibrium."""
LONG = 400
"""Formulas with more operations are not solved."""
NOTHING: FrozenMap[str, float] = FrozenMap()
AT_REST = 1e-9
APART = (0.7, 0.15, 0.02)
"""Distances at which members of a family are sought, the farthest first."""
SHORT = 0.5
"""A member nearer than this part of the distance is not accepted."""


def exact_values(flow: Flow, state: Numbers) -> FrozenMap[str, str]:
    """Every state variable of an equilibrium as a formula; empty where no closed form was confirmed."""
    import sympy  # noqa: F401  (before the work is counted)

    return FrozenMap(within(UNITS, lambda: _searched(flow, state)) or {})


def _searched(flow: Flow, state: Numbers) -> dict[str, str]:
    import sympy

    equations = flow.kernel.equations
    rows = [se.sympify(e)._sympy_() for e in (*equations.kinematics, *equations.force, *equations.invariants.values())]
    if sum(int(sympy.count_ops(e)) for e in rows) > LONG:
        return {}
    symbols = {n: sympy.Symbol(n) for n in flow.names}
    known = {symbols[n]: recognised(float(e)) for n, e in zip(flow.names, state)}
    open_ones = [s for s, e in known.items() if e is None]
    if len(open_ones) > 1:
        return {}
    if not open_ones and all(_vanishes(e.subs(known)) for e in rows):
        return {str(s): str(e) for s, e in known.items()}
    # a formula in the parameters is worth more than a number that happens to be round
    for unknown in open_ones or [s for s, e in known.items() if e != 0]:
        value = float(state[flow.names.index(str(unknown))])
        left = [e.subs({s: v for s, v in known.items() if s != unknown}) for e in rows]
        for answer in dict.fromkeys(c for e in left for c in _solutions(e, unknown)):
            if _is(answer, value, flow) and all(_vanishes(e.subs(unknown, answer)) for e in left):
                return {str(s): str(e) for s, e in (known | {unknown: answer}).items()}
    numbers = {sympy.Symbol(n): sympy.Rational(repr(float(v))) for n, v in flow.parameters.items()}
    if not open_ones and all(_vanishes(e.subs(known).subs(numbers)) for e in rows):
        return {str(s): str(e) for s, e in known.items()}
    return {}


def recognised(value: float) -> Any:
    """A small fraction, a fraction of π or the root of a fraction; None where it is none.

    >>> [str(recognised(e)) for e in (0.75, -3.141592653589793, 1.4142135623730951, 0.123456)]
    ['3/4', '-pi', 'sqrt(2)', 'None']
    """
    import sympy

    for unit, symbol in ((1.0, sympy.Integer(1)), (float(np.pi), sympy.pi)):
        part = Fraction(value / unit).limit_denominator(LARGEST)
        if abs(float(part) - value / unit) < NEAR:
            return sympy.Rational(part.numerator, part.denominator) * symbol
    square = Fraction(value * value).limit_denominator(LARGEST)
    if abs(float(square) - value * value) < NEAR:
        return sympy.sqrt(sympy.Rational(square.numerator, square.denominator)) * (1 if value > 0 else -1)
    return None


def _solutions(expression: Any, unknown: Any) -> list[Any]:
    """Values of one unknown for which an expression vanishes: roots of polynomials in it, or in its cosine or sine."""
    import sympy

    if unknown not in expression.free_symbols:
        return []
    c, s = sympy.symbols("_c _s")
    inner = sympy.expand(sympy.together(expression).as_numer_denom()[0], trig=True)
    plain = inner.subs({sympy.cos(unknown): c, sympy.sin(unknown): s})
    result: list[Any] = []
    for factor, _ in sympy.factor_list(plain)[1]:
        names = factor.free_symbols & {c, s, unknown}
        if names == {unknown} and factor.is_polynomial(unknown) and sympy.degree(factor, unknown) <= 2:
            result += sympy.roots(factor, unknown)
        elif names == {c} and sympy.degree(factor, c) <= 2:
            result += [sign * sympy.acos(r) for r in sympy.roots(factor, c) for sign in (1, -1)]
        elif names == {s} and sympy.degree(factor, s) <= 2:
            result += [e for r in sympy.roots(factor, s) for e in (sympy.asin(r), sympy.pi - sympy.asin(r))]
        elif names == {c, s} and sympy.Poly(factor, c, s).total_degree() == 1 and factor.subs({c: 0, s: 0}) == 0:
            ratio = -sympy.diff(factor, c) / sympy.diff(factor, s)
            result += [sympy.atan(ratio), sympy.atan(ratio) + sympy.pi, sympy.atan(ratio) - sympy.pi]
    return result


def _is(candidate: Any, value: float, flow: Flow) -> bool:
    """Whether a formula has the value that was found."""
    number = complex(candidate.subs(dict(flow.parameters)).evalf())
    return abs(number - value) < NEAR * max(1.0, abs(value))


def _vanishes(expression: Any) -> bool:
    import sympy

    return bool(expression == 0 or sympy.simplify(expression) == 0)


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state that stays as it is (``velocity`` empty), or that only moves along the orbits of the symmetry.

    Made by `equilibria` and `relative_equilibria`.

    >>> import nonholo as nh
    >>> bead = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - (x - 1)**2")
    >>> (found,) = nh.equilibria(bead)
    >>> found.state["x"], [d.name for d in found.family], str(found.finding)[:24]
    (1.0, ['y'], '✓ this is an equilibrium')
    """

    name: str
    """The system's."""
    state: FrozenMap[str, float]
    """Every name there: coordinates, speeds, rates and quasi-velocities."""
    family: tuple[Direction, ...]
    """Tangent directions of the family; for steady motions those that are no motions of the group."""
    finding: Finding
    velocity: FrozenMap[str, float] = NOTHING
    """How fast the motion goes along each generator of the symmetry."""
    names: tuple[str, ...] = ()
    """The state variables among the names."""
    parameters: FrozenMap[str, float] = NOTHING
    flow: Flow | None = field(default=None, repr=False)
    condition: Lasting = ALWAYS
    """While which contacts keep their mode."""

    @cached_property
    def exact(self) -> FrozenMap[str, str]:
        """The state variables as formulas where these were confirmed by exact substitution; empty where not, or where it moves.

        >>> import nonholo as nh
        >>> hoop = nh.System(coordinates="q", lagrangian="qdot**2/2 + W**2*sin(q)**2/2 + 2*cos(q)", parameters={"W": 2.0})
        >>> [found.exact["q"] for found in nh.equilibria(hoop)]
        ['0', 'acos(2/W**2)', '-acos(2/W**2)', 'pi']
        """
        if self.flow is None or self.velocity:
            return FrozenMap()
        return exact_values(self.flow, np.array([self.state[n] for n in self.names]))

    def __getstate__(self) -> dict[str, Any]:
        """Numbers and words travel; what they were computed with stays here."""
        return {**self.__dict__, "exact": self.exact, "flow": None}

    def __str__(self) -> str:
        return self.description({})

    def description(self, turned: Mapping[str, float], instead_of: Collection[str] = ()) -> str:
        """Where it is, how it moves and its family, in words; angles by name may stand ``instead_of`` entries of rotations."""
        state = {**turned, **{n: self.state[n] for n in self.names if n not in instead_of}}
        shown = [f"{n} = {short(e)}" for n, e in state.items() if abs(e) > 1e-7]
        words = ", ".join(shown) or "all variables zero"
        moving = along_words(self.velocity)
        free = dict.fromkeys("attitude" if d.name in instead_of else d.name for d in self.family if not d.symmetry)
        along = ["attitude" if d.name in instead_of else " with ".join((d.name, *d.others)) for d in self.family if d.symmetry]
        return (
            words
            + (f"; moves along {moving}" if moving else "")
            + (f"; family: {', '.join(free)}" if free else "")
            + (f"; moved by symmetry: {', '.join(along)}" if along else "")
            + lasting_words(self.condition)
        )


class Equilibria(tuple[Equilibrium, ...]):
    """Equilibria or steady motions that print as lines and show themselves as a table in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "none found"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for one in self:
            at = ", ".join(f"{n} = {short(one.state[n])}" for n in one.names if abs(one.state[n]) > 1e-7) or "all variables zero"
            moving = ", ".join(f"{short(e)} {n}" for n, e in one.velocity.items() if abs(e) > AT_REST)
            free = ", ".join(d.name for d in one.family)
            rows.append([escape(cell) for cell in (at + lasting_words(one.condition), moving, free)])
        return html_table(rows, ("state", "moves along", "directions of the family")) if rows else "<p>None found.</p>"


def along_words(velocity: Mapping[str, float]) -> str:
    """A velocity of the group as a person reads it.

    >>> along_words({"turn": 2.0, "shift_x": -0.5})
    '2 turn - 0.5 shift_x'
    """
    names = {n: f"({n})" if " + " in n else n for n in velocity}
    return " + ".join(f"{short(e)} {names[n]}" for n, e in velocity.items() if abs(e) > AT_REST).replace("+ -", "- ")


def short(value: float) -> str:
    """A number as a person reads it."""
    return f"{value + 0.0:.6g}"


def without_rounding(state: Numbers) -> Numbers:
    """Numbers that are zero but for rounding are zero."""
    return np.where(np.abs(state) < 1e-12, 0.0, state)


def with_witness(found: Sequence[Equilibrium]) -> list[Equilibrium]:
    """What was found, with a `Defect` in place of the finding of each that a motion contradicts, or whose family is empty."""
    if not found or any(one.flow is None or one.flow.given_system is None for one in found):  # equations by hand
        return list(found)
    chosen = [_members(one) for one in found]
    wrong = [_missing(one, members) for one, members in zip(found, chosen)]
    if not any(wrong) and _against(found, chosen) is None:  # all at once: the usual case
        return list(found)
    result = []
    for one, members, empty in zip(found, chosen, wrong):
        against = empty or _against([one], [members])
        defects = None if against is None or one.flow is None else defect(one.flow.system, one.finding, against)
        result.append(one if defects is None else replace(one, finding=defects))
    return result


def _missing(one: Equilibrium, members: dict[str, Numbers | None]) -> Contradiction | None:
    """A direction of the family in which there is no member."""
    empty = next((name for name, row in members.items() if row is None), None)
    return None if empty is None else Contradiction(APART[-1], 0.0, f"the family has no member beside this one along {empty}")


def _against(found: Sequence[Equilibrium], members: Sequence[dict[str, Numbers | None]]) -> Contradiction | None:
    """Contradictions found along motions; those in the same speeds are tested together."""
    groups: dict[int, tuple[list[dict[str, float]], list[list[float]]]] = {}
    for one, chosen in zip(found, members):
        if one.flow is None:
            continue
        states, weights = groups.setdefault(id(one.flow), ([], []))
        n, rows = one.flow.size, [row for row in chosen.values() if row is not None]
        states += [dict(one.state), *(one.flow.full(row[:n]) for row in rows)]
        own = [one.velocity.get(name, 0.0) for name in one.flow.fields.names]
        weights += [own, *(row[n:].tolist() or [0.0] * len(own) for row in rows)]
    for one in found:
        if one.flow is not None and id(one.flow) in groups:
            flow = one.flow
            states, weights = groups.pop(id(flow))
            width = len(flow.kernel.equations.coordinates)
            fields = [field[:width] for field in flow.fields.fields]
            against = tried_steady(flow.system, flow.parameters, states, fields, weights)
            if against is not None:
                return against
    return None


def _members(one: Equilibrium) -> dict[str, Numbers | None]:
    """For each direction of the family the farthest member, as unknowns; None where every search leads back."""
    flow = one.flow
    if flow is None:
        return {}
    state = np.array([one.state[n] for n in flow.names])
    around = np.random.default_rng(3).uniform(-0.3, 0.3, (8, flow.size))
    rate = typical_rates(flow, onto_bound(flow, state * (1 + around[::-1]) + around))
    ways = [direction for direction in one.family if not direction.symmetry]
    quick = any(direction.slopes.get(n, 0.0) for direction in ways for n in flow.names[flow.width :])
    still = not one.velocity and not quick and rest_means_zero_speeds(flow, state[None])
    steady = Steady(flow, rate, bool(one.velocity), still)
    result: dict[str, Numbers | None] = {}
    for direction in ways:
        way = np.array([direction.slopes.get(n, 0.0) for n in flow.names])
        way = way / np.linalg.norm(way)
        lengths = np.repeat(APART, 2)
        landed = steady.newton_zeros(steady.starts(state + np.outer(lengths * np.tile([1, -1], len(APART)), way)), 25)
        moved = np.abs((landed[:, : flow.size] - state) @ way)
        if np.any(np.isfinite(moved)):
            result[direction.name] = next((row for row, m, far in zip(landed, moved, lengths) if m > SHORT * far), None)
    return result
