"""Gaits of snakeboard, roller racer, twistcar and elastic snake against equations solved by hand, and the best gaits of each."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.model.system import varied
from tests.control.test_gaits import BOARD, SNAKE

Rows = Callable[[np.ndarray], np.ndarray]


def by_hand(
    mass: Rows, force: Callable[[np.ndarray, np.ndarray], np.ndarray], rows: Rows, shape: int,
    angle: Callable[[float], tuple[float, float]], until: float, size: int, begin: float = 0.0,
) -> np.ndarray:
    """The coordinates of a driven system by multipliers in numbers: ``M q̈ = F + Aᵀλ, A q̇ = 0``, one coordinate driven.

    ``force`` holds ``F`` less what the mass matrix's changes take; ``angle`` gives rate and acceleration. It starts with no
    momentum: with the least kinetic energy that constraints and drive allow.
    """
    unit = np.eye(size)[shape]

    def bordered(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a = np.vstack([rows(q), unit])
        count = len(a)
        return np.block([[mass(q), a.T], [a, np.zeros((count, count))]]), a

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:size], y[size:]
        whole, _ = bordered(q)
        h = 1e-6
        drift = (rows(q + h * v) - rows(q - h * v)) @ v / (2 * h)
        right = np.concatenate([force(q, v), -drift, [angle(t)[1]]])
        return np.concatenate([v, np.linalg.solve(whole, right)[:size]])

    q = np.zeros(size)
    q[shape] = begin
    whole, a = bordered(q)
    v = np.linalg.solve(whole, np.concatenate([np.zeros(size + len(a) - 1), [angle(0.0)[0]]]))[:size]
    found = solve_ivp(flow, (0.0, until), np.concatenate([q, v]), method="DOP853", rtol=1e-10, atol=1e-12)
    return found.y[:size, -1]


def twistcar(offset: float, drag: float = 0.0) -> nh.System:
    """A body with its axle at (x, y), mass ``offset`` ahead of it, and a light steered link with an axle, hinged L ahead."""
    return nh.System(
        name="twistcar", coordinates="x y theta phi",
        parameters={"m": 1.0, "J": 0.05, "Js": 0.01, "h": offset, "L": 0.5, "d": 0.15, "c": drag},
        lagrangian="m/2*((xdot - h*thetadot*sin(theta))**2 + (ydot + h*thetadot*cos(theta))**2) + J/2*thetadot**2"
        " + Js/2*(thetadot + phidot)**2",
        constraints=[
            "-xdot*sin(theta) + ydot*cos(theta)",
            "-xdot*sin(theta + phi) + ydot*cos(theta + phi) + L*thetadot*cos(phi) - d*(thetadot + phidot)",
        ],
        forces={"x": "-c*xdot", "y": "-c*ydot"},
    )  # fmt: skip


def twistcar_by_hand(h: float, swing: float, until: float, d: float = 0.15, j: float = 0.05, drag: float = 0.0) -> np.ndarray:
    m, js, length = 1.0, 0.01, 0.5

    def mass(q: np.ndarray) -> np.ndarray:
        s, c = math.sin(q[2]), math.cos(q[2])
        return np.array([
            [m, 0, -m * h * s, 0], [0, m, m * h * c, 0], [-m * h * s, m * h * c, m * h * h + j + js, js], [0, 0, js, js],
        ])  # fmt: skip

    def force(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return m * h * v[2] ** 2 * np.array([math.cos(q[2]), math.sin(q[2]), 0.0, 0.0]) - drag * np.array([v[0], v[1], 0.0, 0.0])

    def rows(q: np.ndarray) -> np.ndarray:
        a, b = q[2], q[2] + q[3]
        return np.array([
            [-math.sin(a), math.cos(a), 0, 0], [-math.sin(b), math.cos(b), length * math.cos(q[3]) - d, -d],
        ])  # fmt: skip

    return by_hand(mass, force, rows, 3, lambda t: (-swing * math.sin(t), -swing * math.cos(t)), until, 4, swing)


def test_a_twistcar_goes_where_hand_written_equations_lead() -> None:
    found = nh.gait(twistcar(0.2), {"phi": "0.4*cos(t)"}, displacement="x", cycles=2)
    end = twistcar_by_hand(0.2, 0.4, 4 * math.pi)
    assert found.displacement == pytest.approx(end[0], abs=1e-6)
    assert abs(found.displacement) > 1e-3
    assert found.geometric == pytest.approx(0.0, abs=1e-9)


def test_a_twistcar_with_drag_reverses_when_its_mass_is_moved() -> None:
    """Levy, Dantus, Yu and Or 2025: with rolling resistance the direction depends on where the mass is."""
    ways = []
    for h in (0.0, 0.6):
        numbers = {"d": -0.15, "J": 0.001}
        found = nh.gait(twistcar(h, 0.4), {"phi": "0.4*cos(t)"}, displacement="x", parameters=numbers, cycles=1, settle=5)
        ends = [twistcar_by_hand(h, 0.4, 2 * math.pi * k, -0.15, 0.001, 0.4)[0] for k in (5, 6)]
        assert found.displacement == pytest.approx(ends[1] - ends[0], abs=1e-6)
        ways.append(found.displacement)
    assert ways[0] > 0.01
    assert ways[1] < -0.05


def test_a_roller_racer_gains_speed_and_its_best_gait_is_better() -> None:
    racer = nh.gallery.get("roller-racer")
    plain = nh.gait(racer.system, {"phi": "0.6*cos(t)"}, displacement="x", parameters=racer.parameters, cycles=2)
    best = nh.gait(
        racer.system, ["phi"], displacement="x", parameters=racer.parameters, cycles=2, bounds={"phi": 0.6}, harmonics=2,
        first={"phi": "0.6*cos(t)"},
    )  # fmt: skip
    assert best.displacement > 1.1 * plain.displacement
    assert np.max(np.abs(best.loop.values(np.linspace(0, 2 * math.pi, 400)))) < 0.6 * 1.0001
    table = best.loop.coefficients[0]
    rate = f"{-table[1]}*sin(t) + {table[2]}*cos(t) - {2 * table[3]}*sin(2*t) + {2 * table[4]}*cos(2*t)"
    run = nh.simulate(  # the same loop as constraints by the multiplier form, written anew
        varied(
            racer.system, inputs=(), forces={}, page=None, drawing=None, start={},
            constraints=(*racer.system.constraints, f"phidot - ({rate})"),
        ),
        {n: float(best.run[n][0]) for n in ("x", "y", "theta", "phi", "xdot", "ydot", "thetadot", "phidot")}, 4 * math.pi,
        racer.parameters, form="multipliers", rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    assert run.final["x"] == pytest.approx(best.displacement, abs=1e-6)


def test_an_elastic_snake_goes_where_hand_written_equations_lead_and_swings_best_near_resonance() -> None:
    """Two driven wheels and a last joint on a damped spring: its mass matrix is constant, so multipliers are quick by hand."""
    elastic = varied(SNAKE, forces={"a2": "-2*a2 - 0.3*a2dot"}, constraints=SNAKE.constraints[:2], page=None)
    mass = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0.3, 0.1, 0.1], [0, 0, 0.1, 0.1, 0], [0, 0, 0.1, 0, 0.1]])

    def rows(q: np.ndarray) -> np.ndarray:
        t, b = q[2], q[2] + q[3]
        return np.array([
            [-math.sin(t), math.cos(t), 0, 0, 0], [-math.sin(b), math.cos(b), 0.5 * math.cos(q[3]) + 0.5, 0.5, 0],
        ])  # fmt: skip

    def force(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([0, 0, 0, 0, -2 * q[4] - 0.3 * v[4]])

    drive = lambda t: (0.5 * math.cos(t), -0.5 * math.sin(t))  # noqa: E731
    end = by_hand(lambda q: mass, force, rows, 3, drive, 4 * math.pi, 5)
    found = nh.gait(elastic, {"a1": "0.5*sin(t)"}, displacement="x", cycles=2)
    assert found.displacement == pytest.approx(end[0], abs=1e-6)
    waves = {w: {"a1": f"0.3*sin({w}*t)"} for w in (2.0, 4.5, 9.0)}
    driven = [nh.gait(elastic, wave, displacement="x", period=2 * math.pi / w, settle=3) for w, wave in waves.items()]
    swings = [np.ptp(np.asarray(one.run["a2"])[-64:]) for one in driven]
    assert swings[1] > swings[0]  # the spring alone swings at √(2/0.1) = 4.47 rad/s
    assert swings[1] > swings[2]


def test_the_first_loop_of_a_search_must_have_all_shape_variables() -> None:
    with pytest.raises(nh.StateError, match="a loop of psi, phi is needed"):
        bounds, first = {"psi": 1, "phi": 1}, {"psi": "sin(t)"}
        nh.gait(BOARD.system, ["psi", "phi"], displacement="x", parameters=BOARD.parameters, bounds=bounds, first=first)
