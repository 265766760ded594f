"""Branches of steady motions: continuation along a parameter, a speed, the energy or a momentum, with stability on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen import FrozenMap
from nonholo.analyse.behaviour.crossings import Special, specials, tracked
from nonholo.analyse.behaviour.curve import Curve, curve_of
from nonholo.analyse.behaviour.equilibria import POOR, Equilibrium, cleaned
from nonholo.analyse.behaviour.flow import flow_of
from nonholo.analyse.behaviour.follow import followed
from nonholo.analyse.behaviour.meeting import met
from nonholo.errors import StateError
from nonholo.integrate.one.presenters import presenter
from nonholo.model.system import System, finite

Numbers = NDArray[np.float64]
POINTS = 121
"""Points of a branch that needs no turning back."""
SMOOTH = 0.35
"""Second differences of neighbours must be this part of the step at most, else smaller steps are taken."""


@dataclass(frozen=True, eq=False)
class Branch:
    """Steady motions along a curve. Made by `branch`.

    >>> import nonholo as nh
    >>> hoop = nh.System(coordinates="q", lagrangian="qdot**2/2 + Omega**2*sin(q)**2/2 + cos(q)", parameters={"Omega": 0.5})
    >>> found = nh.branch(hoop, {"q": 0}, along="Omega", until=2.0)
    >>> found.outcome, [(s.kind, round(s.value, 9)) for s in found.special]
    ('reached', [('branch point', 1.0)])
    """

    name: str
    along: str
    held: tuple[str, ...]
    """Other free variables of the family, which keep their values."""
    outcome: str
    """``reached``, or why it ends before, and where."""
    special: tuple[Special, ...]
    """Folds, branch points, Hopf points and collisions, in the order of the branch."""
    names: tuple[str, ...] = field(repr=False)
    states: Numbers = field(repr=False)
    values: Numbers = field(repr=False)
    """What is varied, at each point."""
    velocities: FrozenMap[str, Numbers] = field(repr=False)
    eigenvalues: NDArray[np.complex128] = field(repr=False)
    """(points, modes), each column followed along the branch."""
    unstable: NDArray[np.int64] = field(repr=False)
    """How many modes have a positive real part."""
    parameters: FrozenMap[str, float] = field(repr=False)

    @cached_property
    def data(self) -> Any:
        """The branch as an xarray Dataset: what is varied, the state, the group's velocity, growth and frequency of modes."""
        import xarray as xr

        table: dict[str, Any] = {n: ("point", self.states[:, k]) for k, n in enumerate(self.names) if n != self.along}
        table |= {f"velocity_{n}": ("point", e) for n, e in self.velocities.items()}
        table["growth"] = (("point", "mode"), self.eigenvalues.real)
        table["frequency"] = (("point", "mode"), self.eigenvalues.imag)
        table["unstable"] = ("point", self.unstable)
        table["stable"] = ("point", self.unstable == 0)
        attributes = {"system": self.name, "along": self.along, "outcome": self.outcome, "held": ", ".join(self.held)}
        return xr.Dataset(table, coords={self.along: ("point", self.values)}, attrs=attributes)

    def plot(self, y: str | None = None, **options: Any) -> Any:
        """Eigenvalues against what is varied, or the quantity ``y``: axes of a figure."""
        return presenter("plot")(self, y, **options)

    def __str__(self) -> str:
        ends = f"{self.along} from {self.values[0]:.6g} to {self.values[-1]:.6g}, {len(self.values)} points: {self.outcome}"
        return "\n".join([f"{self.name}: {ends}", *(f"  {one}" for one in self.special)])


def branch(
    system: System,
    at: Any = None,
    along: str = "",
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    hold: Mapping[str, Any] | None = None,
) -> Branch:
    """The branch of steady motions through ``at``, along a parameter or any expression of the state, to the value ``until``.

    ``along`` names a parameter, or what the family can be told by: a speed, the energy, a momentum as text. If the family has
    more free directions, its other free variables are held (``hold`` names what is held instead). Points on an even grid are
    found at once where the branch goes straight on; otherwise by pseudo-arclength, which goes round folds. A branch that
    leaves the region where the equations make sense ends there: ``outcome`` says where, and what was computed is returned.

    Stability changes are located to rounding: *fold* (what is varied turns back), *branch point* (a mode passes zero),
    *Hopf point* (a pair passes the imaginary axis), *collision* (two imaginary pairs meet and leave the axis).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> found = nh.branch(sleigh.system, {"v": 2}, along="v", until=-2, parameters=sleigh.parameters)
    >>> print(found.outcome, [s.kind for s in found.special], found.unstable[[0, -1]].tolist())
    reached ['branch point'] [0, 1]
    """
    if not along or until is None:
        raise StateError('branch: say along what and until which value, e.g. along="v", until=10.0.')
    goal = finite(until, "branch: until")
    if isinstance(at, Equilibrium):
        parameters = dict(at.parameters) if parameters is None else parameters
        at = {n: at.state[n] for n in at.names}
    flow = flow_of(system, at, parameters)
    steady, unknowns = met(flow)
    curve, first, held = curve_of(steady, unknowns, along, goal, hold)
    points, outcome = _straight(curve, first, goal) or followed(curve, first, goal, "steady motion")
    n = flow.size
    parts = curve.parts(points)
    eigenvalues = tracked([p.values for p in parts])
    unstable = np.array([int(np.sum(p.values.real > 1e-7 * p.scale)) for p in parts])
    names = flow.fields.names if steady.moving else ()
    moving = {m: points[:, n + k] for k, m in enumerate(names) if np.max(np.abs(points[:, n + k])) > 1e-9}
    return Branch(
        flow.name,
        along,
        held,
        outcome,
        specials(curve, points, parts, unstable),
        flow.names,
        cleaned(points[:, :n]),
        points[:, -1],
        FrozenMap(moving),
        eigenvalues,
        unstable,
        FrozenMap(dict(flow.parameters)),
    )


def _straight(curve: Curve, first: Numbers, goal: float) -> tuple[Numbers, str] | None:
    """All points of an even grid at once; None when some are missing or neighbours do not belong together."""
    way = curve.tangent(first)
    if way is None or abs(way[-1]) < 1e-6:
        return None
    grid = np.linspace(first[-1], goal, POINTS)
    step = way * curve.size / (way[-1] * curve.size[-1])
    guesses = first + np.outer(grid - first[-1], step)
    guesses[:, -1] = grid
    found = curve.solved(guesses)
    if not np.all(np.isfinite(found)):
        return None
    scaled = found / curve.size
    bends = np.linalg.norm(scaled[2:] - 2 * scaled[1:-1] + scaled[:-2], axis=1)
    steps = np.linalg.norm(np.diff(scaled, axis=0), axis=1)
    if np.any(bends > SMOOTH * np.minimum(steps[1:], steps[:-1]) + 1e-9):
        return None
    if np.any(curve.flow.conditions(found[:, : curve.flow.size]) < POOR):
        return None
    return found, "reached"
