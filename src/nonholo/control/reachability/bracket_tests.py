"""Accessibility and small-time local controllability by brackets at the state asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.algebra.prime.modular_arithmetic import null_space
from nonholo.algebra.prime.power_series import Coefficients, NumericPlace, Place
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.control_affine import ControlAffine, control_affine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.field_jets import (
    FieldJets,
    numeric_place,
    random_place,
    state_place,
)
from nonholo.control.reachability.generic_accessibility import (
    DEGREES,
    Generic,
    Stuck,
    degrees,
    evidence,
    exactly,
    field_names,
    is_exact,
    verdict_of,
)
from nonholo.control.reachability.kinematic_reductions import Mixture, kinematic_reductions
from nonholo.control.reachability.linear_tests import (
    LinearTest,
    brockett,
    exact_test,
    linear_velocities,
    relation_rank,
)
from nonholo.control.reachability.sussmann import (
    Neutralised,
    Obstruction,
    definite_obstruction,
    neutralised,
    quadratic_obstruction,
)
from nonholo.finding import Finding
from nonholo.finding.statements import Evidence, Measured, Reason
from nonholo.geometry.distributions.lie_words import (
    Growth,
    LieWords,
    Span,
    TooManyBrackets,
    Word,
    growth_at,
)


@dataclass(frozen=True, eq=False)
class AtState:
    """What holds at the state asked about."""

    where: Where
    accessible: bool | None
    verdict: bool | None
    dimension: int
    linear: LinearTest | None
    findings: tuple[Finding, ...]
    words: LieWords | None = None
    growth: Growth | None = None
    inputs: tuple[float, ...] = field(default=())
    """Constant inputs that hold the state, where they are known in numbers."""

    def held(self, control: ControlAffine) -> dict[str, float]:
        return dict(zip(map(str, control.inputs), self.inputs))


class _Case:
    """One question at one state: series are made to the degree that is needed."""

    def __init__(self, control: ControlAffine, values: Mapping[str, float], full: Mapping[str, float] | None) -> None:
        self.control, self.values, self.full = control, values, full
        self.numeric = False
        self._place: Place | None = None

    def place(self) -> Place:
        if self._place is None:
            self._place = self._made()
        return self._place

    def _made(self) -> Place:
        if self.full is None:
            place = random_place(self.control, self.values, rest=True)
            exact = FieldJets(self.control, place, DEGREES[0]).exact
            return place if exact or self.control.relations else numeric_place(self.control, self.values, rest=True)
        if not self.numeric:
            try:
                place = state_place(self.control, self.full, self.values)
                if FieldJets(self.control, place, 0).exact:  # else random numbers would stand for logarithms there
                    return place
                self.numeric = True
            except Stuck:
                self.numeric = True
        return NumericPlace({symbol(n): e for n, e in {**self.values, **self.full}.items()})

    def words(self, degree: int) -> tuple[LieWords, tuple[float, ...] | None]:
        """Brackets to a degree with constant inputs that hold the state, and these; None where there are none."""
        words = LieWords(FieldJets(self.control, self.place(), degree))
        held = _holding(words)
        return (words, None) if held is None else (_shifted(words, held[0]), held[1])


def _holding(words: LieWords) -> tuple[Coefficients, tuple[float, ...]] | None:
    """Constant inputs ``ū`` with ``f + Σ ū_i g_i = 0`` at the state, and their values where these are numbers; or None."""
    first, count = words.fields[0][:, 0], words.count - 1
    if not np.any(first):
        return np.zeros(count, dtype=words.fields.dtype), (0.0,) * count
    columns = [words.fields[k][:, 0] for k in range(1, words.count)]
    span = Span(words.dimension, words.p)
    span.add(columns)
    if first not in span:
        return None
    if not words.p:
        found = np.linalg.lstsq(np.array(columns).T, -first, rcond=None)[0]
        return found, tuple(map(float, found))
    vectors = dict(null_space(np.array([*columns, first], dtype=np.int64).T, words.p))
    return (vectors[count][:count] % words.p, ()) if count in vectors else None


def _shifted(words: LieWords, inputs: Coefficients) -> LieWords:
    """The same fields with the constant inputs in the drift."""
    ring, drift = words.jets.ring, words.fields[0]
    for k, u in enumerate(inputs, 1):
        drift = ring.reduced(drift + ring.reduced(u * words.fields[k]))
    return LieWords(words.jets, drift)


def state_test(
    control: ControlAffine, values: Mapping[str, float], full: Mapping[str, float] | None, generic: Generic
) -> AtState:
    """Accessibility and local controllability at a state; without one, at rest at a generic configuration."""
    where = Where.STATE if full is not None else Where.REST if control.reading == "dynamic" else Where.GENERIC
    case = _Case(control, values, full)
    try:
        dimension = len(control.state) - relation_rank(control, case.place())
        words, held = case.words(DEGREES[0])
    except Stuck as problem:
        return _undecided(where, generic.dimension, f"no series of the fields there: {problem}")
    answer: AtState | None = None
    try:
        for degree in degrees(control):
            words, held = case.words(degree)
            answer = (_moving if held is None else _steady)(case, words, held or (), dimension, where, generic)
            if answer.verdict is not None and answer.accessible is not None:
                break
    except TooManyBrackets:
        pass
    return answer or _undecided(where, dimension, "there are too many brackets")


def _undecided(where: Where, dimension: int, why: str) -> AtState:
    return AtState(where, None, None, dimension, None, (Finding(told.LocallyControllable(where), "unknown", None, Reason(why)),))


def _access(
    case: _Case, words: LieWords, dimension: int, where: Where, generic: Generic
) -> tuple[Growth, bool | None, list[Finding]]:
    """The growth at the state, what it says, and the finding (none where the generic one says the same)."""
    growth = growth_at(words, dimension)
    answer: bool | None = True if growth.rank == dimension else None
    if generic.accessible is False:  # no state has more directions than almost every state
        answer = False
    if where is Where.GENERIC:
        return growth, generic.accessible, []
    texts = tuple(words.bracket(w, field_names(case.control)) for w in growth.basis)
    why = exactly(words, f"rank of brackets{' modulo a prime' if words.p else ''}")
    if answer is None:
        why = Reason(f"brackets of more than {len(growth.dimensions)} fields were not taken")
    elif answer is False:
        why = exactly(words, "no state has more directions than almost every state")
    return growth, answer, [Finding(told.Accessible(where, dimension, growth.dimensions, texts), verdict_of(answer), None, why)]


def _moving(
    case: _Case, words: LieWords, held: tuple[float, ...], dimension: int, where: Where, generic: Generic
) -> AtState:
    """A state that no constant inputs hold: every motion leaves it to one side."""
    growth, accessible, findings = _access(case, words, dimension, where, generic)
    findings.append(Finding(told.Moves(where), "holds", None, exactly(words, "f is not in the span of the input fields there")))
    if where is Where.STATE:
        why = exactly(words, "bounded inputs cannot undo the drift")
        findings.append(Finding(told.LocallyControllable(where), "fails", None, why))
        return AtState(where, accessible, False, dimension, None, tuple(findings), words, growth)
    if accessible is False:
        why = evidence(case.control, words, where, "it is not accessible")
        findings.append(Finding(told.LocallyControllable(where), "fails", None, why))
        return AtState(where, accessible, False, dimension, None, tuple(findings), words, growth)
    reason = Reason("almost no state is an equilibrium; give one, state={…}")
    findings.append(Finding(told.LocallyControllable(where), "unknown", None, reason))
    return AtState(where, accessible, None, dimension, None, tuple(findings), words, growth)


def _steady(
    case: _Case, words: LieWords, held: tuple[float, ...], dimension: int, where: Where, generic: Generic
) -> AtState:
    """An equilibrium under constant inputs."""
    control = case.control
    growth, accessible, findings = _access(case, words, dimension, where, generic)
    linear = exact_test(words, dimension, is_exact(words))
    verdict, more = _local(case, words, growth, linear, dimension, where, accessible, generic)
    findings += more
    smooth = True if linear else brockett(control, words, dimension, generic.rest or generic.words)
    why: Evidence = Reason("(A, B) loses rank")
    if smooth is not None:
        fact = "(A, B) has full rank" if smooth else "velocities or forces lie in a distribution of constant rank"
        why = evidence(control, words, where, fact, control.driftless)
    findings.append(Finding(told.SmoothStabiliser(where), verdict_of(smooth), None, why))
    findings += _reductions(case, generic)
    return AtState(where, accessible, verdict, dimension, linear, tuple(findings), words, growth, held)


def _local(
    case: _Case, words: LieWords, growth: Growth, linear: LinearTest, dimension: int, where: Where, accessible: bool | None,
    generic: Generic,
) -> tuple[bool | None, list[Finding]]:  # fmt: skip
    """Small-time local controllability: sufficient conditions first, then necessary ones."""
    data, control = told.LocallyControllable(where), case.control
    names = field_names(control)

    def answer(verdict: bool | None, text: str, *more: Finding) -> tuple[bool | None, list[Finding]]:
        sure = control.driftless or accessible is False
        why: Evidence = Reason(text) if verdict is None else evidence(control, words, where, text, sure)
        return verdict, [Finding(data, verdict_of(verdict), None, why), *more]

    if accessible is False:
        inside = generic.growth is not None and fully_actuated(case, words, generic.growth.rank)
        on_leaf = Finding(told.InsideLeaf(where), "holds", None, exactly(words, "every free speed has its input"))
        return answer(False, "it is not accessible", *([on_leaf] if inside else []))
    if linear:
        return answer(True, "the linearisation is controllable")
    if accessible is None and not is_exact(words):
        return answer(None, "whether brackets span is not decided")
    if not np.any(words.fields[0]) and growth.rank == dimension:
        return answer(True, "no drift, and the brackets span (Chow–Rashevskii)")
    if fully_actuated(case, words, dimension):
        return answer(True, "every free speed has its input, and brackets of the admissible velocities span (Chow–Rashevskii)")
    found = neutralised(words, dimension)
    if isinstance(found, Neutralised):
        shown = [told.BadBracket(where, words.bracket(_bracket_text(w), names), found.weights) for w in found.bad]
        bad = [Finding(one, "holds", None, exactly(words, "")) for one in shown]
        return answer(True, f"Sussmann's theorem with weights {', '.join(map(str, found.weights))}", *bad)
    word = quadratic_obstruction(words)
    if word is not None:
        bad_one = told.BadBracket(where, words.bracket(word, names), (1, 1))
        fact = "[g, [g, f]] is not in the span of ad_f^k g (Sussmann 1983)"
        return answer(False, fact, Finding(bad_one, "fails", None, exactly(words, "")))
    if _definite(case):
        fact = "one covector makes [g_a, [g_b, f]] definite in floating numbers: all motions go to one side"
        return False, [Finding(data, "fails", None, Measured(fact))]
    if isinstance(found, Obstruction):
        bad_one = told.BadBracket(where, words.bracket(_bracket_text(found.word), names), found.weights)
        return answer(None, "Sussmann's theorem does not apply", Finding(bad_one, "fails", None, exactly(words, "")))
    return answer(None, f"brackets of more than {words.longest} fields were not taken")


def _bracket_text(word: Word) -> Word:
    """``[g, [f, g]]`` as ``[g, [g, f]]``."""
    return (*word[:-2], word[-1], word[-2]) if word[-2] == 0 else word


def fully_actuated(case: _Case, words: LieWords, dimension: int) -> bool:
    """Whether inputs move every free speed as they like, while brackets of admissible velocities span all but these speeds."""
    control = case.control
    size = len(control.coordinates)
    if control.reading != "dynamic" or control.extended or not linear_velocities(control):
        return False
    span = Span(len(control.speeds), words.p)
    span.add([words.fields[k][size:, 0] for k in range(1, words.count)])
    if span.size < len(control.speeds) or any(np.any(words.fields[k][:size]) for k in range(1, words.count)):
        return False
    if case.full is not None and any(case.full[str(z)] for z in control.speeds):
        return False
    inner = _Case(control_affine(control.system, True, equations=control.equations), case.values, case.full)
    for degree in degrees(inner.control):
        found, _ = inner.words(degree)
        if growth_at(found, dimension - len(control.speeds)).rank == dimension - len(control.speeds):
            return True
    return False


def _definite(case: _Case) -> bool:
    """In numbers, at a given state."""
    if case.full is None or not set(map(str, case.control.system.parameters)) <= set(case.values):
        return False
    numeric = _Case(case.control, case.values, case.full)
    numeric.numeric = True
    try:
        words, held = numeric.words(2)
    except Stuck:
        return False
    return held is not None and definite_obstruction(words) is not None


def _reductions(case: _Case, generic: Generic) -> list[Finding]:
    """Decoupling fields of a mechanical system without forces at rest."""
    control = case.control
    if generic.rest is None or control.extended:
        return []
    whole = generic.dimension - len(control.speeds)
    found = kinematic_reductions(control, case.values, generic.rest, whole)
    if found is None:
        return []
    why = exactly(generic.rest, "symmetric products modulo a prime (Bullo–Lynch)")
    findings = [
        Finding(told.DecouplingField(f"g{k}"), verdict_of(fits), None, why) for k, fits in enumerate(found.decoupling, 1)
    ]
    counts: dict[tuple[int, ...], int] = {}
    for one in found.mixtures:
        counts[one.inputs] = counts.get(one.inputs, 0) + 1
        findings.append(_mixture(one, counts[one.inputs], why))
    rank = found.growth.rank if found.growth is not None else 0
    findings.append(Finding(told.KinematicallyControllable(rank, whole, True), verdict_of(found.maximal), None, why))
    complete = found.growth is None or found.growth.complete
    reached: bool | None = True if rank == whole else False if complete and found.decided else None
    how = why if all(m.real is None for m in found.mixtures) else Measured("real weights at random configurations (Bullo–Lynch)")
    how = Measured("brackets at a random configuration in floating numbers (Bullo–Lynch)") if found.measured else how
    how = Reason("combinations of three inputs or more were sought in numbers") if reached is None and complete else how
    findings.append(Finding(told.KinematicallyControllable(rank, whole), verdict_of(reached), None, how))
    return findings


def _mixture(one: Mixture, number: int, why: Evidence) -> Finding:
    """A decoupling combination of inputs."""
    if one.weights is not None:
        text = told.mixture([dict(zip(one.inputs, one.weights)).get(k, 0) for k in range(1, one.inputs[-1] + 1)])
    elif len(one.inputs) == 2:
        text = f"g{one.inputs[0]} + c{number} g{one.inputs[1]}"
    else:
        text = " + ".join(f"h{k} g{k}" for k in one.inputs)
    data = told.DecouplingField(text, one.varies, one.family)
    if one.real is None:
        return Finding(data, "holds", None, why)
    count, tried = one.real
    weight = "weight is" if len(one.inputs) == 2 else "weights are"
    verdict = verdict_of(True if tried and count == tried else False if tried and not count else None)
    return Finding(data, verdict, None, Measured(f"its {weight} real at {count} of {tried} random configurations (Bullo–Lynch)"))
