"""Units from dimensional analysis, beside the units that the gallery's authors declared."""

from __future__ import annotations

import pytest

from nonholo import System, gallery
from nonholo.model.dimensions import determined_units, read_unit
from nonholo.model.system import numbered
from nonholo.present.style.labels import meaning_of, units_of

CART = "M/2*xdot**2 + m/2*(xdot**2 + 2*l*xdot*thetadot*cos(theta) + l**2*thetadot**2) - k*x**2/2 - m*g*l*(1 - cos(theta))"


def test_sliders_of_a_cart_with_a_pendulum_have_units():
    system = System(coordinates="x theta", parameters="M m l k g c d", lagrangian=CART,
                    forces={"x": "-c*xdot", "theta": "-d*thetadot"})  # fmt: skip
    assert units_of(system) == {
        "x": "m", "theta": "rad", "M": "kg", "m": "kg", "l": "m", "k": "N/m", "g": "m/s²", "c": "kg/s", "d": "N m s",
    }  # fmt: skip


def test_a_stranger_s_sleigh_has_units_although_no_letter_but_x_and_y_is_known():
    system = System(
        coordinates="x y q", parameters="W Z e", quasivelocities={"a": "qdot", "b": "xdot*cos(q) + ydot*sin(q)"},
        lagrangian="W/2*(xdot**2 + ydot**2 + 2*e*qdot*(ydot*cos(q) - xdot*sin(q)) + e**2*qdot**2) + Z/2*qdot**2",
        constraints=["ydot*cos(q) - xdot*sin(q)"],
    )  # fmt: skip
    wanted = {"x": "m", "y": "m", "q": "rad", "W": "kg", "Z": "kg m²", "e": "m", "a": "rad/s", "b": "m/s"}
    assert units_of(system) == wanted


def test_a_rotation_has_angular_velocities_and_moments_of_inertia():
    top = gallery.get("euler-top").system
    assert units_of(numbered(top, units={})).items() >= {("w1", "rad/s")}
    assert determined_units(numbered(top, units={}), {"I1": "kg m²"})["I2"] == "kg m²"


@pytest.mark.parametrize(
    "words",
    [
        {"coordinates": "x", "lagrangian": "xdot**2/2 - x**2/2"},
        {"coordinates": "x y z", "parameters": "m", "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2",
         "constraints": ["zdot - y*xdot"]},
        {"coordinates": "q", "parameters": "A B", "lagrangian": "A*qdot**2 - B*q**2"},
    ],
    ids=["numbers for masses", "a height that is an area", "no name that is known"],
)  # fmt: skip
def test_where_texts_contradict_or_leave_a_choice_nothing_is_said(words):
    assert units_of(System(**words)) == {}


def test_a_number_may_hide_a_unit():
    fall = System(coordinates="z", parameters="m", lagrangian="m*zdot**2/2 - m*9.81*(z - 0.3)")
    assert units_of(fall) == {"z": "m", "m": "kg"}


def test_a_torsion_spring_is_still_called_a_stiffness():
    spring = System(coordinates="x u", parameters="M J k", lagrangian="M*xdot**2/2 + J*udot**2/2 - k*u**2/2 + M*xdot*cos(u)*0.1")
    assert units_of(spring)["k"] == "N m" and meaning_of(spring, "k") == "stiffness"


@pytest.mark.parametrize("name", sorted(set(gallery.names()) - set(gallery.field_names())))
def test_what_is_determined_is_what_the_authors_declared(name):
    """Their units were written by hand; the analysis sees the equations and the units of coordinates and masses."""
    system = gallery.get(name).system
    told = {n: e for n, e in system.units.items() if n in system.coordinates or e == "kg"}
    found = determined_units(numbered(system, units={}), told)
    assert {n: read_unit(e) for n, e in found.items() if n in system.units} == {
        n: read_unit(e.replace("/rad", "")) for n, e in system.units.items() if n in found
    }


def test_a_machine_s_own_parameter_gets_the_unit_that_its_equations_give_it():
    assert units_of(gallery.get("bowl-car").system)["R"] == "m"
