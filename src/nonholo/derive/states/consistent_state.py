"""Complete a partial state to a consistent one: missing values are 0 or follow from the constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, SupportsFloat

import numpy as np

from nonholo.algebra.calculus import jacobian, symbol, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.gauss_newton import gauss_newton, least_change, searched
from nonholo.algebra.numeric_functions import Formulas
from nonholo.algebra.subspaces import kernel
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_completion import TOLERANCE, Completion, completion, linear_velocities
from nonholo.errors import Remedy, StateError, about, meant
from nonholo.model.declared_words import Parametric
from nonholo.model.scalars import MARK, Guess, guessed
from nonholo.model.system import System, check_system, finite, named, parameter_values, resolve
from nonholo.model.velocities.admissible import Rows, dependent_names, require_few
from nonholo.notation.read import is_formula
from nonholo.notation.write import to_text


def complete_state(
    system: System,
    state: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    repair: bool = False,
    inputs: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """The full state: coordinates, rates, frame velocities and quasi-velocities (and velocity parameters), by name.

    Coordinates that are not given are at the frame's home (0, or the unit rotation) or follow from the holonomic
    constraints; velocities that are not given are 0 or follow from the velocity constraints. Values that break a
    constraint are an error that says which and by how much; ``repair=True`` moves them to the nearest admissible
    ones instead (velocities by mass-orthogonal projection). ``inputs`` are numbers or formulas of time and state; those
    that are not given do what the system says, or are 0.
    Where the constraints leave a choice, as a linkage that can be closed in two ways, the found coordinates are those near
    the system's own start; a text ``"~0.8"`` in place of a number is another such guess.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> state = nh.complete_state(sleigh.system, {"theta": 0, "v": 2}, sleigh.parameters)
    >>> state["xdot"], state["ydot"]
    (2.0, 0.0)
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> nh.complete_state(cart, {"x": 2}, inputs={"u": "3 + x"})["u"]
    5.0
    """
    check_system(system)
    numbers = parameter_values(system, parameters)
    start = read_start(system, system.start if state is None else state, numbers)
    told = {**{n: start[n] for n in system.inputs if n in start}, **_inputs(system, inputs)}
    moved = driven(system, told)
    others = {n: float(e) for n, e in moved.others.items() if isinstance(e, SupportsFloat)}
    known = {**guesses(system), **{n: e for n, e in start.items() if n not in moved.laws}, **others}
    full = completed(moved.closed, known, numbers, repair)
    if not moved.laws:
        return full
    values = Formulas((*full, *numbers), list(moved.laws.values())).at({**full, **numbers})
    return {"t": full["t"], **dict(zip(moved.laws, values.tolist())), **full}

REPAIR = Remedy("or use complete_state(…, repair=True)", "", "")
"""Starts off the constraints are projected onto them in Python only."""
NO_NUMBERS = (
    "the constraints have no finite numbers at this start (division by zero: a coordinate chart or a contact ends here); "
    "start elsewhere, e.g. give coordinates away from where the start lies."
)


def _inputs(system: System, inputs: Mapping[str, Any] | None) -> dict[str, Any]:
    """Inputs at one instant: numbers and formulas."""
    told = named(inputs or {}, f"{system.name}: inputs", '{"u": 0.5}')
    for name, value in told.items():
        if not is_formula(value) and not isinstance(value, SupportsFloat):
            raise StateError(
                f"{system.name}: the input {name!r} is {type(value).__name__}; a state at one instant needs a number or a "
                f'formula of time and state, e.g. inputs={{"{name}": "0.5*sin(t)"}}.'
            )
    return dict(told)


def read_start(
    system: System, given: Mapping[str, Any], parameters: Mapping[str, float] | None = None
) -> dict[str, float]:
    """A user's start as numbers by plain names, all of them known; words for the bodies of a machine are allowed."""
    start = named(given, f"{system.name}: start", '{"x": 0.5}')
    check_start_names(system, start)
    resting: Sequence[str] = ()
    if system.machine is not None:
        from nonholo.machines.starts.body_starts import named_start, resting_velocities

        start, resting = named_start(system, start, parameters), resting_velocities(system)
    result = {str(n): _number(e, str(n) in system.coordinates, f"{system.name}: start {n}") for n, e in start.items()}
    return {**result, **{n: Guess(0.0) for n in resting if n not in result}}


def check_start_names(system: System, names: Iterable[str]) -> None:
    """Refuse names that the system does not have; words for a machine are in `nonholo.machines.starts.body_starts`."""
    extra = system.parametric[0] if system.parametric is not None else ()
    known = [*system.coordinates, *dependent_names(system), *extra, *system.inputs, "t"]
    if system.machine is not None:
        from nonholo.machines.starts.body_starts import body_words

        known += body_words(system)
    for name in names:
        if name not in known:
            hint = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{system.name}: no state variable is called {name!r}; {hint}")


def guesses(system: System) -> dict[str, float]:
    """Start values of the system for coordinates in holonomic constraints, as guesses."""
    tied = {str(s) for e in system.holonomic for s in e.free_symbols}
    return {n: Guess(e) for n, e in system.start.items() if n in tied}


def _number(value: Any, coordinate: bool, where: str) -> float:
    return guessed(value, lambda e: finite(e, where)) if coordinate else finite(value, where)


@about("start")
def completed(
    system: System, start: Mapping[str, float], parameters: Mapping[str, float], repair: bool = False
) -> dict[str, float]:
    """`complete_state` of numbers that were read, with the values of all parameters."""
    moving = {n: e for n, e in start.items() if n not in system.coordinates and n != "t" and n not in system.inputs}
    speeds = {n: e for n, e in moving.items() if not isinstance(e, Guess)}
    resting = [n for n in moving if n not in speeds]
    ready = completion(system, speeds)
    require_few(system, ready.rows)  # the true cause, before a start is blamed
    values = {"t": 0.0, **dict.fromkeys(system.inputs, 0.0), **parameters}
    values |= {n: start[n] for n in ("t", *system.inputs) if n in start}
    values |= _coordinates(ready, start, values, repair)
    if system.parametric is not None:
        values |= _parametric(system, system.parametric, speeds, values)
    else:
        values |= dict(zip(system.velocities, _velocity(ready, speeds, values, repair, resting).tolist()))
    values |= dict(zip(ready.every, ready.rest.at(values).tolist()))
    for label, half in ready.rows.halves:
        if Formulas(tuple(values), [half]).at(values)[0] < -TOLERANCE:
            raise StateError(
                f"{system.name}: the start breaks {label}, whose angle is off by pi: the velocity points backwards; reverse it."
            )
    return {n: e for n, e in values.items() if n not in system.parameters}


def completed_coordinates(system: System, start: Mapping[str, float], parameters: Mapping[str, float]) -> dict[str, float]:
    """Time, inputs and coordinates of `completed`, without the velocities."""
    values = {"t": 0.0, **dict.fromkeys(system.inputs, 0.0), **parameters}
    values |= {n: start[n] for n in ("t", *system.inputs) if n in start}
    values |= _coordinates(completion(system, ()), start, values, False)
    return {n: e for n, e in values.items() if n not in system.parameters}


def _coordinates(
    ready: Completion, given: Mapping[str, float], values: Mapping[str, float], repair: bool, told: bool = True
) -> dict[str, float]:
    system = ready.system
    names = system.coordinates
    point = np.array([given.get(n, h) for n, h in zip(names, system.frame.home)], dtype=float)
    relations = (*system.frame.relations, *system.holonomic)
    if not relations:
        return dict(zip(names, point.tolist()))
    count = len(relations)
    loose = [i for i, n in enumerate(names) if n not in given or isinstance(given[n], Guess) or repair]

    def placed(part: Numbers) -> dict[str, float]:
        there = point.copy()
        there[loose] = part
        return {**values, **dict(zip(names, there.tolist()))}

    def function(part: Numbers) -> tuple[Numbers, Numbers]:
        numbers = ready.relations.at(placed(part))
        return numbers[:count], numbers[count:].reshape(count, len(names))[:, loose]

    # the later ones away from a place where the constraint's slope vanishes
    others = (point[loose] + np.random.default_rng(k).uniform(-0.5, 0.5, len(loose)) for k in range(1, 4))
    starts = chain([point[loose]], others)
    found, residual = searched(function, starts, TOLERANCE)
    if np.all(np.isfinite(residual)) and np.max(np.abs(residual)) < TOLERANCE:
        here = placed(found)
        _check_turning(system, here)
        return {n: here[n] for n in names}
    worst = int(np.argmax(np.abs(np.nan_to_num(residual, nan=np.inf))))
    label = (
        f"relation {to_text(relations[worst])} = 0"
        if worst < len(system.frame.relations)
        else f"holonomic constraint {to_text(relations[worst])} = 0"
    )
    near = _closing(ready, given, values) if told else ""
    raise StateError(
        f"{system.name}: the start breaks the {label} by {residual[worst]:.6g}; give coordinates that satisfy it, leave "
        f"some out so that they are found,{near}",
        remedy=REPAIR,
    )


def _closing(ready: Completion, given: Mapping[str, float], values: Mapping[str, float]) -> str:
    """How the start can be closed near where it is: with the fewest of its last coordinates as guesses."""
    tied = {str(s) for e in (*ready.system.frame.relations, *ready.system.holonomic) for s in e.free_symbols}
    told = [n for n, e in given.items() if n in tied and n in ready.system.coordinates and not isinstance(e, Guess)]
    for count in range(1, len(told) + 1):
        loose = told[-count:]
        try:
            found = _coordinates(ready, {**given, **{n: Guess(given[n]) for n in loose}}, values, False, told=False)
        except StateError:
            continue
        words = ", ".join(f'"{n}": "{MARK}{given[n]:g}"' for n in loose)
        return f" say which may move ({words} closes it with {', '.join(f'{n} = {found[n]:.6g}' for n in loose)}),"
    return ""


def _check_turning(system: System, here: Mapping[str, float]) -> None:
    """Refuse reflections: they fulfil ``RᵀR = 1`` too."""
    for words in system.frame.recipe:
        entries = [f"{words.get('name', '')}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
        if all(e in here for e in entries) and np.linalg.det(np.reshape([here[e] for e in entries], (3, 3))) < 0:
            raise StateError(
                f"{system.name}: the start has a reflection in {entries[0]} … {entries[-1]} (determinant −1) where a rotation is "
                "needed; give a matrix of determinant +1."
            )


def _contradiction(ready: Completion, forms: Numbers, wanted: Numbers) -> StateError:
    """The first given velocity that those before it determine, with the value that they give it."""
    for k in range(1, len(wanted)):
        parts = np.linalg.lstsq(forms[:k].T, forms[k], rcond=None)[0]
        value = float(parts @ wanted[:k])
        if np.allclose(parts @ forms[:k], forms[k]) and abs(value - wanted[k]) > TOLERANCE * (1 + abs(value)):
            used = [n for n, part in zip(ready.given, parts) if abs(part) > TOLERANCE]
            follows = f"follows from {', '.join(used)} and would be {value:g}" if used else "is 0 there, whatever moves"
            name = ready.given[k]
            message = f"{ready.system.name}: {name} = {wanted[k]:g} at the start, but {name} {follows}; leave out one of them."
            return StateError(message, key=("start", name))
    return StateError(f"{ready.system.name}: the velocities {', '.join(ready.given)} contradict each other; give fewer.")


def _velocity(
    ready: Completion, given: Mapping[str, float], values: Mapping[str, float], repair: bool, resting: Sequence[str]
) -> Numbers:
    system, rows, size = ready.system, ready.rows, ready.size
    wanted = np.array([given[n] for n in ready.given])
    if rows.linear:
        at = np.array([[values[n] for n in ready.base]])
        found, gap = linear_velocities(ready, at, wanted[None], resting)
        if gap[0] < TOLERANCE * (1 + float(np.max(np.abs(found[0]), initial=0.0))):
            return np.asarray(found[0])
    numbers = ready.table.at(values)
    if not np.all(np.isfinite(numbers)):
        raise StateError(f"{system.name}: {NO_NUMBERS}")
    height = len(rows.slopes) if rows.linear else 0
    table = numbers[: (height + len(wanted)) * size].reshape(-1, size)
    slopes, forms = table[:height], table[height:]
    guess = np.linalg.lstsq(forms, wanted, rcond=None)[0] if len(wanted) else np.zeros(size)
    if len(wanted) and np.max(np.abs(forms @ guess - wanted)) > TOLERANCE * (1 + np.max(np.abs(wanted))):
        raise _contradiction(ready, forms, wanted)
    if not rows.residuals:
        return guess
    free = kernel(forms, np.finfo(float).eps * max(forms.shape)) if len(wanted) else np.eye(size)
    if rows.linear:
        sides = numbers[table.size :]
        step = np.linalg.lstsq(slopes @ free, sides - slopes @ guess, rcond=None)[0] if free.shape[1] else np.zeros(0)
        best = guess + free @ step
    else:
        best = _newton(ready, values, guess, free)
    residual, slopes = _residuals(ready, values, best)
    if np.all(np.isfinite(residual)) and np.max(np.abs(residual)) < TOLERANCE * (1 + float(np.max(np.abs(best)))):
        return best
    if repair:
        return project_velocity(system, rows, best, values)
    worst = int(np.argmax(np.abs(np.nan_to_num(residual, nan=np.inf))))
    touched = np.abs(slopes[worst]) > TOLERANCE
    guilty = [n for n, form in zip(given, forms) if np.any((np.abs(form) > TOLERANCE) & touched)]
    raise StateError(
        f"{system.name}: the start breaks {rows.labels[worst]} ({_text(system, rows, worst)} = 0) by {residual[worst]:.6g}; "
        f"change or leave out {'one of ' if len(guilty or given) > 1 else ''}"
        f"{', '.join(guilty or given) or 'the velocities'},",
        remedy=REPAIR,
        key=("start", *(guilty or list(given))[:1]),
    )


def _residuals(ready: Completion, values: Mapping[str, float], velocity: Numbers) -> tuple[Numbers, Numbers]:
    """The constraints and their slopes at a velocity."""
    count = len(ready.rows.residuals)
    numbers = ready.residuals.at({**values, **dict(zip(ready.system.velocities, velocity.tolist()))})
    return numbers[:count], numbers[count:].reshape(count, ready.size)


def _text(system: System, rows: Rows, k: int) -> str:
    return to_text(system.constraints[k]) if k < len(system.constraints) else to_text(rows.residuals[k])


def _newton(ready: Completion, values: Mapping[str, float], guess: Numbers, free: Numbers) -> Numbers:
    """Move the velocities that are not given onto nonlinear constraints."""
    if not free.shape[1] or float(np.max(np.abs(_residuals(ready, values, guess)[0]))) < 1e-15:
        return guess

    def function(part: Numbers) -> tuple[Numbers, Numbers]:
        residual, slopes = _residuals(ready, values, guess + free @ part)
        return residual, slopes @ free

    count = free.shape[1]
    starts: list[Numbers] = [np.full(count, 1e-3)]
    starts += [np.asarray(np.random.default_rng(k).uniform(0.1, 1, count)) for k in (1, 2)]
    part, residual = searched(function, starts, TOLERANCE)
    found = np.all(np.isfinite(residual)) and float(np.max(np.abs(residual))) < TOLERANCE
    return guess + free @ part if found else guess


def project_velocity(system: System, rows: Rows, velocity: Numbers, values: Mapping[str, float]) -> Numbers:
    """The admissible velocity nearest in kinetic energy: ``v − G⁻¹Aᵀ(A G⁻¹Aᵀ)⁻¹ φ(v)``, repeated when nonlinear.

    By ``[[G, Aᵀ], [A, 0]] (step, λ) = (0, φ)``, so that directions without kinetic energy are included.
    """
    ready = completion(system, ())
    size, count = len(velocity), len(rows.residuals)
    here = velocity

    def function(point: Numbers) -> tuple[Numbers, Numbers]:
        nonlocal here
        here = point
        return _residuals(ready, values, point)

    def by_mass(slopes: Numbers, residual: Numbers) -> Numbers:
        metric = ready.metric.at({**values, **dict(zip(system.velocities, here.tolist()))}).reshape(size, size)
        if not np.all(np.isfinite(metric)):  # outside of the Lagrangian's domain
            return least_change(slopes, residual)
        table = np.block([[metric, slopes.T], [slopes, np.zeros((count, count))]])
        sides = np.concatenate([np.zeros(size), residual])
        return np.asarray(np.linalg.lstsq(table, sides, rcond=None)[0][:size])

    return gauss_newton(function, velocity, enough=1e-14, step=by_mass)[0]


def _parametric(
    system: System, parametric: Parametric, given: Mapping[str, float], values: Mapping[str, float]
) -> dict[str, float]:
    """Velocity parameters ``z`` as given, or found from given velocities; missing ones are 0."""
    names, table = parametric
    z = {n: given.get(n, 0.0) for n in names}
    loose = [n for n in names if n not in given]
    targets = {n: e for n, e in given.items() if n not in names}
    velocity = [table[v] for v in system.velocities]
    if targets:
        wanted = np.array(list(targets.values()))
        on_shell = dict(zip(symbols(system.velocities), velocity))
        exprs = [e.xreplace(on_shell) for e in resolve(system, [symbol(n) for n in targets])]
        slopes = jacobian(exprs, symbols(loose))
        formulas = Formulas((*values, *names), [*exprs, *(e for row in slopes for e in row)])

        def function(guess: Numbers) -> tuple[Numbers, Numbers]:
            numbers = formulas.at({**values, **z, **dict(zip(loose, guess.tolist()))})
            return numbers[: len(wanted)] - wanted, numbers[len(wanted) :].reshape(len(wanted), len(loose))

        starts = [np.random.default_rng(k).uniform(0.05, 1, len(loose)) for k in range(5)]
        found, residual = searched(function, starts, TOLERANCE)
        if not np.max(np.abs(residual)) <= TOLERANCE * (1 + max(map(abs, targets.values()))):
            raise StateError(
                f"{system.name}: the given velocities {', '.join(targets)} are not of the parametric form (off by "
                f"{np.max(np.abs(residual)):.6g}); give the parameters {', '.join(names)} instead."
            )
        z |= dict(zip(loose, found.tolist()))
    numbers = Formulas((*values, *names), velocity).at({**values, **z})
    return {**z, **dict(zip(system.velocities, numbers.tolist()))}
