"""Equilibria and steady motions of a system in a region, as families: a member and the tangent directions of its family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.state_flow import Flow, flow_of, onto_bound
from nonholo.analyse.steady.equilibrium_record import AT_REST, Equilibria, Equilibrium, with_witness, without_rounding
from nonholo.analyse.steady.join_families import families
from nonholo.analyse.steady.steady_equations import (
    STARTS,
    Region,
    Steady,
    periods,
    region_of,
    rest_means_zero_speeds,
    starts_in,
    typical_rates,
    wrapped,
)
from nonholo.analyse.steady.steady_families import (
    Direction,
    SymmetricDuplicates,
    Tangents,
    brought_home,
    directions,
    goes_on,
    images_of,
    merge_images,
    simple_member,
    tangents,
)
from nonholo.analyse.steady.steady_zeros import further_zeros
from nonholo.derive.equations import Equations
from nonholo.errors import NonholoError, StateError
from nonholo.finding import Finding, while_lasting
from nonholo.geometry.frames.frame import sample
from nonholo.model.lasting_contacts import lasting_condition
from nonholo.model.system import System, check_system

POOR, BETTER = 0.002, 0.1
"""Results in speeds of poorer condition than the first are discarded; starts poorer than the second need other speeds."""
SLOW = 1e-3
"""Speeds below this are tried as none."""
MOST = 24
"""Largest number of families reported."""
PLACES = 6
"""So many generic places are tried where the equations do not serve at the start."""
ROUNDS, DEFLATED = 3, 16
"""So many rounds of deflation at most, each from so many of the starts."""


def equilibria(
    system: System | Equations,
    parameters: Mapping[str, Any] | None = None,
    *,
    where: Mapping[str, Any] | None = None,
    count: int = STARTS,
    witness: bool = True,
) -> tuple[Equilibrium, ...]:
    """The equilibria that can be found, a member of each family with its free directions.

    ``where`` gives the region: pairs are ranges, numbers are fixed (``{"theta": (0, 3), "x": 0.5}``, any names or
    expressions). Levenberg–Marquardt's method on the constraint manifold from ``count`` states, always the same, then again
    from some of them with what was found deflated; what they reach is joined to families by walking from one to the other.
    None that was found is no proof that there is none. Each is tried, with members of its family that are far apart, on motions
    by multipliers; where these move away its finding is a `Defect`. ``witness=False`` leaves this out.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    >>> for found in nh.equilibria(swing):
    ...     print(found)
    all variables zero
    q = 3.14159
    """
    return _searched(system, parameters, where, count, moving=False, witness=witness)


def relative_equilibria(
    system: System | Equations,
    parameters: Mapping[str, Any] | None = None,
    *,
    where: Mapping[str, Any] | None = None,
    count: int = STARTS,
    witness: bool = True,
) -> tuple[Equilibrium, ...]:
    """Steady motions modulo the symmetry: ``f(y) = Σ η_a ξ_a(y)``, with the group's velocity η and the family.

    The symmetry is what the system declares, and all affine fields that leave it as it is; generators that do not commute
    with the flow are left out. As `equilibria` otherwise.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> for found in nh.relative_equilibria(sleigh.system, sleigh.parameters, where={"theta": 0, "v": (0.1, 5)}):
    ...     print(found)
    v = 1; moves along 1 shift_x; family: v
    """
    return _searched(system, parameters, where, count, moving=True, witness=witness)


def _searched(
    system: System | Equations, parameters: Any, where: Any, starts: int, moving: bool, witness: bool
) -> tuple[Equilibrium, ...]:
    if not isinstance(system, Equations):
        check_system(system)
    flow = _regular_flow(system, parameters, where)
    region = region_of(flow, where)
    period = periods(flow)
    states = starts_in(flow, region, moving, period, max(6, int(starts)))
    result, steady = _search_in_chart(flow, region, period, states, moving, lambda found: flow.conditions(found) > POOR)
    badly = states[flow.conditions(states) < BETTER]
    for state in badly[:1]:  # speeds that serve elsewhere: what is found there and could not be seen before
        width = len(flow.kernel.equations.coordinates)
        try:
            other = flow_of(system, dict(zip(flow.names[:width], state[:width].tolist())), parameters)
        except NonholoError:  # a nonlinear constraint leaves no speeds at rest
            continue
        there = np.hstack([states[:, :width], np.zeros((len(states), other.size - width))])
        push = np.random.default_rng(9).uniform(-1, 1, (len(there[1::2]), other.size - width))
        there[1::2, width:] = push * (1.0 if moving else 0.02)
        inside, wanted = region_of(other, where), _only_in(other, flow)
        more, _ = _search_in_chart(other, inside, periods(other), onto_bound(other, there), moving, wanted)
        if any(_everywhere(system, e) for e in result):  # the whole of the configurations is one family, in whatever speeds
            more = [e for e in more if not _everywhere(system, e)]
        result += _further_equilibria(images_of(steady, period), result, more)
    result = with_witness(result) if witness else result
    condition = lasting_condition(system)
    if condition:
        result = [replace(e, finding=while_lasting(e.finding, condition), condition=condition) for e in result]
    return Equilibria(sorted(result, key=lambda e: (bool(e.velocity), len(e.family))))


def _everywhere(system: System | Equations, one: Equilibrium) -> bool:
    """Whether a family at rest has the dimension of the configurations: then rest is an equilibrium in all of them."""
    return isinstance(system, System) and not one.velocity and len(one.family) >= system.frame.size - len(system.holonomic)


def _further_equilibria(
    images: SymmetricDuplicates | None, first: list[Equilibrium], more: list[Equilibrium]
) -> list[Equilibrium]:
    """Zeros found in other speeds that are no symmetric images of those found already."""
    if images is None or not first or not more:
        return more
    names = images.steady.flow.names
    known = images.steady.starts(np.array([[e.state[n] for n in names] for e in first]))
    kept = []
    for one in more:
        own = one.flow
        point = np.array([one.state[n] for n in one.names])
        seen = np.append(point[: images.width], own.rates(point[None])[0, : images.width]) if own is not None else point[:0]
        alike = [k for k, e in enumerate(first) if len(e.family) == len(one.family)] if len(seen) else []
        if not alike or not np.any(images.same(np.tile(seen, (len(alike), 1)), known[alike])):
            kept.append(one)
    return kept


def _regular_flow(system: System | Equations, parameters: Any, where: Any) -> Flow:
    """The flow around the system's start; where constraints lose their rank there or rates are infinite, around another place."""
    if isinstance(system, Equations):
        return flow_of(system, None, parameters)
    trouble: NonholoError | None = None
    tied = system.frame.redundant
    ranges = where if isinstance(where, Mapping) else {}
    kept = {n: e for n, e in ranges.items() if n in system.coordinates and np.ndim(e) == 0}
    among = {n: np.mean(e) for n, e in ranges.items() if n in system.coordinates and np.shape(e) == (2,)}
    for k in range(PLACES + 1):
        random = sample(system.frame, k)
        place = {n: random[n] if n in tied else abs(round(random[n], 1)) for n in system.coordinates}  # radii are positive
        try:
            flow = flow_of(system, {**place, **among, **kept} if k else None, parameters)
        except NonholoError as problem:
            trouble = trouble or problem
            continue
        if k == PLACES or np.all(np.isfinite(flow.rates(flow.home[None]))):
            return flow
    raise trouble or StateError(f"{system.name}: no state was found where its equations have finite rates; give a start.")


def _only_in(other: Flow, flow: Flow) -> Callable[[Numbers], Any]:
    """Which states are well conditioned in the speeds of one flow and not in those of another."""
    width = len(flow.kernel.equations.coordinates)

    def wanted(found: Numbers) -> Any:
        seen = flow.conditions(np.hstack([found[:, :width], np.zeros((len(found), flow.size - width))]))
        return (other.conditions(found) > POOR) & (seen <= POOR)

    return wanted


def _search_in_chart(
    flow: Flow, region: Region, period: Numbers, states: Numbers, moving: bool, wanted: Callable[[Numbers], Any]
) -> tuple[list[Equilibrium], Steady]:
    """What is found in one choice of speeds, and the equations that were solved."""
    steady = Steady(
        flow,
        typical_rates(flow, states[2:]),
        moving and len(flow.fields) > 0,
        fixed=tuple(e for _, e, _ in region.fixed),
        targets=np.array([value for _, _, value in region.fixed]),
    )
    unknowns = steady.starts(states)
    if not moving and rest_means_zero_speeds(flow, states):
        steady = replace(steady, still=True)
        unknowns[:, len(flow.kernel.equations.coordinates) :] = 0.0
    found = proper(flow, resting(steady, zeros(steady, unknowns, period)))
    if len(found):
        there = found[:, : flow.size]
        found = found[wanted(there) & flow.sound(there, states) & flow.constrained(there, states)]
    found = brought_home(steady, found)
    found[:, : flow.size] = region.turned_into(flow, wrapped(found[:, : flow.size], period), period)
    found = found[region.inside(flow, found[:, : flow.size])]
    return _one_of_each_family(steady, region, period, *_distinct(found, flow), len(states)), steady


def zeros(steady: Steady, unknowns: Numbers, period: Numbers) -> Numbers:
    """What the starts lead to, many of them to the same, and what lies beside it: the search behind equilibria and portraits.

    Levenberg–Marquardt's method from every start at once; then, from some of them, what is known is made repulsive and the
    search goes on beside it.
    """
    sensible = unknowns[np.all(np.isfinite(steady.value(unknowns)), axis=1)]
    found = _regular(steady, steady.newton_zeros(sensible))
    for _ in range(ROUNDS):
        more = further_zeros(steady, _distinct(found, steady.flow)[0], sensible[:DEFLATED], period)
        if not len(more):
            break
        found = np.vstack([found, _regular(steady, more)])
    return found


def _regular(steady: Steady, found: Numbers) -> Numbers:
    """The zeros at which the equations have finite derivatives; where they have none the speeds or the chart degenerate."""
    found = found[np.all(np.isfinite(found), axis=1)]
    with np.errstate(all="ignore"):
        return found[np.all(np.isfinite(steady.slope(found)), axis=(1, 2))] if len(found) else found


def resting(steady: Steady, found: Numbers) -> Numbers:
    """Zeros that are all but at rest are put to rest: near it they are double and convergence is slow."""
    n, width = steady.flow.size, len(steady.flow.kernel.equations.coordinates)
    speeds = np.max(np.abs(found[:, width:n]) / steady.size[width:n], axis=1, initial=0.0)
    slow = (speeds < SLOW) & (speeds > 0)
    if not np.any(slow) or not steady.moving:
        return found
    trial = found[slow].copy()
    trial[:, width:] = 0.0
    still = replace(steady, moving=False, still=True)
    trial[:, :n] = still.newton_zeros(trial[:, :n])
    good = np.all(np.isfinite(trial), axis=1)
    return np.vstack([found[~slow], trial[good], found[slow][~good]])


def proper(flow: Flow, found: Numbers) -> Numbers:
    """Without states whose rotation matrices are reflections: these fulfil the relations too."""
    keep = np.ones(len(found), dtype=np.bool_)
    for words in flow.given_system.frame.recipe if flow.given_system is not None else ():
        entries = [f"{words.get('name', '')}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
        if all(e in flow.names for e in entries):
            matrices = found[:, [flow.names.index(e) for e in entries]].reshape(-1, 3, 3)
            keep &= np.linalg.det(matrices) > 0
    return found[keep]


def _distinct(found: Numbers, flow: Flow) -> tuple[Numbers, list[int]]:
    """Each zero once, in the order in which they were met, and how often each was."""
    kept: list[Numbers] = []
    many: list[int] = []
    for one in found:
        same = [k for k, other in enumerate(kept) if np.linalg.norm(one[: flow.size] - other[: flow.size]) < 1e-6]
        if same:
            many[same[0]] += 1
        else:
            kept.append(one)
            many.append(1)
    return np.array(kept).reshape(len(kept), found.shape[1]), many


def _one_of_each_family(
    steady: Steady, region: Region, period: Numbers, found: Numbers, many: list[int], count: int
) -> list[Equilibrium]:
    """One member of each family, equilibria first."""
    if not len(found):
        return []
    result: list[tuple[Numbers, Tangents, int]] = []
    for members in merge_images(images_of(steady, period), found, families(steady, found, period)[:MOST]):
        first = found[members[0]]
        tangent = goes_on(steady, first, tangents(steady, first[None])[0])
        if tangent.whole.shape[1]:
            member = brought_home(steady, simple_member(steady, first, tangent, region, period)[None])[0]
            if region.inside(steady.flow, member[None, : steady.flow.size])[0]:
                first, tangent = member, goes_on(steady, member, tangents(steady, member[None])[0])
        same = [k for k, (one, _, _) in enumerate(result) if _nearly_equal(steady, one, first)]
        if same:
            one, known, before = result[same[0]]
            result[same[0]] = (one, known, before + sum(many[k] for k in members))
        else:
            result.append((first, tangent, sum(many[k] for k in members)))
    records = [
        record(steady, one, directions(steady, tangent), f"{times} of {count} starts lead there")
        for one, tangent, times in result
    ]
    return records


def _nearly_equal(steady: Steady, one: Numbers, two: Numbers) -> bool:
    n = steady.flow.size
    return bool(np.max(np.abs(one[:n] - two[:n]) / steady.size[:n]) < 1e-6)


def record(steady: Steady, unknowns: Numbers, family: tuple[Direction, ...], words: str) -> Equilibrium:
    """What was found at a zero, in the system's names."""
    flow, n = steady.flow, steady.flow.size
    value = steady.value(unknowns[None])[0]
    residual = float(np.max(np.abs(value[:n] * steady.rate), initial=0.0))
    velocity = dict(zip(flow.fields.names, (unknowns[n:] + 0.0).tolist())) if steady.moving else {}
    what = "relative equilibrium" if steady.moving else "equilibrium"
    idle = f"; with the inputs {', '.join(flow.idle)} at zero" if flow.idle else ""
    evidence = f"largest rate{' beyond the motion of the group' if steady.moving else ''}; {words}{idle}"
    return Equilibrium(
        flow.name,
        FrozenMap(flow.full(without_rounding(unknowns[:n]))),
        family,
        Finding(f"this is an {what}" if what[0] == "e" else f"this is a {what}", "holds", residual, evidence),
        FrozenMap({k: v for k, v in velocity.items() if abs(v) > AT_REST}),
        flow.names,
        FrozenMap(dict(flow.parameters)),
        flow,
    )
