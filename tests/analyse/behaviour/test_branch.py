"""Branches of steady motions: published speeds, closed forms, folds, and ends in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from tests.analyse.behaviour import plain

BICYCLE = Path(__file__).parents[2] / "program" / "whipple-bicycle.toml"
WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837
"""Meijaard, Papadopoulos, Ruina, Schwab 2007, §4 (m/s)."""


@pytest.mark.slow
def test_the_bicycles_weave_and_capsize_speeds_to_ten_digits() -> None:
    found = nh.branch(nh.load(BICYCLE), {"ur": 0, "up": 0, "ud": 0}, along="-rR*ur", until=10.0)
    assert found.outcome == "reached"
    assert [s.kind for s in found.special] == ["Hopf point", "branch point"]
    assert found.special[0].value == pytest.approx(WEAVE, rel=1e-11)
    assert found.special[1].value == pytest.approx(CAPSIZE, rel=1e-11)
    stable = found.values[found.unstable == 0]
    assert WEAVE < stable.min() < WEAVE + 0.1 and CAPSIZE - 0.1 < stable.max() < CAPSIZE


def test_the_caster_shimmies_beyond_the_moment_of_routh_and_hurwitz() -> None:
    """``m (a − c) c = J`` by hand: 0.04; the frequency there is that of the cubic, ``ω² = a² k/(J + m (a − c)²)``."""
    found = nh.branch(plain.CASTER, {"y": 0}, along="J", until=0.0137)
    assert [s.kind for s in found.special] == ["Hopf point"]
    assert found.special[0].value == pytest.approx(0.04, rel=1e-10)
    assert found.special[0].eigenvalue.imag ** 2 == pytest.approx(0.09 * 500 / (0.04 + 0.02), rel=1e-8)
    assert found.unstable[0] == 2 and found.unstable[-1] == 0


def test_the_hoops_bottom_loses_its_stability_where_the_tilted_places_begin() -> None:
    critical = np.sqrt(9.81 / 0.5)
    bottom = nh.branch(plain.HOOP, {"q": 0}, along="Omega", until=2.0)
    assert [(s.kind, s.along) for s in bottom.special] == [("branch point", "Omega")]
    assert bottom.special[0].value == pytest.approx(critical, rel=1e-10)
    tilted = nh.branch(plain.HOOP, {"q": float(np.arccos(9.81 / 18.0))}, along="Omega", until=2.0)
    fold = next(s for s in tilted.special if s.kind == "fold")
    assert fold.value == pytest.approx(critical, rel=1e-7) and tilted.outcome.startswith("turns back")
    q, speed = tilted.data["q"].values, tilted.values
    wanted = np.where(speed > critical, 9.81 / (0.5 * speed**2), 1.0)
    assert np.allclose(np.cos(q), np.minimum(wanted, 1.0), atol=1e-7)


def test_the_sleeping_top_wakes_where_lagrange_says() -> None:
    """``(J₃ ω₃)² = 4 (J₁ + m a²) m g a``: two imaginary pairs meet."""
    top = nh.gallery.get("lagrange-top")
    p = top.parameters
    wanted = np.sqrt(4 * (p["J1"] + p["m"] * p["a"] ** 2) * p["m"] * p["g"] * p["a"]) / p["J3"]
    found = nh.branch(top.system, {"w3": 1.4 * wanted}, along="w3", until=0.5 * wanted, parameters=p)
    assert [s.kind for s in found.special] == ["collision"]
    assert found.special[0].value == pytest.approx(wanted, rel=1e-9)


def test_energy_is_a_parameter_too_and_the_data_say_so() -> None:
    cone = next(e for e in nh.relative_equilibria(plain.GOVERNOR) if e.velocity)
    found = nh.branch(plain.GOVERNOR, cone, along="energy", until=6.0)
    assert found.outcome == "reached" and found.data.attrs["along"] == "energy"
    z, m, l, g = found.data["z"].values, 0.4, 1.3, 9.81
    assert np.allclose(found.data["energy"].values, m * g * (l**2 - z**2) / (-2 * z) + m * g * z, atol=1e-9)
    assert set(found.data.dims) == {"point", "mode"} and found.data["stable"].values.all()


def test_a_branch_that_leaves_where_the_equations_make_sense_gives_what_it_has() -> None:
    bead = nh.System(coordinates="q", lagrangian="qdot**2/2 - sqrt(1 - q**2)*0 - (q - sqrt(c))**2/2", parameters={"c": 1.0})
    found = nh.branch(bead, {"q": 1.0}, along="c", until=-0.5)
    assert found.outcome.startswith("ends at c = ") and len(found.values) > 5
    assert abs(found.values[-1]) < 0.05 and np.allclose(found.data["q"].values ** 2, found.values, atol=1e-6)


def test_what_cannot_be_varied_is_said() -> None:
    with pytest.raises(nh.StateError, match="is constant along the family"):
        nh.branch(plain.HOOP, {"q": 0}, along="q", until=1.0)
    with pytest.raises(nh.NonholoError, match="did you mean 'Omega'"):
        nh.branch(plain.HOOP, {"q": 0}, along="omega", until=1.0)
    with pytest.raises(nh.StateError, match="not a relative equilibrium"):
        nh.branch(plain.HOOP, {"q": 0.5}, along="Omega", until=1.0)
    with pytest.raises(nh.StateError, match="along what"):
        nh.branch(plain.HOOP, {"q": 0})


def test_a_mode_that_is_zero_all_along_passes_zero_nowhere() -> None:
    """A tractor with a steering angle of its own and a trailer: α̇ stays, and ``λ = −v cos(θ − ψ)/d`` pulls the trailer in."""
    tractor = plain.TRACTOR
    one = next(e for e in nh.relative_equilibria(tractor) if e.velocity and abs(e.state["alpha"]) > 1e-3)
    found = nh.branch(tractor, one, along="alpha", until=one.state["alpha"] / 2)
    assert found.outcome == "reached" and found.special == ()
    data = found.data
    wanted = -one.state["xdot"] * np.cos(data["theta"] - data["psi"]) / np.cos(data["theta"]) / 1.1
    assert np.allclose(np.sort(found.eigenvalues.real, axis=1)[:, 0], wanted, rtol=1e-7)
