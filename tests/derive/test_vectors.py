"""Rigid bodies in γ and as vectors: what is written holds, and a vector equation is written only when it is proved."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import symbol
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.display.vector_equations import Places, proved, vector_form
from nonholo.model.rotation_axes import axes_of
from nonholo.notation.read import expression
from tests.derive import rigid_bodies as bodies
from tests.derive.test_latex_equations import check, numbers

VECTORS = {
    "loaded_ball": "d/dt K = K × w + m*rhodot × (w × rho) + m*g*rho × gamma",
    "loaded_rubber_ball": "d/dt K = K × w + m*rhodot × (w × rho) + m*g*rho × gamma + lambda*gamma",
    "rubber_ball": "d/dt K = K × w + lambda*gamma",
    "veselova": "J wdot = (J w) × w + m*g*gamma × c + lambda*gamma",
    "suslov_gyrostat": "d/dt K = K × w + gamma × dU/dgamma + lambda*a",
    "braked_top": "I omegadot = (I omega) × omega + m*g*l*gamma × e3 - mu*omega",
    "taken_letter": "J wdot = (J w) × w + gamma*Gamma × e3",
    "axis_in_space": "",
}
"""The vector equations by hand, from the laws of Newton and Euler [Borisov and Mamaev 2002]; where there is none, no text."""


@pytest.mark.parametrize("name", VECTORS)
def test_a_body_written_by_a_user_gets_its_vector_equation_and_every_row_holds(name):
    equations = nh.hamel(getattr(bodies, name)())
    rows = check(equations, equations.latex(0.1), dict(equations.system.parameters), 7)
    drawn = [row for row in rows if r"\times" in row[1] and r"\qquad" not in row[1]]
    text = _text(equations)
    assert ("as vectors" in text) == bool(VECTORS[name]) == bool(drawn)
    assert not VECTORS[name] or f"\n  {VECTORS[name]}\n" in f"{text}\n"


def _text(equations):
    from nonholo.derive.display.equation_text import text

    return text(equations, 0.1)


GALLERY = {
    "euler-top": "I wdot = (I w) × w",
    "lagrange-top": "I wdot = (I w) × w + m*g*a*gamma × e3",
    "suslov": "I wdot = (I w) × w + lambda*a",
    "heavy-suslov-top": "I xidot = (I xi) × xi + m*g*gamma × c + lambda*e3",
    "chaplygin-sphere": "K = J w + m*r**2*gamma × (w × gamma)",
    "routh-sphere": "d/dt K = K × w + m*rhodot × (w × rho) + m*g*rho × gamma",
}


@pytest.mark.parametrize("name", GALLERY)
def test_the_classical_bodies_of_the_gallery_are_vector_equations(name):
    assert f"\n  {GALLERY[name]}\n" in _text(nh.hamel(nh.gallery.get(name).system)) + "\n"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("rattleback", marks=pytest.mark.slow),
        pytest.param("rolling-body", marks=pytest.mark.slow),
        "rolling-disk",
        "routh-top",
        "chaplygin-top",
    ],
)
def test_bodies_of_every_shape_roll_by_the_same_equation(name):
    form = vector_form(nh.hamel(nh.gallery.get(name).system))
    assert form is not None and form.swept and form.weight == symbol("m") * symbol("g")


def test_sliding_leaves_no_vector_equation():
    assert vector_form(nh.hamel(nh.gallery.get("tippe-top").system)) is None


def test_a_vector_equation_with_anything_changed_is_not_proved():
    equations = nh.hamel(bodies.loaded_rubber_ball())
    form = vector_form(equations)
    places = Places(form, equations, equations.system)
    assert proved(form, equations, places)
    one = symbol("J1")
    inertia = ((one, se.Integer(0), symbol("e1") * symbol("e3")), *form.inertia[1:])
    turned = tuple((axis, tuple(-e for e in slope)) for axis, slope in form.torque)
    longer = (form.arm[0] + 1, *form.arm[1:])
    held = ((*form.held[0][:2], se.Integer(0)),)
    for wrong in (
        replace(form, inertia=inertia),
        replace(form, torque=turned),
        replace(form, torque=()),
        replace(form, arm=longer),
        replace(form, swept=False),
        replace(form, held=held),
        replace(form, held=()),
        replace(form, mass=2 * form.mass),
        replace(form, rotor=(one, one, one)),
    ):
        assert not proved(wrong, equations, places), wrong


def named_in(equations, values):
    """The values with the components of the axes beside the entries that they stand for."""
    more = {}
    for axis in axes_of(equations.system):
        for entry, component in zip(axis.entries, axis.components):
            more |= {component: values[entry], f"{component}dot": values[f"{entry}dot"]}
    return {**values, **more}


@pytest.mark.parametrize("make", [bodies.loaded_ball, bodies.veselova, bodies.axis_in_space, bodies.taken_letter])
def test_the_text_is_read_back_by_the_definitions_it_gives(make):
    """Every component line can be parsed with the letters it defines, and holds; so do the definitions."""
    equations = nh.hamel(make())
    page = _text(equations).partition("as vectors")[0]
    values = named_in(equations, numbers(equations, dict(equations.system.parameters), 11))
    told = re.findall(r"^  (\w+) = \((R\d\d), (R\d\d), (R\d\d)\)", page, re.M)
    assert told
    for letter, *entries in told:
        assert [values[f"{letter}{k}"] for k in (1, 2, 3)] == [values[e] for e in entries]
    allowed = [f"{letter}{k}" for letter, *_ in told for k in (1, 2, 3)]
    allowed += [n for n in values if not re.fullmatch(r"(R\d\d|[a-zA-Z]+\d)(d?dot)?", n) or n in equations.state]
    allowed += [str(p) for p in equations.parameters] + [n for n in values if n.endswith("dot")]
    lines = [line.strip() for line in page.splitlines() if "dot" in line and "d/dt" not in line]
    assert len(lines) == len(equations.speeds)
    for line in lines:
        assert not re.search(r"\bR\d\d\b", line)
        left, right = (evaluate([expression(side, allowed, line)], values)[0] for side in line.split(" = "))
        assert left == pytest.approx(right, rel=1e-9, abs=1e-9), line


def test_poisson_is_read_off_the_frame_and_not_assumed():
    """By rates in space rows do not turn among themselves: they are defined, and no law is claimed; columns have one."""
    frame = nh.spatial(nh.SO3("R", rates="w1 w2 w3"))
    kinetic = "J*(s_w1**2 + s_w2**2 + s_w3**2)/2"
    page = _text(nh.hamel(nh.System(frame=frame, parameters="J k", lagrangian=f"{kinetic} - k*R13")))
    assert "d/dt zeta = s_w × zeta" in page
    page = _text(nh.hamel(nh.System(frame=frame, parameters="J k", lagrangian=f"{kinetic} - k*R31*R32")))
    assert "gamma = (R31, R32, R33)" in page and "d/dt gamma" not in page


def test_a_vector_alone_turns_in_one_line():
    assert "d/dt gamma = gamma × (xi1, xi2, 0)" in _text(nh.hamel(nh.gallery.get("spherical-pendulum").system))


def test_machine_code_and_structure_do_not_know_the_letters():
    """The letters are for printing: equations, their state and a saved text keep the entries."""
    from nonholo.model.files.toml_files import dumps

    system = bodies.veselova()
    equations = nh.hamel(system)
    assert not any(str(s).startswith("gamma") for e in equations.force for s in e.free_symbols)
    assert "gamma" not in dumps(system) and "R31" in dumps(system)
    start = {"w1": 0.3, "w2": 0.2, **{f"R{i}{i}": 1.0 for i in (1, 2, 3)}}
    assert np.isfinite(equations.rates({**dict.fromkeys(equations.state, 0.0), **start}, dict(system.parameters))["w1"])
