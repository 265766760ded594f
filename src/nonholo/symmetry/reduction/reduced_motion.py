"""Integrate the reduced motion, changing the section where it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsFloat

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, along, atoms, substitute, symbols, with_denominator
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, evaluate, evaluate_matrix
from nonholo.derive.equations import Equations
from nonholo.derive.states.consistent_state import complete_state, read_start
from nonholo.errors import ModelError, StateError
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.simulate import simulate, times_of
from nonholo.model.scalars import Guess
from nonholo.model.system import TIME, System, numbered, parameter_values
from nonholo.model.velocities.driven_coordinates import drivers
from nonholo.notation.read import expression, is_formula
from nonholo.symmetry.group.group_action import at_point
from nonholo.symmetry.reduction.local_reduction import local_reduction
from nonholo.symmetry.reduction.reduced_equations import full_equations, in_velocities, lifted_columns, speeds_of

WORSE = 0.25
"""A section is given up when its conditioning has fallen to this part of what it was when it was chosen."""
POOR = 1e-4
"""A start that is worse conditioned than this gets a section of its own."""
MOST = 200
"""The most sections of one motion."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Equations of the reconstruction, how their speeds follow from a full state, and where they are good."""

    full: Equations
    columns: Matrix | None
    """Velocities are ``columns · speeds + drift``; None when the speeds are rates and momenta."""
    drift: Sequence[Expr]
    guard: Expr | None
    forms: Mapping[str, Expr]
    """The rates and momenta, where these are the speeds."""

    def condition(self, state: Mapping[str, float]) -> float:
        """Between 0 and 1; 1 where nothing can degenerate."""
        if self.guard is None:
            return 1.0
        found = float(evaluate([self.guard], state)[0])
        return found if np.isfinite(found) else 0.0

    def start(self, system: System, state: Mapping[str, float]) -> dict[str, float]:
        """The piece's own state at a full one."""
        result = {n: float(state[n]) for n in system.coordinates}
        if self.columns is None:
            result |= dict(zip(self.forms, evaluate(list(self.forms.values()), state).tolist()))
        else:
            velocity = np.array([state[n] for n in system.velocities])
            if self.drift:
                velocity = velocity - evaluate(list(self.drift), state)
            found = np.linalg.lstsq(evaluate_matrix(self.columns, state), velocity, rcond=None)[0]
            result |= dict(zip(map(str, self.full.speeds), found.tolist()))
        result["t"] = float(state.get("t", 0.0))
        return result


def reduced_motion(
    reduction: Any,
    start: Mapping[str, Any] | None,
    until: float,
    parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Any:
    """The motion of the reconstruction: the reduced equations never look at the group's coordinates.

    Inputs are the system's own unless others are given. Where the section or the momenta's basis comes to its end, the
    motion goes on in invariant quasi-velocities on another section.
    """
    system: System = reduction.system
    words = dict(options)
    values = parameter_values(system, parameters)
    begin, inputs = driven_motion(system, start, values, words.pop("inputs", None))
    words |= {} if inputs is None else {"inputs": inputs}
    state = {**values, **begin}
    _refuse_singular(reduction, state)
    piece = _first_piece(reduction, state)
    events = words.pop("events", ())
    listed = [events] if isinstance(events, (str, Event)) or callable(events) else list(events)
    wanted = times_of(words.pop("t_eval", None), state.get("t", 0.0), until)
    here = piece.condition(state)
    runs: list[Any] = []
    threshold = WORSE * here
    while True:
        stops = [] if piece.guard is None else [Event(piece.guard - threshold, direction=-1, terminal=1)]
        run = simulate(
            piece.full,
            piece.start(system, state),
            until,
            values,
            t_eval=wanted,
            events=[*listed, *stops],
            **words,
        )
        stopped = bool(stops) and len(run.events.get(str(stops[0].expression), ())) > 0 and not run.outcome.reached
        runs.append(_without(run, stops))
        if not stopped or len(runs) >= MOST:
            break
        if not isinstance(wanted, str):
            wanted = wanted[len(run.data["t"]) :]
        state = {**state, **dict(run.final)}
        state["t"] = float(run.outcome.time)
        now = piece.condition(state)
        piece = max([piece, *_other_pieces(reduction, state)], key=lambda p: p.condition(state))
        best = piece.condition(state)
        threshold = WORSE * best if best > 2 * now else WORSE * now
        if threshold < 1e-14:
            break
    given = None if start is None else {
        n: begin[n] for n, e in read_start(system, start).items() if n in system.coordinates or not isinstance(e, Guess)
    }
    return replace(_joined(runs), system=numbered(system, values, given, until))


def _first_piece(reduction: Any, state: Mapping[str, float]) -> Piece:
    """The reduction itself, or a better conditioned section where it is nearly singular at the start."""
    own = own_piece(reduction)
    if own.guard is None:
        return own
    steady = velocity_piece(reduction)
    moving = {*symbols(reduction.system.coordinates), TIME}
    basis = reduction.basis
    shape = reduction.shape
    section = shape.lift(list(shape.section.values()))
    found = (*basis.poles, *section, *(e for row in basis.columns for e in row))
    poles = bool(with_denominator(found, moving))
    if not poles and steady.condition(state) > POOR:
        return steady
    if own.condition(state) > POOR:
        return own
    return max([own, *_other_pieces(reduction, state)], key=lambda p: p.condition(state))


def own_piece(reduction: Any) -> Piece:
    """The reduction's own reconstruction."""
    shape, basis, frame = reduction.shape, reduction.basis, reduction.frame
    if tuple(map(str, reduction.equations.speeds)) != (*reduction.rates, *reduction.momenta):
        return _in_velocities(reduction.system, shape, basis, reduction.reconstruction)
    columns = lifted_columns(shape, basis, frame)
    entries = [*(e for row in (*basis.columns, *columns) for e in row), *basis.poles]
    entries += [*(e for row in frame.matrix for e in shape.lift(row)), *_lengths(columns)]
    entries += shape.lift(list(shape.section.values()))
    return Piece(reduction.reconstruction, None, (), _guard(reduction.system, entries), speeds_of(reduction))


def velocity_piece(reduction: Any) -> Piece:
    """The reduction in invariant quasi-velocities; momenta and rates of the shape are among its outputs."""
    system, shape, basis = reduction.system, reduction.shape, reduction.basis
    full = full_equations(system, shape, basis, None, reduction.invariant_equations, (), ())
    return _in_velocities(system, shape, basis, full)


def _in_velocities(system: System, shape: Any, basis: Any, full: Equations) -> Piece:
    entries = [*(e for row in basis.columns for e in row), *basis.drift, *basis.poles, *_lengths(basis.columns)]
    entries += shape.lift(list(shape.section.values()))
    return Piece(full, basis.columns, basis.drift, _guard(system, entries), {})


def _lengths(columns: Any) -> list[Expr]:
    """``1/|X_i|`` of fields that may vanish somewhere."""
    fields = [f for f in zip(*columns) if not any(e.is_Number and e != 0 for e in map(se.sympify, f))]
    return [1 / se.sqrt(se.Add(*(e**2 for e in f))) for f in fields]


def _with_names(reduction: Any, piece: Piece) -> Piece:
    """The piece with the reduction's own shape, rates and momenta among its outputs."""
    system: System = reduction.system
    known = {*piece.full.outputs, *piece.full.state}
    on_shell = {s: piece.full.outputs.get(str(s), s) for s in symbols(system.velocities)}
    more = {n: f for n, f in zip(reduction.shape.names, reduction.shape.functions) if n not in known}
    if not reduction.shape.redundant:
        forms = {n: f for n, f in speeds_of(reduction).items() if n not in known}
        more |= dict(zip(forms, substitute(list(forms.values()), on_shell)))
    return replace(piece, full=replace(piece.full, outputs=FrozenMap({**piece.full.outputs, **more})))


def _other_pieces(reduction: Any, state: Mapping[str, float]) -> list[Piece]:
    """Other ways to go on from a state: invariant quasi-velocities, also on a section chosen there."""
    system: System = reduction.system
    result = [velocity_piece(reduction), own_piece(reduction)]
    at = {n: float(state[n]) for n in (*system.coordinates, *system.parameters)}
    for closed in (False, True):
        try:
            local = local_reduction(system, reduction.group, at, closed)
        except ModelError:
            continue
        equations = in_velocities(system, local.data, None, local.basis)
        full = full_equations(system, local.shape, local.basis, None, equations, (), ())
        result.append(_with_names(reduction, _in_velocities(system, local.shape, local.basis, full)))
    return result


def _guard(system: System, entries: Sequence[Expr]) -> Expr | None:
    """``1/(1 + Σ e²)`` over all quotients by functions of coordinates and time inside the entries, and these entries themselves.

    Quotients inside others count too: where they cancel a formula is finite and its derivative is not.
    """
    moving = {*symbols(system.coordinates), TIME}
    found = set(with_denominator(map(se.sympify, entries), moving))
    inner = {
        p
        for e in found
        for p in atoms([e], se.Pow)
        if p.args[1].is_Number and p.args[1].is_negative and p.args[0].free_symbols & moving
    }
    ordered = sorted(found | inner, key=str)
    return 1 / (1 + se.Add(*(e**2 for e in ordered))) if ordered else None


def _refuse_singular(reduction: Any, place: Mapping[str, float]) -> None:
    """A StateError where the orbit has fewer dimensions than elsewhere."""
    found = at_point(reduction.system, reduction.group, place)
    if found < reduction.group.rank:
        raise StateError(
            f"{reduction.system.name}: the start lies on a singular orbit of {', '.join(reduction.group.names)} (dimension "
            f"{found} instead of {reduction.group.rank}), where the shape variables break down; start elsewhere, or simulate the "
            "system itself."
        )


def _without(run: Any, stops: Sequence[Event]) -> Any:
    """The run without the event that watches the section."""
    names = {str(s.expression) for s in stops}
    return replace(
        run,
        events=FrozenMap({n: t for n, t in run.events.items() if n not in names}),
        event_states=FrozenMap({n: t for n, t in run.event_states.items() if n not in names}),
    )


def _joined(runs: Sequence[Any]) -> Any:
    """Several runs, one after the other, as one."""
    if len(runs) == 1:
        return runs[0]
    import xarray as xr

    last = runs[-1]
    common = [n for n in last.data.data_vars if all(n in run.data.data_vars for run in runs)]
    parts = [run.data[common] for run in runs if len(run.data["t"])]
    data = xr.concat(parts, dim="t", join="override", combine_attrs="override") if len(parts) > 1 else parts[0]
    names = list(dict.fromkeys(n for run in runs for n in run.events))
    return replace(
        last,
        data=data.assign_attrs(last.data.attrs),
        events=FrozenMap({n: np.concatenate([np.asarray(r.events.get(n, ())) for r in runs]) for n in names}),
        event_states=FrozenMap({n: [s for r in runs for s in r.event_states.get(n, ())] for n in names}),
        steps=sum(r.steps for r in runs),
        calls=sum(r.calls for r in runs),
        frames=len(runs),
    )


def driven_motion(
    system: System, start: Mapping[str, Any] | None, values: Mapping[str, float], given: Mapping[str, Any] | None
) -> tuple[dict[str, float], Mapping[str, Any] | None]:
    """The full state at a start, and the inputs: a law ``u(t, q)`` of a driven coordinate gives ``u`` there and ``u̇`` after it.

    A number is a law too; a coordinate of which no law is given stays for the start and the input of its rate to say.
    """
    driving = {c: w for w, c in drivers(system).items()}
    signals = dict(given or {})
    laws = {c: _law(system, c, signals.pop(c)) for c in driving if c in signals}
    others = {n: e for n, e in signals.items() if is_formula(e) or isinstance(e, SupportsFloat)}
    if not laws:
        return complete_state(system, start, dict(values), inputs=others), given
    rates = dict(zip(symbols(system.coordinates), system.frame.rates))
    slopes = {driving[c]: along([law], {**rates, TIME: ONE})[0] for c, law in laws.items()}
    begin = {**dict(system.start if start is None else start)}
    idle = {**others, **dict.fromkeys(slopes, 0.0)}
    # laws see the configuration, and their rates the velocities, which depend on them: one after the other
    for exprs in (laws, slopes):
        place = {**complete_state(system, begin, dict(values), inputs=idle, repair=exprs is laws), **values}
        found = dict(zip(exprs, evaluate(list(exprs.values()), place).tolist()))
        begin, idle = ({**begin, **found}, idle) if exprs is laws else (begin, {**idle, **found})
    return complete_state(system, begin, dict(values), inputs=idle), {**signals, **slopes}


def _law(system: System, name: str, law: Any) -> Any:
    """A law as an expression in time, parameters and coordinates."""
    where = f"{system.name}: the input {name!r} stands in a constraint"
    if not is_formula(law) and not isinstance(law, SupportsFloat):
        raise StateError(
            f"{where}, so that its rate enters the accelerations, and the rate of a function, table or sampled value is not "
            f'known; give it as a formula, e.g. inputs={{"{name}": "0.3*sin(t)"}}, or as a number.'
        )
    driving = {*drivers(system).values()}
    own = [c for c in system.coordinates if c not in driving]
    moving = (*system.velocities, *system.quasivelocities, *(system.parametric[0] if system.parametric is not None else ()))
    known = (*own, *system.parameters, *moving, "t")
    found = expression(law if is_formula(law) else float(law), known, f"{system.name}: input {name}")
    beyond = moving if system.parametric is None else (*moving, *own)
    fast = sorted(str(s) for s in found.free_symbols & set(symbols(beyond)))
    if fast:
        raise StateError(
            f"{where} and would follow {', '.join(fast)}; this reduction knows its rate only for laws of time"
            f"{'' if system.parametric is not None else ' and coordinates'}, and every law that is part of the system: write "
            f'nh.System(…, inputs={{"{name}": law}}) and reduce that.'
        )
    return found
