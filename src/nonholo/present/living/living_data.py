"""Data of a living page: solver plan, controls, presets, meanings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import floor, log10, pi
from typing import Any, SupportsFloat

import numpy as np

from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_completion import completion, free_rows
from nonholo.errors import NonholoError
from nonholo.machines.machine_files import dumps
from nonholo.model.declared_words import GivenInput
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.files.exercises import exercise_table
from nonholo.model.files.stories import stop_table
from nonholo.model.rotation_axes import system_notation
from nonholo.model.scalars import Guess
from nonholo.model.system import DURATION, System, known_inputs, known_names, parameter_values, varied
from nonholo.notation.parse import parse
from nonholo.notation.write import to_text
from nonholo.present.film.attitudes import ANGLES, angles_of, attitudes
from nonholo.present.living.page_modes import full_start
from nonholo.present.living.solver_plan import SolverPlan, solver_plan
from nonholo.present.style.labels import html_name, meaning_of, own_unit
from nonholo.present.style.mathml import content

LAW = "_law_"
GOAL = "_goal_"
STOP = "_stop_"
_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*(?:e-?\d+)?|\.\d+)(?![\w.])")
SPANS = {"rad": 1.0, "rad/s": 5.0, "m": 1.0, "m/s": 2.0, "": 1.0, "1": 1.0}
"""How far a slider reaches for a start that is zero, by unit."""


@dataclass(frozen=True)
class Control:
    """One number that a reader may change."""

    name: str
    kind: str
    label: str
    meaning: str
    unit: str
    value: float
    low: float
    high: float
    step: float
    fold: str = ""
    """Why a reader rarely needs it: ``moves``, the symmetry alone changes with it, or ``follows`` from the others."""


def living(
    system: System,
    drawing: Drawing | None = None,
    watched: Mapping[str, Any] | None = None,
    subject: str = "system.toml",
    presets: Mapping[str, Mapping[str, float]] | None = None,
    conserved: bool = True,
    unit: str = "m",
) -> dict[str, Any]:
    """Everything that `viewer/src/living` reads, ready for JSON; an error gives the reason when there can be no living page.

    ``watched`` are integrals by name, ``presets`` further starts (and parameters) by name; ``conserved`` says whether the energy
    should stay what it is.
    """
    own, laws = with_law_numbers(system)
    exercises = own.page.exercises if own.page is not None else ()
    extra = own.parametric[0] if own.parametric is not None else ()
    goals = {f"{GOAL}{k}": parse(e.goal, (*known_names(own), *extra), "goal") for k, e in enumerate(exercises) if e.goal}
    story = own.page.story if own.page is not None else ()
    goals |= {f"{STOP}{k}": parse(e.when, (*known_names(own), *extra), "story") for k, e in enumerate(story) if e.when}
    made = solver_plan(own, drawing, {**(watched or {}), **goals})
    values = parameter_values(own, {})
    full, _ = full_start(system)  # a machine completes its start in its own way, which its equations alone do not know
    _, held_by = full_start(own)
    moved = driven(own, {})
    turned = attitudes(own)
    moves = indifferent(own)
    if made.plan["drawing"] is not None:
        made.plan["drawing"]["unit"] = unit
    placed = {n for a in turned for n in a["names"]}
    gaps = [law.gap for law in own.contacts if law.gap is not None]
    bound = {str(s) for e in (*own.holonomic, *own.frame.relations, *gaps) for s in e.free_symbols} - placed
    tied = [c for c in own.coordinates if c in bound]
    held = [c for c in tied if c in own.start and not isinstance(own.start[c], Guess)]
    follows = dependent(own, held, {**values, **full}) if held else frozenset()
    controls = [
        replace(c, fold="follows" if c.name in follows else "moves" if c.name in moves else "")
        for c in _controls(own, held_by, made, values, full, moved, turned)
    ]
    return {
        "plan": dict(made.plan),
        "controls": [vars(c) for c in controls],
        "attitudes": [{k: a[k] for k in ("kind", "names", "tilt", "heading", "spin")} for a in turned],
        "tied": tied,
        "held": held if len(held) < len(tied) else [],
        "guess": [full.get(n, 0.0) for n in made.plan["speeds"]],
        "time": full.get("t", 0.0),
        "presets": _presets(system, controls, turned, {**(presets or {}), **(own.page.presets if own.page else {})}),
        "kicks": _kicks(own, made, {**values, **full}),
        "signs": _signs(own),
        "strip": [b for a, b in (drawing.plots if drawing is not None else ()) if a == "t"],
        "constant": list(watched or {}),
        "exercises": [
            {**exercise_table(e), "column": f"{GOAL}{k}" if e.goal else "", "at": e.at} for k, e in enumerate(exercises)
        ],
        "story": [{**stop_table(e), "column": f"{STOP}{k}" if e.when else "", "speed": e.speed} for k, e in enumerate(story)],
        "conserved": conserved,
        "command": {"subject": subject, "laws": laws},
        "toml": dumps(system),
    }


def with_law_numbers(system: System) -> tuple[System, dict[str, str]]:
    """The system whose feedback laws have parameters in place of their numbers, and the laws as text with these names.

    Exponents, and the numbers 1 and 2, which are rarely meant to be changed, stay; equal numbers of one law are one parameter.

    >>> cart = System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs={"u": "-6*x - 0.5*xdot**3"})
    >>> own, laws = with_law_numbers(cart)
    >>> own.parameters, laws["u"].count("_law_")
    ({'_law_u_1': 0.5, '_law_u_2': 6.0}, 2)
    """
    laws: dict[str, str] = {}
    values: dict[str, float] = {}
    for name, law in known_inputs(system).items():
        if not getattr(law, "free_symbols", ()):
            continue
        text, parts, end = to_text(law), list[str](), 0
        seen: dict[str, str] = {}
        for found in _NUMBER.finditer(text):
            before = text[: found.start()].rstrip()
            if before.endswith(("**", "/")) or float(found[0]) in (0.0, 1.0, 2.0):
                continue
            key = seen.setdefault(found[0], f"{LAW}{name}_{len(seen) + 1}")
            values[key] = float(found[0])
            parts += [text[end : found.start()], key]
            end = found.end()
        laws[name] = "".join((*parts, text[end:]))
    if not values:
        return system, laws
    parameters, inputs = {**system.parameters, **values}, {**system.inputs, **laws}
    return varied(system, parameters=parameters, inputs=inputs, page=system.page, contacts=system.contacts), laws


def _controls(
    system: System,
    held_by: System,
    made: SolverPlan,
    values: Mapping[str, float],
    full: Mapping[str, float],
    moved: Any,
    turned: list[dict[str, Any]],
) -> list[Control]:
    placed = {n for a in turned for n in a["names"]}
    full = {**full, **system.start}  # as it was written, without the rounding of the completion
    result = [_control(system, c, "coordinate", full[c]) for c in system.coordinates if c not in placed]
    for a in turned:
        for key in ("tilt", "heading", "spin"):
            if a[key] in a["angles"]:
                words, value = ANGLES[key] + a["several"], a["angles"][a[key]]
                result.append(Control(a[key], "angle", key, words, "rad", value, *_span(value, "rad", False)))
    result += [_control(system, n, "velocity", full[n]) for n in _velocities(system, held_by, made, full, values)]
    result += [_control(system, p, "parameter", values[p]) for p in system.parameters if not p.startswith(LAW)]
    result += [_control(system, n, "input", _number(moved.others.get(n, 0.0))) for n in made.plan["inputs"]]
    for p in system.parameters:
        if p.startswith(LAW):
            name = p.removeprefix(LAW).rpartition("_")[0]
            words = f"the {values[p]:g} in its law" if values[p] else "a number in its law"
            low, high, step = _span(values[p], "", True)
            result.append(Control(p, "law", html_name(name), words, "", values[p], low, high, step))
    return [*result, _until(system)]


def indifferent(system: System) -> frozenset[str]:
    """Coordinates whose start does not matter: no formula holds them, or the declared symmetry shifts or turns them.

    >>> skate = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> sorted(indifferent(skate))
    ['x', 'y']
    """
    laws = [e for e in known_inputs(system).values() if hasattr(e, "free_symbols")]
    anchor = [e for row in system.frame.anchor for e in row]
    forms = [] if system.parametric is None else list(system.parametric[1].values())
    read = (system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values(), *laws, *anchor, *forms)
    used = {str(s) for e in (*read, *system.magnetic.values()) for s in e.free_symbols}
    generators = system.symmetry.generators.values() if system.symmetry is not None else ()
    shifted = {c for field in generators for c, e in field.items() if e == "1"} if not laws else set()
    return frozenset(c for c in system.coordinates if c not in used or c in shifted)


def dependent(system: System, given: Collection[str], at: Mapping[str, float]) -> frozenset[str]:
    """Coordinates that follow from the given ones: all others where they must; else those among guesses that do.

    >>> bead = System(coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2 - z", holonomic=["z - x**2"], start={"x": 1})
    >>> sorted(dependent(bead, ["x"], {"x": 1, "z": 1})), sorted(dependent(bead, [], {"x": 1, "z": 1}))
    (['z'], [])
    """
    ready = completion(system, ())
    names = system.coordinates
    count = len(system.frame.relations) + len(system.holonomic)
    slopes = ready.relations.at({"t": 0.0, **dict.fromkeys(system.inputs, 0.0), **at})[count:].reshape(count, len(names))
    used = [k for k, n in enumerate(names) if n not in given and np.any(slopes[:, k])]
    loose = sorted(used, key=lambda k: isinstance(system.start.get(names[k]), Guess))
    rows = free_rows(slopes[:, loose], range(len(loose)))
    free = {loose[int(np.argmax(row))] for row in rows}
    return frozenset(names[k] for k in loose if not free or (k not in free and isinstance(system.start.get(names[k]), Guess)))


def _number(given: GivenInput) -> float:
    """An input that a page can hold: a number; functions and tables are for Python alone."""
    return float(given) if isinstance(given, SupportsFloat) else 0.0


def _until(system: System) -> Control:
    until = system.until if system.until is not None else DURATION
    size = abs(until) or 1.0
    low, high = sorted((_round_number(size / 50) * np.sign(until), _round_number(3 * size) * np.sign(until)))
    words = "end of the motion" if "t" in system.start else "length of the motion"
    return Control("until", "until", "<i>t</i>", words, "s", until, float(low), float(high), _round_number(size / 100))


def _velocities(
    system: System, held_by: System, made: SolverPlan, full: Mapping[str, float], values: Mapping[str, float]
) -> list[str]:
    """Velocities that fix a start: those it names, and as many more as the constraints leave free."""
    plan = made.plan
    if plan["parametric"]:
        return list(plan["speeds"])
    named = [n for n in system.start if n in plan["forms"]]
    if not plan["linear"]:
        return named or list(plan["speeds"])
    closed = driven(held_by, {}).closed
    ready = completion(closed, named)
    numbers = ready.table.at({**dict.fromkeys(closed.inputs, 0.0), **full, **values})
    height = len(ready.rows.slopes) + len(named)
    table = numbers[: height * ready.size].reshape(height, ready.size)
    extra = free_rows(table, ready.order)
    return named + [plan["speeds"][int(np.argmax(row))] for row in extra]


def _control(system: System, name: str, kind: str, value: float) -> Control:
    unit = own_unit(system, name)
    low, high, step = _span(value, unit, kind == "parameter")
    own = system.page.ranges.get(name) if system.page is not None else None
    if own is not None:
        low, high = own[0], own[1]
        step = own[2] if len(own) > 2 else _round_number((high - low) / 200)
    if name == "g" and kind == "parameter" and own is None:
        low, high, step = 0.0, max(20.0, _round_number(2 * value)), 0.01
    return Control(name, kind, html_name(name), meaning_of(system, name), unit, float(value) + 0.0, low, high, step)


def _span(value: float, unit: str, parameter: bool) -> tuple[float, float, float]:
    """Where a slider begins and ends, and its step: guessed from value and unit."""
    size = abs(value)
    if parameter and value > 0:
        return (_round_number(value / 5), _round_number(3 * value), _round_number(value / 100))
    if unit == "rad" and size <= pi:
        reach = _round_number(10 * size) if 1e-6 < size < 0.1 else pi
        return (-reach, reach, _round_number(reach / 300))
    reach = _round_number(2 * size) if size > 1e-12 else SPANS.get(unit, 1.0)
    return (-reach, reach, _round_number(reach / 100))


def _round_number(value: float) -> float:
    """A number near this one that is 1, 2, 3 or 5 times a power of ten.

    >>> _round_number(0.0437), _round_number(27.0)
    (0.05, 30.0)
    """
    power = floor(log10(value))
    lead = min((1, 2, 3, 5, 10), key=lambda k: abs(log10(k) - log10(value / 10.0**power)))
    return float(f"{lead}e{power}")


def _presets(
    system: System, controls: list[Control], turned: list[dict[str, Any]], given: Mapping[str, Mapping[str, float]]
) -> list[dict[str, Any]]:
    names = list(dict.fromkeys(c.name for c in controls))
    result = []
    for title, told in given.items():
        parameters = {n: float(e) for n, e in told.items() if n in system.parameters}
        start = {n: float(e) for n, e in told.items() if n not in system.parameters and n not in ("until", *system.inputs)}
        values = dict(parameters)
        values |= {n: float(told[n]) for n in ("until", *system.inputs) if n in told and n in names}
        try:
            if start:
                full, _ = full_start(system, start, parameters)
                values |= {n: full[n] for n in names if n in full and n not in ("until", *system.inputs)}
                for a in turned:
                    found = dict(zip(("tilt", "heading", "spin"), angles_of(a["kind"], [full[n] for n in a["names"]])))
                    values |= {a[k]: e for k, e in found.items() if a[k] in names}
        except NonholoError:
            continue
        result.append({"name": title, "values": values})
    return result


def _kicks(system: System, made: SolverPlan, at: Mapping[str, float]) -> list[dict[str, Any]]:
    """Speeds that an impulse may strike, with one that changes them by about half of what they are."""
    equations = made.equations
    masses = evaluate_matrix(equations.mass, {**dict.fromkeys(made.plan["inputs"], 0.0), "t": 0.0, **at})
    result = []
    for k, name in enumerate(made.plan["speeds"][: len(system.velocities)]):
        unit = own_unit(system, name)
        force = {"m/s": "N s", "rad/s": "N m s"}.get(unit, "")
        weight = abs(float(masses[k, k])) * max(1.0, abs(at.get(name, 0.0))) / 2
        if weight > 1e-12 and np.isfinite(weight):
            result.append({"name": name, "label": html_name(name), "size": _round_number(weight), "unit": force})
    return result


def _signs(system: System) -> list[dict[str, str]]:
    spelling = system_notation(system)
    rates = [f"{c}dot" for c in system.coordinates]
    extra = system.parametric[0] if system.parametric is not None else ()
    names = (*system.coordinates, *rates, *system.velocities, *system.quasivelocities, *extra, *system.parameters, *system.inputs)
    result = []
    for name in dict.fromkeys(names):
        if name.startswith(LAW):
            continue
        result.append(
            {
                "name": name,
                "label": html_name(name),
                "mathml": content(_rate_of_word(spelling.name(name))),
                "meaning": meaning_of(system, name),
                "unit": own_unit(system, name),
            }
        )
    return result


def _rate_of_word(latex: str) -> str:
    """``d roll/dt`` as a fraction in place of a word with a dot over its middle, which reads as an accent."""
    word = re.fullmatch(r"\\dot\{\\mathrm\{([^{}]{2,})\}\}(_\{.*\})?", latex)
    return latex if word is None else rf"\frac{{\mathrm{{d\,{word[1]}}}{word[2] or ''}}}{{\mathrm{{d}}t}}"
