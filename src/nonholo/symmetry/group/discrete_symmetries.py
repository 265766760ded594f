"""Discrete symmetries and reversors: signed permutations and half turns of coordinates, momenta and parameters.

A map S of the state, with the sign ε of time, carries motions to motions when ``f(S x) = ε S f(x)`` for the rates f
[BMZ 2009, 6.3].
The candidates are tried at random admissible states; their number is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, pi
from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.numeric_functions import table_function
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.derive.equations import Equations
from nonholo.derive.laws.check import random_states
from nonholo.derive.multipliers import multipliers
from nonholo.errors import ModelError
from nonholo.model.system import TIME, System, check_system
from nonholo.symmetry.integrals.conserved_quantity import with_laws
from nonholo.symmetry.reduction.reduction_record import ReductionRecord

MOST = 60_000
"""So many candidates are tried; beyond that permutations are left out."""
STATES = 4
SAME = 1e-8


@dataclass(frozen=True, repr=False)
class DiscreteSymmetry:
    """A map of the state, and of parameters, that carries motions to motions; a reversor runs them backwards.

    ``signs`` and ``places`` say that variable k becomes ``signs[k] · x[places[k]] + shifts[k]``.
    """

    variables: tuple[str, ...]
    places: tuple[int, ...]
    signs: tuple[int, ...]
    shifts: tuple[float, ...]
    reverses: bool
    parameters: FrozenMap[str, str]
    """Parameters that change, and to what."""

    @property
    def table(self) -> FrozenMap[str, str]:
        """What each variable becomes, as text; those that stay are left out."""
        found = {}
        for k, n in enumerate(self.variables):
            other = self.variables[self.places[k]]
            word = ("-" if self.signs[k] < 0 else "") + other + (" + pi" if self.shifts[k] else "")
            if word != n:
                found[n] = word
        return FrozenMap(found)

    @property
    def diagonal(self) -> bool:
        """Whether it changes signs alone."""
        return self.places == tuple(range(len(self.variables))) and not any(self.shifts)

    @property
    def odd(self) -> tuple[str, ...]:
        """Variables that are odd functions of time along a motion that starts in the fixed set of a reversor of signs."""
        return self._with_sign(-1) if self.reverses else ()

    def _with_sign(self, sign: int) -> tuple[str, ...]:
        return tuple(n for n, s in zip(self.variables, self.signs) if s == sign) if self.diagonal else ()

    @property
    def even(self) -> tuple[str, ...]:
        """Variables that are even functions of time along such a motion."""
        return self._with_sign(1) if self.reverses else ()

    @property
    def kept(self) -> tuple[str, ...]:
        """Variables that stay zero where they start at zero together: the fixed set of a symmetry of signs."""
        return self._with_sign(-1) if not self.reverses else ()

    def __call__(self, state: Mapping[str, float]) -> dict[str, float]:
        """The image of a state."""
        return {
            n: self.signs[k] * float(state[self.variables[self.places[k]]]) + self.shifts[k] for k, n in enumerate(self.variables)
        }

    def follows(self) -> str:
        """What follows for special motions, in a sentence; empty where nothing simple does."""
        if self.parameters:
            return "motions of one system are motions of the other"
        if self.odd and self.even:
            zero = " = ".join(self.odd)
            return f"from {zero} = 0: {', '.join(self.odd)} odd and {', '.join(self.even)} even in time"
        if self.reverses and self.diagonal and not self.odd:
            return "every motion run backwards is one"
        return f"{' = '.join(self.kept)} = 0 stays so" if self.kept else ""

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        moved = [*(["t -> -t"] if self.reverses else []), *(f"{n} -> {e}" for n, e in self.table.items())]
        moved += [f"{n} -> {e}" for n, e in self.parameters.items()]
        words = self.follows()
        return f"{'reversor' if self.reverses else 'symmetry'}: {', '.join(moved)}" + (f"; {words}" if words else "")


class DiscreteSymmetries(tuple[DiscreteSymmetry, ...]):
    """What was found, in order; ``tried`` says how many candidates there were and which kinds."""

    tried: str = ""

    def __str__(self) -> str:
        return "\n".join([*map(str, self), f"tried: {self.tried}"])

    @property
    def reversors(self) -> tuple[DiscreteSymmetry, ...]:
        """Those that run motions backwards."""
        return tuple(s for s in self if s.reverses)


def discrete_symmetries(
    subject: System | ReductionRecord | Equations, parameters: Mapping[str, float] | None = None, *, permuted: bool = False
) -> DiscreteSymmetries:
    """Signed permutations of the coordinates (and half turns of angles) that carry motions to motions, forwards or backwards.

    Of a reduction the map is of shape and momenta, as in BMZ 2009 (i)–(iv) of §6.3; of bare equations of all of the state.
    ``permuted=True`` lets parameters change sign or places besides. ``parameters`` are numbers; those not given are generic.

    >>> hill = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**2 - x*y**2")
    >>> print(discrete_symmetries(hill))
    symmetry: y -> -y, ydot -> -ydot; y = ydot = 0 stays so
    reversor: t -> -t, xdot -> -xdot, ydot -> -ydot; from xdot = ydot = 0: xdot, ydot odd and x, y even in time
    reversor: t -> -t, y -> -y, xdot -> -xdot; from y = xdot = 0: y, xdot odd and x, ydot even in time
    tried: 16 signed permutations of x, y
    """
    flow = _Rates(subject, parameters)
    found = []
    candidates, words = _candidates(flow, permuted)
    rows = flow.states
    for places, signs, shifts, reverses, pplaces, psigns in candidates:
        if flow.carries(rows, places, signs, shifts, reverses, pplaces, psigns):
            names = flow.parameters
            table = {n: ("-" if psigns[k] < 0 else "") + names[pplaces[k]] for k, n in enumerate(names)}
            changed = FrozenMap({n: e for n, e in table.items() if n != e})
            found.append(DiscreteSymmetry(flow.names, places, signs, shifts, reverses, changed))
    own = (tuple(range(len(flow.names))), (1,) * len(flow.names), (0.0,) * len(flow.names))
    kept = [s for s in found if s.reverses or s.parameters or (s.places, s.signs, s.shifts) != own]
    result = DiscreteSymmetries(sorted(kept, key=lambda s: (s.reverses, bool(s.parameters), sum(e < 0 for e in s.signs))))
    result.tried = words
    return result


class _Rates:
    """Rates of a first-order system at rows of states, with parameters in the rows."""

    def __init__(self, subject: Any, values: Mapping[str, float] | None) -> None:
        self.positions: int
        self.angles: tuple[int, ...] = ()
        if isinstance(subject, ReductionRecord):
            equations = subject.equations
            if subject.shape.redundant or tuple(map(str, equations.speeds)) != (*subject.rates, *subject.momenta):
                raise ModelError(f"{subject.system.name}: the shape has more variables than dimensions; ask the system itself.")
            self.rated = {str(subject.shape.names[c]): n for c, n in zip(subject.frame.rows, subject.rates)}
            places = [{**p} for p in subject.frame.data.samples]
            random = np.random.default_rng(5)
            drawn_speeds = [{str(s): float(random.uniform(-1, 1)) for s in equations.speeds} for _ in range(STATES)]
            self.places = [{**places[k % len(places)], **speeds} for k, speeds in enumerate(drawn_speeds)]
        elif isinstance(subject, Equations):
            equations = subject
            self.rated = {}
            random = np.random.default_rng(6)
            self.places = [{n: float(random.uniform(0.3, 1.3)) for n in equations.state} for _ in range(STATES)]
        else:
            check_system(subject)
            system = with_laws(subject)
            if not system.frame.plain or system.parametric is not None:
                raise ModelError(
                    f"{system.name}: discrete symmetries are sought of coordinates and their rates; give a reduction, "
                    "nh.reduce(system), or equations, nh.hamel(system), of a system in another frame."
                )
            equations = multipliers(system)
            self.rated = {str(q): str(v) for q, v in zip(equations.coordinates, equations.speeds)}
            self.places = [s.values | s.parameters for s in random_states(system, values, STATES, 31)]
            angles = angle_coordinates(system)
            self.angles = tuple(k for k, q in enumerate(equations.coordinates) if str(q) in angles)
        self.equations = equations
        self.names = equations.state
        self.parameters = tuple(map(str, equations.parameters))
        held = {str(s): 0.0 for s in equations.inputs}
        random = np.random.default_rng(8)
        drawn = {n: float(random.uniform(0.6, 1.6)) for n in self.parameters} | dict(values or {})
        first = {**drawn, **{n: e for n, e in self.places[0].items() if n in self.parameters}, **dict(values or {})}
        order = (*self.names, *self.parameters, "t")
        self.states = np.array([[{"t": 0.3, **first, **p, **first}[n] for n in order] for p in self.places])
        flat = [e for row in equations.mass for e in row] + [*equations.force, *equations.kinematics]
        flat += list(equations.invariants.values())
        table = dict.fromkeys(symbols(held), 0)
        exprs = [e.xreplace(table) for e in flat] if table else flat
        self._function = table_function([*symbols(order[:-1]), TIME], exprs, "lambda")

    def at(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Rates of the state, and the residuals that must vanish; not numbers where the equations are singular."""
        equations, count = self.equations, len(rows)
        k = len(equations.mass)
        found = self._function(rows)
        mass, force = found[:, : k * k].reshape(count, k, k), found[:, k * k : k * k + k]
        rest = found[:, k * k + k :]
        size = len(equations.kinematics)
        try:
            pull = np.linalg.solve(mass, force[:, :, None])[:, : len(equations.speeds), 0]
        except np.linalg.LinAlgError:
            pull = np.full((count, len(equations.speeds)), np.nan)
        return np.hstack([rest[:, :size], pull]), rest[:, size:]

    def carries(
        self, rows: Numbers, places: Any, signs: Any, shifts: Any, reverses: bool, pplaces: Any, psigns: Any
    ) -> bool:
        n, m = len(self.names), len(self.parameters)
        sign = np.array(signs, dtype=float)
        moved = rows.copy()
        moved[:, :n] = rows[:, list(places)] * sign + np.array(shifts)
        if m:
            moved[:, n : n + m] = rows[:, [n + p for p in pplaces]] * np.array(psigns, dtype=float)
        epsilon = -1.0 if reverses else 1.0
        moved[:, -1] = epsilon * rows[:, -1]
        if not hasattr(self, "_own"):
            self._own = self.at(rows)
        one, _ = self._own
        two, held = self.at(moved)
        wanted = epsilon * one[:, list(places)] * sign
        size = 1 + np.max(np.abs(wanted))
        fine = np.all(np.isfinite(two)) and np.max(np.abs(two - wanted), initial=0.0) < SAME * size
        return bool(fine and np.max(np.abs(held), initial=0.0) < SAME * (1 + np.max(np.abs(rows))))


def _candidates(flow: _Rates, parameters: bool) -> tuple[Iterator[tuple[Any, ...]], str]:
    """Maps of the positions, of other speeds and of parameters, with the sign of time; and what they are in words."""
    names = flow.names
    rates = set(flow.rated.values())
    free = [k for k, n in enumerate(names) if n not in rates]  # their rates follow
    groups = [
        [k for k in free if names[k] in flow.rated],
        [k for k in free if names[k] not in flow.rated],
    ]
    groups = [g for g in groups if g]
    m = len(flow.parameters) if parameters else 0
    half = [k for k in free if k in flow.angles]
    count = 2 * int(np.prod([factorial(len(g)) * 2 ** len(g) for g in groups])) * 2 ** len(half) * factorial(m) * 2**m
    permuted = count <= MOST
    if not permuted:
        count = 2 * 2 ** len(free) * 2 ** len(half) * 2**m
        half = half if count <= MOST else []
        m = m if count <= MOST else 0
    shown = ", ".join(names[k] for k in free)
    words = f"{count} {'signed permutations' if permuted else 'changes of sign'} of {shown}"
    words += f", half turns of {', '.join(names[k] for k in half)}" if half else ""
    words += f", signs and places of {', '.join(flow.parameters)}" if m else ""

    def orders(group: Sequence[int]) -> list[tuple[int, ...]]:
        return list(permutations(group)) if permuted else [tuple(group)]

    def made() -> Iterator[tuple[Any, ...]]:
        unit = tuple(range(len(flow.parameters)))
        parts = list(product(permutations(unit), product((1, -1), repeat=m))) if m else [(unit, (1,) * len(unit))]
        for choice in product(*(orders(g) for g in groups)):
            place = {k: p for g, order in zip(groups, choice) for k, p in zip(g, order)}
            for chosen in product((1, -1), repeat=len(free)):
                sign = dict(zip(free, chosen))
                for turned in product((0.0, pi), repeat=len(half)):
                    shift = dict(zip(half, turned))
                    for reverses in (False, True):
                        for pplaces, psigns in parts:
                            yield _whole(flow, place, sign, shift, reverses, pplaces, psigns)

    return made(), words


def _whole(flow: _Rates, place: Any, sign: Any, shift: Any, reverses: bool, pplaces: Any, psigns: Any) -> tuple[Any, ...]:
    """A map of all of the state: rates go with their positions, and change sign with time."""
    names = flow.names
    index = {n: k for k, n in enumerate(names)}
    places, signs, shifts = list(range(len(names))), [1] * len(names), [0.0] * len(names)
    for k, p in place.items():
        places[k], signs[k], shifts[k] = p, sign[k], shift.get(k, 0.0)
        if names[k] in flow.rated:
            rate = index[flow.rated[names[k]]]
            places[rate] = index[flow.rated[names[p]]]
            signs[rate] = -sign[k] if reverses else sign[k]
    return tuple(places), tuple(signs), tuple(shifts), reverses, tuple(pplaces), tuple(psigns)
