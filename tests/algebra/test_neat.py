"""Shortened expressions: the same value, and as short as by hand."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.common_factors import without_common_factors
from nonholo.notation.names import notation
from nonholo.notation.parse import parse
from nonholo.notation.shortening.rotation_identities import normal_form
from nonholo.notation.shortening.shorten import neat, shortened
from nonholo.notation.write import to_text

NAMES = ("m", "J", "Jr", "Jw", "l", "a", "b", "x", "y", "phi", "theta", "u", "v", "w")
SPELLING = notation(("m", "J", "Jr", "Jw", "l", "a", "b"), ("x", "y", "phi", "theta"), ("u", "v", "w"))


def value(expr: object, values: dict[str, float]) -> float:
    return float(se.sympify(expr).subs({se.Symbol(n): v for n, v in values.items()}).n(53, real=True))


@pytest.mark.parametrize(
    "long, short",
    [
        ("J*sin(phi)**2 + Jr*sin(phi)**2 + 2*Jw*sin(phi)**2 - l**2*m*sin(phi)**2 + l**2*m",
         "m*l**2*cos(phi)**2 + (J + Jr + 2*Jw)*sin(phi)**2"),
        ("(2*x*a**2*(v - w) + 2*y*b**2*(w - u))/2", "b**2*y*(w - u) + a**2*x*(v - w)"),
        ("cos(theta)*sin(phi) - sin(theta)*cos(phi)", "sin(phi - theta)"),
        ("cos(phi + theta)*sin(phi - theta) + cos(phi - theta)*sin(phi + theta)", "2*sin(phi)*cos(phi)"),
        ("m*x**2/sqrt(x**2 + y**2) + m*y**2/sqrt(x**2 + y**2)", "m*sqrt(x**2 + y**2)"),
        ("m*v**2/2 + m*u**2/2", "m*(u**2 + v**2)/2"),
        ("exp(2*x)*a/(exp(x) + exp(3*x))", "a*exp(x)/(1 + exp(2*x))"),
        ("v/a + w*b/a", "(v + b*w)/a"),
        ("J*w**2*a**2/b - m*v", "J*a**2*w**2/b - m*v"),
        ("u*sqrt(J + Jw - (J + Jw - m*l**2)*cos(phi)**2)", "u*sqrt(m*l**2*cos(phi)**2 + (J + Jw)*sin(phi)**2)"),
    ],
)  # fmt: skip
def test_sums_become_what_a_person_would_write(long: str, short: str) -> None:
    found = neat(parse(long, NAMES), 5.0, SPELLING)
    assert to_text(found, SPELLING) == short
    for row in np.random.default_rng(3).uniform(0.3, 1.3, (3, len(NAMES))):
        values = dict(zip(NAMES, row))
        assert value(found, values) == pytest.approx(value(parse(long, NAMES), values), rel=1e-11)


@pytest.mark.parametrize("seed", range(25))
def test_random_expressions_keep_their_value(seed: int) -> None:
    random = np.random.default_rng(seed)
    parts = [
        "x",
        "a",
        "v",
        "sin(phi)",
        "cos(phi)",
        "sin(phi - theta)",
        "cos(theta)",
        "sqrt(a + x**2)",
        "exp(x)",
        "2",
        "(1/3)",
    ]

    def draw(depth: int) -> str:
        if depth == 0:
            return str(random.choice(parts))
        one, two = draw(depth - 1), draw(depth - 1)
        return f"({one}) {random.choice(['+', '-', '*', '*', '/'])} ({two})"

    expr = parse(draw(3), NAMES)
    found = neat(expr, 0.4, SPELLING)
    values = dict(zip(NAMES, random.uniform(0.4, 1.2, len(NAMES))))
    assert value(found, values) == pytest.approx(value(expr, values), rel=1e-8)


def test_entries_of_a_rotation_are_used_only_when_they_are_one() -> None:
    names = [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    expr = parse("m*R11*R12 + m*R21*R22 + J*(R13**2 + R23**2 + R33**2)", [*names, "m", "J"])
    turned = neat(expr, 5.0, notation(["m", "J"], names, rotations=["R"]))
    assert turned == parse("J - m*R31*R32", [*names, "m", "J"])
    assert "R11" in str(neat(expr, 5.0, notation(["m", "J"], names)))


def test_the_relations_of_rotations_hold_for_rotations() -> None:
    """Every product of two entries and its normal form agree on random rotations, and on nothing else."""
    import sympy

    ring, *letters = sympy.ring([f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)], sympy.QQ)
    random = np.random.default_rng(8)
    q = np.linalg.qr(random.normal(size=(3, 3)))[0]
    q *= np.sign(np.linalg.det(q))
    changed = 0
    for i, one in enumerate(letters):
        for two in letters[i:]:
            normal = normal_form(one * two, tuple(range(9)), 100)
            changed += normal != one * two
            exact = [sympy.Rational(float(e)) for e in q.ravel()]
            assert float(normal.evaluate(list(zip(ring.gens, exact)))) == pytest.approx(
                float((one * two).evaluate(list(zip(ring.gens, exact)))), abs=1e-12
            )
    assert changed == 20


def test_common_factors_of_a_row_cancel_and_nothing_else() -> None:
    m, a, w, t = se.symbols("m a w t")
    assert without_common_factors([2 * m * a, 0, 4 * m * w]) == [a, 0, 2 * w]
    assert without_common_factors([m + a, 0, m * w]) == [m + a, 0, m * w]
    assert without_common_factors([-m, se.Integer(0)]) == [1, 0]
    assert without_common_factors([m / 2, m * a, t]) == [m, 2 * m * a, 2 * t]


def test_time_is_kept_and_told() -> None:
    terms = [se.Symbol(f"x{k}") * se.sin(se.Symbol("phi") * (k % 3 + 1)) / (k + se.Symbol("y")) for k in range(40)]
    _, complete = shortened([se.Add(*terms[k:]) for k in range(30)], 0.2)
    assert not complete
    found, complete = shortened([se.Symbol("x"), se.Integer(3)], 0.2)
    assert complete and found == [se.Symbol("x"), 3]


def test_what_was_shortened_before_changes_neither_the_answer_nor_its_work() -> None:
    """The first time, again, after other work, and as in a new process; with little allowed and with enough."""
    from nonholo.algebra.budget import spent
    from nonholo.algebra.cache import forget
    from nonholo.notation.shortening.length import _LENGTHS

    text = "(J + Jw)*sin(phi)**2*u + m*l**2*cos(phi)**2*u + m*a*(v*cos(phi) - w*sin(phi))**2/(b + x) + J*w**2/(b + x)**2"
    exprs = [parse(f"{text} - {k}*a*x*(u + v)**2", NAMES) for k in range(3)]
    for budget in (0.05, 3.0):
        found = []
        for again in range(3):
            before = spent()
            answer = shortened(exprs, budget, SPELLING)
            found.append((list(map(str, answer[0])), answer[1], round((spent() - before) * 1e6)))
            if again == 0:
                shortened([parse("(a + b)**2*x - (a - b)**2*x", NAMES)], 1.0, SPELLING)
            else:
                forget()
                _LENGTHS.clear()
        assert found[0] == found[1] == found[2]
        assert found[0][1] is (budget > 1)
