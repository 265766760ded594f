"""Equilibria and steady motions tried by motions by multipliers, with members of their families that are far apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.state_flow import onto_bound
from nonholo.analyse.steady.equilibrium_record import Equilibrium
from nonholo.analyse.steady.steady_equations import Steady, typical_rates
from nonholo.symmetry.witness.confirmation import Contradiction, defect
from nonholo.symmetry.witness.trials import tried_steady

Numbers = NDArray[np.float64]
APART = (0.7, 0.15, 0.02)
"""How far away members of a family are looked for, the farthest first."""
SHORT = 0.5
"""A member that is nearer than this part of the distance is none of those that were looked for."""


def tried(found: Sequence[Equilibrium]) -> list[Equilibrium]:
    """What was found, with a `Defect` in place of the finding of each that a motion contradicts, or whose family is empty."""
    if not found or any(one.flow is None or one.flow.said is None for one in found):  # equations by hand have no multipliers
        return list(found)
    chosen = [_members(one) for one in found]
    wrong = [_missing(one, members) for one, members in zip(found, chosen)]
    if not any(wrong) and _against(found, chosen) is None:  # all at once: the usual case
        return list(found)
    result = []
    for one, members, empty in zip(found, chosen, wrong):
        against = empty or _against([one], [members])
        told = None if against is None or one.flow is None else defect(one.flow.system, one.finding, against)
        result.append(one if told is None else replace(one, finding=told))
    return result


def _missing(one: Equilibrium, members: dict[str, Numbers | None]) -> Contradiction | None:
    """A direction of the family in which there is no member."""
    empty = next((name for name, row in members.items() if row is None), None)
    return None if empty is None else Contradiction(APART[-1], 0.0, f"the family has no member beside this one along {empty}")


def _against(found: Sequence[Equilibrium], members: Sequence[dict[str, Numbers | None]]) -> Contradiction | None:
    """What motions say against any of them; those found in the same speeds are tried together."""
    groups: dict[int, tuple[list[dict[str, float]], list[list[float]]]] = {}
    for one, chosen in zip(found, members):
        if one.flow is None:
            continue
        states, weights = groups.setdefault(id(one.flow), ([], []))
        n, rows = one.flow.size, [row for row in chosen.values() if row is not None]
        states += [dict(one.state), *(one.flow.full(row[:n]) for row in rows)]
        own = [one.velocity.get(name, 0.0) for name in one.flow.fields.names]
        weights += [own, *(row[n:].tolist() or [0.0] * len(own) for row in rows)]
    for one in found:
        if one.flow is not None and id(one.flow) in groups:
            flow = one.flow
            states, weights = groups.pop(id(flow))
            width = len(flow.kernel.equations.coordinates)
            fields = [field[:width] for field in flow.fields.fields]
            against = tried_steady(flow.system, flow.parameters, states, fields, weights)
            if against is not None:
                return against
    return None


def _members(one: Equilibrium) -> dict[str, Numbers | None]:
    """For each direction of the family the farthest member, as unknowns; None where every search leads back."""
    flow = one.flow
    if flow is None:
        return {}
    state = np.array([one.state[n] for n in flow.names])
    around = np.random.default_rng(3).uniform(-0.3, 0.3, (8, flow.size))
    rate = typical_rates(flow, onto_bound(flow, state * (1 + around[::-1]) + around))
    steady = Steady(flow, rate, bool(one.velocity))
    result: dict[str, Numbers | None] = {}
    for direction in one.family:
        if direction.symmetry:
            continue
        way = np.array([direction.slopes.get(n, 0.0) for n in flow.names])
        way = way / np.linalg.norm(way)
        lengths = np.repeat(APART, 2)
        landed = steady.settled(steady.starts(state + np.outer(lengths * np.tile([1, -1], len(APART)), way)), 25)
        moved = np.abs((landed[:, : flow.size] - state) @ way)
        if np.any(np.isfinite(moved)):
            result[direction.name] = next((row for row, m, far in zip(landed, moved, lengths) if m > SHORT * far), None)
    return result
