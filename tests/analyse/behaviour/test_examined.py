"""Verdicts, thresholds, families and exponents against theory that was written down first: closed forms and published numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import brentq

import nonholo as nh
from tests.analyse.behaviour import examined, plain

G = 9.81


def free(found: nh.Equilibrium) -> set[str]:
    return {d.name for d in found.family if not d.symmetry}


def kinds(found: Any) -> list[tuple[str, float]]:
    return [(s.kind, pytest.approx(s.value, rel=1e-8)) for s in found.special]


def test_a_wheelset_hunts_as_klingel_says_and_rest_is_no_sheet_of_steady_motions() -> None:
    """At rest two families cross, (yaw, y) and the speed: a mixture of both is no steady motion, and backwards it runs away."""
    rolling = nh.stability(examined.WHEELSET, {"xdot": 10.0})
    assert rolling.modes[0].frequency == pytest.approx(10 * np.sqrt(0.05 / (0.46 * 0.75)), rel=1e-9)
    assert rolling.verdict == "orbitally stable" and [d.name for d in rolling.family] == ["xdot"]
    assert nh.stability(examined.WHEELSET, {"yaw": np.pi, "xdot": 10.0}).verdict == "unstable"
    for yaw in (0.0, np.pi):
        rest = nh.stability(examined.WHEELSET, {"yaw": yaw})
        assert rest.verdict == "stable up to drift along its family"
        assert {d.name for d in rest.family} == {"yaw", "y"}
        assert [z.what for z in rest.zeros if "crosses" in z.what] == ["xdot, of another family that crosses here"]
    run = nh.simulate(examined.WHEELSET, {"yaw": np.pi + 1e-3, "xdot": 0.1}, 400.0, progress=False)
    assert np.max(np.abs(run["yaw"] - np.pi)) > 1.0  # what was called "every state nearby is itself such a motion"


@pytest.mark.slow
def test_a_free_body_is_judged_by_the_square_of_its_momentum() -> None:
    """Rotations about the longest and shortest axis are stable (Euler; Arnold 1966); a wheel changes which."""
    top = nh.gallery.get("euler-top")
    moments = np.array([top.parameters[n] for n in ("I1", "I2", "I3")])
    for name, k in zip(("w1", "w2", "w3"), np.argsort(np.argsort(moments))):
        found = nh.stability(top.system, {name: 1.0}, parameters=top.parameters)
        assert found.verdict == ("unstable" if k == 1 else "orbitally stable"), name
    for wheel in (4.0, 6.0):
        found = nh.stability(examined.GYROSTAT, {"w2": 1.3, "turndot": wheel})
        H = 1.8 * 1.3 + 0.2 * wheel
        square = -(H - 1.3) * (H - 2.5 * 1.3) / 2.5
        assert (found.modes[0].eigenvalue ** 2).real == pytest.approx(square, rel=1e-9)
        assert found.verdict == ("unstable" if square > 0 else "orbitally stable")


def test_all_four_places_of_a_double_pendulum_in_cartesian_coordinates() -> None:
    """Where a rod is level xdot is no speed and its rate vanishes: that is no equilibrium, and must not catch the search."""
    found = nh.equilibria(examined.DOUBLE)
    places = sorted((round(e.state["y1"], 9), round(e.state["y2"], 9)) for e in found)
    assert places == [(-0.6, -1.5), (-0.6, 0.3), (0.6, -0.3), (0.6, 1.5)]
    assert all(abs(e.state["x1"]) + abs(e.state["x2"]) < 1e-9 for e in found)
    m, n, l, h = 0.8, 0.5, 0.6, 0.9
    mass = np.array([[(m + n) * l**2, n * l * h], [n * l * h, n * h**2]])
    squares = np.linalg.eigvals(np.linalg.solve(mass, np.diag([(m + n) * G * l, n * G * h])))
    hanging = nh.stability(examined.DOUBLE, {"y1": -0.6, "y2": -1.5}, integrals=())
    assert sorted(w.frequency**2 for w in hanging.modes) == pytest.approx(sorted(squares.real), rel=1e-9)


def test_a_pole_of_eulers_angles_is_no_place_to_judge() -> None:
    """A top that sleeps fast is stable; its Euler angles have a singular mass matrix there and would say it falls."""
    with pytest.raises(nh.StateError, match="mass matrix is singular"):
        nh.stability(examined.PRECESSION, {"nod": 0.0, "spindot": 60.0})
    assert all(abs(np.sin(e.state["nod"])) > 1e-3 for e in nh.relative_equilibria(examined.PRECESSION, count=16))


@pytest.mark.slow
def test_precession_and_nutation_of_a_heavy_top() -> None:
    A, C, weight, nod, spin = 0.021, 0.013, 0.6 * G * 0.11, 0.7, 60.0
    slow = min(np.roots([(A - C) * np.cos(nod), -C * spin, weight]))
    (steady,) = nh.relative_equilibria(examined.PRECESSION)
    assert free(steady) == {"nod", "spindot"} and steady.state["turndot"] == pytest.approx(slow, rel=1e-9)
    p = C * (spin + slow * np.cos(nod))
    q = A * slow * np.sin(nod) ** 2 + p * np.cos(nod)

    def force(x: float) -> float:
        return (q - p * np.cos(x)) * (p - q * np.cos(x)) / (A * np.sin(x) ** 3) - weight * np.sin(x)

    bend = (force(nod + 1e-5) - force(nod - 1e-5)) / 2e-5
    found = nh.stability(examined.PRECESSION, steady)
    assert found.verdict == "orbitally stable" and found.modes[0].frequency == pytest.approx(np.sqrt(bend / A), rel=1e-6)


def test_zieglers_rods_flutter_earlier_with_friction_than_without() -> None:
    without = nh.branch(examined.ZIEGLER, {}, along="P", until=4.0)
    assert kinds(without) == [("collision", 3.5 - np.sqrt(2))]
    little = nh.branch(examined.ZIEGLER, {}, along="P", until=4.0, parameters={"d": 0.05, "P": 0.5})
    assert kinds(little) == [("Hopf point", 41 / 28 + 0.05**2 / 2)]
    words = str(nh.boundaries(examined.ZIEGLER, {}, parameters={"d": 0.1}, symbolic=("P", "d")))
    assert "-28*P + 14*d**2 + 41 > 0" in words and "agree" in words
    left_out = nh.boundaries(examined.ZIEGLER, {})
    assert left_out.kind == "oscillating" and left_out.evidence.endswith("agree; with d = 0")
    values = {"M": 2, "N": 1, "l": 1, "k": 1}
    told = [c.subs(values) for c in left_out.conditions]
    roots = [float(r) for c in told if c.free_symbols for r in sp.real_roots(c)]
    assert min(roots) == pytest.approx(3.5 - np.sqrt(2), rel=1e-12)


def test_a_shaft_whirls_and_a_car_leaves_its_course_beyond_their_speeds() -> None:
    shaft = nh.branch(examined.SHAFT, {}, along="W", until=120.0)
    assert kinds(shaft) == [("Hopf point", np.sqrt(940 / 2.3) * (1 + 3.1 / 1.7))]
    assert (shaft.unstable[0], shaft.unstable[-1]) == (0, 2)
    (course,) = nh.relative_equilibria(examined.CAR)  # told once, whatever its heading and the speeds it is found in
    assert nh.stability(examined.CAR, course).verdict == "asymptotically stable"
    V = 20.0
    rates = np.array([[-140000 / V, -(1.3 * 90000 - 1.4 * 50000) / V], [-(1.3 * 90000 - 1.4 * 50000) / V, 0.0]])
    rates[1, 1] = -(1.3**2 * 90000 + 1.4**2 * 50000) / V
    wanted = np.linalg.eigvals(np.array([[1 / 1300.0], [1 / 1900.0]]) * (rates + np.array([[0, -1300.0 * V], [0, 0]])))
    found = nh.stability(examined.CAR, course)
    assert np.sort([m.rate for m in found.modes]) == pytest.approx(np.sort(wanted.real), rel=1e-9)
    along = nh.branch(examined.CAR, {"Xdot": 20.0}, along="V", until=60.0)
    assert kinds(along) == [("branch point", np.sqrt(90000 * 50000 * 2.7**2 / (1300 * (1.3 * 90000 - 1.4 * 50000))))]


@pytest.mark.parametrize("units", [(1e3, 1e3, 1e3), (1e-3, 1e-3, 1e-3), (1e6, 1, 1), (1e-6, 1, 1), (1, 1, 1e4), (1, 1, 1e-4)])
def test_metres_or_millimetres_give_the_same_modes_and_zeros(units: tuple[float, float, float]) -> None:
    """A caster that shimmies was "partially asymptotically stable" in long units, a damped sleigh "drifting" in millimetres."""
    length, mass, inertia, speed = (1, 0, 0), (0, 1, 0), (2, 1, 0), (1, 0, -1)
    caster = {"m": mass, "J": inertia, "c": length, "a": length, "k": (0, 1, -2), "V": speed}
    damped = {"M": mass, "J": inertia, "m": mass, "b": length, "k": (0, 1, -2), "c": (0, 1, -1), "xdot": speed}
    car = {"m": mass, "J": inertia, "F": (1, 1, -2), "R": (1, 1, -2), "p": length, "q": length, "V": speed, "Xdot": speed}
    for system, powers in ((plain.CASTER, caster), (plain.DAMPED, damped), (examined.CAR, car)):
        own = nh.stability(system, dict(system.start), integrals=())
        other = examined.other_units(system, *units, powers)
        found = nh.stability(other, dict(other.start), integrals=())
        assert found.verdict == own.verdict and [z.kind for z in found.zeros] == [z.kind for z in own.zeros]
        values, wanted = (np.sort_complex([m.eigenvalue for m in one.modes]) for one in (found, own))
        assert values * units[2] == pytest.approx(wanted, rel=1e-6, abs=1e-6)


def test_traps_saddles_and_satellites_hold_where_theory_says() -> None:
    trap = nh.branch(examined.PENNING, {}, along="B", until=0.5)
    assert kinds(trap) == [("collision", 1.4 * 0.9 * np.sqrt(2))]
    saddle = nh.branch(examined.SADDLE, {}, along="W", until=0.5)
    assert kinds(saddle) == [("branch point", np.sqrt(1.9))]
    assert [str(c) for c in nh.boundaries(examined.SADDLE, {}).conditions] == ["W**2 - k", "W**2 + k"]
    rubbed = nh.stability(examined.SADDLE, {}, parameters={"c": 1e-4})
    assert rubbed.verdict == "unstable" and 0 < rubbed.rate < 2e-4
    found = nh.equilibria(examined.MOON)
    mu = 0.01215058560962404

    def pull(x: float) -> float:
        return x - (1 - mu) * np.sign(x + mu) / (x + mu) ** 2 - mu * np.sign(x - 1 + mu) / (x - 1 + mu) ** 2

    collinear = [brentq(pull, *ends, xtol=1e-14) for ends in ((-2.0, -0.5), (0.5, 0.95), (1.02, 2.0))]
    assert sorted(e.state["x"] for e in found if abs(e.state["y"]) < 1e-9) == pytest.approx(collinear, abs=1e-10)
    assert sorted(e.state["y"] for e in found if abs(e.state["y"]) > 0.1) == pytest.approx([-np.sqrt(0.75), np.sqrt(0.75)])
    triangle = {"x": 0.5 - 0.01215058560962404, "y": np.sqrt(0.75)}
    along = nh.branch(examined.MOON, triangle, along="mu", until=0.06)
    assert kinds(along) == [("collision", (1 - np.sqrt(23 / 27)) / 2)]


@pytest.mark.slow
def test_an_ion_circles_in_two_ways() -> None:
    """The magnetron and the cyclotron frequency, one family each; axial and the difference of both are the modes."""
    w, half = 0.9, 2.5 / 1.4 / 2
    root = np.sqrt(half**2 - w**2 / 2)
    circles = [e for e in nh.relative_equilibria(examined.PENNING, where={"x": (-3, 3), "y": (-3, 3)}) if e.velocity]
    assert sorted({round(abs(e.velocity["turn"]), 9) for e in circles}) == pytest.approx([half - root, half + root], rel=1e-8)
    for one in circles:
        found = nh.stability(examined.PENNING, one)
        assert found.verdict == "orbitally stable"
        assert sorted(m.frequency for m in found.modes) == pytest.approx([w, 2 * root], rel=1e-9)


def test_springs_on_heisenbergs_particle_prove_nothing_away_from_the_middle() -> None:
    """At z = 0 the energy is definite; at z = 1/2 and a = b the linear motion grows like the time: nothing proves it stable."""
    assert nh.stability(examined.HEISENBERG, {"z": 0.0}).verdict == "orbitally stable"
    for values in ({}, {"b": 2.0}):
        found = nh.stability(examined.HEISENBERG, {"z": 0.5}, parameters=values)
        assert found.verdict == "spectrally stable, not decided" and [d.name for d in found.family] == ["z"]
    run = nh.simulate(examined.HEISENBERG, {"z": 0.5, "y": 1e-4}, 200.0, {"b": 2.0}, rtol=1e-10, atol=1e-14)
    assert np.max(np.abs(run["x"])) > 10 * 1e-4


def test_a_hanging_body_with_drag_settles_onto_its_spins_and_a_motor_keeps_a_rod_up() -> None:
    down = nh.stability(examined.HANGING, {})
    assert down.verdict == "partially asymptotically stable" and [d.name for d in down.family] == ["r"]
    weight = 1.1 * G * 0.35
    wanted = [np.roots([0.31, 0.12, weight])[0], np.roots([0.42, 0.21, weight])[0]]
    assert sorted(abs(m.eigenvalue) for m in down.modes) == pytest.approx(sorted(abs(e) for e in wanted), rel=1e-9)
    M, m, l, K, a, b, c, R = 1.1 + 0.01 / 0.12**2, 3.0, 0.5, 0.2, 45.0, 9.0, 2.0, 0.12
    mass = np.array([[M + m, m * l], [m * l, m * l**2 + K]])
    push = np.array([[a / R, c / R, b / R], [m * G * l - a, -c, -b]])  # of tilt, sdot, tiltdot
    solved = np.linalg.solve(mass, push)
    matrix = np.array([[0, 0, 1], solved[0], solved[1]])
    upright = nh.stability(examined.BALLBOT, {})
    assert upright.verdict == "asymptotically stable"
    assert np.sort([e.rate for e in upright.modes]) == pytest.approx(np.sort(np.linalg.eigvals(matrix).real), rel=1e-9)


@pytest.mark.slow
def test_trailers_with_links_pendula_under_a_trolley_and_a_bead_on_a_turning_rod() -> None:
    (pulled,) = nh.relative_equilibria(examined.LINKED)
    found = nh.stability(examined.LINKED, pulled)
    assert found.verdict == "partially asymptotically stable" and free(pulled) == {"Xdot", "pdot"}
    assert [m.rate for m in found.modes] == pytest.approx([-1.5 / 0.8], rel=1e-9)
    assert all(z.value == 0 for z in found.zeros)  # no rounding told as a rate
    (turning,) = nh.relative_equilibria(examined.ROTATING_SPRING)
    assert turning.state["x"] == pytest.approx(12 * 0.7 / (12 - 0.4 * 9), rel=1e-9)
    assert nh.stability(examined.ROTATING_SPRING, turning).modes[0].frequency == pytest.approx(np.sqrt(12 / 0.4 - 9), rel=1e-9)
    M, m, n, l, h = 1.9, 0.6, 0.9, 0.7, 0.45
    rolling = [e for e in nh.relative_equilibria(examined.TWO_PENDULA) if e.velocity]
    assert sorted((round(e.state["a"], 4), round(e.state["b"], 4)) for e in rolling) == [
        (0.0, 0.0), (0.0, 3.1416), (3.1416, 0.0), (3.1416, 3.1416),
    ]  # fmt: skip
    for one in rolling:
        u, v = np.cos(one.state["a"]), np.cos(one.state["b"])
        mass = np.array([[M + m + n, m * l * u, n * h * v], [m * l * u, m * l**2, 0], [n * h * v, 0, n * h**2]])
        squares = np.linalg.eigvals(np.linalg.solve(mass, -np.diag([0, m * G * l * u, n * G * h * v]))).real
        wanted = sorted(np.sqrt(squares[np.abs(squares) > 1e-9].astype(complex)), key=lambda e: (e.real, e.imag))
        told = {complex(round(e.real, 8), round(e.imag, 8)) for e in nh.stability(examined.TWO_PENDULA, one).eigenvalues}
        assert all(any(abs(w - t) < 1e-7 for t in told) for w in wanted)


def bicycle(v: float, c: float) -> NDArray[np.complex128]:
    """Eigenvalues of the linear equations of Meijaard et al. 2007, appendix A, for point masses on skates."""
    g, w, tilt, mb, xb, zb, mh, xh, zh = G, 1.0, 0.08726646259971647, 10.0, 1.2, -0.4, 1.0, 1.02, -0.2
    first, height = xb * mb + xh * mh, zb * mb + zh * mh
    ixx, ixz, izz = mb * zb**2 + mh * zh**2, -mb * xb * zb - mh * xh * zh, mb * xb**2 + mh * xh**2
    arm = (xh - w - c) * np.cos(tilt) - zh * np.sin(tilt)
    mu = c / w * np.cos(tilt)
    s, cosine = mh * arm + mu * first, np.cos(tilt) / w
    across = -mh * arm * zh + mu * ixz
    mass = np.array([[ixx, across], [across, mh * arm**2 + 2 * mu * mh * arm * xh + mu**2 * izz]])
    weight = np.array([[height, -s], [-s, -s * np.sin(tilt)]])
    fast = np.array([[0, -height * cosine], [0, s * cosine]])
    drag = np.array([[0, ixz * cosine - mu * height], [0, mh * arm * xh * cosine + mu * (s + izz * cosine)]])
    low = [-np.linalg.solve(mass, g * weight + v**2 * fast), -np.linalg.solve(mass, v * drag)]
    return np.sort_complex(np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], low])))


@pytest.mark.slow
def test_a_bicycle_of_two_masses_on_skates_is_stable_above_the_speed_of_its_linear_equations() -> None:
    for v, c in ((4.0, 0.02), (5.0, 0.02), (4.0, -0.02)):
        found = nh.stability(examined.SKATES, {"xdot": v}, parameters={"c": c})
        told = [m.eigenvalue for m in found.modes] + [m.eigenvalue.conjugate() for m in found.modes if m.frequency]
        assert np.sort_complex(told) == pytest.approx(bicycle(v, c), rel=1e-9, abs=1e-9)
        assert found.verdict == ("partially asymptotically stable" if (v, c) == (5.0, 0.02) else "unstable")
    along = nh.branch(examined.SKATES, {"xdot": 6.0}, along="xdot", until=0.5)
    (hopf,) = along.special
    assert hopf.kind == "Hopf point" and np.max(bicycle(hopf.value, 0.02).real) == pytest.approx(0.0, abs=1e-8)


@pytest.mark.slow
def test_an_egg_sleeps_on_its_end_above_rouths_spin_and_a_disk_stands_on_a_slope() -> None:
    A, C, m, a, rho = 0.0011, 0.0008, 0.4, 0.07, 0.05**2 / 0.07
    critical = np.sqrt(4 * (A + m * a**2) * m * G * (a - rho)) / (C + m * rho * a)
    along = nh.branch(examined.EGG, {"w": 60.0}, along="w", until=10.0)
    assert kinds(along) == [("collision", critical)]
    upright, lying = nh.equilibria(examined.EGG)
    assert nh.stability(examined.EGG, upright).rate == pytest.approx(np.sqrt(m * G * (a - rho) / (A + m * a**2)), rel=1e-9)
    assert nh.stability(examined.EGG, lying).verdict == "orbitally stable"
    stands = [e for e in nh.equilibria(examined.INCLINE) if e.state["theta"] > 0]
    assert sorted((round(e.state["psi"], 6), round(e.state["theta"], 6)) for e in stands) == [
        (0.0, round(np.pi / 2 - 0.15, 6)), (round(np.pi, 6), round(np.pi / 2 + 0.15, 6)),
    ]  # fmt: skip
    for one in stands:
        falls = nh.stability(examined.INCLINE, one)
        assert falls.rate == pytest.approx(np.sqrt(1.3 * G * 0.4 / (0.055 + 1.3 * 0.16)), rel=1e-9)


@pytest.mark.slow
def test_published_exponents_and_orbits() -> None:
    """Sprott 2003; Arenstorf 1963; the figure eight's stability by Simó 2002."""
    for system, wanted in ((examined.UEDA, 0.1034), (examined.SHAKEN, 0.1400)):
        found = nh.lyapunov(system, None, 30000.0)
        assert abs(found.exponents[0] - wanted) < 3 * found.errors[0] and found.errors[0] < 0.005
    closed = nh.orbit(
        examined.MOON, {"x": 0.994, "ydot": -2.00158510637908252240537862224}, period=17.0652, parameters={"mu": 0.012277471}
    )
    assert closed.period == pytest.approx(17.0652165601579625, rel=1e-9) and closed.verdict == "unstable"
    eight = nh.orbit(examined.THREE, period=6.3259)
    assert eight.period == pytest.approx(6.32591398, rel=1e-7)
    turns = sorted(abs(np.angle(e)) / (2 * np.pi) for e in eight.multipliers if abs(abs(e) - 1) < 1e-4 and abs(e - 1) > 1e-3)
    assert turns == pytest.approx([0.00842272, 0.00842272, 0.29809253, 0.29809253], abs=1e-6)
