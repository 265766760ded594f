"""Equations for a person: short, right, and in time."""

from __future__ import annotations

from time import perf_counter

import nonholo as nh
from benchmarks.systems import rattleback_in_angles
from tests import systems


def test_the_sleigh_prints_as_one_would_write_it():
    text = str(nh.hamel(systems.unbalanced_sleigh()))
    assert "d/dt x = v*cos(theta)" in text
    assert "a*m*omega**2" in text.replace("omega**2*a*m", "a*m*omega**2").replace(
        "m*a*omega**2", "a*m*omega**2"
    ).replace("a*omega**2*m", "a*m*omega**2")
    assert "sin(theta)**2" not in text


def test_latex_names_greek_letters_and_rates():
    latex = nh.hamel(systems.balanced_sleigh()).latex()
    assert r"\theta" in latex and r"\ddot" in latex and "thetadot" not in latex


def test_long_equations_are_printed_within_the_budget():
    began = perf_counter()
    assert len(str(nh.hamel(rattleback_in_angles()))) > 1000
    assert perf_counter() - began < 20


def test_named_parts_put_back_give_the_same_equations():
    """What is printed, read again and put together, is the equation."""
    import re

    import numpy as np

    from benchmarks.systems import RATTLEBACK_VALUES
    from nonholo.algebra.linear import evaluate
    from nonholo.algebra.parse import parse
    from nonholo.derive.display import text

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
