"""Slips in a system's text: taken as meant where that is sure, else told with what was meant."""

from __future__ import annotations

import pytest
import sympy as sp

import nonholo as nh
from nonholo.model.files.toml_files import loads


def rolling(constraint):
    return nh.System(coordinates="x phi", parameters="r", lagrangian="xdot**2 + phidot**2", constraints=[constraint])


def test_an_equation_is_a_constraint():
    wanted = rolling("xdot - r*phidot").constraints
    assert rolling("xdot = r*phidot").constraints == wanted
    rate, turn, r = sp.symbols("xdot phidot r")
    assert rolling(sp.Eq(rate, r * turn)).constraints == wanted
    assert loads(
        'coordinates = "x phi"\nlagrangian = "xdot**2 + phidot**2"\nconstraints = ["xdot = 2*phidot"]\n'
    ).constraints == loads(
        'coordinates = "x phi"\nlagrangian = "xdot**2 + phidot**2"\nconstraints = ["xdot - 2*phidot"]\n'
    ).constraints
    ring = nh.System(coordinates="x y", lagrangian="xdot**2 + ydot**2", holonomic="x**2 + y**2 = 4")
    assert ring.holonomic == nh.System(coordinates="x y", lagrangian="xdot**2 + ydot**2", holonomic="x**2 + y**2 - 4").holonomic
    with pytest.raises(nh.NonholoError, match="an equation is written as left"):
        nh.System(coordinates="x", lagrangian="xdot = 2")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('coordinates = "theta"\nlagrangian = "θ̇**2"', "thetadot where the coordinate is called theta"),
        ('coordinates = "x"\nL = "xdot**2"', "the Lagrangian is called lagrangian"),
        ('coordinates = "x"\nlagrangian = "xdot**2"\nquasivelocities = {omega = "xdot"}\n[start]\nomgea = 1', "mean 'omega'"),
        ('coordinates = “x”\nlagrangian = "xdot**2"', 'quotes are written with the " of the keyboard .at line 1, column 15'),
        ('coordinates = "x\nlagrangian = "xdot**2"', "the quotes are not closed.* .at line 1, column 17"),
    ],
)
def test_what_was_meant_is_offered(text, meant):
    with pytest.raises(nh.NonholoError, match=meant):
        loads(text)


def test_a_parameter_that_occurs_nowhere_is_said():
    cart = nh.System(coordinates="x", parameters={"m": 1, "k": 2}, lagrangian="m*xdot**2")
    (hint,) = nh.simulate(cart, {"xdot": 1.0}, 1.0, progress=False).hints
    assert "the parameter k occurs in no formula" in hint


def test_a_mistake_in_a_file_is_shown_with_its_line_and_a_caret(tmp_path):
    file = tmp_path / "sled.toml"
    formula = '"""\nm/2*(xdot**2 + ydot**2)\n - m*g*hight(y)"""'
    file.write_text(f'coordinates = "x y"\nlagrangian = {formula}\n[parameters]\nm = 1\ng = 9.81\n')
    with pytest.raises(nh.ParseError) as trouble:
        nh.load(file)
    first, line, caret = str(trouble.value).splitlines()
    assert first.endswith("(at line 4, column 8)") and "unknown function 'hight'" in first
    assert line.strip() == '- m*g*hight(y)"""' and line[caret.index("^")] == "h"


def test_an_entry_that_is_not_known_is_shown_with_its_line(tmp_path):
    file = tmp_path / "fall.toml"
    file.write_text('coordinates = "x"\nlagrangian = "xdot**2/2"\n\n[start]\nxdto = 1\n')
    with pytest.raises(nh.ModelError, match=r"did you mean 'xdot'. \(at line 5, column 1\)\n +xdto = 1\n +\^$"):
        nh.load(file)


def test_a_quasivelocity_that_follows_from_the_others_is_named():
    words = {"coordinates": "x y z", "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2", "constraints": ["zdot - y*xdot"]}
    plain = nh.System(**words, quasivelocities={"u": "xdot", "v": "ydot"})
    assert not any("quasi-velocity" in hint for hint in nh.simulate(plain, {"u": 1.0}, 0.1).hints)
    twice = nh.System(**words, quasivelocities={"u": "xdot", "v": "ydot", "w": "3*xdot - ydot"})
    assert any("quasi-velocity w depends on the others" in hint for hint in nh.simulate(twice, {"u": 1.0}, 0.1).hints)
