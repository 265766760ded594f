"""What makes no sense is refused in one clear sentence."""

from __future__ import annotations

import pytest

import nonholo as nh

F = nh.fields

CASES = {
    "not a curve of length L": (
        lambda: F.String().simulate({"x": "2*s", "y": "0"}),
        "not a curve of length 1 in its arc length s: |dz/ds| = 2 at s = 0",
    ),
    "a velocity that stretches": (
        lambda: F.String().simulate({"x": "s", "y": "0", "xdot": "s"}),
        "would stretch the string",
    ),
    "too few nodes": (lambda: F.String(nodes=4), "nodes = 4; fewer than 8 nodes cannot carry a curve"),
    "half a node": (lambda: F.String(nodes=12.5), "give a whole number from 8 to 512"),
    "no length": (lambda: F.String(length=0), "string: length = 0 where a number above 0 was needed"),
    "held where": (lambda: F.String(held="middle"), 'it may hold "start" (s = 0), "end" (s = length), or both'),
    "angles and a curve": (
        lambda: F.String().simulate({"x": "s", "y": "0", "theta": "0"}),
        "either theta and omega or the curve",
    ),
    "a held string has no centre": (
        lambda: F.String(held="start").simulate({"velocity": (1, 0)}),
        "velocity belongs to a free string; this one is held at its start",
    ),
    "a free string is not held at a place": (
        lambda: F.String().simulate({"at": (0, 0)}),
        "this string is free; give center=(x, y)",
    ),
    "a slip of the pen": (
        lambda: F.String().simulate({"tetha": "s"}),
        "the start has no 'tetha'; did you mean 'theta'?",
    ),
    "another letter": (lambda: F.String().simulate({"theta": "r"}), "unknown name 'r'"),
    "not finite": (lambda: F.String().simulate({"theta": "1/s"}), "is not a finite number at s = 0"),
    "ends that part": (
        lambda: F.String(held=("start", "end"), gravity=9.81).simulate({"theta": "s - 0.5", "omega": "1"}),
        "both ends are held, but this omega moves them apart at",
    ),
    "straight between two nails": (
        lambda: F.String(held=("start", "end")).simulate({"theta": "0"}),
        "the tension is not determined here",
    ),
    "a point is a pair": (lambda: F.String().simulate({"center": 3}), "where a pair of numbers was needed"),
    "backwards": (lambda: F.String().simulate({}, -1.0), "goes forwards from t = 0"),
    "a method": (lambda: F.String().simulate({}, 1.0, method="rk5"), "choose dop853 or hamel or galerkin"),
    "a step is missing": (lambda: F.String().simulate({}, 1.0, method="hamel"), "needs a step, e.g. step=0.002"),
    "a tolerance": (lambda: F.String().simulate({}, 1.0, rtol=2), "is no tolerance"),
    "times": (lambda: F.String().simulate({}, 1.0, t_eval=[0.5, 0.2]), "rising order between 0 and until = 1"),
    "values per node": (lambda: F.String().simulate({"theta": [0.0, 1.0]}), "found 2 values where 48 nodes are"),
    "not steady": (lambda: F.modes(F.String(), {"theta": "s**2", "omega": "1"}), "the start is not steady"),
    "a string ahead": (
        lambda: F.SleighString().simulate({"v": 1.0, "theta": "0"}),
        "the string is attached ahead of the sleigh",
    ),
    "a string ahead of a sleigh that backs": (
        lambda: F.SleighString().simulate({"v": -1.0, "theta": "pi"}),
        "the string is attached ahead of the sleigh",
    ),
    "a corner at the blade": (lambda: F.SleighString().simulate({"theta": "1"}), "makes a corner with its blade"),
    "a force on what": (lambda: F.SleighString(forces={"x": "1"}), "pushed along its blade"),
    "a massless sleigh": (lambda: F.SleighString(mass=0), "mass = 0 where a number above 0 was needed"),
    "a corner at the front": (
        lambda: F.ConstrainedString().simulate({"theta": "s", "front": "0"}),
        "a string has no corner: let both agree at t = 0",
    ),
    "a mean vorticity": (
        lambda: F.Fluid().simulate({"vorticity": "1 + cos(x)"}),
        "the vorticity has the mean 1, but on a torus",
    ),
    "too few nodes for a flow": (lambda: F.Fluid(nodes=8).simulate({"vorticity": "cos(3*x)"}), "8 nodes are too few"),
    "a flow of four nodes": (lambda: F.Fluid(nodes=4), "fewer than 8 nodes carry no swirl"),
    "an even truncation": (lambda: F.Zeitlin(4), "give an odd whole number"),
    "no links": (lambda: F.linked_chain(0), "give a whole number, at least 1"),
    "no such field": (lambda: F.Sting, "did you mean 'String'?"),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused_in_one_sentence(name):
    attempt, words = CASES[name]
    with pytest.raises((nh.NonholoError, AttributeError)) as told:
        attempt()
    assert words in str(told.value)
    assert "\n" not in str(told.value).split("(at column")[0]
