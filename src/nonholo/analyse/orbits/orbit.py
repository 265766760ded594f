"""Periodic and relatively periodic motions: closed after a period but for a motion of the symmetry and whole turns of angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.lifted_generators import generators_of
from nonholo.analyse.flow.periodic_forcing import Clock, clock_of, has_time, strokes
from nonholo.analyse.flow.state_action import action_of
from nonholo.analyse.flow.state_flow import flow_of
from nonholo.analyse.flow.zero_attribution import Zero, explained, independent_rows
from nonholo.analyse.orbits import floquet as returning
from nonholo.analyse.orbits.orbit_family import CLOSED, ClosedOrbit, OrbitFamily, family
from nonholo.analyse.orbits.orbit_guess import (
    Return,
    angles_of,
    found_return,
    found_strokes,
    repeats,
    return_at,
    shooting_of,
    shorter_return,
    steady_there,
)
from nonholo.analyse.orbits.sampled_orbit import SampledOrbit, sampled_orbit, samples_of
from nonholo.analyse.orbits.shooting import ENOUGH, PERIOD, Shooting, slopes_at
from nonholo.analyse.orbits.tangent_flow import Carrier, Lost, carrier_of
from nonholo.analyse.stability.conserved_expansions import conserved, integrals_of
from nonholo.analyse.stability.sampled_loop import closed_by
from nonholo.analyse.stability.spectrum import Spectrum, number
from nonholo.analyse.steady.equilibrium_record import NOTHING, without_rounding
from nonholo.errors import ModelError, StateError
from nonholo.finding import Finding, Measured, Stable
from nonholo.integrate.inputs import Controller
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.results.presenters import presenter
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System, finite, known_parameters, parameter_values
from nonholo.notation.write import to_text

SAME = 1e-6
"""Solutions whose states and periods differ by less of their sizes are the same orbit."""


def trivial_ones(
    shooting: Shooting, carrier: Carrier, unknowns: Numbers, parts: Spectrum, ways: list[Numbers]
) -> tuple[Zero, ...]:
    """What each multiplier beside the genuine ones is due to."""
    flow, state = carrier.flow, unknowns[shooting.places[0]]
    orbit_values = sorted(parts.orbit_values, key=lambda v: (abs(v) < 1e-6, -abs(v.imag), -v.imag))
    result = [Zero("flow", "along the orbit", 1.0)]
    columns, words = returning.trivial(shooting, unknowns), ("flow", *flow.fields.names)
    names = [words[k] for k in independent_rows(columns.T[None])][1:]
    result += [Zero("symmetry", n, 1.0 + complex(v) if abs(v) > 1e-6 else 1.0) for n, v in zip(names, orbit_values)]
    size = shooting.size
    chart = shooting.charts[0]
    energy = slopes_at(carrier, chart, ("energy",), state)[1][0]
    left = parts.zeros - len(ways)
    known = conserved(flow, state, integrals_of(flow.system, flow.parameters)) if left > 0 else []
    slopes = [("energy", energy)] + [(one.name, one.slope) for one in known if one.name != "energy"]
    for way in ways:
        move = way[shooting.places[0]] * size[shooting.places[0]]
        changed = [n for n, s in slopes if abs(s @ move) > 1e-5 * max(float(np.linalg.norm(s * size[shooting.places[0]])), 1e-12)]
        if abs(way[shooting.period]) > 1e-5:
            changed.append(PERIOD)
        result.append(Zero("family", "orbits go on" + (f"; along it change {', '.join(changed)}" if changed else ""), 1.0))
    family = np.array([way[shooting.places[0]] * size[shooting.places[0]] for way in ways]).reshape(len(ways), flow.size).T
    return explained(result, left, [(one.name, one.slope) for one in known], parts.tangent, family, 1.0)


@dataclass(frozen=True, eq=False)
class Orbit(ClosedOrbit):
    """An orbit that closes after ``period``, moved by ``shift``. Made by `orbit`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    >>> print(nh.orbit(swing, {"q": 1.0}))
    system: orbitally stable, period 3.34999
      every motion nearby is itself such an orbit: there is nothing but the family (a step in each direction was tried), the flow
      1 flow: along the orbit
      1 family: orbits go on; along it change energy, period
    """

    @property
    def decided(self) -> bool:
        """Whether the verdict is one."""
        return self.verdict not in (returning.OPEN, returning.DRIFT, returning.NONE)

    @property
    def finding(self) -> Finding:
        """As a Finding: holds when it is stable, fails when unstable, unknown when not decided."""
        word: Any = "unknown" if not self.decided else "fails" if self.verdict == returning.UNSTABLE else "holds"
        largest = float(np.max(np.abs(self.genuine), initial=0.0))
        return Finding(Stable(self.verdict, orbit=True), word, largest, Measured(self.evidence))

    @cached_property
    def run(self) -> Trajectory:
        """The motion over one period."""
        start = {n: self.state[n] for n in self.names}
        times = np.linspace(0.0, self.period, 401)
        return simulate(self.source, start, self.period, dict(self.parameters), rtol=1e-11, atol=1e-13, t_eval=times)

    def family(
        self, along: str = PERIOD, until: float | None = None, hold: Mapping[str, Any] | None = None
    ) -> OrbitFamily:
        """The family through this orbit along the period, the energy, a parameter or any expression, until a value of it.

        Where orbits are free in more directions integrals keep their values, or what ``hold`` names (``{"energy": None}``: as
        they are here). Round folds by pseudo-arclength; ``outcome`` says where and why it ends.
        """
        return family(self, along, until, hold)

    def moving_frame(self) -> tuple[Symmetry, dict[str, float]]:
        """The frame from which the orbit closes: generators, and their velocities, the shift over the period.

        ``run.seen_from(orbit)`` shows a run so.
        """
        fields = dict(generators_of(self.source))
        names = self.source.coordinates
        tables = {n: {c: to_text(e) for c, e in zip(names, fields[n]) if e != 0} for n in self.shift if n in fields}
        return Symmetry(tables, "orbit"), {n: e / self.period for n, e in self.shift.items() if n in tables}

    def plot(self, *names: str, **options: Any) -> Any:
        """Multipliers beside the unit circle, or with names the motion over a period: axes of a figure."""
        return self.run.plot(*names, **options) if names else presenter("plot")(self, **options)

    def __str__(self) -> str:
        if not self:
            return f"{self.name}: {self.outcome}"
        moved = [f"{e:.6g} {n}" for n, e in self.shift.items() if abs(e) > ENOUGH]
        words = f", moved on by {' + '.join(moved)}" if moved else ""
        words = f" ({self.strokes} of its drive){words}" if self.strokes > 1 else words
        turned = "".join(f", {t} turn{'s' if abs(t) != 1 else ''} of {n}" for n, t in self.turns.items())
        lines = [f"{self.name}: {self.verdict}, period {self.period:.6g}{words}{turned}", f"  {self.evidence}"]
        lines += [f"  {_multiplier(complex(v))}" for v in self.genuine if v.imag > -1e-9 * abs(v)]
        lines += [f"  {one}" for one in self.trivial]
        return "\n".join(lines)


def _multiplier(value: complex) -> str:
    return f"{number(value)}  of size {abs(value):.6g}"


@overload
def orbit(
    system: System, guess: Any = None, *, period: float | None = None, parameters: Mapping[str, Any] | None = None,
    hold: Mapping[str, Any] | None = None, segments: int | None = None, inputs: Mapping[str, Any] | None = None,
) -> Orbit: ...
@overload
def orbit(
    system: System, guess: Any = None, *, period: float | None = None, parameters: Mapping[str, Any] | None = None,
    inputs: Controller,
) -> SampledOrbit: ...
def orbit(
    system: System,
    guess: Any = None,
    *,
    period: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    hold: Mapping[str, Any] | None = None,
    segments: int | None = None,
    inputs: Mapping[str, Any] | Controller | None = None,
) -> Orbit | SampledOrbit:
    """The periodic motion next to a guess: closed after a period, but for a motion of the symmetry and whole turns of angles.

    ``guess`` is a start, or a motion, whose last state is taken (what is attracted has come near). Where no period is given
    the motion is followed until it comes back. Orbits come in families wherever something is conserved: the nearest member
    is taken, or the one on which ``hold`` has its values (``{"energy": 2.5}``, any expression, ``period``, a parameter).

    Where the time enters periodically the period is a multiple of the drive's (``strokes``), the state is that at t = 0, and the
    multipliers are those of the return after a period: none is due to the flow.

    ``inputs`` closes the loop: formulas by input, or ``nh.controller(f, every=…)``; then a period of whole samples must be given,
    and the answer is a `SampledOrbit` with the multipliers of the return after these samples.

    Multiple shooting with exact variational equations; ``outcome`` says when no orbit was found, and why.

    >>> import nonholo as nh
    >>> relaxing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2", forces={"q": "(1 - q**2)*qdot"})
    >>> found = nh.orbit(relaxing, {"q": 1.9})
    >>> found.outcome, round(found.period, 9), found.verdict
    ('closed', 6.663286859, 'asymptotically orbitally stable')
    """
    given, numbers = _read(system, guess, parameters)
    if isinstance(inputs, Controller):
        return sampled_orbit(system, given or {}, inputs, samples_of(system, inputs, period), parameters=numbers)
    if inputs is not None:
        system = closed_by(system, inputs)
    fixed = {str(n): e for n, e in dict(hold or {}).items()}
    if hold is not None and not isinstance(hold, Mapping):
        raise StateError(f'{system.name}: hold={hold!r} where a table is needed, e.g. {{"energy": 2.5}}.')
    own = {n: e for n, e in fixed.items() if n in system.parameters}
    numbers = {**(numbers or {}), **own} if own else numbers
    wanted = finite(period, f"{system.name}: period") if period is not None else None
    if wanted is not None and wanted <= 0:
        raise StateError(f"{system.name}: period {wanted:g} where a positive time is needed; leave it out to have it found.")
    clock = clock_of(system, parameter_values(system, numbers), wanted) if has_time(system) else None
    whole = system if clock is None else clock.system
    flow = flow_of(whole, given, numbers)
    carrier, start = carrier_of(flow, whole, given, numbers)
    action, angles = action_of(flow), angles_of(flow, carrier)
    phase = -1 if clock is None else start.equations.state.index(clock.phase)
    if clock is not None:
        angles[whole.coordinates.index(clock.phase)] = True
        if not repeats(flow, phase):
            raise ModelError(f"{system.name}: its equations do not repeat after {clock.stroke:.9g}; give its drive's period.")
        wanted = None if wanted is None else strokes(clock, wanted) * clock.stroke
        fixed[clock.phase] = float(start.state[phase])
    elif steady_there(carrier, start):
        return _none(system, carrier, start, "this is a relative equilibrium, not an orbit; use stability")
    try:
        words = ""
        back: Return | None
        if clock is not None and wanted is None:
            start, back = found_strokes(carrier, start, action, angles, clock.stroke, phase)
        elif wanted is not None:
            back = return_at(carrier, start, action, angles, wanted)
        else:
            start, back, words = found_return(carrier, start, action, angles)
    except Lost as trouble:
        return _none(system, carrier, start, f"no orbit was found: the motion of the guess ends early ({trouble})")
    if back is None:
        return _none(system, carrier, start, f"no orbit was found: {words}")
    held = {n: e for n, e in fixed.items() if n not in own}
    shooting, unknowns = shooting_of(carrier, start, action, back, held, segments, clock is not None)
    found = shooting.nearest(unknowns[None])[0]
    shorter = shorter_return(shooting, found, angles)
    if shorter is not None:
        place = carrier.initial(shooting.charts[0], shooting.tidy(found)[shooting.places[0]])
        shooting, unknowns = shooting_of(carrier, place, action, shorter, held, segments, clock is not None)
        found = shooting.nearest(unknowns[None])[0]
    return orbit_of_solution(system, shooting, _least_shift(shooting, found), clock)


def _least_shift(shooting: Shooting, unknowns: Numbers) -> Numbers:
    """The same orbit with the least group motion: symmetries that leave it in place could move it on by any amount."""
    plain, still = unknowns.copy(), slice(0, shooting.period + 1)
    plain[shooting.amounts] = 0.0
    near = shooting.nearest(plain[None])[0]
    same = np.max(np.abs(near - unknowns)[still] / np.maximum(shooting.size[still], ENOUGH)) < SAME
    less = np.sum(np.abs(near[shooting.amounts])) < np.sum(np.abs(unknowns[shooting.amounts]))
    return near if same and less and shooting.gaps(near[None])[0] < ENOUGH else unknowns


def _read(system: System, guess: Any, parameters: Any) -> tuple[Any, Any]:
    """The start and the parameters that a guess means."""
    if isinstance(guess, Orbit):
        return {n: guess.state[n] for n in guess.names}, dict(guess.parameters) if parameters is None else parameters
    if isinstance(guess, Trajectory):
        names = {*system.coordinates, *system.velocities, *(f"{c}dot" for c in system.coordinates)}
        own = known_parameters(guess.system) if guess.system is not None else {}
        start = {n: float(e) for n, e in guess.final.items() if n in names}
        return start, {n: own[n] for n in system.parameters if n in own} if parameters is None else parameters
    if guess is not None and not isinstance(guess, Mapping):
        raise StateError(f"{system.name}: guess {guess!r} where a start (a table of values) or a motion is needed.")
    return guess, parameters


def _none(
    system: System, carrier: Carrier, start: InitialValue, words: str, gap: float = np.inf, period: float = np.nan
) -> Orbit:
    """The result where no orbit was found."""
    state = FrozenMap(_full(carrier, start, start.state))
    empty = np.zeros(0, dtype=np.complex128)
    names = start.equations.state
    return Orbit(
        carrier.problem.name, words, period, NOTHING, FrozenMap(), state, gap, returning.NONE, words, empty, (),
        system, FrozenMap(dict(carrier.parameters)), names,
    )  # fmt: skip


def _full(carrier: Carrier, place: InitialValue, state: Numbers) -> dict[str, float]:
    told_state = dict(zip(place.equations.state, (state + 0.0).tolist()))
    others = place.kernel.velocities(carrier.row(place.kernel, state))
    return {**told_state, **{n: e + 0.0 for n, e in others.items() if n not in told_state}}


def orbit_of_solution(system: System, shooting: Shooting, unknowns: Numbers, clock: Clock | None = None) -> Orbit:
    """The record of a solution, or words on why it is none."""
    carrier = shooting.at(unknowns)
    unknowns = shooting.tidy(unknowns)
    period, gap = float(unknowns[shooting.period]), float(shooting.gaps(unknowns[None])[0])
    place = carrier.initial(shooting.charts[0], unknowns[shooting.places[0]])
    trouble = _trouble(shooting, carrier, place, unknowns, gap, period)
    if trouble:
        return replace(_none(system, carrier, place, trouble, gap, period), shooting=shooting, unknowns=unknowns)
    parts = returning.parts_of(shooting, unknowns)
    values = returning.multipliers(parts)
    ways = returning.family_ways(shooting, unknowns, parts.still)
    verdict, evidence = returning.judged(parts, values, len(ways), len(shooting.action) > 0, clock is not None)
    if shooting.action.dropped:
        evidence += f" (symmetries that are no affine maps were left out: {', '.join(shooting.action.dropped)})"
    trivial = trivial_ones(shooting, carrier, unknowns, parts, ways)
    hidden = () if clock is None else (clock.phase, f"{clock.phase}dot")
    trivial = trivial if clock is None else trivial[1:]  # the phase is the drive's
    names = tuple(n for n in place.equations.state if n not in hidden)
    coordinates = carrier.flow.system.coordinates
    full = _full(carrier, place, without_rounding(place.state))
    turns = {n: int(np.round(e / (2 * np.pi))) for n, e in zip(coordinates, shooting.turns) if abs(e) > 1}
    return Orbit(
        carrier.problem.name,
        CLOSED,
        period,
        FrozenMap({n: float(e) for n, e in zip(shooting.action.names, without_rounding(unknowns[shooting.amounts]))}),
        FrozenMap({n: e for n, e in turns.items() if n not in hidden}),
        FrozenMap({n: e for n, e in full.items() if n not in hidden}),
        gap,
        verdict,
        evidence,
        np.concatenate([values, [one.value for one in trivial]]),
        trivial,
        system,
        FrozenMap(dict(carrier.parameters)),
        names,
        shooting,
        unknowns,
        len(ways),
        0 if clock is None else strokes(clock, period),
        clock,
    )


def _trouble(
    shooting: Shooting, carrier: Carrier, place: InitialValue, unknowns: Numbers, gap: float, period: float
) -> str:
    """Why a solution is no orbit; nothing where it is one."""
    if not gap < ENOUGH:
        near = f"the nearest that was found closes but for {gap:.3g} of its size"
        how = near if np.isfinite(gap) else "its motion does not last"
        return f"no orbit was found: {how}, with period {period:.6g}; start nearer, or let the motion settle first"
    if period < 1e-6 * shooting.reach:
        return f"no orbit was found: the period goes to zero ({period:.3g}); start further away or hold it"
    if steady_there(carrier, place):
        return "no orbit was found: the search ended at a relative equilibrium; start further away or hold the energy"
    return ""
