"""Units from dimensional analysis: what the equations and a few known names determine, exactly, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import symengine as se

from nonholo.algebra.calculus import nodes, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame import rate
from nonholo.model.declared_words import rate_table
from nonholo.model.system import System
from nonholo.program.hash_consing import tree_size

BASE = ("[kg]", "[m]", "[s]")
"""The base units among the names, which may be m and s too."""
Dimension = dict[str, Fraction]
"""Exponents of base units, of names, and of numbers that may hide a unit; what is absent has 0."""
UNITS: dict[str, tuple[int, int, int]] = {
    "kg": (1, 0, 0), "m": (0, 1, 0), "s": (0, 0, 1), "rad": (0, 0, 0), "1": (0, 0, 0), "Hz": (0, 0, -1),
    "N": (1, 1, -2), "J": (1, 2, -2), "W": (1, 2, -3), "Pa": (1, -1, -2),
}  # fmt: skip
WRITTEN = {
    (1, 0, -2): "N/m", (1, 2, -2): "N m", (1, 2, -1): "N m s", (1, 2, -3): "N m/s", (1, 1, -1): "N s", (1, 1, -2): "N",
}  # fmt: skip
"""Units that are not written as a product of kg, m and s."""
TURNING = (se.sin, se.cos, se.tan)
PLAIN = (*TURNING, se.asin, se.acos, se.atan, se.sinh, se.cosh, se.tanh, se.log)
"""Functions of a pure number whose value is one."""
ALIKE = (se.Add, se.Abs, se.Max, se.Min, se.atan2)
"""Functions whose arguments have one dimension."""
MOST_NODES = 20_000
"""Larger systems, as machines make them, are not analysed: they bring their units."""
_FACTOR = re.compile(r"(1|[A-Za-z]+)([²³⁴]?)")
_POWERS = {"": 1, "²": 2, "³": 3, "⁴": 4}
_RAISED = {n: s for s, n in _POWERS.items()}


class _Undetermined(Exception):
    """The text cannot be analysed, or its terms contradict each other."""


def determined_units(system: System, known: Mapping[str, str]) -> dict[str, str]:
    """Units of the names for which ``known`` and declared units, the equations and L in joules leave one possibility.

    Where these contradict each other there are none; a sum may hold numbers with hidden units, so may a product with a decimal.

    >>> cart = System(coordinates="s b", parameters="M h k c", forces={"s": "-c*sdot"},
    ...     lagrangian="M/2*(sdot**2 + 2*h*sdot*bdot*cos(b) + h**2*bdot**2) - k*s**2/2")
    >>> determined_units(cart, {"s": "m"})
    {'s': 'm', 'b': 'rad', 'M': 'kg', 'h': 'm', 'k': 'N/m', 'c': 'kg/s'}
    >>> determined_units(cart, {}), determined_units(cart, {"M": "kg", "b": "m"})
    ({'b': 'rad'}, {})
    """
    given = {n: d for n, unit in {**known, **system.units}.items() if (d := read_unit(unit)) is not None}
    try:
        solution = _solved(_rows(system, given))
    except _Undetermined:
        return {}
    names = (*system.coordinates, *system.parameters, *system.inputs, *system.quasivelocities, *system.velocities)
    turning = _angles(system)
    rates = {rate(c) for c in system.coordinates}
    units = {}
    for name in dict.fromkeys(n for n in names if n not in rates):
        found = solution.get(name)
        if found is None or any(e.denominator > 1 for e in found):
            continue
        unit = written_unit((int(found[0]), int(found[1]), int(found[2])))
        if unit == "1" and name in turning:
            unit = "rad"
        if unit == "1/s" and _turns(system, name, turning):
            unit = "rad/s"
        units[name] = unit
    return {n: e for n, e in {**units, **known, **system.units}.items() if e != "1" and n in units}


def read_unit(text: str) -> Dimension | None:
    """``kg m²/s²`` as exponents; None where it is no product of units that are known here.

    >>> {n: int(e) for n, e in (read_unit("N m s") or {}).items() if e}, read_unit("furlong")
    ({'[kg]': 1, '[m]': 2, '[s]': -1}, None)
    """
    above, _, below = text.partition("/")
    powers = [Fraction(0)] * 3
    for part, sign in ((above, 1), (below.strip("()"), -1)):
        for word in part.replace("·", " ").split():
            found = _FACTOR.fullmatch(word)
            if found is None or found[1] not in UNITS:
                return None
            powers = [p + sign * _POWERS[found[2]] * e for p, e in zip(powers, UNITS[found[1]])]
    return dict(zip(BASE, powers))


def written_unit(powers: tuple[int, int, int]) -> str:
    """Exponents of kg, m and s as text.

    >>> [written_unit(p) for p in ((1, 2, 0), (0, 1, -2), (1, 0, -2), (0, -1, 0), (0, 0, 0), (-1, 0, -2))]
    ['kg m²', 'm/s²', 'N/m', '1/m', '1', '1/(kg s²)']
    """
    if powers in WRITTEN:
        return WRITTEN[powers]
    words = [(f"{unit}{_RAISED.get(abs(e), f'^{abs(e)}')}", e) for unit, e in zip(UNITS, powers)]
    above, below = (" ".join(word for word, e in words if e * sign > 0) for sign in (1, -1))
    return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")


def _rows(system: System, given: Mapping[str, Dimension]) -> list[Dimension]:
    """Products of names and base units that are pure numbers."""
    contacts = system.contacts
    whole = [system.lagrangian, *system.constraints, *system.holonomic, *system.frame.relations, *system.forces.values()]
    if sum(tree_size(se.sympify(e)) for e in whole) > MOST_NODES:
        raise _Undetermined
    work = _Analysis()
    energy, force, length, speed = (read_unit(unit) or {} for unit in ("J", "N", "m", "m/s"))
    work.equal(system.lagrangian, energy)
    for e in (*system.constraints, *system.holonomic, *system.frame.relations):
        work.of(e)
    for table in (rate_table(system), {symbol(n): e for n, e in system.quasivelocities.items()}):
        for name, e in table.items():
            work.equal(e, work.of(name))
    for c, e in system.forces.items():
        power = energy if c in system.coordinates else read_unit("W") or {}
        work.equal(e, _product(power, {c: Fraction(-1)}))
    for law in contacts:
        for e in (*law.point, *((law.gap,) if law.gap is not None else ())):
            work.equal(e, length)
        for rolls in law.slip:
            work.equal(rolls, speed)
        for ratio in (law.static, law.kinetic, law.restitution):
            work.equal(ratio, {})
        work.equal(law.load, force)
    rates = {rate(c): {c: Fraction(1), BASE[2]: Fraction(-1)} for c in system.coordinates}
    named = {**rates, "t": {BASE[2]: Fraction(1)}}
    return [*work.rows, *(_product(d, {n: Fraction(-1)}) for n, d in (*named.items(), *given.items()))]


class _Analysis:
    """Dimensions of expressions; ``rows`` must vanish so that sums and functions have a meaning."""

    def __init__(self) -> None:
        self.rows: list[Dimension] = []
        self._known: dict[Any, Dimension | None] = {}
        self._hidden = 0

    def equal(self, expr: Any, wanted: Dimension | None) -> None:
        found = self.of(expr) if expr is not None else None
        if found is not None and wanted is not None:
            self.rows.append(_product(found, wanted, -1))

    def of(self, expr: Any) -> Dimension | None:
        """The dimension of an expression; None for a number that may have any."""
        expr = se.sympify(expr)
        if expr not in self._known:
            self._known[expr] = self._found(expr)
        return self._known[expr]

    def _found(self, expr: Expr) -> Dimension | None:
        if isinstance(expr, se.Symbol):
            return {str(expr): Fraction(1)}
        if not expr.free_symbols:
            return None
        if isinstance(expr, se.Mul):
            result: Dimension = {}
            for factor in expr.args:
                known = self.of(factor) if factor.free_symbols else self._factor(factor)
                result = _product(result, known if known is not None else self._fresh())
            return result
        if isinstance(expr, se.Pow):
            base, exponent = expr.args
            if isinstance(exponent, (se.Integer, se.Rational)):
                inside = self.of(base)
                return None if inside is None else _product({}, inside, Fraction(str(exponent)))
            self.equal(exponent, {})
            self.equal(base, {})
            return {}
        if isinstance(expr, PLAIN):
            self.equal(expr.args[0], {})
            return {}
        if isinstance(expr, ALIKE):
            first: Dimension | None = None
            for part in expr.args:
                first = self.of(part) if first is None else first
                self.equal(part, first)
            return {} if isinstance(expr, se.atan2) else first
        for part in expr.args:
            self.of(part)
        return {} if isinstance(expr, se.sign) else self._fresh()

    def _factor(self, number: Expr) -> Dimension:
        """Fractions and halves are pure numbers; a decimal, as 9.81, may hide a unit."""
        if isinstance(number, se.RealDouble) and float(2 * number) % 1:
            return self._fresh()
        return {}

    def _fresh(self) -> Dimension:
        self._hidden += 1
        return {f"hidden {self._hidden}": Fraction(1)}


def _product(one: Dimension, two: Dimension, power: Fraction | int = 1) -> Dimension:
    result = dict(one)
    for name, e in two.items():
        result[name] = result.get(name, Fraction(0)) + power * e
    return {n: e for n, e in result.items() if e}


def _solved(rows: Iterable[Dimension]) -> dict[str, list[Fraction]]:
    """Names that the rows determine, with their exponents (Gauss and Jordan, exact)."""
    done: dict[str, Dimension] = {}
    for row in rows:
        for name, known in done.items():
            if name in row:
                row = _product(row, known, -row[name])
        names = sorted(row.keys() - set(BASE))
        if not names:
            if row:
                raise _Undetermined
            continue
        lead = names[0]
        row = _product({}, row, 1 / row[lead])
        done = {n: _product(r, row, -r[lead]) if lead in r else r for n, r in done.items()}
        done[lead] = row
    return {n: [-row.get(u, Fraction(0)) for u in BASE] for n, row in done.items() if row.keys() <= {n, *BASE}}


def _angles(system: System) -> set[str]:
    """Names that are added up, times numbers, in the argument of a sine, cosine or tangent."""
    exprs = (system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values(), *system.quasivelocities.values())
    more = (e for law in system.contacts for e in (*law.slip, *law.point))
    arguments = [n.args[0] for n in nodes([se.sympify(e) for e in (*exprs, *more)]) if isinstance(n, TURNING)]
    return {str(s) for a in arguments for s in a.free_symbols if not a.diff(s).free_symbols}


def _turns(system: System, name: str, turning: set[str]) -> bool:
    """Whether a velocity is a rate of angles alone, or one of a frame's own, as of a rotation."""
    if name in system.velocities:
        return True
    form = system.quasivelocities.get(name)
    used = {c for c in system.coordinates if form is not None and symbol(rate(c)) in form.free_symbols}
    return bool(used) and used <= turning
