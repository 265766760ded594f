"""Chaplygin's quadratures in elliptic coordinates against motions of balls with other numbers than the gallery's."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh

BALL = nh.System(
    name="ball", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), parameters="m r J1 J2 J3",
    lagrangian="(J1*w1**2 + J2*w2**2 + J3*w3**2)/2 + m/2*(xdot**2 + ydot**2)",
    constraints=["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"],
)  # fmt: skip
CASES = [((0.2, 0.5, 0.9), 1.1, 0.7, 1), ((0.9, 0.31, 0.55), 0.4, 1.3, 2), ((1.4, 2.3, 1.9), 0.9, 0.5, 3)]


def start(ball: object, seed: int, level: bool) -> tuple[np.ndarray, np.ndarray]:
    """A random attitude and angular velocity, with M·γ = 0 where asked."""
    random = np.random.default_rng(seed)
    attitude = np.linalg.qr(random.normal(size=(3, 3)))[0]
    attitude *= np.linalg.det(attitude)
    gamma, omega = attitude[2], random.uniform(-1, 1, 3)
    if not level:
        return attitude, omega
    across = ball.momentum(gamma, np.eye(3)) @ gamma  # type: ignore[attr-defined]
    return attitude, omega - across * (across @ omega) / (across @ across)


@pytest.mark.parametrize("level", [True, False])
@pytest.mark.parametrize(
    ("moments", "mass", "radius", "seed"), [CASES[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES[1:])]
)
def test_motions_obey_the_quadratures(moments: tuple[float, ...], mass: float, radius: float, seed: int, level: bool) -> None:
    ball = nh.studies.chaplygin_ball(moments, mass, radius)
    attitude, omega = start(ball, seed, level)
    begin = {f"R{i + 1}{j + 1}": float(attitude[i, j]) for i in range(3) for j in range(3)}
    begin |= dict(zip(("w1", "w2", "w3"), omega.tolist()))
    parameters = {"m": mass, "r": radius, **dict(zip(("J1", "J2", "J3"), moments))}
    run = nh.simulate(BALL, begin, 6.0, parameters, rtol=1e-11, atol=1e-12, t_eval=2001)
    gamma = np.stack([np.asarray(run[f"R3{k}"]) for k in (1, 2, 3)], axis=1)
    spin = np.stack([np.asarray(run[f"w{k}"]) for k in (1, 2, 3)], axis=1)
    first, second = ball.along(run.times, gamma, spin)
    assert first < 1e-5 and second < 1e-5
    # F is constant, the vertical part is there or not, and the coordinates move
    momentum = ball.momentum(gamma, spin)
    assert np.ptp(np.sum(momentum**2, axis=1)) < 1e-8 and np.ptp(ball.elliptic(gamma), axis=0).min() > 1e-3
    assert (abs(momentum[0] @ gamma[0]) < 1e-12) == level
    wrong = nh.studies.chaplygin_ball((*moments[:2], moments[2] * 1.1), mass, radius)
    assert wrong.along(run.times, gamma, spin)[0] > 1e-2


@pytest.mark.parametrize("seed", [4, 5, 6, 7])
def test_levelled_variables_are_a_motion_of_the_other_ball(seed: int) -> None:
    """γ̃ and M̃ stand still in space: d/dt of each is its product with ω, by differences, and M̃·γ̃ = 0."""
    random = np.random.default_rng(seed)
    ball = nh.studies.chaplygin_ball(random.uniform(0.2, 0.35, 3) + 0.1, random.uniform(0.3, 3), random.uniform(0.4, 1.5))
    gamma, momentum = random.normal(size=(2, 3))
    gamma /= np.linalg.norm(gamma)

    def spin(g: np.ndarray, m: np.ndarray) -> np.ndarray:
        """ω from M = A ω − D γ (γ·ω), by a linear solver."""
        return np.linalg.solve(np.diag(ball.about_contact) - ball.load * np.outer(g, g), m)

    def rates(g: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        w = spin(g, m)
        return np.cross(g, w), np.cross(m, w)

    def other(h: float) -> np.ndarray:
        """γ̃ and M̃ at a state a little later along the motion, by one step of Runge and Kutta's midpoint rule."""
        half = [x + h / 2 * r for x, r in zip((gamma, momentum), rates(gamma, momentum))]
        g, m = (x + h * r for x, r in zip((gamma, momentum), rates(*half)))
        level = ball.levelled(np.stack([gamma, g]), np.stack([spin(gamma, momentum), spin(g, m)]))
        return np.stack([level.gamma[1], level.ball.momentum(level.gamma, level.omega)[1]])

    here = ball.levelled(gamma, spin(gamma, momentum))
    h = 1e-4
    for moved, vector in zip((other(h) - other(-h)) / (2 * h), other(0.0)):
        # in the other ball's time the rate is its product with ω̃
        np.testing.assert_allclose(moved / here.clock[0], np.cross(vector, here.omega[0]), atol=1e-6)
    assert abs(other(0.0)[0] @ other(0.0)[1]) < 1e-12 and np.linalg.norm(other(0.0)[0]) == pytest.approx(1)


def test_a_vertical_momentum_and_bad_moments_are_refused() -> None:
    ball = nh.studies.chaplygin_ball((0.2, 0.5, 0.9), 1.1, 0.7)
    with pytest.raises(nh.StateError, match="vertical or zero"):
        ball.levelled([0.0, 0.0, 1.0], [0.0, 0.0, 0.9])
    bad = (([float("nan"), 0, 1], "three finite"), ([0, 1], "three finite"), ([0, 0, 2], "length 1"), ("a", "text"))
    for gamma, words in bad:
        with pytest.raises(nh.StateError, match=words):
            ball.levelled(gamma, [1, 2, 3])
    with pytest.raises(nh.ModelError, match="three positive moments"):
        nh.studies.chaplygin_ball((0.2, 0.5), 1.1, 0.7)
