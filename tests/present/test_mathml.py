"""Formulas put together word by word are what a conversion of the whole gives."""

from __future__ import annotations

import re

import pytest
from latex2mathml.converter import convert

import nonholo as nh
from nonholo.derive.display.equation_layout import laid_out
from nonholo.derive.display.equation_text import parts
from nonholo.present.style import mathml

ODD = [
    r"\frac{a}{b}^{2} x", r"\frac{a}{b}_{1}", r"\left(a\right)_{1}", r"\left|x\right| + \left\lfloor y \right\rfloor",
    r"\dot x + \dot\theta", r"\hat w^2 q", r"x' + y",
    r"\sqrt[3]{x + 1} \sqrt{\frac{a}{b}}", r"a \, \mathrm{roll} \, \mathrm{e}^{- x} \mathrm{e}",
    r"\left(\begin{matrix} a & \frac{b}{c} \\ - \left(x + 1\right) & d \end{matrix}\right) R", r"\frac12 m", r"\frac{}{b}",
    r"\begin{cases} x & \text{for } x < 0 \\ 0 & \text{otherwise} \end{cases}", r"10^{-3} \cdot 2.5", r"a ^{2}",
    r"\text{if } x = 0",
    r"\left(a + b \right.", r"\left. + c\right)^{2} \left(d\right)", r"x^{2^{n}} y_{1,2}", "  x  ",
    r"\begin{matrix} a & \\ b & c \end{matrix}",
]  # fmt: skip


def whole(latex: str) -> str:
    """The inside by one conversion of all of it."""
    found = str(convert(latex))
    return re.sub(r"^<math[^>]*><mrow>|</mrow></math>$", "", found)


@pytest.mark.parametrize("latex", ODD)
def test_what_a_formula_may_hold(latex: str) -> None:
    try:
        expected = whole(latex)
    except Exception as trouble:
        with pytest.raises(type(trouble)):
            mathml._row(latex)
    else:
        assert mathml._row(latex) == expected


@pytest.mark.parametrize("name", ["snakeboard", "chaplygin-sphere"])
def test_equations(name: str) -> None:
    seen = 0
    for form in (nh.hamel, nh.multipliers, nh.hamilton):
        equations = form(nh.gallery.get(name).system)
        found = laid_out(equations, parts(equations, 0.05, ("M", "F", "z")))
        for row in (*found.kinematics, *found.dynamics, *found.abbreviations):
            for latex in row:
                if latex.strip():
                    assert mathml._row(latex) == whole(latex)
                    seen += r"\frac" in latex and r"\left" in latex
    assert seen > 5


def test_a_sign_after_equals_or_a_bracket_belongs_to_what_follows() -> None:
    """As an infix sign it would stand apart from its number: v = − 1."""
    prefix = '<mo form="prefix">&#x02212;</mo>'
    assert prefix in mathml.content("v = -1") and prefix in mathml.content(r"\left(- x + y\right)")
    assert prefix not in mathml.content(r"\left(a\right) - b") and prefix not in mathml.content("a - b")


def test_an_exponent_stands_beside_the_letter_and_not_above_its_dot() -> None:
    assert mathml.content(r"\dot{\theta}^{2}").startswith('<msup><mpadded height="0.66em"><mover')
    assert "mpadded" not in mathml.content(r"\dot{\theta} + x^{2}")
