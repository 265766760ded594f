"""A strange attractor without friction: the stone of `celtic_stone`, by spectra, many starts, Newton's and Euler's laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.derive.hamel import hamel
from nonholo_papers.facts._newton_euler import newton_euler, random_rotations, rolling_state
from tests.analyse.behaviour import mixed, rolling_ball
from tests.analyse.behaviour.celtic_stone import ENERGY, STONE

VALUES = dict(STONE.parameters)


def contact(vertical: Any) -> Any:
    """ρ of the vertical, as numbers."""
    one, two = vertical[0] / vertical[2], vertical[1] / vertical[2]
    return np.array([-9 * one, -4 * two, -1 + (9 * one**2 + 4 * two**2) / 2])


def inertia() -> Any:
    """diag(2, 6, 7) turned by δ about the third axis."""
    c, s = np.cos(VALUES["delta"]), np.sin(VALUES["delta"])
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return turn @ np.diag([2.0, 6.0, 7.0]) @ turn.T


def starts(count: int, seed: int = 0) -> dict[str, Any]:
    """Both senses of the spin, on the level of the energy."""
    random = np.random.default_rng(seed)
    guess = {"w1": random.uniform(-6, 6, count), "w2": random.uniform(-6, 6, count), "w3": random.choice([-1.0, 1.0], count)}
    return dict(nh.on_level(STONE, guess, {"energy": ENERGY}, ["w3"]))


def test_the_stone_obeys_newton_and_euler() -> None:
    equations, rates = hamel(STONE), np.array([0.4, -0.7, 1.3])
    for matrix in random_rotations(4):
        wanted, _ = newton_euler(matrix, rates, contact, inertia(), VALUES["m"], VALUES["g"])
        found = equations.rates(rolling_state(matrix, rates), VALUES)
        assert [found[n] for n in ("w1", "w2", "w3")] == pytest.approx(wanted, abs=1e-12)
        # turned round, every motion runs backwards: what attracts has a mirror image that repels
        back = equations.rates(rolling_state(matrix, -rates), VALUES)
        assert [back[n] for n in ("w1", "w2", "w3")] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.slow
def test_neighbours_part_while_volume_shrinks() -> None:
    """From a spin against the favoured sense too: within 100 s it has turned round, and the sum is far from zero."""
    level = nh.on_level(STONE, {"w1": 0.3, "w2": 0.2, "w3": -10.0}, {"energy": ENERGY}, ["w3"])
    state = {n: float(v[0]) for n, v in level.items()}
    assert state["w3"] < -13
    found = nh.lyapunov(STONE, state, 100.0)
    assert found.chaotic and found.exponents[0] > 3 * found.errors[0]
    assert found.sum < -0.4 and found.sum == pytest.approx(found.divergence, abs=1e-4)
    assert sorted(z.kind for z in found.zeros) == ["flow", "integral", "symmetry", "symmetry", "symmetry"]
    assert float(found.run["w3"].mean()) > 2


@pytest.mark.slow
def test_all_starts_come_to_one_attractor_and_stay() -> None:
    """After 1000 s sixteen motions have the same mean spin for 5000 s more, and one of them the spectrum of the page."""
    many = nh.ensemble(STONE, starts(16), 6000.0, t_eval=np.linspace(0, 6000, 6001))
    assert set(many.outcome.values.tolist()) == {"reached"}
    late = many.sel(t=slice(1000, None))
    assert float(late.R33.min()) > 0.2
    for part in (slice(1000, 3500), slice(3500, 6000)):
        assert late.w3.sel(t=part).mean("t").values == pytest.approx(3.0, abs=0.3)
    names = (*STONE.coordinates, "w1", "w2", "w3")
    found = nh.lyapunov(STONE, {n: float(many[f"final_{n}"][0]) for n in names}, 1000.0)
    assert found.exponents[0] > 10 * found.errors[0] and found.sum < -0.6
    assert found.sum == pytest.approx(found.divergence, abs=1e-4)
    assert 3.2 < found.dimension < 3.6


@pytest.mark.slow
def test_the_largest_exponent_by_newton_and_euler_and_two_trajectories() -> None:
    """Nothing of this house but the laws of `newton_euler`: SciPy's DOP853, neighbours brought together every half second."""
    moments, state = inertia(), {n: float(v[0]) for n, v in starts(1).items()}

    def rates(_: float, y: Any) -> Any:
        matrix = np.vstack([np.zeros((2, 3)), y[:3]])
        return np.concatenate([np.cross(y[:3], y[3:]), newton_euler(matrix, y[3:], contact, moments, 1.0, 100.0)[0]])

    one = np.array([0.0, 0.0, 1.0, state["w1"], state["w2"], state["w3"]])
    two, logs = one + 1e-7 * np.array([0.3, 0.5, 0.0, 0.4, -0.6, 0.4]), []
    for _ in range(400):
        one, two = (solve_ivp(rates, (0, 0.5), y, "DOP853", rtol=1e-9, atol=1e-10).y[:, -1] for y in (one, two))
        gap = two - one
        logs.append(np.log(np.linalg.norm(gap) / 1e-7) / 0.5)
        two = one + gap * 1e-7 / np.linalg.norm(gap)
    found = nh.lyapunov(STONE, state, 1000.0)
    spread = np.std(np.mean(np.reshape(logs[40:], (12, 30)), axis=1)) / 12**0.5
    assert np.mean(logs[40:]) == pytest.approx(found.exponents[0], abs=3 * np.hypot(spread, found.errors[0]))


@pytest.mark.slow
def test_a_long_chart_is_chaotic_all_over() -> None:
    """Lengths would pass e^700 here: tangents have unit length again on the way, also where the frame changes."""
    found = nh.chart(STONE, {"energy": (700, 780, 9)}, 1000.0, start={"w1": 0.3, "w2": 0.2, "w3": -10.0}, solve="w3")
    rates = np.asarray(found["lyapunov"])
    assert np.all(rates > 0.5) and np.all(rates < 1.0)


@pytest.mark.slow
def test_the_loaded_ball_has_a_strange_attractor() -> None:
    """The Chaplygin top with the values of `rolling_ball`: neighbours part while volume shrinks, by Newton's and Euler's laws.

    The motion is intermittent: calm for hundreds of seconds, then chaotic, once in a while for thousands with hardly any
    shrinking. So the means are taken over 64 windows of 4000 s, and the house's spectrum of one short motion, whatever
    phase it meets, is compared with the divergence by those laws along the same motion.
    """
    own, top, values = rolling_ball, nh.gallery.get("chaplygin-top"), np.array(list(rolling_ball.VALUES.values()))
    found = own.windows(np.array(own.START), own.ENERGY, values, 0.005, 3000.0, 4000.0, 64)
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / 8
    assert mean[0] > 4 * error[0] and mean[1] < -10 * error[1]
    vertical = np.array(own.START[:3]) / np.linalg.norm(own.START[:3])
    first = np.cross([0.0, 0.0, 1.0], vertical) / np.hypot(vertical[0], vertical[1])
    matrix = np.array([first, np.cross(vertical, first), vertical])
    state = {f"R{i + 1}{j + 1}": matrix[i, j] for i in range(3) for j in range(3)} | dict(zip(("w1", "w2", "w3"), own.START[3:]))
    whole = nh.lyapunov(top.system, state, 1500.0, own.VALUES, transient=0.0)
    run = whole.run
    assert float(run["energy"][0]) == pytest.approx(own.ENERGY, abs=0.05)
    assert sorted(z.kind for z in whole.zeros if z.kind != "unexplained") == ["flow", "integral", *["symmetry"] * 3]
    rows = np.stack([np.asarray(run[n]) for n in ("R31", "R32", "R33", "w1", "w2", "w3")], axis=1)
    along = np.trapezoid([own.divergence(row, values) for row in rows], run.times) / 1500.0
    assert whole.sum == pytest.approx(whole.divergence, abs=1e-5) and whole.sum == pytest.approx(along, abs=1e-3)


@pytest.mark.slow
def test_the_exhibit_is_on_a_strange_attractor_and_a_regular_start_is_not() -> None:
    """Its fact holds where it starts, by two routes, and fails on what attracts at a little more energy."""
    top = nh.gallery.get("chaplygin-top")
    assert dict(top.parameters) == rolling_ball.VALUES
    (fact,) = [f for f in top.facts if f.claim.startswith("a strange attractor")]
    found = fact(top)
    assert found.verdict == "holds"
    start = np.array([top.start[n] for n in ("R31", "R32", "R33", "w1", "w2", "w3")])
    own = rolling_ball.windows(start, 506.0, np.array(list(rolling_ball.VALUES.values())), 0.005, 1000.0, 2000.0, 8)
    mean, error = own.mean(axis=0), own.std(axis=0, ddof=1) / np.sqrt(8)
    assert mean[0] > 4 * error[0] and mean[1] < -4 * error[1]
    assert abs(found.value - mean[0]) < 3 * np.hypot(error[0], 0.026)
    assert fact(replace(top, system=replace(top.system, start=top.starts["regular attractor"]))).verdict == "fails"


@pytest.mark.slow
def test_the_laws_of_the_ball_alone_are_those_of_the_exhibit() -> None:
    own, equations = rolling_ball, hamel(nh.gallery.get("chaplygin-top").system)
    for matrix in random_rotations(3):
        w = np.array([0.7, -1.1, 2.3])
        wanted = own.rates(np.concatenate([matrix[2], w]), np.array(list(own.VALUES.values())))[3:]
        found = equations.rates(rolling_state(matrix, w), own.VALUES)
        assert [found[n] for n in ("w1", "w2", "w3")] == pytest.approx(wanted, abs=1e-11)


@pytest.mark.slow
def test_attractor_and_repeller_of_a_heavy_suslov_body_meet() -> None:
    """Mixed dynamics: volume shrinks in the mean, and yet most of the attractor lies where the repeller is too."""
    found = nh.lyapunov(mixed.BODY, mixed.start(), 6000.0, integrals=())
    assert found.exponents[0] > 5 * found.errors[0]
    assert found.sum < -0.015 and found.sum == pytest.approx(found.divergence, abs=1e-6)
    vertical, speed = mixed.crossings(8000)
    assert 0.4 < np.mean(speed > 0) < 0.6
    share, cells = mixed.common(vertical, speed, 64)
    assert share > 0.7 and cells > 0.5
    equations, generic = hamel(mixed.BODY), dict(mixed.BODY.parameters)
    for matrix in random_rotations(3):  # turned round, every motion runs backwards
        place = {f"R{i + 1}{j + 1}": matrix[i, j] for i in range(3) for j in range(3)}
        there, back = (equations.rates({**place, "w1": s * 0.4, "w2": -s * 0.7}, generic) for s in (1, -1))
        assert [back[n] for n in ("w1", "w2")] == pytest.approx([there[n] for n in ("w1", "w2")], abs=1e-12)
