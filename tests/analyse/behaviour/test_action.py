"""Maps of a symmetry group by their series, against SciPy's matrix exponential; far shifts cost no more than near ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import nonholo.analyse.flow.state_action as room
from nonholo.analyse.flow.state_action import Action


def planar() -> Action:
    """Shifts of (x, y), a turn of them with two velocities and an angle, and a stretch."""
    matrices = np.zeros((4, 6, 6))
    matrices[0, 0, 5] = matrices[1, 1, 5] = matrices[2, 4, 5] = 1.0
    for i, j in ((0, 1), (2, 3)):
        matrices[2, i, j], matrices[2, j, i] = -1.0, 1.0
    matrices[3] = np.diag([1.0, 1.0, 0.5, 0.5, 0.0, 0.0])
    return Action(("shift_x", "shift_y", "turn", "stretch"), matrices)


@pytest.mark.parametrize("far", [0.3, 40.0, 1.7e4])
def test_points_are_moved_as_the_exponential_says_near_and_far(far: float) -> None:
    action, draw = planar(), np.random.default_rng(7)
    for _ in range(20):
        amounts = np.array([far, -0.6 * far, 2.9, 0.4]) * draw.uniform(-1, 1, 4)
        point = draw.normal(size=5) * np.array([far, far, 1, 1, 1])
        whole = expm(np.einsum("a,aij->ij", amounts, action.matrices))
        wanted = (whole @ np.append(point, 1.0))[:-1]
        linear, by_amounts, image = action.slopes(amounts, point)
        assert action.image(amounts, point) == pytest.approx(wanted, rel=1e-12, abs=1e-12 * far)
        assert action.matrix(amounts) == pytest.approx(whole, rel=1e-12, abs=1e-12 * far)
        assert image == pytest.approx(wanted, rel=1e-12, abs=1e-12 * far) and linear == pytest.approx(whole[:-1, :-1], abs=1e-11)
        step = 1e-6 * np.eye(4)
        differences = [(action.image(amounts + h, point) - action.image(amounts - h, point)) / 2e-6 for h in step]
        assert by_amounts == pytest.approx(np.array(differences).T, rel=1e-5, abs=1e-5 * (1 + far))


def test_a_far_shift_with_a_small_turn_is_summed_at_once() -> None:
    action = planar()
    assert room._series_parts(action.generator(np.array([1e4, 2e4, 0.3, 0.0]))) == 1
    assert room._series_parts(action.generator(np.array([0.0, 0.0, 3.3, 0.0]))) == 4
