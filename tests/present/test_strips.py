"""Film strips: where the bodies stand in the picture, and the words beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.present.film.film_strip import film_strip
from tests.present.runs import motion


def polygons(axes: Any) -> list[np.ndarray]:
    """The corners of each group of faces, as drawn."""
    kind = "PolyCollection"
    return [np.vstack([p.vertices for p in c.get_paths()]) for c in axes.collections if type(c).__name__ == kind]


def test_the_sleigh_is_seen_from_above_where_it_was() -> None:
    run = motion("chaplygin-sleigh")
    values = gallery.get("chaplygin-sleigh").parameters
    axes = film_strip(run, frames=5)
    boxes = [p for p in polygons(axes) if len(p) == 30]  # six faces, each closed
    assert len(boxes) == 5
    at = np.linspace(0, len(run["t"]) - 1, 5).astype(int)
    for corners, k in zip(boxes, at):
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        x = run["x"][k] + values["a"] * np.cos(run["theta"][k])
        y = run["y"][k] + values["a"] * np.sin(run["theta"][k])
        assert middle == pytest.approx([x, y], abs=1e-4)
    edge = next(line for line in axes.lines if line.get_label() == "edge")
    assert np.allclose(edge.get_xydata(), np.column_stack([run["x"], run["y"]]), atol=1e-5)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("$x$ [m]", "$y$ [m]")
    assert [t.get_text() for t in axes.texts] == ["$t$ = 0 s", "3", "6", "9", "12"]


def test_the_disk_in_space_touches_its_trace() -> None:
    """Seen along a known direction, the lowest point of the rim is on the trace of the contact."""
    run = motion("rolling-disk")
    toward = np.array([0.0, -1.0, 0.0])
    axes = film_strip(run, times=[0.0, 2.0, 4.0], view=toward, layout="path")
    disks = polygons(axes)
    assert len(disks) == 3
    for corners in disks:
        assert np.min(corners[:, 1]) == pytest.approx(0.0, abs=0.02)  # seen from the side the ground is the line z = 0
    trace = next(line for line in axes.lines if line.get_label() == "contact")
    assert np.max(np.abs(trace.get_ydata())) < 1e-5


def test_what_turns_in_place_is_shown_side_by_side_at_one_scale() -> None:
    panels = film_strip(motion("rattleback"), frames=5)
    assert len(panels) == 5
    assert len({round(float(np.ptp(p.get_xlim())), 12) for p in panels}) == 1
    assert [p.get_title() for p in panels] == [f"$t$ = {t} s" for t in ("0", "1.25", "2.5", "3.75", "5")]


def test_a_strip_is_written(tmp_path: Any) -> None:
    film_strip(motion("chaplygin-sleigh"), frames=3, path=tmp_path / "strip.pdf")
    assert (tmp_path / "strip.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_shown_is_refused() -> None:
    run = motion("chaplygin-sleigh")
    with pytest.raises(nh.StateError, match='choose "path" or "panels"'):
        film_strip(run, layout="spiral")
    with pytest.raises(nh.StateError, match="no instants"):
        film_strip(run, frames=0)
    bare = nh.simulate(nh.System("spring", coordinates="q", lagrangian="(qdot**2 - q**2)/2"), {"q": 1.0}, 1.0)
    with pytest.raises(nh.ModelError, match="nothing to draw"):
        film_strip(bare)
