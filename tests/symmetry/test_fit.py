"""Whether momenta fit in numbers, against systems whose momenta are known; and answers that no cache decides."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.finding import LinearMomenta
from nonholo.symmetry.integrals.gauge.gauge_basis import generators
from nonholo.symmetry.integrals.gauge.gauge_search import best_fit, fields_for, variables
from nonholo.symmetry.integrals.momentum_rates import momenta
from nonholo.symmetry.reduction import reduce as attempt

PLAIN = Path(__file__).parents[1] / "plain"


@pytest.mark.parametrize("name, some", [("ball-horizontal-cylinder", True), ("martinet", True), ("castor-cart", False)])
def test_a_fit_tells_systems_with_momenta_from_others(name: str, some: bool) -> None:
    """The first by hand (two with cos kφ), Killing's equation of one variable, and a cart that has none, by many orders."""
    system = nh.load(PLAIN / f"{name}.toml")
    found, group = momenta(system), generators(system)
    fields, _ = fields_for(found, group)
    (variable,) = variables(system, found, group, None)
    fit = best_fit(found, fields, variable)
    assert fit is not None
    assert fit.residual < 1e-12 if some else fit.residual > 1e-3


@pytest.mark.slow
def test_what_was_not_proved_is_told_as_open_with_the_numbers() -> None:
    (open_one,) = [f for f in nh.integrals(nh.load(PLAIN / "castor-cart.toml")) if f.data == LinearMomenta(("castor",))]
    assert open_one.verdict == "unknown" and "no further one fits near castor" in open_one.evidence


def test_a_reduction_that_somebody_had_is_not_taken_for_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgement said more after `reduce` than before: within little work there is no reduction, known or not."""
    skate = nh.System(
        name="a skate of its own", coordinates="th x y", parameters="m J",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2", constraints=["ydot*cos(th) - xdot*sin(th)"],
    )  # fmt: skip
    assert nh.reduce(skate).momenta
    monkeypatch.setattr(attempt, "WORK", 0.001)
    assert attempt.attempted(skate) == (None, attempt.TOO_MUCH)


@pytest.mark.slow
def test_the_reduction_of_a_bicycle_is_printed() -> None:
    """Its formulas have up to 1e10 symbols written out; the page of them never ended."""
    page = str(nh.reduce(nh.gallery.get("whipple-bicycle").system))
    assert "a formula of" in page and len(page) < 5000
