"""Frequencies of motions by NAFF against closed forms and periodic orbits; motions seen from moving frames."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh

WINCH = nh.System(
    name="blade with a load", coordinates="r th x y", parameters="m M J k", constraints=["ydot*cos(th) - xdot*sin(th)"],
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thdot**2 + m/2*((xdot + rdot*cos(th) - r*thdot*sin(th))**2"
    " + (ydot + rdot*sin(th) + r*thdot*cos(th))**2) - k/4*r**4", symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip
PARAMETERS = {"m": 0.7, "M": 1.4, "J": 0.6, "k": 2.1}
HILLS = nh.System(name="two wells", coordinates="x y", lagrangian="(xdot**2 + ydot**2 - x**2 - y**2)/2 - x**2*y + y**3/3")
PENDULUM = nh.System(name="pendulum on a spring", coordinates="q s", lagrangian="(qdot**2 + sdot**2)/2 + 2*cos(q) - 3*s**2/2")


def test_lines_of_a_known_signal_have_honest_error_bars() -> None:
    t = np.linspace(0.0, 300.0, 6001)
    w1, w2 = 1.0, (5**0.5 - 1) / 2
    signal = np.exp(1j * w1 * t) + 0.4 * np.exp(-1j * w2 * t + 0.3j) + 0.05 * np.exp(1j * (2 * w1 + w2) * t) + 0.7
    from nonholo.analyse.chaos.frequency_analysis import analysed

    found = analysed(t, signal, ("z",))
    strong = {round(l.frequency, 4): l for l in found.lines[:4]}
    assert strong[1.0].frequency == pytest.approx(w1, abs=1e-9) and strong[1.0].amplitude == pytest.approx(1.0, rel=1e-6)
    assert strong[-0.618].frequency == pytest.approx(-w2, abs=1e-9) and strong[-0.618].phase == pytest.approx(0.3, abs=1e-5)
    assert len(found.basis) == 2 and found.quasi_periodic
    (ratio, error), = found.rotation_numbers
    assert ratio == pytest.approx(-w2, abs=max(error, 1e-9))


def test_pendulum_and_spring_have_the_frequencies_of_their_closed_forms() -> None:
    from scipy.special import ellipk

    run = nh.simulate(PENDULUM, {"q": 1.2, "s": 0.3}, 400.0, t_eval=8001, rtol=1e-11, atol=1e-12)
    exact = np.pi * 2**0.5 / (2 * ellipk(np.sin(0.6) ** 2))
    found = nh.frequencies(run, "q")
    assert found.basis[0] == pytest.approx(exact, abs=1e-8) and len(found.basis) == 1
    assert nh.frequencies(run, "s").basis[0] == pytest.approx(3**0.5, abs=1e-9)


@pytest.mark.slow
def test_a_relative_orbit_has_the_frequencies_of_its_period_and_turn() -> None:
    """Two-dimensional tori of BMZ 2009, Theorem 6.1, for another load: NAFF against the phase of the periodic orbit."""
    orbit = nh.orbit(WINCH, {"rdot": 0.8, "thdot": 0.5, "xdot": 0.3}, parameters=PARAMETERS)
    assert orbit
    until = 50 * orbit.period
    run = nh.simulate(WINCH, {n: orbit.state[n] for n in orbit.names}, until, PARAMETERS, t_eval=5001, rtol=1e-11, atol=1e-12)
    found = nh.frequencies(run, "x", "y")
    assert found.quasi_periodic and len(found.basis) == 2
    turn, beat = orbit.shift["turn"] / orbit.period, 2 * np.pi / orbit.period
    (one, gap), (two, other) = found.contains(turn), found.contains(beat)
    assert max(gap, other) < 1e-7
    assert abs(np.linalg.det([one, two])) == pytest.approx(1.0)  # the same lattice of frequencies
    shape = nh.frequencies(run, "r")
    assert len(shape.basis) == 1 and shape.basis[0] == pytest.approx(beat, abs=1e-8)

    # seen from the frame that moves with it the picture closes
    view = run.seen_from(orbit)
    steps = 100
    for n in ("x", "y", "th"):
        values = np.asarray(view[n])
        assert np.max(np.abs(values[steps:] - values[:-steps])) < 1e-6
        assert np.ptp(np.asarray(run[n])) > np.ptp(values) > 1e-2
    still = np.asarray(view["x"])
    rates = np.gradient(still, np.asarray(run.times))
    assert np.max(np.abs(rates[5:-5] - np.asarray(view["xdot"])[5:-5])) < 1e-2


@pytest.mark.slow
def test_chaos_is_not_called_quasi_periodic() -> None:
    def run(y: float, speed: float, energy: float) -> nh.Trajectory:
        along = (2 * energy - speed**2 - y**2 + 2 * y**3 / 3) ** 0.5
        return nh.simulate(HILLS, {"y": y, "ydot": speed, "xdot": along}, 1000.0, t_eval=8001, rtol=1e-10, atol=1e-11)

    assert nh.frequencies(run(0.1, 0.05, 1 / 12), "x").quasi_periodic
    assert nh.frequencies(run(-0.1, 0.1, 1 / 6), "x").quasi_periodic.verdict == "fails"
    assert nh.frequencies(run(0.1, 0.1, 1 / 12), "x").quasi_periodic.verdict != "fails"  # close lines: regular, hard to resolve


def test_a_turning_frame_is_the_one_of_the_formula() -> None:
    """A free point seen from a plane that turns: x' = x cos ωt + y sin ωt."""
    point = nh.System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2")
    run = nh.simulate(point, {"x": 1.0, "xdot": 0.3, "ydot": -0.5, "thdot": 0.4}, 5.0, t_eval=51)
    view = run.seen_from({"turn": 0.8}, symmetry=nh.planar_motion("x", "y", "th"))
    t = np.asarray(run.times)
    x, y = np.asarray(run["x"]), np.asarray(run["y"])
    assert np.asarray(view["x"]) == pytest.approx(x * np.cos(0.8 * t) + y * np.sin(0.8 * t))
    assert np.asarray(view["th"]) == pytest.approx(np.asarray(run["th"]) - 0.8 * t)
    assert view.final["th"] == pytest.approx(0.4 * 5 - 0.8 * 5) and view.names == run.names


def test_a_helix_seen_from_a_frame_that_screws_is_a_point() -> None:
    """Uniform motion on a cylinder, in other coordinates: the group element leaves it at rest."""
    tube = nh.System(coordinates="f z", lagrangian="(R**2*fdot**2 + zdot**2)/2", parameters={"R": 0.7})
    symmetry = nh.Symmetry({"screw": {"f": "1", "z": "0.4"}})
    run = nh.simulate(tube, {"f": 0.3, "z": -0.2, "fdot": 1.1, "zdot": 0.44}, 6.0, t_eval=31)
    view = run.seen_from({"screw": 1.1}, symmetry=symmetry)
    assert np.ptp(np.asarray(view["f"])) < 1e-9 and np.ptp(np.asarray(view["z"])) < 1e-9
    assert view.final["zdot"] == pytest.approx(0.0, abs=1e-9) and np.ptp(np.asarray(run["z"])) > 2


def test_a_pendulum_in_space_closes_in_the_frame_of_its_orbit() -> None:
    """Its path in the plane precesses; turned back by the phase of the period it is one closed curve, in a film too."""
    bob = nh.System(
        name="bob", coordinates="th f", lagrangian="(thdot**2 + sin(th)**2*fdot**2)/2 + 9.81*cos(th)", symmetry=nh.rotation("f")
    )
    orbit = nh.orbit(bob, {"th": 0.9, "thdot": 0.0, "fdot": 2.1})
    assert orbit
    run = nh.simulate(bob, {n: orbit.state[n] for n in orbit.names}, 6 * orbit.period, t_eval=241, rtol=1e-11, atol=1e-12)
    view = run.seen_from(orbit)
    x, y = (np.sin(np.asarray(view["th"])) * wave(np.asarray(view["f"])) for wave in (np.cos, np.sin))
    assert max(np.max(np.abs(x[40:] - x[:-40])), np.max(np.abs(y[40:] - y[:-40]))) < 1e-7
    x0 = np.sin(np.asarray(run["th"])) * np.cos(np.asarray(run["f"]))
    assert np.max(np.abs(x0[40:] - x0[:-40])) > 0.05


def test_bad_words_are_refused_in_a_line() -> None:
    run = nh.simulate(PENDULUM, {"q": 1.0}, 5.0, t_eval=41)
    with pytest.raises(nh.StateError, match="evenly spaced"):
        nh.frequencies(run, "q")
    with pytest.raises(nh.ModelError, match="one quantity, or two"):
        nh.frequencies(run)
    with pytest.raises(nh.ModelError, match="no symmetry is declared"):
        run.seen_from({"turn": 1.0})
    with pytest.raises(nh.ModelError, match="no generator 'spin'"):
        run.seen_from({"spin": 1.0}, symmetry=nh.rotation("q"))
    with pytest.raises(nh.ModelError, match="where a frame was needed"):
        run.seen_from(3.0)
    with pytest.raises(nh.ModelError, match="not affine"):
        run.seen_from({"bend": 1.0}, symmetry=nh.Symmetry({"bend": {"q": "s**2"}}))
