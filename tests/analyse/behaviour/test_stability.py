"""Verdicts on stability against closed forms and against motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.analyse.behaviour import plain


def departing(system: Any, at: dict[str, float], name: str, push: dict[str, float], until: float) -> tuple[Any, Any]:
    """Times and how far a quantity is from its steady value along a perturbed motion; by simulation alone."""
    full = nh.complete_state(system, at)
    start = {**{n: full[n] for n in system.coordinates}, **{n: e for n, e in at.items() if n not in system.coordinates}}
    for n, e in push.items():
        start[n] = start.get(n, 0.0) + e
    run = nh.simulate(system, start, until, rtol=1e-12, atol=1e-14, t_eval=np.linspace(0, until, 400))
    return run.times, np.asarray(run[name]) - full[name]


def growth(times: Any, values: Any, low: float, high: float) -> float:
    """The rate of an exponential, fitted where its size lies between two bounds."""
    size = np.abs(values)
    inside = (size > low) & (size < high)
    return float(np.polyfit(times[inside], np.log(size[inside]), 1)[0])


# -- the caster: third order, all three coefficients by hand ----------------------------------------------------------------


@pytest.mark.parametrize("J", [0.11, 0.03])
def test_the_caster_has_the_roots_of_its_cubic(J: float) -> None:
    """``(J + m (a − c)²) λ³ + m (a − c) V λ² + a² k λ + a k V = 0``, derived by hand from d'Alembert's principle."""
    m, c, a, k, V = (plain.CASTER.parameters[n] for n in ("m", "c", "a", "k", "V"))
    wanted = np.roots([J + m * (a - c) ** 2, m * (a - c) * V, a**2 * k, a * k * V])
    found = nh.stability(plain.CASTER, {"y": 0}, parameters={"J": J})
    assert np.allclose(np.sort_complex(found.eigenvalues), np.sort_complex(wanted), atol=1e-9)
    assert found.verdict == ("asymptotically stable" if m * (a - c) * c > J else "unstable")  # Routh and Hurwitz
    assert found.zeros == ()


# -- the sleigh and its relatives: Lyapunov and Malkin ----------------------------------------------------------------------


@pytest.mark.parametrize("v", [1.7, -1.7])
def test_a_sleigh_with_a_trailer_is_pulled_but_not_pushed(v: float) -> None:
    found = nh.stability(plain.TRAILER, {"xdot": v})
    M, J, a, l = (plain.TRAILER.parameters[n] for n in ("M", "J", "a", "l"))
    assert sorted(m.rate for m in found.modes) == pytest.approx(sorted([-v / l, -M * a * v / (J + M * a**2)]), abs=1e-9)
    assert found.verdict == ("partially asymptotically stable" if v > 0 else "unstable")
    assert [z.kind for z in found.zeros] == ["symmetry"] * 3 + ["family"]
    assert "xdot" in found.zeros[-1].what and "energy" in found.zeros[-1].what


def test_partial_damping_brings_a_sleigh_back_at_the_predicted_rate() -> None:
    at = {"xdot": 1.5}
    found = nh.stability(plain.DAMPED, at)
    assert found.verdict == "partially asymptotically stable"
    slow = min(found.modes, key=lambda m: -m.rate)
    times, q = departing(plain.DAMPED, at, "q", {"q": 1e-4}, 30.0)
    inside = np.abs(np.gradient(q, times)) >= 0
    peaks = [k for k in range(1, len(q) - 1) if abs(q[k]) > abs(q[k - 1]) and abs(q[k]) > abs(q[k + 1]) and inside[k]]
    late = [k for k in peaks if times[k] > 8]
    slope = np.polyfit(times[late], np.log(np.abs(q[late])), 1)[0]
    assert slope == pytest.approx(slow.rate, rel=0.01)


def test_suslovs_body_tends_to_one_sense_of_its_axis() -> None:
    """``λ = I23 ω1/I2 − I13 ω2/I1`` on the line ``I13 ω1 + I23 ω2 = 0``, from the two equations written by hand."""
    for sign in (1, -1):
        w1, w2 = 0.6 * sign, 0.8 * sign
        found = nh.stability(plain.SUSLOV, {"w1": w1, "w2": w2})
        assert found.modes[0].eigenvalue == pytest.approx(-0.3 * w1 / 1.7 - 0.4 * w2 / 1.1, abs=1e-12)
        assert found.verdict == ("partially asymptotically stable" if sign > 0 else "unstable")


# -- energy and momenta -----------------------------------------------------------------------------------------------------


def test_a_bead_on_a_turning_hoop() -> None:
    """Frequency ``Ω sin q₀`` about the tilted places; below ``Ω² = g/R`` the bottom is stable."""
    q = float(np.arccos(9.81 / 18.0))
    tilted = nh.stability(plain.HOOP, {"q": q})
    assert tilted.verdict == "orbitally stable" and tilted.modes[0].frequency == pytest.approx(6 * np.sin(q), abs=1e-9)
    assert nh.stability(plain.HOOP, {"q": 0}).verdict == "unstable"
    assert nh.stability(plain.HOOP, {"q": 0}, parameters={"Omega": 4.0}).verdict == "orbitally stable"


def test_conical_motion_is_stable_with_the_frequency_of_the_textbook() -> None:
    """``κ² = (g/(l cos α)) (1 + 3 cos² α)`` [e.g. Whittaker 1904 §55]."""
    cone = next(e for e in nh.relative_equilibria(plain.GOVERNOR) if e.velocity)
    found = nh.stability(plain.GOVERNOR, cone)
    c = -cone.state["z"] / 1.3
    assert found.modes[0].frequency ** 2 == pytest.approx(9.81 / 1.3 / c * (1 + 3 * c**2), rel=1e-8)
    assert found.verdict == "orbitally stable" and "energy" in found.evidence


def test_a_nonholonomic_equilibrium_with_a_force_across_the_blade_is_not_called_stable() -> None:
    """At y ≠ 0 the energy is not stationary: its method says nothing, and the verdict must not either."""
    found = nh.stability(plain.WELLS, {"x": 1.0, "y": 0.4})
    frequencies = sorted(m.frequency for m in found.modes)
    assert frequencies == pytest.approx(sorted([np.sqrt(2 / 0.8), np.sqrt(1.7 / 0.3)]), abs=1e-9)
    assert found.verdict == "spectrally stable, not decided" and not found.decided
    assert nh.stability(plain.WELLS, {"x": 1.0}).verdict == "orbitally stable"
    assert nh.stability(plain.WELLS, {"x": 0.0, "y": 0.4}).verdict == "unstable"


def test_bmz_theorem_6_1_is_not_overclaimed() -> None:
    """The sleigh with an oscillator moves quasi-periodically: nothing decays, and nothing is said to."""
    sleigh = nh.gallery.get("sleigh-oscillator")
    found = nh.stability(sleigh.system, {"Omega2": 1.0}, parameters=sleigh.parameters)
    assert found.verdict == "spectrally stable, not decided"
    assert max(abs(m.rate) for m in found.modes) < 1e-9


def test_an_upright_pendulum_on_a_damped_cart_departs_at_its_rate() -> None:
    found = nh.stability(plain.CART, {"phi": np.pi})
    assert found.verdict == "unstable"
    times, phi = departing(plain.CART, {"phi": np.pi}, "phi", {"phi": 1e-8}, 3.6)
    assert growth(times, phi, 1e-6, 1e-3) == pytest.approx(found.rate, rel=0.01)
    assert nh.stability(plain.CART, {"phi": 0}).verdict == "asymptotically stable"


# -- words ------------------------------------------------------------------------------------------------------------------


def test_a_state_that_is_not_steady_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(nh.StateError, match=r"not a relative equilibrium: qdot changes at the rate -?\d.*\"q\": 0\.9944"):
        nh.stability(plain.HOOP, {"q": 0.9})
    with pytest.raises(nh.StateError, match=r"not a relative equilibrium: .* beyond the motion of the symmetry"):
        nh.stability(plain.TRAILER, {"xdot": 1.0, "beta": 0.3})


def test_a_state_with_few_digits_is_taken_to_the_steady_one_next_to_it() -> None:
    found = nh.stability(plain.HOOP, {"q": 0.9944075})
    assert found.state["q"] == pytest.approx(np.arccos(9.81 / 18.0), abs=1e-12)


def test_a_flat_answer_when_there_is_nothing_but_the_family() -> None:
    free = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2")
    found = nh.stability(free, {"xdot": 1.0})
    assert found.verdict == "orbitally stable" and found.modes == () and "nothing departs" in found.evidence
    assert str(found.finding).startswith("✓")
