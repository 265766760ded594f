"""Equations in LaTeX, read again by a reader that shares no code with the writer, hold at random states."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.display.equation_text import acceleration, equations_notation
from nonholo.errors import ModelError
from tests.latex_numbers import number, side
from tests.latex_vectors import World, holds, is_vector_row

SHORT = 0.25
"""Seconds for shortening: what is found in that time is checked, and the rest is written as it is."""


def random_rotation(random: np.random.Generator) -> np.ndarray:
    matrix = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return matrix * np.sign(np.linalg.det(matrix))


def numbers(equations, parameters, seed):
    """State, parameters, inputs and all rates at random, by their names; the rates by the numerical road."""
    random = np.random.default_rng(seed)
    state = {n: random.uniform(0.2, 0.9) for n in (*equations.state, *map(str, equations.inputs))}
    for letter in {n[:-2] for n in state if re.fullmatch(r"[A-Za-z]+11", n)}:
        matrix = random_rotation(random)
        state |= {f"{letter}{i + 1}{j + 1}": matrix[i, j] for i in range(3) for j in range(3)}
    rates = equations.rates(state, parameters)
    values = {**parameters, **state, "t": 0.0}
    values |= {f"{c}dot": rates[str(c)] for c in equations.coordinates}
    values |= {acceleration(str(s)): rates[str(s)] for s in equations.speeds}
    dependent = [n for n in equations.outputs if not n.endswith("dot") and n not in values]
    for name, value in zip(dependent, evaluate([equations.outputs[n] for n in dependent], values)):
        values |= {name: value, f"{name}dot": rates[name]}
    return values


def rows_of(latex):
    """Left and right sides; a line that goes on is put behind the one before."""
    body = latex.removeprefix("\\begin{aligned}\n").removesuffix("\n\\end{aligned}")
    rows = []
    for line in body.split(" \\\\\n"):
        left, right = line.split("&", 1)
        if left.strip():
            rows.append((left.strip(), right))
        elif right.strip().startswith(r"\quad"):
            rows[-1] = (rows[-1][0], rows[-1][1] + " " + right.strip().replace(r"\quad", "").strip())
        elif " = " in right:
            rows.append(tuple(right.rsplit(" = ", 1)))
        else:
            rows.append((right.strip(), ""))
    sides = [(left, right.strip().removeprefix("=").strip()) for left, right in rows]
    return [(left, re.sub(r"\\(left|right)\.", "", right)) for left, right in sides]


def check(equations, latex, parameters, seed):
    """Every row holds; abbreviations are put in when they are met."""
    values = numbers(equations, parameters, seed)
    spelling = equations_notation(equations)
    table = {spelling.name(n): v for n, v in values.items()}
    assert len(table) == len(values), "two names look alike"
    rows = rows_of(latex)
    for left, right in rows:
        if re.fullmatch(r"[kqhMF]_\{[\d,]+\}", left) and left not in table:
            table[left] = cache(lambda right=right: number(right, table))
    for letter in spelling.rotations:
        for name, dot in ((letter, ""), (rf"\dot{{{letter}}}", "dot")):
            entries = [[values.get(f"{letter}{i}{j}{dot}", 0.0) for j in (1, 2, 3)] for i in (1, 2, 3)]
            table[f"matrix {name}"] = np.array(entries)
    world = World(values, spelling, rows)
    for left, right in rows:
        if is_vector_row(left, right):
            assert holds(left, right, world), (left, right[:200])
            continue
        if left in ("U", "V") and left not in table:  # a potential that a vector row uses
            continue
        if f"matrix {left}" in table:
            one, two = table[f"matrix {left}"], side(right, table)
        else:
            one, two = side(left, table), side(right, table)
        scale = 1 + np.abs(np.asarray(one)).max() + np.abs(np.asarray(two)).max()
        assert np.allclose(one, two, atol=1e-8 * scale, rtol=1e-8), (left, right[:200])
    return rows


@pytest.mark.parametrize("name", gallery.system_names())
def test_every_hamel_equation_of_the_gallery_holds_as_it_is_written(name):
    exhibit = gallery.get(name)
    try:
        equations = nh.hamel(exhibit.system)
    except ModelError:  # a degenerate Lagrangian has none
        return
    rows = check(equations, equations.latex(SHORT), dict(exhibit.parameters), 3)
    assert len(rows) >= len(equations.speeds) - 1


@pytest.mark.parametrize(
    "name, form",
    [
        ("snakeboard", nh.hamilton),
        ("routh-sphere", nh.hamel),
        pytest.param("roller-racer", nh.hamilton, marks=pytest.mark.slow),
    ],
)
def test_equations_with_time_to_shorten_them_hold_too(name, form):
    exhibit = gallery.get(name)
    equations = form(exhibit.system)
    check(equations, equations.latex(), dict(exhibit.parameters), 5)
