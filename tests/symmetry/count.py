"""Counted on all plain systems: what reduces, what is found, what is false: ``python -m tests.symmetry.count [2/3]``.

One line for each system, then the sums. The motions are compared with the full ones, the integrals with what is known, and every
claim is followed along motions by multipliers, with other parameters too where it says so.
"""

from __future__ import annotations

import sys

import numpy as np

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.finding import FirstIntegral, is_energy
from nonholo.notation.read import expression
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from tests.symmetry import test_integrals_plain as known
from tests.symmetry import test_reduce_plain as reduced
from tests.symmetry.plain_systems import CASES, Case

SAME = 1e-9
HEAD = "system\treduces\tgap\tknown\tfound\tclaims\tfalse"


def gap_of(name: str, system: nh.System, parameters: dict[str, float]) -> float | None:
    """The largest relative distance of the reduced and reconstructed motion from the full one; None where it does not reduce."""
    try:
        reduction = nh.reduce(system)
    except nh.ModelError:
        return None
    if name in reduced.GROUPS:
        return float(reduced.largest_gap(system, reduction, reduced.STARTS.get(name), reduced.UNTIL.get(name, 3.0)))
    state = next(iter(random_states(system, parameters, 1, seed=5)))
    start = {n: state.values[n] for n in (*system.coordinates, *system.velocities)}
    inputs = dict.fromkeys(system.inputs, 0.3) or None
    return float(reduced.largest_gap(system, reduction, start, 0.5, parameters, inputs))


def found_of(name: str, case: Case, system: nh.System, parameters: dict[str, float]) -> tuple[int, int]:
    """How many integrals are known, and how many of these are found."""
    claims = known.claimed(name)
    spots = known.places(name, parameters, 150)
    columns = [known.values(f.expression, spots) for f in claims if not isinstance(f.expression, NumericMomentum)]
    names = sorted({*system.coordinates, *system.velocities, *system.parameters})
    texts = (*case.known, *case.special)
    count = sum(known.distance(columns, known.values(expression(t, names, t), spots)) < SAME for t in texts)
    linear = sum("momentum" in f.method for f in claims)
    energy = bool(claims) and is_energy(claims[0])
    return len(texts) + case.momenta + case.energy, count + min(linear, case.momenta) + (energy and case.energy)


def false_of(name: str, system: nh.System, parameters: dict[str, float]) -> tuple[int, int]:
    """How many claims are made, and how many drift along a motion by multipliers."""
    claims = known.claimed(name)
    factors = np.random.default_rng(7).uniform(0.7, 1.4, len(parameters))
    other = {n: v * f for (n, v), f in zip(parameters.items(), factors)}
    wrong = set()
    for values in (parameters, other):
        state = next(iter(random_states(system, values, 1, seed=17))).values
        start = {n: state[n] for n in (*system.coordinates, *system.velocities)}
        run = nh.simulate(system, start, 0.7, values, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers")
        for k, f in enumerate(claims):
            if values is other and isinstance(f.data, FirstIntegral) and f.data.when.values:
                continue
            if isinstance(f.expression, NumericMomentum) and known._elsewhere(f.expression, run):
                continue
            if not f.drift(run) < SAME:
                wrong.add(k)
    return len(claims), len(wrong)


def main(words: list[str]) -> int:
    """Lines and sums."""
    part, of = map(int, (words[0] if words else "1/1").split("/"))
    print(HEAD)
    names = [*known.FILES, *CASES, *(n for n in (*reduced.GROUPS, *reduced.REFUSED) if n not in known.FILES)]
    for name in names[part - 1 :: of]:
        listed = name in known.FILES or name in CASES
        system = known.system_of(name) if listed else nh.load(reduced.PLAIN / f"{name}.toml")
        parameters = run_parameters(system, known.case_of(name).parameters or None if listed else None)
        gap = gap_of(name, system, parameters)
        case = known.case_of(name) if listed else None
        have = found_of(name, case, system, parameters) if case is not None else (0, 0)
        claims = false_of(name, system, parameters) if case is not None else (0, 0)
        shown = "-" if gap is None else f"{gap:.0e}"
        print(f"{name}\t{gap is not None}\t{shown}\t{have[0]}\t{have[1]}\t{claims[0]}\t{claims[1]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
