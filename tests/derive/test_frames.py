"""Changes of frame keep the meaning of every name."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.finding import Agreement


def test_a_frame_may_not_give_a_quasi_velocity_s_name_another_meaning():
    from nonholo.geometry.frames.frame_constructions import frame_of_forms

    sleigh = nh.gallery.get("chaplygin-sleigh").system
    across = "ydot*cos(theta) - xdot*sin(theta)"
    same = {"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)", "u": across}
    nh.hamel(sleigh, frame_of_forms("theta x y", same))
    with pytest.raises(nh.ModelError, match="rename one of them"):
        nh.hamel(sleigh, frame_of_forms("theta x y", {**same, "omega": "2*thetadot"}))


@pytest.mark.slow
def test_a_group_of_one_s_own_is_checked_in_a_chart_of_its_own():
    """SO(4) by its matrix and six velocities, Q̇ = Q Ω, with two constraints: every route agrees with the multipliers."""
    from itertools import combinations

    pairs = list(combinations(range(4), 2))
    names = [[f"Q{i}{j}" for j in range(1, 5)] for i in range(1, 5)]
    units = [np.outer(np.eye(4)[i], np.eye(4)[j]) - np.outer(np.eye(4)[j], np.eye(4)[i]) for i, j in pairs]
    anchor = [
        [names[r][i] if c == j else f"-{names[r][j]}" if c == i else "0" for i, j in pairs]
        for r in range(4)
        for c in range(4)
    ]
    brackets = [[[float(np.trace((a @ b - b @ a) @ e.T)) / 2 for e in units] for b in units] for a in units]
    relations = [
        " + ".join(f"{names[k][a]}*{names[k][b]}" for k in range(4)) + (" - 1" if a == b else "")
        for a in range(4)
        for b in range(a, 4)
    ]
    frame = nh.Frame(
        coordinates=[n for row in names for n in row], velocities="w12 w13 w14 w23 w24 w34", anchor=anchor,
        brackets=brackets, relations=relations, home=np.eye(4).ravel().tolist(),
    )  # fmt: skip
    system = nh.System(
        frame=frame, parameters="a b c d e f k",
        lagrangian="(a*w12**2 + b*w13**2 + c*w14**2 + d*w23**2 + e*w24**2 + f*w34**2)/2 - k*Q44",
        constraints=["w34", "w12 + w23"],
    )  # fmt: skip
    findings = nh.check(system)
    assert all(findings) and any(f.data == Agreement("hamel", "multipliers") for f in findings)
