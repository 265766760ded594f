"""Ask every question of some systems, each in a process that has been asked nothing, then all of them in random orders.

``python -m tests.attack.orders SEED COUNT [systems and questions]`` prints one line for each answer that depends on what was
asked before. A process that has been asked nothing is a child of one that has loaded the modules and moved a system of its own.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import nonholo as nh

PAIR = "(xdot**2 + 2*xdot*ydot + (1+e)*ydot**2)/2 - x**2/2 - k*y**2"
BLADE = "ydot*cos(theta) - xdot*sin(theta)"
SLEIGH = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
SPEEDS = {"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"}


def pair(e: float) -> nh.System:
    return nh.System(
        name="pair", coordinates="x y", parameters={"e": e, "k": 0.7}, lagrangian=PAIR, start={"x": 1.0, "y": 0.3}, until=1.0
    )


def ties(e: float) -> nh.System:
    return nh.System(
        name="ties",
        coordinates="x y z",
        parameters={"e": e},
        lagrangian="(xdot**2 + 2*ydot**2 + zdot**2)/2 - x**2",
        constraints=["xdot - ydot", "xdot - ydot + e*zdot"],
        start={"x": 0.4, "xdot": 1.0},
        until=1.0,
    )


def sleigh(a: float, law: str = "") -> nh.System:
    words: dict[str, Any] = {"inputs": {"u": law}, "forces": {"theta": "u"}} if law else {}
    return nh.System(
        name="sleigh",
        coordinates="theta x y",
        parameters={"m": 1.3, "J": 0.7, "a": a},
        lagrangian=SLEIGH,
        constraints=[BLADE],
        quasivelocities=SPEEDS,
        start={"theta": 0.2, "omega": 1.3, "v": 0.5 + a},
        until=1.0,
        **words,
    )


def skate(c: float, s: float) -> nh.System:
    """A blade in a direction given by parameters, one of which may be zero: another pivot, and so other speeds."""
    return nh.System(
        name="skate",
        coordinates="x y",
        parameters={"c": c, "s": s, "g": 9.81},
        lagrangian="(xdot**2 + ydot**2)/2 - g*y",
        constraints=["s*xdot - c*ydot"],
        until=1.0,
    )


def chaplygin(n: float) -> nh.System:
    """A constraint whose slopes have a square root of a parameter: not real at the numbers that are drawn for it."""
    return nh.System(
        name="tilted",
        coordinates="x y z",
        parameters={"n": n},
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
        constraints=["zdot - sqrt(1/2 - n)*y*xdot"],
        start={"x": 0.1, "y": 0.3, "xdot": 1.0, "ydot": 0.2},
        until=1.0,
    )


def bead(r: float) -> nh.System:
    return nh.System(
        name="bead",
        coordinates="x y",
        parameters={"r": r, "g": 9.81},
        lagrangian="(xdot**2 + ydot**2)/2 - g*y",
        holonomic=["x**2 + y**2 - r**2"],
        start={"x": 0.6 * r, "y": -0.8 * r},
        until=0.5,
    )


SYSTEMS: dict[str, Callable[[], nh.System]] = {
    "pair 1e-12": lambda: pair(1e-12),
    "pair 1": lambda: pair(1.0),
    "pair 0": lambda: pair(0.0),
    "ties 0": lambda: ties(0.0),
    "ties 1": lambda: ties(1.0),
    "sleigh": lambda: sleigh(0.4),
    "balanced sleigh": lambda: sleigh(0.0),
    "driven sleigh": lambda: sleigh(0.4, "-omega/3"),
    "driven balanced sleigh": lambda: sleigh(0.0, "-omega/3"),
    "skate along x": lambda: skate(1.0, 0.0),
    "skate along y": lambda: skate(0.0, 1.0),
    "skate": lambda: skate(0.8, 0.6),
    "tilted": lambda: chaplygin(0.2),
    "bead 1": lambda: bead(1.0),
    "bead 3": lambda: bead(3.0),
}


def moved(system: nh.System, **words: Any) -> Any:
    run = nh.simulate(system, **words)
    return str(run.outcome), {n: run[n] for n in ("t", *run.final) if n == "t" or n in run.quantities}, run.final


QUESTIONS: dict[str, Callable[[nh.System], Any]] = {
    "check": nh.check,
    "simulate": moved,
    "multipliers": lambda s: moved(s, form="multipliers"),
    "other numbers": lambda s: moved(s, parameters={next(iter(s.parameters)): 0.35}),
    "prepare": lambda s: nh.prepare(s).rates(s.start),
    "hamel": lambda s: (lambda e: (e.mass, e.force))(nh.hamel(s)),
    "complete": lambda s: nh.complete_state(s, s.start),
    "reactions": lambda s: nh.reactions(s).at(nh.complete_state(s, s.start)),
    "classify": nh.classify,
    "integrals": nh.integrals,
    "verdict": nh.verdict,
    "reduce": lambda s: [str(f) for f in nh.reduce(s).findings],
    "equilibria": nh.equilibria,
    "relative equilibria": nh.relative_equilibria,
    "stability": lambda s: nh.stability(s, nh.complete_state(s, {c: s.start.get(c, 0.0) for c in s.coordinates})),
    "linearise": lambda s: nh.linearise(s, s.start),
    "comoving": lambda s: nh.linearise(s, s.start, comoving=True),
    "measure": nh.measure,
    "ensemble": lambda s: nh.ensemble(s, [dict(s.start)] * 2, s.until),
    "export": lambda s: nh.export(s, "c"),
}


def bits(answer: Any) -> Any:
    """An answer as plain data that is equal only where every bit is."""
    if isinstance(answer, float):
        return answer.hex()
    if isinstance(answer, np.ndarray):
        return answer.shape, hashlib.sha256(np.ascontiguousarray(answer).tobytes()).hexdigest()
    if hasattr(answer, "data_vars"):
        return [(str(n), bits(np.asarray(answer[n]))) for n in answer.variables]
    if isinstance(answer, Mapping):
        return [(str(k), bits(v)) for k, v in answer.items()]
    if isinstance(answer, list | tuple):
        return [bits(e) for e in answer]
    if is_dataclass(answer) and not isinstance(answer, nh.System):
        return [(f.name, bits(getattr(answer, f.name))) for f in fields(answer) if not f.name.startswith("_")]
    return f"{type(answer).__name__} {str(answer) if 'object at 0x' not in str(answer) else ''}"


def answered(system: str, question: str) -> Any:
    try:
        return bits(QUESTIONS[question](SYSTEMS[system]()))
    except nh.NonholoError as refusal:
        return f"{type(refusal).__name__}: {refusal}"


def in_child(work: Callable[[], Any]) -> Any:
    """What work gives in a process that is forked for it."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as out:
            pickle.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as found:
        content = found.read()
    os.waitpid(child, 0)
    return pickle.loads(content)


def main() -> int:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    words = sys.argv[3:]
    wanted = [q for q in QUESTIONS if q in words] or list(QUESTIONS)
    systems = [s for s in SYSTEMS if s in words] or list(SYSTEMS)
    warm = nh.System(name="warm", coordinates="w", lagrangian="wdot**2/2 - w**2", start={"w": 1.0}, until=0.1)
    nh.simulate(warm), nh.check(warm), nh.verdict(warm)
    every = [(s, q) for s in systems for q in wanted]
    fresh = {one: in_child(lambda one=one: answered(*one)) for one in every}
    wrong = 0
    for k in range(count):
        order = random.Random(seed + k).sample(every, len(every))
        for one, found in zip(order, in_child(lambda order=order: [answered(*o) for o in order])):
            if found != fresh[one]:
                wrong += 1
                print(f"seed {seed + k}: {one}: {str(found)[:300]} but alone {str(fresh[one])[:300]}")
    print(f"{len(every)} questions, {count} orders, {wrong} answers differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
