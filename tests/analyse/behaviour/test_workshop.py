"""Machines nobody prepared: equilibria, steady motions, stability, branches and orbits, against what can be computed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import nonholo as nh
from tests.analyse.behaviour import workshop

G = 9.81


def free(found: nh.Equilibrium) -> set[str]:
    return {d.name for d in found.family if not d.symmetry}


@pytest.mark.slow
def test_a_skateboard_leans_into_turns_above_the_speed_by_hand() -> None:
    """``m h v² s/l + k = m g h`` where straight rolling becomes stable; at rest ``k φ = m g h sin φ``."""
    board = workshop.SKATEBOARD
    critical = np.sqrt((60 * G * 0.9 - 400) * 0.45 / (60 * 0.9 * 0.6))
    found = nh.branch(board, {"xdot": 2.0}, along="xdot", until=0.5, switch=True)
    assert [s.kind for s in found.special] == ["branch point"]
    assert found.special[0].value == pytest.approx(critical, rel=1e-10)
    assert (found.unstable[0], found.unstable[-1]) == (0, 1)
    lean = sorted(one.states[-1, 3] for one in found.others)
    assert lean[0] == pytest.approx(-lean[1], abs=1e-9) and lean[1] > 0.5
    tilt = brentq(lambda q: 400 * q - 60 * G * 0.9 * np.sin(q), 0.5, 2.0)
    assert sorted(e.state["phi"] for e in nh.equilibria(board)) == pytest.approx([-tilt, 0.0, tilt], abs=1e-9)
    steady = [e for e in nh.relative_equilibria(board) if e.velocity]
    straight = [e for e in steady if e.state["phi"] == 0.0]
    assert [free(e) for e in straight] == [{"xdot"}] and straight[0].state["xdot"] == 2.0  # one family, not one at every speed
    for one in steady:  # tried by motions: the lean stays, and the turn is that of the constraint
        run = nh.simulate(board, {n: one.state[n] for n in one.names}, 0.5, rtol=1e-11, atol=1e-12)
        assert np.ptp(run["phi"]) < 1e-7 and np.allclose(0.45 * run["thetadot"], 0.6 * run["phi"] * one.state["xdot"], atol=1e-6)


@pytest.mark.slow
def test_a_robot_that_stands_still_has_motions_that_go_on() -> None:
    """Without a start: a family that begins at rest is told by a member that moves; ``λ² = m g l/(I + m l² − m² l²/(…))``."""
    robot = workshop.SEGWAY
    moving = [e for e in nh.relative_equilibria(robot) if e.velocity]
    assert sorted(round(e.state["alpha"], 6) for e in moving) == [0.0, round(np.pi, 6)]
    for one in moving:
        assert free(one) == {"xdot", "thetadot"}
        assert (one.state["xdot"], one.state["thetadot"]) == pytest.approx((1.0, 0.0), abs=1e-9)
    whole = 6.0 + 2 * 0.03 / 0.2**2 + 31.0
    rate = np.sqrt(31 * G * 0.42 / (2.1 + 31 * 0.42**2 - (31 * 0.42) ** 2 / whole))
    upright = nh.stability(robot, next(e for e in moving if abs(e.state["alpha"]) < 1))
    assert upright.verdict == "unstable" and upright.modes[0].rate == pytest.approx(rate, rel=1e-9)


@pytest.mark.slow
def test_a_trailer_behind_a_car_and_a_mass_across_a_sled_settle_as_by_hand() -> None:
    pulled = next(e for e in nh.relative_equilibria(workshop.TRAILER) if e.velocity and e.state["xdot"] == 3.0)
    verdict = nh.stability(workshop.TRAILER, pulled)
    assert verdict.verdict == "partially asymptotically stable"
    push = {"xdot": 3.0, "thetadot": 1e-5, "psi": 1e-4}
    run = nh.simulate(workshop.TRAILER, push, 1.5, rtol=1e-12, atol=1e-16, t_eval=[0.0, 0.5, 1.0, 1.5])
    hitch = np.diff((run["psi"] - run["theta"])[1:])  # it tends to that of a circle
    assert verdict.modes[0].rate == pytest.approx(np.log(hitch[1] / hitch[0]) / 0.5, rel=1e-3)
    slides = nh.stability(workshop.SLED, {"xdot": 1.5})
    wanted = [*np.roots([0.9, 0.8, 11.0]), -3 * 0.2 * 1.5 / (0.4 + 3 * 0.2**2)]
    found = [m.eigenvalue for m in slides.modes]
    assert np.sort_complex([*found, found[0].conjugate()]) == pytest.approx(np.sort_complex(wanted), abs=1e-9)
    assert slides.verdict == "partially asymptotically stable"


def test_a_cylinder_stays_on_a_slope_up_to_the_angle_of_its_mass() -> None:
    """``m e sin(φ + α) = −(M + m) R sin α``: a fold at ``sin α = m e/((M + m) R)``."""
    slope = workshop.CYLINDER
    tilt = np.arcsin(2.0 * 0.2 * np.sin(0.1) / (0.8 * 0.15))
    found = sorted(nh.equilibria(slope), key=lambda e: -e.state["phi"])
    assert [e.state["phi"] for e in found] == pytest.approx([-0.1 - tilt, -0.1 + tilt - np.pi], abs=1e-9)
    assert [nh.stability(slope, e).verdict for e in found] == ["unstable", "asymptotically stable"]
    along = nh.branch(slope, found[0], along="alpha", until=0.5)
    assert [s.kind for s in along.special] == ["fold"] and along.outcome.startswith("turns back")
    assert along.special[0].value == pytest.approx(np.arcsin(0.8 * 0.15 / (2.0 * 0.2)), rel=1e-7)


def test_a_bead_in_a_rolling_hoop_swings_in_the_time_of_its_quadrature() -> None:
    """``(M' + m) ẋ + m R cos q q̇`` stays: ``E = m R² q̇² (1 − m cos² q/(M' + m))/2 − m g R cos q``, M' = 2M."""
    found = nh.orbit(workshop.HOOP, {"q": 0.4})

    def inertia(q: Any) -> Any:
        return 0.4 * 0.3**2 * (1 - 0.4 * np.cos(q) ** 2 / 1.8)

    def part(s: float) -> float:  # q = 0.4 sin s takes the root away
        q = 0.4 * np.sin(s)
        return float(0.4 * np.cos(s) * np.sqrt(inertia(q) / (2 * 0.4 * G * 0.3 * (np.cos(q) - np.cos(0.4)))))

    assert found.period == pytest.approx(4 * quad(part, 0.0, np.pi / 2 - 1e-9, epsabs=1e-12)[0], rel=1e-7)
    assert found.verdict == "orbitally stable" and [z.kind for z in found.trivial].count("family") == 2
    rolling = [e for e in nh.relative_equilibria(workshop.HOOP) if e.velocity]
    assert sorted(round(e.state["q"], 6) for e in rolling) == [0.0, round(np.pi, 6)]


@pytest.mark.slow
def test_momenta_and_energy_are_parameters_of_a_unicycle() -> None:
    """Straight rolling: spin momentum ``C φ̇``, energy ``(C + (m + M) r²) φ̇²/2 + …``; stability changes at a spin, both ways."""
    rider, start = workshop.UNICYCLE, {"theta": np.pi / 2, "phidot": -6.0}
    by_spin = nh.branch(rider, start, along="C*(phidot + psidot*cos(theta))", until=3.0)
    by_energy = nh.branch(rider, start, along="energy", until=540.0)
    assert by_spin.outcome == "reached" and by_energy.outcome == "reached"
    assert np.allclose(by_spin.data["phidot"].values, by_spin.values / 0.2, atol=1e-9)
    rest = (5 + 50) * G * 0.25 + 50 * G * 0.8
    energy = (0.2 + 55 * 0.25**2) * by_energy.data["phidot"].values ** 2 / 2 + rest
    assert np.allclose(energy, by_energy.values, atol=1e-8)
    spins = [s.value / 0.2 for s in by_spin.special]
    assert len(spins) == 2 and spins[0] == pytest.approx(-spins[1], rel=1e-9)
    (critical,) = [s.state["phidot"] for s in by_energy.special]
    assert critical == pytest.approx(spins[0], rel=1e-7)


@pytest.mark.slow
def test_a_racer_wags_a_blade_sways_and_a_rotor_keeps_a_disk_up() -> None:
    """Growth and return tried by motions; ``λ²`` of the swaying pendulum is ``−g (1/l)`` beside a blade that cannot slip."""
    wagging = nh.stability(workshop.RACER, {"xdot": 1.0})
    assert wagging.verdict == "unstable"
    swaying = nh.stability(workshop.SWAYING, {"xdot": 1.2})
    assert swaying.verdict == "orbitally stable"
    assert abs(swaying.modes[0].eigenvalue) == pytest.approx(np.sqrt(G / 0.35), rel=1e-9)
    shift = nh.orbit(workshop.SWAYING, {"q": 0.4, "xdot": 1.2})
    assert shift.shift["shift_x"] == pytest.approx(1.2 * shift.period, rel=1e-9) and shift.verdict == "orbitally stable"
    # ψ̈ A = −(C φ̇ + D ρ̇) θ̇, (A + m r²) θ̈ = ((C + m r²) φ̇ + D ρ̇) ψ̇ + m g r δθ: the rotor helps with the same sense
    def square(phi: float, rho: float) -> float:
        spins = (0.1 * phi + 0.07 * rho) * ((0.1 + 1.3 * 0.16) * phi + 0.07 * rho) / 0.055
        return (1.3 * G * 0.4 - spins) / (0.055 + 1.3 * 0.16)

    for rho in (-20.0, 20.0):
        mode = nh.stability(workshop.ROTOR, {"theta": np.pi / 2, "phidot": 5.0, "rhodot": rho}, integrals=()).modes[0]
        assert (mode.eigenvalue**2).real == pytest.approx(square(5.0, rho), rel=1e-9)


@pytest.mark.slow
def test_a_ball_circles_in_a_turning_cup_as_its_motion_says() -> None:
    circles = [e for e in nh.relative_equilibria(workshop.CUP) if e.velocity and abs(e.state["x"]) > 1e-3]
    assert circles
    for one in circles:
        run = nh.simulate(workshop.CUP, {n: one.state[n] for n in one.names}, 5.0, rtol=1e-11, atol=1e-12)
        radius = np.hypot(run["x"], run["y"])
        assert np.ptp(radius) < 1e-6 * radius[0]
        verdict = nh.stability(workshop.CUP, one)
        assert verdict.verdict == "orbitally stable"
