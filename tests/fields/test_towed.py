"""The string that cannot slip sideways, and the sleigh that tows it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nonholo as nh
from nonholo_papers.facts.sleigh_string import train_gap

ConstrainedString, SleighString = nh.fields.ConstrainedString, nh.fields.SleighString
SLEIGH = SleighString(mass=1.3, inertia=0.7, length=1.4, density=0.6)


@pytest.mark.parametrize("speed, front", [(0.5, "sin(3*(1.3 + 0.5*t))"), (-0.5, "sin(-3*0.5*t)")])
def test_the_closed_motion_solves_the_transport_equation(speed, front):
    """Both directions; collocation of θ_t = ξ θ_s with the front's heading given."""
    string = ConstrainedString(length=1.3, density=0.7, nodes=32)
    start = {"theta": "sin(3*s)", "speed": speed, "front": front, "at": (0.2, 0.1)}
    one, two = (string.simulate(start, 1.0, method=m, t_eval=5) for m in ("closed", "transport"))
    assert np.abs(one["theta"] - two["theta"]).max() < 1e-8
    assert np.abs(one["energy"] - 0.5 * 0.7 * 1.3 * 0.25).max() < 1e-14


def test_every_point_moves_along_the_string_even_where_the_track_bends_suddenly():
    string, h = ConstrainedString(nodes=24), 1e-5
    run = string.simulate({"theta": "s**2", "speed": 0.7, "front": "1 - 3*t"}, 1.0, t_eval=[0.5 - h, 0.5, 0.5 + h])
    z = run["x"] + 1j * run["y"]
    assert np.abs((z[2] - z[0]) / (2 * h) - 0.7 * np.exp(1j * run["theta"][1])).max() < 1e-4
    assert np.abs(z[2] - z[0] - 2 * h * 0.7 * np.exp(1j * run["theta"][1])).mean() < 1e-10


def test_a_balanced_sleigh_and_its_string_go_around_a_circle():
    """The closed solution to 1e-10: places, angles and turning of the whole string."""
    v, omega = 1.1, 0.8
    run = SLEIGH.simulate({"v": v, "omega": omega, "heading": 0.4, "x": 0.2, "y": -0.3}, 6.0, t_eval=13)
    s, t = SLEIGH.grid.points, run["t"][3:, None]
    assert v * t.min() > 1.4
    heading = 0.4 + omega * (t - s / v)
    z = 0.2 - 0.3j + 1j * v / omega * (np.exp(0.4j) - np.exp(1j * heading))
    assert np.abs(run["x"][3:] + 1j * run["y"][3:] - z).max() < 1e-10
    assert np.abs(run["theta"][3:] - heading - np.pi).max() < 1e-10 and np.abs(run["omega"][3:] - omega).max() < 1e-9
    assert np.abs(run["tension"]).max() < 1e-8
    assert np.abs(run["energy"] - (0.5 * 0.7 * omega**2 + 0.5 * (1.3 + 0.84) * v**2)).max() < 1e-12


def test_before_it_has_passed_the_string_lies_in_its_first_shape():
    run = SLEIGH.simulate({"v": 0.5, "theta": "pi + 0.8*s**2"}, 1.0, t_eval=[0.0, 1.0])
    z = run["x"] + 1j * run["y"]
    s = SLEIGH.grid.points
    behind = s > 0.5
    from nonholo.fields.function_grid import interpolation

    places = interpolation(48, s[behind] - 0.5, 1.4) @ z[0]
    assert np.abs(z[1][behind] - places).max() < 1e-12
    assert np.abs(z[1][~behind] - (0.5 - s[~behind])).max() < 1e-10


def test_backing_away_from_its_string_a_sleigh_needs_no_pi():
    """v < 0 with z_s(0) = +1, as printed in Example 4.2 but for the sign of v: the mirror image of v > 0 behind."""
    ahead = SLEIGH.simulate({"v": 1.1, "omega": 0.8, "heading": np.pi}, 3.0, t_eval=4)
    back = SLEIGH.simulate({"v": -1.1, "omega": 0.8, "heading": 0.0, "theta": "0"}, 3.0, t_eval=4)
    assert np.abs(ahead["x"] - back["x"]).max() < 1e-10 and np.abs(ahead["y"] - back["y"]).max() < 1e-10


@pytest.mark.parametrize("offset", [0.4, -0.2])
def test_an_unbalanced_sleigh_keeps_its_energy_and_slows_its_turning(offset):
    """v = V tanh(kt + c), ω = W/cosh(kt + c) with the string's mass in V; ends early where v would change its sign."""
    sleigh = replace(SLEIGH, offset=offset)
    run = sleigh.simulate({"v": 0.5, "omega": 1.8}, 5.0, t_eval=41)
    weight, turning = 1.3 + 0.84, 0.7 + 1.3 * offset**2
    twice = weight * 0.25 + turning * 1.8**2
    top, fastest = np.sqrt(twice / weight), np.sqrt(twice / turning)
    place = 1.3 * offset * top / turning * run["t"] + np.arctanh(0.5 / top)
    assert np.abs(run["v"] - top * np.tanh(place)).max() < 1e-9
    assert np.abs(run["turning"] - fastest / np.cosh(place)).max() < 1e-9
    assert run.drift("energy") < 1e-10
    if offset > 0:
        assert run.outcome.reached and run["turning"][-1] < 0.1 * run["turning"][0] and run["v"][-1] > 0.9 * top
    else:
        assert run.outcome.kind == "string ahead" and "run back into its string" in run.outcome.advice
        assert run.outcome.time == pytest.approx(np.arctanh(0.5 / top) / (1.3 * 0.2 * top / turning), rel=1e-6)


def test_energy_drifts_with_the_methods_order():
    """RK4: a halved step gives a sixteenth and less."""
    sleigh = replace(SLEIGH, offset=0.4)
    drifts = [
        sleigh.simulate({"v": 0.5, "omega": 1.8}, 2.0, method="rk4", step=h, t_eval=3).drift("energy")
        for h in (0.1, 0.05)
    ]
    assert 12 < drifts[0] / drifts[1] < 80


def test_the_string_weighs_on_the_sleigh_as_a_mass_at_the_blade():
    """λ(0) is what Newton asks for; twice the string, half of what is left of the acceleration."""
    h = 1e-3
    for density in (0.6, 1.2):
        sleigh = replace(SLEIGH, offset=0.4, density=density)
        run = sleigh.simulate({"v": 0.5, "omega": 1.8}, 1.0, t_eval=[0.5 - h, 0.5, 0.5 + h])
        rate = (run["v"][2] - run["v"][0]) / (2 * h)
        assert run["vdot"][1] == pytest.approx(rate, rel=1e-5)
        assert 1.3 * (rate - 0.4 * run["turning"][1] ** 2) == pytest.approx(-run["tension"][1, 0], rel=1e-5)
        assert run["tension"][1, -1] == 0.0


def test_forces_and_inputs_push_and_turn_it():
    """The work done is the energy gained; a law in t and v."""
    sleigh = replace(SLEIGH, offset=0.1, forces={"v": "u - 0.3*v", "omega": "0.2*sin(t)"}, inputs="u")
    run = sleigh.simulate({"v": 0.5}, 4.0, inputs={"u": "0.4*cos(t)"}, t_eval=2001)
    t, v = run["t"], run["v"]
    power = (0.4 * np.cos(t) - 0.3 * v) * v + 0.2 * np.sin(t) * run["turning"]
    from scipy.integrate import simpson

    assert run["energy"][-1] - run["energy"][0] == pytest.approx(simpson(power, x=t), rel=1e-8)
    rest = sleigh.simulate({"v": 0.0}, 4.0, inputs={"u": 0.4}, t_eval=5)
    assert rest.outcome.reached and rest["v"][-1] > 0.3 and np.isfinite(rest["theta"]).all()


def test_trains_with_blades_tend_to_the_string():
    """Trailers (blade at the rear) with order 1, blades in the middle of each rod with order 2; the speeds too."""
    sleigh = replace(SLEIGH, offset=0.15)
    for blade, order in (("l", 1), ("l/2", 2)):
        gaps = np.array([train_gap(sleigh, n, blade) for n in (3, 6)])
        assert np.all(np.abs(np.log2(gaps[0] / gaps[1]) - order) < 0.25)


@pytest.mark.slow
def test_longer_trains_show_the_orders():
    sleigh = replace(SLEIGH, offset=0.15)
    for blade, order in (("l", 1), ("l/2", 2)):
        gaps = np.array([train_gap(sleigh, n, blade) for n in (8, 16)])
        assert np.all(np.abs(np.log2(gaps[0] / gaps[1]) - order) < 0.12)


def test_a_sleighs_motion_can_be_kept(tmp_path):
    run = SLEIGH.simulate({"v": 1.0, "omega": 0.3}, 1.0, t_eval=3)
    run.save(tmp_path / "run.nc")
    assert nh.open(tmp_path / "run.nc").final == run.final
