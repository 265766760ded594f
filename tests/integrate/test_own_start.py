"""Starts: one given in Python replaces the system's own and says so; ``--start`` changes single values of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.cli.main import main

FREE = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", start={"x": 5.0, "ydot": 2.0})


def test_a_start_given_in_python_replaces_the_own_one_and_says_so() -> None:
    run = nh.simulate(FREE, {"y": 1.0}, 1.0, progress=False)
    assert (run.final["x"], run.final["y"]) == pytest.approx((0.0, 1.0))
    assert any("x = 5, ydot = 2" in hint for hint in run.hints)
    many = nh.ensemble(FREE, {"y": [1.0, 2.0]}, 1.0, t_eval="end")
    assert np.allclose(many["final_x"], 0.0) and np.allclose(many["final_y"], [1.0, 2.0])
    changed = nh.simulate(FREE, {**FREE.start, "y": 1.0}, 1.0, progress=False)
    assert (changed.final["x"], changed.final["y"]) == pytest.approx((5.0, 3.0))


def test_the_command_line_changes_single_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "free.toml"
    nh.dump(FREE, file)
    main(["simulate", str(file), "--start", "y=1", "--until", "1", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["final"]["x"], told["final"]["y"]) == pytest.approx((5.0, 3.0))


def test_equations_by_hand_begin_at_zero_where_nothing_is_said() -> None:
    from sympy import symbols
    from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

    q, u = dynamicsymbols("q u")
    m, k, c = symbols("m k c")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, u * frame.x)
    kane = KanesMethod(frame, [q], [u], kd_eqs=[q.diff() - u])
    kane.kanes_equations([Particle("p", point, m)], [(point, (-k * q - c * u) * frame.x)])
    equations, numbers = nh.from_sympy(kane), {"m": 1.0, "k": 2.0, "c": 0.1}
    rate, frequency = 0.05, np.sqrt(2 - 0.05**2)
    t = np.linspace(0.0, 2.0, 21)
    truth = np.exp(-rate * t) * (np.cos(frequency * t) + rate / frequency * np.sin(frequency * t))
    assert nh.simulate(equations, {"q": 1.0}, 2.0, numbers).final["q"] == pytest.approx(truth[-1], abs=1e-8)
    many = nh.ensemble(equations, [{"q": 1.0}, {"q": 2.0}], 2.0, numbers, t_eval="end")
    assert np.allclose(many["final_q"], truth[-1] * np.array([1, 2]))
    found = nh.fit(equations, {"t": t, "q": truth}, {"k": 1.8, "c": 0.2}, start={"q": 1.0}, parameters={"m": 1.0})
    assert (found.values["k"], found.values["c"]) == pytest.approx((2.0, 0.1), abs=1e-5)
    judged = nh.stability(equations, {"q": 0.0}, parameters=numbers)
    assert judged.verdict == "asymptotically stable" and judged.rate == pytest.approx(-rate)
    (rest,) = nh.equilibria(equations, numbers)
    assert rest.state["q"] == rest.state["u"] == 0.0
    assert all(nh.check(equations, numbers))
