"""Results of the literature on steady motions and their stability, each with its source; docs/known-results.md lists them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import nonholo as nh
from tests.analyse.behaviour import plain

UPRIGHT = {"R11": 1.0, "R22": 0.0, "R23": -1.0, "R32": 1.0, "R33": 0.0}
STONE = {"I1": 0.0006, "I2": 0.0048}
"""A rattleback with three times the gallery's horizontal moments: it has a critical spin."""


def gallery(name: str) -> tuple[Any, dict[str, float]]:
    exhibit = nh.gallery.get(name)
    return exhibit.system, dict(exhibit.parameters)


def vanishes(condition: Any, values: dict[str, float], name: str) -> list[float]:
    """The positive values of a name where a condition passes zero."""
    numerator = sympy.together(condition).as_numer_denom()[0].subs({n: e for n, e in values.items() if n != name})
    found = np.roots([float(c) for c in sympy.Poly(numerator, sympy.Symbol(name)).all_coeffs()])
    return [float(r.real) for r in found if abs(r.imag) < 1e-9 and r.real > 0]


def test_chaplygin_1911_the_sleigh_turns_its_mass_ahead() -> None:
    system, p = gallery("chaplygin-sleigh")
    found = nh.stability(system, {"v": 1.3}, parameters=p)
    assert found.modes[0].rate == pytest.approx(-p["m"] * p["a"] * 1.3 / (p["J"] + p["m"] * p["a"] ** 2), rel=1e-12)
    assert str(nh.boundaries(system, {"v": 1.3}, parameters=p).conditions[0]) == "a*m*v/(J + a**2*m)"


def test_routh_1884_an_upright_disk_rolls_stably_above_a_speed() -> None:
    """``ω² > A m g r/(C (C + m r²))`` [Routh 1884, Art. 244; Neimark and Fufaev 1972, ch. VI]: closed form, located, the mode."""
    system, p = gallery("rolling-disk")
    m, g, r, A, C = (p[n] for n in ("m", "g", "r", "A", "B"))
    wanted = np.sqrt(A * m * g * r / (C * (C + m * r**2)))
    (condition,) = nh.boundaries(system, {**UPRIGHT, "w3": 5.0}, parameters=p).conditions
    assert vanishes(condition, p, "w3") == pytest.approx([wanted], rel=1e-12)
    special = nh.branch(system, {**UPRIGHT, "w3": 5.0}, along="w3", until=1.0, parameters=p).special
    assert [s.kind for s in special] == ["branch point"] and special[0].value == pytest.approx(wanted, rel=1e-10)
    rolling = nh.stability(system, {**UPRIGHT, "w3": 1.0}, parameters=p)
    assert rolling.rate**2 == pytest.approx((A * m * g * r - C * (C + m * r**2)) / (A * (A + m * r**2)), rel=1e-9)


def test_neimark_fufaev_1972_a_disk_spins_stably_on_its_edge_above_a_speed() -> None:
    """``Ω² > m g r/(A + m r²)`` about the vertical diameter."""
    system, p = gallery("rolling-disk")
    wanted = np.sqrt(p["m"] * p["g"] * p["r"] / (p["A"] + p["m"] * p["r"] ** 2))
    (condition,) = nh.boundaries(plain.DISK, {"theta": np.pi / 2, "psidot": 5.0}).conditions
    assert vanishes(condition, dict(plain.DISK.parameters), "psidot") == pytest.approx([wanted], rel=1e-12)
    special = nh.branch(system, {**UPRIGHT, "w2": 5.0}, along="w2", until=2.0, parameters=p).special
    assert [s.kind for s in special] == ["branch point"] and special[0].value == pytest.approx(wanted, rel=1e-10)


def test_lagrange_1788_the_sleeping_top() -> None:
    """``(J₃ ω₃)² > 4 (J₁ + m a²) m g a``."""
    system, p = gallery("lagrange-top")
    wanted = np.sqrt(4 * (p["J1"] + p["m"] * p["a"] ** 2) * p["m"] * p["g"] * p["a"]) / p["J3"]
    conditions = nh.boundaries(system, {"w3": 1.5 * wanted}, parameters=p).conditions
    assert any(vanishes(c, p, "w3") == pytest.approx([wanted], rel=1e-12) for c in conditions)
    assert nh.stability(system, {"w3": 0.9 * wanted}, parameters=p).verdict == "unstable"


@pytest.mark.slow
def test_routh_1884_a_sphere_with_its_mass_above_the_centre_sleeps_above_a_spin() -> None:
    """The discriminant of the closed form against the located collision, the centre of mass above that of the sphere."""
    system, p = gallery("routh-sphere")
    p["a"] = -abs(p["a"])  # the centre of mass above
    state = {"w3": 60.0}
    special = nh.branch(system, state, along="w3", until=1.0, parameters=p).special
    conditions = nh.boundaries(system, state, parameters=p).conditions
    critical = [s.value for s in special if s.kind == "collision"]
    assert critical
    assert any(abs(v - critical[0]) < 1e-6 * v for c in conditions for v in vanishes(c, p, "w3"))


def test_walker_1896_the_stones_senses_are_mirror_images() -> None:
    """Reversing the spin reverses every growth: what decays in one sense grows in the other."""
    system, p = gallery("rattleback")
    one, two = (nh.stability(system, {"w3": w}, parameters=p) for w in (5.0, -5.0))
    assert sorted(m.rate for m in one.modes) == pytest.approx(sorted(-m.rate for m in two.modes), abs=1e-9)
    assert one.verdict == two.verdict == "unstable"
    assert sum(m.rate for m in one.modes) < -1 and sum(m.rate for m in two.modes) > 1


def test_the_gallerys_own_stone_has_no_critical_spin_up_to_a_hundred() -> None:
    system, p = gallery("rattleback")
    for sense in (1, -1):
        assert nh.branch(system, {"w3": sense}, along="w3", until=100.0 * sense, parameters=p).special == ()


@pytest.mark.slow
def test_bondi_1986_and_karapetyan_1980_a_stone_with_a_critical_spin() -> None:
    """Hurwitz's condition in closed form passes zero where the branch has its Hopf point."""
    system, p = gallery("rattleback")
    p |= STONE
    special = nh.branch(system, {"w3": 1.0}, along="w3", until=30.0, parameters=p).special
    assert [s.kind for s in special] == ["Hopf point", "branch point"]
    conditions = nh.boundaries(system, {"w3": 1.0}, parameters=p, symbolic=()).conditions
    zeros = [v for c in conditions for v in vanishes(c, p, "w3")]
    for one in special:
        assert min(abs(v - one.value) for v in zeros) < 1e-8 * one.value


@pytest.mark.slow
def test_milne_1948_a_ball_on_a_turntable_circles_with_two_sevenths() -> None:
    system, p = gallery("ball-on-turntable")
    found = nh.stability(system, nh.relative_equilibria(system, p, where={"x": 0.3, "y": 0.0})[0], integrals=())
    inertia = p["I"] / (p["m"] * p["r"] ** 2)
    assert found.modes[0].frequency == pytest.approx(p["Omega"] * inertia / (1 + inertia), rel=1e-9)


@pytest.mark.slow
def test_routh_1884_a_ball_in_a_cylinder_bobs() -> None:
    """``√(2/7)`` of the angular velocity of its circling for a homogeneous ball [Routh 1884; Neimark and Fufaev 1972, §III.2]."""
    system, p = gallery("ball-in-cylinder")
    found = next(e for e in nh.relative_equilibria(system, p) if e.velocity)
    rate = found.velocity["turn"]
    ratio = np.sqrt(p["J"] / (p["J"] + p["m"] * p["rho"] ** 2))
    assert nh.stability(system, found, integrals=()).modes[0].frequency == pytest.approx(ratio * abs(rate), rel=1e-8)


def test_suslov_1902_one_sense_of_the_axis_attracts() -> None:
    for sign, verdict in ((1, "partially asymptotically stable"), (-1, "unstable")):
        assert nh.stability(plain.SUSLOV, {"w1": 0.6 * sign, "w2": 0.8 * sign}).verdict == verdict


@pytest.mark.slow
def test_zenkov_bloch_marsden_1998_energy_and_momentum_for_the_disk_and_the_tops() -> None:
    system, p = gallery("rolling-disk")
    for at in ({"w3": 5.0}, {"w2": 5.0}):
        found = nh.stability(system, {**UPRIGHT, **at}, parameters=p)
        assert found.verdict == "orbitally stable" and "not all integrals used are proved" in found.evidence
        assert [z.kind for z in found.zeros].count("family") == 2
    system, p = gallery("routh-sphere")
    assert nh.stability(system, {"w3": 5.0}, parameters=p).verdict == "orbitally stable"


def test_whittaker_1904_and_others_in_plain_coordinates() -> None:
    """Conical pendulum, hoop, caster, trailer: see test_stability and test_branch."""
    cone = next(e for e in nh.relative_equilibria(plain.GOVERNOR) if e.velocity)
    assert nh.stability(plain.GOVERNOR, cone, integrals=()).decided is False  # without integrals nothing is claimed


@pytest.mark.slow
def test_meijaard_2007_and_basu_mandal_2007_the_bicycle() -> None:
    exhibit = nh.gallery.get("whipple-bicycle")
    for fact in exhibit.facts:
        assert fact(exhibit), fact.claim


@pytest.mark.slow
def test_basu_mandal_2007_circular_motions_begin_at_the_capsize_speed() -> None:
    """Hands-free turns branch off straight rolling where it capsizes; a family in the speed, both ways round."""
    exhibit = nh.gallery.get("whipple-bicycle")
    region = {"phi": (0.05, 0.8), "delta": (-1, 1), "v": (2, 8), "theta": (-0.3, 0.3)}
    found = nh.relative_equilibria(exhibit.system, exhibit.parameters, where=region)
    turning = [e for e in found if abs(e.velocity.get("turn", 0.0)) > 0.1]
    assert turning and all(len([d for d in e.family if not d.symmetry]) == 1 for e in turning)
    branch = nh.branch(exhibit.system, turning[0], along="phi", until=0.02)
    assert branch.values[-1] == pytest.approx(0.02, abs=1e-9)
    assert branch.data["v"].values[-1] == pytest.approx(6.02426, abs=2e-3)


@pytest.mark.slow
def test_the_frequency_about_circular_motions_of_the_disk_is_that_of_the_motion() -> None:
    """A perturbed circle, simulated: the period of the tilt, by its events, tends to that of the linear mode."""
    circle = nh.relative_equilibria(plain.DISK, where={"theta": 1.1, "psidot": 2.0})[0]
    mode = nh.stability(plain.DISK, circle, integrals=()).modes[0]
    start = {n: circle.state[n] for n in circle.names}
    gaps = []
    for push in (2e-3, 1e-3):
        run = nh.simulate(
            plain.DISK, {**start, "thetadot": push}, 60.0, rtol=1e-13, atol=1e-14, events=[nh.Event("thetadot", terminal=False)],
            t_eval=[0.0, 60.0],
        )  # fmt: skip
        times = np.asarray(run.events["thetadot"])
        period = 2 * (times[-1] - times[0]) / (len(times) - 1)
        gaps.append(2 * np.pi / period / mode.frequency - 1)
    # the error is quadratic in the push: Richardson's step leaves the limit
    assert abs((4 * gaps[1] - gaps[0]) / 3) < 1e-8
