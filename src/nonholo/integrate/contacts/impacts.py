"""Impacts: impulses of contacts whose gaps close with speed.

During an impact the normal impulse ``p`` of a contact grows and its tangential impulse follows Coulomb's law of the slip at each
moment [Routh, Dynamics of a System of Rigid Bodies, 1905, art. 183]: sliding, ``dp_t = −μ e dp``; sticking, whatever holds the
slip, as long as the cone allows it. It ends when the gap opens at ``e`` times the speed at which it closed (Newton), or when
``p`` is ``1 + e`` times that at the greatest compression (Poisson). A ball that springs back along the ground too returns ``e``
times its slip as well, where friction can hold the impulse [Garwin, Kinematics of an ultraelastic rough ball, 1969].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from nonholo.integrate.contacts.contact_state import ContactNumbers, ContactState, FrictionNumbers
from nonholo.program.array_types import Array

STEPS = 256
"""Steps of the impulse while a slip in the plane turns."""
ZERO_SLIP = 1e-10
TURNS = 400
"""So many turns find the directions in which contacts that hit together slide at the end."""
REFUSALS = {
    "inconsistent": "no combination of impulses is consistent",
    "endless": "the impulse of {} finds no end",
    "growing": "the impact law of {} would make energy grow",
}
GROWTH = 1e-9
"""An impact that gains more than this part of the energy it has is refused."""


@dataclass(frozen=True, eq=False)
class Impact:
    """Speeds after impacts, what each contact dissipated, the work of a moving ground."""

    speeds: Array
    dissipated: Array
    work: Array
    impulses: Array
    refused: tuple[str, int] | None = None
    """Why it was refused (a word of `REFUSALS`), and at which contact."""


def rows_in_impact(contact: ContactNumbers) -> Array:
    """The rows of a contact on which impulses act: gap, then slip."""
    gap = contact.row.slopes if contact.row is not None else np.zeros((0, 0))
    friction = _friction_against_slip(contact)
    return np.vstack([gap, friction.rows.slopes]) if friction is not None else gap


def _friction_against_slip(contact: ContactNumbers) -> FrictionNumbers | None:
    """The friction against slip, where there is any."""
    first = contact.frictions[0] if contact.frictions else None
    return first if first is not None and (first.kinetic > 0 or np.isinf(first.static)) else None


def velocity(state: ContactState, k: int, speeds: Array) -> Array:
    """Gap rate and slips of a contact at other speeds of the same state."""
    contact = state.contacts[k]
    change = speeds - state.speeds
    gap = contact.row.values + contact.row.slopes @ change if contact.row is not None else np.zeros(0)
    friction = _friction_against_slip(contact)
    if friction is None:
        return gap
    return np.concatenate([gap, friction.rows.values + friction.rows.slopes @ change])


def impulse(contact: ContactNumbers, before: Array, inverse: Array, law: str) -> Array:
    """The impulse of one contact by itself: ``inverse`` is ``A M⁻¹ Aᵀ`` of its rows, ``before`` their velocities."""
    friction = contact.frictions[0] if len(before) > 1 else None
    slide = float(friction.kinetic) if friction is not None else 0.0
    hold = float(friction.static) if friction is not None else 0.0
    again = float(contact.restitution)
    u, p = before.copy(), np.zeros(len(before))
    if law == "garwin" and len(before) > 1:
        returned: Array = np.asarray(-(1.0 + again) * np.linalg.solve(inverse, before))
        if float(np.linalg.norm(returned[1:])) <= hold * float(returned[0]):
            return returned
    if np.isinf(hold):  # friction without limit stops the slip first
        p[1:] = -np.linalg.solve(inverse[1:, 1:], u[1:])
        u = u + inverse @ p
        u[1:] = 0.0
    total = np.inf
    target = -again * float(before[0])
    compressed = False
    scale = float(np.max(np.abs(before)))
    for _ in range(10 * STEPS):
        way = _growing(u, inverse, slide, hold, scale)
        change = inverse @ way
        end = total - p[0]
        goal = 0.0 if (law == "poisson" and not compressed) else target
        if law != "poisson" or not compressed:
            end = (goal - u[0]) / change[0] if change[0] > 0 else np.inf  # the approach may grow while the slip dies
        step = end
        slipping = len(u) > 1 and float(np.linalg.norm(u[1:])) > ZERO_SLIP * scale
        if slipping and len(u) == 2 and u[1] * change[1] < 0:
            step = min(step, -u[1] / change[1])
        if not np.isfinite(step) and not (slipping and len(u) == 3):
            return np.full(len(before), np.nan)
        if slipping and len(u) == 3:
            step = _turning_step(u, p, inverse, slide, min(end, _normal_impulse_alone(before, inverse, contact) / STEPS), scale)
        else:
            u, p = u + step * change, p + step * way
            if slipping and step < end:
                u[1:] = 0.0
        if step < end:
            continue
        if law == "poisson" and not compressed:
            compressed, total = True, (1.0 + again) * float(p[0])
            if again > 0:
                continue
        return p
    return p


def _normal_impulse_alone(before: Array, inverse: Array, contact: ContactNumbers) -> float:
    return (1.0 + float(contact.restitution)) * abs(float(before[0])) / float(inverse[0, 0])


def _growing(u: Array, inverse: Array, slide: float, hold: float, scale: float) -> Array:
    """The direction in which the impulse grows, for one unit of normal impulse."""
    if len(u) == 1:
        return np.array([1.0])
    slip = u[1:]
    speed = float(np.linalg.norm(slip))
    if speed > ZERO_SLIP * scale:
        return np.concatenate([[1.0], -slide * slip / speed])
    stick = -np.linalg.solve(inverse[1:, 1:], inverse[1:, 0])
    if float(np.linalg.norm(stick)) <= hold:
        return np.concatenate([[1.0], stick])
    if len(u) == 2:
        return np.array([1.0, slide * np.sign(stick[0])])
    angles = np.linspace(-np.pi, np.pi, 721)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rates = inverse[1:, 0] - slide * ways @ inverse[1:, 1:].T
    turn, outward = ways[:, 0] * rates[:, 1] - ways[:, 1] * rates[:, 0], np.sum(ways * rates, axis=1)
    crossing = [k for k in range(720) if turn[k] * turn[k + 1] <= 0 and outward[k] > 0]
    way = ways[crossing[0]] if crossing else stick / -np.linalg.norm(stick)
    return np.concatenate([[1.0], -slide * way])


def _turning_step(u: Array, p: Array, inverse: Array, slide: float, step: float, scale: float) -> float:
    """One step of the impulse while the slip in the plane turns, in place; returns how long it was."""

    def rate(v: Array) -> Array:
        return np.concatenate([[1.0], -slide * v[1:] / np.linalg.norm(v[1:])])

    decay = -float(u[1:] @ (inverse @ rate(u))[1:]) / float(u[1:] @ u[1:])
    if decay > 0:
        if step * decay >= 1.0 and float(np.linalg.norm(u[1:])) < 1e-7 * scale:
            step = 1.0 / decay  # the slip dies within the step
            way = rate(u)
            u += step * (inverse @ way)
            p += step * way
            u[1:] = 0.0
            return step
        step = min(step, 0.2 / decay)
    first = rate(u)
    second = rate(u + step / 2 * (inverse @ first))
    third = rate(u + step / 2 * (inverse @ second))
    fourth = rate(u + step * (inverse @ third))
    way = (first + 2 * second + 2 * third + fourth) / 6
    u += step * (inverse @ way)
    p += step * way
    return step


def impact(
    state: ContactState, closing: Sequence[int], touching: Sequence[bool], laws: Sequence[str], together: bool, count: int
) -> Impact:
    """The speeds after the contacts in ``closing`` have hit, one after the other or ``together``.

    A contact that rests there is hit in its turn when the impulse of another presses it down.
    """
    speeds = state.speeds.copy()
    total = np.zeros(count)
    gained = np.zeros(count)
    impulses = np.zeros(count)
    whole = float(speeds @ state.mass @ speeds) / 2 + 1e-300
    if together:
        found = _simultaneous(state, closing, touching)
        if found is None:
            return Impact(speeds, total, gained, impulses, ("inconsistent", 0))
        order = [(k, p) for k, p in enumerate(found) if len(p)]
        pushed = np.sum([rows_in_impact(state.contacts[k]).T @ p for k, p in order], axis=0)
        after = speeds + state.solve(np.asarray(pushed, dtype=float))
        for k, p in order:
            _count(state, k, p, speeds, after, total, gained)
            impulses[k] += p[0]
        speeds = after
    else:
        waiting = list(closing)
        for _ in range(60 * count):
            if not waiting:
                break
            k = waiting.pop(0)
            before = velocity(state, k, speeds)
            if not before[0] < 0:
                continue
            rows = rows_in_impact(state.contacts[k])
            inverse = rows @ state.solve(rows.T)
            p = impulse(state.contacts[k], before, inverse, laws[k])
            if not np.all(np.isfinite(p)):
                return Impact(state.speeds, total * 0, gained * 0, impulses, ("endless", k))
            after = speeds + state.solve(rows.T @ p)
            _count(state, k, p, speeds, after, total, gained)
            impulses[k] += p[0]
            speeds = after
            pressed = [
                j for j, here in enumerate(touching)
                if here and state.contacts[j].row is not None and j not in waiting
                and velocity(state, j, speeds)[0] < -1e-13 * max(abs(before[0]), 1e-300)
            ]  # fmt: skip
            waiting += pressed
    if float(np.sum(total)) < -GROWTH * whole:
        return Impact(state.speeds, total * 0, gained * 0, impulses, ("growing", closing[0]))
    return Impact(speeds, total, gained, impulses)


def _count(state: ContactState, k: int, p: Array, speeds: Array, after: Array, total: Array, gained: Array) -> None:
    """Add what an impulse dissipates, ``−p · (u⁻ + u⁺)/2``, and what a moving ground adds."""
    mean = (velocity(state, k, speeds) + velocity(state, k, after)) / 2
    rows = rows_in_impact(state.contacts[k])
    work = float(p @ (rows @ ((speeds + after) / 2)))
    total[k] -= float(p @ mean)
    gained[k] += work - float(p @ mean)


Kind = tuple[str, float]
"""How a contact takes part in an impact of several: open, sticking or sliding, and the sign of a single slip."""


def _simultaneous(state: ContactState, closing: Sequence[int], touching: Sequence[bool]) -> list[Array] | None:
    """Impulses of all touching contacts at once: each opens, sticks or slides at the end; None where none is consistent."""
    several = [k for k in range(len(state.contacts)) if touching[k] and state.contacts[k].row is not None]
    choices: list[list[Kind]] = []
    for k in several:
        contact = state.contacts[k]
        rows = rows_in_impact(contact)
        kinds: list[Kind] = [("open", 0.0)]
        kinds += [("stick", 0.0)] if len(rows) > 1 or not contact.frictions else [("free", 0.0)]
        if len(rows) > 1 and not np.isinf(contact.frictions[0].static):
            kinds += [("slide", 1.0), ("slide", -1.0)] if len(rows) == 2 else [("slide", 0.0)]
        choices.append(kinds)
    best: tuple[float, list[Array]] | None = None
    for chosen in product(*choices):
        found = _turning(state, several, chosen)
        if found is None:
            continue
        impulses, speeds = found
        energy = float(speeds @ state.mass @ speeds)
        if best is None or energy < best[0]:
            best = energy, impulses
    if best is None:
        return None
    answer = [np.zeros(0)] * len(state.contacts)
    for k, p in zip(several, best[1]):
        answer[k] = p
    return answer


def _turning(state: ContactState, several: Sequence[int], kinds: Sequence[Kind]) -> tuple[list[Array], Array] | None:
    """A combination whose slips in the plane slide along their velocities at the end, found in turns; None where it is none."""
    ways: dict[int, Array] = {}
    planes = [k for k, (kind, sign) in zip(several, kinds) if kind == "slide" and sign == 0.0]
    for k, (kind, sign) in zip(several, kinds):
        if kind == "slide":
            slip = velocity(state, k, state.speeds)[1:]
            size = float(np.linalg.norm(slip))
            ways[k] = np.array([sign]) if sign else slip / size if size > 0 else np.array([1.0, 0.0])
    for _ in range(TURNS if planes else 1):
        impulses, speeds = _combined(state, several, kinds, ways)
        change = 0.0
        for k in planes:
            slip = velocity(state, k, speeds)[1:]
            size = float(np.linalg.norm(slip))
            if size <= ZERO_SLIP:
                return None
            new = ways[k] + (slip / size if float(slip @ ways[k]) > -0.9 * size else np.array([-ways[k][1], ways[k][0]]))
            new = new / np.linalg.norm(new)
            change = max(change, float(np.linalg.norm(new - ways[k])))
            ways[k] = new
        if change < 1e-14:
            break
    else:
        return None
    return (list(impulses.values()), speeds) if _consistent(state, several, kinds, ways, impulses, speeds) else None


def _combined(
    state: ContactState, several: Sequence[int], kinds: Sequence[Kind], ways: Mapping[int, Array]
) -> tuple[dict[int, Array], Array]:
    """Impulses and speeds of a combination with given directions of sliding."""
    columns, rows, sides, places = [], [], [], []
    for k, (kind, _) in zip(several, kinds):
        if kind == "open":
            continue
        contact = state.contacts[k]
        part = rows_in_impact(contact)
        before = velocity(state, k, state.speeds)
        way = np.zeros(len(part))
        way[0] = 1.0
        if kind == "slide":
            way[1:] = -contact.frictions[0].kinetic * ways[k]
        columns.append(way @ part)
        rows.append(part[0])
        sides.append(-(1 + contact.restitution) * min(before[0], 0.0))
        places.append((k, way))
        for i in range(1, len(part) if kind == "stick" else 1):
            columns.append(part[i])
            rows.append(part[i])
            sides.append(-before[i])
            places.append((k, np.eye(len(part))[i]))
    impulses = {k: np.zeros(len(rows_in_impact(state.contacts[k]))) for k in several}
    if not columns:
        return impulses, state.speeds
    answers = state.solve(np.array(columns).T)
    table = np.array(rows)
    found = np.linalg.lstsq(table @ answers, np.array(sides), rcond=1e-11)[0]
    for (k, way), value in zip(places, found):
        impulses[k] = impulses[k] + value * way
    return impulses, state.speeds + answers @ found


def _consistent(
    state: ContactState, several: Sequence[int], kinds: Sequence[Kind], ways: Mapping[int, Array], impulses: Mapping[int, Array],
    speeds: Array,
) -> bool:  # fmt: skip
    """Whether no contact pulls, opens more slowly than its restitution requires, needs too much friction, or slides along it."""
    for k, (kind, _) in zip(several, kinds):
        contact, p, after = state.contacts[k], impulses[k], velocity(state, k, speeds)
        before = velocity(state, k, state.speeds)
        scale = 1e-9 * max(float(np.max(np.abs(before))), 1e-300)
        if p[0] < 0 or after[0] < -float(contact.restitution) * min(float(before[0]), 0.0) - scale:
            return False  # Moreau: 0 ≤ p ⟂ u⁺ + e u⁻ ≥ 0
        if kind == "stick" and len(p) > 1 and float(np.linalg.norm(p[1:])) > contact.frictions[0].static * p[0] * (1 + 1e-9):
            return False
        if kind == "slide" and float(after[1:] @ ways[k]) < -scale:
            return False
    return True
