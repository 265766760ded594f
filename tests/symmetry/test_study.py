"""The study of one shape variable, the basketball's above all, against the thesis, the gallery and Newton's reactions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.present.figures.reduction_plot import study
from nonholo.symmetry.quadrature.one_shape_study import Study
from nonholo_papers.figures.macdonnell_figures import plot_basketball

CENTRE = ("X", "Y", "Z")


@cache
def basketball() -> Study:
    """C1 = −40, C2 = 1 of figures 11.7 and 11.8."""
    return study("basketball", C1=-40.0, C2=1.0)


def free_ball() -> Any:
    """The ball in space: its centre free, and the contact's velocity zero in all three directions; no ψ, no θ.

    With c = u (X, Y, 0)/√(X² + Y²) on the hoop's centre line and β = (x − c)/v: ẋ = ρ ν × β, so that the three
    multipliers are the force of the hoop on the ball.
    """
    away = "sqrt(X**2 + Y**2)"
    beta = (f"(X - u*X/{away})/v", f"(Y - u*Y/{away})/v", "Z/v")
    spin = ("nu1", "nu2", "nu3")
    rows = [
        f"{CENTRE[i]}dot - rho*({spin[(i + 1) % 3]}*({beta[(i + 2) % 3]}) - {spin[(i + 2) % 3]}*({beta[(i + 1) % 3]}))"
        for i in range(3)
    ]
    return nh.System(
        name="ball in space on a hoop",
        frame=nh.SO3("R", rates="nu1 nu2 nu3", side="spatial") * nh.Euclidean("X Y Z"),
        parameters="m J rho g u v",
        lagrangian="J/2*(nu1**2 + nu2**2 + nu3**2) + m/2*(Xdot**2 + Ydot**2 + Zdot**2) - m*g*Z",
        constraints=rows,
    )


def in_space(psi: float, spins: tuple[float, float, float], values: Any) -> dict[str, float]:
    """A state of the free ball at θ = 0 from ψ, Ω1, Ω2, roll: ν = Ω1 β + Ω2 a η + roll τ."""
    a = values["u"] - values["v"] * np.cos(psi)
    eta, tau = np.array([np.sin(psi), 0, np.cos(psi)]), np.array([0.0, 1.0, 0.0])
    beta = np.array([-np.cos(psi), 0, np.sin(psi)])
    nu = spins[0] * beta + spins[1] * a * eta + spins[2] * tau
    place = {"X": a, "Y": 0.0, "Z": values["v"] * np.sin(psi)}
    return {**{f"R{k}{k}": 1.0 for k in (1, 2, 3)}, **place, **dict(zip(("nu1", "nu2", "nu3"), nu.tolist()))}


def test_contact_force_is_the_reaction_of_a_ball_in_space() -> None:
    found = basketball()
    values = nh.gallery.get("basketball").parameters
    reactions = nh.reactions(free_ball())
    for psi, speed in ((-0.6, 0.0), (-0.2, 5.0), (0.3, -3.0), (1.1, 11.0)):
        states = found.potential.vertical.states(psi, speed)
        spins = tuple(float(states[n][0]) for n in ("Omega1", "Omega2", "roll"))
        push = reactions.at(in_space(psi, spins, values), values)  # type: ignore[arg-type]
        beta = np.array([-np.cos(psi), 0, np.sin(psi)])
        force = np.array([push[n] for n in reactions.multipliers])
        assert found.contact is not None
        assert found.contact(psi, speed) == pytest.approx(beta @ force, rel=1e-9)


def test_the_ball_in_space_leaves_where_the_study_says() -> None:
    """A motion with more energy than the hill goes down; its reaction changes sign where contact_ends_moving is."""
    exhibit = nh.gallery.get("basketball")
    values = exhibit.parameters
    start = {"psi": 0.0, "Omega1": -40.0, "Omega2": 100.0, "roll": -9.0}
    found = study("basketball", start=start)
    system = free_ball()
    run = nh.simulate(
        system, in_space(0.0, (-40.0, 100.0, -9.0), values), 0.06, values, rtol=1e-12, atol=1e-13, t_eval=601
    )
    away = np.hypot(run["X"], run["Y"])
    psi = np.arctan2(run["Z"], values["u"] - away)
    beta = np.stack(
        [
            (away - values["u"]) / values["v"] * run["X"] / away,
            (away - values["u"]) / values["v"] * run["Y"] / away,
            run["Z"] / values["v"],
        ]
    )
    force = sum(beta[k] * run[f"lambda{k + 1}"] for k in range(3))
    (k,) = np.flatnonzero(force[:-1] * force[1:] < 0)
    between = psi[k] + (psi[k + 1] - psi[k]) * force[k] / (force[k] - force[k + 1])
    below = [q for q in found.contact_ends_moving if q < 0]
    assert below == pytest.approx([between], abs=1e-6) and psi[-1] < between
    # the shape's speed along the run is that of the reduced energy
    assert found.energy == pytest.approx(run["energy"][0], rel=1e-11)


def test_the_thesis_s_numbers() -> None:
    """Contact ends at ψ ≈ −0.10π; the top of Ū is where the gallery's own solution has Ū' = 0 (§11, figures 11.7, 11.8)."""
    from nonholo_papers.facts.basketball import _hill

    found = basketball()
    (top,) = found.extrema
    assert top.kind == "maximum" and top.place == pytest.approx(_hill(nh.gallery.get("basketball"))[0], abs=1e-9)
    (end,) = found.contact_ends
    assert end / np.pi == pytest.approx(-0.10, abs=0.005)


def test_fundamental_solutions_are_even_and_odd() -> None:
    one, two = basketball().solutions(np.array([-1.3, 0.0, 1.3]))
    assert one["Omega1"][1] == pytest.approx(1) and one["Omega2"][1] == pytest.approx(0, abs=1e-12)
    assert two["Omega2"][1] == pytest.approx(1) and two["Omega1"][1] == pytest.approx(0, abs=1e-12)
    for even, odd in ((one["Omega1"], one["Omega2"]), (two["Omega2"], two["Omega1"])):
        assert even[0] == pytest.approx(even[2], rel=1e-12) and odd[0] == pytest.approx(-odd[2], rel=1e-12)
        assert abs(odd[2]) > 1e-3


def test_potential_at_the_horizontal() -> None:
    """U'(0) = v(m g + J C1 C2) and U''(0) of §11."""
    p = nh.gallery.get("basketball").parameters
    one, two, whole = -40.0, 100.0, p["J"] + p["m"] * p["rho"] ** 2
    U = basketball().potential
    assert U.derivative(0.0) == pytest.approx(p["v"] * (p["m"] * p["g"] + p["J"] * one * two), rel=1e-11)
    wide = p["u"] - p["v"]
    bend = -(one**2) * p["J"] ** 2 / (wide * whole) + two**2 * (p["v"] * p["J"] - p["m"] * p["rho"] ** 2 * wide)
    assert U.second(0.0) == pytest.approx(p["v"] * bend, rel=1e-10)


def test_turning_point_of_the_ball_that_pops_out_is_the_simulation_s() -> None:
    exhibit = nh.gallery.get("basketball")
    found = study("basketball")
    run = nh.simulate(
        exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13, events=["psidot"]
    )
    lowest = min(state["psi"] for state in run.event_states["psidot"])
    assert min(abs(q - lowest) for q in found.turning) < 1e-9
    assert "turning points" in str(found) and found.cycle is None


def test_pictures(tmp_path: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    figure = plot_basketball(basketball(), path=tmp_path / "sheet.png")
    axes = figure.axes
    assert [a.get_title()[:4] for a in axes[:7]] == ["11.2", "11.3", "11.4", "11.5", "11.6", "11.7", "11.8"]
    assert [line.get_label() for line in axes[3].lines] == ["$C_1 = -40$", "$C_1 = -50$", "$C_1 = -60$"]
    # figure 11.7 is the study's own potential over the mass in g cm²/s²
    line = axes[5].lines[0]
    mass = basketball().potential.vertical.parameters["m"] / 1e4
    assert line.get_ydata()[200] * mass == pytest.approx(
        basketball().potential(np.pi * line.get_xdata()[200]), rel=1e-12
    )
    # U = m g z + ½ m (A C1² + 2 B C1 C2 + C C2²) with the coefficients of figure 11.4, here at ψ = π/4
    A, B, C = (float(np.interp(0.25, line.get_xdata(), line.get_ydata())) for line in axes[2].lines)
    p = basketball().potential.vertical.parameters
    rest = p["m"] * p["g"] * p["v"] * np.sin(np.pi / 4)
    whole = rest + mass / 2 * (A * 1600 - 80 * B + C)
    assert whole == pytest.approx(basketball().potential(np.pi / 4), rel=1e-9)
    assert len(basketball().plot(path=tmp_path / "study.png").axes) == 3
    assert (tmp_path / "sheet.png").stat().st_size > 10000


def test_bad_questions_are_answered_in_a_sentence() -> None:
    with pytest.raises(nh.StateError, match="C1 and C2 are the basketball's"):
        study("rolling-disk", C1=1.0)
    with pytest.raises(nh.ModelError, match="System, a Reduction or an exhibit"):
        study(3)
    with pytest.raises(nh.ModelError, match="functions of the shape"):
        study("three-wheel-cart")
    with pytest.raises(nh.StateError, match="no velocity of the system"):
        study("constrained-particle", speeds=["w9"])


def test_the_ball_in_a_paraboloid_swings_without_a_window() -> None:
    """Near the axis the potential is a wall: the turning point beside it and the period are those of the full motion."""
    system = nh.load(Path(__file__).parents[1] / "plain" / "paraboloid.toml")
    start = {"x": 1.0, "w1": -0.3, "w3": 0.4}
    found = nh.study(system, start)
    assert found.cycle is not None and len(found.turning) == 2
    run = nh.simulate(system, start, 5.0, rtol=1e-12, atol=1e-13, events=["x*xdot + y*ydot"])
    (times,), (states,) = run.events.values(), run.event_states.values()
    radii = np.array([np.hypot(e["x"], e["y"]) for e in states])
    inner = times[radii < 0.5]
    assert np.diff(inner) == pytest.approx(found.cycle.period, rel=1e-9)
    assert radii[radii < 0.5] == pytest.approx(found.turning[0], rel=1e-8)
    assert nh.cycle(nh.reduce(system), start).period == pytest.approx(found.cycle.period, rel=1e-12)


def test_a_ball_in_a_paraboloid_goes_between_the_radii_and_in_the_period_of_newton_and_euler() -> None:
    """Turning points 0.0767 and 1, period 1.80736 for k = 0.5, r = 0.3, I = 0.04, m = 1, g = 9.81 from x = 1, ω = (0.3, 0, 0.5).

    The centre moves on ``z = kρ²/2``; ``v = r ω × N``, ``m v̇ = F − m g e₃``, ``I ω̇ = −r N × F``, by SciPy alone.
    """
    from scipy.integrate import solve_ivp

    k, r, inertia, m, g = 0.5, 0.3, 0.04, 1.0, 9.81

    def rates(_: float, u: Any) -> Any:
        x, y, w = u[0], u[1], u[2:]
        slope = np.array([-k * x, -k * y, 1.0])
        normal = slope / np.linalg.norm(slope)
        v = r * np.cross(w, normal)
        turned = np.array([-k * v[0], -k * v[1], 0.0]) / np.linalg.norm(slope)
        turned = turned - normal * (normal @ turned)
        mass = inertia * np.eye(3) + m * r**2 * (np.eye(3) - np.outer(normal, normal))
        push = -m * r * np.cross(normal, r * np.cross(w, turned) + g * np.array([0.0, 0.0, 1.0]))
        return np.concatenate([v[:2], np.linalg.solve(mass, push)])

    def radial(t: float, u: Any) -> Any:
        return u[:2] @ rates(t, u)[:2]

    run = solve_ivp(rates, (0.0, 2.0), [1.0, 0.0, 0.3, 0.0, 0.5], "DOP853", rtol=1e-11, atol=1e-12, events=radial)
    times, states = run.t_events[0][-2:], run.y_events[0][-2:]
    found = nh.study(nh.load(Path(__file__).parents[1] / "plain" / "paraboloid.toml"), {"x": 1.0, "w1": 0.3, "w3": 0.5})
    assert found.cycle is not None
    assert found.turning == pytest.approx([np.hypot(*states[0][:2]), 1.0], rel=1e-8)
    assert found.cycle.period == pytest.approx(times[1], rel=1e-8)
    assert (round(found.turning[0], 4), round(found.turning[1], 4), round(found.cycle.period, 5)) == (
        0.0767,
        1.0,
        1.80736,
    )


def test_a_study_of_a_driven_vessel_is_refused_with_its_reason() -> None:
    system = nh.load(Path(__file__).parents[1] / "plain" / "rotating-paraboloid.toml")
    with pytest.raises(nh.ModelError, match="without drift"):
        nh.study(system, {"x": 1.0})
