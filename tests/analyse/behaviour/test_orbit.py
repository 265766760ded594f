"""Orbits against elliptic integrals, published numbers, and motions computed without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.analyse.behaviour import plain

SWING = nh.System(name="pendulum", coordinates="q", lagrangian="qdot**2/2 + w**2*cos(q)", parameters={"w": 2.0})
RELAXING = nh.System(
    name="Van der Pol",
    coordinates="q",
    lagrangian="qdot**2/2 - q**2/2",
    forces={"q": "mu*(1 - q**2)*qdot"},
    parameters={"mu": 1.0},
)


def mean(a: float, b: float) -> float:
    """Gauss's arithmetic–geometric mean."""
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, (a * b) ** 0.5
    return a


def by_differences(system: Any, orbit: Any, step: float = 1e-5) -> Any:
    """The eigenvalues of the return map, by differences of simulated motions; for orbits without symmetry."""
    names = orbit.names
    at = np.array([orbit.state[n] for n in names])

    def after(state: Any) -> Any:
        start = dict(zip(names, state.tolist()))
        run = nh.simulate(system, start, orbit.period, dict(orbit.parameters), rtol=1e-12, atol=1e-14)
        return np.array([run.final[n] for n in names])

    columns = [(after(at + step * e) - after(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    return np.linalg.eigvals(np.array(columns).T)


def same_numbers(one: Any, two: Any) -> float:
    """The largest distance between two sets of numbers, each with its partner."""
    from scipy.optimize import linear_sum_assignment

    cost = np.abs(np.asarray(one)[:, None] - np.asarray(two)[None, :])
    assert cost.shape[0] == cost.shape[1]
    return float(np.max(cost[linear_sum_assignment(cost)]))


# -- one degree of freedom: closed forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("amplitude", [0.3, 1.0, 2.9])
def test_a_pendulum_swings_with_gauss_s_period(amplitude: float) -> None:
    found = nh.orbit(SWING, {"q": amplitude})
    assert found and found.period == pytest.approx(2 * np.pi / 2.0 / mean(1.0, np.cos(amplitude / 2)), rel=1e-10)
    assert found.state["q"] == pytest.approx(amplitude, abs=1e-8)  # the orbit through the guess, not one beside it
    assert found.verdict == "orbitally stable" and len(found.genuine) == 0
    assert [one.kind for one in found.trivial] == ["flow", "family"] and "energy, period" in found.trivial[1].what
    assert np.all(found.multipliers == 1)


def test_a_pendulum_that_goes_over_the_top_closes_after_a_turn() -> None:
    """``T = 2π/(ω … )``: with ``k² = 4ω²/v²`` at the bottom, ``T = 4 K(k)/v``."""
    found = nh.orbit(SWING, {"q": 0.0, "qdot": 5.0})
    assert found.turns == {"q": 1}
    k = 2 * 2.0 / 5.0
    assert found.period == pytest.approx(4 / 5.0 * np.pi / 2 / mean(1.0, np.sqrt(1 - k**2)), rel=1e-9)


@pytest.mark.slow
def test_the_member_of_a_family_can_be_chosen() -> None:
    found = nh.orbit(SWING, {"q": 1.0}, hold={"energy": -1.0})
    amplitude = np.arccos(0.25)
    assert found.period == pytest.approx(np.pi / mean(1.0, np.cos(amplitude / 2)), rel=1e-9)
    other = nh.orbit(SWING, {"q": 1.0}, hold={"period": 4.0})
    assert other.period == pytest.approx(4.0, abs=1e-9) and other.run.drift("energy") < 1e-9
    assert nh.orbit(SWING, {"q": 1.0}, hold={"w": 1.0}).period == pytest.approx(2 * np.pi / mean(1.0, np.cos(0.5)), rel=1e-9)


@pytest.mark.parametrize("guess", [{"q": 1.9}, {"q": 0.05}])
def test_van_der_pol(guess: dict[str, float]) -> None:
    """T(1) = 6.6632868593231301897 [e.g. Amore, Boyd, Fernández 2018]; the multiplier by Liouville, ``exp ∮ μ (1 − q²) dt``."""
    found = nh.orbit(RELAXING, guess)
    assert found.period == pytest.approx(6.66328685932313, rel=1e-11)
    assert found.verdict == "asymptotically orbitally stable" and [one.kind for one in found.trivial] == ["flow"]
    run, t = found.run, found.run.times
    from scipy.integrate import simpson

    assert found.genuine[0].real == pytest.approx(np.exp(simpson(1 - run["q"] ** 2, x=t)), rel=1e-5)
    late = nh.orbit(RELAXING, nh.simulate(RELAXING, {"q": 1.0}, 30.0))
    assert late.period == pytest.approx(found.period, rel=1e-11)


def test_two_circles_with_known_multipliers_meet_in_a_fold() -> None:
    """``exp(−2π E D'(E))`` with ``E = 1 ± √(1 − μ)`` by hand."""
    outer = nh.orbit(plain.RINGS, {"q": np.sqrt(3.0)})
    inner = nh.orbit(plain.RINGS, {"q": 1.0})
    for found, E in ((outer, 1.5), (inner, 0.5)):
        assert found.period == pytest.approx(2 * np.pi, rel=1e-10)
        assert found.genuine[0].real == pytest.approx(np.exp(-2 * np.pi * E * (2 * E - 2)), rel=1e-7)
    assert outer.verdict == "asymptotically orbitally stable" and inner.verdict == "unstable"
    family = outer.family(along="mu", until=1.5)
    assert family.outcome.startswith("turns back") and [s.kind for s in family.special][:1] == ["fold"]
    fold = family.special[0]
    assert fold.value == pytest.approx(1.0, abs=1e-8) and fold.multiplier.real == pytest.approx(1.0, abs=1e-3)
    assert family.unstable[0] == 0 and family.unstable[-1] == 1


# -- multipliers ------------------------------------------------------------------------------------------------------------


def test_mathieu_s_tongues_are_found_where_they_are_tabulated() -> None:
    """Characteristic values b₁, a₁ (period doubling), b₂, a₂ (branch points) of Mathieu's equation, by SciPy's series."""
    from scipy.special import mathieu_a, mathieu_b

    rest = nh.orbit(plain.PUMPED, {"x": 0.0})
    assert rest.period == pytest.approx(np.pi, rel=1e-12) and rest.turns == {"tau": 1}
    assert rest.verdict == "spectrally stable, not decided"
    family = rest.family(along="a", until=6.0)
    assert family.outcome == "reached" and [s.kind for s in family.special] == ["period doubling"] * 2 + ["branch point"] * 2
    wanted = [mathieu_b(1, 0.5), mathieu_a(1, 0.5), mathieu_b(2, 0.5), mathieu_a(2, 0.5)]
    assert [s.value for s in family.special] == pytest.approx(wanted, rel=1e-9)
    inside = (family.values > wanted[0]) & (family.values < wanted[1])
    assert np.all(family.unstable[inside] == 1) and not np.any(family.unstable[family.values < wanted[0]])


def test_a_pair_leaves_the_unit_circle_where_the_drag_changes_sign() -> None:
    """The product of both multipliers is ``exp(−c T)`` by Liouville: a pair passes the circle at c = 0 exactly."""
    damped = nh.orbit(plain.PUMPED, {"x": 0.0}, parameters={"c": 0.2})
    assert damped.verdict == "asymptotically orbitally stable"
    assert abs(np.prod(damped.genuine)) == pytest.approx(np.exp(-0.2 * np.pi), rel=1e-9)
    family = damped.family(along="c", until=-0.1)
    (passed,) = family.special
    assert passed.kind == "Neimark–Sacker point" and passed.value == pytest.approx(0.0, abs=1e-9)
    assert family.unstable[0] == 0 and family.unstable[-1] == 2


@pytest.mark.slow
def test_henon_and_heiles_straight_orbit_branches_where_hill_s_equation_says() -> None:
    """The cascade of [Brack 2001, Found. Phys. 31, 209]: ``ẍ + (1 + 2 y(t)) x = 0`` has trace ±2, integrated by SciPy alone."""
    from scipy.integrate import solve_ivp

    def hill(t: float, s: Any) -> list[float]:
        y, v, a, b, c, d = s
        return [v, -y + y * y, b, -(1 + 2 * y) * a, d, -(1 + 2 * y) * c]

    found = nh.orbit(plain.HENON, {"x": 0.0, "y": 0.4})
    family = found.family(along="energy", until=0.165)
    assert [s.kind for s in family.special] == ["period doubling", "period doubling", "branch point", "branch point"]
    for one in family.special:
        start = [one.state["y"], one.state["ydot"], 1.0, 0.0, 0.0, 1.0]
        end = solve_ivp(hill, (0, one.period), start, rtol=1e-12, atol=1e-13).y[:, -1]
        assert end[:2] == pytest.approx(start[:2], abs=1e-8)
        assert end[2] + end[5] == pytest.approx(-2.0 if one.kind == "period doubling" else 2.0, abs=1e-6)


def test_multipliers_are_those_of_the_simulated_return() -> None:
    for system, guess, count in ((plain.SPRING, {"y": -1.13}, 2), (plain.WELLS, {"x": 1.2}, 2), (plain.RINGS, {"q": 1.7}, 1)):
        found = nh.orbit(system, guess)
        assert found and len(found.genuine) == count
        # the characteristic polynomial: ones of a block are split by roots of the error, its coefficients are not
        assert np.poly(found.multipliers) == pytest.approx(np.poly(by_differences(system, found)), abs=2e-6), system.name


def test_a_spring_pendulum_loses_its_vertical_swing_as_hill_s_equation_says() -> None:
    """``ẍ + (k/m)(1 − l/r(t)) x = 0`` with ``r = l + m g/k + A cos ωt``, integrated by SciPy alone."""
    from scipy.integrate import solve_ivp

    m, g, k, l = (plain.SPRING.parameters[n] for n in ("m", "g", "k", "l"))
    w, A = np.sqrt(k / m), 1.13 - l - m * g / k

    def hill(t: float, x: Any) -> list[float]:
        return [x[1], -k / m * (1 - l / (l + m * g / k + A * np.cos(w * t))) * x[0]]

    columns = [solve_ivp(hill, (0, 2 * np.pi / w), e, rtol=1e-12, atol=1e-13).y[:, -1] for e in ((1.0, 0.0), (0.0, 1.0))]
    found = nh.orbit(plain.SPRING, {"y": -1.13})
    assert found.period == pytest.approx(2 * np.pi / w, rel=1e-10) and found.verdict == "unstable"
    assert same_numbers(found.genuine, np.linalg.eigvals(np.array(columns).T)) < 1e-7


# -- closed modulo the symmetry ---------------------------------------------------------------------------------------------


def events_of(system: Any, start: dict[str, float], event: str, until: float, direction: int = 0) -> Any:
    run = nh.simulate(system, start, until, rtol=1e-12, atol=1e-14, events=[nh.Event(event, direction=direction)])
    return next(iter(run.events.values()))


def test_a_rolling_disk_nutates_with_the_period_between_turning_points() -> None:
    start = {"theta": 1.3, "phidot": 5.0, "psidot": 0.3}
    found = nh.orbit(plain.DISK, start)
    turning = events_of(plain.DISK, start, "thetadot", 2.5)
    turning = turning[turning > 1e-6]
    assert found.period == pytest.approx(turning[3] - turning[1], rel=1e-9)
    end = nh.simulate(plain.DISK, start, found.period, rtol=1e-12, atol=1e-14).final
    turn = next(e for n, e in found.shift.items() if n == "turn")
    # the generator "turn" goes with psi, whichever way it is written
    assert abs(turn) == pytest.approx(abs(end["psi"]), abs=1e-7)
    assert found.shift["shift_phi"] == pytest.approx(end["phi"], abs=1e-7)
    kinds = [one.kind for one in found.trivial]
    assert kinds.count("symmetry") == 4 and kinds.count("family") == 3 and len(found.genuine) == 0
    turned = [complex(one.value) for one in found.trivial if abs(complex(one.value).imag) > 1e-6]
    assert same_numbers(turned, [np.exp(1j * turn), np.exp(-1j * turn)]) < 1e-7


def test_a_sleigh_whose_speeds_change_on_the_way_closes() -> None:
    found = nh.orbit(plain.SWINGING)
    assert found.run.frames > 1 and found.gap < 1e-11
    turning = events_of(plain.SWINGING, dict(plain.SWINGING.start), "qdot", 4.0, -1)
    assert found.period == pytest.approx(turning[1] - turning[0], rel=1e-9)
    begin, end = found.state, found.run.final
    assert end["theta"] - begin["theta"] == pytest.approx(found.shift["turn"], abs=1e-8)
    c, s = np.cos(found.shift["turn"]), np.sin(found.shift["turn"])
    assert end["xdot"] == pytest.approx(c * begin["xdot"] - s * begin["ydot"], abs=1e-8)


@pytest.mark.slow
def test_a_top_by_a_quaternion_nutates_and_precesses() -> None:
    """Period between highest places, and the same top in Euler's angles."""
    start = {"q0": np.cos(0.3), "q1": np.sin(0.3), "w3": 60.0}
    found = nh.orbit(plain.TOP, start)
    euler = nh.System(
        coordinates="psi th phi",
        lagrangian="A*(thdot**2 + psidot**2*sin(th)**2)/2 + C*(phidot + psidot*cos(th))**2/2 - m*g*l*cos(th)",
        parameters=dict(plain.TOP.parameters),
    )
    other = nh.orbit(euler, {"th": 0.6, "phidot": 60.0})
    assert found.period == pytest.approx(other.period, rel=1e-9)
    precession = nh.simulate(euler, {"th": 0.6, "phidot": 60.0}, other.period, rtol=1e-12, atol=1e-14).final["psi"]
    assert other.shift["shift_psi"] == pytest.approx(precession, abs=1e-8)
    assert abs(abs(found.shift["q_turn"]) - abs(precession)) < 1e-7
    assert [one.kind for one in found.trivial].count("family") == 3


@pytest.mark.slow
def test_a_ball_in_a_paraboloid_goes_between_two_radii() -> None:
    start = {"x": 1.0, "w1": 0.3, "w3": 0.5}
    found = nh.orbit(plain.BOWL, start)
    turning = events_of(plain.BOWL, start, "x*xdot + y*ydot", 3.5, 1)
    assert found.period == pytest.approx(turning[1] - turning[0], rel=1e-9)
    radii = np.hypot(found.run["x"], found.run["y"])
    assert radii.max() == pytest.approx(1.0, abs=1e-6) and radii.min() == pytest.approx(0.0767, abs=1e-4)
    assert round(found.period, 5) == 1.80736
    assert found.verdict == "orbitally stable" and "a step in each direction was tried" in found.evidence


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sleigh-oscillator", "snakeboard", "routh-sphere", "lagrange-top"])
def test_gallery_motions_that_return_are_orbits_of_their_own_simulation(name: str) -> None:
    exhibit = nh.gallery.get(name)
    found = nh.orbit(exhibit.system, exhibit.start, parameters=exhibit.parameters)
    if not found:
        assert found.outcome.startswith("no orbit was found") and found.verdict == "no orbit"
        return
    assert found.gap < 1e-8
    again = nh.simulate(exhibit.system, {n: found.state[n] for n in found.names}, found.period, exhibit.parameters, rtol=1e-12)
    assert again.final["energy"] == pytest.approx(found.run["energy"][0], rel=1e-8) if "energy" in again.final else True


def test_segments_do_not_matter() -> None:
    one, many = (nh.orbit(plain.SPRING, {"y": -1.13}, segments=k) for k in (1, 7))
    assert one.period == pytest.approx(many.period, rel=1e-11)
    assert same_numbers(one.genuine, many.genuine) < 1e-9


# -- families ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_family_of_the_pendulum_along_energy_period_and_a_parameter() -> None:
    found = nh.orbit(SWING, {"q": 1.0})
    for along, until in (("energy", 2.0), ("period", 4.0), ("w", 3.0)):
        family = found.family(along=along, until=until)
        assert family.outcome == "reached" and family.values[-1] == pytest.approx(until, abs=1e-9)
        w = family.values if along == "w" else np.full(len(family.values), 2.0)
        energy = family.states[:, 1] ** 2 / 2 - w**2 * np.cos(family.states[:, 0])
        top = np.arccos(-energy / w**2)
        wanted = [2 * np.pi / (a * mean(1.0, float(np.cos(b / 2)))) for a, b in zip(w, top)]
        assert family.periods == pytest.approx(np.array(wanted), rel=1e-8)
    assert family.held == ("energy",) and np.allclose(energy, energy[0], atol=1e-8)
    assert set(family.data.dims) == {"point", "multiplier"} and family.data.attrs["along"] == "w"
    assert nh.orbit(SWING, **family.member(-1)).period == pytest.approx(family.periods[-1], rel=1e-10)


def test_orbits_that_shrink_to_an_equilibrium_end_there() -> None:
    family = nh.orbit(SWING, {"q": 1.0}).family(along="energy", until=-6.0)
    assert "shrink to a relative equilibrium" in family.outcome
    assert -4.1 < family.values[-1] < -3.9 and family.periods[-1] == pytest.approx(np.pi, rel=2e-3)


@pytest.mark.slow
def test_the_disks_nutation_along_the_energy_holds_the_integrals() -> None:
    found = nh.orbit(plain.DISK, {"theta": 1.3, "phidot": 5.0, "psidot": 0.3})
    with pytest.raises(nh.StateError, match="say what to hold"):
        found.family(along="energy", until=25.0)


# -- words ------------------------------------------------------------------------------------------------------------------


def test_what_is_no_orbit_is_said() -> None:
    rest = nh.orbit(SWING, {"q": 0.0})
    assert not rest and "relative equilibrium" in rest.outcome and rest.verdict == "no orbit"
    falling = nh.System(coordinates="z", lagrangian="zdot**2/2 - 9.81*z", forces={"z": "-0.3*zdot**3"})
    assert "tends to a steady one" in nh.orbit(falling, {"zdot": 1.0}).outcome  # at the final speed, modulo the shift of z
    decaying = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2", forces={"q": "-0.3*qdot"})
    assert "ended at a relative equilibrium" in nh.orbit(decaying, {"q": 1.0}, period=6.0).outcome
    assert nh.orbit(decaying, {"q": 1.0}).outcome == "no orbit was found: the motion of the guess tends to a steady one"
    lost = nh.orbit(SWING, {"q": 1.0}, hold={"energy": -10.0})  # below the lowest
    assert not lost and "closes but for" in lost.outcome and str(lost).endswith(lost.outcome)
    assert 1e-3 < lost.gap < np.inf and np.isfinite(lost.state["q"]) and np.isfinite(lost.period)  # what was computed is told
    with pytest.raises(nh.StateError, match="no orbit to follow"):
        lost.family(along="period", until=3.0)
    with pytest.raises(nh.StateError, match="no orbit to draw"):
        lost.plot()


def test_bad_input_is_refused_in_a_sentence() -> None:
    with pytest.raises(nh.StateError, match="positive time"):
        nh.orbit(SWING, {"q": 1.0}, period=-1.0)
    with pytest.raises(nh.StateError, match=r"a start .* or a motion"):
        nh.orbit(SWING, 3.0)
    with pytest.raises(nh.NonholoError, match="enrgy"):
        nh.orbit(SWING, {"q": 1.0}, hold={"enrgy": 1.0})
    found = nh.orbit(SWING, {"q": 1.0})
    with pytest.raises(nh.StateError, match="until which value"):
        found.family(along="energy")
    with pytest.raises(nh.StateError, match="does not change in the family"):
        nh.orbit(RELAXING, {"q": 1.9}).family(along="energy", until=1.0)
    driven = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2 + q*cos(t)")
    resonance = nh.orbit(driven, {"q": 1.0})  # it grows without end
    assert not resonance and resonance.outcome.startswith("no orbit was found")


@pytest.mark.slow
def test_figures_of_orbits_and_families() -> None:
    found = nh.orbit(RELAXING, {"q": 1.9})
    panel = found.plot()
    assert panel.get_xlabel() == "real part" and len(panel.lines) >= 3
    family = found.family(along="mu", until=2.0)
    assert family.plot().get_ylabel() == "sizes of the multipliers"
    drawn = family.plot("period")
    assert np.allclose(drawn.lines[0].get_ydata(), family.periods)
    with pytest.raises(nh.StateError, match="has no 'perod'"):
        family.plot("perod")
