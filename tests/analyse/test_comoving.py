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
    with pytest.raises(NonholoError, match="no steady motion, its rates are") as caught:
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
