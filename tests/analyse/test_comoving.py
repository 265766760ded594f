"""Steady motions linearised in variables that move along, against tangents along the motion and other coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import nonholo as nh
from nonholo.errors import NonholoError
from tests import systems

DISK = {"m": 1.2, "g": 9.81, "R": 0.4, "A": 0.05, "B": 0.09}
SLED = nh.System(
    name="sled in plain coordinates",
    coordinates="x y th",
    parameters={"m": 1.3, "J": 0.4},
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
    constraints=["xdot*sin(th) - ydot*cos(th)"],
)


def circling():
    """The disk leaning at 0.35 on a circle: its spin by a root of the tilt's acceleration."""
    disk = systems.falling_disk()
    model = nh.prepare(disk, DISK)
    spin = brentq(lambda s: model.rates({"theta": 0.35, "phidot": 1.7, "psidot": s})["thetadot"], -60, 60, xtol=1e-15)
    return disk, {"theta": 0.35, "phi": 0.6, "phidot": 1.7, "psidot": spin}


def test_a_disk_on_a_circle_has_a_constant_matrix_in_all_its_variables():
    disk, about = circling()
    lin = nh.linearise(disk, about, parameters=DISK, comoving=True)
    assert lin.names == ("theta", "phi", "psi", "x", "y", "thetadot", "phidot", "psidot") and lin.residual < 1e-12
    assert lin.velocity["turn"] == pytest.approx(1.7) and lin.velocity["shift_psi"] == pytest.approx(about["psidot"])
    # what the group does not touch moves by exp(A t) along the true motion: tangents in the compiled loops
    run = nh.simulate(
        disk, about, 1.3, DISK, sensitivity=["theta", "thetadot", "phidot", "psidot"], t_eval=4, rtol=1e-12, atol=1e-14
    )
    own = ["theta", "phi", "psi", "thetadot", "phidot", "psidot"]
    rows, columns = ([lin.names.index(n) for n in some] for some in (own, ["theta", "thetadot", "phidot", "psidot"]))
    for k, t in enumerate(run.times):
        flow = expm(lin.A * t)[np.ix_(rows, columns)]
        assert run.sensitivity.sel(quantity=own).values[k] == pytest.approx(flow, abs=1e-8)


def test_the_genuine_modes_are_those_with_ignorable_coordinates_left_out():
    disk, about = circling()
    whole = nh.linearise(disk, about, parameters=DISK, comoving=True).eigenvalues
    part = nh.linearise(disk, about, parameters=DISK)
    assert part.names == ("theta", "thetadot", "phidot", "psidot")
    for value in part.eigenvalues:
        assert np.min(np.abs(whole - value)) < 1e-6
    turning = [e for e in whole if abs(abs(e.imag) - 1.7) < 1e-9]
    assert len(turning) == 2  # the centre of the circle, seen by one who turns with the disk
    few = nh.linearise(disk, about, parameters=DISK, comoving=True, leave_out="all")
    assert few.names == part.names and np.max(np.abs(few.A - part.A)) < 1e-12


def test_a_rotation_matrix_tells_the_same_modes_as_angles():
    """What was a residual in R and ẋ is a constant matrix: the same disk, its orientation by nine numbers."""
    disk, about = circling()
    true = max(nh.linearise(disk, about, parameters=DISK).eigenvalues.imag)
    exhibit = nh.gallery.get("rolling-disk")
    values = {"m": 1.2, "g": 9.81, "r": 0.4, "A": 0.05, "B": 0.09}
    tilt, turn, spin = 0.35, 1.7, about["psidot"]
    # the disk's axis leans out of the level by the tilt; its plane stands upright at tilt 0
    for sense in (1, -1):
        c, s = np.cos(tilt), np.sin(tilt)
        matrix = np.array([[1.0, 0.0, 0.0], [0.0, s, -c], [0.0, c, s]])  # columns: heading, up the plane, axis
        body = {"w1": 0.0, "w2": turn * c, "w3": turn * s + sense * spin}
        start = {f"R{i + 1}{j + 1}": matrix[i, j] for i in range(3) for j in range(3)} | body
        try:
            lin = nh.linearise(exhibit.system, start, parameters=values, comoving=True)
        except NonholoError:
            continue
        assert lin.residual < 1e-9 and np.min(np.abs(lin.eigenvalues - 1j * true)) < 1e-7
        return
    raise AssertionError("no sense of the spin is steady")


def test_a_sled_in_plain_coordinates_circles_steadily():
    lin = nh.linearise(SLED, {"th": 0.3, "thdot": 0.8, "xdot": 1.2}, comoving=True)
    assert nh.linearise(SLED, {"th": 0.3, "thdot": 0.8, "xdot": 1.2}).residual > 0.1
    assert lin.residual < 1e-12 and lin.velocity["turn"] == pytest.approx(0.8)
    assert sorted(lin.eigenvalues.imag) == pytest.approx([-0.8, 0, 0, 0, 0.8], abs=1e-6)
    assert np.max(np.abs(lin.eigenvalues.real)) < 1e-6
    # the same steady motion met elsewhere has the same eigenvalues
    elsewhere = {"x": 3.0, "y": -1.0, "th": 1.2, "thdot": 0.8, "xdot": 1.2 * np.cos(1.2) / np.cos(0.3)}
    there = nh.linearise(SLED, elsewhere, comoving=True)
    assert np.poly(there.A) == pytest.approx(np.poly(lin.A), abs=1e-9)


def test_what_is_not_steady_is_said_in_one_sentence():
    sleigh = nh.gallery.get("chaplygin-sleigh")
    with pytest.raises(NonholoError, match="not a relative equilibrium, its rates are") as caught:
        nh.linearise(sleigh.system, {"omega": 1.0, "v": 0.5}, parameters=sleigh.parameters, comoving=True)
    assert "\n" not in str(caught.value)
    straight = nh.linearise(sleigh.system, {"v": 0.5, "theta": 0.4}, parameters=sleigh.parameters, comoving=True)
    m, J, a = (sleigh.parameters[n] for n in ("m", "J", "a"))
    assert min(straight.eigenvalues.real) == pytest.approx(-m * a * 0.5 / (J + m * a * a))
    lonely = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**4")
    with pytest.raises(NonholoError, match="no symmetry"):
        nh.linearise(lonely, {"q": 1.0}, comoving=True)
    with pytest.raises(NonholoError, match="by hand have no symmetry"):
        import dataclasses

        bare = dataclasses.replace(nh.hamel(lonely), system=None)
        nh.linearise(bare, {"q": 0.0, "qdot": 0.0}, comoving=True)


@pytest.mark.slow
def test_the_bicycle_straight_ahead_keeps_its_published_eigenvalues():
    from benchmarks.linearise import AT_FIVE, BICYCLE, riding

    lin = nh.linearise(nh.load(BICYCLE), riding(5.0), comoving=True)
    assert lin.residual < 1e-12 and lin.velocity["shift_x"] == pytest.approx(5.0)
    assert len(lin.names) == 10 and max(np.min(np.abs(lin.eigenvalues - e)) for e in AT_FIVE) < 1e-9


def ball_in_a_trap() -> nh.System:
    """A homogeneous ball that rolls on a plane, held by springs to a point of it; nobody prepared it."""
    return nh.System(
        name="ball in a trap",
        frame=nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.frames.Euclidean("x y"),
        parameters={"m": 1.3, "J": 0.2, "a": 0.4, "k": 5.0},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*(w1**2 + w2**2 + w3**2)/2 - k*(x**2 + y**2)/2",
        constraints=["xdot - a*w2", "ydot + a*w1"],
    )


@pytest.mark.parametrize("spin", [3.0, 17.0])
@pytest.mark.parametrize("name", ["ball on a sphere", "ball in a trap"])
def test_frequencies_about_a_spinning_ball_are_those_of_its_contact_point(name: str, spin: float) -> None:
    """A turn about the vertical and one of the ball alone carry it alike; the contact point is watched, which does not turn."""
    if name == "ball in a trap":
        system, numbers = ball_in_a_trap(), dict(ball_in_a_trap().parameters)
        steady = {"x": 0.0, "y": 0.0, "w1": 0.0, "w2": 0.0, "w3": spin}
        start, span = {**steady, "x": 1e-4}, 40.0
    else:
        exhibit = nh.gallery.get("ball-on-sphere")
        system, numbers = exhibit.system, dict(exhibit.parameters)
        spin *= 40  # fast enough to stay on top
        spin += 300
        steady = {"x": 0.0, "y": 0.0, "z": numbers["v"], "nu1": 0.0, "nu2": 0.0, "nu3": spin}
        start, span = {"x": 1e-4, "y": 0.0, "z": float(np.sqrt(numbers["v"] ** 2 - 1e-8)), "nu1": 0.0, "nu3": spin}, 40.0
    found = nh.stability(system, steady, parameters=numbers)
    run = nh.simulate(system, start, span, numbers, t_eval=4000, rtol=1e-10, atol=1e-13, progress=False)
    signal = (np.asarray(run["x"]) + 1j * np.asarray(run["y"])) * np.hanning(4000)
    size = np.abs(np.fft.fft(signal, 1 << 17))
    frequency = 2 * np.pi * np.abs(np.fft.fftfreq(1 << 17, float(run.times[1] - run.times[0])))
    peaks = (size > np.roll(size, 1)) & (size > np.roll(size, -1)) & (size > 0.1 * np.max(size))
    seen = sorted({round(float(w), 1) for w in frequency[peaks]})
    told = sorted({round(m.frequency, 1) for m in found.modes if m.frequency > 0})
    assert len(seen) == len(told)
    assert np.max(np.abs(np.array(seen) - np.array(told))) < 0.15
