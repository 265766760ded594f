"""Ten systems nobody prepared, in plain coordinates and in bad order, for what hides: symmetries, momenta, laws, lost ranks."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import nonholo as nh

BALL = {"m": 1.3, "I": 0.07, "r": 0.31, "k": 0.6, "g": 9.81}
ROTATING = nh.Euclidean("phi rho") * nh.SO3("R", rates="w1 w2 w3", side="spatial")
SYSTEMS = {
    "skate with a rotor on a sphere": nh.System(
        coordinates="beta psi phi th", parameters={"m": 1.3, "J": 0.7, "K": 0.3},
        lagrangian="m*(thdot**2 + sin(th)**2*phidot**2)/2 + J*(psidot + cos(th)*phidot)**2/2"
        " + K*(betadot + psidot + cos(th)*phidot)**2/2",
        constraints=["thdot*sin(psi) - phidot*sin(th)*cos(psi)"],
    ),
    "penny in polar coordinates": nh.System(
        coordinates="alpha r theta phi", parameters={"m": 1.3, "J": 0.7, "K": 0.3, "a": 0.4},
        lagrangian="m*(rdot**2 + r**2*phidot**2)/2 + J*thetadot**2/2 + K*alphadot**2/2",
        constraints=[
            "rdot*sin(theta - phi) - r*phidot*cos(theta - phi)", "rdot*cos(theta - phi) + r*phidot*sin(theta - phi) - a*alphadot",
        ],
    ),
    "skate on the hyperbolic plane, horocycles": nh.System(
        coordinates="s x theta", parameters={"m": 1.3, "J": 0.7},
        lagrangian="m*(sdot**2 + exp(-2*s)*xdot**2)/2 + J*(thetadot + exp(-s)*xdot)**2/2",
        constraints=["exp(-s)*xdot*sin(theta) - sdot*cos(theta)"],
    ),
    "point on a sphere, stereographic": nh.System(coordinates="v u", lagrangian="2*(udot**2 + vdot**2)/(1 + u**2 + v**2)**2"),
    "point on Poincaré's disk": nh.System(coordinates="v u", lagrangian="2*(udot**2 + vdot**2)/(1 - u**2 - v**2)**2"),
    "point in the plane, parabolic coordinates": nh.System(
        coordinates="v u", lagrangian="(u**2 + v**2)*(udot**2 + vdot**2)/2"
    ),
    "ball in a paraboloid, polar": nh.System(
        frame=ROTATING, parameters=BALL,
        lagrangian="m*((1 + k**2*rho**2)*rhodot**2 + rho**2*phidot**2)/2 + I*(w1**2 + w2**2 + w3**2)/2 - m*g*k*rho**2/2",
        constraints=[
            "sqrt(1 + k**2*rho**2)*(rhodot*cos(phi) - rho*phidot*sin(phi)) - r*(w2 + k*rho*sin(phi)*w3)",
            "sqrt(1 + k**2*rho**2)*(rhodot*sin(phi) + rho*phidot*cos(phi)) + r*(w1 + k*rho*cos(phi)*w3)",
        ],
    ),
    "ball in a cone, polar": nh.System(
        frame=ROTATING, parameters=BALL,
        lagrangian="m*((1 + k**2)*rhodot**2 + rho**2*phidot**2)/2 + I*(w1**2 + w2**2 + w3**2)/2 - m*g*k*rho",
        constraints=[
            "sqrt(1 + k**2)*(rhodot*cos(phi) - rho*phidot*sin(phi)) - r*(w2 + k*sin(phi)*w3)",
            "sqrt(1 + k**2)*(rhodot*sin(phi) + rho*phidot*cos(phi)) + r*(w1 + k*cos(phi)*w3)",
        ],
    ),
    "wheel pushed sideways by its own roll": nh.System(
        coordinates="y theta roll x", parameters={"m": 1.3, "J": 0.7, "K": 0.3, "a": 0.4}, inputs={"u": "0.1*rolldot"},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2 + K*rolldot**2/2",
        constraints=["ydot*cos(theta) - xdot*sin(theta) - u", "xdot*cos(theta) + ydot*sin(theta) - a*rolldot"],
    ),
    "two blades on one line": nh.System(
        coordinates="y x", lagrangian="(xdot**2 + ydot**2)/2 - y - x**2/2", constraints=["y*xdot"], parameters={}
    ),
}  # fmt: skip
STARTS = {
    "skate with a rotor on a sphere": {"psi": 0.5, "phi": 0.2, "th": 1.2, "psidot": 0.9, "thdot": 0.5, "betadot": 0.3},
    "penny in polar coordinates": {"r": 1.5, "theta": 0.9, "phi": 0.1, "thetadot": 0.6, "rdot": 0.4},
    "skate on the hyperbolic plane, horocycles": {"s": 0.1, "x": 0.2, "theta": 0.4, "thetadot": 0.7, "sdot": 0.3},
    "wheel pushed sideways by its own roll": {"theta": 0.3, "thetadot": 0.5, "rolldot": 0.9},
}
GROUPS = {
    "skate with a rotor on a sphere": 4,  # SO(3) and the rotor
    "penny in polar coordinates": 4,  # SE(2) and the roll
    "skate on the hyperbolic plane, horocycles": 3,  # SL(2, R)
    "wheel pushed sideways by its own roll": 4,
}
PRECISE = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 9}


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if "horo" in n else pytest.mark.slow) for n in GROUPS])
def test_reduced_by_its_whole_group_it_moves_as_the_witness_does(name: str) -> None:
    system, start = SYSTEMS[name], STARTS[name]
    red = nh.reduce(system, symmetry="all")
    assert len(red.group.names) == GROUPS[name] and red.shape.names == ()
    full = nh.simulate(system, start, 2.0, form="multipliers", **PRECISE)
    found = red.simulate(start, 2.0, **PRECISE)
    assert full.outcome == "reached" and found.outcome == "reached"
    for c in system.coordinates:
        assert np.max(np.abs(full[c] - found[c])) < 1e-9


def angular_momentum(u, v, udot, vdot, sign):
    """``X × Ẋ`` of the point ``(2u, 2v, ±(1 − u² − v²))/(1 ± (u² + v²))`` of the sphere or the hyperboloid, which is constant."""
    w = 1 + sign * (u**2 + v**2)
    wdot = 2 * sign * (u * udot + v * vdot)
    X = np.array([2 * u / w, 2 * v / w, (2 - w) / w])
    D = np.array([2 * udot / w - 2 * u * wdot / w**2, 2 * vdot / w - 2 * v * wdot / w**2, -2 * wdot / w**2])
    return np.array([X[0] * D[1] - X[1] * D[0], X[1] * D[2] - X[2] * D[1], X[2] * D[0] - X[0] * D[2]])


def plane_momenta(u, v, udot, vdot, sign):
    """``ẋ``, ``ẏ`` and ``x ẏ − y ẋ`` with ``x = u v``, ``y = (u² − v²)/2``."""
    x, y, xdot, ydot = u * v, (u**2 - v**2) / 2, udot * v + u * vdot, u * udot - v * vdot
    return np.array([xdot, ydot, x * ydot - y * xdot])


@pytest.mark.parametrize(
    ("name", "hand", "sign"),
    [
        ("point on a sphere, stereographic", angular_momentum, 1),
        ("point on Poincaré's disk", angular_momentum, -1),
        ("point in the plane, parabolic coordinates", plane_momenta, 0),
    ],
)
def test_surfaces_of_constant_curvature_have_three_momenta_in_any_coordinates(name, hand, sign) -> None:
    system = SYSTEMS[name]
    found = nh.integrals(system, depends_on=["u", "v"])
    momenta = [f for f in found if f and f.expression is not None and "energy" not in f.claim]
    assert len(momenta) == 3 and all(f.proved for f in momenta)
    rows = []
    for k in range(5):
        random = np.random.default_rng(k)
        start = dict(zip(("u", "v", "udot", "vdot"), random.uniform(0.1, 0.5, 4).tolist()))
        run = nh.simulate(system, start, 0.5, form="multipliers", **PRECISE)
        known = hand(*(np.asarray(run[n]) for n in ("u", "v", "udot", "vdot")), sign)
        assert np.max(np.ptp(known, axis=1)) < 1e-9
        rows.append([*known[:, 0], *(f.along(run)[0] for f in momenta)])
    # the three that are found are combinations of the three that are known
    sizes = np.linalg.svd(np.array(rows), compute_uv=False)
    assert sizes[2] > 1e-4 * sizes[0] and sizes[3] < 1e-8 * sizes[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ball in a paraboloid, polar", "ball in a cone, polar"])
def test_a_ball_in_a_surface_of_revolution_in_polar_coordinates(name: str) -> None:
    """``dW/du = −a ω_n/u``, ``dω_n/du = −b W/u`` for the paraboloid; ``W`` and ``ω_3`` for the cone (a straight meridian)."""
    system = SYSTEMS[name]
    found = [f for f in nh.integrals(system, depends_on="rho") if f and "energy" not in f.claim]
    assert len(found) == 2 and all(f.proved for f in found)
    rows = []
    for k in range(4):
        random = np.random.default_rng(k)
        start = {"rho": 0.9, "phi": 0.2, **dict(zip(("w1", "w2", "w3"), random.uniform(-2, 2, 3).tolist()))}
        run = nh.simulate(system, start, 1.0, form="multipliers", **PRECISE)
        W = run["rho"] ** 2 * run["phidot"]
        if "cone" in name:
            hand = [W, run["w3"]]
        else:
            m, I, r, c = (BALL[n] for n in ("m", "I", "r", "k"))
            u = 1 + c**2 * run["rho"] ** 2
            level = run["w1"] * np.cos(run["phi"]) + run["w2"] * np.sin(run["phi"])
            spin = (run["w3"] - c * run["rho"] * level) / np.sqrt(u)
            a, b = r * I / (2 * c * (I + m * r**2)), c / (2 * r)
            hand = [(sqrt(b) * W + s * sqrt(a) * spin) * u ** (s * sqrt(a * b)) for s in (1, -1)]
        for values in (*hand, *(f.along(run) for f in found)):
            assert np.ptp(values) < 1e-9 * (1 + np.max(np.abs(values)))
        rows.append([*(h[0] for h in hand), *(f.along(run)[0] for f in found)])
    sizes = np.linalg.svd(np.array(rows), compute_uv=False)
    assert sizes[1] > 1e-3 * sizes[0] and sizes[2] < 1e-8 * sizes[0]


def test_two_blades_on_one_line_say_when_they_cease_to_decide() -> None:
    """``y ẋ = 0``: the point falls freely at rest in x until ``y = 0``; there the constraint says nothing."""
    heights = np.array([0.5, 1.0, 3.0])
    runs = nh.ensemble(SYSTEMS["two blades on one line"], {"y": heights, "x": 0.4}, 2.0, t_eval=3)
    expected = np.where(np.sqrt(2 * heights) < 2.0, np.sqrt(2 * heights), np.inf)
    assert runs["unique_until"].values == pytest.approx(expected, abs=1e-6)
