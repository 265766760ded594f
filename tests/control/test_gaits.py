"""Gaits: hand-written equations, the reduction's connection, two routes to the geometric phase, gradients by differences."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.control.gaits.driven_system import Loop, driven_system
from nonholo.control.gaits.gait_measure import Measure, loop_names
from nonholo.control.gaits.horizontal_lift import horizontal_lift
from nonholo.model.system import varied

BOARD = nh.gallery.get("snakeboard")
SNAKE = nh.System(
    name="three-link wheeled snake", coordinates="x y theta a1 a2", parameters={"l": 1.0, "m": 1.0, "J": 0.1},
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*(thetadot**2 + (thetadot + a1dot)**2 + (thetadot + a2dot)**2)",
    constraints=[
        "-xdot*sin(theta) + ydot*cos(theta)",
        "-xdot*sin(theta + a1) + ydot*cos(theta + a1) + l/2*thetadot*cos(a1) + l/2*(thetadot + a1dot)",
        "-xdot*sin(theta + a2) + ydot*cos(theta + a2) - l/2*thetadot*cos(a2) - l/2*(thetadot + a2dot)",
    ],
)  # fmt: skip
"""Wheels in the middle of each link: the shape alone decides the motion."""


PAPER = {"m": 6.0, "l": 0.3, "J": 0.06, "Jr": 0.167, "Jw": 0.00167}
"""The snakeboard of Ostrowski's thesis, as Yang and Hatton 2025 (arXiv:2504.19072) give it (SI units)."""


def snakeboard_by_hand(loop: Loop, numbers: Mapping[str, float] = BOARD.parameters) -> np.ndarray:
    """Where the board is after a period by the momentum equation of Lewis, Ostrowski, Murray and Burdick, written by hand."""
    m, l, j, jr, jw = (numbers[n] for n in ("m", "l", "J", "Jr", "Jw"))
    whole = j + jr + 2 * jw
    w = 2 * math.pi / loop.period
    (psi, phi), middle = loop.coefficients[:, 1:].reshape(2, -1, 2), loop.coefficients[1, 0]
    orders = w * np.arange(1, len(psi) + 1)

    def flow(t: float, y: np.ndarray) -> list[float]:
        turn, u = y[2], y[3]
        c, s = np.cos(orders * t), np.sin(orders * t)
        f, fdot = middle + phi[:, 0] @ c + phi[:, 1] @ s, (orders * phi[:, 1]) @ c - (orders * phi[:, 0]) @ s
        push = -(orders**2 * psi[:, 0]) @ c - (orders**2 * psi[:, 1]) @ s
        gain = -(whole - m * l**2) * u * math.sin(f) * math.cos(f) * fdot - jr * push * math.sin(f)
        along = l * u * math.cos(f)
        return [
            along * math.cos(turn), along * math.sin(turn), u * math.sin(f),
            gain / (whole * math.sin(f) ** 2 + m * l**2 * math.cos(f) ** 2),
        ]  # fmt: skip

    f, rate = middle + np.sum(phi[:, 0]), float(orders @ psi[:, 1])  # no momentum: u = −A_ψ ψ̇
    start = -jr * math.sin(f) * rate / (whole * math.sin(f) ** 2 + m * l**2 * math.cos(f) ** 2)
    return solve_ivp(flow, (0, loop.period), [0, 0, 0, start], method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]


def sines(psi: tuple[float, int], phi: tuple[float, int]) -> dict[str, str]:
    return {"psi": f"{psi[0]}*sin({psi[1]}*t)", "phi": f"{phi[0]}*sin({phi[1]}*t)"}


GAITS_1994 = {"drive": (sines((0.7, 1), (0.3, 1)), "x"), "rotate": (sines((0.7, 2), (0.7, 1)), "theta"),
              "park": (sines((0.7, 3), (0.7, 2)), "y")}  # fmt: skip


@pytest.mark.parametrize("name", ["gallery", *GAITS_1994])
def test_snakeboard_gaits_lead_where_hand_written_equations_lead(name: str) -> None:
    """The three gaits of 1994 with published sizes; what is geometry is a quadrature along the wheels' angle."""
    loop, quantity = GAITS_1994.get(name, (sines((1.1, 1), (0.4, 1)), "x"))
    numbers = PAPER if name in GAITS_1994 else BOARD.parameters
    found = nh.gait(BOARD.system, loop, displacement=quantity, parameters=numbers)
    there = dict(zip(("x", "y", "theta"), snakeboard_by_hand(found.loop, numbers)))
    assert found.displacement == pytest.approx(there[quantity], abs=1e-8)
    assert [found.run.final[n] for n in there] == pytest.approx(list(there.values()), abs=1e-8)
    if quantity == "theta":
        m, l, j, jr, jw = (numbers[n] for n in ("m", "l", "J", "Jr", "Jw"))
        t = np.arange(4096) * 2 * math.pi / 4096
        s, c = np.sin(0.7 * np.sin(t)), np.cos(0.7 * np.sin(t))
        turned = -jr * s**2 / ((j + jr + 2 * jw) * s**2 + m * l**2 * c**2) * 1.4 * np.cos(2 * t)
        assert found.geometric == pytest.approx(np.mean(turned) * 2 * math.pi, abs=1e-9)
        assert found.area == pytest.approx(found.geometric, rel=1e-3)  # the curvature inside the loop


def test_the_connection_is_that_of_the_reduction() -> None:
    """``A^1_ψ = J_r sin φ / (m l² cos² φ + (J + J_r + 2 J_w) sin² φ)``, and the body turns by ``−A sin φ``."""
    m, l, j, jr, jw = (BOARD.parameters[n] for n in ("m", "l", "J", "Jr", "Jw"))
    fields = nh.control.connection(BOARD.system, {"psi": (-1, 1), "phi": (-1.2, 1.2)}, parameters=BOARD.parameters, points=7)
    phi = fields["phi"].values
    expected = jr * np.sin(phi) / (m * l**2 * np.cos(phi) ** 2 + (j + jr + 2 * jw) * np.sin(phi) ** 2)
    turning = fields["theta"].sel(direction="psi").isel(psi=3).values
    assert np.allclose(turning, -expected * np.sin(phi), atol=1e-12)
    heights = nh.control.height(BOARD.system, {"psi": [0.0], "phi": phi}, parameters=BOARD.parameters)
    slope = 1e-5
    ends = [
        nh.control.connection(BOARD.system, {"psi": [0.0], "phi": phi + e}, parameters=BOARD.parameters) for e in (slope, -slope)
    ]
    rise = (ends[0]["theta"] .values - ends[1]["theta"].values)[0, :, 0] / (2 * slope)
    assert np.allclose(heights["theta"].values[0, :, 0], -rise, atol=1e-8)  # turning is abelian: [h_ψ, h_φ]^θ = −∂_φ h_ψ^θ


def test_a_kinematic_snake_has_no_dynamic_phase_and_small_loops_follow_the_curvature() -> None:
    ratios = []
    for size in (0.2, 0.1):
        found = nh.gait(SNAKE, {"a1": f"0.8 + {size}*cos(t)", "a2": f"0.7 + {size}*sin(t)"}, displacement="x")
        assert found.dynamic == pytest.approx(0.0, abs=1e-9)  # the motion against the connection alone
        assert found.area is not None
        ratios.append(abs(found.area / found.geometric - 1))
    assert ratios[1] < 0.75 * ratios[0] < 0.1


@pytest.mark.slow
def test_the_search_finds_a_better_drive_than_rotor_and_wheels_in_phase() -> None:
    """The gallery's drive gait, of the same sizes, moves the board by less than the loop that is found."""
    known = nh.gait(BOARD.system, {"psi": "1.1*sin(t)", "phi": "0.4*sin(t)"}, displacement="x", parameters=BOARD.parameters)
    best = nh.gait(BOARD.system, ["psi", "phi"], displacement="x", parameters=BOARD.parameters, bounds={"psi": 1.1, "phi": 0.4})
    assert best.displacement > 1.1 * known.displacement
    shape = best.loop.values(np.linspace(0, 2 * math.pi, 500))
    assert np.max(np.abs(shape[:, 0])) < 1.1 * 1.005
    assert np.max(np.abs(shape[:, 1])) < 0.4 * 1.005
    assert best.better["best"] > best.better["first"]


def test_slopes_of_the_displacement_are_those_of_differences() -> None:
    numbers = dict(BOARD.parameters)
    names, table = ("psi", "phi"), np.array([[0.1, 0.5, -0.3], [0.05, 0.2, 0.3]])
    lift = horizontal_lift(BOARD.system, names, numbers)
    measure = Measure(BOARD.system, driven_system(BOARD.system, names, 1), lift, "x", numbers, 1, 0, "cycle", {})
    _, _, slopes = measure.moved(Loop(names, table, 5.0), loop_names(names, 1))
    for k in range(table.size):
        ends = []
        for sign in (1, -1):
            other = table.copy()
            other.ravel()[k] += sign * 1e-5
            ends.append(measure.moved(Loop(names, other, 5.0))[1])
        assert slopes[0, k] == pytest.approx((ends[0][0] - ends[1][0]) / 2e-5, abs=1e-6)


def test_a_roller_racer_moves_by_momentum_alone() -> None:
    """One shape variable encloses no area: the geometric phase vanishes, the momentum's does not."""
    racer = nh.gallery.get("roller-racer")
    found = nh.gait(racer.system, {"phi": "0.6*cos(t)"}, displacement="x", parameters=racer.parameters, cycles=2)
    assert found.geometric == pytest.approx(0.0, abs=1e-9)
    assert found.dynamic > 0.5


def test_a_passive_elastic_joint_may_swing_while_the_other_is_driven() -> None:
    damped = varied(SNAKE, forces={"a2": "-2*a2 - 0.3*a2dot"}, constraints=SNAKE.constraints[:2], page=None)
    found = nh.gait(damped, {"a1": "0.5*sin(t)"}, displacement="x", cycles=2, settle=1)
    assert math.isfinite(found.displacement)
    assert found.displacement == pytest.approx(found.geometric + found.dynamic)


def test_mistakes_are_told_with_what_to_do() -> None:
    with pytest.raises(nh.ModelError, match="did you mean"):
        nh.gait(BOARD.system, {"psii": "sin(t)"}, displacement="x", parameters=BOARD.parameters)
    with pytest.raises(nh.StateError, match="bounds for every shape variable"):
        nh.gait(BOARD.system, ["psi", "phi"], displacement="x", parameters=BOARD.parameters, bounds={"psi": 1.0})
    stone = nh.gallery.get("rattleback")
    with pytest.raises(nh.StateError, match="in angles"):
        nh.gait(stone.system, {"x": "sin(t)"}, displacement="y", parameters=stone.parameters)
    with pytest.raises(nh.StateError, match="two shape variables"):
        nh.control.height(BOARD.system, {"phi": (-1, 1)}, parameters=BOARD.parameters)


def test_pictures_are_drawn() -> None:
    loop = nh.gait(BOARD.system, {"psi": "sin(t)", "phi": "0.4*cos(t)"}, displacement="theta", parameters=BOARD.parameters)
    over = {"psi": (-1, 1), "phi": (-1, 1)}
    fields = nh.control.connection(BOARD.system, over, parameters=BOARD.parameters, points=9)
    heights = nh.control.height(BOARD.system, over, parameters=BOARD.parameters, points=9)
    assert nh.pictures.connection_plot(fields, "theta", loop=loop) is not None
    assert nh.pictures.height_plot(heights, "theta", loop=loop) is not None
