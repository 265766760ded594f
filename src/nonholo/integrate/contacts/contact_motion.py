"""Motion with contacts: pieces of one mode each, decisions and impacts between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import Mode
from nonholo.derive.states.consistent_state import guesses, read_start
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_derivatives import require_rates
from nonholo.errors import Remedy, StateError
from nonholo.integrate.contacts.contact_formulation import (
    NEAR,
    NEAR_WITH_TANGENTS,
    ContactFormulation,
    ModeKernel,
    contact_formulation,
)
from nonholo.integrate.contacts.mode_changes import Changes
from nonholo.integrate.contacts.mode_switching import ContactProblem, ContactRun
from nonholo.integrate.inputs import Source, rows_with_inputs
from nonholo.integrate.loops.arguments.integration_plan import Watched
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Event, Path, advance, watch
from nonholo.integrate.motion.motion_pieces import (
    CompletedStart,
    WantedEvent,
    Watcher,
    input_callback,
    signals_of,
    tables_of,
)
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.outcome import Outcome, adding, last_outcome
from nonholo.integrate.sensitivity.saltation import first_bundle, in_new_frame, tangents_after_change
from nonholo.integrate.sensitivity.tangent_motion import Bundle, advance_tangents
from nonholo.model.scalars import Guess
from nonholo.model.system import System, finite, parameter_values
from nonholo.program.array_types import Array

MOST_CHANGES = 100_000
STALLED = 200
"""So many decisions without a step forward are a circle."""
EDGE, AHEAD = 1e-10, 1e-6
"""A witness below the first is at zero; it falls where it is negative so many seconds ahead."""
SHARED = "Redundant contacts share their forces by the least sum of squares."


def check_contact_options(
    system: System, form: str, method: Method, impacts: str, undecided: str, regularised: float, events: Sequence[Any]
) -> None:
    """Refuse what a motion with contacts that change their modes cannot do."""
    if impacts not in ("sequential", "together"):
        raise StateError(f'impacts: {impacts!r} where "sequential" or "together" is needed.')
    laws = {law.impact for law in system.contacts if law.lifts} - {"newton"}
    if impacts == "together" and laws:
        raise StateError(
            f"{system.name}: impacts together follow Newton's law of restitution; "
            f'found impact = "{min(laws)}", leave it out or use impacts="sequential".'
        )
    if undecided not in ("stop", "rolling", "sliding", "open"):
        raise StateError(f'undecided: {undecided!r} where "stop", "rolling", "sliding" or "open" is needed.')
    if finite(regularised, "regularised") < 0:
        raise StateError(f"regularised: {regularised:g} where a velocity above zero is needed, e.g. 1e-3 m/s.")
    if form != "hamel" or method.principle or not method.compiled:
        raise StateError(
            f"{system.name}: contacts that slip or lift are integrated by Runge–Kutta methods in the form hamel; "
            f'leave out form and use method="dop853" or "rodas" instead of {method.name}.'
        )
    if any(callable(e) for e in events):
        raise StateError(f"{system.name}: with contacts that slip or lift give events as text, not as Python functions.")


def contact_problem(
    system: System, start: Any, parameters: Any, inputs: dict[str, Any], together: bool = False, undecided: str = "stop",
    regular: float = 0.0,
) -> ContactProblem:  # fmt: skip
    """The problem of a motion with contacts: start completed, inputs read, initial value compiled."""
    moved = driven(system, inputs)
    numbers = parameter_values(system, parameters)
    values = read_start(system, system.start if start is None else start, numbers)
    given = {n: e for n, e in values.items() if n not in system.inputs}
    kept = contact_formulation(moved.closed, moved.laws, regular)
    known = {**guesses(system), **given}
    full, held = kept.start(known, numbers)
    initial = kept.formulation.start(full, numbers)
    require_rates(kept.inner, moved.others, {**numbers, **full}, True)
    signals = signals_of(initial.kernel, moved.others)
    resting = tuple(n for n, e in known.items() if isinstance(e, Guess) and n not in system.coordinates)
    made = CompletedStart(held, tuple(n for n, e in known.items() if not isinstance(e, Guess)), full, resting)
    given = {n: full[n] if isinstance(e, Guess) else e for n, e in given.items() if n not in resting}
    return ContactProblem(
        system, kept.formulation, initial, numbers, signals, full["t"], "hamel", given, inputs, made, kept, together, undecided
    )


def first_mode(system: System, start: Any, parameters: Any) -> InitialValue:
    """The equations of the mode in which a motion begins."""
    problem = contact_problem(system, start, parameters, {})
    if problem.kept is None:
        raise StateError(f"{system.name} has no contacts that change their modes.")
    course = ContactRun(problem, problem.kept, [0.0] * len(problem.initial.kernel.inputs))
    course.begin()
    return course.initial()


def contact_pieces(
    problem: ContactProblem, method: Method, until: float, wanted: Any, events: Sequence[WantedEvent], bar: Watcher | None,
    sources: Sequence[Source], bundle: Bundle | None = None,
) -> tuple[list[tuple[InitialValue, Path]], Array, Outcome, Changes]:  # fmt: skip
    """Integrate across modes, with a bundle of tangents at the start; returns pieces, times, outcome and the table of changes."""
    kept = problem.kept
    if kept is None or until < problem.time:
        raise StateError(f"{problem.name}: a motion with contacts that slip or lift runs forwards in time; give a later end.")
    course = ContactRun(problem, kept, sources)
    pieces: list[tuple[InitialValue, Path]] = []
    began = course.state
    course.near = NEAR if bundle is None else NEAR_WITH_TANGENTS
    ended = course.begin()
    if bundle is not None and ended is None:
        bundle = first_bundle(course, bundle, began, course.impacts > 0)
    rest, stalled, shared = wanted, 0, False
    while True:
        initial = course.initial()
        witnesses, _ = course.kept.witnesses(course.base.kernel, course.mode, course.near)
        falling = _falling(course, initial) if stalled < STALLED and ended is None else []
        if falling:
            old, stalled, ended = course.state, stalled + 1, course.happened([witnesses[k] for k in falling])
            if ended is None:
                bundle = _saltus(course, initial, old, bundle, falling, False)
                continue
            initial = course.initial()
        shared = shared or initial.equations.saddle == "redundant"
        goal = until if ended is None else course.time
        here = rest if isinstance(rest, str) or ended is None else rest[rest <= goal]
        path = advance_mode(course, initial, method, goal, here, events, bar, bundle)
        if bundle is not None and path.tangents is not None:
            bundle = Bundle(path.tangents.final, bundle.along)
        pieces.append((initial, path))
        stalled = stalled + 1 if path.final_time == course.time else 0
        course.time, course.state = path.final_time, path.final_state.copy()
        outcome = path.outcome if ended is None else ended
        if not isinstance(rest, str):
            rest = rest[len(path.times) :]
        elif rest == "end":
            pieces[-1] = (initial, replace(path, times=path.times[:0], states=path.states[:0]))
        if ended is not None:
            break
        if stalled > STALLED or len(pieces) > MOST_CHANGES:
            text = "Modes of the contacts change again and again without time going on; soften the start or the friction."
            outcome = Outcome("no progress", course.time, Remedy(text))
            break
        if outcome.kind == "frame degenerates":
            frame = course.base.kernel
            course.new_frame(path)
            bundle = in_new_frame(course, frame, path.final_state, bundle) if bundle is not None else None
            continue
        passed = _passed(path, len(events))
        if outcome.kind != "event" or not passed:
            break
        hits = course.impacts
        ended = course.happened([witnesses[k] for k in passed])
        if ended is not None:
            outcome = ended
            break
        bundle = _saltus(course, initial, path.final_state, bundle, passed, course.impacts > hits)
        if course.time >= until:
            outcome = replace(outcome, kind="reached", remedy=Remedy())
            break
    if isinstance(rest, str) and rest == "end":
        initial, path = pieces[-1]
        pieces[-1] = (initial, replace(path, times=np.array([path.final_time]), states=path.final_state[None, :]))
    times = np.concatenate([p.times for _, p in pieces])
    final = last_outcome([*(p.outcome for _, p in pieces[:-1]), outcome])
    return pieces, times, adding(final, Remedy(SHARED)) if shared else final, Changes(course.changes)


def advance_mode(
    course: ContactRun, initial: InitialValue, method: Method, until: float, rest: Any, events: Sequence[WantedEvent],
    bar: Watcher | None, bundle: Bundle | None = None,
) -> Path:  # fmt: skip
    """One piece in one mode."""
    kernel, problem = initial.kernel, course.problem
    if bundle is None:
        way: Callable[..., Path] = partial(advance, initial.kernel, method)
    else:
        way = partial(advance_tangents, kernel, method, bundle=bundle)
    return way(
        course.time,
        course.state,
        until,
        parameters=[problem.parameters[n] for n in kernel.parameters],
        inputs=tables_of(course.sources),
        t_eval=None if isinstance(rest, str) else rest,
        events=_watched(course, kernel, events, bundle),
        record=isinstance(rest, str) and rest == "steps",
        condition_thresholds=initial.thresholds,
        on_chunk=bar,
        fill=input_callback(kernel, course.sources).get("fill"),
    )


def _saltus(
    course: ContactRun, initial: InitialValue, state: Array, bundle: Bundle | None, witnesses: Sequence[int], hit: bool
) -> Bundle | None:
    """The tangents after a change of mode, where there are any."""
    if bundle is None or not isinstance(initial.kernel, ModeKernel):
        return None
    return tangents_after_change(course, initial.kernel, state, bundle, witnesses, hit)


def _falling(course: ContactRun, initial: InitialValue) -> list[int]:
    """The witnesses that are at zero where a mode begins and fall, or are beyond it: the mode ends as it begins."""
    witnesses, _ = course.kept.witnesses(course.base.kernel, course.mode, course.near)
    if not witnesses:
        return []
    kernel, problem = initial.kernel, course.problem
    code = _watched(course, kernel, ()).code
    row = rows_with_inputs(kernel, course.sources, np.array([course.time]), course.state[None, :], problem.parameters)[0]
    values = code(row)
    if np.min(values) > EDGE:
        return []
    count = len(kernel.equations.coordinates)
    rates = initial.kernel.evaluate(row)[:count], initial.kernel.solve(row)[0][: len(kernel.equations.speeds)]
    ahead = course.state + AHEAD * np.concatenate(rates)
    later = rows_with_inputs(kernel, course.sources, np.array([course.time + AHEAD]), ahead[None, :], problem.parameters)[0]
    fallen = code(later)
    # a slip in the plane that passed its bound together with another has nothing left to pass
    numbered = enumerate(zip(witnesses, values, fallen))
    return [
        k for k, (w, a, b) in numbered
        if (a < 0 if w.kind in ("near", "grown") else w.kind != "gap" and a <= EDGE and b < -AHEAD**2)
    ]  # fmt: skip


def _watched(course: ContactRun, kernel: SystemKernel, events: Sequence[WantedEvent], bundle: Bundle | None = None) -> Watched:
    row = np.zeros(0)
    if bundle is not None:
        row = rows_with_inputs(kernel, course.sources, np.array([course.time]), course.state[None], course.problem.parameters)[0]
    along = (bundle.along, row) if bundle is not None else None
    return watched_in(course.problem, course.kept, course.base.kernel, course.mode, kernel, events, along, course.near)


def watched_in(
    problem: ContactProblem, kept: ContactFormulation, base: SystemKernel, mode: Mode, kernel: SystemKernel,
    events: Sequence[WantedEvent], along: tuple[tuple[str | None, ...], Array] | None = None, near: float = NEAR,
) -> Watched:  # fmt: skip
    """The user's events and the witnesses of a mode, compiled and cached; ``along`` with tangents, at an input vector."""
    kinds, witnesses = kept.witnesses(base, mode, near)
    key = ("contacts", near, along and along[0], *((str(e.source), e.direction, e.terminal) for e in events))

    def made() -> Watched:
        where = f"{problem.name}: event"
        own = [Event(kernel.expression(e.source, f"{where} {e.name}"), e.direction, e.terminal) for e in events]
        found = watch(kernel if along is None else kernel.tangent_kernel(*along), [*own, *witnesses])
        return replace(found, slow=not events and all(one.kind != "gap" for one in kinds))  # a gap may be shaken from outside

    found: Watched = kernel.watched(key, made)
    return found


def _passed(path: Path, own: int) -> list[int]:
    """The witnesses that passed zero at the end of a path; none where an event of the user ended it."""
    last = path.occurrences.times == path.final_time
    return [k - own for k in path.occurrences.index[last].tolist() if k >= own]
