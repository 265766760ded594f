"""Families of orbits: continuation along the period, the energy, a parameter or an expression, with multipliers on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.continuation.bifurcations import tracked
from nonholo.analyse.continuation.steady_curve import followed
from nonholo.analyse.flow.periodic_forcing import Clock
from nonholo.analyse.flow.zero_attribution import Zero
from nonholo.analyse.orbits.floquet import family_ways, limit_of, multipliers, outside_of, parts_of
from nonholo.analyse.orbits.orbit_bifurcations import SHRUNK, OrbitCurve, SpecialOrbit, special_orbits
from nonholo.analyse.orbits.shooting import PERIOD, Condition, Shooting, scale_of, slopes_at
from nonholo.analyse.stability.conserved_expansions import conserved, integrals_of
from nonholo.analyse.steady.equilibrium_record import NOTHING, without_rounding
from nonholo.errors import StateError
from nonholo.integrate.results.presenters import presenter
from nonholo.model.system import System, finite

CLOSED = "closed"


@dataclass(frozen=True, eq=False)
class ClosedOrbit:
    """What is known of an orbit: how it closes, its multipliers, and the equations it solves."""

    name: str
    outcome: str
    """``closed``, or why no orbit was found; then the rest is what was computed last."""
    period: float
    shift: FrozenMap[str, float]
    """How far the group moves on in a period, by generator: the state after a period is ``exp(Σ s_a ξ_a)`` of the first."""
    turns: FrozenMap[str, int]
    """Whole turns of angles in a period."""
    state: FrozenMap[str, float] = field(repr=False)
    """Every name at one point of the orbit."""
    gap: float
    """By how much it does not close, in typical sizes."""
    verdict: str
    evidence: str
    multipliers: NDArray[np.complex128]
    """All on the manifold: the genuine ones, the largest first, then the others."""
    trivial: tuple[Zero, ...]
    """What each of the others is due to: ``flow``, ``symmetry``, ``family``, ``integral`` or ``degenerate``."""
    source: System = field(repr=False)
    parameters: FrozenMap[str, float] = field(default=NOTHING, repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    shooting: Shooting | None = field(default=None, repr=False)
    unknowns: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)
    free: int = 0
    """Dimension of the family of orbits, beyond the symmetry."""
    strokes: int = 0
    """How many periods of its drive it takes; 0 where nothing drives it by the time."""
    clock: Clock | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.outcome == CLOSED

    @property
    def genuine(self) -> NDArray[np.complex128]:
        """The multipliers that are not due to flow, symmetry, families or integrals."""
        return self.multipliers[: len(self.multipliers) - len(self.trivial)]


MOST = 400
"""So many orbits of a family are computed."""
LONGEST = 0.6
"""The longest step in typical sizes (of all nodes together)."""


@dataclass(frozen=True, eq=False)
class OrbitFamily:
    """Orbits along a curve. Made by `Orbit.family`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    >>> found = nh.orbit(swing, {"q": 1.0}).family(along="energy", until=0.0)
    >>> found.outcome, round(float(found.periods[-1]), 6)      # 4 K(1/2)/2
    ('reached', 3.708149)
    """

    name: str
    along: str
    held: tuple[str, ...]
    """What keeps its value along the family."""
    outcome: str
    """``reached``, or why it ends before, and where."""
    special: tuple[SpecialOrbit, ...]
    """Folds, branch points, period doublings, Neimark–Sacker points and collisions, in the order of the family."""
    names: tuple[str, ...] = field(repr=False)
    states: Numbers = field(repr=False)
    """One point of each orbit."""
    values: Numbers = field(repr=False)
    """What is varied, at each orbit."""
    periods: Numbers = field(repr=False)
    shifts: FrozenMap[str, Numbers] = field(repr=False)
    multipliers: NDArray[np.complex128] = field(repr=False)
    """(orbits, genuine multipliers), each column followed along the family."""
    unstable: NDArray[np.int64] = field(repr=False)
    """How many multipliers lie outside of the unit circle."""
    parameters: FrozenMap[str, float] = field(repr=False)

    @cached_property
    def data(self) -> Any:
        """The family as an xarray Dataset: what is varied, period, shift, one state of each orbit, multipliers."""
        import xarray as xr

        table: dict[str, Any] = {n: ("point", self.states[:, k]) for k, n in enumerate(self.names) if n != self.along}
        if self.along != PERIOD:
            table[PERIOD] = ("point", self.periods)
        table |= {f"shift_of_{n}": ("point", e) for n, e in self.shifts.items()}
        table["size"] = (("point", "multiplier"), np.abs(self.multipliers))
        table["real"] = (("point", "multiplier"), self.multipliers.real)
        table["imaginary"] = (("point", "multiplier"), self.multipliers.imag)
        table["unstable"] = ("point", self.unstable)
        table["stable"] = ("point", self.unstable == 0)
        attributes = {"system": self.name, "along": self.along, "outcome": self.outcome, "held": ", ".join(self.held)}
        return xr.Dataset(table, coords={self.along: ("point", self.values)}, attrs=attributes)

    def member(self, point: int) -> dict[str, Any]:
        """What `orbit` needs to find one of the orbits again: ``nh.orbit(system, **family.member(-1))``."""
        numbers = dict(self.parameters)
        if self.along in numbers:
            numbers[self.along] = float(self.values[point])
        start = dict(zip(self.names, self.states[point].tolist()))
        return {"guess": start, "period": float(self.periods[point]), "parameters": numbers}

    def plot(self, y: str | None = None, **options: Any) -> Any:
        """Sizes of the multipliers against what is varied, or the quantity ``y``: axes of a figure."""
        return presenter("plot")(self, *([] if y is None else [y]), **options)

    def __str__(self) -> str:
        ends = f"{self.along} from {self.values[0]:.6g} to {self.values[-1]:.6g}, {len(self.values)} orbits: {self.outcome}"
        return "\n".join([f"{self.name}: {ends}", *(f"  {one}" for one in self.special)])


def family(orbit: ClosedOrbit, along: str, until: Any, hold: Mapping[str, Any] | None) -> OrbitFamily:
    """The family through an orbit along something, to the value ``until``.

    ``along`` is ``period``, a parameter, ``energy`` or any expression that a motion does not change.
    """
    if not orbit or orbit.shooting is None:
        raise StateError(f"{orbit.name}: there is no orbit to follow a family from: {orbit.outcome}.")
    if until is None:
        raise StateError(f'{orbit.name}: say until which value, e.g. family(along="{along}", until=2.0).')
    goal = finite(until, f"{orbit.name}: until")
    curve, first, held = _curve(orbit, orbit.shooting, along, goal, hold)
    points, outcome = followed(curve, first, goal, "orbit", MOST, LONGEST)
    ways = [curve.velocity(u) for u in points]
    # beyond a steady motion the same orbits come again, half a period later: the velocity has turned round
    small = [k for k in range(len(points) - 1) if ways[k] @ ways[k + 1] < 0]
    if small or (outcome.startswith("ends") and curve.extent(points[-1]) < 4 * SHRUNK):
        points = points[: small[0] + 1] if small else points
        outcome = f"ends near {along} = {points[-1, -1]:.6g}: the orbits shrink to a relative equilibrium"
    shooting, n = curve.shooting, curve.shooting.places[0].stop
    parts = curve.linear_flows(points)
    values = [multipliers(p) for p in parts]
    unstable = np.array([outside_of(v, limit_of(p)) for v, p in zip(values, parts)])
    amounts = points[:, shooting.amounts]
    names = shooting.charts[0].equations.state
    shown = [k for k, name in enumerate(names) if orbit.clock is None or name != orbit.clock.phase]
    return OrbitFamily(
        orbit.name,
        along,
        held,
        outcome,
        special_orbits(curve, points, parts, values, unstable),
        tuple(names[k] for k in shown),
        without_rounding(points[:, :n][:, shown]),
        points[:, -1],
        points[:, shooting.period],
        FrozenMap({m: amounts[:, k] for k, m in enumerate(shooting.action.names) if np.max(np.abs(amounts[:, k])) > 1e-9}),
        tracked(values),
        unstable,
        orbit.parameters,
    )


def _curve(
    orbit: ClosedOrbit, closing: Shooting, along: str, goal: float, hold: Mapping[str, Any] | None
) -> tuple[OrbitCurve, Numbers, tuple[str, ...]]:
    base = replace(closing, conditions=())
    unknowns, carrier, chart = orbit.unknowns, base.carrier, base.charts[0]
    state = unknowns[base.places[0]]
    parameter = along in carrier.parameters
    if orbit.clock is not None and along in orbit.clock.tied:
        raise StateError(
            f"{orbit.name}: the frequencies of its drive have a common period at these values alone; {along} cannot be varied."
        )
    ways = family_ways(base, unknowns, orbit.free)
    moves = np.array(ways).reshape(len(ways), len(unknowns)).T

    def change(what: Any) -> Numbers:
        """How something changes along each free direction, in what it changes with the state at all."""
        if what == PERIOD:
            return np.asarray(moves[base.period] * base.reach)
        slope = slopes_at(carrier, chart, (what,), state)[1][0] * base.sizes[0]
        return np.asarray(slope @ moves[base.places[0]] / max(float(np.linalg.norm(slope)), 1e-300))

    rows: list[Numbers] = []
    if not parameter:
        own = change(along)
        if not len(ways) or np.linalg.norm(own) < 1e-7:
            free = "nothing is free" if not len(ways) else "it is the same on all of them"
            raise StateError(
                f"{orbit.name}: {along} does not change in the family of this orbit ({free}); vary energy, period, a "
                f"momentum or a parameter ({', '.join(carrier.parameters) or 'none'})."
            )
        rows.append(own)
    wanted = dict(hold or {})
    if hold is None:
        wanted = dict.fromkeys(_held(orbit, closing, rows, change, len(ways), along))
    if orbit.clock is not None:
        wanted[orbit.clock.phase] = None
    conditions = []
    for what, target in wanted.items():
        now = float(unknowns[base.period]) if what == PERIOD else float(slopes_at(carrier, chart, (what,), state)[0][0])
        conditions.append(Condition(what, scale_of(base, what, state), now if target is None else finite(target, "hold")))
    if parameter:
        start = float(carrier.parameters[along])
    else:
        start = float(unknowns[base.period]) if along == PERIOD else float(slopes_at(carrier, chart, (along,), state)[0][0])
        conditions.append(Condition(along, scale_of(base, along, state), None))
    shooting = replace(
        base,
        conditions=tuple(conditions),
        along=along,
        parameter=parameter,
        step=max(abs(goal - start) / 40, 1e-9),
        _known=type(base._known)(64),
    )
    first = np.append(unknowns, start)
    if any(t is not None for t in wanted.values()):
        first = shooting.solved(first[None])[0]
        if not np.all(np.isfinite(first)):
            raise StateError(f"{orbit.name}: no orbit next to this one has what hold asks for; find one with orbit(…, hold=…).")
    chain = tuple(part.shape[1] for part in parts_of(base, unknowns).chain)
    told_held = [str(n) for n in wanted if orbit.clock is None or n != orbit.clock.phase]
    return OrbitCurve(shooting, chain), first, tuple(told_held)


def _held(
    orbit: ClosedOrbit, closing: Shooting, rows: list[Numbers], change: Callable[[Any], Numbers], count: int, along: str
) -> list[Any]:
    """Integrals that parametrise the other directions of the family; the period where there are not enough."""
    chosen: list[Any] = []
    if len(rows) >= count:
        return chosen
    flow = closing.carrier.flow
    state = orbit.unknowns[closing.places[0]]
    found = integrals_of(flow.system, flow.parameters)
    known = [f.expression for f in found if not hasattr(f.expression, "many") and conserved(flow, state, [f])]
    for what in ["energy", *known, PERIOD]:
        if len(rows) >= count:
            break
        if what == along:
            continue
        trial = np.array([*rows, change(what)])
        if np.linalg.matrix_rank(trial, tol=1e-6) > len(rows):
            rows.append(trial[-1])
            chosen.append(what)
    if len(rows) < count:
        raise StateError(
            f"{orbit.name}: orbits are free in {count} directions, and too few integrals are known to tell them; say what to "
            'hold, e.g. hold={"energy": None, "w3": None}.'
        )
    return chosen
