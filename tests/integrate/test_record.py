"""Quantities along a motion: machine code against numerical linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.compile.kernel import compile_equations, input_symbols
from nonholo.derive.laws.check import random_states
from nonholo.integrate.results.named_quantities import solved_rows
from tests import systems


@pytest.mark.parametrize("form", [nh.hamel, nh.multipliers])
@pytest.mark.parametrize("name", ["unbalanced_sleigh", "rattleback_in_angles", "suslov_matrix"])
def test_rates_by_machine_code_are_those_by_linear_algebra(name, form):
    """The multiplier form has an indefinite matrix, which machine code leaves to its caller."""
    system = systems.ALL[name]()
    equations = form(system)
    rng, states = np.random.default_rng(7), random_states(system, seed=2)
    values = next(states).parameters
    rows = np.array([[values.get(str(s), x) for s, x in zip(input_symbols(equations), line)] for line in
                     rng.uniform(0.2, 1.0, (5, len(input_symbols(equations))))])  # fmt: skip
    kinematics, solved = solved_rows(equations, rows)
    by_code, found = solved_rows(compile_equations(equations), rows)
    np.testing.assert_allclose(by_code, kinematics, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found, solved, rtol=1e-8, atol=1e-10)


def test_a_singular_mass_gives_no_number_there_and_numbers_elsewhere():
    system = nh.System(coordinates="x", parameters="m", lagrangian="m*x**2*xdot**2/2 - x")
    equations = nh.hamel(system)
    place = [str(s) for s in input_symbols(equations)].index("x")
    rows = np.full((3, len(input_symbols(equations))), 1.5)
    rows[1, place] = 0.0
    _, solved = solved_rows(compile_equations(equations), rows)
    assert np.isnan(solved[1]).all()
    # m x² a + m x v² = −1
    assert solved[[0, 2], 0] == pytest.approx(-(1 + 1.5 * 1.5 * 1.5**2) / (1.5 * 1.5**2))


def test_reactions_are_computed_when_they_are_asked_for(monkeypatch):
    """Reading a coordinate, the energy or a drift compiles and computes no reaction; a reaction, ``names`` and ``data`` do."""
    from nonholo.integrate.results import named_quantities as record

    asked = []
    own = record.reactions_along
    monkeypatch.setattr(record, "reactions_along", lambda *words: asked.append(1) or own(*words))
    sleigh = nh.gallery.get("chaplygin-sleigh")
    run = nh.simulate(sleigh.system, sleigh.start, 1.0, sleigh.parameters, t_eval=5)
    whole = nh.simulate(sleigh.system, sleigh.start, 1.0, sleigh.parameters, t_eval=5)
    for name in ("theta", "xdot", "omega", "energy", "t"):
        assert np.array_equal(run[name], whole.data[name].values)
    asked.clear()
    assert run.drift("energy") < 1e-9 and run.first["x"] == sleigh.start.get("x", 0.0)
    assert not asked
    assert np.array_equal(run["lambda1"], whole.data["lambda1"].values) and asked
    assert list(run.names) == list(whole.data.data_vars)
    assert list(run.first) == list(run.names) and run.first["lambda1"] == run["lambda1"][0]
