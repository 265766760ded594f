"""Whether a rolling body falls: which starts reach the boundary of the shapes [Kolesnikov 1985; BMZ 2009, 6.5].

With the momenta ``p = η⁻¹(r) c`` of one shape variable, the amended potential is ``½ cᵀ Q(r) c + U(r)``, ``Q = η⁻ᵀ I_S⁻¹ η⁻¹``.
Where Q grows without bound towards the boundary along some combinations of the constants c, no motion gets there unless these
vanish: so many conditions a start must satisfy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError
from nonholo.finding import Finding, Property
from nonholo.machines.dynamics.explicit_heights import with_explicit_heights
from nonholo.model.system import System, parameter_values
from nonholo.symmetry.reduction.momentum.conserving_bases import theorem_4_4
from nonholo.symmetry.reduction.momentum.parallel_basis import MomentumFrame, momentum_frame
from nonholo.symmetry.reduction.reduced_equations import speeds_of
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, require_orthogonal

NEAR = (1e-2, 1e-3, 1e-4)
"""Distances from the boundary, relative to the way there, at which the growth is measured."""
GROWS = 0.3
"""A term that grows faster than the distance to this negative power is without bound."""


@dataclass(frozen=True, eq=False)
class Falling:
    """How the amended potential behaves at the boundary ``variable = boundary``."""

    reduction: ReductionRecord
    parameters: FrozenMap[str, float]
    variable: str
    boundary: float
    frame: MomentumFrame
    conditions: Numbers
    """Rows n with ``n · c = 0`` for the starts that may fall; c are the momenta carried to the frame's origin."""
    powers: tuple[float, ...]
    """How each eigenvalue of Q grows: with the distance to these powers."""

    @property
    def codimension(self) -> int:
        """How many conditions a start that reaches the boundary satisfies."""
        return len(self.conditions)

    @property
    def finding(self) -> Finding:
        """In a sentence."""
        k = self.codimension
        claim = Property(
            f"starts that reach {self.variable} = {self.boundary:g} have codimension {k} among all",
            f"starts with energy enough reach {self.variable} = {self.boundary:g}: no barrier there",
        )
        shown = ", ".join(f"{p:.2f}" for p in self.powers)
        words = f"eigenvalues of the amended potential grow as powers {shown} of the distance"
        return Finding(claim, "holds" if k else "fails", k, words, method="amended potential [Kolesnikov 1985]")

    def constants(self, start: Mapping[str, float]) -> Numbers:
        """``c = η p`` of a full state, in the system's names."""
        values = {**self.parameters, "t": 0.0, **start}
        forms = speeds_of(self.reduction)
        p = evaluate([forms[n] for n in self.reduction.momenta], values)
        place = float(evaluate([self.reduction.shape.functions[0]], values)[0])
        eta = self.frame(place)[0]
        if not np.all(np.isfinite(eta)):  # beyond the way from the origin to the boundary
            origin = self.frame.origin[0]
            reach = tuple(sorted((origin, place)))
            eta = momentum_frame(self.reduction, self.parameters, origin=origin, reach=reach)(place)[0]
        if not np.all(np.isfinite(eta)):
            raise ModelError(
                f"{self.reduction.system.name}: the momenta cannot be carried from {self.variable} = {place:g} to the origin; "
                "choose an origin nearer to the start."
            )
        return np.asarray(eta @ p)

    def may_fall(self, start: Mapping[str, float], tolerance: float = 1e-6) -> bool:
        """Whether a start satisfies the conditions, up to a tolerance relative to its constants."""
        c = self.constants(start)
        return bool(np.max(np.abs(self.conditions @ c), initial=0.0) <= tolerance * max(1e-300, float(np.linalg.norm(c))))


def falling(
    body: ReductionRecord | System, boundary: float, *, parameters: Mapping[str, Any] | None = None, origin: float | None = None
) -> Falling:
    """Which starts lead to the boundary of one shape variable, for one's own body: the conditions on the momenta.

    ``body`` is a system (of formulas or of a machine, whose height is put in) or its reduction; ``origin`` is a shape from which
    the momenta are transported, on the same side of the boundary as the motions in question.

    >>> import nonholo as nh
    >>> disk = nh.gallery.get("rolling-disk")
    >>> red = nh.reduce(disk.system)
    >>> red.shape.names, falling(red, 1.0, parameters=disk.parameters, origin=0.2).codimension  # the axis becomes vertical
    (('R33',), 1)
    """
    reduction = _reduced(body)
    require_orthogonal(reduction)
    name = reduction.system.name
    if not np.isfinite(boundary):
        raise ModelError(f"{name}: boundary = {boundary}; give the shape that is asked about as a finite number.")
    if len(reduction.shape.names) != 1 or reduction.frame.horizontal != 1 or not reduction.momenta:
        shapes = ", ".join(reduction.shape.names) or "none"
        tied = f"; {shapes} are tied by a holonomic constraint: put one of them in by hand" if reduction.system.holonomic else ""
        raise ModelError(f"{name}: falling asks for one shape variable and at least one momentum; the shape is {shapes}{tied}.")
    if not all(theorem_4_4(reduction.frame)):
        raise ModelError(f"{name}: the momentum equation has terms besides τ, so that no amended potential exists.")
    values = parameter_values(reduction.system, parameters)
    variable = reduction.shape.names[0]
    start = float(reduction.frame.data.samples[0][variable]) if origin is None else float(origin)
    way = boundary - start
    spots = [boundary - way * d for d in NEAR]
    frame = momentum_frame(reduction, values, origin=start, reach=tuple(sorted((start - 1e-3 * way, spots[-1] + 1e-9 * way))))
    forms = []
    for spot in spots:
        eta = frame(spot)[0]
        if not np.all(np.isfinite(eta)):
            raise ModelError(
                f"{name}: the momenta cannot be carried from {variable} = {start:g} to {spot:g}; choose another origin, or a "
                f"boundary that {variable} can reach."
            )
        inner = np.linalg.inv(eta)
        inverse = evaluate_matrix(reduction.frame.inverse_inertia, {**values, variable: spot})
        forms.append(inner.T @ inverse @ inner)
    sizes = [np.linalg.eigvalsh(q) for q in forms]
    steps = np.log(sizes[-1] / sizes[-2]) / np.log(NEAR[-1] / NEAR[-2])
    _, directions = np.linalg.eigh(forms[-1])
    grows = [k for k, power in enumerate(steps) if power < -GROWS]
    conditions = directions[:, grows].T if grows else np.zeros((0, len(reduction.momenta)))
    return Falling(reduction, FrozenMap(values), variable, float(boundary), frame, conditions, tuple(float(e) for e in steps))


def _reduced(body: ReductionRecord | System) -> ReductionRecord:
    """The reduction of a body, with coordinates that holonomic constraints of a machine give put in."""
    system = body if isinstance(body, System) else body.system
    if isinstance(body, System) or (system.holonomic and system.machine is not None):
        from nonholo.symmetry.reduction.reduce import reduce

        return reduce(with_explicit_heights(system))
    return body
