"""Phase portraits: curves and equilibria against closed forms, in numbers read from the figure."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.present.figures.phase_portrait import momentum_plane, phase_portrait

SLEIGH = gallery.get("chaplygin-sleigh")
M, J, A = (SLEIGH.parameters[n] for n in ("m", "J", "a"))
INERTIA = J + M * A**2
PENDULUM = nh.System(
    "pendulum", coordinates="theta", parameters="g l", lagrangian="l**2*thetadot**2/2 + g*l*cos(theta)"
)


def test_the_arcs_of_the_sleigh_are_ellipses_of_constant_energy_that_join_equilibria() -> None:
    """BMZ 2009 Figure 6.2, in the plane of velocities."""
    levels = [0.3, 0.8, 1.7]
    portrait = phase_portrait(SLEIGH, "omega", "v", x_range=2.2, y_range=2.0, levels=levels)
    assert len(portrait.motions) == 6  # a left and a right arc for each
    seen = []
    for arc in portrait.motions:
        energy = (INERTIA * arc[:, 0] ** 2 + M * arc[:, 1] ** 2) / 2
        seen.append(float(energy[0]))
        assert np.ptp(energy) < 1e-7
        assert np.all(np.diff(arc[:, 1]) > 0)  # the sleigh speeds up by a ω²
        assert len(set(np.sign(arc[5:-5, 0]))) == 1
        assert arc[-1] == pytest.approx([0, np.sqrt(2 * energy[0] / M)], abs=1e-4)
        assert arc[0] == pytest.approx([0, -np.sqrt(2 * energy[0] / M)], abs=1e-4)
    assert sorted(seen) == pytest.approx(sorted([*levels, *levels]), rel=1e-9)
    drawn = [line.get_xydata() for line in portrait.axes.lines]
    assert all(any(np.array_equal(arc, data) for data in drawn) for arc in portrait.motions)


def test_the_line_of_equilibria_is_stable_for_positive_speeds_and_unstable_for_negative_ones() -> None:
    """Eigenvalues 0 and −a p2/(J + m a²) [BMZ 2009 §6.2; Notices 2005 after (19)]."""
    portrait = phase_portrait(SLEIGH, "omega", "v", x_range=2.2, y_range=2.0, levels=[0.3, 0.8, 1.7])
    (line,) = portrait.lines
    assert np.max(np.abs(line.points[:, 0])) < 1e-9
    assert line.points[:, 1].min() < -1.95 and line.points[:, 1].max() > 1.95
    for (_, v), kind in zip(line.points, line.kinds):
        if abs(v) > 1e-3:
            assert kind == ("stable" if v > 0 else "unstable")
    assert len(portrait.equilibria) == 6
    for point in portrait.equilibria:
        assert point.family
        assert point.kind == ("stable" if point.point[1] > 0 else "unstable")
        expected = -A * M * point.point[1] / INERTIA
        assert sorted(point.eigenvalues, key=abs) == pytest.approx([0, expected], abs=1e-8)
    legend = [text.get_text() for text in portrait.axes.get_legend().get_texts()]
    assert legend == ["stable", "unstable"]
    dots = {line.get_label(): line for line in portrait.axes.lines}
    assert dots["stable"].get_markerfacecolor() != "white" and dots["unstable"].get_markerfacecolor() == "white"


def test_the_mass_behind_the_edge_turns_stability_round() -> None:
    portrait = phase_portrait(SLEIGH, "omega", "v", parameters={"a": -0.4}, x_range=2, y_range=2, levels=[0.6])
    assert {(e.kind, e.point[1] > 0) for e in portrait.equilibria} == {("stable", False), ("unstable", True)}


def test_the_momentum_plane_holds_the_flow_of_bmz_6_1() -> None:
    """Notices 2005 Figure 4: arrows of (19); and the motions are ellipses p1²/(J + m a²) + p2²/m = 2E."""
    portrait = momentum_plane(SLEIGH, x_range=2.0, y_range=2.0, levels=[0.5, 1.1], field=True)
    (points, flow) = portrait.arrows
    p1, p2 = points.T
    expected = np.column_stack([-A * p1 * p2 / INERTIA, M * A * p1**2 / INERTIA**2])
    assert np.max(np.abs(flow - expected)) < 1e-8
    for arc in portrait.motions:
        assert np.ptp(arc[:, 0] ** 2 / INERTIA + arc[:, 1] ** 2 / M) < 1e-7
    assert portrait.axes.get_xlabel() == "$p_{1}$ [kg m²/s]"
    assert portrait.axes.get_ylabel() == "$p_{2}$ [kg m/s]"
    quiver = next(c for c in portrait.axes.collections if type(c).__name__ == "Quiver")
    assert np.all(quiver.U * flow[:, 0] >= 0) and np.all(quiver.V * flow[:, 1] >= 0)


def test_one_call_without_levels_covers_the_window_with_motions_of_the_same_law() -> None:
    portrait = phase_portrait(SLEIGH, "omega", "v", x_range=2.2, y_range=2.0)
    assert 10 <= len(portrait.motions) <= 40
    tops = [np.ptp(INERTIA * arc[:, 0] ** 2 + M * arc[:, 1] ** 2) for arc in portrait.motions]
    assert max(tops) < 1e-6
    middle = np.array([arc[len(arc) // 2] for arc in portrait.motions])
    assert np.any(middle[:, 0] > 0) and np.any(middle[:, 0] < 0)


def test_pendulum_has_centres_below_and_saddles_above_with_the_separatrix_between() -> None:
    g, length = 9.81, 1.3
    portrait = phase_portrait(PENDULUM, "theta", "thetadot", parameters={"g": g, "l": length}, x_range=6.6, y_range=8.0)
    rate = np.sqrt(g / length)
    found = {round(e.point[0] / np.pi): e for e in portrait.equilibria}
    assert sorted(found) == [-2, -1, 0, 1, 2] and len(portrait.equilibria) == 5
    for k, e in found.items():
        assert e.point == pytest.approx((k * np.pi, 0), abs=1e-8)
        expected = [-1j * rate, 1j * rate] if k % 2 == 0 else [-rate, rate]
        assert e.kind == ("centre" if k % 2 == 0 else "unstable")
        assert sorted(e.eigenvalues, key=lambda v: (v.real, v.imag)) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert portrait.separatrices
    for curve in portrait.separatrices:
        energy = length**2 * curve[:, 1] ** 2 / 2 - g * length * np.cos(curve[:, 0])
        assert np.max(np.abs(energy - g * length)) < 1e-5
    rings = [m for m in portrait.motions if np.array_equal(m[0], m[-1])]
    assert rings  # swings are closed curves, turns are not
    for ring in rings:
        assert length**2 * ring[0, 1] ** 2 / 2 - g * length * np.cos(ring[0, 0]) < g * length


def test_a_portrait_reaches_the_saddles_and_holds_the_motions_through_them() -> None:
    """Window not given: the upper equilibria at ±π, and the separatrix up to 2 √(g/l)."""
    g, length = 9.81, 1.3
    portrait = phase_portrait(PENDULUM, "theta", "thetadot", parameters={"g": g, "l": length}, at={"theta": 0.4})
    assert sorted(round(e.point[0] / np.pi) for e in portrait.equilibria if e.kind == "unstable") == [-1, 1]
    highest = max(float(curve[:, 1].max()) for curve in portrait.separatrices)
    assert highest == pytest.approx(2 * np.sqrt(g / length), rel=1e-3)
    assert highest < portrait.window[1][1] < 1.3 * highest


def test_a_system_that_gains_energy_has_an_unstable_focus() -> None:
    system = nh.System(
        "van der Pol", coordinates="x", parameters="mu", lagrangian="xdot**2/2 - x**2/2",
        forces={"x": "mu*(1 - x**2)*xdot"},
    )  # fmt: skip
    mu = 0.7
    portrait = phase_portrait(system, "x", "xdot", parameters={"mu": mu}, x_range=3, y_range=3, starts=[(0.1, 0.0), {"x": 2.5}])
    (focus,) = portrait.equilibria
    root = np.sqrt(complex(mu**2 - 4))
    assert focus.kind == "unstable" and focus.point == pytest.approx((0, 0), abs=1e-8)
    assert sorted(focus.eigenvalues, key=lambda v: v.imag) == pytest.approx(
        [(mu - root) / 2, (mu + root) / 2], abs=1e-7
    )
    assert len(portrait.motions) == 2
    assert any(np.min(np.abs(m - [2.5, 0.0]).max(axis=1)) < 1e-12 for m in portrait.motions)


def test_damped_pendulum_rests_stably_below() -> None:
    damped = replace(PENDULUM, forces={"theta": "-0.8*thetadot"})
    portrait = phase_portrait(damped, "theta", "thetadot", parameters={"g": 9.81, "l": 1.3}, x_range=4, y_range=5, starts=())
    kinds = {round(e.point[0] / np.pi): e.kind for e in portrait.equilibria}
    assert kinds == {-1: "unstable", 0: "stable", 1: "unstable"}


def test_suslov_has_its_line_of_equilibria_along_a_cross_inertia_a() -> None:
    """``I ẇ = I w × w + λ a`` stands still with ``a·w = 0`` where a·(I w) = 0 too: w along a × (I a)."""
    suslov = gallery.get("suslov")
    inertia, a = (np.array([suslov.parameters[f"{n}{k}"] for k in (1, 2, 3)]) for n in ("I", "a"))
    along = np.cross(a, inertia * a)
    portrait = phase_portrait(suslov, "w1", "w2", x_range=1.5, y_range=1.5, levels=[0.8])
    (line,) = portrait.lines
    assert np.max(np.abs(line.points[:, 0] * along[1] - line.points[:, 1] * along[0])) < 1e-8
    assert {"stable", "unstable"} <= set(line.kinds)


def test_where_nothing_moves_the_portrait_says_so() -> None:
    portrait = phase_portrait(gallery.get("balanced-sleigh"), "omega", "v", x_range=1, y_range=1)
    assert portrait.still and not portrait.motions
    assert any("every point is an equilibrium" in t.get_text() for t in portrait.axes.texts)


def test_quantities_may_be_expressions() -> None:
    portrait = phase_portrait(SLEIGH, "m*v", "(J + m*a**2)*omega", x_range=2, y_range=2, starts=[(0.3, 0.9)])
    (arc,) = portrait.motions
    assert np.ptp(arc[:, 0] ** 2 / M + arc[:, 1] ** 2 / INERTIA) < 1e-7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x": "omega", "y": "omega"}, "needs two quantities"),
        ({"x": "omega", "y": "v", "levels": [1e6]}, "no point of the window has an energy"),
        ({"x": "omega", "y": "v", "x_range": (1, -1)}, "low < high"),
        ({"x": "omega", "y": "v", "starts": [(1, 2, 3)]}, "a pair in the plane or a table"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(nh.StateError, match=message):
        phase_portrait(SLEIGH, **options)  # type: ignore[arg-type]


def test_a_portrait_is_written_as_vectors(tmp_path: object) -> None:
    portrait = phase_portrait(SLEIGH, "omega", "v", x_range=2, y_range=2, starts=[(1.0, 0.0)])
    assert portrait.save(f"{tmp_path}/p.pdf").read_bytes().startswith(b"%PDF")
    assert b"<svg" in portrait.save(f"{tmp_path}/p.svg").read_bytes()[:600]


def test_a_plane_that_no_state_reaches_is_drawn_empty() -> None:
    """The home of a Chaplygin top has R33 = 1 at the window's edge: no start is inside, and nothing breaks."""
    top = nh.load(Path(__file__).parents[1] / "plain" / "chaplygin-top.toml")
    assert phase_portrait(top, "R33", "w3").equilibria == ()


def test_a_portrait_has_the_equilibria_and_eigenvalues_of_the_search_for_families() -> None:
    """One search behind both, against the zeros of the force by SciPy: a bead with drag on a tilted, turning hoop."""
    from scipy.optimize import brentq

    hoop = nh.System(
        "hoop", coordinates="q", lagrangian="qdot**2/2 + 1.7**2*sin(q)**2/2 + cos(q) + 0.1*sin(q)", forces={"q": "-0.3*qdot"}
    )
    drawn = sorted(phase_portrait(hoop, "q", "qdot", x_range=(-2.9, 3.3), y_range=2.0).equilibria, key=lambda e: e.point)
    found = sorted(nh.equilibria(hoop, where={"q": (-2.9, 3.3)}), key=lambda e: e.state["q"])
    assert len(drawn) == len(found) == 4
    grid = np.linspace(-2.9, 3.3, 400)

    def force(q: float) -> float:
        return float(1.7**2 * np.sin(q) * np.cos(q) - np.sin(q) + 0.1 * np.cos(q))

    wanted = [brentq(force, a, b, xtol=1e-14) for a, b in pairwise(grid) if force(a) * force(b) < 0]
    assert [e.point[0] for e in drawn] == pytest.approx(wanted, abs=1e-9)
    for mine, other in zip(drawn, found):
        assert mine.point == pytest.approx((other.state["q"], 0.0), abs=1e-9)
        spectrum = nh.stability(hoop, other.state)
        assert np.sort_complex(mine.eigenvalues) == pytest.approx(np.sort_complex(spectrum.eigenvalues), abs=1e-9)
        assert mine.kind == {"asymptotically stable": "stable"}.get(spectrum.verdict, spectrum.verdict)


def test_one_degree_of_freedom_is_shown_in_its_angle_and_speed() -> None:
    at = {"g": 9.81, "l": 1.3}
    portrait = phase_portrait(PENDULUM, parameters=at, starts=())
    named = phase_portrait(PENDULUM, "theta", "thetadot", parameters=at, starts=())
    for label in ("xlabel", "ylabel", "xlim", "ylim"):
        assert portrait.axes.properties()[label] == named.axes.properties()[label]
    assert sorted(e.kind for e in portrait.equilibria) == sorted(e.kind for e in named.equilibria) and portrait.equilibria


def test_a_damped_pendulum_is_shown_up_to_the_energy_of_its_saddle() -> None:
    damped = replace(PENDULUM, forces={"theta": "-0.3*thetadot"})
    top = phase_portrait(damped, parameters={"g": 9.81, "l": 1.3}).axes.get_ylim()[1]
    assert 1.0 < top / (2 * np.sqrt(9.81 / 1.3)) < 1.6
