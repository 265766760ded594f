"""Systems with contacts that nobody prepared, each against a closed form or SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import nonholo as nh

G = 9.81
FINE = {"rtol": 1e-12, "atol": 1e-14}


def test_a_smooth_ladder_leaves_the_wall_at_two_thirds_of_its_height() -> None:
    """Rod of half length l at angle θ: θ̇² = (3 g/2 l)(sin θ₀ − sin θ), and the wall pushes no more at 2/3 sin θ₀."""
    half, first = 0.8, 1.15
    ladder = nh.System(
        name="ladder", coordinates="x z th", lagrangian=f"(xdot**2 + zdot**2)/2 + {half**2}/6*thdot**2 - {G}*z",
        contacts=[{"name": "floor", "gap": f"z - {half}*sin(th)", "lifts": True},
                  {"name": "wall", "gap": f"x - {half}*cos(th)", "lifts": True}],
    )  # fmt: skip
    start = {"th": first, "x": half * np.cos(first), "z": half * np.sin(first)}
    run = nh.simulate(ladder, start, 3.0, events=[nh.Event("th", terminal=1)], t_eval="steps", **FINE)
    assert (run.modes.contact[0], run.modes.after[0]) == ("wall", "open")
    last = nh.simulate(ladder, start, run.modes.time[0], t_eval="end", **FINE).final
    assert abs(np.sin(last["th"]) - 2 / 3 * np.sin(first)) < 1e-10
    assert abs(last["thdot"] ** 2 / (1.5 * G / half * (np.sin(first) - np.sin(last["th"]))) - 1) < 1e-10


@pytest.mark.parametrize("mu, spin", [(0.05, 40.0), (0.6, 3.0)])
def test_two_disks_collide_with_friction(mu: float, spin: float) -> None:
    """p_n = (1 + e) m_n u_n, and a tangential impulse of μ p_n or what stops the slip, 1/m_t = Σ (1/m + r²/I)."""
    (m1, m2), (r1, r2), e, side, v = (1.3, 0.7), (0.2, 0.15), 0.8, 0.12, 2.0
    distance = "sqrt((x2 - x1)**2 + (y2 - y1)**2)"
    across = f"((x2 - x1)*(y2dot - y1dot) - (y2 - y1)*(x2dot - x1dot))/{distance} - {r1}*ad - {r2}*bd"
    kinetic = f"{m1}/2*(x1dot**2 + y1dot**2) + {m2}/2*(x2dot**2 + y2dot**2) + {m1 * r1**2}/4*adot**2 + {m2 * r2**2}/4*bdot**2"
    pair = nh.System(
        name="pair", coordinates="x1 y1 a x2 y2 b", lagrangian=kinetic,
        contacts=[{"name": "rims", "gap": f"{distance} - {r1 + r2}", "slip": [across.replace("ad", "adot").replace("bd", "bdot")],
                   "friction": mu, "slips": True, "lifts": True, "restitution": e}],
    )  # fmt: skip
    run = nh.simulate(pair, {"x1": -1.0, "x1dot": v, "adot": spin, "x2": 0.0, "y2": side}, 1.0, t_eval="end")
    c = np.sqrt(1 - (side / (r1 + r2)) ** 2)
    s = side / (r1 + r2)
    u, w = -v * c, v * s - r1 * spin  # of the second against the first along the normal (c, s) and across it
    normal = -(1 + e) * u / (1 / m1 + 1 / m2)
    stick = -w / (3 / m1 + 3 / m2)
    push = stick if abs(stick) <= mu * normal else -np.sign(w) * mu * normal
    along, turned = np.array([c, s]) * normal, np.array([-s, c]) * push
    assert np.allclose([run.final["x2dot"], run.final["y2dot"]], (along + turned) / m2, rtol=1e-10)
    assert np.allclose([run.final["x1dot"] - v, run.final["y1dot"]], -(along + turned) / m1, rtol=1e-10)
    assert abs(run.final["adot"] / (spin - r1 * push / (m1 * r1**2 / 2)) - 1) < 1e-10
    assert abs(run.final["bdot"] / (-r2 * push / (m2 * r2**2 / 2)) - 1) < 1e-10


def test_a_cylinder_on_a_belt_that_brakes_slides_and_rolls_again() -> None:
    """Belt at V cos ωt: rolling as long as V ω |sin ωt| ≤ μ g (1 + k)/k, then the slip changes at the difference."""
    k, r, mu, top, w = 0.5, 0.1, 0.1, 1.2, 4.0
    roller = nh.System(
        name="roller", coordinates="x phi", lagrangian=f"xdot**2/2 + {k * r**2}/2*phidot**2",
        contacts=[{"name": "belt", "slip": [f"xdot - {r}*phidot - {top}*cos({w}*t)"], "load": G, "friction": mu, "slips": True}],
    )  # fmt: skip
    run = nh.simulate(roller, {"xdot": top}, 1.4, t_eval="end", **FINE)
    most = mu * G * (1 + k) / k
    begin = float(np.arcsin(most / (top * w)) / w)
    end = brentq(lambda t: top * (np.cos(w * t) - np.cos(w * begin)) + most * (t - begin), begin + 1e-2, 2.0, xtol=1e-15)
    assert np.allclose(run.modes.time[:2], [begin, end], rtol=1e-10) and run.modes.after[:2] == ("sliding", "rolling")
    at = nh.simulate(roller, {"xdot": top}, end, t_eval="end", **FINE).final
    speed = top - top * (1 - np.cos(w * begin)) * k / (1 + k) - mu * G * (end - begin)
    assert abs(at["xdot"] / speed - 1) < 1e-10


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_dropped_spinning_ring_keeps_its_momentum_about_the_floor(e: float) -> None:
    """However it bounces and slides, it rolls at last at v = k r ω/(1 + k)."""
    r, k, spin = 0.3, 1.0, 25.0
    ring = nh.System(
        name="ring", coordinates="x z phi", lagrangian=f"(xdot**2 + zdot**2)/2 + {k * r**2}/2*phidot**2 - {G}*z",
        contacts=[{"name": "floor", "gap": f"z - {r}", "slip": [f"xdot - {r}*phidot"], "friction": 0.3, "slips": True,
                   "lifts": True, "restitution": e}],
    )  # fmt: skip
    run = nh.simulate(ring, {"z": 0.9, "phidot": spin}, 4.0, t_eval="end")
    assert run.modes.after[-1] == "rolling" and abs(run.final["xdot"] / (k * r * spin / (1 + k)) - 1) < 1e-10


@pytest.mark.parametrize("mu", [0.2, 0.6])
def test_a_box_that_is_pushed_tips_or_slides(mu: float) -> None:
    """A force c t at height a above the floor tips it at c t a = m g b, unless c t = μ m g comes first."""
    b, h, a, rate, m = 0.2, 0.3, 0.5, 2.0, 1.5

    def foot(name: str, side: float) -> dict[str, Any]:
        return {
            "name": name, "gap": f"z + ({side})*sin(th) - {h}*cos(th)",
            "slip": [f"xdot + thdot*({h}*cos(th) - ({side})*sin(th))"],
            "friction": mu, "slips": True, "lifts": True,
        }  # fmt: skip

    box = nh.System(
        name="box", coordinates="x z th", lagrangian=f"{m}/2*(xdot**2 + zdot**2) + {m * (b**2 + h**2)}/6*thdot**2 - {m * G}*z",
        forces={"x": f"{rate}*t", "th": f"-{rate}*t*{a - h}"}, contacts=[foot("rear", -b), foot("front", b)],
    )  # fmt: skip
    begin, tips = min(m * G * b / a, mu * m * G) / rate, mu > b / a
    run = nh.simulate(box, {}, begin + 0.05, t_eval=[begin, begin + 0.05])
    assert run.outcome.reached and max(abs(run[n][0]) for n in ("x", "th", "xdot", "thdot")) < 1e-12
    change = ("rear", "open") if tips else ("front", "sliding")
    assert abs(next(c.time for c in run.modes if (c.contact, c.after) == change) / begin - 1) < 1e-10
    moved = rate / m * ((begin + 0.05) ** 2 - begin**2) / 2 - mu * G * 0.05
    assert run.final["th"] < -1e-7 if tips else abs(run.final["xdot"] - moved) < 1e-10


def test_a_wheel_that_brakes_on_a_slope_begins_to_slip() -> None:
    """A torque c t against rolling: (1 + k) F = k m g sin b + c t/r reaches μ m g cos b."""
    k, r, m, b, mu, rate = 0.7, 0.3, 2.0, 0.2, 0.45, 1.5
    wheel = nh.System(
        name="wheel", coordinates="x z phi", forces={"phi": f"-{rate}*t"},
        lagrangian=f"{m}/2*(xdot**2 + zdot**2) + {k * m * r**2}/2*phidot**2 - {m * G}*(z*cos({b}) - x*sin({b}))",
        contacts=[{"name": "road", "gap": f"z - {r}", "slip": [f"xdot - {r}*phidot"], "friction": mu, "slips": True}],
    )  # fmt: skip
    begin = r * ((1 + k) * mu * m * G * np.cos(b) - k * m * G * np.sin(b)) / rate
    run = nh.simulate(wheel, {"xdot": 6.0, "phidot": 6.0 / r}, begin + 0.1, t_eval="end")
    assert abs(run.modes.time[0] / begin - 1) < 1e-10 and run.modes.after[0] == "sliding"


def test_a_wheel_that_meets_a_step_turns_about_its_edge() -> None:
    """Without rebound and slip: (1 + k) ω′ = (k + 1 − h/r) ω; it climbs if (1 + k) r² ω′²/2 ≥ g h."""
    r, k, h = 0.3, 0.5, 0.06
    common = {"friction": 5.0, "slips": True, "lifts": True, "restitution": 0.0}
    edge = f"sqrt(x**2 + (z - {h})**2)"
    wheel = nh.System(
        name="wheel", coordinates="x z phi", lagrangian=f"(xdot**2 + zdot**2)/2 + {k * r**2}/2*phidot**2 - {G}*z",
        contacts=[{"name": "road", "gap": f"z - {r}", "slip": [f"xdot - {r}*phidot"], **common},
                  {"name": "edge", "gap": f"{edge} - {r}", "slip": [f"(xdot*(z - {h}) - zdot*x)/{edge} - {r}*phidot"], **common}],
    )  # fmt: skip
    speed = 1.6
    run = nh.simulate(wheel, {"x": -0.6, "xdot": speed, "phidot": speed / r}, 0.5, t_eval="steps", **FINE)
    hit = next(c.time for c in run.modes if c.contact == "edge")
    after = (k + 1 - h / r) / (1 + k) * speed / r
    late = run.times > hit + 1e-9
    energy = (1 + k) * r**2 * run["phidot"][late] ** 2 / 2 + G * (run["z"][late] - r)
    assert abs(hit - (0.6 - np.sqrt(2 * r * h - h**2)) / speed) < 1e-10
    assert np.max(np.abs(energy[run["x"][late] < -0.01] / ((1 + k) * r**2 * after**2 / 2) - 1)) < 1e-10
    assert run.modes.contact[0] == "road" or ("road", "open") in zip(run.modes.contact, run.modes.after)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_painleve_begins_where_friction_turns_the_response_of_the_tip(share: float) -> None:
    """For a thin rod μ = (1 + 3 cos²θ)/(3 sin θ cos θ); below it N = g/(1 + 3 cos θ (cos θ − μ sin θ)) at rest of the angle."""
    th = 1.2
    mu = share * (1 + 3 * np.cos(th) ** 2) / (3 * np.sin(th) * np.cos(th))
    rod = nh.System(
        name="rod", coordinates="x z th", lagrangian=f"(xdot**2 + zdot**2)/2 + thdot**2/6 - {G}*z",
        contacts=[{"name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "friction": mu, "slips": True,
                   "lifts": True}],
    )  # fmt: skip
    run = nh.simulate(rod, {"th": th, "xdot": -2.0}, 1e-5, t_eval=2)
    if share > 1:
        assert run.outcome.kind == "undecided contact"
        return
    response = 1 + 3 * np.cos(th) * (np.cos(th) - mu * np.sin(th))
    assert run.outcome.reached and abs(float(run.contacts.normal[0, 0]) * response / G - 1) < 1e-10


def test_a_ball_put_on_a_turntable_slides_until_it_rolls() -> None:
    """Against SciPy by hand: v̇ = −μ g u/|u|, ω̇ from the same force, u the slip on the turning table."""
    r, k, mu, turn, end = 0.1, 0.4, 0.3, 2.5, 1e-3
    slip = [f"xdot - {r}*(R21*w1 + R22*w2 + R23*w3) + {turn}*y", f"ydot + {r}*(R11*w1 + R12*w2 + R13*w3) - {turn}*x"]
    ball = nh.System(
        name="ball", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y z"),
        lagrangian=f"(xdot**2 + ydot**2 + zdot**2)/2 + {k * r**2}/2*(w1**2 + w2**2 + w3**2) - {G}*z",
        contacts=[{"name": "table", "gap": f"z - {r}", "slip": slip, "friction": mu, "slips": True}],
    )  # fmt: skip
    start = {"x": 0.7, "y": 0.1, "xdot": 0.2, "ydot": -0.3, "w1": 4.0}
    run = nh.simulate(ball, start, 2.0, events=[nh.Event(f"slip(table) - {end}", terminal=1)], t_eval="end", **FINE)

    def of(state: Any) -> Any:  # position, velocity, r times the spin about y and −x
        y = np.asarray(state)
        return y[2:4] - y[4:6] - turn * np.array([-y[1], y[0]])

    def rates(_: float, y: Any) -> Any:
        u, y = of(y), np.asarray(y)
        push = -mu * G * u / np.linalg.norm(u)
        return np.concatenate([y[2:4], push, -push / k])

    def slow(_: float, y: Any) -> float:
        return float(np.linalg.norm(of(y))) - end

    slow.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(
        rates, (0, 2.0), [0.7, 0.1, 0.2, -0.3, 0.0, -r * 4.0], method="DOP853", rtol=1e-13, atol=1e-15, events=slow
    )
    time = float(run.times[-1])
    assert abs(time - found.t_events[0][0]) < 1e-10
    ours = [run.final[n] for n in ("x", "y", "xdot", "ydot")]
    assert np.allclose(ours, found.y_events[0][0][:4], rtol=0, atol=1e-10)


@pytest.mark.parametrize("static", [0.4, 0.9])
def test_a_block_thrown_up_a_slope_stays_where_static_friction_holds(static: float) -> None:
    b, kinetic, v = 0.6, 0.35, 2.0
    block = nh.System(
        name="block", coordinates="x z", lagrangian=f"(xdot**2 + zdot**2)/2 - {G}*(z*cos({b}) + x*sin({b}))",
        contacts=[{"name": "slope", "gap": "z", "slip": ["xdot"], "slips": True,
                   "friction": {"static": static, "kinetic": kinetic}}],
    )  # fmt: skip
    run = nh.simulate(block, {"xdot": v}, 1.5, t_eval="end")
    up = v / (G * (np.sin(b) + kinetic * np.cos(b)))
    top = v * up / 2
    back = 0.0 if static >= np.tan(b) else G * (np.sin(b) - kinetic * np.cos(b)) * (1.5 - up) ** 2 / 2
    assert abs(run.modes.time[0] / up - 1) < 1e-10 and abs(run.final["x"] - top + back) < 1e-10 * max(top, back)
