"""Tangents through changes of mode: saltation matrices.

A witness ``g(t, y, p)`` ends a mode at a time that moves by ``dt = −(∂g/∂y δ + ∂g/∂p) / ġ``, and ``R`` takes the state to that of
the next mode. With ``f`` the rates before and ``f'`` those after,

    δ' = R_y (δ + f dt) + R_p + R_t dt − f' dt,                        [Aizerman and Gantmacher 1958; Leine and Nijmeijer 2004]

the saltation matrix times ``δ``. Where nothing is hit ``R`` stops what is left of velocities that the next mode holds, by the
impulses of their contacts: it is the projection along ``M⁻¹ Sᵀ``. Of an impact ``R`` is differentiated along each direction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import FIXED, FREE, held_labels, rows_of
from nonholo.errors import StateError
from nonholo.integrate.contacts.contact_formulation import ModeKernel
from nonholo.integrate.contacts.impacts import impact
from nonholo.integrate.contacts.mode_switching import ContactRun
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.integrate.sensitivity.sensitivity import QuantitySlopes
from nonholo.integrate.sensitivity.tangent_motion import Bundle, changed_frame
from nonholo.program.array_types import Array
from nonholo.program.machine_code import MachineCode

STEP = 1e-4
"""Relative step of the finite differences (of order four) of the impact map."""
AT_ZERO = 1e-9
APART = 1e-6
"""Contacts that change at once, at times that move apart by more than this part, leave the motion without a derivative."""


def first_bundle(course: ContactRun, bundle: Bundle, state: Array, hit: bool) -> Bundle:
    """Tangents of the state of all modes from those of the start without contacts, in the first mode; ``hit`` at ``state``."""
    n, d = course.n, course.d
    values = np.zeros((len(course.state), len(bundle.along)))
    values[:n], values[n + d : n + d + course.m] = bundle.values[:n], bundle.values[n:]
    still = np.zeros(len(bundle.along))
    values = _through_impact(course, state, values, bundle.along, still) if hit else values
    return Bundle(_held(course, values, bundle.along, still), bundle.along)


def tangents_after_change(
    course: ContactRun, before: ModeKernel, state: Array, bundle: Bundle, witnesses: Sequence[int], hit: bool
) -> Bundle:  # fmt: skip
    """Tangents in the next mode, where ``course`` is already, from those where the one before ended at ``state``."""
    row, along, size = _row(course, before, state), bundle.along, len(state)
    flow = _flow(before, course, row)
    _, events = course.kept.witnesses(course.base.kernel, before.mode, course.near)
    exprs = [e.expression for e in events]
    slopes = _slopes(before, "witnesses", exprs, row)[_simultaneous(course, before, exprs, witnesses, row)]
    with np.errstate(all="ignore"):
        moved = -slopes @ _variation(before, course, bundle.values, along, np.zeros(len(along))) / (slopes @ flow)[:, None]
    if not np.all(np.isfinite(moved)):
        raise StateError(
            f"{course.problem.name}: at t = {course.time:g} a contact changes without speed (it grazes); the motion has no "
            "derivative there. Start elsewhere, or leave out sensitivity."
        )
    if np.max(np.abs(moved - moved[0])) > APART * (1.0 + np.max(np.abs(moved))):
        raise StateError(
            f"{course.problem.name}: at t = {course.time:g} several contacts change at once, and their times do not move alike; "
            "the motion has no derivative there. Start elsewhere, or leave out sensitivity."
        )
    dt = moved[0]
    values = bundle.values + np.outer(flow[1 : 1 + size], dt)
    if hit:
        values = _through_impact(course, state, values, along, dt)
    values = _held(course, _directed(course, before, values, along, dt), along, dt)
    after = course.initial().kernel
    return Bundle(values - np.outer(_flow(after, course, _row(course, after, course.state))[1 : 1 + size], dt), along)


def _simultaneous(course: ContactRun, before: ModeKernel, exprs: Sequence[Any], passed: Sequence[int], row: Array) -> list[int]:
    """The witnesses that passed zero, and those of other contacts that changed with them and are at zero too."""
    kinds, _ = course.kept.witnesses(course.base.kernel, before.mode, course.near)
    others = {k for k, (a, b) in enumerate(zip(before.mode, course.mode)) if a != b} - {kinds[j].contact for j in passed}
    if not others:
        return list(passed)
    code: MachineCode = before.watched("witnesses", lambda: before.function(exprs))
    values = code(row)
    return [*passed, *(j for j, w in enumerate(kinds) if w.contact in others and abs(values[j]) < AT_ZERO)]


def _variation(kernel: SystemKernel, course: ContactRun, values: Array, along: Sequence[str | None], dt: Array) -> Array:
    """How the input vector changes along each direction, where its time moves by ``dt``."""
    names = (*kernel.inputs, *kernel.parameters)
    rest = np.zeros((len(names), len(along)))
    for i, one in enumerate(course.sources):
        rest[i] = one.slopes(np.array([course.time]))[0] * dt if isinstance(one, Signal) else 0.0
    for k, name in enumerate(along):
        if name is not None:
            rest[names.index(name), k] += 1.0
    return np.vstack([dt, values, rest])


def _slopes(kernel: SystemKernel, what: str, exprs: Sequence[Any], row: Array) -> Array:
    """Derivatives of expressions by the input vector, compiled and cached with their kernel."""
    named = {str(k): e for k, e in enumerate(exprs)}
    found: QuantitySlopes = kernel.watched(f"slopes of {what}", lambda: QuantitySlopes(kernel, named))
    return found.slopes(row[None])[0]


def in_new_frame(course: ContactRun, old: SystemKernel, state: Array, bundle: Bundle) -> Bundle:
    """Tangents at a change of frame in one mode."""
    n, d = course.n, course.d
    speeds = len(old.equations.speeds)  # as many in every frame
    bare, parts = _bare(course, state), _bare(course, bundle.values)
    found = changed_frame(
        old, course.base.kernel, _row(course, old, bare), course.base.state, Bundle(parts, bundle.along)
    ).values
    rest = bundle.values[n : n + d], bundle.values[n + d + speeds :]
    return Bundle(np.concatenate([found[:n], rest[0], found[n:], rest[1]]), bundle.along)


def _row(course: ContactRun, kernel: SystemKernel, state: Array) -> Array:
    times = np.array([course.time])
    return np.asarray(rows_with_inputs(kernel, course.sources, times, state[None], course.problem.parameters)[0])


def _flow(kernel: SystemKernel, course: ContactRun, row: Array) -> Array:
    """How the input vector moves with time."""
    kinematics, solved = solved_rows(kernel, row[None])
    rates = np.concatenate([kinematics[0], solved[0, : len(kernel.equations.speeds)]])
    return _variation(kernel, course, rates[:, None], (None,), np.ones(1))[:, 0]


def _directed(course: ContactRun, before: ModeKernel, values: Array, along: Sequence[str | None], dt: Array) -> Array:
    """Directions of slip that the next mode takes from the velocities there change with these."""
    kernel = course.base.kernel
    for i, (k, f) in enumerate(course.planes):
        old, new = before.mode[k], course.mode[k]
        if f < len(new) and new[f] == FIXED and f < len(old) and old[f] == FREE:
            _, frictions = rows_of(kernel.equations, course.kept.inner, course.contacts[k])
            bare = _bare(course, course.state)
            slopes = _slopes(kernel, f"slip {k} {f}", [row.value for row in frictions[f]], _row(course, kernel, bare))
            turned = slopes @ _variation(kernel, course, _bare(course, values), along, dt)
            at = slice(course.n + 2 * i, course.n + 2 * i + 2)
            way, speed = course.state[at], float(np.linalg.norm(course.survey().contacts[k].frictions[f].rows.values))
            values = values.copy()
            values[at] = (turned - np.outer(way, way @ turned)) / speed
    return values


def _bare(course: ContactRun, state: Array) -> Array:
    """What the equations without contacts have of a state, or of its tangents."""
    n, d = course.n, course.d
    return np.concatenate([state[:n], state[n + d : n + d + course.m]])


def _held(course: ContactRun, values: Array, along: Sequence[str | None], dt: Array) -> Array:
    """Tangents along which the velocities that the present mode holds stay zero; the rest is stopped by impulses."""
    kernel = course.initial().kernel
    names = kernel.invariants[kernel.positions :]
    if not names:
        return values
    row, first = _row(course, kernel, course.state), len(kernel.equations.coordinates)
    slopes = _slopes(kernel, "velocities that are held", [kernel.equations.invariants[n] for n in names], row)
    off = slopes @ _variation(kernel, course, values, along, dt)
    push = slopes[:, 1 + first : 1 + first + course.m]
    columns = course.survey().solve(push.T)
    impulses = -np.linalg.lstsq(push @ columns, off, rcond=1e-11)[0]
    values = values.copy()
    values[first : first + course.m] += columns @ impulses
    drifts = push @ course.state[first : first + course.m]  # with which a moving ground takes part in the work
    owners = {name: k for k, one in enumerate(course.contacts) for name in held_labels(one)}
    for name, drift, impulse in zip(names, drifts, impulses):
        if name in owners:
            values[first + course.m + 2 * owners[name] + 1] += drift * impulse
    return values


def _through_impact(course: ContactRun, state: Array, values: Array, along: Sequence[str | None], dt: Array) -> Array:
    """How the state after an impact changes along tangents of the one before, by differences of order four."""
    base, first, count = course.base.kernel, course.n + course.d, len(course.contacts)
    row = _row(course, base, _bare(course, state))
    ways = _variation(base, course, _bare(course, values), along, dt)
    values = values.copy()
    for k in range(len(along)):
        change = along_line(lambda r: _after(course, r), row, ways[:, k])
        values[first : first + course.m, k] = change[: course.m]
        lost = slice(first + course.m, first + course.m + 2 * count, 2)
        gained = slice(first + course.m + 1, first + course.m + 2 * count, 2)
        values[lost, k] += change[course.m : course.m + count]
        values[gained, k] += change[course.m + count :]
    return values


def _after(course: ContactRun, row: Array) -> Array:
    """Speeds, dissipated energies and works after the last impact of the course, had it happened at this input vector."""
    state = course.kept.survey(course.base.kernel)(row)
    found = impact(state, *course.last_impact, course.laws, course.problem.together, len(course.contacts))
    return np.concatenate([found.speeds, found.dissipated, found.work])


def along_line(function: Callable[[Array], Array], at: Array, way: Array) -> Array:
    """The derivative of a function along a direction, by differences of order four."""
    size = max(float(np.max(np.abs(way) / (1.0 + np.abs(at)), initial=0.0)), 1e-300)
    near, far = (function(at + s / size * way) - function(at - s / size * way) for s in (STEP, 2 * STEP))
    return np.asarray((8.0 * near - far) / (12.0 * STEP) * size)
