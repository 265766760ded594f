"""Formulas inside sentences are drawn, words are not; notebooks and reports write γ and say what it is."""

from __future__ import annotations

import re

import pytest

import nonholo as nh
from nonholo.finding import Finding
from nonholo.present.notebook.notebook_pages import integrals_html
from nonholo.present.report.report_equations import system_printer
from nonholo.present.report.report_sections import finding_row, system_section
from nonholo.present.report.report_subject import case
from nonholo.present.report.report_symmetry import quantity
from nonholo.present.style.typeset import typeset
from nonholo.symmetry.integrals.integrals import Integrals
from tests.derive import rigid_bodies as bodies

GAMMA = "<mi>&#x003B3;</mi>"


def words(html):
    """What is left outside of formulas."""
    return re.sub(r"<math>.*?</math>", "#", html)


@pytest.mark.parametrize(
    "text, left",
    [
        ("Legendre's function P_nu(-R33), nu*(nu + 1) = m*g/J1", "Legendre&#x27;s function #, #"),
        ("a measure is preserved: f = sqrt(R33)*J1", "a measure is preserved: #"),
        ("w3*sin(k*R33) (with k**2 = J1/(J2 + m)) is constant", "# (with #) is constant"),
        ("coefficients of R33: by the adjoint equation (7.9)", "coefficients of #: by the adjoint equation (7.9)"),
        ("a motion of m - well, of 2 s", "a motion of m - well, of 2 s"),
        ("<script>w1 + w2</script>", "&lt;script&gt;#&lt;/script&gt;"),
        ("its rate is zero identically", "its rate is zero identically"),
        ("w1*(w2 + unknown", "#*(# + unknown"),
    ],
)
def test_formulas_are_found_in_sentences(text, left):
    assert words(typeset(text, bodies.veselova())) == left


def test_a_finding_is_drawn_in_the_letters_of_its_system():
    finding = Finding("J1*R31*w1 + J2*R32*w2 is constant", "holds", evidence="with coefficients of R33")
    _, told, _ = finding_row(finding, bodies.veselova())
    assert told.count(GAMMA) == 3 and "R31" not in told


def test_constants_have_names_in_the_report_too():
    system = nh.System(coordinates="x", parameters="a m J", lagrangian="m*xdot**2/2")
    from nonholo.notation.read import expression

    found = expression("xdot*cos(a*x*sqrt(m/J))", ["x", "xdot", "a", "m", "J"], "test")
    drawn = quantity(system, Finding("it is constant", "holds", expression=found), system_printer(system))
    assert "msqrt" not in drawn and "</math>,</span> with <math><msup><mi>k</mi>" in drawn


def test_integrals_in_a_notebook_write_gamma_and_define_it():
    system = bodies.veselova()
    from nonholo.algebra.calculus import symbol

    law = Finding("R31 is constant", "holds", 1e-12, "found", symbol("R31") * symbol("w1"), "by a null space")
    page = integrals_html(Integrals((law,), system))
    assert GAMMA in page and "mtable" in page and "R31" not in page and chr(0x1D738) in page
    assert "gamma1" in str(Integrals((law,), system)) and "gamma = (R31, R32, R33)" in str(Integrals((law,), system))


def test_the_section_on_a_system_uses_orthonormal_rows():
    text = bodies.UNIT + " - g*(R31**2 + R32**2 + R33**2)*R33"
    body = system_section(case(bodies.system("top", bodies.BODY, "g J1 J2 J3", text))).body
    assert body.count(GAMMA) == 1  # g γ₃: the sum of squares is one


def test_what_hamiltonise_finds_shows_itself_in_few_letters():
    particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    found = nh.hamiltonise(nh.reduce(particle, nh.translation("z")))
    assert len(repr(found)) < 2000 and ".multiplier" in repr(found) and "N = 1/sqrt(y**2 + 1)" in repr(found)
    from dataclasses import replace

    from nonholo.notation.read import expression

    long = expression(" + ".join(f"x**{k}" for k in range(1, 400)), ["x"], "test")
    assert len(repr(replace(found, multiplier=long))) < 2000


def test_a_short_name_of_a_greek_letter_is_drawn_as_formulas_draw_it() -> None:
    drawn = typeset("shift of th with the turn at left", names=["th", "left", "at"])
    assert words(drawn) == "shift of # with the turn at left" and "&#x003B8;" in drawn
