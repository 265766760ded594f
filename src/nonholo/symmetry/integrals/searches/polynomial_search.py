"""Integrals polynomial in the velocities: linear ones with momenta of horizontal symmetries, then those of higher degree."""

from __future__ import annotations

from dataclasses import replace

from nonholo.finding import Condition, Finding, Measured, Proved
from nonholo.model.system import known_inputs
from nonholo.symmetry.exact.null_space_search import proved
from nonholo.symmetry.integrals.polynomial_integrals import exact_energy, polynomial_integrals
from nonholo.symmetry.integrals.searches.integral_question import PROVED, Question, any_question, search


@search("linear in the velocities", cost=30, applies=any_question)
def linear_integrals(question: Question) -> list[Finding]:
    """Degree 1, with momenta of horizontal symmetries."""
    question.linear = question.polynomials(1)
    if question.sought is not None and question.momenta is not None and question.depends_on is None:
        question.linear = question.named(question.momenta, question.linear)
    return [question.finding(c) for c in question.linear]


@search("polynomials in the velocities", cost=60)
def higher_polynomials(question: Question) -> list[Finding]:
    """Degree 2, and above on request."""
    return [question.finding(c) for c in question.polynomials(2)]


@search("momenta with a function of time", cost=80)
def moving_momentum_integrals(question: Question) -> list[Finding]:
    """``⟨p, ξ⟩ − F(t)`` of horizontal symmetries whose momentum changes by a function of time."""
    return [question.finding(c) for c in question.moving if question.new(c.expression)]


def driven(question: Question) -> bool:
    """Whether the system has inputs, and states modulo a prime."""
    return question.sought is not None and bool(question.system.inputs) and question.depends_on is None


@search("constant while the inputs are zero", cost=90, applies=driven)
def idle_integrals(question: Question) -> list[Finding]:
    """What is constant only while the inputs are zero; where laws are given, a finding that fails."""
    if question.sought is None:
        return []
    quiet, system = replace(question.sought, idle=True), question.system
    energy = exact_energy(question.sought)
    known = [*question.exact, *([energy] if energy not in question.exact and proved(quiet, energy) else []), *question.idle]
    result = []
    for one in polynomial_integrals(quiet, [1], known)[0]:
        kept = question.constant_by_laws(one.expression) if known_inputs(system) else True
        data = question.statement(one.expression, one.noun, Condition(idle=bool(kept)))
        if kept:
            result.append(Finding(data, "holds", None, Proved(PROVED), one.expression, one.method))
            continue
        words = f"the inputs {', '.join(system.inputs)} change it; it is constant while they are zero"
        basis = Measured(words) if kept is None else Proved(words)
        result.append(Finding(data, "fails", None, basis, one.expression, one.method))
    return result
