"""Counted on the systems of the outside examiner: ``python -m tests.symmetry.count_examined [names]``.

One line for each system: whether it is reduced as it should and how far that motion is from the full one, how many integrals are
known and found, how many claims are made and drift, measure and conclusion against what is known, processor seconds of `verdict`.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.finding import Finding, is_energy
from nonholo.finding.answer import kind_name
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.read import expression
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from tests.symmetry.exam import Exam
from tests.symmetry.examined import EXAMS
from tests.symmetry.test_integrals_plain import _elsewhere, distance, values

SAME = 1e-9
HEAD = "| system | reduced, gap | known, found | claims, false | measure | result | s |\n|---|---|---|---|---|---|---|"


def begin(system: nh.System, exam: Exam, parameters: dict[str, float], seed: int) -> dict[str, float]:
    if exam.start:
        return dict(exam.start)
    state = next(iter(random_states(system, parameters, 1, seed=seed))).values
    return {n: state[n] for n in (*system.coordinates, *system.velocities)}


def gap_of(system: nh.System, exam: Exam) -> str:
    """How far the reduced and reconstructed motion is from the full one."""
    try:
        reduction = nh.reduce(system)
    except nh.NonholoError:
        return "refused" if exam.group else "–"
    start = begin(system, exam, run_parameters(system, None), 5)
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 21}
    full, found = nh.simulate(system, start, 1.0, **call), reduction.simulate(start, 1.0, **call)
    names = (*system.coordinates, *system.velocities, "energy")
    gap = max(np.max(np.abs(found[n] - full[n])) / (1 + np.max(np.abs(full[n]))) for n in names)
    return f"{len(reduction.group.names)}, {gap:.0e}"


def integrals_of(system: nh.System, exam: Exam) -> tuple[str, str]:
    """Known and found; claimed and false."""
    own = run_parameters(system, None)
    claims = [f for f in nh.integrals(system) if f and f.expression is not None]
    linear = constraint_rows(system).linear
    factors = np.random.default_rng(7).uniform(0.7, 1.4, len(own))
    other = {n: e * f for (n, e), f in zip(own.items(), factors)}
    false = set()
    for parameters in (own, other) if linear else (own,):
        start = begin(system, exam, parameters, 17)
        run = nh.simulate(system, start, 0.9, parameters, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers")
        for k, f in enumerate(claims):
            numeric = isinstance(f.expression, NumericMomentum)
            if not (numeric and _elsewhere(f.expression, run)) and not f.drift(run) < SAME:
                false.add(k)
    found = int(exam.energy and bool(claims) and is_energy(claims[0]))
    found += min(exam.momenta, sum("momentum" in f.method for f in claims))
    names = sorted({*system.coordinates, *system.velocities, *system.parameters, "t"})
    random = np.random.default_rng(3)
    spots = [{**s.parameters, **s.values} for s in random_states(system, own, 150, seed=31)] if exam.known else []
    spots = [s if "t" in s else {**s, "t": float(random.uniform(0, 2))} for s in spots]
    columns = [values(f.expression, spots) for f in claims if not isinstance(f.expression, NumericMomentum)]
    for text in exam.known:
        known = Finding(text, "holds", expression=expression(text, names, text))
        found += bool(columns) and distance(columns, values(known.expression, spots)) < SAME
    return f"{len(exam.known) + exam.momenta + exam.energy}, {found}", f"{len(claims)}, {len(false)}"


def line(name: str, exam: Exam) -> str:
    """One row of the table."""
    system = exam.system(name)
    before = time.process_time()
    judged = nh.verdict(system)
    seconds = time.process_time() - before
    measure = nh.measure(system)
    told = {"holds": "proved", "fails": "proved absent", "unknown": "open"}[measure.verdict]
    told += "" if not exam.measure or measure.verdict == exam.measure else " (**known**)"
    so = kind_name(judged.decision)
    so += " (**known to be integrable**)" if exam.integrable and "integrable" not in so else ""
    cells = (name, gap_of(system, exam), *integrals_of(system, exam), told, so, f"{seconds:.1f}")
    return f"| {' | '.join(cells)} |"


def main(words: list[str]) -> int:
    print(HEAD)
    for name, exam in EXAMS.items():
        if words and not any(w in name for w in words):
            continue
        try:
            print(line(name, exam), flush=True)
        except Exception as problem:  # an examiner counts tracebacks too
            print(f"| {name} | {type(problem).__name__}: {str(problem)[:80]} | | | | | |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
