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
        ('coordinates = “x”\nlagrangian = "xdot**2"', 'at line 1, .*quotes are written with the " of the keyboard'),
        ('coordinates = "x\nlagrangian = "xdot**2"', "at line 1, .*the quotes are not closed"),
    ],
)
def test_what_was_meant_is_offered(text, meant):
    with pytest.raises(nh.NonholoError, match=meant):
        loads(text)


def test_a_parameter_that_occurs_nowhere_is_said():
    cart = nh.System(coordinates="x", parameters={"m": 1, "k": 2}, lagrangian="m*xdot**2")
    assert nh.simulate(cart, {"xdot": 1.0}, 1.0, progress=False).hints == ("the parameter k occurs in no formula",)
