"""Equations for a person: short, right, and in time."""

from __future__ import annotations

import nonholo as nh
from benchmarks.systems import rattleback_in_angles
from tests import systems
from tests.counted import calls


def test_the_sleigh_prints_as_one_would_write_it():
    assert str(nh.hamel(nh.gallery.get("chaplygin-sleigh").system)).splitlines()[2:] == [
        "  d/dt theta = omega",
        "  d/dt x = v*cos(theta)",
        "  d/dt y = v*sin(theta)",
        "  (J + m*a**2)*omegadot = -m*a*omega*v",
        "  vdot = a*omega**2",
    ]


def test_the_sleigh_in_latex():
    assert nh.hamel(nh.gallery.get("chaplygin-sleigh").system).latex().splitlines()[1:-1] == [
        r"\dot{\theta} &= \omega \\",
        r"\dot{x} &= v \cos \theta \\",
        r"\dot{y} &= v \sin \theta \\",
        r"\left(J + m a^{2}\right) \dot{\omega} &= - m a \omega v \\",
        r"\dot{v} &= a \omega^{2}",
    ]


def test_the_snakeboard_in_latex():
    """As by hand: ẋ = l u cos θ cos φ, …; the momentum along the arc has the inertia m l² cos² φ + (J + J_r + 2 J_w) sin² φ."""
    rows = nh.hamel(nh.gallery.get("snakeboard").system).latex(20.0).splitlines()[1:-1]
    assert rows[0] == r"\dot{x} &= l u \cos \theta \cos \phi \\"
    assert rows[5] == (
        r" &\left(m l^{2} \cos^{2} \phi + \left(J + J_{r} + 2 J_{w}\right) \sin^{2} \phi\right) \dot{u} "
        r"+ J_{r} \, \dot{\mathrm{rotor}} \, \sin \phi \\"
    )
    assert rows[6] == (
        r" &\quad = - \left(J + J_{r} + 2 J_{w} - m l^{2}\right) u \, \mathrm{wheels} \, \sin \phi \cos \phi \\"
    )


def test_what_chaplygins_sphere_is_known_for_can_be_read():
    """The right sides are Euler's: (J₂ - J₃) w₂ w₃, …: all else cancels by the orthogonality of R."""
    latex = nh.hamel(nh.gallery.get("chaplygin-sphere").system).latex(20.0)
    for i, j, k in ((1, 2, 3), (3, 1, 2)):
        assert rf"\left(J_{{{j}}} - J_{{{k}}}\right) w_{{{min(j, k)}}} w_{{{max(j, k)}}}" in latex, i


def test_latex_names_greek_letters_and_rates():
    latex = nh.hamel(systems.balanced_sleigh()).latex()
    assert r"\theta" in latex and r"\ddot" in latex and "thetadot" not in latex


def test_long_equations_are_printed_within_the_budget():
    equations = nh.hamel(rattleback_in_angles())
    shown = []
    assert calls(lambda: shown.append(str(equations))) < 2_500_000  # 800,000 today
    assert len(shown[0]) > 1000


def test_named_parts_put_back_give_the_same_equations():
    """What is printed, read again and put together, is the equation."""
    import re

    import numpy as np

    from benchmarks.systems import RATTLEBACK_VALUES
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.derive.display.equation_text import text
    from nonholo.notation.parse import parse

    equations = nh.hamel(rattleback_in_angles())
    body, definitions = text(equations, budget=0.0).split("\nwith\n")
    names = [*equations.state, *RATTLEBACK_VALUES]
    random = np.random.default_rng(0)
    values = {**dict(zip(equations.state, random.uniform(0.1, 0.5, len(equations.state)))), **RATTLEBACK_VALUES}
    for line in definitions.splitlines():
        name, side = line.strip().split(" = ")
        values[name] = float(evaluate([parse(side, [*names, *values])], values)[0])
    right = [re.split(r" = ", line)[-1] for line in body.splitlines() if "ddot" in line]
    found = [float(evaluate([parse(side, [*names, *values])], values)[0]) for side in right]
    assert np.allclose(found, evaluate(equations.force, values), rtol=1e-9)
    assert len(body) + len(definitions) < 40_000


def test_a_wide_matrix_is_not_broken_inside() -> None:
    from nonholo.derive.display.equation_layout import broken

    matrix = r"\left(\begin{matrix} a + b + c & d + e + f \\ g + h & k \end{matrix}\right) v"
    assert broken(matrix, wide=4) == [matrix]
    assert broken(rf"{matrix} + \left(a + b + c\right) w", wide=4)[0] == matrix


def test_shortening_the_disk_stays_the_work_it_was(monkeypatch) -> None:
    """Polynomials made, ways to write one compared and sums factored; 24426, 308 and 53 when this was written."""
    from collections import Counter

    from nonholo.algebra import polynomials
    from nonholo.algebra.cache import forget
    from nonholo.derive.display.equation_text import parts
    from nonholo.notation.shortening import collect as arranged

    count: Counter[str] = Counter()

    def counted(owner: object, name: str) -> None:
        work = getattr(owner, name)

        def counting(*words: object) -> object:
            count[name] += 1
            return work(*words)

        monkeypatch.setattr(owner, name, counting)

    counted(polynomials, "_made")
    counted(arranged, "_shortest")
    counted(polynomials.Polynomial, "_factors")
    forget()
    assert parts(nh.hamel(nh.gallery.get("rolling-disk").system), 5.0).complete
    assert 0 < count["_made"] < 27_000 and 0 < count["_shortest"] < 340 and 0 < count["_factors"] < 80


def test_equations_that_stay_long_are_no_longer_than_with_nothing_shortened() -> None:
    """Where the work ends before all is shortened, parts that are shortened share less; then the others are shown."""
    import numpy as np
    import symengine as se

    from nonholo.algebra.calculus import substitute
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.derive.display.equation_text import parts
    from nonholo.notation.shortening.length import written_length

    equations = nh.gibbs_appell(nh.gallery.get("euler-top").system)
    wide = []
    for budget in (0.0, 0.3):
        found = parts(equations, budget)
        assert not found.complete and found.definitions
        shown = [*(e for _, e in found.definitions), *found.kinematics, *(e for row in found.mass for e in row), *found.force]
        wide.append(sum(map(written_length, shown)))
        table: dict[se.Symbol, se.Expr] = {}
        for name, side in found.definitions:
            (table[name],) = substitute([side], table)
        names = [*equations.state, *map(str, equations.parameters)]
        values = dict(zip(names, np.random.default_rng(3).uniform(0.3, 0.9, len(names)).tolist()))
        mass = np.array([evaluate(substitute(row, table), values) for row in found.mass])
        rates = np.linalg.solve(mass, evaluate(substitute(found.force, table), values))
        true = np.linalg.solve(
            np.array([evaluate(row, values) for row in equations.mass]), evaluate(equations.force, values)
        )
        assert np.allclose(rates, true, rtol=1e-9)
    assert wide[1] < wide[0]


def test_equations_show_no_case_whose_pieces_are_equal_and_kinks_by_their_names() -> None:
    """The kerb's gap holds max(x, 0); its derivatives brought pieces that were both 0."""
    written = str(nh.hamel(nh.gallery.get("wheel-from-a-kerb").system))
    assert "Max(0, x)" in written and "(0, True)" not in written and "(x, True)" not in written
