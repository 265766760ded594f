"""Systems that nobody had prepared, in several writings: what is called proved is what was known before."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.finding import Defect
from tests.symmetry.strangers import STRANGERS

DRIFT = 1e-8
LONG = ("roller racer/std", "roller racer/abs", "skate paraboloid/xyz")
"""These take more than a second."""
NAMES = [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in STRANGERS]


@pytest.mark.parametrize("name", NAMES)
def test_equations_measures_and_integrals_are_those_known_before(name: str) -> None:
    exam, system = STRANGERS[name], STRANGERS[name].system(name)
    assert [str(f) for f in nh.check(system) if f.verdict == "fails"] == []
    measure = nh.measure(system)
    assert (measure.verdict, measure.proved) == (exam.measure, True)
    for text in exam.known:
        found = nh.conserved(system, text)
        assert found and found.proved, text


@pytest.mark.slow
@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_claimed_holds_along_motions_by_multipliers(name: str) -> None:
    exam, system = STRANGERS[name], STRANGERS[name].system(name)
    begin = nh.complete_state(system, exam.start, repair=True) if exam.start else {}
    run = nh.simulate(system, begin, 0.7, rtol=1e-12, atol=1e-13, t_eval=15, form="multipliers")
    assert run.outcome.reached
    for f in nh.integrals(system):
        if f and f.expression is not None:
            assert f.drift(run) < DRIFT, f.claim
    assert not [f for f in nh.verdict(system).findings if isinstance(f.data, Defect)]
