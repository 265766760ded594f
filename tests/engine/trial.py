"""One case: a system by its recipe, questions in random order, and what is wrong with the answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from traceback import extract_tb
from typing import Any

import numpy as np
import symengine as se
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.finding import Density, Measure, Symmetries
from tests.engine import embeddings  # noqa: F401  (registers its changes)
from tests.engine.algebras import random_algebra
from tests.engine.bodies import BODIES, SEQUENCES, body
from tests.engine.chance import lagrangian
from tests.engine.changes import CHANGES, product
from tests.engine.dynamics import Dynamics
from tests.engine.known import MAKERS
from tests.engine.record import Known

SECONDS = 10.0
"""No answer may take more processor time."""
WEIGHTS = {
    "symmetry": 0.8,
    "measure": 0.8,
    "integrals": 0.3,
    "verdict": 0.1,
    "spectrum": 0.6,
    "check": 0.15,
    "motion": 0.2,
    "reduce": 0.15,
}
"""How often a question is asked."""
QUICK = {
    **WEIGHTS,
    "symmetry": 0.6,
    "measure": 0.4,
    "integrals": 0.08,
    "verdict": 0.03,
    "motion": 0.05,
    "check": 0.08,
    "reduce": 0.08,
}
"""How often in the tests of every day."""
GENTLE = ("constraints combined", "gauge term", "opposite angle", "rename", "reorder", "scale", "time unit")
"""Changes of bodies in charts, whose formulas are long as it is."""
FALSE = 1e-6
"""A claim that is off by more is false; rounding of the engine's own numbers is below 1e-8."""


@dataclass(frozen=True)
class Wrong:
    """A false claim, a refusal or a wait: which question, and what is wrong with its answer."""

    question: str
    words: str

    def __str__(self) -> str:
        return f"{self.question}: {self.words}"


@dataclass
class Tally:
    """What a case showed: what is wrong, and how much of what is known was found, by kind."""

    wrong: list[Wrong] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def fault(self, question: str, words: str) -> None:
        self.wrong.append(Wrong(question, words))

    def known(self, kind: str, found: bool) -> None:
        self.counts[f"{kind} known"] += 1
        self.counts[f"{kind} found"] += int(found)


def make(chance: Random, weights: dict[str, float] = WEIGHTS) -> dict[str, Any]:
    """A recipe, which JSON can hold."""
    kind = chance.random()
    if kind < 0.12:
        return {"algebra": chance.randrange(10**6)}
    if kind < 0.19:
        bases, changes = [f"{chance.choice(sorted(BODIES))} / {chance.choice([*SEQUENCES, 'quaternion'])}"], GENTLE
    else:
        bases, changes = [_base(chance) for _ in range(2 if chance.random() < 0.1 else 1)], tuple(sorted(CHANGES))  # type: ignore[assignment]
    steps = [[chance.choice(changes), chance.randrange(10**6)] for _ in range(chance.choice([1, 1, 2, 2, 3]))]
    asked = [q for q, weight in weights.items() if chance.random() < weight]
    return {"bases": bases, "changes": steps, "questions": chance.sample(asked, len(asked))}


def _base(chance: Random) -> str:
    return f"chance {chance.randrange(10**6)}" if chance.random() < 0.3 else chance.choice(sorted(MAKERS))


def built(case: dict[str, Any]) -> Known:
    """The system of a recipe; changes that cannot be made of it are left out."""
    made = [_made(b) for b in case["bases"]]
    one = made[0] if len(made) == 1 else product(made[0], made[1])
    for name, seed in case["changes"]:
        one = CHANGES[name].make(one, Random(seed)) or one
    return one


def _made(base: str) -> Known:
    name, _, chart = base.partition(" / ")
    if chart:
        return body(name, chart)
    return lagrangian(Random(base)) if base.startswith("chance ") else MAKERS[base]()


@cache
def _warm() -> None:
    """Machine code of the loops is no part of an answer."""
    nh.simulate(nh.System(coordinates="x", lagrangian="xdot**2/2"), {"xdot": 1.0}, 0.1)


def tried(case: dict[str, Any]) -> Tally:
    """Ask everything, in the order of the recipe."""
    _warm()
    tally = Tally()
    if "algebra" in case:
        _algebra(case, tally)
        return tally
    one = built(case)
    system = one.system()
    dynamics = Dynamics(one)
    seed = int(sum(map(ord, str(case)))) + 1
    states = dynamics.states(4, seed)
    _sound(one, dynamics, states)
    for question in case["questions"]:
        begun = process_time()
        try:
            QUESTIONS[question](one, system, dynamics, states, tally)
        except nh.NonholoError as problem:
            tally.fault(question, f"refused: {str(problem)[:200]}")
        except Exception as problem:
            last = extract_tb(problem.__traceback__)[-1]
            tally.fault(
                question, f"{type(problem).__name__}: {str(problem)[:200]} ({Path(last.filename).name}:{last.lineno})"
            )
        spent = process_time() - begun
        if spent > SECONDS:
            tally.fault(question, f"takes {spent:.1f} s")
        tally.counts[f"{question} asked"] += 1
    return tally


def _sound(one: Known, dynamics: Dynamics, states: list[Any]) -> None:
    """The engine's own truths, tested by its own equations: a change that spoils them is a fault of the engine."""
    for e in one.integrals:
        assert dynamics.drift_of(e, states) < FALSE, f"engine: {e} is no integral of {one}"
    for f in one.symmetries:
        assert dynamics.departure(f, states[:2]) < 1e-4, f"engine: {f} is no symmetry of {one}"


def _algebra(case: dict[str, Any], tally: Tally) -> None:
    one = random_algebra(Random(case["algebra"]))
    system = one.system()
    finding = nh.measure(system)
    tally.counts["measure asked"] += 1
    tally.known("measure", finding.proved)
    if finding.proved and bool(finding) != one.kept:
        tally.fault("measure", f"called {finding.verdict} (proved), the divergence is {one.divergence()}")


Question = Callable[[Known, nh.System, Dynamics, list[Any], Tally], None]
QUESTIONS: dict[str, Question] = {}


def question(name: str) -> Callable[[Question], Question]:
    def register(ask: Question) -> Question:
        QUESTIONS[name] = ask
        return ask

    return register


@question("symmetry")
def _symmetry(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    from nonholo.symmetry.exact.gauge_terms import freest
    from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
    from nonholo.symmetry.group.shift_turn_algebra import decided_algebra

    try:
        motion = motion_of(freest(system))
    except NoPoints:
        return
    found = decided_algebra(motion).fields
    fields = [tuple(motion.restored(e) for e in f) for f in found.values()]
    for name, f in zip(found, fields):
        off = dynamics.departure(f, states[:2])
        if off > 1e-4:
            tally.fault("symmetry", f"{name} is called a symmetry, and is off by {off:.1e}")
    matrix = np.array([_along(dynamics, f, states) for f in fields])
    for f in one.symmetries:
        more = np.array([*matrix, _along(dynamics, f, states)])
        tally.known(
            "symmetry", len(fields) > 0 and np.linalg.matrix_rank(more, 1e-9) == np.linalg.matrix_rank(matrix, 1e-9)
        )


def _along(dynamics: Dynamics, field: tuple[Any, ...], states: list[Any]) -> Any:
    """The values of a field at several states: a field is known by them."""
    return np.concatenate([dynamics.function(list(field))(row) for row in states])


@question("measure")
def _measure(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    finding = nh.measure(system)
    timed = isinstance(finding.data, Measure) and finding.data.density is Density.TIME  # no claim on the configuration
    if one.measure and not timed:
        tally.known("measure", finding.proved and finding.verdict == one.measure)
        if finding.proved and finding.verdict != one.measure:
            tally.fault("measure", f"called {finding.verdict} (proved), it {one.measure}")
    if finding.proved and finding and finding.expression is not None and not one.holonomic:
        speeds = finding.data.speeds if isinstance(finding.data, Measure) else ()
        off = _unbalanced(system, dynamics, finding.expression, states[:2], speeds)
        if off > 1e-5:
            tally.fault("measure", f"the density {finding.expression} is not preserved, by {off:.1e}")


def _unbalanced(
    system: nh.System, dynamics: Dynamics, density: Any, states: list[Any], speeds: tuple[str, ...] = ()
) -> float:
    """``d(ln f)/dt + div`` of the flow in coordinates and speeds, by differences of the engine's own accelerations."""
    from nonholo.model.velocities.admissible import admissible

    n, names = dynamics.n, speeds or tuple(map(str, admissible(system).speeds))
    rates = [str(v) for v in dynamics.known.v]
    free = [n + rates.index(s) for s in names]
    log = dynamics.function([se.log(density * density) / 2])
    bound = [k for k in range(n, 2 * n) if k not in free]

    def flow(x: Any) -> Any:
        """The field at coordinates and free speeds; the other velocities follow from the constraints."""
        row = states[0].copy()
        row[-1] = time
        row[:n], row[free] = x[:n], x[n:]
        for _ in range(20):
            gap = dynamics._held(row)
            if not len(gap) or np.max(np.abs(gap)) < 1e-14:
                break
            slopes = dynamics._slopes(row).reshape(len(gap), n)[:, [k - n for k in bound]]
            row[bound] -= np.linalg.solve(slopes, gap)
        rate = dynamics.field(row)
        return row, np.concatenate([rate[:n], rate[free]])

    worst = 0.0
    for state in states:
        time = state[-1]
        x = np.concatenate([state[:n], state[free]])
        _, rate = flow(x)

        def balance(h: float, x: Any = x, rate: Any = rate, time: float = time) -> Any:
            """``d(ln f)/dt`` and the divergence by differences over ``h``."""
            divergence = sum((flow(x + h * e)[1] - flow(x - h * e)[1])[k] / (2 * h) for k, e in enumerate(np.eye(len(x))))
            ahead, behind = flow(x + h * rate)[0], flow(x - h * rate)[0]
            ahead[-1], behind[-1] = time + h, time - h
            return np.array([float((log(ahead) - log(behind))[0]) / (2 * h), float(divergence)])

        coarse, change_and_divergence = ((4 * balance(h / 2) - balance(h)) / 3 for h in (1e-4, 5e-5))
        change, divergence = change_and_divergence
        blur = 10 * float(np.max(np.abs(coarse - change_and_divergence)))  # near a pole of the density differences tell little
        worst = max(worst, (abs(change + divergence) - blur) / (1 + abs(change) + abs(divergence)))
    return worst


@question("integrals")
def _integrals(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    claims = [f for f in nh.integrals(system) if f and hasattr(f.expression, "free_symbols")]
    for f in claims:
        off = dynamics.drift_of(f.expression, states)
        if off > FALSE:
            tally.fault("integrals", f"{f.expression} is called constant (proved: {f.proved}), and is off by {off:.1e}")
    found = [f.expression for f in claims]
    point = states[0]
    size = dynamics.rank(found, point)
    for e in one.integrals:
        tally.known("integral", dynamics.rank([*found, e], point) == size)
    if one.most is not None and size > one.most and not any("t" in {str(s) for s in e.free_symbols} for e in found):
        tally.fault(
            "integrals",
            f"{size} are called constant and independent, where a motion is dense on a torus that leaves {one.most}",
        )


@question("verdict")
def _verdict(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    judged = nh.verdict(system)
    assert str(judged)
    for finding in judged.findings:
        none = isinstance(finding.data, Symmetries) and finding.proved and finding.verdict == "fails"
        if none and any(elementary(one, f) for f in one.symmetries):
            tally.fault("verdict", "no symmetry (proved), and there is one")


def elementary(one: Known, field: tuple[Any, ...]) -> bool:
    """Whether a field is a combination of shifts and turns of pairs with numbers."""
    slopes = [[e.diff(q) for q in one.q] for e in field]
    flat = [e for row in slopes for e in row]
    if any(se.sympify(e).free_symbols for e in flat):
        return False
    rest = [se.expand(e - se.Add(*(s * q for s, q in zip(row, one.q)))) for e, row in zip(field, slopes)]
    if any(e.free_symbols for e in rest):
        return False
    return all(se.expand(slopes[i][j] + slopes[j][i]) == 0 for i in range(len(field)) for j in range(len(field)))


@question("spectrum")
def _spectrum(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    if one.equilibrium is None or one.spectrum is None:
        return
    values = nh.linearise(system, about=dict(one.equilibrium)).eigenvalues
    tally.known("spectrum", True)
    left = [complex(v) for v in values]
    for e in one.spectrum:
        nearest = min(left, key=lambda v: abs(v - e), default=None)
        if nearest is None or abs(nearest - e) > 1e-5 * (1 + abs(e)):
            tally.fault("spectrum", f"{e} is missing in {values}")
            return
        left.remove(nearest)
    if any(abs(v) > 1e-4 for v in left):
        tally.fault("spectrum", f"{left} beside {one.spectrum}")


@question("check")
def _check(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    for f in nh.check(system):
        if f.verdict == "fails":
            tally.fault("check", f"{f}")


@question("motion")
def _motion(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    names = [*one.coordinates, *(f"{c}dot" for c in one.coordinates)]
    start = _at_zero(dynamics, states[0])
    moved = solve_ivp(
        lambda t, y: dynamics.field(np.array([*y, t]))[:-1], (0.0, 0.3), start, "DOP853", rtol=1e-9, atol=1e-11
    )
    if not moved.success:
        return
    run = nh.simulate(system, dict(zip(names, start)), 0.3, rtol=1e-10, atol=1e-12)
    if run.outcome != "reached":
        return
    for k, name in enumerate(one.coordinates):
        off = abs(float(run.final[name]) - moved.y[k, -1]) / (1 + abs(moved.y[k, -1]))
        if off > 1e-6:
            tally.fault("motion", f"{name} is {run.final[name]}, not {moved.y[k, -1]}")
            return


def _at_zero(dynamics: Dynamics, row: Any) -> Any:
    """The same state at t = 0, put back on constraints that depend on time."""
    start = row.copy()
    start[-1] = 0.0
    dynamics._placed(start)
    return start[:-1]


@question("reduce")
def _reduce(one: Known, system: nh.System, dynamics: Dynamics, states: list[Any], tally: Tally) -> None:
    try:
        group = nh.reduce(system).group
    except nh.NonholoError:
        return
    for name, f in zip(group.names, group.on_coordinates):
        if len(f) == len(one.coordinates):
            off = dynamics.departure(tuple(f), states[:2])
            if off > 1e-4:
                tally.fault("reduce", f"{name} is called a symmetry, and is off by {off:.1e}")


def run(case: dict[str, Any], place: Path) -> None:
    """As the fuzzers ask: an AssertionError where something is wrong."""
    wrong = tried(case).wrong
    if wrong:
        raise AssertionError("; ".join(map(str, wrong)))


def written(case: dict[str, Any], seed: int, number: int, wrong: str, folder: Path) -> Path:
    """A failure kept as a system that anybody can load, with its recipe."""
    from nonholo.model.files.toml_files import dumps

    system = random_algebra(Random(case["algebra"])).system() if "algebra" in case else built(case).system()
    head = [f"seed {seed}, number {number}", f"recipe {json.dumps(case)}", *wrong.splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"systems-{seed}-{number}.toml"
    path.write_text("".join(f"# {line}\n" for line in head) + dumps(system), "utf-8")
    return path
