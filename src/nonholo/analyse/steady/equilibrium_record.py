"""Equilibria and steady motions as records: a state, the directions in which its family goes on, and a finding."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.steady.exact_equilibria import exact_values
from nonholo.analyse.steady.steady_families import Direction
from nonholo.finding import Finding
from nonholo.finding.html_tables import html_table

Numbers = NDArray[np.float64]
NOTHING: FrozenMap[str, float] = FrozenMap()
AT_REST = 1e-9


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state that stays as it is (``velocity`` empty), or that only moves along the orbits of the symmetry.

    Made by `equilibria` and `relative_equilibria`.

    >>> import nonholo as nh
    >>> bead = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - (x - 1)**2")
    >>> (found,) = nh.equilibria(bead)
    >>> found.state["x"], [d.name for d in found.family], str(found.finding)[:24]
    (1.0, ['y'], '✓ this is an equilibrium')
    """

    name: str
    """The system's."""
    state: FrozenMap[str, float]
    """Every name there: coordinates, speeds, rates and quasi-velocities."""
    family: tuple[Direction, ...]
    """The directions in which it goes on; for steady motions those that are no motions of the group."""
    finding: Finding
    velocity: FrozenMap[str, float] = NOTHING
    """How fast the motion goes along each generator of the symmetry."""
    names: tuple[str, ...] = ()
    """The state variables among the names."""
    parameters: FrozenMap[str, float] = NOTHING
    flow: Flow | None = field(default=None, repr=False)

    @cached_property
    def exact(self) -> FrozenMap[str, str]:
        """The state variables as formulas where these were confirmed by exact substitution; empty where not, or where it moves.

        >>> import nonholo as nh
        >>> hoop = nh.System(coordinates="q", lagrangian="qdot**2/2 + W**2*sin(q)**2/2 + 2*cos(q)", parameters={"W": 2.0})
        >>> [found.exact["q"] for found in nh.equilibria(hoop)]
        ['0', 'acos(2/W**2)', '-acos(2/W**2)', 'pi']
        """
        if self.flow is None or self.velocity:
            return FrozenMap()
        return exact_values(self.flow, np.array([self.state[n] for n in self.names]))

    def __getstate__(self) -> dict[str, Any]:
        """Numbers and words travel; what they were computed with stays here."""
        return {**self.__dict__, "exact": self.exact, "flow": None}

    def __str__(self) -> str:
        shown = [f"{n} = {short(self.state[n])}" for n in self.names if abs(self.state[n]) > 1e-7]
        words = ", ".join(shown) or "all at zero"
        told = {n: f"({n})" if " + " in n else n for n in self.velocity}
        moving = [f"{short(e)} {told[n]}" for n, e in self.velocity.items() if abs(e) > AT_REST]
        free = [d.name for d in self.family if not d.symmetry]
        along = [d.name for d in self.family if d.symmetry]
        return (
            words
            + (f"; moving along {' + '.join(moving)}" if moving else "")
            + (f"; free: {', '.join(free)}" if free else "")
            + (f"; by symmetry: {', '.join(along)}" if along else "")
        )


class Equilibria(tuple[Equilibrium, ...]):
    """Equilibria or steady motions that print as lines and show themselves as a table in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "none found"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for one in self:
            at = ", ".join(f"{n} = {short(one.state[n])}" for n in one.names if abs(one.state[n]) > 1e-7) or "all at zero"
            moving = ", ".join(f"{short(e)} {n}" for n, e in one.velocity.items() if abs(e) > AT_REST)
            free = ", ".join(d.name for d in one.family)
            rows.append([escape(cell) for cell in (at, moving, free)])
        return html_table(rows, ("state", "moves along", "free directions")) if rows else "<p>None found.</p>"


def short(value: float) -> str:
    """A number as a person reads it."""
    return f"{value + 0.0:.6g}"


def cleaned(state: Numbers) -> Numbers:
    """Numbers that are zero but for rounding are zero."""
    return np.where(np.abs(state) < 1e-12, 0.0, state)
