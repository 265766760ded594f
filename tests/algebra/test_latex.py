"""LaTeX as a person writes it: order, names, fractions; and the value it has when it is read again."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo import gallery
from nonholo.errors import ModelError
from nonholo.model.rotation_axes import system_notation
from nonholo.notation.latex import to_latex
from nonholo.notation.names import latex_name, notation
from nonholo.notation.parse import parse
from tests.latex_numbers import number

NAMES = ("m", "J", "a", "l", "Jw", "x", "phi", "theta", "thetadot", "omega", "v", "wheels", "tau")
SPELLING = notation(
    ("m", "J", "l", "a", "Jw"), ("x", "phi", "theta"), ("omega", "v", "wheels"), ("tau",), ("thetadot",)
)


@pytest.mark.parametrize(
    "text, latex",
    [
        ("-a*m*omega*v", r"- m a \omega v"),
        ("(a**2*m + J)*omega", r"\left(J + m a^{2}\right) \omega"),
        ("Jw*wheels*2", r"2 J_{w} \, \mathrm{wheels}"),
        ("wheels*a*v*cos(phi)", r"a v \, \mathrm{wheels} \, \cos \phi"),
        ("thetadot**2*m/2", r"\frac{1}{2} m \dot{\theta}^{2}"),
        ("m/2", r"\frac{m}{2}"),
        ("(omega + v)/2", r"\frac{\omega + v}{2}"),
        ("v*cos(theta)", r"v \cos \theta"),
        ("sin(phi)**2*cos(theta)", r"\sin^{2} \phi \cos \theta"),
        ("sin(2*phi) + cos(phi - theta)", r"\sin 2 \phi + \cos \left(\phi - \theta\right)"),
        ("cos(phi/2)", r"\cos \frac{\phi}{2}"),
        ("cos(phi)**(1/2)", r"\sqrt{\cos \phi}"),
        ("cos(phi)**(3/2)", r"\left(\cos \phi\right)^{3/2}"),
        ("1/sin(phi)**2", r"\frac{1}{\sin^{2} \phi}"),
        ("x**(1/3)*x**x", r"x^{\frac{1}{3} + x}"),
        ("-(x - a)/(x + a)", r"- \frac{x - a}{a + x}"),
        ("m*(-x - a)*v", r"- m \left(a + x\right) v"),
        ("tau - m*x", r"\tau - m x"),
        ("m*v**2/2 - m*a*x", r"\frac{1}{2} m v^{2} - m a x"),
        ("x - a*sin(theta)", r"x - a \sin \theta"),
        ("(J + Jw)*sin(phi)**2 + cos(phi)**2*l**2*m", r"m l^{2} \cos^{2} \phi + \left(J + J_{w}\right) \sin^{2} \phi"),
        ("exp(-x)*a", r"a \mathrm{e}^{- x}"),
        ("abs(x)**2", r"\left| x \right|^{2}"),
        ("0.1*x", "0.1 x"),
        ("1.5e-20*x", r"1.5 \cdot 10^{-20} x"),
        ("2*3**x", r"2 \cdot 3^{x}"),
        ("atan2(x, a) + log(a)", r"\ln a + \mathrm{atan2} \left(x, a\right)"),
        ("pi*x", r"\pi x"),
        (
            "Piecewise((x, x < a), (a, True))",
            r"\begin{cases} x & \text{for } x < a \\ a & \text{otherwise} \end{cases}",
        ),
    ],
)
def test_formulas_as_a_person_writes_them(text: str, latex: str) -> None:
    expr = parse(text, NAMES)
    assert to_latex(expr, spelling=SPELLING) == latex
    values = {n: 0.31 + 0.087 * k for k, n in enumerate(NAMES)}
    by_text = float(expr.subs({se.Symbol(n): v for n, v in values.items()}).n(53, real=True))
    assert number(latex, {SPELLING.name(n): v for n, v in values.items()}) == pytest.approx(by_text, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "x - x**2/a + 3*(a - x)**3/(2*x*(1 + a))",
        "sqrt(x**2 + a)/(2 - x)**(5/2)",
        "-(x + a)**2*tan(x/3)**3",
        "Max(x, a)*sign(x) - tanh(a*x)/3",
        "(x + a)*(x - a)*(-x - 2*a)/(-a - 3)",
    ],
)
def test_the_value_of_a_formula_survives(text: str) -> None:
    expr = parse(text, ["x", "a"])
    for x, a in np.random.default_rng(2).uniform(0.3, 1.4, (5, 2)):
        by_text = float(expr.subs({"x": x, "a": a}).n(53, real=True))
        assert number(to_latex(expr), {"x": x, "a": a}) == pytest.approx(by_text, rel=1e-11)


@pytest.mark.parametrize("name", gallery.system_names())
def test_lagrangians_and_constraints_of_the_gallery_keep_their_value(name: str) -> None:
    system = gallery.get(name).system
    spelling = system_notation(system)
    exprs = [system.lagrangian, *system.constraints, *system.holonomic, *system.quasivelocities.values()]
    names = sorted({str(s) for e in exprs for s in e.free_symbols})
    values = dict(zip(names, np.random.default_rng(4).uniform(0.3, 0.9, len(names))))
    table = {spelling.name(n): v for n, v in values.items()}
    assert len(table) == len(values)
    for expr in exprs:
        by_symbols = float(expr.subs({se.Symbol(n): v for n, v in values.items()}).n(53, real=True))
        latex = to_latex(expr, spelling=spelling)
        assert number(latex, table) == pytest.approx(by_symbols, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", gallery.system_names())
def test_no_two_names_of_a_system_look_alike(name: str) -> None:
    system = gallery.get(name).system
    names = {*system.parameters, *system.coordinates, *system.velocities, *system.quasivelocities, *system.inputs}
    names |= {f"{c}dot" for c in system.coordinates}
    spelling = system_notation(system)
    assert len({spelling.name(n) for n in names}) == len(names)


def test_names_that_would_look_alike_become_words() -> None:
    spelling = notation(
        ["Jw", "J_w", "J1", "J_1"], ["x1", "x_1", "theta", "th"], rates=["x1dot", "x_1dot", "thetadot", "thdot"]
    )
    shown = [spelling.name(n) for n in ("Jw", "J_w", "J1", "J_1", "x1", "x_1", "x1dot", "x_1dot", "th", "thdot")]
    assert shown == [
        "J_{w}", r"\mathrm{J\_w}", "J_{1}", r"\mathrm{J\_1}", "x_{1}", r"\mathrm{x\_1}", r"\dot{x}_{1}",
        r"\dot{\mathrm{x\_1}}", r"\mathrm{th}", r"\dot{\mathrm{th}}",
    ]  # fmt: skip
    assert len(set(spelling.names.values())) == len(spelling.names)


@pytest.mark.parametrize("name, latex", [("Jw", "J_{w}"), ("vx", "v_{x}"), ("JD", "J_{D}"), ("rc", "r_{c}"), ("nu", r"\nu"),
                                         ("xi1", r"\xi_{1}"), ("Jw1", "J_{w,1}"), ("mass", r"\mathrm{mass}")])  # fmt: skip
def test_two_letters_are_a_letter_and_its_index(name: str, latex: str) -> None:
    assert latex_name(name) == latex


@pytest.mark.parametrize("expr", [se.oo, se.nan, se.I, se.Function("f")(se.Symbol("x"))])
def test_what_the_language_lacks_is_refused(expr: object) -> None:
    with pytest.raises(ModelError, match="cannot write"):
        to_latex(expr)
