"""Best gaits at the effort of plain sines, each led again by hand-written equations; motions by decoupling fields."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import nonholo as nh
from nonholo.control.gaits.driven_system import Loop
from nonholo.model.system import varied
from tests.control.test_gait_systems import by_hand, twistcar
from tests.control.test_gaits import BOARD, GAITS_1994, PAPER, SNAKE, snakeboard_by_hand

SINES = {"psi": "1.1*sin(t)", "phi": "0.4*sin(t)"}


def drive_of(loop: Loop) -> Callable[[float], tuple[float, float]]:
    """Rate and acceleration of the first shape variable of a loop."""
    w = 2 * math.pi / loop.period
    pairs = loop.coefficients[0, 1:].reshape(-1, 2)

    def angle(t: float) -> tuple[float, float]:
        orders = w * np.arange(1, len(pairs) + 1)
        c, s = np.cos(orders * t), np.sin(orders * t)
        rate = np.sum(orders * (pairs[:, 1] * c - pairs[:, 0] * s))
        return float(rate), float(-np.sum(orders**2 * (pairs[:, 0] * c + pairs[:, 1] * s)))

    return angle


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "held", "harmonics", "better"),
    [("drive", "", 1, 1.15), pytest.param("rotate", "", 2, 2.2, marks=SLOW), pytest.param("park", "x theta", 3, 1.0, marks=SLOW)],
)
def test_the_best_loop_beats_the_gait_of_1994_at_the_same_effort_and_swings(
    name: str, held: str, harmonics: int, better: float
) -> None:
    """Each best loop is led again by the momentum equation by hand; who parks ends with x and heading as before."""
    sines, quantity = GAITS_1994[name]
    known = nh.gait(BOARD.system, sines, displacement=quantity, parameters=PAPER)
    bounds = {"psi": 0.7, "phi": 0.3 if name == "drive" else 0.7}
    best = nh.gait(
        BOARD.system, ["psi", "phi"], displacement=quantity, parameters=PAPER, first=sines, effort=known.effort, bounds=bounds,
        harmonics=harmonics, hold=held,
    )  # fmt: skip
    assert best.effort <= known.effort * (1 + 1e-9)
    swings = np.max(np.abs(best.loop.values(np.linspace(0, 2 * math.pi, 400))), axis=0)
    assert np.all(swings <= np.array(list(bounds.values())) * (1 + 1e-6))
    assert best.displacement > better * known.displacement > 0
    there = dict(zip(("x", "y", "theta"), snakeboard_by_hand(best.loop, PAPER)))
    assert best.displacement == pytest.approx(there[quantity], abs=1e-7)
    assert [there[n] for n in held.split()] == pytest.approx([0.0] * len(best.held), abs=1e-6)


@pytest.mark.slow
def test_motions_along_the_snakeboards_decoupling_fields_end_where_the_closed_formula_says() -> None:
    """With the wheels held at φ the board turns by ``−J_r sin²φ Δψ/(J sin²φ + m l² cos²φ)`` about a centre at ``l cot φ``.

    This is the integral curve of the decoupling field of Bullo and Lewis 2003; between such legs the wheels turn at rest. Four
    legs, at whatever speed along each, make a loop in shape space, and a drive.
    """
    m, l, j, jr, jw = (BOARD.parameters[n] for n in ("m", "l", "J", "Jr", "Jw"))
    swing, wheels, whole = 1.1, 0.4, j + jr + 2 * jw
    plain = varied(BOARD.system, inputs=(), forces={}, page=None, drawing=None, start={})
    place, heading = np.zeros(2), 0.0
    state = {"psi": swing, "phi": wheels}
    corners = [(-swing, wheels), (-swing, -wheels), (swing, -wheels), (swing, wheels)]
    for psi, phi in corners:
        turned = -jr * math.sin(phi) ** 2 * (psi - state["psi"]) / (whole * math.sin(phi) ** 2 + m * l**2 * math.cos(phi) ** 2)
        radius = l / math.tan(phi)
        after = heading + turned
        place = place + radius * np.array([math.sin(after) - math.sin(heading), math.cos(heading) - math.cos(after)])
        heading = after
        rates = [f"{n}dot - ({to - state[n]})*6*t*(1 - t)" for n, to in (("psi", psi), ("phi", phi))]
        leg = varied(plain, constraints=(*plain.constraints, *rates))
        led = nh.simulate(leg, state, 1.0, BOARD.parameters, rtol=1e-10, atol=1e-12)
        state = {n: led.final[n] for n in ("x", "y", "theta", "psi", "phi")}
        assert [state["x"], state["y"], state["theta"]] == pytest.approx([*place, heading], abs=1e-8)
    assert place[0] > 0.05
    effort = ((2 * swing) ** 2 + (2 * wheels) ** 2) * 4 * 4 / (2 * math.pi) / 2  # four legs in 2π s
    best = nh.gait(
        BOARD.system, ["psi", "phi"], displacement="x", parameters=BOARD.parameters, first=SINES, effort=effort,
        bounds={"psi": swing, "phi": wheels},
    )  # fmt: skip
    assert best.effort <= effort * (1 + 1e-9)
    assert best.displacement > 2 * place[0]


@pytest.mark.parametrize("name", ["twistcar", *(pytest.param(n, marks=SLOW) for n in ("elastic snake", "roller racer"))])
def test_the_best_swing_of_one_joint_beats_the_sine_at_the_same_effort(name: str) -> None:
    racer = nh.gallery.get("roller-racer")
    elastic = varied(SNAKE, forces={"a2": "-2*a2 - 0.3*a2dot"}, constraints=SNAKE.constraints[:2], page=None)
    system, numbers, joint, sine, bound, quantity = {
        "twistcar": (twistcar(0.1), None, "phi", "0.4*cos(t)", 0.8, "x"),
        "elastic snake": (elastic, None, "a1", "0.5*sin(t)", 1.0, "-x"),
        "roller racer": (racer.system, racer.parameters, "phi", "0.6*cos(t)", 1.2, "x"),
    }[name]
    plain = nh.gait(system, {joint: sine}, displacement=quantity, parameters=numbers, cycles=2)
    best = nh.gait(
        system, [joint], displacement=quantity, parameters=numbers, cycles=2, bounds={joint: bound}, harmonics=2,
        first={joint: sine}, effort=plain.effort / 2,
    )  # fmt: skip
    assert best.effort <= plain.effort * (1 + 1e-9)
    assert best.displacement > 1.2 * plain.displacement > 0
    assert best.displacement == pytest.approx(_again(name, best), abs=1e-6)


def _again(name: str, best: nh.Gait) -> float:
    """Where the loop leads by multipliers in numbers, written by hand."""
    begin = float(best.loop.values(np.zeros(1))[0, 0])
    if name == "elastic snake":
        mass = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0.3, 0.1, 0.1], [0, 0, 0.1, 0.1, 0], [0, 0, 0.1, 0, 0.1]])

        def rows(q: np.ndarray) -> np.ndarray:
            t, b = q[2], q[2] + q[3]
            front = [-math.sin(b), math.cos(b), 0.5 * math.cos(q[3]) + 0.5, 0.5, 0]
            return np.array([[-math.sin(t), math.cos(t), 0, 0, 0], front])

        spring = lambda q, v: np.array([0, 0, 0, 0, -2 * q[4] - 0.3 * v[4]])  # noqa: E731
        return -by_hand(lambda q: mass, spring, rows, 3, drive_of(best.loop), 4 * math.pi, 5, begin)[0]
    if name == "roller racer":
        m, one, two, d1, d2 = (nh.gallery.get("roller-racer").parameters[n] for n in ("m", "I1", "I2", "d1", "d2"))
        h, j, js = 0.0, one, two
    else:
        m, j, js, h, d1, d2 = 1.0, 0.05, 0.01, 0.1, 0.5, -0.15

    def axles(q: np.ndarray) -> np.ndarray:
        t, f = q[2], q[2] + q[3]
        return np.array([
            [-math.sin(t), math.cos(t), 0, 0], [-math.sin(f), math.cos(f), d1 * math.cos(q[3]) + d2, d2],
        ])  # fmt: skip

    def inertia(q: np.ndarray) -> np.ndarray:
        s, c = math.sin(q[2]), math.cos(q[2])
        return np.array([
            [m, 0, -m * h * s, 0], [0, m, m * h * c, 0], [-m * h * s, m * h * c, m * h * h + j + js, js], [0, 0, js, js],
        ])  # fmt: skip

    def pull(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return m * h * v[2] ** 2 * np.array([math.cos(q[2]), math.sin(q[2]), 0, 0])

    return float(by_hand(inertia, pull, axles, 3, drive_of(best.loop), 4 * math.pi, 4, begin)[0])


@pytest.mark.slow
def test_the_best_loop_of_the_wheeled_snake_stays_in_its_window_and_beats_the_circle_at_the_same_effort() -> None:
    circle = {"a1": "0.9 + 0.3*cos(t)", "a2": "0.7 + 0.3*sin(t)"}
    window = {"a1": (0.5, 1.3), "a2": (0.3, 1.1)}
    plain = nh.gait(SNAKE, circle, displacement="x")
    best = nh.gait(SNAKE, ["a1", "a2"], displacement="x", bounds=window, first=circle, effort=plain.effort)
    assert best.effort <= plain.effort * (1 + 1e-9)
    assert best.displacement > 1.2 * plain.displacement
    assert best.geometric == pytest.approx(best.displacement, abs=1e-8)  # by the connection alone
    shape = best.loop.values(np.linspace(0, 2 * math.pi, 400))
    for k, (low, high) in enumerate(window.values()):
        assert low - 1e-6 <= np.min(shape[:, k]) < np.max(shape[:, k]) <= high + 1e-6


def test_wrong_bounds_and_inputs_that_are_velocities_are_refused() -> None:
    with pytest.raises(nh.StateError, match="hold is for best loops"):
        nh.gait(twistcar(0.1), {"phi": "0.3*sin(t)"}, displacement="x", hold="theta")
    with pytest.raises(nh.StateError, match=r"a size or a pair \(low, high\)"):
        nh.gait(twistcar(0.1), ["phi"], displacement="-x", bounds={"phi": (0.4, 0.1)})
    with pytest.raises(nh.StateError, match="the input v is a velocity in the constraints"):
        car = nh.control.kinematic_system("x y th p", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "v*p", "p": "w"}, "v w")
        nh.gait(car, {"p": "0.3*sin(t)"}, displacement="x")


@pytest.mark.slow
def test_the_published_manoeuvre_of_the_snakeboard_is_reached_within_its_bound_on_the_wheels() -> None:
    """From (0, 0, 0) to (0, −5, π), wheels within ±1 rad (doi:10.1201/9781439864135-32), led again by the momentum equation."""
    goal = {"x": 0, "y": -5, "theta": math.pi, "phi": 0, "u": 0, "psidot": 0, "phidot": 0}
    found = nh.steer(BOARD.system, {"phi": 0}, goal, 12.0, parameters=PAPER, bounds={"phi": (-1, 1)})
    assert found.converged
    assert found.error < 1e-8
    assert max(found.violations.values()) < 1e-6
    m, l, j, jr, jw = (PAPER[n] for n in ("m", "l", "J", "Jr", "Jw"))
    times, whole = found.run.times, j + jr + 2 * jw
    wheels, spin = CubicSpline(times, found.run["phi"]), CubicSpline(times, found.run["psidot"])

    def flow(t: float, y: np.ndarray) -> list[float]:
        c, s, along = math.cos(wheels(t)), math.sin(wheels(t)), l * y[3] * math.cos(wheels(t))
        gain = -(whole - m * l**2) * y[3] * s * c * wheels(t, 1) - jr * spin(t, 1) * s
        rate = gain / (whole * s**2 + m * l**2 * c**2)
        return [along * math.cos(y[2]), along * math.sin(y[2]), y[3] * s, rate]

    end = solve_ivp(flow, (0, 12), [0, 0, 0, 0], method="DOP853", rtol=1e-10, atol=1e-12, max_step=0.05).y[:, -1]
    assert end == pytest.approx([0, -5, math.pi, 0], abs=1e-3)
