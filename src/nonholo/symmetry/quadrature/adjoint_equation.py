"""The adjoint equation ``κ_j p_a = N_ja^c p_c`` [MacDonnell 1997 (7.11)] and what it needs: flatness, freedom of the shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nonholo.algebra.calculus import ZERO, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_all
from nonholo.errors import ModelError, Remedy
from nonholo.finding import Finding, Property, bounded
from nonholo.geometry.frames.brackets import shorten_matrix
from nonholo.model.velocities.admissible import samples_of
from nonholo.notation.write import to_text
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices, curvature_terms, metric_changes
from nonholo.symmetry.reduction.quotient_data import Cube
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, require_orthogonal

EQUATIONS = Remedy("use reduction.equations", "", "")
LIMIT = 1e-9
PLACES = 5
GROUP_PART = "S (the admissible directions along the group's orbits)"
SHAPE_PART = "H (the admissible directions orthogonal to S)"


def places_of(reduction: ReductionRecord, count: int = PLACES) -> list[dict[str, float]]:
    """Random shapes with random parameters."""
    shape, system = reduction.shape, reduction.system
    result = []
    for place in samples_of(system, count=count):
        values = evaluate(list(shape.functions), place).tolist() if shape.names else []
        result.append(
            {**{n: place[n] for n in (*system.parameters, *system.inputs, "t")}, **dict(zip(shape.names, values))}
        )
    return result


def largest(exprs: Sequence[Expr], scale: Sequence[Expr], places: Sequence[dict[str, float]]) -> float:
    """The largest of the expressions at the places, relative to the largest of ``scale`` (the terms they are made of)."""
    numbers = np.abs(evaluate_all([*exprs, ZERO, *scale, ZERO], places))
    found, size = (np.max(part, axis=1) for part in (numbers[:, : len(exprs) + 1], numbers[:, len(exprs) + 1 :]))
    return float(np.max(np.where(size > 1e-12, found / np.maximum(size, 1e-12), found)))


def largest_term(terms: Sequence[tuple[Expr, list[Expr]]], places: Sequence[dict[str, float]]) -> float:
    """The largest of expressions at the places, relative to the terms that they are made of."""
    return largest([e for e, _ in terms], [e for _, parts in terms for e in parts], places)


def flatness(reduction: ReductionRecord) -> tuple[Finding, Finding]:
    """The two conditions for ``ṗ`` to have only terms ``p ṙ``: γ preserves K on S and on H.

    K([γ_i, γ_j], γ_k) + K(γ_j, [γ_i, γ_k]) = 0,    K([γ_i, κ_j], κ_k) + K(κ_j, [γ_i, κ_k]) = 0    [(7.2), (7.3)]

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> for finding in nh.studies.flatness(nh.reduce(particle, nh.translation("x"))):
    ...     print(finding.verdict)
    holds
    holds
    """
    require_orthogonal(reduction)
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    places = places_of(reduction)
    found = []
    for label, what, part in (("(7.2)", GROUP_PART, range(h, h + m)), ("(7.3)", SHAPE_PART, range(h))):
        changes = metric_changes(reduction.frame, part)
        claim = Property(
            f"the symmetries preserve the kinetic energy on {what} (flatness, {label} of MacDonnell)",
            f"the symmetries do not preserve the kinetic energy on {what} (flatness, {label} of MacDonnell)",
        )
        one = bounded(claim, largest_term(changes, places), LIMIT, "relative, at random shapes")
        found.append(replace(one, method="flatness"))
    return found[0], found[1]


@dataclass(frozen=True, repr=False)
class AdjointEquation:
    """``κ_j p_a = N_ja^c p_c`` (7.11), and the PDE for ``σ = σ^a γ_a`` with constant momenta, ``κ_j σ^c = −σ^a N_ja^c`` (7.7).

    ``matrices[j][a][c]`` is ``N_ja^c`` as a function of the shape.
    """

    shape: tuple[str, ...]
    momenta: tuple[str, ...]
    matrices: Cube
    flat: tuple[Finding, Finding]
    integrable: Finding

    @property
    def sigma(self) -> Cube:
        """``S[j][c][a]`` with ``κ_j σ^c = S_j^c_a σ^a``."""
        m = len(self.momenta)
        return tuple(tuple(tuple(-block[a][c] for a in range(m)) for c in range(m)) for block in self.matrices)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = []
        for r, block, other in zip(self.shape, self.matrices, self.sigma):
            for a, p in enumerate(self.momenta):
                lines.append(f"d{p}/d{r} = {to_text(dot(block[a], symbols(self.momenta)))}")
            names = symbols(f"sigma{a + 1}" for a in range(len(self.momenta)))
            for c, row in enumerate(other):
                lines.append(f"d{names[c]}/d{r} = {to_text(dot(row, names))}")
        return "\n".join([*lines, *map(str, (*self.flat, self.integrable))])


def adjoint_equation(reduction: ReductionRecord) -> AdjointEquation:
    """The adjoint equation and the PDE for σ as formulas, with what they need: flatness and integrability.

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> print(str(adjoint_equation(nh.reduce(particle, nh.translation("x", "z")))).splitlines()[0])
    dp/dy = p*y/(y**2 + 1)
    """
    require_orthogonal(reduction)
    shapes = tuple(reduction.shape.names[c] for c in reduction.frame.rows)
    found = tuple(map(shorten_matrix, adjoint_matrices(reduction.frame)))
    return AdjointEquation(shapes, reduction.momenta, found, flatness(reduction), integrable(reduction))


def integrable(reduction: ReductionRecord) -> Finding:
    """Whether the adjoint equation has as many solutions as momenta: ``κ_i N_j − κ_j N_i + [N_j, N_i] = 0``."""
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    claim = Property("the adjoint equation (7.11) is integrable", "the adjoint equation (7.11) is not integrable")
    if h < 2 or m == 0:
        return Finding(claim, "holds", None, "one shape variable" if m else "no momenta")
    terms = curvature_terms(reduction.frame, adjoint_matrices(reduction.frame))
    return bounded(claim, largest_term(terms, places_of(reduction)), LIMIT, "relative, at random shapes")


def require_reducible(reduction: ReductionRecord) -> None:
    """Shape velocities are free and nothing pushes but the potential (inputs are zero); a ModelError else."""
    frame, name = reduction.frame, reduction.system.name
    if not reduction.shape.names:
        raise ModelError(f"{name}: there are no shape variables, the motion is on the group alone;", remedy=EQUATIONS)
    if frame.horizontal != reduction.shape.size:
        raise ModelError(constrained_shape(name, frame.horizontal, reduction.shape.size))
    if reduction.data.driven:
        raise ModelError(
            f"{name}: the reduction to Q/G needs constraints without drift and a Lagrangian that is kinetic minus "
            "potential energy without time;",
            remedy=EQUATIONS,
        )
    if pushed(reduction):
        raise ModelError(f"{name}: the reduction to Q/G needs a system without forces other than the potential's.")


def constrained_shape(name: str, horizontal: int, size: int) -> str:
    """The reason where the velocities of the shape are not free."""
    return (
        f"{name}: constraints act on the shape itself (D + V is not all of TQ: {horizontal} free velocities of "
        f"{size} shape variables); MacDonnell's reduction to Q/G needs them free."
    )


def pushed(reduction: ReductionRecord) -> bool:
    """Whether forces other than the potential's act while the inputs are zero."""
    idle = dict.fromkeys(symbols(reduction.system.inputs), ZERO)
    return any(e != 0 for e in substitute(reduction.frame.data.forces, idle))
