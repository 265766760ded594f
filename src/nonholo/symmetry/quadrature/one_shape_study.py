"""Study of a system with one shape variable: velocities, potential, equilibria, contact, period.

MacDonnell's discussion of the basketball (1997, §11) for any system that is flat and has one shape variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import substitute, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.numeric_functions import Rows
from nonholo.algebra.subspaces import independent_rows
from nonholo.errors import ModelError, StateError
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.symmetry.quadrature.adjoint_equation import flatness, require_reducible
from nonholo.symmetry.quadrature.periods import Cycle, cycle
from nonholo.symmetry.quadrature.reduced_potential import Extremum, ReducedPotential
from nonholo.symmetry.quadrature.vertical_velocity import compiled, section_state
from nonholo.symmetry.reduction.reduce import Reduction, reduce

GRID = 2001


@dataclass(frozen=True, eq=False)
class Contact:
    """A force that must stay positive for the model to hold, on the reduced motion: a function of ``r`` and ``ṙ``."""

    text: str
    potential: ReducedPotential
    _force: Rows

    def __call__(self, r: Any, speed: Any = 0.0) -> Any:
        """The force at a shape and its speed."""
        found = self._force(self.potential.vertical.rows(r, speed))[:, 0]
        return float(found[0]) if np.ndim(r) == 0 else found

    def at_energy(self, r: Any, energy: float) -> Any:
        """The force on a motion of this energy, ``ṙ² = 2(E − Ū)/K̄``; not a number where it does not come."""
        left = 2 * (energy - self.potential(r)) / self.potential.mass(r)
        speed = np.sqrt(np.where(left >= 0, left, np.nan))
        return self(r, speed)

    def ends(self, low: float, high: float, energy: float | None = None) -> tuple[float, ...]:
        """Where the force vanishes: for a slow passage, or on a motion of given energy."""
        from scipy.optimize import brentq

        def force(r: Any) -> Any:
            return self(r) if energy is None else self.at_energy(r, energy)

        points = np.linspace(low, high, GRID)
        values = force(points)
        with np.errstate(invalid="ignore"):
            changes = np.flatnonzero(values[:-1] * values[1:] < 0)
        return tuple(float(brentq(force, points[k], points[k + 1], xtol=1e-14, rtol=1e-14)) for k in changes)


@dataclass(frozen=True, eq=False)
class Study:
    """What is known of the motions of one shape variable with given momenta.

    ``solutions`` are those of the adjoint equation, one for each momentum, as velocities of the system by name.
    """

    reduction: Reduction
    potential: ReducedPotential
    speeds: tuple[str, ...]
    """The names of the vertical velocities."""
    window: tuple[float, float]
    extrema: tuple[Extremum, ...]
    energy: float | None
    """The energy of the start, where its motion is studied."""
    turning: tuple[float, ...]
    cycle: Cycle | None
    contact: Contact | None
    contact_ends: tuple[float, ...]
    """Where a slow passage loses contact."""
    contact_ends_moving: tuple[float, ...]
    """Where the motion with the start's energy does."""

    def solutions(self, r: Any) -> tuple[dict[str, Numbers], ...]:
        """Independent vertical velocities: the k-th has only its k-th speed different from 0 at the origin, and it is 1."""
        vertical = self.potential.vertical
        size = len(vertical.values)
        if not size:
            return ()
        at = np.array(
            [[vertical.starting(e).states(vertical.origin)[n][0] for e in np.eye(size).tolist()] for n in self.speeds]
        )
        return tuple(
            {n: vertical.starting(column).states(r)[n] for n in self.speeds} for column in np.linalg.inv(at).T.tolist()
        )

    def plot(self, **options: Any) -> Any:
        """A picture: vertical velocities, potential, contact (a matplotlib figure)."""
        from nonholo.integrate.results.presenters import presenter

        return presenter("potential")(self, **options)

    def __str__(self) -> str:
        name = self.potential.variable
        low, high = self.window
        lines = [f"{self.reduction.system.name}: reduced motion in {name}, from {low:.4g} to {high:.4g}"]
        words = {
            "minimum": "stable, small oscillations with angular frequency",
            "maximum": "unstable, growth rate",
            "flat": "rate",
        }
        lines += [
            f"  {e.kind} of the reduced potential at {name} = {e.place:.6g}, Ū = {e.value:.6g}; {words[e.kind]} {e.rate:.6g}"
            for e in self.extrema
        ]
        if self.energy is not None:
            turning = ", ".join(f"{q:.6g}" for q in self.turning) or "none"
            lines.append(f"  energy of the start {self.energy:.6g}; turning points at {name} = {turning}")
        if self.cycle is not None:
            lines.append(f"  period {self.cycle.period:.10g}")
            lines += [f"    {n} advances by {e:.10g} each period" for n, e in self.cycle.advance.items()]
        for what, places in (("slowly", self.contact_ends), ("with the start's energy", self.contact_ends_moving)):
            if self.contact is not None and (what == "slowly" or self.energy is not None):
                where = ", ".join(f"{q:.6g}" for q in places) or "nowhere"
                lines.append(f"  contact ends, passing {what}, at {name} = {where}")
        return "\n".join(lines)


def study(
    subject: Any,
    start: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    window: tuple[float, float] | None = None,
    contact: str | None = None,
    speeds: Sequence[str] | None = None,
    moving: bool = True,
) -> Study:
    """The reduced motion of a System, a Reduction, or whatever has a ``system``, ``parameters`` and ``start`` (an exhibit).

    ``start`` gives the momenta, and the motion whose energy, turning points and period are found (unless not
    ``moving``); ``contact`` is a force in the system's names that must stay positive; ``speeds`` name the vertical
    velocities to show (else the first that are independent).
    """
    if hasattr(subject, "system") and not isinstance(subject, Reduction):
        parameters = {**dict(getattr(subject, "parameters", {})), **(parameters or {})}
        start = dict(subject.start) if start is None else start
        subject = subject.system
    if not isinstance(subject, (Reduction, System)):
        raise ModelError(f"study: {type(subject).__name__} where a System, a Reduction or an exhibit is needed.")
    reduction = subject if isinstance(subject, Reduction) else reduce(subject)
    if start is None:
        raise StateError(f"{reduction.system.name}: a study needs a start, which says what the momenta are.")
    system = reduction.system
    require_reducible(reduction)
    for finding in flatness(reduction):
        if not finding:
            raise ModelError(
                f"{system.name}: a study needs momenta that are functions of the shape: {finding.claim} fails."
            )
    found = reduction.potential(start, parameters)
    low, high = found.window(*(window or ()))
    energy = found.energy(start) if moving else None
    swing: Cycle | None = None
    if energy is not None:
        try:
            swing = cycle(found, start, low=low, high=high)
        except StateError:  # no oscillation: the turning points tell
            swing = None
    force = None if contact is None else _contact(found, contact)
    return Study(
        reduction=reduction,
        potential=found,
        speeds=_speeds(found, speeds),
        window=(low, high),
        extrema=found.extrema(low, high),
        energy=energy,
        turning=() if energy is None else found.turning_points(energy, low, high),
        cycle=swing,
        contact=force,
        contact_ends=() if force is None else force.ends(low, high),
        contact_ends_moving=() if force is None or energy is None else force.ends(low, high, energy),
    )


def _contact(found: ReducedPotential, text: str) -> Contact:
    reduction = found.reduction
    states = section_state(reduction)
    known = (*states, *reduction.system.parameters)
    formula = expression(text, known, f"{reduction.system.name}: contact")
    own = set(symbols((*reduction.rates, *reduction.shape.names)))
    table = {s: e for s, e in zip(symbols(states), states.values()) if s not in own}
    return Contact(text, found, compiled(reduction, list(substitute([formula], table))))


def _speeds(found: ReducedPotential, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """As many velocities as momenta that are independent at the origin; declared quasi-velocities first."""
    vertical, system = found.vertical, found.reduction.system
    size = len(vertical.values)
    if not size:
        return ()
    units = [vertical.starting(e).states(vertical.origin) for e in np.eye(size).tolist()]
    names = tuple(wanted) if wanted else (*system.quasivelocities, *system.velocities)
    for name in names:
        if name not in units[0]:
            raise StateError(f"{system.name}: {name!r} is no velocity of the system.")
    rows = np.array([[unit[n][0] for unit in units] for n in names])
    chosen = [names[k] for k in independent_rows(rows, 1e-9 * float(np.max(np.abs(rows), initial=1.0)), size)]
    if len(chosen) < size:
        raise StateError(
            f"{system.name}: {', '.join(names)} do not determine the {size} momenta; name others with speeds=."
        )
    return tuple(chosen)
