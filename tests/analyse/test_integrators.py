"""What methods keep: the table that `nonholo methods` prints is measured again, line by line."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import nonholo as nh
from nonholo.analyse.integrators.integrator_properties import COLUMNS, TABLE
from nonholo.derive.multipliers import multipliers
from nonholo.integrate.methods import registered_methods
from nonholo_papers.integrator_measures import (
    NOT_FOR,
    PROPERTIES,
    _own_slopes,
    _slopes,
    order,
    properties,
    resting,
    skate,
    turning,
)
from nonholo_papers.two_step import returned, two_step

QUICK = ("hamel", "energy_exact")


def check(name: str) -> None:
    if name == "taylor":
        pytest.importorskip("heyoka")
    options, declared, words = TABLE[name]
    by = name.split()[0]
    found = properties(by, options)
    for column, word in zip(COLUMNS, words.split()):
        assert found[column][0] == {"-": NOT_FOR}.get(word, word), (name, column, found[column])
    if not registered_methods()[by].adaptive:
        assert order(by, options) == pytest.approx(declared, abs=0.15)


def test_the_table_has_every_property() -> None:
    assert tuple(p.name for p in PROPERTIES) == COLUMNS
    assert {name.split()[0] for name in TABLE} == set(registered_methods())
    assert all(len(words.split()) == len(COLUMNS) for _, _, words in TABLE.values())
    assert {word for _, _, words in TABLE.values() for word in words.split()} == {"yes", "no", "-"}


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
    equations, r, h = multipliers(turning()), resting(turn), 0.7

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
    end, step = _slopes(turning(), ("r", "u", "w"), start, "hamel", {}, h)
    assert end == pytest.approx(base, abs=1e-13)
    assert np.sort_complex(np.linalg.eigvals(step)) == pytest.approx(wanted, abs=1e-6)
    end, _ = _slopes(turning(), ("r", "u", "w"), start, "dlagrange_dalembert", {}, h)
    assert np.max(np.abs(end - base)) > 1e-3


@pytest.mark.parametrize("by", ["gni", "leapfrog"])
def test_two_step_methods_go_back_on_their_own_state_and_not_from_a_new_start(by: str) -> None:
    """The map with its memory is the one that motions are made of; a new start makes the second node up."""
    system, h = skate(), 0.05
    one = two_step(system, by)
    begun = nh.simulate(system, until=1.0, t_eval=[0.0], progress=False)
    state = one.begun(*(np.array([begun[n][0] for n in names]) for names in (system.coordinates, system.velocities)), h)  # type: ignore[call-arg]
    for _ in range(20):
        state = one.after(state, h)
    words = {"method": by, "step": h, "t_eval": "end", "progress": False}
    final = nh.simulate(system, until=20 * h, **words).final
    assert state.q == pytest.approx([final[n] for n in system.coordinates], abs=1e-13)
    assert state.v == pytest.approx([final[n] for n in system.velocities], abs=1e-13)
    assert returned(system, by, h, 20, turned=False) < 1e-13 and returned(system, by, h, 20, turned=True) < 1e-13
    back = nh.simulate(system, {"t": 20 * h, **{n: final[n] for n in (*system.coordinates, *system.velocities)}}, 0.0, **words)
    assert max(abs(back.final[n] - begun[n][0]) for n in system.coordinates) > 1e-8


@pytest.mark.parametrize("by", ["gni", "leapfrog"])
def test_the_second_mode_of_two_step_methods_repels_where_the_motion_attracts(by: str) -> None:
    """A multiplier beyond 1 that falls towards 1 with the step, and a long motion that leaves its equilibrium."""
    start = {"r": resting(1.1), "u": 0.0, "w": 1.1}
    largest = [np.max(np.abs(np.linalg.eigvals(_own_slopes(by, start, h)))) for h in (0.4, 0.1)]
    assert largest[0] > 1.15 and 1.02 < largest[1] < 1.06
    far = nh.simulate(turning(), start, 200.0, method=by, step=0.4, t_eval="end", progress=False)
    near = nh.simulate(turning(), start, 200.0, method="hamel", step=0.4, t_eval="end", progress=False)
    assert abs(near.final["w"] - 1.1) < 1e-10 < 0.1 < abs(far.final["w"] - 1.1)


def test_nonholo_methods_prints_the_table() -> None:
    told = subprocess.run([sys.executable, "-m", "nonholo", "methods"], capture_output=True, text=True, check=True).stdout
    line = next(n for n in told.splitlines() if n.startswith("energy_exact4"))
    assert line.split()[1] == "4" and "yes" in line
    table = json.loads(
        subprocess.run([sys.executable, "-m", "nonholo", "methods", "--json"], capture_output=True, check=True).stdout
    )
    assert {row["method"].split()[0] for row in table["methods"]} == set(registered_methods())
    assert "kinematics" in table["options"]["hamel"]
