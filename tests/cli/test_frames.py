"""``derive --frame``: whatever the velocities, the accelerations are those of the multipliers."""

from __future__ import annotations

import json

import pytest

import nonholo as nh
from nonholo.cli.frames import equations_in_frame, written_forms
from nonholo.cli.main import main
from nonholo.derive.laws.check import random_states

FRAMES = [
    ("chaplygin-sleigh", "hamel", "body"),
    ("chaplygin-sleigh", "hamel", "spatial"),
    ("chaplygin-sleigh", "hamel", "coordinates"),
    ("chaplygin-sleigh", "hamel", "omega=thetadot, u=2*v - a*thetadot"),
    ("chaplygin-sleigh", "gibbs_appell", "u=2*v - a*thetadot, s=theta**2*thetadot + v"),
    ("chaplygin-sleigh", "hamilton", "u=2*v - a*thetadot"),
    ("snakeboard", "hamel", "body"),
    ("suslov", "hamel", "body"),
    ("suslov", "hamel", "spatial"),
    ("suslov", "hamel", "u=w1 + 3*w2, s=R11*w1 - w2"),
    ("basketball", "hamel", "body"),
    ("chaplygin-sphere", "hamel", "spatial"),
]


@pytest.mark.parametrize(("name", "form", "words"), FRAMES)
def test_a_frame_changes_the_words_and_not_the_motion(name: str, form: str, words: str) -> None:
    exhibit = nh.gallery.get(name)
    system = exhibit.system
    equations, witness = equations_in_frame(system, form, words), nh.multipliers(system)
    compared = 0
    for state in random_states(system, exhibit.parameters, count=2, seed=5):
        answers = []
        for each in (equations, witness):
            known = {*each.state, *each.outputs, *map(str, each.inputs), "t"}
            answers.append(each.rates({n: e for n, e in state.values.items() if n in known}, state.parameters))
        ours, theirs = answers
        names = [n for n in theirs if n in ours and n not in system.coordinates]
        assert [ours[n] for n in names] == pytest.approx([theirs[n] for n in names], rel=1e-8, abs=1e-8)
        compared += len(names)
    assert compared >= 4


def test_body_and_spatial_speeds_are_the_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """In the body frame of SE(2) a sleigh has w and v1; in the spatial one the place of the turn enters, ẋ = v1 − w y."""
    said = {}
    for side in ("body", "spatial"):
        assert main(["derive", "chaplygin-sleigh", "--frame", side, "--json"]) == 0
        said[side] = json.loads(capsys.readouterr().out)
    assert said["body"]["kinematics"] == ["w", "v1*cos(theta)", "v1*sin(theta)"]
    assert said["spatial"]["kinematics"][:2] == ["w", "v1 - w*y"]


def test_commas_inside_brackets_do_not_separate() -> None:
    assert written_forms(" u = atan2(y, x)*xdot ,w=ydot ") == {"u": "atan2(y, x)*xdot", "w": "ydot"}


MISTAKES = {
    (
        "chaplygin-sleigh",
        "v=2*xdot",
    ): "--frame v: Chaplygin sleigh has another v already, xdot*cos(theta) + ydot*sin(theta)",
    ("chaplygin-sleigh", "u=xdot**2"): "quasi-velocity u: xdot**2 must be linear and homogeneous",
    ("chaplygin-sleigh", "u=foo*xdot"): "--frame u: unknown name 'foo'",
    ("chaplygin-sleigh", "theta=xdot"): "'theta' is also a coordinate",
    ("chaplygin-sleigh", "u=v, u=v"): "'u' is given twice",
    ("chaplygin-sleigh", "sptial"): "write name=form",
    ("chaplygin-sleigh", ""): "write name=form",
    ("chaplygin-sleigh", "u=cos(theta)*ydot - sin(theta)*xdot"): "none of the given ones is free",
    ("heisenberg", "body"): "moves on no group that nonholo knows",
    ("suslov", "coordinates"): "9 coordinates for 3 velocities",
    ("parallel-points", "u=x1dot"): "none of the given ones is free",
    ("parallel-points", "coordinates"): "parametric velocities fix their own parameters",
    ("suslov-n", "spatial"): "moves on no group",
}


@pytest.mark.parametrize(("name", "words"), MISTAKES)
def test_a_frame_that_is_none_is_refused_in_one_line(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", name, "--frame", words]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("nonholo: ") and said.err.count("\n") == 1
    assert MISTAKES[(name, words)] in said.err and "unexpected" not in said.err


@pytest.mark.parametrize("form", ["multipliers", "voronetz", "vakonomic"])
def test_forms_in_coordinates_take_no_frame(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "chaplygin-sleigh", "--form", form, "--frame", "u=xdot"]) == 2
    assert f"{form} is written in the coordinates' rates" in capsys.readouterr().err
    assert main(["derive", "chaplygin-sleigh", "--form", form, "--frame", "body"]) == 2
    assert "--frame body goes with --form hamel" in capsys.readouterr().err
