"""What looks like a slip in a motion: nothing moves, a mass is negative, an input or a start was left out, a wheel would lift."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nonholo.derive.laws.hints import hints, resting
from nonholo.integrate.motion.motion_pieces import Problem
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.model.contact_reading import expressions_of
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import numbered
from nonholo.model.velocities.admissible import constraint_rows

TOUCHING, HELD = 1e-9, 1e-9
"""Normal forces and ratios may be beyond their limit by so much of the largest before they are spoken of."""


def motion_hints(problem: Problem) -> tuple[str, ...]:
    """Sentences on what a user may not have meant, each with what to do; empty when nothing looks so.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters={"m": -2}, lagrangian="m*qdot**2/2 - 9*q**2/2")
    >>> for hint in nh.simulate(swing, {"q": 0.1}, 1).hints:
    ...     print(hint)
    the mass matrix is not positive at the start (its smallest eigenvalue is -2): is m = -2 meant?
    """
    parts = (_unused, _freedom, _mass, _inputs, _start, _slips, _halves)
    return tuple(hint for part in parts for hint in part(problem))


def run_hints(made: LazyResults) -> tuple[str, ...]:
    """The hints of a computed motion, those on its contacts included."""
    laws = made.problem.said.contacts if made.problem.said is not None else ()
    touching = any(law.gap is not None or law.static is not None for law in laws if not (law.lifts and law.slips))
    return (*motion_hints(made.problem), *(contact_hints(laws, made.times, made.contacts) if touching else ()))


def _unused(problem: Problem) -> list[str]:
    """Parameters that occur in no formula."""
    said = problem.said
    if said is None or said.parametric is not None:
        return []
    exprs = [said.lagrangian, *said.constraints, *said.holonomic, *said.forces.values(), *said.magnetic.values()]
    exprs += [e for e in (*said.quasivelocities.values(), *said.signals.values()) if not isinstance(e, float)]
    exprs += [e for row in said.frame.anchor for e in row]
    exprs += [e for law in said.contacts for e in expressions_of(law)]
    used = {str(s) for e in exprs for s in e.free_symbols}
    return [f"the parameter {n} occurs in no formula" for n in said.parameters if n not in used and said.drawing is None]


def _halves(problem: Problem) -> list[str]:
    """Angles of velocities that are kept as linear constraints: these let the velocity pass zero and reverse."""
    said = problem.said
    halves = constraint_rows(said).halves if said is not None and said.parametric is None else ()
    found = "gives the direction of a velocity and is kept as a linear constraint, which lets that velocity reverse"
    return [f"{label} {found}; after that its angle is off by pi" for label, _ in halves]


def _freedom(problem: Problem) -> list[str]:
    """Constraints that leave nothing to move."""
    said, equations = problem.said, problem.initial.equations
    if said is None or equations.speeds or equations.unknowns or not said.velocities:
        return []
    count = len(said.constraints) + len(said.holonomic)
    found = f"{count} constraints on {len(said.velocities)} velocities leave nothing free to move"
    return [f"{found}; remove those that follow from others"]


def _mass(problem: Problem) -> list[str]:
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
    negative = [f"{n} = {e:g}" for n, e in problem.parameters.items() if e < 0]
    if least > 0 or not np.isfinite(least):
        return []
    asked = f"is {', '.join(negative)} meant?" if negative else "give every direction a positive mass."
    return [f"the mass matrix is not positive at the start (its smallest eigenvalue is {least:.3g}): {asked}"]


def _inputs(problem: Problem) -> list[str]:
    """Inputs that nobody gave a value."""
    said = problem.said
    told = {*problem.given_inputs, *(said.signals if said is not None else ())}
    silent = [n for n in problem.initial.kernel.inputs if n not in told]
    if not silent:
        return []
    return [f"the input {', '.join(silent)} has no value and is 0; say what it does, if it does anything"]


def _start(problem: Problem) -> list[str]:
    """Values of the system's own start that the start of this motion leaves out."""
    said = problem.said
    if said is None or problem.start == dict(said.start):
        return []
    lost = {n: e for n, e in said.start.items() if n not in problem.start and n not in said.inputs and e != 0}
    velocities = [n for n in problem.start if n not in said.coordinates and n != "t"]
    lost = {n: e for n, e in lost.items() if n in said.coordinates or not velocities}
    if not lost:
        return []
    words = ", ".join(f"{n} = {e:g}" for n, e in lost.items())
    found = f"the start that was given replaces the system's own, in which {words}"
    return [f"{found}; to change single values give {{**system.start, …}}"]


def _slips(problem: Problem) -> list[str]:
    """What the formulas and the start look like, see `nonholo.derive.laws.hints`."""
    said = problem.said
    if said is None:
        return []
    start = {n: float(e) for n, e in problem.start.items()}
    system = numbered(said, problem.parameters, start)
    found = hints(system) if start else (*hints(system), *resting(system, start))
    return [f"is it meant that {h.claim}? {h.evidence}" for h in found]


def contact_hints(
    laws: tuple[ContactLaw, ...], times: NDArray[np.float64], columns: Mapping[str, NDArray[np.float64]]
) -> tuple[str, ...]:
    """Contacts that are held closed, or kept from slipping, by forces that no ground gives.

    >>> ball = ContactLaw("ball", gap=1)
    >>> contact_hints((ball,), np.array([0.0, 0.1, 0.2]), {"normal": np.array([[2.0], [1.0], [-0.5]])})
    ('normal(ball) is negative from t = 0.2 (-0.5 N): the ground would have to pull, and it would lift; set lifts = true',)
    """
    found: list[str] = []
    for k, law in enumerate(laws):
        normal = columns["normal"][:, k]
        least = TOUCHING * np.nanmax(np.abs(normal), initial=0.0)
        if law.gap is not None and not law.lifts:
            pulled = np.flatnonzero(normal < -least)
            if len(pulled):
                first = f"normal({law.name}) is negative from t = {times[pulled[0]]:.6g} ({normal[pulled].min():.3g} N)"
                found.append(f"{first}: the ground would have to pull, and it would lift; set lifts = true")
        if law.static is not None and not law.slips:
            ratio, limit = columns["ratio"][:, k], columns["friction"][:, k]
            beyond = np.flatnonzero((ratio > limit * (1 + HELD)) & (normal > least))
            if len(beyond):
                first = f"ratio({law.name}) is above the friction {limit[beyond[0]]:.3g} from t = {times[beyond[0]]:.6g}"
                found.append(f"{first}: it would slip; set slips = true")
    return tuple(found)
