"""The record of a reduction, its text, and checks of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import symbols, written_size
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    dot,
    evaluate_matrix,
    identity,
    transpose,
)
from nonholo.algebra.subspaces import independent_rows, null_space
from nonholo.derive.display.equation_text import equations_notation
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.finding import Finding, Invariance, Measured, Part
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.rotation_axes import Axis, with_letters, with_meanings
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.model.velocities.admissible import samples_of
from nonholo.notation.names import Notation
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned
from nonholo.symmetry.reduction.momentum.reduced_coefficients import Coefficients
from nonholo.symmetry.reduction.quotient_data import Quotient, natural_parts
from nonholo.symmetry.reduction.reduced_equations import lifted_columns
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape
from nonholo.symmetry.vector_fields import Field

BUDGET = 2.0
"""Units of work for shortening all that is shown."""
LONG = 5000
"""A formula with more symbols and operations than this, written out, is not written out."""
LINES = 40
"""Reduced equations are shown up to this many lines."""


@dataclass(frozen=True, repr=False)
class ReductionRecord:
    """A system modulo its symmetry, as data; `nonholo.symmetry.reduction.reduce.Reduction` adds methods."""

    system: System
    symmetry: Symmetry
    group: Action
    shape: Shape
    basis: Basis
    frame: Aligned
    data: Quotient
    bases: Bases
    connection: Connection | None
    coefficients: Coefficients | None
    momenta: tuple[str, ...]
    rates: tuple[str, ...]
    """Names of the horizontal velocities ``ṙ``."""
    turning: tuple[str, ...]
    """Names of ``Ω`` along S."""
    lagrangian: Expr
    """``l_c(r, ṙ, Ω)``, the constrained reduced Lagrangian; ``Ω`` are called ``Omega_1 …``."""
    momentum_equation: FrozenMap[str, Expr]
    """``ṗ_a`` in ``(r, ṙ, p)``."""
    equations: Equations
    invariant_equations: Equations
    """The same motion in ``(r, y)``, regular also where the momenta's basis is not."""
    reconstruction: Equations
    findings: tuple[Finding, ...]

    @property
    def curvature(self) -> Any:
        """``B_αβ^c``, or None without a connection."""
        return None if self.connection is None else self.connection.curvature

    @property
    def inertia(self) -> Matrix:
        """``I_S`` as a function of the shape."""
        h = self.frame.horizontal
        return tuple(row[h:] for row in self.frame.data.metric[h:])

    @property
    def metric(self) -> Matrix:
        """``G_c``, the constrained metric on shape velocities; also MacDonnell's reduced metric K̄."""
        return self.frame.shape_metric

    @property
    def group_name(self) -> str:
        """The symmetry's own name, or its generators where it has none."""
        return ", ".join(self.group.names) if self.symmetry.name in ("", "found") else str(self.symmetry.name)


def check_reduction(value: Any) -> None:
    """Refuse what is no Reduction, and say how to get one."""
    if not isinstance(value, ReductionRecord):
        hint = "reduce it first, nh.reduce(system)" if isinstance(value, System) else "give nh.reduce(system)"
        raise ModelError(f"found {type(value).__name__} where a Reduction was needed; {hint}.")


def require_orthogonal(value: ReductionRecord) -> None:
    """Refuse a reduction whose horizontal space is not orthogonal to S: what follows is about the nonholonomic connection."""
    check_reduction(value)
    if value.frame.cross:
        raise ModelError(
            f"{value.system.name}: this question is about the nonholonomic connection; reduce without connection=… to ask it."
        )


def text(reduction: Any, budget: float = BUDGET, findings: bool = True) -> str:
    """The reduction as a page of text, with its findings unless they are shown elsewhere."""
    fields = {letter: reduction.bases.rates(letter) for letter in "HSNR"}
    linked = reduction.connection
    components = [e for row in linked.components for e in row] if linked is not None and reduction.rates else []
    shown = [*(e for row in fields.values() for e in row), *components, *reduction.momentum_equation.values()]
    spelling, axes = equations_notation(reduction.equations), reduction.equations.axes
    budget *= 3 if spelling.rotations else 1  # R Rᵀ = 1 makes them far shorter
    short = dict(zip(shown, shortened(shown, budget, spelling)[0]))
    lines = [
        f"{reduction.system.name} modulo {reduction.group_name}",
        f"  group: {', '.join(reduction.group.names)} (orbits of dimension {reduction.group.rank})",
        f"  shape: {_shape(reduction)}",
    ]
    for letter, found in fields.items():
        if found:
            lines.append(f"  {letter}: " + "; ".join(_short(short[e], spelling, axes) for e in found))
    if components:
        rows = [
            f"A^{a + 1}_{with_letters(name.removesuffix('dot'), axes)} = {_short(short[e], spelling, axes)}"
            for a, row in enumerate(linked.components)
            for name, e in zip(reduction.rates, row)
        ]
        lines += [f"  connection: {row}" for row in rows]
    lines += [f"  d{name}/dt = {_short(short[e], spelling, axes)}" for name, e in reduction.momentum_equation.items()]
    page = with_meanings("\n".join(lines), axes)
    return "\n".join([page, *(f"  {finding}" for finding in gathered(reduction.findings))]) if findings else page


def gathered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings; those that say of one generator after the other what is invariant become one."""
    rest: list[Finding] = []
    parts: dict[Part, None] = {}
    names: dict[str, None] = {}
    worst, place = 0.0, 0
    for finding in findings:
        if finding and isinstance(finding.data, Invariance):
            place = place if parts else len(rest)
            parts |= dict.fromkeys(finding.data.parts)
            names |= dict.fromkeys(finding.data.generators)
            worst = max(worst, finding.number)
        else:
            rest.append(finding)
    if parts:
        how = Measured("largest relative change at random states")
        rest.insert(place, Finding(Invariance(tuple(parts), tuple(names)), "holds", worst, how))
    return rest


def equations_text(reduction: Any) -> str:
    """The reduced equations, in rates and momenta or in invariant velocities, whichever is shorter, on a screen."""
    pages = [str(reduction.equations)]
    if reduction.equations is not reduction.invariant_equations and pages[0].count("\n") > LINES:
        pages.append(str(reduction.invariant_equations))
    page = min(pages, key=lambda p: (p.count("\n"), len(p)))
    lines = page.splitlines()
    if len(lines) <= LINES:
        return page
    return "\n".join([*lines[:LINES], f"  … and {len(lines) - LINES} more lines; reduction.equations has them all"])


def _shape(reduction: Any) -> str:
    shape = reduction.shape
    if not shape.names:
        return "none"
    return ", ".join(
        n if n in reduction.system.coordinates else f"{n} = {to_text(f)}" for n, f in zip(shape.names, shape.functions)
    )


def _short(expr: Any, spelling: Notation, axes: Sequence[Axis], limit: int = 160) -> str:
    size = written_size(expr)
    if size > LONG:
        return f"a formula of {float(size):.2g} symbols"
    found = with_letters(to_text(expr, spelling), axes)
    return found if len(found) <= limit else f"{found[: limit - 2]} …"


@dataclass(frozen=True)
class Bases:
    """Vector fields by components in the system's frame velocities; also by the letters, ``bases["H"]``."""

    velocities: tuple[str, ...]
    H: tuple[Field, ...]
    S: tuple[Field, ...]
    N: tuple[Field, ...]
    R: tuple[Field, ...]

    def __getitem__(self, letter: str) -> tuple[Field, ...]:
        if letter not in ("H", "S", "N", "R"):
            raise KeyError(letter)
        found: tuple[Field, ...] = getattr(self, letter)
        return found

    @property
    def dimensions(self) -> FrozenMap[str, int]:
        """How many fields each has."""
        return FrozenMap({letter: len(self[letter]) for letter in "HSNR"})

    def rates(self, letter: str) -> tuple[Expr, ...]:
        """The fields as velocities, ``Σ X^i v_i`` in the frame's names; for reading."""
        return tuple(dot(field, symbols(self.velocities)) for field in self[letter])


def bases_of(
    system: System, group: Action, basis: Basis, shape: Shape, frame: Aligned, linked: Connection | None
) -> Bases:
    """Bases of H, S, N and R with the kinetic metric; with a connection all of them are invariant."""
    columns = transpose(lifted_columns(shape, basis, frame))
    h = frame.horizontal
    horizontal, along = columns[:h], columns[h:]
    metric = natural_parts(system)[0]
    places = samples_of(system, count=2)
    if linked is not None:
        normal = _normal(shape, frame, linked)
    else:
        orbit = _independent(group.fields, places)
        lowered = [tuple(dot(row, s) for row in metric) for s in along]
        normal = _kernel([[dot(row, field) for field in orbit] for row in lowered], orbit, places)
    span = [*horizontal, *along, *normal]
    unit = identity(len(metric))
    rest = (
        _kernel([tuple(dot(row, field) for row in metric) for field in span], unit, places)
        if len(span) < len(metric)
        else ()
    )
    return Bases(system.velocities, tuple(horizontal), tuple(along), tuple(normal), tuple(rest))


def _normal(shape: Shape, frame: Aligned, linked: Connection) -> tuple[Field, ...]:
    """``e_a' − e_a I_S^{ab} I_ba'``: U made orthogonal to S."""
    m = linked.momenta
    columns = transpose(linked.basis)
    result = []
    for a in range(m, len(linked.inertia)):
        mixed = [linked.inertia[b][a] for b in range(m)]
        weights = [dot(row, mixed) for row in frame.inverse_inertia]
        field = [e - dot(weights, [columns[b][i] for b in range(m)]) for i, e in enumerate(columns[a])]
        lifted = shape.lift([shorten(e) for e in field])
        result.append(tuple(shorten(dot(row, lifted)) for row in linked.fields))
    return tuple(result)


def _independent(fields: Sequence[Field], places: Sequence[dict[str, float]]) -> list[Field]:
    return [fields[k] for k in independent_rows(evaluate_matrix(fields, places[0]))] if fields else []


def _kernel(rows: Any, fields: Sequence[Field], places: Sequence[dict[str, float]]) -> tuple[Field, ...]:
    """Combinations ``fields · c`` with ``rows · c = 0``."""
    width = len(fields)
    if not width:
        return ()
    if not rows:
        return tuple(fields)
    try:
        _, vectors = null_space(rows, width, places)
    except DependentRows:
        return ()
    return tuple(tuple(shorten(dot(row, vector)) for row in transpose(fields)) for vector in vectors)
