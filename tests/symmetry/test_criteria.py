"""Criteria of the papers on systems of no gallery: measures on algebras, adjoint equations, falling bodies."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix

ALGEBRAS = {
    "affine x R": {("e1", "e2"): "e2"},
    "book": {("e1", "e2"): "e2", ("e1", "e3"): "e3"},
    "so(3)": {("e1", "e2"): "e3", ("e2", "e3"): "e1", ("e3", "e1"): "e2"},
    "solvable": {("e1", "e2"): "e2", ("e1", "e3"): "-e3"},
    "se(2)": {("e1", "e2"): "e3", ("e3", "e1"): "e2"},
}
ROWS = ["", "e1 - e2/2", "e2", "e3 + e1/3", "e1"]


@pytest.mark.parametrize("name", ALGEBRAS)
@pytest.mark.parametrize("row", ROWS)
def test_the_criterion_agrees_with_measure_and_with_numeric_divergence(name: str, row: str) -> None:
    frame = nh.LieAlgebra(ALGEBRAS[name], rates="e1 e2 e3")
    system = nh.System(
        name=name, frame=frame, lagrangian="(1.3*e1**2 + 0.8*e2**2 + 2.1*e3**2)/2 + e1*e2/5 + e2*e3/7",
        constraints=[row] if row else [],
    )  # fmt: skip
    found = nh.studies.suslov_criterion(system)
    assert found.holds.verdict == nh.measure(system).verdict and found.holds.exact
    equations = nh.hamel(system)
    z = [str(s) for s in equations.speeds]

    def rates(p: np.ndarray) -> np.ndarray:
        flow = equations.rates(dict(zip(z, p)), {})
        return np.array([flow[n] for n in z])

    divergence, h = 0.0, 1e-5
    for place in np.random.default_rng(3).uniform(-1, 1, (3, len(z))):
        total = sum((rates(place + h * e)[k] - rates(place - h * e)[k]) / (2 * h) for k, e in enumerate(np.eye(len(z))))
        divergence = max(divergence, abs(total))
    assert (divergence < 1e-8) == (found.holds.verdict == "holds")


def test_t_k_and_gamma_by_hand() -> None:
    system = nh.System(frame=nh.LieAlgebra(ALGEBRAS["book"], rates="e1 e2 e3"), parameters="A B C",
                       lagrangian="(A*e1**2 + B*e2**2 + C*e3**2)/2", constraints=["e1"])  # fmt: skip
    found = nh.studies.suslov_criterion(system)
    assert [str(e) for e in found.trace] == ["2", "0", "0"]
    assert evaluate([found.factor[0][0]], {"A": 1.7})[0] == pytest.approx(1.7)
    assert found.holds  # a spans T: γ = 2
    assert float(found.gamma[0]) == pytest.approx(2.0)
    with pytest.raises(nh.ModelError, match="Lie algebra"):
        nh.studies.suslov_criterion(nh.System(coordinates="x", lagrangian="xdot**2/2"))


SYSTEMS = [
    nh.System(name="carriage", coordinates="r s x z", lagrangian="(rdot**2 + sdot**2 + xdot**2 + zdot**2)/2 - r*s",
              constraints=["zdot - (r + s**2)*xdot"]),
    nh.System(name="skew", coordinates="q x y z", parameters="k", constraints=["zdot - sin(q)*xdot - q*ydot"],
              lagrangian="(qdot**2 + xdot**2 + 2*ydot**2 + k*zdot**2)/2 + xdot*ydot/3"),
    nh.System(name="cone", coordinates="r f x", parameters="k", lagrangian="(rdot**2 + r**2*fdot**2 + 3*xdot**2)/2 - k*r",
              constraints=["xdot - r*fdot"], symmetry=nh.rotation("f") * nh.translation("x")),
]  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.name)
def test_adjoint_equation_is_the_change_of_momenta_along_motions(system: nh.System) -> None:
    red = nh.reduce(system)
    found = nh.studies.adjoint_equation(red)
    assert all(found.flat)
    parameters = dict.fromkeys(system.parameters, 1.4)
    start = {c: 0.4 + 0.1 * k for k, c in enumerate(system.coordinates)}
    start |= {f"{c}dot": 0.3 + 0.2 * k for k, c in enumerate(system.coordinates) if c not in ("z",)}
    start = {n: e for n, e in start.items() if n not in ("zdot", "xdot") or system.name != "cone"}
    run = red.simulate(start, 0.2, parameters, rtol=1e-12, atol=1e-13, t_eval=np.linspace(0, 0.2, 41))
    p = np.stack([np.asarray(run[n]) for n in red.momenta], axis=1)
    t = np.asarray(run.times)
    from scipy.interpolate import CubicSpline

    slope = CubicSpline(t, p).derivative()(t)
    for k in range(5, 36, 10):
        here = {**parameters, **{n: float(np.asarray(run[n])[k]) for n in red.shape.names}}
        total = sum(evaluate_matrix(N, here) @ p[k] * float(np.asarray(run[r])[k]) for N, r in zip(found.matrices, red.rates))
        assert total == pytest.approx(slope[k], rel=1e-5, abs=1e-6)
    lines = str(found).splitlines()
    assert any(line.startswith("dsigma1/d") for line in lines) or red.momenta == ()


def disc(name: str, radius: str) -> nh.System:
    """A disc that rolls: tilt th from the vertical plane, heading ps, spin ph; moments A across and B along its axis."""
    return nh.System(
        name=name, coordinates="th ps ph x y", parameters="m A B g R",
        lagrangian=f"m/2*(xdot**2 + ydot**2 + {radius}**2*thdot**2 + {radius}**2*psdot**2*sin(th)**2"
        f" - 2*{radius}*(thdot*cos(th)*(ydot*cos(ps) - xdot*sin(ps)) - psdot*sin(th)*(xdot*cos(ps) + ydot*sin(ps))))"
        f" + A/2*(thdot**2 + psdot**2*cos(th)**2) + B/2*(phdot - psdot*sin(th))**2 - m*g*{radius}*cos(th)",
        constraints=[f"xdot + {radius}*phdot*cos(ps)", f"ydot + {radius}*phdot*sin(ps)"],
        symmetry=nh.planar_motion("x", "y", "ps") * nh.rotation("ph"),
    )  # fmt: skip


def nearest(red: nh.Reduction, found: Any, c: np.ndarray, parameters: dict[str, float]) -> float:
    """How near to π/2 a tilt comes that begins at 0.2 with these constants ``c = η p``, within 1.5 s."""
    tilt = red.shape.names[0]
    p = np.linalg.solve(found.frame(0.2)[0], c)
    state = {tilt: 0.2, red.rates[0]: 0.4, **dict(zip(red.momenta, p.tolist()))}
    stop = nh.Event(f"{tilt} - 1.5", terminal=1)
    run = nh.simulate(red.equations, state, 1.5, parameters, events=[stop], rtol=1e-10, atol=1e-12)
    return float(np.pi / 2 - max(np.max(np.asarray(run[tilt])), run.final[tilt]))


PROFILE = """name = "own"
gravity = "g"
parameters = {{m = 1.2, R = 0.8, A = 0.3, B = 0.5, d = 0.15, g = 9.81, q = 0.1}}
[[bodies]]
name = "cap"
mass = "m"
inertia = ["A", "B", "A"]
center = [0, "{centre}", 0]
free = "x y z yaw roll pitch"
shape = {shape}
[[contacts]]
body = "cap"
[start]
roll = 0.2
"""


@pytest.mark.parametrize(
    ("centre", "shape", "height", "slope"),
    [
        pytest.param("d", '{kind = "disk", radius = "R"}', "R*cos(roll)", "-R*sin(roll)", marks=pytest.mark.slow),
        ("0", '{kind = "wheel", radius = "R", tube = "q"}', "((R - q)*cos(roll) + q)", "(q - R)*sin(roll)"),
    ],
    ids=["mushroom", "torus"],
)
def test_bodies_with_a_profile_of_their_own_fall_from_starts_of_codimension_one(
    tmp_path: Any, centre: str, shape: str, height: str, slope: str
) -> None:
    """A disc whose mass lies beside it, and a torus: in words, against the height put in by hand and against motions."""
    (tmp_path / "own.toml").write_text(PROFILE.format(centre=centre, shape=shape))
    body = nh.load(tmp_path / "own.toml")

    def put_in(text: object) -> str:
        found = re.sub(r"\bzdot\b", f"({slope}*rolldot)", str(text))
        return re.sub(r"\bz\b", height, found).replace("sqrt(cos(roll)**2)", "cos(roll)")

    system = nh.System(
        coordinates="x y yaw roll pitch", parameters=dict(body.parameters), lagrangian=put_in(body.lagrangian),
        constraints=[put_in(c) for c in body.constraints], symmetry=nh.planar_motion("x", "y", "yaw") * nh.rotation("pitch"),
    )  # fmt: skip
    red = nh.reduce(system)
    found = nh.studies.falling(red, np.pi / 2, origin=0.2)
    assert found.finding and found.codimension == 1
    for given in (body, nh.reduce(body)):
        in_words = nh.studies.falling(given, np.pi / 2, origin=0.2)
        assert np.allclose(in_words.powers, found.powers, atol=1e-9)
        state = nh.complete_state(body, {"roll": 0.4, "rolldot": 0.3, "yawdot": 0.7, "pitchdot": 1.1})
        assert abs(in_words.conditions @ in_words.constants(state)) == pytest.approx(
            abs(found.conditions @ found.constants(state)), rel=1e-9
        )
    normal = found.conditions[0]
    along = np.array([-normal[1], normal[0]])
    assert nearest(red, found, 0.15 * along, dict(body.parameters)) < 0.0709
    assert nearest(red, found, 0.15 * along + 0.6 * normal, dict(body.parameters)) > 0.15


@pytest.mark.parametrize("numbers", [{"A": 0.3, "B": 0.55}, {"A": 0.5, "B": 0.2}], ids=["disc", "rod-like"])
def test_a_rolling_disc_falls_from_starts_of_codimension_one(numbers: dict[str, float]) -> None:
    """Kolesnikov's theorem for one's own inertia, against motions: the special start comes near, others turn back."""
    system = disc("own disc", "R")
    parameters = {"m": 1.2, "g": 9.81, "R": 0.8, **numbers}
    red = nh.reduce(system)
    found = nh.studies.falling(red, np.pi / 2, parameters=parameters, origin=0.2)
    assert found.finding and found.codimension == 1
    normal = found.conditions[0]
    along = np.array([-normal[1], normal[0]])

    assert nearest(red, found, 0.15 * along, parameters) < 0.0709  # it passes 1.5
    assert nearest(red, found, 0.15 * along + 0.6 * normal, parameters) > 0.15
    full = red.simulate({"th": 0.2, "thdot": 0.1, "psdot": 0.0, "phdot": 0.0}, 0.01, parameters)
    assert found.may_fall({n: float(full.first[n]) for n in (*system.coordinates, *system.velocities)})  # no spin: it falls


TOP = "A/2*(thdot**2 + psdot**2*sin(th)**2) + B/2*(phdot + psdot*cos(th))**2 - m*g*l*cos(th)"
HEAVY = {"A": 0.7, "B": 0.4, "m": 1.1, "g": 9.81, "l": 0.3}
CONE = "m/2*((1 + k**2)*rdot**2 + r**2*fdot**2) - m*g*k*r"


@pytest.mark.parametrize(
    ("words", "parameters", "boundary", "origin", "condition"),
    [
        # (p_ψ − p_φ cos θ)²/(2 A sin²θ) stays finite at θ = 0 where p_ψ = p_φ, at θ = π where p_ψ = −p_φ;
        # p_f²/(2 m r²) where p_f = 0
        ({"coordinates": "th ps ph", "lagrangian": TOP}, HEAVY, 0.0, 0.6, "upright"),
        ({"coordinates": "th ps ph", "lagrangian": TOP}, HEAVY, np.pi, 2.4, "hanging"),
        ({"coordinates": "r f", "lagrangian": CONE}, {"m": 0.8, "g": 9.81, "k": 1.3}, 0.0, 0.5, "tip"),
    ],
    ids=["top that stands up", "top that hangs", "point in a cone"],
)
def test_what_reaches_a_pole_or_a_tip_is_what_the_potential_says(
    words: dict[str, str], parameters: dict[str, float], boundary: float, origin: float, condition: str
) -> None:
    system = nh.System(name=condition, parameters=list(parameters), **words)
    found = nh.studies.falling(nh.reduce(system), boundary, parameters=parameters, origin=origin)
    assert found.codimension == 1

    def start(swing: float, spin: float) -> dict[str, float]:
        if condition == "tip":
            return {"r": 0.4, "f": 0.3, "rdot": -0.2, "fdot": swing}
        th = 0.8 if condition == "upright" else 2.3
        along = 1.0 if condition == "upright" else -1.0  # p_ψ = ± p_φ fixes ψ̇ for a spin ω₃ = φ̇ + ψ̇ cos θ
        turn = swing + 0.4 * spin * (along - np.cos(th)) / (0.7 * np.sin(th) ** 2)
        return {"th": th, "ps": 0.1, "ph": 0.2, "thdot": 0.0, "psdot": turn, "phdot": spin - turn * np.cos(th)}

    assert found.may_fall(start(0.0, 2.7)) and not found.may_fall(start(0.05, 2.7))


def test_no_barrier_is_told_and_bad_questions_are_refused() -> None:
    slope = nh.System(name="slope", coordinates="q x", lagrangian="(qdot**2 + (1 + q**2)*xdot**2)/2 + q")
    found = nh.studies.falling(nh.reduce(slope), 2.0, origin=0.0)
    assert found.codimension == 0 and found.finding.verdict == "fails"
    with pytest.raises(nh.ModelError, match="one shape variable"):
        nh.studies.falling(nh.reduce(SYSTEMS[0]), 1.0)
    with pytest.raises(nh.ModelError, match="boundary = nan; give the shape that is asked about as a finite number"):
        nh.studies.falling(nh.reduce(slope), float("nan"), origin=0.0)
