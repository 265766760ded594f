"""Changes of frame keep the meaning of every name."""

from __future__ import annotations

import pytest

import nonholo as nh


def test_a_frame_may_not_give_a_quasi_velocity_s_name_another_meaning():
    from nonholo.geometry.constructions import frame_of_forms

    sleigh = nh.gallery.get("chaplygin-sleigh").system
    across = "ydot*cos(theta) - xdot*sin(theta)"
    same = {"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)", "u": across}
    nh.hamel(sleigh, frame_of_forms("theta x y", same))
    with pytest.raises(nh.ModelError, match="rename one of them"):
        nh.hamel(sleigh, frame_of_forms("theta x y", {**same, "omega": "2*thetadot"}))
