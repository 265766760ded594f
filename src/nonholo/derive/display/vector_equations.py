"""The equations of a rigid body as one vector equation, where the system's own equations are proved to be its components.

A body that turns by ``Ṙ = R ŵ``, about a fixed point or rolling on a plane, obeys, with the vector ρ from its centre to the
contact in the body [Borisov and Mamaev 2002],

    K̇ = K × w + m ρ̇ × (w × ρ) + T + Q + Σ λ_i a_i,     K = I w + k + m ρ × (w × ρ),     a_i · w = 0

Everything in it is read off the Lagrangian and the constraints, with little care; what decides is `proved`: along every
admissible velocity it must be the equation that was derived, exactly, at random rotations modulo a prime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, jacobian, larger_than, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.modular_arithmetic import Residues
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.chart_coordinates import turns_of
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.errors import NonholoError
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups
from nonholo.model.rotation_axes import Axis, axes_of, matrices, system_notation
from nonholo.model.system import System, force_covector, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.shortening.shorten import shortened

POINTS, ENOUGH = 48, 6
"""Random rotations at which the equations are compared, and how many must have all the roots that occur."""
BUDGET = 1.0
"""Units of work for making what is read off short."""
LARGEST = 6000
"""Equations with more nodes are left in components."""
Vector = tuple[Expr, ...]


@dataclass(frozen=True)
class VectorForm:
    """A proved vector equation; what does not occur in it is empty."""

    rates: tuple[str, ...]
    """The names of the body rates w."""
    axes: tuple[Axis, ...]
    inertia: tuple[Vector, ...]
    rotor: Vector = ()
    """Momentum k of what spins inside the body."""
    mass: Expr = ZERO
    arm: Vector = ()
    """The vector ρ of a body that rolls."""
    along: tuple[Expr, Axis] | None = None
    """``ρ = s γ``: the number s and the axis."""
    swept: bool = False
    """Whether ``m ρ̇ × (w × ρ)`` is anything but zero."""
    potential: Expr = ZERO
    torque: tuple[tuple[Axis, Vector], ...] = ()
    """T is the sum of ``γ × ∂U/∂γ`` over these axes, with these slopes."""
    weight: Expr | None = None
    """``T = f ρ × γ`` with this f."""
    applied: Vector = ()
    held: tuple[Vector, ...] = ()
    """The vectors a of ``a · w = 0``."""


_FORMS: WeakCache[VectorForm | None] = WeakCache(64)


def vector_form(equations: MassAndForce) -> VectorForm | None:
    """The vector equation of a rigid body whose components these equations are, or None where that is not proved.

    >>> import nonholo as nh
    >>> form = vector_form(nh.hamel(nh.gallery.get("euler-top").system))
    >>> form.inertia[0], form.torque, form.held
    ((I1, 0, 0), (), ())
    """
    if equations.system is None or equations.unknowns:
        return None
    return _FORMS.get(equations, lambda: _form(equations, equations.system))


def _form(equations: MassAndForce, system: System | None) -> VectorForm | None:
    if system is None or system.parametric is not None or system.magnetic or system.holonomic:
        return None
    flat = [*(e for row in equations.mass for e in row), *equations.force]
    same = tuple(map(str, equations.coordinates)) == tuple(system.coordinates)
    if not same or larger_than(flat, LARGEST):
        return None
    try:
        found = _read(system)
        form = _polished(found, equations, system) if found is not None else None
        return form if form is not None and all(axis.name for axis, _ in form.torque) else None
    except (NonholoError, NoPoints, Unsupported, ZeroDivisionError, RuntimeError):
        return None


def _read(system: System) -> VectorForm | None:
    """What the Lagrangian and the constraints say, to be proved."""
    turns = matrices(system.coordinates, system.frame.rates)
    if len(turns) != 1:
        return None
    ((letter, turn),) = turns.items()
    named = {a.number: a for a in axes_of(system) if a.row}
    axes = [named.get(k, Axis("", letter, k, True)) for k in (1, 2, 3)]
    v = symbols(system.velocities)
    w = turn.rates
    if turn.in_space or not all(e in v for e in w):
        return None
    others = [s for s in v if s not in w]
    rows = constraint_rows(system)
    if not rows.linear or any(side != 0 for side in rows.sides):
        return None
    slopes = [dict(zip(v, row)) for row in rows.slopes]
    rolling = [row for row in slopes if any(row[s] != 0 for s in others)]
    held = [tuple(row[s] for s in w) for row in slopes if row not in rolling]
    if len(rolling) != len(others) or len(others) not in (0, 2, 3):
        return None
    carried = _carried(rolling, others, w)
    if carried is None:
        return None
    (l,) = resolve(system, [system.lagrangian], f"{system.name}: lagrangian")
    moving = {s: dot(row, w) for s, row in zip(others, carried)}
    (inside,) = substitute([l], moving)
    still = dict.fromkeys(w, ZERO)
    spelling = system_notation(system)
    momenta = gradient(inside, w)
    (rest, *rotor) = substitute([inside, *momenta], still)
    weighed = gradient(gradient(l, others[:1])[0], others[:1])[0] if others else ZERO
    arm = _arm(letter, carried) if others else ()
    leaning = [gradient(e, w) for e in gradient(l, others[:2])]
    if others and weighed != 0 and any(e != 0 for row in leaning for e in row):  # they are not those of the centre of mass
        centre = _arm(letter, [tuple(-e / weighed for e in row) for row in leaning])
        arm = tuple(a - c for a, c in zip(arm, centre))
    (potential, *short), _ = shortened([-rest, *rotor, *arm], BUDGET, spelling)
    rotor, arm = short[:3], tuple(short[3:])
    metric = [list(row) for row in jacobian(momenta, w)]
    square = dot(arm, arm) if arm else ZERO
    for i in range(3):
        for j in range(3):
            if arm:
                metric[i][j] -= weighed * ((square if i == j else ZERO) - arm[i] * arm[j])
    flat, _ = shortened(_somewhere(letter, [e for row in metric for e in row]), BUDGET / 2, spelling)
    places = symbols(system.coordinates)
    pushed = list(force_covector(system))
    slope = dict(zip(v, pushed))
    applied = [slope[s] + dot([slope[o] for o in others], [row[k] for row in carried]) for k, s in enumerate(w)]
    for o, row in zip(others, carried):
        where = symbol(str(o).removesuffix("dot"))
        if where in places:
            applied = [q - potential.diff(where) * c for q, c in zip(applied, row)]
    torque = tuple((a, tuple(gradient(potential, symbols(a.entries)))) for a in axes)
    return VectorForm(
        tuple(map(str, w)),
        tuple(axes),
        tuple(tuple(flat[3 * i : 3 * i + 3]) for i in range(3)),
        tuple(rotor) if any(e != 0 for e in rotor) else (),
        weighed,
        arm,
        swept=bool(arm),
        potential=potential,
        torque=tuple((a, s) for a, s in torque if any(e != 0 for e in s)),
        applied=tuple(applied) if any(e != 0 for e in applied) else (),
        held=tuple(held),
    )


def _carried(rolling: Sequence[dict[Any, Expr]], others: Sequence[Any], w: Sequence[Any]) -> list[Vector] | None:
    """The other velocities as combinations of w, when each rolling constraint tells one of them."""
    told: dict[Any, Vector] = {}
    for row in rolling:
        present = [s for s in others if row[s] != 0]
        if len(present) != 1 or present[0] in told:
            return None
        told[present[0]] = tuple(-row[s] / row[present[0]] for s in w)
    return [told[s] for s in others]


def _somewhere(letter: str, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """What is the same for all rotations at one of them: at the unit, or turned where that is singular."""
    places = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3)]
    found: tuple[Expr, ...] = ()
    for shift in (0, 1):
        home = {symbol(f"{letter}{i}{j}"): ONE if (i + shift - j) % 3 == 0 else ZERO for i, j in places}
        found = tuple(expand(e) for e in substitute(exprs, home))
        if not any("nan" in str(e) or "zoo" in str(e) for e in found):
            break
    return found


def _arm(letter: str, carried: Sequence[Vector]) -> Vector:
    """ρ from ``ẋ = (α × ρ)·w``, ``ẏ = (β × ρ)·w``: by slopes where that is plain, else its components along α, β and γ."""
    alpha, beta, gamma = (symbols(f"{letter}{i}{j}" for j in (1, 2, 3)) for i in (1, 2, 3))
    ahead, aside = carried[0], carried[1]
    plain = (ahead[1].diff(alpha[2]), -ahead[0].diff(alpha[2]), ahead[0].diff(alpha[1]))
    apart = any(e != 0 for e in plain) and not any(e.free_symbols & {*alpha, *beta} for e in plain)
    if apart and all(expand(a - b) == 0 for a, b in zip(ahead, cross(alpha, plain))):
        return plain
    parts = (-dot(aside, gamma), dot(ahead, gamma), dot(aside, alpha))
    return tuple(dot(parts, row) for row in zip(alpha, beta, gamma))


def cross(one: Sequence[Expr], two: Sequence[Expr]) -> Vector:
    """The vector product."""
    return tuple(one[i] * two[j] - one[j] * two[i] for i, j in ((1, 2), (2, 0), (0, 1)))


def momentum(form: VectorForm) -> Vector:
    """``K = I w + k + m ρ × (w × ρ)``."""
    w = symbols(form.rates)
    total = [dot(row, w) for row in form.inertia]
    if form.arm:
        total = [t + form.mass * e for t, e in zip(total, cross(form.arm, cross(w, form.arm)))]
    return tuple(t + k for t, k in zip(total, form.rotor)) if form.rotor else tuple(total)


def residual(form: VectorForm) -> Vector:
    """The left-hand side of the vector equation without reactions, in R, w and ẇ (named w1dot, w2dot, w3dot)."""
    w, pulled = symbols(form.rates), symbols(f"{n}dot" for n in form.rates)
    turning_by = {s: e for a in form.axes for s, e in zip(symbols(a.entries), cross(symbols(a.entries), w))}
    moving = turning_by | dict(zip(w, pulled))
    spin = momentum(form)
    total = [a - b for a, b in zip(_rate(spin, moving), cross(spin, w))]
    terms = [cross(symbols(a.entries), slope) for a, slope in form.torque]
    terms += [form.applied] if form.applied else []
    if form.swept:
        swept = cross(_rate(form.arm, moving), cross(w, form.arm))
        terms.append(tuple(form.mass * e for e in swept))
    return tuple(t - se.Add(*(term[i] for term in terms)) for i, t in enumerate(total))


def _rate(vector: Sequence[Expr], moving: dict[Any, Expr]) -> Vector:
    names = tuple(moving)
    return tuple(dot(gradient(e, names), list(moving.values())) for e in vector)


class Places:
    """Random exact states of the equations: rotations, speeds, accelerations, and the body rates that follow."""

    def __init__(self, form: VectorForm, equations: MassAndForce, system: System, seed: int = 5) -> None:
        self.points = points = Points(POINTS, seed)
        place_groups(points, system.frame)
        turn = turns_of(equations).get(form.axes[0].matrix)
        if turn is None or turn.in_space:
            raise NoPoints("the matrix does not turn so")
        z = equations.speeds
        pull = {s: points.random() for s in z}
        self.basis = [gradient(e, z) for e in turn.rates]
        accelerations = []
        for e in turn.rates:
            total = self._summed([(d, pull[s]) for d, s in zip(gradient(e, z), z)])
            steps = points.values(equations.kinematics)
            slopes = gradient(e, equations.coordinates)
            accelerations.append((total + self._summed(list(zip(slopes, steps)))) % points.p)
        own = [self._summed([(m, pull[s]) for m, s in zip(row, z)]) for row in equations.mass]
        self.own = [(a - points.value(f)) % points.p for a, f in zip(own, equations.force)]
        values = points.values(turn.rates)
        for name, value, rate in zip(form.rates, values, accelerations):
            if symbol(name) not in z:
                points.set(symbol(name), value)
            points.set(symbol(f"{name}dot"), rate)

    def _summed(self, terms: Sequence[tuple[Expr, Residues]]) -> Residues:
        total = np.zeros(self.points.count, dtype=np.int64)
        for coefficient, value in terms:
            total = (total + self.points.value(coefficient) * value) % self.points.p
        return total

    def along(self, vector: Sequence[Expr]) -> list[Residues]:
        """The components of a vector along each speed, ``W_α · vector``."""
        values = self.points.values(vector)
        return [self._summed([(row[k], value) for row, value in zip(self.basis, values)]) for k in range(len(self.own))]

    def zero(self, values: Sequence[Residues]) -> bool:
        """Whether all vanish at every place that has the roots they need, and whether those are enough."""
        good = self.points.good
        return int(np.sum(good)) >= ENOUGH and not any(np.any(v[good] % self.points.p) for v in values)

    def vanishes(self, vector: Sequence[Expr]) -> bool:
        """Whether a vector is zero at all of them."""
        return self.zero(self.points.values(vector))


def _polished(form: VectorForm, equations: MassAndForce, system: System) -> VectorForm | None:
    """The form where it is proved, without terms that vanish; None where it is not."""
    places = Places(form, equations, system)
    if not proved(form, equations, places):
        return None
    still = set(symbols(system.coordinates))
    spelling = system_notation(system)
    if form.arm:
        w = symbols(form.rates)
        moving = {s: e for a in form.axes for s, e in zip(symbols(a.entries), cross(symbols(a.entries), w))}
        form = replace(form, swept=not places.vanishes(cross(_rate(form.arm, moving), cross(w, form.arm))))
        for axis in form.axes:
            (ratio,), _ = shortened([form.arm[2] / symbol(axis.entries[2])], BUDGET / 4, spelling)
            gap = [e - ratio * symbol(n) for e, n in zip(form.arm, axis.entries)]
            if axis.name and not ratio.free_symbols & still and places.vanishes(gap):
                form = replace(form, along=(ratio, axis))
    pulls = [cross(symbols(a.entries), slope) for a, slope in form.torque]
    if pulls and places.vanishes([se.Add(*parts) for parts in zip(*pulls)]):
        form = replace(form, torque=())
    if form.arm and len(form.torque) == 1:
        ((axis, slope),) = form.torque
        lever, (pull,) = cross(form.arm, symbols(axis.entries)), pulls[:1]
        tried = [a / b for a, b in ((-slope[0], form.arm[0]), (pull[0], lever[0]), (pull[1], lever[1])) if b != 0]
        for weight in shortened(tried, BUDGET / 4, spelling)[0]:
            constant = weight != 0 and not weight.free_symbols & still
            if constant and places.vanishes([a - weight * b for a, b in zip(pull, lever)]):
                return replace(form, weight=weight)
    return form


def proved(form: VectorForm, equations: MassAndForce, places: Places) -> bool:
    """Whether ``W_α · (K̇ − …) = M_αβ ż_β − F_α`` identically, and the reactions do no work there."""
    if len(form.held) + len(equations.speeds) != 3:
        return False
    told = places.along(residual(form))
    if not places.zero([(a - b) % places.points.p for a, b in zip(told, places.own)]):
        return False
    return all(places.zero(places.along(a)) for a in form.held)
