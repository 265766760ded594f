"""Noether's theorem for a given vector field, and the momentum equation for a given section of the symmetry algebra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ONE, ZERO, along, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.algebra.prime.random_points import Unsupported, vanishes
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.derive.laws.check import random_states
from nonholo.errors import ModelError, meant
from nonholo.finding import Evidence, FieldInside, FieldPreserves, Finding, Measured, Proved
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.declared_words import multiplier_names
from nonholo.model.specialise import angles_apart
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import TIME, System, check_system, force_covector
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.notation.read import expression
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import NoPoints, exact_states, motion_of, on_shell
from nonholo.symmetry.group.group_action import action
from nonholo.symmetry.integrals.conserved_quantity import judged, parameter_values_given, with_laws
from nonholo.symmetry.integrals.gauge.gauge_basis import generators
from nonholo.symmetry.integrals.primitives import closed_form_primitive, vector_potential
from nonholo.symmetry.vector_fields import Field, components, field_from_table, velocity_lift

Preservation = Literal["fully", "partly", "not"]
POINTS = 12
ROUNDING = 1e-9
WORK = 4.0
"""Units of work for the integral of a closed 1-form."""


@dataclass(frozen=True, repr=False)
class Noether:
    """The momentum ``p^σ = ⟨∂L/∂q̇, σ⟩`` of a vector field σ and what becomes of it [MacDonnell 1997, 5.1].

        d/dt p^σ = σ^C[L] + ⟨Q, σ⟩ + M(σ, q̇) + λ_a ⟨B^a, σ⟩

    ``quantity`` is ``p^σ − F`` where ``M(σ, q̇) + … = dF/dt`` on the constraints; with ``M = dN`` and a gauge in which σ leaves N
    alone, ``−F = N(σ)``. ``constant`` says whether it is constant, with a proof or a counterexample.

    >>> charged = System(coordinates="x y", parameters="B", lagrangian="(xdot**2 + ydot**2)/2", magnetic={("x", "y"): "B"})
    >>> print(noether(charged, "x"))
    p = xdot
    dp/dt = B*ydot
    N = (B*x) dy
    dp/dt = dF/dt with F = B*y
    ✓ σ lies in D (⟨B^a, σ⟩ = 0 at every admissible state)
    ✓ σ fully preserves L (σ^C[L] = 0 at every velocity)
    ✓ xdot - B*y is constant (proved: its rate is zero identically)
    """

    system: System
    field: Field
    """σ in the system's frame."""
    momentum: Expr
    change: Expr
    """``σ^C[L]``: how the lifted field changes the Lagrangian, at any velocity."""
    push: Expr
    """``⟨Q, σ⟩ + M(σ, q̇)``: applied and magnetic forces along σ."""
    reactions: Expr
    """``λ_a ⟨B^a, σ⟩``, zero for a field of D."""
    rate: Expr
    """``d/dt p^σ`` on the constraints; with the multipliers where σ leaves D."""
    preservation: Preservation
    inside: Finding
    preserves: Finding
    potential: FrozenMap[str, Expr]
    """A 1-form N with ``M = dN``; empty where there is no magnetic form or none was found."""
    total: Expr
    """F, where the rate is a total derivative dF/dt; else zero."""
    section: FrozenMap[str, Expr]
    """The components ``ξ^a(q)`` along the generators of the symmetry, where σ was given so."""
    section_rate: Expr | None
    """``⟨∂L/∂q̇, [dξ^q/dt]_Q⟩ + ⟨Q, ξ_Q⟩``, the right side of the momentum equation for a section in D [Notices 2005 (6)]."""
    constant: Finding

    @property
    def quantity(self) -> Expr:
        """``p^σ − F``."""
        return shorten(self.momentum - self.total)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found."""
        return (self.inside, self.preserves, self.constant)

    def __bool__(self) -> bool:
        return bool(self.constant)

    def __repr__(self) -> str:
        return f"<Noether's momentum {to_text(self.momentum)} of {self.system.name}: {self.constant.verdict}>"

    def __str__(self) -> str:
        lines = [f"p = {to_text(self.momentum)}", f"dp/dt = {to_text(self.rate)}"]
        if self.section_rate is not None:
            lines.append(f"dp/dt = {to_text(self.section_rate)} by the momentum equation")
        if self.potential:
            lines.append("N = " + " + ".join(f"({to_text(e)}) d{n}" for n, e in self.potential.items()))
        if self.total != 0:
            lines.append(f"dp/dt = dF/dt with F = {to_text(self.total)}")
        return "\n".join([*lines, *map(str, self.findings)])


def noether(
    system: System, field: Any, *, parameters: Mapping[str, Any] | None = None, symmetry: Symmetry | None = None
) -> Noether:
    """The momentum of one's own vector field: its rate, what the field preserves, and whether the momentum is constant.

    ``field`` is a table of components along coordinates, frame velocities, the system's speeds (then it lies in D), or
    generators of the symmetry with functions for factors (a section ``ξ^q`` of the algebra's bundle); or the name of a
    coordinate or generator.

    >>> skate = System(name="skate", coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> found = noether(skate, {"th": "1"})
    >>> found.preservation, found.constant.proved, noether(skate, "y").constant.verdict
    ('fully', True, 'fails')
    """
    check_system(system)
    given = parameter_values_given(system, parameters)
    driven = with_laws(system)
    inner, section = _read(driven, field, symmetry)
    v = symbols(driven.velocities)
    lagrangian = lagrangian_in_frame(driven)
    change = lagrangian_change(driven, inner)
    push = shorten(dot(force_covector(driven), inner))
    momentum = shorten(dot(gradient(lagrangian, v), inner))
    reactions, inside = _across(driven, inner)
    rate = shorten(_shown(driven, [change + push])[0]) + reactions
    preservation, preserves = _preserved(driven, inner, change)
    form = vector_potential(driven) if driven.magnetic else {}
    total = _total(driven, change + push) if inside and not vanishing(driven, [change + push]) else ZERO
    constant = judged(driven, shorten(momentum - total), given, _theorem(inside, preserves, push, total))
    rhs = shorten(_shown(driven, [_section_rate(driven, section, lagrangian) + push])[0]) if section and inside else None
    return Noether(
        driven, inner, momentum, change, push, reactions, rate, preservation, inside, preserves, FrozenMap(form), total,
        FrozenMap({n: c for n, (c, _) in section.items()}), rhs, constant,
    )  # fmt: skip


def lagrangian_change(system: System, field: Field) -> Expr:
    """``σ^C[l]``: the derivative of the Lagrangian along the lifted field, at any velocity."""
    moved = [dot(row, field) for row in system.frame.anchor]
    turned = velocity_lift(system, field)
    steps = {**dict(zip(symbols(system.coordinates), moved)), **dict(zip(symbols(system.velocities), turned))}
    return shorten(along([lagrangian_in_frame(system)], steps)[0])


def _theorem(inside: Finding, preserves: Finding, push: Expr, total: Expr) -> str:
    if not (inside and preserves):
        return "its rate along the motions"
    if total != 0:
        return "Noether's theorem with a magnetic form M = dN [MacDonnell 1997, 5.1, corrected]"
    return "Noether's theorem [MacDonnell 1997, Proposition 5.1.1]" if push == 0 else "its rate along the motions"


Section = dict[str, tuple[Expr, Field]]
"""Generators by name: a factor that depends on the configuration, and the generator in the frame."""


def _read(system: System, field: Any, symmetry: Symmetry | None) -> tuple[Field, Section]:
    """The field in the frame, and its parts along the generators where it was given so."""
    where = f"{system.name}: the field"
    if isinstance(field, Symmetry):
        if len(field.generators) != 1:
            raise ModelError(f"{where}: {len(field.generators)} generators where one was needed; give one of them.")
        field = dict(next(iter(field.generators.values())))
    if isinstance(field, str):
        field = {field: "1"}
    if not isinstance(field, Mapping) or not field:
        raise ModelError(f"{where} must be a table of components, e.g. {{'x': '1'}}; found {type(field).__name__}.")
    table = {str(n): e for n, e in field.items()}
    known = (*system.coordinates, *system.parameters)
    read = {n: expression(e, known, f"{where}, {n}") for n, e in table.items()}
    own = field_from_table(system, read, where)
    if own is not None:
        return own, {}
    if symmetry is not None:
        group = action(system, symmetry)
        fields: dict[str, Field] = dict(zip(group.names, group.fields))
    else:
        fields = {n: components(system.frame, f, where) for n, f in generators(system).items()}
    stray = [n for n in read if n not in fields]
    if stray:
        names = list(dict.fromkeys((*system.coordinates, *system.velocities, *system.quasivelocities, *fields)))
        mixed = "give all components along coordinates, all along velocities, or all along generators."
        hint = mixed if stray[0] in names else meant(stray[0], names, f"it may have components along {', '.join(names)}.")
        raise ModelError(f"{where} has a component along {stray[0]!r}; {hint}")
    parts = {n: (c, fields[n]) for n, c in read.items()}
    for n, (_, one) in parts.items():
        change = lagrangian_change(system, one)
        if not vanishing(system, [change], anywhere=True):
            raise ModelError(
                f"{where}: the generator {n!r} is no symmetry of the Lagrangian, which it changes at the rate {to_text(change)}; "
                "the momentum equation needs generators that leave it as it is."
            )
    whole = tuple(shorten(se.Add(*(c * f[j] for c, f in parts.values()))) for j in range(len(system.velocities)))
    return whole, parts


def _section_rate(system: System, section: Section, lagrangian: Expr) -> Expr:
    """``Σ ξ̇^a ⟨∂L/∂q̇, (e_a)_Q⟩``, the momenta along the generators taken before the constraints [Notices 2005 (6)]."""
    p = gradient(lagrangian, symbols(system.velocities))
    motion = dict(zip(symbols(system.coordinates), system.frame.rates))
    rates = along([c for c, _ in section.values()], motion)
    return se.Add(*(r * dot(p, f) for r, (_, f) in zip(rates, section.values())))


def _shown(system: System, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """Expressions on the constraints, where the velocities follow from the speeds."""
    allowed = admissible(system)
    if not allowed.explicit:
        return tuple(exprs)
    return substitute(exprs, dict(zip(symbols(system.velocities), allowed.velocity)))


def _across(system: System, inner: Field) -> tuple[Expr, Finding]:
    """``λ_a ⟨B^a, σ⟩``, and whether σ lies in D."""
    if system.parametric is not None:
        raise ModelError(f"{system.name}: Noether's theorem is asked of constraints by residuals; give constraints instead.")
    rows = constraint_rows(system).slopes
    off = [shorten(dot(row, inner)) for row in rows]
    claim = FieldInside(tuple(map(to_text, inner)))
    found = vanishing(system, off)
    if found:
        return ZERO, Finding(claim, "holds", None, found.evidence("⟨B^a, σ⟩ = 0", "at every admissible state"))
    names = symbols(multiplier_names(system, len(rows)))
    shown = _shown(system, off)
    reactions = se.Add(*(n * e for n, e in zip(names, shown)))
    words = ", ".join(f"⟨B^{k + 1}, σ⟩ = {to_text(e)}" for k, e in enumerate(off) if e != 0)
    return reactions, Finding(claim, "fails", None, words)


def _preserved(system: System, inner: Field, change: Expr) -> tuple[Preservation, Finding]:
    """Definitions 5.1.1 and 5.1.2."""
    field = tuple(map(to_text, inner))
    fully, partly = vanishing(system, [change], anywhere=True), vanishing(system, [change])
    if fully:
        claim, words = FieldPreserves(field), fully.evidence("σ^C[L] = 0", "at every velocity")
        return "fully", Finding(claim, "holds", None, words, method="Definition 5.1.1")
    if partly:
        claim = FieldPreserves(field, fully=False)
        words = partly.evidence("σ^C[L] = 0", "where the constraints hold")
        return "partly", Finding(claim, "holds", None, words, method="Definition 5.1.2")
    shown = f"σ^C[L] = {to_text(change)}"
    return "not", Finding(FieldPreserves(field, fully=False), "fails", None, shown, method="Definition 5.1.2")


@dataclass(frozen=True)
class Vanishing:
    """Whether expressions vanish, and whether that was computed exactly or measured at random states."""

    zero: bool
    exact: bool

    def __bool__(self) -> bool:
        return self.zero

    def evidence(self, what: str, where: str) -> Evidence:
        """The evidence in words."""
        return Proved(f"{what} {where}") if self.exact else Measured(f"{what} at random states")


def vanishing(system: System, exprs: Sequence[Expr], anywhere: bool = False) -> Vanishing:
    """Whether expressions vanish at all admissible states, or with any velocities; exactly where that can be computed."""
    if all(e == 0 for e in exprs):
        return Vanishing(True, True)
    try:
        motion = motion_of(angles_apart(system))
        points = exact_states(motion, POINTS, 83).points
        if anywhere:
            points = points.copy_with({s: points.random() for s in symbols(motion.system.velocities)})
            zero = vanishes([se.sympify(e).xreplace(dict(motion.constants)) for e in exprs], points)
        else:
            zero = vanishes(list(on_shell(motion, exprs)), points)
        if zero or not points.opaque:  # else what is not zero there may be zero in truth
            return Vanishing(zero, True)
        return Vanishing(_numerically_zero(system, exprs, anywhere), False)
    except (NoPoints, Unsupported):
        return Vanishing(_numerically_zero(system, exprs, anywhere), False)


def _numerically_zero(system: System, exprs: Sequence[Expr], anywhere: bool) -> bool:
    random = np.random.default_rng(11)
    for place in random_states(system, None, 6, 83):
        values = {**place.values, **place.parameters}
        if anywhere:
            values |= {n: float(random.uniform(-1, 1)) for n in system.velocities}
        terms = [t for e in exprs for t in (e.args if isinstance(e, se.Add) else (e,))]
        size = 1e-12 + float(np.max(np.abs(evaluate(terms, values)), initial=0.0))
        if not np.all(np.abs(evaluate(list(exprs), values)) < ROUNDING * size):
            return False
    return True


def _total(system: System, rate: Expr) -> Expr:
    """F with ``rate = dF/dt`` while the inputs are zero, a function of configuration and time; zero where none is found."""
    if not system.frame.plain:
        return ZERO
    (rate,) = substitute([rate], dict.fromkeys(symbols(system.inputs), ZERO))
    v, x = symbols(system.velocities), symbols(system.coordinates)
    form = [*gradient(rate, v)]
    (rest,) = substitute([rate], dict.fromkeys(v, ZERO))
    if any(e.free_symbols & set(v) for e in form):
        return ZERO
    if vanishing(system, [dot(form, v)], anywhere=True):
        form = [ZERO] * len(v)
    found = within(WORK, lambda: closed_form_primitive([*form, rest], (*x, TIME)))
    if found is None:
        return ZERO
    slope = along([found], {**dict(zip(x, v)), TIME: ONE})[0]
    return found if vanishing(system, [rate - slope]) else ZERO


__all__ = ["Noether", "noether", "vanishing"]
