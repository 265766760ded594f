"""The reduced motion as an `Equations`: in ``(r, ṙ, p)``, and in ``(r, y)`` with invariant quasi-velocities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, substitute, symbols
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import Matrix, dot, multiply
from nonholo.derive.equations import Equations
from nonholo.geometry.structure import shorten
from nonholo.model.system import TIME, System, known_names
from nonholo.symmetry.reduction.aligned import Aligned
from nonholo.symmetry.reduction.invariant import Basis
from nonholo.symmetry.reduction.quotient import Quotient, force_terms


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
    turning = [dot(row, p) for row in frame.inverse_inertia]
    metric = [[frame.data.metric[i][j] for j in range(h)] + [ZERO] * m for i in range(h)]
    unit = [[ZERO] * h + [ONE if i == j else ZERO for j in range(m)] for i in range(m)]
    return Equations(
        **_common(system, data),
        speeds=(*v, *p),
        kinematics=tuple(dot(row[:h], v) for row in frame.data.slopes),
        mass=tuple(map(tuple, (*metric, *unit))),
        force=(*shape_force, *momentum),
        energy=kinetic(frame.data.metric, (*v, *turning)) + data.potential,
    )


def in_velocities(system: System, data: Quotient, frame: Aligned, basis: Basis, momenta: Sequence[str]) -> Equations:
    """``K_ij ẏ^j = T_jik y^j y^k + …``: Poincaré's equations on D/G; the momenta are among the outputs."""
    r, h = symbols(data.shape.names), frame.horizontal
    y = symbols(invariant_names(system, basis))
    swap = dict(zip(data.velocities, y))
    slopes = tuple(dot(row, y) for row in data.slopes)
    force = list(substitute(force_terms(data), swap))
    moving = dict(zip(r, slopes))
    for i in range(len(y)):
        force[i] -= dot(along(list(data.metric[i]), moving), y)
    inner = multiply(data.metric, frame.matrix)
    outputs = {n: dot([row[h + a] for row in inner], y) for a, n in enumerate(momenta)}
    return Equations(
        **_common(system, data),
        speeds=y,
        kinematics=slopes,
        mass=data.metric,
        force=tuple(force),
        energy=kinetic(data.metric, y) + data.potential,
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
        "invariants": FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    }


def invariant_names(system: System, basis: Basis) -> tuple[str, ...]:
    """The system's own speeds where the invariant basis is theirs, else new names."""
    own = all(e == int(i == j) for i, row in enumerate(basis.change) for j, e in enumerate(row))
    return basis.names if own else fresh("y", len(basis.names), set(known_names(system)), always=True)
