"""What looks like a slip in a motion: nothing moves, a mass is negative, an input or a start was left out, a wheel would lift."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nonholo.derive.laws.hints import hints, resting
from nonholo.errors import VALUE
from nonholo.finding import Hint
from nonholo.finding.sentences import headline
from nonholo.integrate.motion.motion_pieces import Problem
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import known_inputs, numbered
from nonholo.model.velocities.admissible import constraint_rows

TOUCHING, HELD = 1e-9, 1e-9
"""Relative tolerance of the limits of normal forces and force ratios."""


class MotionHint(str):
    """A sentence on what a user may not have meant, and the entry of the user's table that it is about.

    >>> MotionHint("is m = -2 meant?", ("parameters", "m")).key
    ('parameters', 'm')
    """

    key: tuple[str | int, ...]

    def __new__(cls, text: str, key: tuple[str | int, ...] = ()) -> MotionHint:
        found = super().__new__(cls, text)
        found.key = key
        return found


def motion_hints(problem: Problem) -> tuple[MotionHint, ...]:
    """What a user may not have meant, each with what to do; empty when nothing looks so.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters={"m": -2}, lagrangian="m*qdot**2/2 - 9*q**2/2")
    >>> for hint in nh.simulate(swing, {"q": 0.1}, 1).hints:
    ...     print(hint)
    the mass matrix is not positive at the start (its smallest eigenvalue is -2): is m = -2 meant?
    """
    parts = (_freedom, _mass, _inputs, _start, _slips, _halves)
    return tuple(hint for part in parts for hint in part(problem))


def run_hints(results: LazyResults | None) -> tuple[MotionHint, ...]:
    """The hints of a computed motion, those on its contacts included; none where only its numbers are known."""
    if results is None:
        return ()
    laws = results.problem.given_system.contacts if results.problem.given_system is not None else ()
    touching = any(law.gap is not None or law.static is not None for law in laws if not (law.lifts and law.slips))
    lifting = contact_hints(laws, results.times, results.contacts) if touching else ()
    return (*motion_hints(results.problem), *map(MotionHint, lifting))


def _halves(problem: Problem) -> list[MotionHint]:
    """Angles of velocities in linear constraints, which let the velocity pass zero and reverse."""
    said = problem.given_system
    halves = constraint_rows(said).halves if said is not None and said.parametric is None else ()
    found = "gives the direction of a velocity and is kept as a linear constraint, which lets that velocity reverse"
    return [MotionHint(f"{label} {found}; after that its angle is off by pi", ("constraints",)) for label, _ in halves]


def _freedom(problem: Problem) -> list[MotionHint]:
    """Constraints that leave nothing to move."""
    said, equations = problem.given_system, problem.initial.equations
    if said is None or equations.speeds or equations.unknowns or not said.velocities:
        return []
    count = len(said.constraints) + len(said.holonomic)
    found = f"{count} constraints on {len(said.velocities)} velocities leave nothing free to move"
    key = ("constraints", len(said.constraints) - 1) if said.constraints else ("holonomic", len(said.holonomic) - 1)
    return [MotionHint(f"{found}; remove one that is not meant", key)]


def _mass(problem: Problem) -> list[MotionHint]:
    """A kinetic energy that is not positive, with the negative parameters."""
    initial = problem.initial
    equations = initial.equations
    if equations.unknowns or not equations.speeds or not equations.symmetric:
        return []
    row = initial.row({"t": problem.time, **problem.start}, problem.parameters)
    try:
        _, mass = initial.kernel.solve(row)
        least = float(np.linalg.eigvalsh((mass + mass.T) / 2)[0])
    except Exception:  # the motion has said why it cannot be computed
        return []
    negative = [n for n, e in problem.parameters.items() if e < 0]
    if least > 0 or not np.isfinite(least):
        return []
    listed = ", ".join(f"{n} = {problem.parameters[n]:g}" for n in negative)
    asked = f"is {listed} meant?" if negative else "give every direction a positive mass."
    sentence = f"the mass matrix is not positive at the start (its smallest eigenvalue is {least:.3g}): {asked}"
    return [MotionHint(sentence, ("parameters", negative[0], VALUE) if negative else ("lagrangian",))]


def _inputs(problem: Problem) -> list[MotionHint]:
    """Inputs without a value."""
    said = problem.given_system
    given = {*problem.given_inputs, *(known_inputs(said) if said is not None else ())}
    silent = [n for n in problem.initial.kernel.inputs if n not in given]
    if not silent:
        return []
    words = f"the input {', '.join(silent)} has no value and is 0; say what it does, if it does anything"
    return [MotionHint(words, ("inputs", silent[0]))]


def _start(problem: Problem) -> list[MotionHint]:
    """Values of the system's own start that the start of this motion leaves out."""
    said = problem.given_system
    if said is None or problem.start == dict(said.start):
        return []
    lost = {n: e for n, e in said.start.items() if n not in problem.start and n not in said.inputs and e != 0}
    velocities = [n for n in problem.start if n not in said.coordinates and n != "t"]
    lost = {n: e for n, e in lost.items() if n in said.coordinates or not velocities}
    if not lost:
        return []
    words = ", ".join(f"{n} = {e:g}" for n, e in lost.items())
    found = f"the start that was given replaces the system's own, in which {words}"
    return [MotionHint(f"{found}; to change single values give {{**system.start, …}}")]


def _slips(problem: Problem) -> list[MotionHint]:
    """What the formulas and the start look like, see `nonholo.derive.laws.hints`."""
    said = problem.given_system
    if said is None:
        return []
    start = {n: float(e) for n, e in problem.start.items()}
    system = numbered(said, problem.parameters, start)
    found = [(f, f.data) for f in (hints(system) if start else (*hints(system), *resting(system, start)))]
    fixed = bool(_freedom(problem))  # a start of its own would not help
    return [
        MotionHint(f"is it meant that {data.text}? {headline(f.evidence)}", data.key)
        for f, data in found
        if isinstance(data, Hint) and not (fixed and data.key == ("start",))
    ]


def contact_hints(
    laws: tuple[ContactLaw, ...], times: NDArray[np.float64], columns: Mapping[str, NDArray[np.float64]]
) -> tuple[str, ...]:
    """Contacts that stay closed, or do not slip, only by forces that no ground can exert.

    >>> ball = ContactLaw("ball", gap=1)
    >>> for hint in contact_hints((ball,), np.array([0.0, 0.1]), {"normal": np.array([[1.0], [-0.5]])}):
    ...     print(hint.partition("; ")[0])
    the normal force of ball is negative from t = 0.1 (-0.5 N): the ground would have to pull, and it would lift
    """
    found: list[str] = []
    for k, law in enumerate(laws):
        normal = columns["normal"][:, k]
        least = TOUCHING * np.nanmax(np.abs(normal), initial=0.0)
        if law.gap is not None and not law.lifts:
            pulled = np.flatnonzero(normal < -least)
            if len(pulled):
                least_force = f"{times[pulled[0]]:.6g} ({normal[pulled].min():.3g} N)"
                first = f"the normal force of {law.name} is negative from t = {least_force}"
                found.append(f"{first}: the ground would have to pull, and it would lift; set lifts = true")
        if law.static is not None and not law.slips:
            ratio, limit = columns["ratio"][:, k], columns["friction"][:, k]
            beyond = np.flatnonzero((ratio > limit * (1 + HELD)) & (normal > least))
            if len(beyond):
                first = f"the force along the ground at {law.name} is more than {limit[beyond[0]]:.3g} (its friction) times"
                found.append(f"{first} the normal one from t = {times[beyond[0]]:.6g}: it would slip; set slips = true")
    return tuple(found)
