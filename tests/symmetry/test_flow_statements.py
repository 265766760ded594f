"""What is said of the flow: densities that depend on time, local integrals, attractors, reversal; each against motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.angle_coordinates import angle_coordinates, goes_round
from nonholo.finding import Density, FirstIntegral, Measure, MotionFills, TimeReversible, WindingTorus
from nonholo.finding.conclusions import Attracted, IntegrableByQuadratures

Array = Any


def volume(system: nh.System, start: dict[str, float], until: float, parameters: dict[str, float]) -> float:
    """How a small volume of states has grown after a time: the determinant of differences of neighbouring motions."""
    step, names = 1e-4, list(start)

    def end(moved: dict[str, float]) -> Array:
        run = nh.simulate(system, moved, until, parameters, rtol=1e-11, atol=1e-13, progress=False)
        return np.array([float(np.asarray(run[n])[-1]) for n in names])

    columns = [(end({**start, n: start[n] + step}) - end({**start, n: start[n] - step})) / (2 * step) for n in names]
    return float(np.linalg.det(np.array(columns)))


DRIVEN = {
    "oscillator": nh.System(
        coordinates="x", parameters="c k A", lagrangian="xdot**2/2 - k*x**2/2 - x**4/4 + A*x*cos(t)", forces={"x": "-c*xdot"}
    ),
    "in the logarithm": nh.System(  # x = exp(u): the volume dx dẋ is exp(2u) du du̇
        coordinates="u",
        parameters="c k A",
        lagrangian="exp(2*u)*udot**2/2 - k*exp(2*u)/2 - exp(4*u)/4 + A*exp(u)*cos(t)",
        forces={"u": "-c*exp(2*u)*udot"},
    ),
    "hula hoop": nh.System(
        coordinates="f", parameters="c k A", lagrangian="fdot**2/2 - A*fdot*sin(f - k*t)", forces={"f": "-c*fdot"}
    ),
}
NUMBERS = {"c": 0.31, "k": 1.7, "A": 0.6}


@pytest.mark.parametrize("name", DRIVEN)
def test_a_damped_and_driven_flow_contracts_and_preserves_no_finite_measure(name: str) -> None:
    found = nh.measure(DRIVEN[name])
    assert found.verdict == "fails" and found.proved and found.expression is None
    assert isinstance(found.data, Measure) and found.data.density is Density.FINITE and found.data.rate == "c"
    speed = f"{DRIVEN[name].coordinates[0]}dot"
    start = {DRIVEN[name].coordinates[0]: 0.3, speed: 0.2}
    until = 0.6
    grown = volume(DRIVEN[name], start, until, NUMBERS)
    if name == "in the logarithm":
        run = nh.simulate(DRIVEN[name], start, until, NUMBERS, rtol=1e-11, atol=1e-13, progress=False)
        grown *= float(np.exp(2 * (np.asarray(run["u"])[-1] - start["u"])))
    assert grown == pytest.approx(np.exp(-NUMBERS["c"] * until), rel=1e-6)


@pytest.mark.parametrize(
    "words",
    [
        {"lagrangian": "m*(2 + cos(w*t))*xdot**2/2 - k*x**2/2"},
        {"lagrangian": "m*xdot**2/2 - k*x**2/2", "forces": {"x": "-c*cos(w*t)*xdot"}},
    ],
)
def test_a_density_of_the_phase_is_periodic_and_balances_the_volume(words: dict[str, Any]) -> None:
    system = nh.System(coordinates="x", parameters="m k c w", **words)
    found = nh.measure(system)
    assert found and isinstance(found.data, Measure) and found.data.density is Density.PHASE
    numbers = {"m": 1.3, "k": 2.1, "c": 0.4, "w": 1.7}
    until = 1.3
    f = [float(evaluate([found.expression], {**numbers, "t": t})[0]) for t in (0.0, until, until + 2 * np.pi / numbers["w"])]
    assert f[1] == pytest.approx(f[2], rel=1e-12)
    assert volume(system, {"x": 0.4, "xdot": -0.2}, until, numbers) * f[1] / f[0] == pytest.approx(1, rel=1e-6)


def test_a_density_without_period_is_told_as_one_of_time() -> None:
    """Caldirola's oscillator: ``exp(g t) dx dẋ`` is preserved; nothing is concluded from it."""
    system = nh.System(coordinates="x", parameters="k g", lagrangian="exp(g*t)*(xdot**2/2 - k*x**2/2)")
    found = nh.measure(system)
    assert found and isinstance(found.data, Measure) and found.data.density is Density.TIME
    assert volume(system, {"x": 0.4, "xdot": -0.2}, 1.5, {"k": 2.0, "g": 0.3}) == pytest.approx(np.exp(-0.45), rel=1e-6)
    assert not nh.verdict(system)


COIN = {
    "lagrangian": "m*(R**2*phdot**2 + zdot**2)/2 + I*psdot**2/2 + J*bedot**2/2 - m*g*z",
    "constraints": ["R*phdot - r*psdot*cos(be)", "zdot - r*psdot*sin(be)"],
}


def coin(**words: Any) -> nh.System:
    """A coin that rolls inside a vertical cylinder: its heading turns evenly, it drifts round, and its height is periodic."""
    return nh.System(coordinates="ph z be ps", parameters="m R r g J I", **{**COIN, **words})


def tilted() -> nh.System:
    """The same with the angle from the vertical, ``be = π/2 − ga``, and the height in units of the radius."""
    return nh.System(
        coordinates="ga ph s ps",
        parameters="m R r g J I",
        lagrangian="m*R**2*(phdot**2 + sdot**2)/2 + I*psdot**2/2 + J*gadot**2/2 - m*g*R*s",
        constraints=["R*phdot - r*psdot*sin(ga)", "R*sdot - r*psdot*cos(ga)"],
    )


@pytest.mark.parametrize(("system", "angle"), [(coin(), "be"), (tilted(), "ga")])
def test_integrals_with_a_bare_angle_are_local_and_do_not_count(system: nh.System, angle: str) -> None:
    assert angle_coordinates(system) == (angle,) and goes_round(system, angle)
    found = [f for f in nh.integrals(system) if f and isinstance(f.data, FirstIntegral)]
    numbers = {"m": 1.1, "R": 1.3, "r": 0.2, "g": 2.0, "J": 0.3, "I": 0.4}
    height = "z" if "z" in system.coordinates else "s"
    start = {"ph": 0.1, height: 0.2, angle: 0.3, "ps": 0.0, f"{angle}dot": 1.4, "psdot": 0.8}
    run = nh.simulate(system, start, 2 * np.pi / 1.4, numbers, t_eval=50, rtol=1e-11, atol=1e-12, progress=False)
    local = 0
    for one in found:
        values = one.along(run)
        assert np.max(np.abs(values - values[0])) < 1e-7 * (1 + np.max(np.abs(values)))
        here = {**numbers, **{n: float(np.asarray(run[n])[-1]) for n in (*system.coordinates, *system.velocities)}}
        turned = {**here, angle: here[angle] - 2 * np.pi}  # the same state
        jump = float(np.diff([evaluate([one.expression], place)[0] for place in (here, turned)])[0])
        assert isinstance(one.data, FirstIntegral) and bool(one.data.local) == (abs(jump) > 1e-6)
        local += bool(one.data.local)
    assert local == 2
    judged = nh.verdict(system, numbers)
    assert judged.decision.dimension < 6  # not on the whole state


def test_a_coin_in_a_cylinder_winds_round_a_torus_of_three_dimensions() -> None:
    """Its heading turns evenly, gravity along it gives ``φ̇`` and ``ψ̇`` in closed form; boxes of the torus are all met."""
    system = coin(units={"ph": "rad", "ps": "rad"})
    m, R, r, g, J, I = 1.1, 1.3, 0.2, 2.0, 0.3, 0.4
    numbers = {"m": m, "R": R, "r": r, "g": g, "J": J, "I": I}
    start = {"ph": 0.1, "z": 0.2, "be": 0.3, "ps": 0.0, "bedot": 1.4, "psdot": 0.8}
    judged = nh.verdict(system, numbers, start=start)
    (torus,) = [f.data for f in judged.findings if isinstance(f.data, WindingTorus)]
    pull = m * g * r / (I + m * r**2)  # ψ̈ = −pull sin be
    mean = 0.8 - pull / 1.4 * np.cos(0.3)  # ψ̇ = mean + pull/ω cos be
    expected = {"be": 1.4, "ps": abs(mean), "ph": r * pull / (2 * R * 1.4)}
    assert torus.dimension == 3 and dict(torus.frequencies) == pytest.approx(expected, rel=1e-6)
    assert isinstance(judged.decision, IntegrableByQuadratures) and set(judged.decision.rest) == {"ph", "z", "ps"}
    run = nh.simulate(system, start, 8000.0, numbers, t_eval=40000, progress=False)
    boxes = np.stack([np.floor(np.mod(np.asarray(run[n]), 2 * np.pi) / (2 * np.pi) * 5).astype(int) for n in ("be", "ph", "ps")])
    assert len(np.unique(boxes, axis=1).T) == 125


def test_a_pole_is_no_place_to_go_round() -> None:
    """The tilt of a body on a point stands in sines alone, but at the pole the metric is singular."""
    pendulum = nh.System(
        coordinates="th ph", parameters="g", lagrangian="(thdot**2 + sin(th)**2*phdot**2)/2 + g*cos(th)", units={"ph": "rad"}
    )
    assert angle_coordinates(pendulum) == ("th", "ph")
    assert not goes_round(pendulum, "th") and goes_round(pendulum, "ph")


CASTER = {
    "parameters": {"m": 1.0, "J": 0.1, "k": 4.0, "l": 1.0, "v": 3.0, "c": 0.2},
    "lagrangian": "m*ydot**2/2 + J*thdot**2/2 - k*y**2/2",
    "constraints": ["ydot*cos(th) + v*sin(th) + l*thdot"],
    "forces": {"y": "-c*ydot"},
}
ATTRACTORS = {
    "van der Pol": nh.System(coordinates="x", lagrangian="(xdot**2 - x**2)/2", forces={"x": "(1 - x**2)*xdot"}),
    "van der Pol, squared": nh.System(  # x = p + p³
        coordinates="p",
        lagrangian="((1 + 3*p**2)**2*pdot**2 - (p + p**3)**2)/2",
        forces={"p": "(1 + 3*p**2)**2*(1 - (p + p**3)**2)*pdot"},
        start={"p": 0.4, "pdot": 0.1},
    ),
    "caster that shimmies": nh.System(coordinates="y th", start={"y": 0.2, "th": 0.3}, **CASTER),
}


@pytest.mark.parametrize("name", ATTRACTORS)
def test_an_attractor_is_not_taken_for_integrals(name: str) -> None:
    judged = nh.verdict(ATTRACTORS[name])
    shown = next(f for f in judged.findings if isinstance(f.data, MotionFills))
    assert shown.data.shrinks is not None and shown.data.shrinks > 0.05
    assert isinstance(judged.decision, Attracted)


def test_what_keeps_its_energy_is_no_attractor() -> None:
    """A star of three springs, not integrable: volumes keep their size."""
    system = nh.System(
        coordinates="x y",
        lagrangian="(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2 - x**2*y + y**3/3",
        start={"x": 0.0, "y": 0.1, "xdot": 0.49, "ydot": 0.0},
    )
    judged = nh.verdict(system)
    shown = next(f for f in judged.findings if isinstance(f.data, MotionFills))
    assert shown.data.shrinks is None and not isinstance(judged.decision, Attracted)


@pytest.mark.parametrize(
    ("words", "reversible"),
    [
        ({"coordinates": "x y", "constraints": ["x*ydot - y*xdot - c"]}, False),
        ({"coordinates": "x y", "constraints": ["x*ydot - y*xdot - c*(x**2 + y**2)"]}, False),
        ({"coordinates": "x y z", "constraints": ["zdot - (x*ydot - y*xdot)"]}, True),
    ],
)
def test_motions_run_backwards(words: dict[str, Any], reversible: bool) -> None:
    """With affine constraints the reversed velocities of an admissible state break them."""
    names = words["coordinates"].split()
    system = nh.System(parameters="c", lagrangian=" + ".join(f"{n}dot**2/2" for n in names), **words)
    reduction = nh.reduce(system)
    found = next(f for f in reduction.findings if isinstance(f.data, TimeReversible))
    state = nh.complete_state(system, {"x": 0.7, "y": 0.3, "xdot": 0.5, **({"ydot": -0.2} if "z" in names else {})}, {"c": 0.4})
    turned = {**state, "c": 0.4, **{v: -state[v] for v in system.velocities}}
    broken = abs(float(evaluate([system.constraints[0]], turned)[0])) > 1e-9
    assert bool(found) == reversible == (not broken)


HELICOID = "m/2*(udot**2 + (u**2 + k**2)*vdot**2) + J/2*(bedot + u*vdot/sqrt(u**2 + k**2))**2"
SKATE = "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2"


def test_chaplygins_multiplier_of_a_skate_on_a_helicoid_is_short() -> None:
    system = nh.System(
        coordinates="u v be", parameters="m J k", lagrangian=HELICOID,
        constraints=["-sin(be)*udot + cos(be)*sqrt(u**2 + k**2)*vdot"],
    )  # fmt: skip
    found = nh.hamiltonise(nh.reduce(system))
    assert found and found.multiplier == se.sympify("cos(be)*sqrt(k**2 + u**2)")


@pytest.mark.parametrize(
    ("lagrangian", "constraint", "names"),
    [
        (f"{HELICOID} - m*g*k*v", "-sin(be)*udot + cos(be)*sqrt(u**2 + k**2)*vdot", "u v be"),
        ("m/2*k**2*cosh(u)**2*(udot**2 + vdot**2) + J/2*(bedot + tanh(u)*vdot)**2 - m*g*k*v", "-sin(be)*udot + cos(be)*vdot",
         "u v be"),
    ],
)  # fmt: skip
def test_a_skate_on_a_helicoid_has_its_measure_in_both_charts(lagrangian: str, constraint: str, names: str) -> None:
    """With u = k sinh p in the second; the flow and its volumes come from motions."""
    system = nh.System(coordinates=names, parameters="m J k g", lagrangian=lagrangian, constraints=[constraint])
    found = nh.measure(system)
    assert found and found.proved and not found.expression.free_symbols & {se.Symbol("m"), se.Symbol("J"), se.Symbol("g")}
    numbers = {"m": 1.2, "J": 0.5, "k": 0.8, "g": 0.7}
    start = {"u": 0.4, "v": 0.1, "be": 0.3, "udot": 0.3, "bedot": 0.2}
    run = nh.simulate(system, start, 0.5, numbers, rtol=1e-11, atol=1e-13, progress=False)
    ends = [{n: float(np.asarray(run[n])[k]) for n in names.split()} for k in (0, -1)]
    f = [float(evaluate([found.expression], {**numbers, **end})[0]) for end in ends]
    assert min(f) > 0
    assert volume(system, start, 0.5, numbers) * f[1] / f[0] == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("turning", ["-d*thdot", ""])
def test_a_skate_on_a_slope_with_drag_contracts_at_a_constant_rate(turning: str) -> None:
    forces = {"x": "-c*xdot", "y": "-c*ydot", **({"th": turning} if turning else {})}
    system = nh.System(
        coordinates="x y th", parameters="m J g c d", lagrangian=f"{SKATE} + m*g*x/3", forces=forces,
        constraints=["ydot*cos(th) - xdot*sin(th)"],
    )  # fmt: skip
    found = nh.measure(system)
    assert found.verdict == "fails" and found.proved and isinstance(found.data, Measure) and found.data.density is Density.FINITE
    numbers = {"m": 1.3, "J": 0.6, "g": 2.0, "c": 0.4, "d": 0.25}
    rate = numbers["c"] / numbers["m"] + (numbers["d"] / numbers["J"] if turning else 0)
    start = {"x": 0.0, "y": 0.1, "th": 0.3, "xdot": 0.5, "thdot": 0.4}
    run = nh.simulate(system, start, 0.7, numbers, rtol=1e-11, atol=1e-13, progress=False)
    grown = volume(system, start, 0.7, numbers) * float(np.cos(start["th"]) / np.cos(np.asarray(run["th"])[-1]))
    assert grown == pytest.approx(np.exp(-0.7 * rate), rel=1e-6)


QUATERNION = (
    "2*(A*(p0*p1dot - p1*p0dot - p2*p3dot + p3*p2dot)**2 + B*(p0*p2dot - p2*p0dot - p3*p1dot + p1*p3dot)**2"
    " + C*(p0*p3dot - p3*p0dot - p1*p2dot + p2*p1dot)**2 + (p0*p0dot + p1*p1dot + p2*p2dot + p3*p3dot)**2)"
)


@pytest.mark.parametrize(
    ("constraints", "f"), [([], "1/p3"), (["p0*p3dot - p3*p0dot - p1*p2dot + p2*p1dot"], "1/(p0**2 + p3**2)")]
)
def test_a_plain_quaternion_of_length_one_has_the_measure_of_the_rotations(constraints: list[str], f: str) -> None:
    """In ω the measure of the body is ``dq dω`` of the sphere; the speeds kept are ω/2 times a matrix of this determinant."""
    system = nh.System(
        coordinates="p0 p1 p2 p3", parameters="A B C", lagrangian=QUATERNION, constraints=constraints,
        holonomic=["p0**2 + p1**2 + p2**2 + p3**2 - 1"], start={"p0": 0.6, "p1": 0.0, "p2": 0.0, "p3": 0.8},
    )  # fmt: skip
    found = nh.measure(system)
    assert found and found.proved and len(str(found.expression)) < 30
    places = [{"p0": 0.6, "p1": 0.2, "p2": -0.3, "p3": 0.7}, {"p0": 0.1, "p1": 0.5, "p2": 0.4, "p3": 0.3}]
    known = se.sympify(f)
    ratios = [float(evaluate([found.expression / known], place)[0]) for place in places]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-12)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_densities_are_real_and_positive_where_the_system_begins(side: float) -> None:
    """Of a metric over ``|y|``, below the axis and above it; with three coordinates a root of it is needed."""
    odd = nh.System(
        coordinates="x y z", lagrangian=f"{side:+g}*(xdot**2 + ydot**2 + zdot**2)/(2*y)",
        constraints=["zdot - x*ydot"], start={"x": 0.0, "y": side, "z": 0.0, "xdot": 1.0, "ydot": 0.1},
    )  # fmt: skip
    density = nh.measure(odd)
    assert density and float(evaluate([density.expression], {"x": 0.3, "y": 1.3 * side})[0]) > 0


@pytest.mark.parametrize(
    ("constraint", "start"),
    [
        ("zdot - thdot/sin(th)", {"th": 0.7}),
        ("zdot*cos(th) - thdot", {"th": 0.4}),
        ("th*zdot - thdot", {"th": -1.3}),
    ],
)
def test_functions_that_hold_a_configuration_are_real_where_it_begins(constraint: str, start: dict[str, float]) -> None:
    """And constant along motions, the logarithms included."""
    system = nh.System(coordinates="z th", lagrangian="(zdot**2 + thdot**2)/2", constraints=[constraint])
    (leaf,) = nh.classify(system).integrals
    run = nh.simulate(system, {"z": 0.2, **start, "thdot": 0.2}, 1.0, t_eval=20, progress=False)
    values = [float(evaluate([leaf], {n: float(np.asarray(run[n])[k]) for n in ("z", "th")})[0]) for k in range(len(run.times))]
    assert np.all(np.isfinite(values)) and np.ptp(values) < 1e-7


@pytest.mark.parametrize(
    "lagrangian",
    ["(A*w1**2 + B*w2**2 + C*w3**2)/2", "(A*(w1**2 + w2**2) + C*w3**2)/2 - B*(q0**2 - q1**2 - q2**2 + q3**2)"],
)
def test_momentum_equations_of_quaternions_hold_no_decimals(lagrangian: str) -> None:
    system = nh.System(frame=nh.Quaternion("q"), parameters="A B C", lagrangian=lagrangian)
    reduction = nh.reduce(system)
    assert not any(n for e in reduction.momentum_equation.values() for n in se.sympify(e).atoms(se.RealDouble) if n.is_Number)
