"""What methods keep: the table that `nonholo methods` prints is measured again, line by line."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from nonholo.analyse.integrators.measure import NOT_FOR, PROPERTIES, _slopes, order, properties, resting
from nonholo.analyse.integrators.probes import steady
from nonholo.analyse.integrators.table import COLUMNS, TABLE
from nonholo.derive.multipliers import multipliers
from nonholo.integrate.methods.base import known

QUICK = ("hamel", "energy_exact")


def check(name: str) -> None:
    options, declared, words = TABLE[name]
    by = name.split()[0]
    found = properties(by, options)
    for column, word in zip(COLUMNS, words.split()):
        if word != "unknown":
            assert found[column][0] == {"-": NOT_FOR}.get(word, word), (name, column, found[column])
    if not known()[by].adaptive:
        assert order(by, options) == pytest.approx(declared, abs=0.15)


def test_the_table_has_every_property() -> None:
    assert tuple(p.name for p in PROPERTIES) == COLUMNS
    assert {name.split()[0] for name in TABLE} <= set(known())
    assert all(len(words.split()) == len(COLUMNS) for _, _, words in TABLE.values())


@pytest.mark.parametrize("name", QUICK)
def test_what_our_methods_keep_is_measured_again(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in TABLE if n not in QUICK])
def test_what_all_methods_keep_is_measured_again(name: str) -> None:
    check(name)


@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_multipliers_of_relative_equilibria(turn: float) -> None:
    """Theorem 5.3: with τ = 1/2 they are (1 + hλ/2)/(1 − hλ/2), λ by slopes of the multiplier form; not for Cortés and
    Martínez."""
    equations, r, h = multipliers(steady()), resting(turn), 0.7

    def rates(y: np.ndarray) -> np.ndarray:
        place, u, w = y
        along, across = (0.3 + 0.8 * place) * w + 0.7 * u, (0.5 + 0.4 * place) * w
        state = {"r": place, "g": 0.0, "x": 0.0, "y": 0.0, "rdot": u, "gdot": w, "xdot": along, "ydot": across}
        found = equations.rates(state, {})
        return np.array([u, found["rdot"], found["gdot"]])

    base = np.array([r, 0.0, turn])
    slopes = np.array([(rates(base + 1e-5 * e) - rates(base - 1e-5 * e)) / 2e-5 for e in np.eye(3)]).T
    growth = np.linalg.eigvals(slopes)
    wanted = np.sort_complex((1 + h * growth / 2) / (1 - h * growth / 2))
    start = {"r": r, "u": 0.0, "w": turn}
    end, step = _slopes(steady(), ("r", "u", "w"), start, "hamel", {}, h)
    assert end == pytest.approx(base, abs=1e-13)
    assert np.sort_complex(np.linalg.eigvals(step)) == pytest.approx(wanted, abs=1e-6)
    end, _ = _slopes(steady(), ("r", "u", "w"), start, "dlagrange_dalembert", {}, h)
    assert np.max(np.abs(end - base)) > 1e-3


def test_nonholo_methods_prints_the_table() -> None:
    told = subprocess.run([sys.executable, "-m", "nonholo", "methods"], capture_output=True, text=True, check=True).stdout
    line = next(n for n in told.splitlines() if n.startswith("energy_exact4"))
    assert line.split()[1] == "4" and "yes" in line
    table = json.loads(
        subprocess.run([sys.executable, "-m", "nonholo", "methods", "--json"], capture_output=True, check=True).stdout
    )
    assert {row["method"].split()[0] for row in table["methods"]} == set(known())
    assert "kinematics" in table["options"]["hamel"]
