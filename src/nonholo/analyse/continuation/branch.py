"""Branches of steady motions: continuation along a parameter, a speed, the energy or a momentum, with stability on the way.

At a branch point the equations vanish in more directions than that of the branch. In each such direction φ across it a step is
taken and corrected in the plane across φ: what is found lies beside the branch, on another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.subspaces import outside
from nonholo.analyse.continuation.bifurcations import Special, specials, tracked
from nonholo.analyse.continuation.steady_curve import Curve, curve_of, followed
from nonholo.analyse.flow.state_flow import flow_of
from nonholo.analyse.steady.equilibria import POOR
from nonholo.analyse.steady.equilibrium_record import Equilibrium, without_rounding
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import brought_home, tangents
from nonholo.analyse.steady.steady_zeros import steady_at_home
from nonholo.errors import StateError
from nonholo.finding import Lasting
from nonholo.finding.sentences import lasting_words
from nonholo.finding.statements import ALWAYS
from nonholo.integrate.results.presenters import presenter
from nonholo.model.lasting_contacts import lasting_condition
from nonholo.model.system import System, finite

STEPS = (0.005, 0.02, 0.06)
"""Lengths (in sizes) of the first step, tried one after another."""
SAME = 1e-5
POINTS = 121
"""Points of a branch that needs no turning back."""
SMOOTH = 0.35
"""Second differences of neighbours must be this part of the step at most, else smaller steps are taken."""


def other_branches(curve: Curve, special: Special) -> list[tuple[Numbers, Numbers]]:
    """A first point on each other branch through a branch point, with the direction away from it.

    Of branches that the symmetry maps to each other one is reported; of a branch that passes through, both halves.
    """
    point, way = special.unknowns, special.way
    result: list[tuple[Numbers, Numbers]] = []
    for new in outside(curve.kernel(point), way[:, None] / np.linalg.norm(way)).T:
        for direction in (new, -new):
            found = _neighbour_on_branch(curve, point, direction)
            if found is None or any(_symmetric_images(curve, first, found) for first, _ in result):
                continue
            ahead = (found - point) / curve.size
            result.append((found, ahead / np.linalg.norm(ahead)))
    return result


def free_on(curve: Curve, points: Numbers) -> int:
    """Dimension of the family at one value of the varied quantity, computed at the middle of the branch, away from others."""
    middle = points[len(points) // 2]
    at = curve.at(middle[-1])
    return int(tangents(replace(at, fixed=(), targets=np.zeros(0)), middle[None, :-1])[0].across.shape[1])


def _neighbour_on_branch(curve: Curve, point: Numbers, direction: Numbers) -> Numbers | None:
    """A point of another branch a little way off; None where there is none."""
    for length in STEPS:
        found = curve.corrected(point + length * direction * curve.size, direction)
        if found is None or not curve.sensible(found):
            continue
        if np.linalg.norm((found - point) / curve.size) < 20 * length:
            return found
    return None


def _symmetric_images(curve: Curve, one: Numbers, two: Numbers) -> bool:
    """Whether the symmetry maps one point to the other, at the same value of what is varied."""
    n = curve.flow.size
    if abs(one[-1] - two[-1]) > SAME * curve.reach or not len(curve.flow.fields):
        return False
    at: Steady = curve.at(two[-1])
    moved = two[None, :-1]
    aside = np.random.default_rng(3).normal(0.0, 1.0, n) * float(np.linalg.norm(one[:n] - two[:n]))
    for home in (one[:n] + aside, one[:n]):  # not straight: at the far side of an orbit no way leads nearer
        moved = brought_home(replace(at, flow=replace(at.flow, home=home)), moved)
    return bool(np.max(np.abs(moved[0, :n] - one[:n]) / curve.size[:n]) < SAME)


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
    others: tuple[Branch, ...] = field(default=(), repr=False)
    """With ``switch=True`` the other branches through its branch points."""
    curve: Curve | None = field(default=None, repr=False)
    condition: Lasting = ALWAYS
    """While which contacts keep their mode."""

    def switch(self, special: Special | int | None = None, until: float | None = None) -> tuple[Branch, ...]:
        """The other branches through a branch point (one of ``special``, or its index there; all of them by default).

        Each goes away from it until the value ``until``, or the end of this branch on its side. A branch that goes through
        gives its two halves, branches that the symmetry maps to each other one. Empty where no other was found.

        >>> import nonholo as nh
        >>> hoop = nh.System(coordinates="q", lagrangian="qdot**2/2 + Omega**2*sin(q)**2/2 + cos(q)", parameters={"Omega": 0.5})
        >>> for one in nh.branch(hoop, {"q": 0}, along="Omega", until=2.0).switch():
        ...     print(one.outcome, round(float(one.data["q"][-1]), 6))     # cos q = 1/4
        reached 1.318116
        reached -1.318116
        """
        if self.curve is None:
            raise StateError(f"{self.name}: a branch made elsewhere cannot be switched any more; make it anew with branch.")
        known = [s for s in self.special if s.kind == "branch point"]
        if special is not None:
            known = [self._branch_point(special)]
        goal = None if until is None else finite(until, f"{self.name}: until")
        return tuple(
            _next_branch(self, self.curve, *begun, where, goal) for where in known for begun in other_branches(self.curve, where)
        )

    def _branch_point(self, special: Any) -> Special:
        inside = isinstance(special, int) and -len(self.special) <= special < len(self.special)
        one = self.special[special] if inside else special
        if isinstance(one, Special) and one.kind == "branch point":
            return one
        places = ", ".join(f"{k}" for k, s in enumerate(self.special) if s.kind == "branch point") or "none"
        found = getattr(one, "kind", special)
        raise StateError(f"{self.name}: {found!r} is no branch point of this branch (branch points among special: {places}).")

    def __getstate__(self) -> dict[str, Any]:
        """Numbers and words travel; what they were computed with stays here."""
        return {**self.__dict__, "curve": None}

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
        held = {"condition": lasting_words(self.condition)[2:]} if self.condition else {}
        attributes = {**held, "system": self.name, "along": self.along, "outcome": self.outcome, "held": ", ".join(self.held)}
        return xr.Dataset(table, coords={self.along: ("point", self.values)}, attrs=attributes)

    def plot(self, y: str | None = None, **options: Any) -> Any:
        """The quantity ``y`` (the first that varies) against what is varied, with the modes below: axes of a figure."""
        return presenter("plot")(self, y, **options)

    def __str__(self) -> str:
        ends = f"{self.along} from {self.values[0]:.6g} to {self.values[-1]:.6g}, {len(self.values)} points: {self.outcome}"
        ends += lasting_words(self.condition)
        return "\n".join([f"{self.name}: {ends}", *(f"  {one}" for one in self.special)])


def branch(
    system: System,
    at: Any = None,
    *,
    along: str = "",
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    hold: Mapping[str, Any] | None = None,
    switch: bool = False,
) -> Branch:
    """The branch of steady motions through ``at``, along a parameter or any expression of the state, to the value ``until``.

    ``along`` names a parameter, or a quantity of the family: a speed, the energy, a momentum as text. If the family has
    more free directions, its other free variables are held (``hold`` names what is held instead). Points on an even grid are
    found at once where the branch goes straight on; otherwise by pseudo-arclength, which goes round folds. A branch that
    leaves the region where the equations make sense ends there: ``outcome`` says where, and what was computed is returned.

    Stability changes are located to rounding: *fold* (what is varied turns back), *branch point* (a mode passes zero),
    *Hopf point* (a pair passes the imaginary axis), *collision* (two imaginary pairs meet and leave the axis). With
    ``switch`` the other branches through its branch points are followed too (`Branch.switch`), in ``others``.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> found = nh.branch(sleigh.system, {"v": 2}, along="v", until=-2, parameters=sleigh.parameters)
    >>> print(found.outcome, [s.kind for s in found.special], found.unstable[[0, -1]].tolist())
    reached ['branch point'] [0, 1]
    """
    found = replace(_branch_of(*_points(system, at, along, until, parameters, hold)), condition=lasting_condition(system))
    return replace(found, others=found.switch()) if switch else found


def end_of_branch(
    system: System, at: Any, along: str, until: float, parameters: Mapping[str, Any] | None = None
) -> dict[str, float]:
    """The state at the end of a branch, without the stability along it."""
    curve, points, _, _ = _points(system, at, along, until, parameters, None)
    names = curve.at(points[-1, -1]).flow.names
    return {n: float(e) for n, e in zip(names, without_rounding(points[-1:, : len(names)])[0])}


def _points(
    system: System,
    at: Any,
    along: str,
    until: float | None,
    parameters: Mapping[str, Any] | None,
    hold: Mapping[str, Any] | None,
) -> tuple[Curve, Numbers, str, tuple[str, ...]]:
    """The curve of a branch, its points, how it ends, and what is held."""
    if not along or until is None:
        raise StateError('branch: say along what and until which value, e.g. along="v", until=10.0.')
    goal = finite(until, "branch: until")
    if isinstance(at, Equilibrium):
        parameters = dict(at.parameters) if parameters is None else parameters
        at = {n: at.state[n] for n in at.names}
    flow = flow_of(system, at, parameters)
    steady, unknowns = steady_at_home(flow)
    curve, first, held = curve_of(steady, unknowns, along, goal, hold)
    points, outcome = _even_grid(curve, first, goal) or followed(curve, first, goal, "relative equilibrium")
    return curve, points, outcome, held


def _branch_of(curve: Curve, points: Numbers, outcome: str, held: tuple[str, ...]) -> Branch:
    """The record of points on a curve."""
    flow, n = curve.at(points[0, -1]).flow, curve.flow.size
    parts = curve.linear_flows(points)
    eigenvalues = tracked([p.values for p in parts])
    unstable = np.array([int(np.sum(p.values.real > 1e-7 * p.scale)) for p in parts])
    names = flow.fields.names if curve.steady.moving else ()
    moving = {m: points[:, n + k] for k, m in enumerate(names) if np.max(np.abs(points[:, n + k])) > 1e-9}
    return Branch(
        flow.name,
        curve.along,
        held,
        outcome,
        specials(curve, points, parts, unstable),
        flow.names,
        without_rounding(points[:, :n]),
        points[:, -1],
        FrozenMap(moving),
        eigenvalues,
        unstable,
        FrozenMap(dict(flow.parameters)),
        curve=curve,
    )


def _next_branch(branch: Branch, curve: Curve, first: Numbers, ahead: Numbers, where: Special, until: float | None) -> Branch:
    """Another branch from its first point on, away from a branch point."""
    ends = sorted((float(branch.values[0]), float(branch.values[-1])))
    goal = until if until is not None else ends[0] if first[-1] < where.value else ends[1]
    points, outcome = followed(curve, first, goal, "relative equilibrium", ahead=ahead)
    found = _branch_of(replace(curve, still=free_on(curve, points)), points, outcome, branch.held)
    return replace(found, condition=branch.condition)


def _even_grid(curve: Curve, first: Numbers, goal: float) -> tuple[Numbers, str] | None:
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
