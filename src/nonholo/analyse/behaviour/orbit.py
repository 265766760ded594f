"""Periodic and relatively periodic motions: closed after a period but for a motion of the symmetry and whole turns of angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen import FrozenMap
from nonholo.analyse.behaviour import multipliers as returning
from nonholo.analyse.behaviour.action import Action, action_of
from nonholo.analyse.behaviour.carrier import Carrier, Lost, carrier_of
from nonholo.analyse.behaviour.conserved import conserved, integrals_of
from nonholo.analyse.behaviour.equilibria import NOTHING, cleaned
from nonholo.analyse.behaviour.flow import Flow, flow_of
from nonholo.analyse.behaviour.modes import number
from nonholo.analyse.behaviour.recurrence import (
    Return,
    logarithm,
    recurrence,
    seen_along,
    spread_of,
    tracked_gaps,
)
from nonholo.analyse.behaviour.region import periods
from nonholo.analyse.behaviour.shooting import ENOUGH, PERIOD, Condition, Shooting, told
from nonholo.analyse.behaviour.spectrum import Spectrum
from nonholo.analyse.behaviour.stability import DEGENERATE, Zero
from nonholo.errors import StateError
from nonholo.finding import Finding
from nonholo.integrate.one.prepare import Prepared
from nonholo.integrate.one.presenters import presenter
from nonholo.integrate.one.trajectory import Trajectory
from nonholo.model.system import System, finite

Numbers = NDArray[np.float64]
CLOSED = "closed"
STEADY = 1e-6
"""A motion whose extent modulo the symmetry is below this part of what it covers is steady."""
GROWTH = 30.0
"""Tangents may grow by this in a segment, unless there would be more than the next."""
SEGMENTS = 24


@dataclass(frozen=True, eq=False)
class Orbit:
    """An orbit that closes after ``period``, moved by ``shift``. Made by `orbit`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    >>> print(nh.orbit(swing, {"q": 1.0}))
    system: orbitally stable, period 3.34998
      every motion nearby is itself such an orbit: there is nothing but the family, the flow and the symmetry
      1 flow: along the orbit
      1 family: orbits go on; along it change energy, period
    """

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
    """The genuine ones, the largest first."""
    zeros: tuple[Zero, ...]
    """What every other multiplier is due to: the flow, the symmetry, families, integrals. ``value`` is the multiplier less 1."""
    parameters: FrozenMap[str, float] = field(default=NOTHING, repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    shooting: Shooting | None = field(default=None, repr=False)
    unknowns: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)
    free: int = 0
    """In how many directions beside the symmetry orbits go on."""
    source: System | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.outcome == CLOSED

    @property
    def decided(self) -> bool:
        """Whether the verdict is one."""
        return self.verdict not in (returning.OPEN, returning.DRIFT, returning.NONE)

    @property
    def finding(self) -> Finding:
        """As a Finding: holds when it is stable, fails when unstable, unknown when not decided."""
        word: Any = "unknown" if not self.decided else "fails" if self.verdict == returning.UNSTABLE else "holds"
        largest = float(np.max(np.abs(self.multipliers), initial=0.0))
        return Finding("the orbit is stable", word, largest, f"{self.verdict}: {self.evidence}")

    @cached_property
    def run(self) -> Trajectory:
        """The motion over one period."""
        from nonholo.integrate.one.simulate import simulate

        assert self.source is not None
        start = {n: self.state[n] for n in self.names}
        times = np.linspace(0.0, self.period, 401)
        return simulate(self.source, start, self.period, dict(self.parameters), rtol=1e-11, atol=1e-13, t_eval=times)

    def family(self, along: str = PERIOD, until: float | None = None, hold: Mapping[str, Any] | None = None) -> Any:
        """The family through this orbit along the period, the energy, a parameter or an expression: `OrbitFamily`."""
        from nonholo.analyse.behaviour.orbit_family import family

        return family(self, along, until, hold)

    def plot(self, *names: str, **options: Any) -> Any:
        """Multipliers beside the unit circle, or with names the motion over a period: axes of a figure."""
        return self.run.plot(*names, **options) if names else presenter("plot")(self, **options)

    def __str__(self) -> str:
        if not self:
            return f"{self.name}: {self.outcome}"
        moved = [f"{e:.6g} {n}" for n, e in self.shift.items() if abs(e) > 1e-9]
        words = f", moved on by {' + '.join(moved)}" if moved else ""
        turned = "".join(f", {t} turn{'s' if abs(t) != 1 else ''} of {n}" for n, t in self.turns.items())
        lines = [f"{self.name}: {self.verdict}, period {self.period:.6g}{words}{turned}", f"  {self.evidence}"]
        lines += [f"  {_multiplier(v)}" for v in self.multipliers if v.imag > -1e-9 * abs(v)]
        lines += [f"  {number(1.0 + z.value)} {z.kind}: {z.what}" for z in self.zeros]
        return "\n".join(lines)


def _multiplier(value: complex) -> str:
    return f"{number(value)}  of size {abs(value):.6g}"


def orbit(
    system: System,
    guess: Any = None,
    period: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    hold: Mapping[str, Any] | None = None,
    segments: int | None = None,
) -> Orbit:
    """The periodic motion next to a guess: closed after a period, but for a motion of the symmetry and whole turns of angles.

    ``guess`` is a start, or a motion, whose last state is taken (what is attracted has come near). Where no period is
    given the motion is followed until it comes back. Orbits come in families wherever something is conserved: the nearest member is taken, or the
    one on which ``hold`` has its values (``{"energy": 2.5}``, any expression, ``period``, a parameter).

    Multiple shooting with exact variational equations; ``outcome`` says when no orbit was found, and why.
    """
    given, numbers = _read(system, guess, parameters)
    fixed = {str(n): e for n, e in dict(hold or {}).items()}
    if hold is not None and not isinstance(hold, Mapping):
        raise StateError(f'{system.name}: hold={hold!r} where a table is needed, e.g. {{"energy": 2.5}}.')
    own = {n: e for n, e in fixed.items() if n in system.parameters}
    numbers = {**(numbers or {}), **own} if own else numbers
    flow = flow_of(system, given, numbers)
    carrier, start = carrier_of(flow, system, given, numbers)
    action, angles = action_of(flow), _angles(flow, carrier)
    wanted = finite(period, f"{system.name}: period") if period is not None else None
    if wanted is not None and wanted <= 0:
        raise StateError(f"{system.name}: period {wanted:g} where a positive time is needed; leave it out to have it found.")
    if _steady(carrier, start):
        return _none(system, carrier, start, "this is a steady motion, not an orbit; ask stability about it")
    try:
        back = recurrence(carrier, start, action, angles) if wanted is None else _at(carrier, start, action, angles, wanted)
    except Lost as trouble:
        return _none(system, carrier, start, f"no orbit was found: the motion of the guess ends early ({trouble})")
    if back is None:
        return _none(system, carrier, start, "no orbit was found: the motion of the guess does not come back; give period=…")
    held = {n: e for n, e in fixed.items() if n not in own}
    shooting, unknowns = shooting_of(carrier, start, action, back, held, segments)
    found = shooting.nearest(unknowns[None])[0]
    return made(system, shooting, found, spread_first=shooting.spread)


def _read(system: System, guess: Any, parameters: Any) -> tuple[Any, Any]:
    """The start and the parameters that a guess means."""
    if isinstance(guess, Orbit):
        return {n: guess.state[n] for n in guess.names}, dict(guess.parameters) if parameters is None else parameters
    if isinstance(guess, Trajectory):
        names = {*system.coordinates, *system.velocities, *(f"{c}dot" for c in system.coordinates)}
        own = guess.system.values if guess.system is not None else {}
        start = {n: float(e) for n, e in guess.final.items() if n in names}
        return start, {n: own[n] for n in system.parameters if n in own} if parameters is None else parameters
    if guess is not None and not isinstance(guess, Mapping):
        raise StateError(f"{system.name}: guess {guess!r} where a start (a table of values) or a motion is needed.")
    return guess, parameters


def _angles(flow: Flow, carrier: Carrier) -> NDArray[np.bool_]:
    result = np.zeros(carrier.width, dtype=np.bool_)
    count = len(flow.system.coordinates)
    result[:count] = np.isfinite(periods(flow)[:count])
    return result


def _steady(carrier: Carrier, start: Prepared) -> bool:
    """Whether a state only moves along the symmetry."""
    flow = carrier.flow
    rate = carrier.rate(start.derived, start.state)
    fields = flow.moved(start.state[None])[0][0]
    left = rate - fields.T @ np.linalg.lstsq(fields.T, rate, rcond=1e-9)[0] if len(fields) else rate
    return bool(np.linalg.norm(left) <= STEADY * max(float(np.linalg.norm(rate)), 1e-3))


def _at(carrier: Carrier, start: Prepared, action: Action, angles: NDArray[np.bool_], period: float) -> Return:
    """How the motion stands after a time that the user gave."""
    points = seen_along(carrier, start, np.linspace(0.0, period, 201))
    spread = spread_of(points, len(carrier.flow.system.coordinates))
    gaps, amounts = tracked_gaps(action, points, spread, angles)
    moved = action.moved(amounts[-1], points[0])
    turns = np.where(angles, 2 * np.pi * np.round((points[-1] - moved) / (2 * np.pi)), 0.0)
    return Return(period, logarithm(action, amounts[-1], points[0], points[-1] - turns, spread), turns, float(gaps[-1]))


def shooting_of(
    carrier: Carrier, start: Prepared, action: Action, back: Return, hold: Mapping[str, Any], segments: int | None
) -> tuple[Shooting, Numbers]:
    """The equations of an orbit and a guess of their unknowns."""
    coordinates = len(carrier.flow.system.coordinates)
    count = segments if segments is not None else _segments(carrier, start, back.period)
    if not isinstance(count, int) or count < 1:
        raise StateError(f"{carrier.problem.name}: segments={segments!r} where a whole number of at least 1 is needed.")
    fine = seen_along(carrier, start, np.linspace(0.0, back.period, 201))
    spread = spread_of(fine, coordinates)
    times = np.arange(count + 1) * back.period / count
    nodes = [(p, y) for p, states in carrier.along(start.derived, start.state, times) for y in states][:count]
    nodes[0] = (start, start.state)
    sizes = tuple(_sizes(carrier, p, y, spread) for p, y in nodes)
    name = carrier.problem.name
    conditions = []
    for what, target in hold.items():
        value = finite(target, f"{name}: hold, {what}")
        scale = 1.0
        if what != PERIOD:
            values, slopes, _ = told(carrier, start.derived, (what,), start.state)
            scale = max(float(np.linalg.norm(slopes[0] * sizes[0])), 1e-3 * abs(float(values[0])), 1e-12)
        conditions.append(Condition(what, back.period if what == PERIOD else scale, value))
    charts = tuple(p.derived for p, _ in nodes)
    shooting = Shooting(carrier, charts, action, back.turns, spread, sizes, back.period, tuple(conditions))
    return shooting, np.concatenate([*(y for _, y in nodes), [back.period], back.amounts])


def _sizes(carrier: Carrier, place: Prepared, state: Numbers, spread: Numbers) -> Numbers:
    """By how much each state variable changes w by a typical size."""
    slopes = carrier.seen(place.derived, state)[1] / spread[:, None]
    return np.asarray(1.0 / np.maximum(np.linalg.norm(slopes, axis=0), 1e-9))


def _segments(carrier: Carrier, start: Prepared, period: float) -> int:
    """So many that tangents do not grow much in each."""
    end = carrier.moved(start.derived, start.state, period)
    grown = float(np.linalg.norm(end.slopes, 2))
    count = 1 + int(np.log(max(grown, 1.0)) / np.log(GROWTH)) if np.isfinite(grown) else SEGMENTS
    return min(max(count, 2), SEGMENTS)


def _none(system: System, carrier: Carrier, start: Prepared, words: str, gap: float = np.inf, period: float = np.nan) -> Orbit:
    """What is told where no orbit was found."""
    state = FrozenMap(_full(carrier, start, start.state))
    empty = np.zeros(0, dtype=np.complex128)
    names = start.equations.state
    return Orbit(
        carrier.problem.name, words, period, NOTHING, FrozenMap(), state, gap, returning.NONE, words, empty, (),
        FrozenMap(dict(carrier.parameters)), names, source=system,
    )  # fmt: skip


def _full(carrier: Carrier, place: Prepared, state: Numbers) -> dict[str, float]:
    told_state = dict(zip(place.equations.state, (state + 0.0).tolist()))
    others = place.derived.velocities(carrier.row(place.derived, state))
    return {**told_state, **{n: e + 0.0 for n, e in others.items() if n not in told_state}}


def made(system: System, shooting: Shooting, unknowns: Numbers, spread_first: Numbers) -> Orbit:
    """The record of a solution, or words on why it is none."""
    carrier = shooting.at(unknowns)
    unknowns = shooting.tidy(unknowns)
    period, gap = float(unknowns[shooting.period]), float(shooting.gaps(unknowns[None])[0])
    place = carrier.prepared(shooting.charts[0], unknowns[shooting.places[0]])
    trouble = _trouble(shooting, carrier, place, unknowns, gap, period)
    if trouble:
        return replace(_none(system, carrier, place, trouble, gap, period), shooting=shooting, unknowns=unknowns)
    parts = returning.parts_of(shooting, unknowns)
    values = returning.multipliers(parts)
    ways = returning.family_ways(shooting, unknowns) if parts.zeros else []
    verdict, evidence = returning.judged(parts, values, len(ways), len(shooting.action) > 0)
    if shooting.action.dropped:
        evidence += f" (symmetries that are no affine maps were left out: {', '.join(shooting.action.dropped)})"
    names = place.equations.state
    coordinates = carrier.flow.system.coordinates
    return Orbit(
        carrier.problem.name,
        CLOSED,
        period,
        FrozenMap({n: float(e) for n, e in zip(shooting.action.names, cleaned(unknowns[shooting.amounts]))}),
        FrozenMap({n: int(np.round(e / (2 * np.pi))) for n, e in zip(coordinates, shooting.turns) if abs(e) > 1}),
        FrozenMap(_full(carrier, place, cleaned(place.state))),
        gap,
        verdict,
        evidence,
        values,
        _zeros(shooting, carrier, unknowns, parts, ways),
        FrozenMap(dict(carrier.parameters)),
        names,
        shooting,
        unknowns,
        len(ways),
        system,
    )


def _trouble(
    shooting: Shooting, carrier: Carrier, place: Prepared, unknowns: Numbers, gap: float, period: float
) -> str:
    """Why a solution is no orbit; nothing where it is one."""
    if not gap < ENOUGH:
        how = f"the nearest that was found closes but for {gap:.3g} of its size" if np.isfinite(gap) else "its motion does not last"
        return f"no orbit was found: {how}, with period {period:.6g}; start nearer, or let the motion settle first"
    if period < 1e-6 * shooting.reach:
        return f"no orbit was found: the period goes to zero ({period:.3g}); start further away or hold it"
    if _steady(carrier, place):
        return "no orbit was found: the search fell on a steady motion; start further away or hold the energy"
    return ""


def _zeros(
    shooting: Shooting, carrier: Carrier, unknowns: Numbers, parts: Spectrum, ways: list[Numbers]
) -> tuple[Zero, ...]:
    """What each multiplier beside the genuine ones is due to."""
    flow, state = carrier.flow, unknowns[shooting.places[0]]
    orbit_values = sorted(parts.orbit_values, key=lambda v: (abs(v) < 1e-6, -abs(v.imag), -v.imag))
    result = [Zero("flow", "along the orbit")]
    names = _independent(returning.trivial(shooting, unknowns), ("flow", *flow.fields.names))[1:]
    result += [Zero("symmetry", n, complex(v) if abs(v) > 1e-6 else 0.0) for n, v in zip(names, orbit_values)]
    size = shooting.size
    chart = shooting.charts[0]
    energy = told(carrier, chart, ("energy",), state)[1][0]
    left = parts.zeros - len(ways)
    known = conserved(flow, state, integrals_of(flow.system, flow.parameters)) if left > 0 else []
    slopes = [("energy", energy)] + [(one.name, one.slope) for one in known if one.name != "energy"]
    for way in ways:
        move = way[shooting.places[0]] * size[shooting.places[0]]
        changed = [n for n, s in slopes if abs(s @ move) > 1e-5 * max(float(np.linalg.norm(s * size[shooting.places[0]])), 1e-12)]
        if abs(way[shooting.period]) > 1e-5:
            changed.append(PERIOD)
        result.append(Zero("family", "orbits go on" + (f"; along it change {', '.join(changed)}" if changed else "")))
    if left > 0:
        gradients = np.array([s for _, s in slopes]) @ parts.tangent
        rank = int(np.linalg.matrix_rank(gradients, tol=1e-6 * max(1.0, float(np.linalg.norm(gradients)))))
        count = min(left, max(0, rank - len(ways)))
        result += [Zero("integral", ", ".join(n for n, _ in slopes))] * count
        left -= count
    return (*result, *[Zero("degenerate", DEGENERATE)] * max(0, left))


def _independent(columns: Numbers, names: tuple[str, ...]) -> list[str]:
    """The names of columns that are independent of those before."""
    kept: list[str] = []
    basis = np.zeros((len(columns), 0))
    for name, column in zip(names, columns.T):
        rest = column - basis @ (basis.T @ column)
        if np.linalg.norm(rest) > 1e-6:
            kept.append(name)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept
