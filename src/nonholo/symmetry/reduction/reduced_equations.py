"""The reduced motion as an `Equations`: in ``(r, ṙ, p)``, and in ``(r, y)`` with invariant quasi-velocities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, multiply
from nonholo.derive.equations import Equations
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.rotation_axes import axes_of
from nonholo.model.system import TIME, System, known_names
from nonholo.symmetry.reduction.momentum.aligned_basis import Aligned, velocities_in
from nonholo.symmetry.reduction.quotient_data import Quotient, force_terms
from nonholo.symmetry.reduction.section.invariant_basis import Basis


def fresh(stem: str, count: int, taken: set[str], always: bool = False) -> tuple[str, ...]:
    """``p``, or ``p1 … pm``, with underscores while a name is taken."""
    names = (stem,) if count == 1 and not always else tuple(f"{stem}{i + 1}" for i in range(count))
    while any(n in taken for n in names):
        names = tuple(f"{n}_" for n in names)
    return names


def kinetic(metric: Matrix, w: Sequence[Any]) -> Expr:
    """``½ K_ij w^i w^j``."""
    return se.Add(*(metric[i][j] * w[i] * w[j] / 2 for i in range(len(w)) for j in range(len(w)) if metric[i][j] != 0))


def in_momenta(
    system: System,
    data: Quotient,
    frame: Aligned,
    momenta: Sequence[str],
    rates: Sequence[str],
    shape_force: Sequence[Expr],
    momentum: Sequence[Expr],
) -> Equations:
    """``G_αβ v̇^β = …``, ``ṗ_a = …`` [(4.9), (4.10) of BMZ 2009, corrected]."""
    p, v = symbols(momenta), symbols(rates)
    h, m = frame.horizontal, frame.vertical
    w = velocities_in(frame, p, v)
    metric = [[*row, *[ZERO] * m] for row in frame.shape_metric]
    unit = [[ZERO] * h + [ONE if i == j else ZERO for j in range(m)] for i in range(m)]
    return Equations(
        **_common(system, data),
        speeds=(*v, *p),
        kinematics=frame.data.rates(w),
        mass=tuple(map(tuple, (*metric, *unit))),
        force=(*shape_force, *momentum),
        energy=kinetic(frame.data.metric, w)
        + data.potential
        + substitute([frame.data.rest], dict(zip(frame.data.velocities, w)))[0],
    )


def in_velocities(
    system: System,
    data: Quotient,
    frame: Aligned | None,
    basis: Basis,
    momenta: Sequence[str] = (),
    rates: Sequence[str] = (),
) -> Equations:
    """``K_ij ẏ^j = T_jik y^j y^k + …``: Poincaré's equations on D/G; the momenta are among the outputs."""
    y = symbols(invariant_names(system, basis))
    swap = dict(zip(data.velocities, y))
    force = list(substitute(force_terms(data), swap))
    carried = data.carried([e for row in data.metric for e in row], y)
    for i in range(len(y)):
        force[i] -= dot(carried[i * len(y) : (i + 1) * len(y)], y)
    if data.linear:
        force = [f - b for f, b in zip(force, data.carried(data.linear, y))]
    outputs = {}
    if frame is not None:
        h, inner = frame.horizontal, multiply(data.metric, frame.matrix)
        lean = frame.data.linear[h:] or [ZERO] * len(momenta)
        outputs = {n: dot([row[h + a] for row in inner], y) + lean[a] for a, n in enumerate(momenta)}
        moving = data.rates(y)
        outputs |= {n: moving[c] for n, c in zip(rates, frame.rows) if n not in map(str, y)}
    return Equations(
        **_common(system, data),
        speeds=y,
        kinematics=data.rates(y),
        mass=data.metric,
        force=tuple(force),
        energy=kinetic(data.metric, y) + data.potential + substitute([data.rest], swap)[0],
        outputs=FrozenMap({n: shorten(e) for n, e in outputs.items()}),
    )


def _common(system: System, data: Quotient) -> dict[str, Any]:
    shape = data.shape
    return {
        "name": f"{system.name}, reduced",
        "origin": "reduction",
        "coordinates": symbols(shape.names),
        "time": TIME,
        "parameters": symbols(system.parameters),
        "inputs": symbols(system.inputs),
        "axes": axes_of(system),
        "invariants": FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    }


def invariant_names(system: System, basis: Basis) -> tuple[str, ...]:
    """The system's own speeds where the invariant basis is theirs, else new names."""
    return basis.names if basis.own else fresh("y", len(basis.names), set(known_names(system)), always=True)
