"""The energy as a first integral: proved exactly where that can be computed, else measured at generic states."""

from __future__ import annotations

from dataclasses import replace

from nonholo.derive.hamel import energy_in_frame
from nonholo.finding import Finding, FirstIntegral, Measured, Proved
from nonholo.model.system import known_inputs
from nonholo.symmetry.exact.null_space_search import proved
from nonholo.symmetry.integrals.integral_text import gathered, text_of
from nonholo.symmetry.integrals.noether import energy_finding
from nonholo.symmetry.integrals.polynomial_integrals import exact_energy
from nonholo.symmetry.integrals.searches.integral_question import PROVED, Question, any_question, search

WIDE = 200
"""An energy with more letters than this is not written out in its claim."""


@search("energy", cost=10, applies=any_question)
def energy(question: Question) -> list[Finding]:
    """Whether the energy is constant; where nothing can be computed of it, momenta are not sought either."""
    found = constant_energy(question)
    if found.verdict == "unknown" and question.sought is None:
        question.momenta, question.problem = None, found.evidence
    return [found]


def constant_energy(question: Question) -> Finding:
    """Whether the energy is constant; its formula stands in the claim where it is short."""
    found = _energy(question)
    if not found or found.formula is None or not isinstance(found.data, FirstIntegral):
        return found
    shown = text_of(question.system, gathered(found.formula), "", WIDE)
    return replace(found, data=replace(found.data, formula=shown))


def _energy(question: Question) -> Finding:
    system, sought = question.system, question.sought
    measured = energy_finding(system, question.values)
    if sought is None or measured.verdict == "unknown":
        return measured
    # in quasi-velocities of the user it is short; in speeds chosen by pivots it may have a denominator that vanishes
    expression = measured.expression if system.quasivelocities else energy_in_frame(system)
    exact = exact_energy(sought)
    if proved(sought, exact):
        question.exact.append(exact)
        return Finding(FirstIntegral(energy=True), "holds", None, Proved(PROVED), expression, "power of the forces")
    if measured and known_inputs(system) and question.constant_by_laws(exact) is not True:
        words = f"the inputs {', '.join(system.inputs)} do work; without them it is constant"
        return replace(measured, verdict="fails", data=FirstIntegral(energy=True), basis=(Measured(words),), expression=None)
    if measured and proved(replace(sought, idle=True), exact):
        return replace(measured, basis=(Proved(PROVED),), expression=expression)
    return measured
