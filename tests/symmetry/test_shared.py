"""Eleven plain systems, from check to verdict, against what is known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.finding.answer import kind_name
from tests.symmetry.test_integrals_plain import FILES
from tests.symmetry.test_reduce_plain import GROUPS, REFUSED, STARTS

PLAIN = Path(__file__).parents[1] / "plain"
SHARED = Path(__file__).parents[3] / "shared" / "systems" / "plain"
SO = {
    "sleigh": "integrable_by_quadratures",
    "two-sliders": "open",
    "twistcar": "integrable_by_quadratures",
    "driven-rotor": "open",
    "sleigh-turntable": "open",
    "skate-sphere": "integrable_by_quadratures",
    "contact-oscillator": "open",
    "parallel-points-spring": "integrable_by_quadratures",
    "ball-on-sphere": "integrable_by_quadratures",
    "paraboloid": "integrable_by_quadratures",
    "rotating-paraboloid": "integrable_by_quadratures",
}
ENERGY = {"driven-rotor", "sleigh-turntable", "rotating-paraboloid"}
"""Those whose energy is not kept: an input or an affine constraint does work."""
GENERIC = {"contact-oscillator": {"x": 0.4, "y": 0.6, "ydot": 0.5, "zdot": 0.2}}


def test_all_eleven_are_known() -> None:
    assert set(SO) <= {*GROUPS, *REFUSED} and set(SO) <= set(FILES)
    for file in sorted(SHARED.glob("*.toml")):
        assert file.read_text() == (PLAIN / file.name).read_text()


@pytest.mark.parametrize("name", ["contact-oscillator", *(pytest.param(n, marks=pytest.mark.slow) for n in SO if n[0] != "c")])
def test_checked_moved_and_judged(name: str) -> None:
    """Reduced motions and integrals are compared in `test_reduce_plain` and `test_integrals_plain`."""
    system = nh.load(PLAIN / f"{name}.toml")
    assert not [f for f in nh.check(system) if f.verdict == "fails"]
    run = nh.simulate(system, STARTS.get(name) or GENERIC.get(name), 3.0, rtol=1e-11, atol=1e-12)
    assert run.outcome == "reached"
    kept = run.drift("energy") < 1e-9 if name != "driven-rotor" else False
    assert kept == (name not in ENERGY)
    found = nh.verdict(system)
    assert kind_name(found.decision).startswith(SO[name])
