"""Which steady motions are one family: against families known by hand, and the work that it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nonholo as nh
from nonholo.analyse.flow.state_flow import Flow, flow_of
from nonholo.analyse.steady.join_families import families, walk_families
from nonholo.analyse.steady.many_zeros import polished, polished_zeros
from nonholo.analyse.steady.steady_equations import Steady, periods, typical_rates
from nonholo.analyse.steady.steady_families import brought_home
from nonholo.present.report.report_behaviour import STARTS, behaviour_section
from nonholo.present.report.report_subject import case

Numbers = NDArray[Any]
MASSES = 1.0, 2.0
STIFFNESS = 1.3
CALLS, ROWS = 2_000, 18_000
"""The rattleback's section asked 1,172 times for rates, at 10,686 states, when this was written; 17,891 times before."""


def springs() -> nh.System:
    """Two points on a spring whose velocities are parallel.

    Steady motions have velocities u, w across the spring of length d, and with the rate ω of turning
    ``ω (m1 u² + m2 w² − k d²) = 0``: they go side by side, or they turn with any u, w on an ellipse. Both meet where u = w.
    """
    return nh.System(
        name="two parallel points with a spring",
        coordinates="x1 y1 x2 y2",
        lagrangian="(m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2))/2 - k*((x1 - x2)**2 + (y1 - y2)**2)/2",
        constraints=["x1dot*y2dot - x2dot*y1dot"],
        parameters={"m1": MASSES[0], "m2": MASSES[1], "k": STIFFNESS},
        start={"x1": 0.3, "y1": 0.5, "x2": 2.0, "x1dot": 0.6, "y1dot": 0.8, "x2dot": -0.9, "y2dot": -1.2},
    )


def turning(length: float, angle: float, heading: float) -> Numbers:
    """A member that turns, by the angle on its ellipse."""
    u, w = length * np.sqrt(STIFFNESS) * np.array([np.cos(angle), np.sin(angle)]) / np.sqrt(MASSES)
    along, across = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    return np.concatenate([-length / 2 * along, length / 2 * along, u * across, w * across])


def going(length: float, speed: float, heading: float) -> Numbers:
    """A member that goes straight on."""
    along, across = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    return np.concatenate([-length / 2 * along, length / 2 * along, speed * across, speed * across])


def equations(system: nh.System) -> tuple[Steady, Numbers]:
    flow = flow_of(system)
    around = flow.home + np.random.default_rng(8).uniform(-0.3, 0.3, (12, flow.size))
    return Steady(flow, typical_rates(flow, around), True), periods(flow)


def test_families_that_cross_are_told_apart_and_each_is_one() -> None:
    steady, period = equations(springs())
    states = [turning(*e) for e in ((1.7, 0.9, 0.3), (1.1, 2.1, 0.8), (2.2, -0.7, 0.1), (1.5, 4.0, 0.5), (1.4, 1.2, 0.2))]
    states += [going(*e) for e in ((1.7, 0.4, 0.3), (1.2, 2.5, 0.7), (1.6, 1.9, 0.4), (1.9, -1.1, 0.2))]
    found = steady.starts(np.array(states))
    assert np.max(np.abs(steady.value(found))) < 1e-12  # by hand, so that the search finds nothing to correct
    assert sorted(map(sorted, families(steady, found, period))) == [[0, 1, 2, 3, 4], [5, 6, 7, 8]]


def test_nobody_changes_to_another_family_where_both_meet() -> None:
    """Both sides of the crossing ``(m1 + m2) v² = k d²``, near it and far from it, in both senses."""
    steady, period = equations(springs())
    meeting = float(np.arctan(np.sqrt(MASSES[1] / MASSES[0])))
    speed = 1.7 * np.sqrt(STIFFNESS / sum(MASSES))
    for part in (0.02, 0.2, 0.6):
        ends = np.array([turning(1.7, meeting + part, 0.3), going(1.7, speed * (1 + part), 0.3)])
        starts = steady.starts(ends)
        assert not np.any(walk_families(steady, starts, ends[::-1], period)), part
        others = np.array([turning(1.7, meeting - part, 0.3), going(1.7, speed * (1 - part), 0.3)])  # beyond the crossing
        assert np.all(walk_families(steady, starts, others, period)), part


def test_the_search_tells_both_families_of_parallel_points() -> None:
    found = [e for e in nh.relative_equilibria(springs(), count=STARTS) if e.velocity]
    kinds = sorted(abs(e.velocity.get("turn", 0.0)) > 1e-6 for e in found)
    assert kinds == [False, True]
    for one in found:
        u, w = (np.array([one.state[f"x{k}dot"], one.state[f"y{k}dot"]]) for k in (1, 2))
        d = np.array([one.state["x2"] - one.state["x1"], one.state["y2"] - one.state["y1"]])
        assert abs(u @ d) < 1e-9 * np.linalg.norm(u) * np.linalg.norm(d)
        gap = MASSES[0] * u @ u + MASSES[1] * w @ w - STIFFNESS * d @ d
        assert abs(gap) < 1e-9 if "turn" in one.velocity else np.allclose(u, w, atol=1e-9)


def test_a_motion_far_away_comes_home_by_one_shift() -> None:
    exhibit = nh.gallery.get("rolling-disk")
    flow = flow_of(exhibit.system, exhibit.start, exhibit.parameters)
    around = flow.home + np.random.default_rng(8).uniform(-0.3, 0.3, (12, flow.size))
    steady = Steady(flow, typical_rates(flow, around), True)
    (told,) = nh.relative_equilibria(exhibit.system, exhibit.parameters, count=6)
    state = np.array([told.state[n] for n in flow.names])
    away = state.copy()
    away[[flow.names.index("x"), flow.names.index("y")]] += [-322.0, 153.0]
    home = brought_home(steady, steady.starts(np.array([state, away])))
    assert np.max(np.abs(home[1] - home[0])) < 1e-6


def test_a_zero_is_polished_from_one_evaluation_at_each_place() -> None:
    """The circle and the line x = y: value and slope are asked for together, and never twice at one place."""
    asked: list[bytes] = []

    def both(at: Numbers) -> tuple[Numbers, Numbers]:
        asked.extend(row.tobytes() for row in at)
        value = np.column_stack([at[:, 0] ** 2 + at[:, 1] ** 2 - 1, at[:, 0] - at[:, 1]])
        slope = np.stack([2 * at, np.tile([1.0, -1.0], (len(at), 1))], axis=1)
        return value, slope

    starts = np.array([[3.0, 4.0], [-0.2, -0.9]])
    found = polished_zeros(both, starts, np.ones(2))
    assert found == pytest.approx(np.array([[1.0, 1.0], [-1.0, -1.0]]) / np.sqrt(2), abs=1e-12)
    assert len(set(asked)) == len(asked) < 30
    again = polished(both, found + 1e-5, np.ones(2))
    assert again == pytest.approx(found, abs=1e-12)


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[int, int]:
    """How often the section on behaviour asks for rates, and at how many states in all."""
    calls = rows = 0
    plain = Flow._rates

    def counting(self: Flow, table: Numbers) -> tuple[Numbers, Numbers]:
        nonlocal calls, rows
        calls, rows = calls + 1, rows + len(table)
        return plain(self, table)

    monkeypatch.setattr(Flow, "_rates", counting)
    section = behaviour_section(case(name))
    assert section is not None and "relative equilibrium" in section.body
    return calls, rows


def test_the_rattlebacks_section_does_not_grow_back(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, rows = counted(monkeypatch, "rattleback")
    assert calls < CALLS and rows < ROWS, (calls, rows)
