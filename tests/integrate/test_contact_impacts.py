"""Impacts of contacts, against Newton's, Poisson's and Routh's closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.integrate.test_contact_modes import G


def ball(**words: Any) -> nh.System:
    floor = {"name": "floor", "gap": "z - 0.03", "slip": ["xdot - 0.03*phidot"], "slips": True, "lifts": True, "friction": "mu"}
    return nh.System(
        name="ball", coordinates="x z phi", parameters={"mu": 0.3, "e": 0.8},
        lagrangian="0.05*(xdot**2 + zdot**2)/2 + 0.05*0.03**2/5*phidot**2 - 0.05*9.81*z",
        contacts=[{**floor, "restitution": "e", **words}],
    )  # fmt: skip


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("slip, sticks", [(0.4, True), (6.0, False)])
def test_a_ball_that_hits_the_floor_slides_or_sticks_in_the_impulse(law: str, slip: float, sticks: bool) -> None:
    """Normal and tangential motion of a ball do not mix, so both laws agree: |p_t| ≤ μ p_n, or the slip is gone."""
    mu, e, v = 0.3, 0.8, 2.0
    run = nh.simulate(ball(impact=law), {"z": 0.03 + 1e-3, "zdot": -v, "xdot": slip}, 0.01, t_eval="end")
    hit = np.sqrt(v**2 + 2 * G * 1e-3)
    most = mu * (1 + e) * hit
    assert (slip / (1 + 5 / 2) < most) == sticks
    share = slip / (1 + 5 / 2) if sticks else most
    assert abs(run.final["xdot"] - (slip - share)) < 1e-11
    assert abs(run.final["phidot"] - 5 / 2 * share / 0.03) < 1e-9
    assert run.drift("energy") < 1e-12 and run["dissipated_floor"][-1] > 0


def rod(**words: Any) -> nh.System:
    tip = {"name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "slips": True, "lifts": True}
    return nh.System(
        name="rod", coordinates="x z th", parameters={"mu": 0.25, "e": 0.4},
        lagrangian="(xdot**2 + zdot**2)/2 + thdot**2/6 - 9.81*z",
        contacts=[{**tip, "friction": "mu", "restitution": "e", **words}],
    )  # fmt: skip


def marched(law: str, mu: float, e: float, th: float, u: tuple[float, float]) -> np.ndarray[Any, Any]:
    """Routh's method by tiny steps of the normal impulse: normal and tangential impulse of a rod's tip."""
    g, s = np.array([0.0, 1.0, -np.cos(th)]), np.array([1.0, 0.0, np.sin(th)])
    rows, inverse = np.array([g, s]), np.diag([1.0, 1.0, 3.0])
    w = rows @ inverse @ rows.T
    n, t = u
    p, q, step, ends = 0.0, 0.0, 2e-6, np.inf
    while True:
        hold = -w[1, 0] / w[1, 1]
        grow = -mu * np.sign(t) if abs(t) > 2e-5 else (hold if abs(hold) <= mu else mu * np.sign(hold))
        n, t, p, q = n + step * (w[0, 0] + w[0, 1] * grow), t + step * (w[1, 0] + w[1, 1] * grow), p + step, q + step * grow
        if law == "newton" and n >= -e * u[0]:
            break
        if law == "poisson" and n >= 0 and ends == np.inf:
            ends = (1 + e) * p
        if p >= ends:
            break
    return np.array([p, q])


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize(
    "xdot, thdot", [(-0.3, -1.0), *(pytest.param(*speeds, marks=pytest.mark.slow) for speeds in ((1.5, 0.0), (0.05, 2.0)))]
)
def test_a_rod_hits_as_routh_says(law: str, xdot: float, thdot: float) -> None:
    th, mu, e = 0.8, 0.25, 0.4
    start = {"th": th, "z": np.sin(th), "zdot": -2.0, "xdot": xdot, "thdot": thdot}
    run = nh.simulate(rod(impact=law), start, 1e-9, t_eval="end")
    u = (-2.0 - thdot * np.cos(th), xdot + thdot * np.sin(th))
    p, q = marched(law, mu, e, th, u)
    expected = [xdot + q, -2.0 + p, thdot + 3 * (-np.cos(th) * p + np.sin(th) * q)]
    assert np.allclose([run.final[n] for n in ("xdot", "zdot", "thdot")], expected, rtol=0, atol=2e-4)
    assert run["dissipated_tip"][-1] > 0


def test_an_impact_law_that_would_make_energy_grow_is_refused() -> None:
    """Kane's example: with Newton's restitution and a slip that stops in the impulse a rod would gain energy."""
    start = {"th": 1.0, "z": np.sin(1.0), "zdot": -1.0, "xdot": 0.75, "thdot": 0.0}
    run = nh.simulate(rod(), start, 1e-6, {"mu": 0.6, "e": 1.0}, t_eval="end")
    assert run.outcome.kind == "impact refused" and "tip would make energy grow" in str(run.outcome)
    p, q = marched("newton", 0.6, 1.0, 1.0, (-1.0, 0.75))
    speeds = np.array([0.75 + q, -1.0 + p, 3 * (-np.cos(1.0) * p + np.sin(1.0) * q)])
    assert speeds @ np.diag([1, 1, 1 / 3]) @ speeds > 0.75**2 + 1  # it would
    poisson = nh.simulate(rod(impact="poisson"), start, 1e-6, {"mu": 0.6, "e": 1.0}, t_eval="end")
    assert poisson.outcome.reached and poisson["dissipated_tip"][-1] >= 0


def test_impacts_of_three_balls_in_a_row_one_after_the_other() -> None:
    row = nh.System(
        name="row", coordinates="a b c", lagrangian="(adot**2 + bdot**2 + cdot**2)/2",
        contacts=[
            {"name": "ab", "gap": "b - a - 1", "lifts": True, "restitution": 1},
            {"name": "bc", "gap": "c - b - 1", "lifts": True, "restitution": 1},
        ],
    )  # fmt: skip
    run = nh.simulate(row, {"a": -0.5, "adot": 2.0, "b": 1.0, "c": 2.0}, 2.0, t_eval="end")
    assert np.allclose([run.final[n] for n in ("adot", "bdot", "cdot")], [0, 0, 2], rtol=0, atol=1e-10)
    at_once = nh.simulate(row, {"a": -0.5, "adot": 2.0, "b": 1.0, "c": 2.0}, 2.0, t_eval="end", impacts="together")
    assert abs(sum(at_once.final[n] for n in ("adot", "bdot", "cdot")) - 2) < 1e-10
    assert at_once.final["adot"] < -0.1  # Newton's law for all contacts at once is another law


def test_a_gap_that_closes_without_speed_is_no_impact() -> None:
    """A bead comes down to the ground along a curve that touches it."""
    bead = nh.System(
        name="bead", coordinates="x z", parameters={"k": 1.0}, lagrangian="(xdot**2 + zdot**2)/2", forces={"z": "2"},
        contacts=[{"name": "ground", "gap": "z", "lifts": True, "restitution": 0.5}],
    )  # fmt: skip
    run = nh.simulate(bead, {"x": 0, "z": 1.0, "xdot": 1.0, "zdot": -2.0}, 3.0, t_eval=61)
    assert np.allclose(run["z"], (run.times - 1) ** 2, rtol=0, atol=1e-6) and run["dissipated_ground"][-1] < 1e-9


@pytest.mark.parametrize("mu, sticks", [(0.9, True), (0.12, False)])
def test_a_plate_that_falls_on_three_feet_hits_together(mu: float, sticks: bool) -> None:
    """Slips in the plane of three feet at once: momenta, Newton's restitution and Coulomb's law at every foot, by hand."""
    m, j, jz, e = 2.0, 0.05, 0.04, 0.3
    feet = {"a": (0.2, 0.0), "b": (-0.1, 0.17), "c": (-0.1, -0.17)}
    plate = nh.System(
        name="plate", coordinates="x y z p q th", parameters={"mu": mu},
        lagrangian=f"{m}/2*(xdot**2 + ydot**2 + zdot**2) + {j}/2*(pdot**2 + qdot**2) + {jz}/2*thdot**2 - {m}*9.81*z",
        contacts=[{
            "name": n, "gap": f"z + {b}*p - ({a})*q", "slip": [f"xdot - ({b})*thdot", f"ydot + ({a})*thdot"], "friction": "mu",
            "slips": True, "lifts": True, "restitution": e,
        } for n, (a, b) in feet.items()],
    )  # fmt: skip
    start = {"z": 1e-12, "zdot": -1.5, "xdot": 0.8, "ydot": -0.3, "thdot": 4.0, "pdot": 0.0, "qdot": 0.0}
    run = nh.simulate(plate, start, 1e-9, t_eval="end", impacts="together")
    after = {n: run.final[f"{n}dot"] for n in ("x", "y", "z", "p", "q", "th")}
    assert abs(after["z"] - e * 1.5) < 1e-6
    # what the feet gave: three momenta and three angular momenta
    push = np.array([m * (after["x"] - 0.8), m * (after["y"] + 0.3), jz * (after["th"] - 4.0)])
    normal = np.linalg.lstsq(
        np.array([[1.0, b, -a] for a, b in feet.values()]).T, [m * (after["z"] + 1.5), j * after["p"], j * after["q"]], rcond=None
    )[0]
    slips = [np.array([after["x"] - b * after["th"], after["y"] + a * after["th"]]) for a, b in feet.values()]
    if sticks:
        assert np.max(np.abs(slips)) < 1e-8
    else:
        pulls = [-mu * n * s / np.linalg.norm(s) for n, s in zip(normal, slips)]
        moment = sum(a * f[1] - b * f[0] for (a, b), f in zip(feet.values(), pulls))
        assert np.allclose(push, [*np.sum(pulls, axis=0), moment], rtol=0, atol=1e-7)
    assert run.drift("energy") < 1e-10


def test_questions_that_do_not_cross_modes_refuse_in_words() -> None:
    for ask in (
        lambda: nh.lyapunov(ball(), {"z": 1.0}, 2.0),
        lambda: nh.section(ball(), [{"z": 1.0}], "x", crossings=3),
    ):
        with pytest.raises(nh.NonholoError, match="changes of contacts"):
            ask()


def test_a_body_above_the_ground_falls_where_its_contact_may_lift() -> None:
    stone = nh.Machine(
        name="stone", bodies=[nh.Body(name="stone", mass=1.2, shape={"kind": "ball", "radius": 0.1})],
        contacts=[nh.Contact(body="stone", friction=0.3, slips=True, lifts=True, restitution=0.0)],
    )  # fmt: skip
    run = nh.simulate(nh.assemble(stone), {"z": 0.6, "xdot": 1.0}, 0.6, t_eval=3)
    assert run.modes.before[0] == "open" and abs(run.modes.time[0] - np.sqrt(2 * 0.5 / G)) < 1e-10
    lying = nh.simulate(nh.assemble(stone), {"xdot": 1.0}, 0.1, t_eval=3)
    assert np.all(lying.contacts.mode != "open") and abs(lying["z"][0] - 0.1) < 1e-12


@pytest.mark.slow
def test_a_box_dropped_on_its_corners_comes_to_rest_on_four_of_them() -> None:
    corners = [(a, b, c) for a in (-0.2, 0.2) for b in (-0.15, 0.15) for c in (-0.1, 0.1)]
    contacts = [
        nh.Contact(name=f"c{k}", body="box", at=list(at), friction=0.4, slips=True, lifts=True, restitution=0.3)
        for k, at in enumerate(corners)
    ]
    body = nh.Body(name="box", mass=2.0, shape={"kind": "box", "x": 0.4, "y": 0.3, "z": 0.2})
    run = nh.simulate(
        nh.assemble(nh.Machine(name="box", bodies=[body], contacts=contacts)),
        {"z": 0.5, "w1": 2.0, "w2": 1.3, "xdot": 0.5}, 1.5, t_eval=4,
    )  # fmt: skip
    assert run.outcome.reached and run.drift("energy") < 1e-9
    assert abs(run.final["z"] - 0.1) < 1e-9 and sum(run.contacts.mode.values[-1] != "open") == 4
    assert abs(float(run.contacts.normal[-1].sum()) - 2.0 * G) < 1e-6


@pytest.mark.parametrize("law", ["poisson", "garwin"])
def test_impacts_together_refuse_laws_that_they_do_not_follow(law: str) -> None:
    with pytest.raises(nh.StateError, match=f'found impact = "{law}", leave it out or use impacts="sequential"'):
        nh.simulate(rod(impact=law), None, 1e-6, {"mu": 0.6, "e": 1.0}, impacts="together")
