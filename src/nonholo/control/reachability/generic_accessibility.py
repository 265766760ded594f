"""Accessibility at almost every state: the growth of brackets at a random state modulo a prime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nonholo.algebra.prime.modular_arithmetic import OTHER, P
from nonholo.algebra.prime.power_series import pair_count
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.field_jets import FieldJets, numeric_place, random_place, state_place
from nonholo.control.reachability.linear_tests import relation_rank
from nonholo.errors import ModelError
from nonholo.finding import Finding
from nonholo.finding.sentences import Verdict
from nonholo.finding.statements import Evidence, Exact, Measured, Proved, Reason
from nonholo.geometry.distributions.lie_words import Growth, LieWords, generic_growth, growth_at
from nonholo.geometry.distributions.random_configurations import NoPoints

DEGREES = (3, 5, 7, 9)
"""Series are taken to these degrees, one after the other, until the brackets decide."""
REDUCTIONS = 5
"""The degree of the series in which kinematic reductions are sought."""
PAIRS = 150_000
"""Products of series with more pairs of terms than this are not taken."""
Stuck = (NoPoints, Unsupported, ValueError, ZeroDivisionError)
"""Why fields have no series at a place."""


@dataclass(frozen=True, eq=False)
class Generic:
    """What holds at almost every state."""

    accessible: bool | None
    dimension: int
    growth: Growth | None
    words: LieWords | None
    findings: tuple[Finding, ...]
    rest: LieWords | None = None
    """At rest at a generic configuration."""


def field_names(control: ControlAffine) -> list[str]:
    """``f, g1, g2 …``."""
    return ["f", *(f"g{k}" for k in range(1, len(control.inputs) + 1))]


def degrees(control: ControlAffine) -> Iterator[int]:
    """Degrees of series in the variables that the fields depend on, while products are affordable."""
    used = {s for part in (*control.mass, *control.kinematics, *control.forces) for e in part for s in e.free_symbols}
    variables = len(used & set(control.state))
    for degree in DEGREES:
        if degree == DEGREES[0] or pair_count(variables, degree) <= PAIRS:
            yield degree


def generic_test(control: ControlAffine, values: Mapping[str, float], full: Mapping[str, float] | None = None) -> Generic:
    """The growth of brackets at a random state modulo a prime; a rank that is too small is confirmed with another prime.

    Where no random configuration solves the holonomic constraints, the one asked about (else the origin) is taken with random
    speeds: brackets that span at one state span at almost every state that is joined to it, since the fields are analytic.
    """
    best: tuple[Growth, LieWords] | None = None
    dimension, at = len(control.state), ""
    try:
        for p in (P, OTHER):
            for degree in degrees(control):
                place = random_place(control, values, rest=False, p=p)
                words = LieWords(FieldJets(control, place, degree))
                dimension = len(control.state) - relation_rank(control, place)
                growth = generic_growth(words, dimension)
                if best is None or growth.rank > best[0].rank or (growth.complete and not best[0].complete):
                    best = growth, words
                if growth.complete:
                    break
            if best is not None and best[0].rank == dimension:
                break
    except Stuck as problem:
        if best is None:
            best = _on_known_configuration(control, values, full)
            if best is None:
                data = told.Accessible(Where.GENERIC, dimension, ())
                return Generic(None, dimension, None, None, (Finding(data, "unknown", None, Reason(str(problem))),))
            dimension, at = best[0].rank, " at one configuration, and the fields are analytic"
    if best is None:
        raise ModelError(f"{control.system.name}: no state variables to steer.")
    growth, words = best
    accessible = True if growth.rank == dimension else False if growth.complete else None
    names = field_names(control)
    texts = tuple(words.bracket(w, names) for w in growth.basis)
    data = told.Accessible(Where.GENERIC, dimension, growth.dimensions, texts)
    why = evidence(control, words, Where.GENERIC, f"rank of brackets modulo a prime{at}; Chow, Sussmann–Jurdjevic", not at)
    if accessible is None:
        why = Reason(f"brackets of more than {len(growth.dimensions)} fields were not taken")
    elif not is_exact(words):
        why = Measured("rank of brackets modulo a prime, with random numbers for functions such as logarithms")
        if accessible and not _spans_in_numbers(control, values, dimension):  # such numbers know no relation between them
            accessible, why = None, Reason("brackets span with random numbers for functions, but not in floating numbers")
    verdict = verdict_of(accessible)
    rest = None
    if control.reading == "dynamic":
        try:
            degree = max(d for d in degrees(control) if d <= REDUCTIONS)
            rest = LieWords(FieldJets(control, random_place(control, values, rest=True), degree))
        except Stuck:
            rest = None
    return Generic(accessible, dimension, growth, words, (Finding(data, verdict, None, why),), rest)


def _on_known_configuration(
    control: ControlAffine, values: Mapping[str, float], full: Mapping[str, float] | None
) -> tuple[Growth, LieWords] | None:
    """Brackets that span where the constrained coordinates are those asked about and everything else is random; else None."""
    home = full or dict(zip(control.system.coordinates, (float(h) for h in control.system.frame.home)))
    bent = {str(v) for e in control.relations for v in e.free_symbols} & set(map(str, control.coordinates))
    try:
        place = state_place(control, {n: home.get(n, 0.0) for n in sorted(bent)}, values)
        dimension = len(control.state) - relation_rank(control, place)
        for degree in degrees(control):
            words = LieWords(FieldJets(control, place, degree))
            growth = growth_at(words, dimension)
            if growth.rank == dimension:
                return growth, words
    except Stuck:
        pass
    return None


def _spans_in_numbers(control: ControlAffine, values: Mapping[str, float], dimension: int) -> bool:
    """Whether brackets span at a random state in floating numbers."""
    try:
        place = numeric_place(control, values, rest=False)
        return any(growth_at(LieWords(FieldJets(control, place, d)), dimension).rank == dimension for d in degrees(control))
    except Stuck:
        return False


def is_exact(words: LieWords) -> bool:
    return isinstance(words.jets, FieldJets) and words.jets.exact


def exactly(words: LieWords, text: str) -> Evidence:
    """Exact where the fields are, else measured."""
    if is_exact(words):
        return Exact(text)
    return Measured(text if words.p else f"{text}, in floating numbers" if text else "in floating numbers")


def evidence(control: ControlAffine, words: LieWords, where: Where, text: str, certified: bool = True) -> Evidence:
    """Proved where a certificate can be written: of exact brackets at almost every state."""
    provable = certified and where is Where.GENERIC and control.certified and is_exact(words)
    return Proved(text) if provable else exactly(words, text)


def verdict_of(answer: bool | None) -> Verdict:
    verdicts: dict[bool | None, Verdict] = {True: "holds", False: "fails", None: "unknown"}
    return verdicts[answer]
