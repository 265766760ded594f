"""The report's section on gaits: numbers of the best loop, arrows along the connection, level lines of the curvature."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.control.gaits.gait_map import gait_map, gait_sketch, shape_variables, swing_sketch
from nonholo.machines.machine_files import dump
from nonholo.model.system import varied
from nonholo.present.report.report_file import _makers, _silent
from nonholo.present.report.report_gaits import connection_figure, gaits_section, height_figure
from nonholo.present.report.report_page import PLOT
from nonholo.present.report.report_subject import case
from tests.control.test_gaits import BOARD, SNAKE


def test_a_system_with_two_shape_variables_has_pictures_of_its_gaits() -> None:
    chosen = case("two-axle-tractor")
    section = _makers(chosen, False, _silent)["gaits"]()
    found = gait_sketch(chosen.system, chosen.parameters)
    assert section is not None
    assert found is not None
    assert found.gait is not None
    assert section.body.count(PLOT) >= 2
    assert f"{found.gait.displacement:.4g}" in section.body
    plain = nh.gait(chosen.system, {"df": "0.7*sin(t)", "dr": "0.7*sin(t)"}, displacement="x", parameters=chosen.parameters)
    assert found.gait.displacement > abs(plain.displacement)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("snakeboard", ("psi", "phi")), ("trikke", ("delta", "gamma")), ("roller-racer", ("phi",)), ("unicycle", ())],
)
def test_shape_variables_are_pushed_and_not_moved_by_the_symmetry(name: str, shape: tuple[str, ...]) -> None:
    assert shape_variables(nh.gallery.get(name).system) == shape


def test_systems_without_shape_variables_have_no_such_section() -> None:
    assert gaits_section(case("chaplygin-sleigh")) is None


def test_a_system_with_one_joint_shows_its_best_swing() -> None:
    racer = nh.gallery.get("roller-racer")
    section = gaits_section(case("roller-racer"))
    assert section is not None
    assert section.body.count(PLOT) == 2
    plain = nh.gait(racer.system, {"phi": "0.7*cos(t)"}, displacement="x", parameters=racer.parameters, cycles=3)
    best = swing_sketch(racer.system, racer.parameters)
    assert best is not None
    assert best.displacement > 1.2 * plain.displacement
    assert f"{best.displacement:.4g}" in section.body


def test_a_page_may_name_the_one_joint_that_is_driven(tmp_path: Path) -> None:
    """An elastic snake: its second joint swings on a spring, so that the file must say which one is driven."""
    elastic = varied(SNAKE, forces={"a2": "-2*a2 - 0.3*a2dot"}, constraints=SNAKE.constraints[:2])
    window = {"gait": {"over": {"a1": [-0.5, 0.5]}, "quantity": "x", "loop": {"a1": "0.5*sin(t)"}}}
    dump(varied(elastic, page=window), tmp_path / "elastic.toml")
    section = gaits_section(case(tmp_path / "elastic.toml"))
    known = nh.gait(elastic, {"a1": "0.5*sin(t)"}, displacement="x", cycles=3)
    assert section is not None
    assert f"{abs(known.displacement):.4g}" in section.body


def test_arrows_point_along_the_connection_and_lines_lie_at_their_level() -> None:
    found = gait_map(SNAKE, {"a1": (0.4, 1.2), "a2": (0.3, 1.0)}, points=21)
    arrows = connection_figure(found, "x").data[0]
    x, y = np.asarray(arrows["x"]), np.asarray(arrows["y"])
    here = found.connection[0, 0, 0]
    drawn = np.array([x[1] - x[0], y[1] - y[0]])
    assert drawn @ here == pytest.approx(np.linalg.norm(drawn) * np.linalg.norm(here), rel=1e-5)
    for curve in height_figure(found, "theta").data:
        level = float(str(curve["hovertemplate"]).split("<")[0])
        k = int(np.flatnonzero(np.isfinite(np.asarray(curve["x"])))[0])
        exact = nh.control.height(SNAKE, {"a1": [float(curve["x"][k])], "a2": [float(curve["y"][k])]})["theta"].values.item()
        assert exact == pytest.approx(level, abs=0.03 * np.max(np.abs(found.height[..., 2])))


def test_the_loop_is_drawn_on_both() -> None:
    gait = nh.gait(BOARD.system, {"psi": "0.6*sin(t)", "phi": "0.4*cos(t)"}, displacement="x", parameters=BOARD.parameters)
    found = gait_map(BOARD.system, {"psi": (-1, 1), "phi": (-1, 1)}, parameters=BOARD.parameters, points=7, gait=gait)
    for figure in (connection_figure(found, "x"), height_figure(found, "theta")):
        loop = figure.data[-1]
        assert loop["name"] == "best loop"
        assert np.max(np.asarray(loop["x"])) == pytest.approx(0.6, abs=1e-3)
        assert np.max(np.asarray(loop["y"])) == pytest.approx(0.4, abs=1e-3)
