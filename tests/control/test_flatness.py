"""Flat outputs and chained forms: maps there and back, the true motion, python-control's flat systems, and honest refusals."""

from __future__ import annotations

import control.flatsys as flatsys
import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.control import chained_form, flatness, kinematic_system
from nonholo.control.flat_systems.flat_outputs import explicit_field, flag_functions
from nonholo.model.system import varied
from tests.control.known_results import CART_POLE, KNOWN, PVTOL, _car, _first_order

UNICYCLE = kinematic_system("x y th", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w", name="unicycle")
ENGEL = _first_order("Engel", {"x": "a", "y": "b", "z": "x*b", "w": "z*a"}, "a b")


CRANE = nh.System(
    name="crane", coordinates="x L th", parameters="M m J g", forces={"x": "F", "L": "T"}, inputs="F T",
    lagrangian="M/2*xdot**2 + J/2*Ldot**2 + m*g*L*cos(th)"
    " + m/2*((xdot + Ldot*sin(th) + L*thdot*cos(th))**2 + (Ldot*cos(th) - L*thdot*sin(th))**2)",
)  # fmt: skip
"""A trolley, a winch and a load."""


def random_values(names: object, seed: int = 4) -> dict[se.Symbol, float]:
    random = np.random.default_rng(seed)
    return {s: float(random.uniform(0.1, 0.7)) for s in sorted(names, key=str)}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "system", [UNICYCLE, _car(0), pytest.param(_car(1), marks=pytest.mark.slow), ENGEL], ids=lambda s: s.name
)
def test_chained_coordinates_move_as_a_chain(system: nh.System) -> None:
    """The rates of x1 … xn along the true velocities are v1, v2, x2 v1, … in numbers; and the inverse gives the state."""
    form = chained_form(system)
    affine = nh.control.control_affine(system)
    field = explicit_field(affine, affine.inputs)
    at = random_values({s for e in (*field, *form.coordinates) for s in e.free_symbols} | set(affine.state) | set(affine.inputs))

    def number(e: se.Expr) -> float:
        return float(se.sympify(e).subs(at).n(53))

    rates = [number(se.Add(*(x.diff(s) * e for s, e in zip(affine.state, field)))) for x in form.coordinates]
    v1, v2 = (number(e) for e in form.inputs)
    wanted = [v1, v2, *(number(x) * v1 for x in form.coordinates[1:-1])]
    assert rates == pytest.approx(wanted, rel=1e-9)
    assert form.state is not None
    chain = {se.Symbol(f"x{k}"): number(e) for k, e in enumerate(form.coordinates, 1)}
    for name, e in form.state.items():
        assert float(e.subs({**at, **chain}).n(53)) == pytest.approx(at[se.Symbol(name)], rel=1e-9)
    at |= {se.Symbol("v1"): v1, se.Symbol("v2"): v2}
    for name, e in form.given.items():
        assert number(e) == pytest.approx(at[se.Symbol(name)], rel=1e-9)


def test_flat_outputs_of_a_train_of_axles_are_the_last_axle() -> None:
    found = flatness(nh.gallery.get("n-trailer").system, kinematic=True)
    x, y, l, t1, t2 = se.symbols("x y l theta1 theta2")
    last = {x - l * se.cos(t1) - l * se.cos(t2), y - l * se.sin(t1) - l * se.sin(t2)}
    assert found.flat is True
    assert {se.expand(e) for e in found.outputs} == last


CASES = {
    "unicycle": (UNICYCLE, {}),
    "car": (_car(0), {"l": 0.8}),
    "two-link arm": (nh.System(
        coordinates="a b", parameters="p q r", lagrangian="p/2*adot**2 + q/2*(adot + bdot)**2 + r*cos(b)*adot*(adot + bdot)",
        forces={"a": "u", "b": "w"}, inputs="u w", name="arm"), {"p": 2.0, "q": 0.7, "r": 0.4}),
    "pendulum with motor": (nh.System(
        coordinates="q m", parameters="k J", lagrangian="qdot**2/2 + J*mdot**2/2 + 3*cos(q) - k*(q - m)**2/2", forces={"m": "u"},
        inputs="u", name="flexible joint"), {"k": 5.0, "J": 0.3}),
    "crane": (CRANE, {"M": 2.0, "m": 1.3, "J": 0.4, "g": 9.81}),
    "aircraft": (PVTOL, {"m": 1.2, "J": 0.3, "e": 0.2, "g": 9.81}),
    "flexible arm": (nh.System(
        coordinates="a b p r", parameters="k J", inputs="u w", forces={"p": "u", "r": "w"}, name="flexible arm",
        lagrangian="adot**2 + bdot**2/2 + 0.3*cos(b)*adot*bdot + 2*cos(a) + J/2*(pdot**2 + rdot**2)"
        " - k*((a - p)**2 + (b - r)**2)/2"), {"k": 5.0, "J": 0.3}),
    "skate with forces": (nh.System(
        coordinates="th x y", parameters="m J", lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2", inputs="F T", name="skate",
        constraints=["ydot*cos(th) - xdot*sin(th)"], quasivelocities={"w": "thdot", "v": "xdot*cos(th) + ydot*sin(th)"},
        forces={"v": "F", "w": "T"}), {"m": 1.4, "J": 0.5}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_state_and_inputs_follow_from_the_outputs_along_a_motion(name: str) -> None:
    """Simulate with smooth inputs; difference the outputs in time; the maps give back the state and the inputs."""
    system, values = CASES[name]
    found = flatness(system)
    assert found.flat is True
    assert found.control is not None
    n, most = len(found.outputs), max(found.orders)
    laws = dict(zip(map(str, found.control.inputs), ("0.9 + 0.2*sin(t)", "0.4*cos(2*t)")))
    h, half = 0.02, 8
    times = 0.5 + h * np.arange(-half, half + 1)
    start = {"L": 1.4, "th": 0.3} if system is CRANE else {}
    run = nh.simulate(system, start, 1.0, values, inputs=laws, t_eval=times, rtol=1e-13, atol=1e-15)
    table = {se.Symbol(k): e for k, e in values.items()}
    flags = []
    for y, order in zip(found.outputs, found.orders):
        plain = y.xreplace(table)
        series = [float(plain.subs({s: run[str(s)][k] for s in plain.free_symbols}).n(53)) for k in range(len(times))]
        fit = np.polynomial.Polynomial.fit(times - 0.5, series, 12)
        flags.append([float(fit.deriv(d)(0.0)) if d else float(fit(0.0)) for d in range(order + 1)])
    _, reverse, _, _ = flag_functions(found, values)
    x, u = reverse(flags)
    assert n == len(flags)
    assert most >= 2
    assert x == pytest.approx([run[s][half] for s in found.control.names], rel=1e-4, abs=1e-5)
    assert u == pytest.approx([run[s][half] for s in laws], rel=2e-3, abs=1e-3)


@pytest.mark.slow
def test_python_control_plans_with_the_maps() -> None:
    """A lane change by flatsys; the found inputs drive the true system to the goal."""
    car = _car(0)
    plant = flatness(car).to_flatsys({"l": 0.8})
    plan = flatsys.point_to_point(plant, 3.0, [0, 0, 0, 0], [1.0, 0], [4.0, 1.0, 0, 0], [1.0, 0], basis=flatsys.PolyFamily(8))
    times = np.linspace(0, 3, 3001)  # inputs are linear between them
    _, given = plan.eval(times)
    tables = {n: (times, given[k]) for k, n in enumerate(("v", "w"))}
    run = nh.simulate(car, {}, 3.0, {"l": 0.8}, inputs=tables)
    assert [run.final[n] for n in ("x", "y", "th0", "phi")] == pytest.approx([4.0, 1.0, 0.0, 0.0], abs=2e-5)


def test_systems_that_are_not_flat_are_called_so() -> None:
    ball = next(k.system for k in KNOWN if k.name == "ball on a plate")
    assert flatness(ball).flat is False
    with pytest.raises(nh.ModelError, match="dimensions 2, 3, 5 where 2, 3, 4, 5"):
        chained_form(ball)
    assert flatness(CART_POLE).flat is False  # one input, and no static feedback linearises it
    damped = varied(CRANE, forces={**CRANE.forces, "th": "-L*thdot"})  # the rope's rate is no function of the load's
    assert flatness(damped).flat is None
    assert "does not give" in flatness(damped).why


def test_the_load_of_a_crane_and_the_centre_of_oscillation_of_an_aircraft_are_flat() -> None:
    """The outputs of Rathinam and Murray 1998, and of Martin, Devasia and Paden 1996, in closed form."""
    x, y, L, th, J, e, m = se.symbols("x y L th J e m")
    assert set(flatness(CRANE).outputs) == {x + L * se.sin(th), L * se.cos(th)}
    assert set(flatness(PVTOL).outputs) == {x - J * e / m * se.sin(th), y + J * e / m * se.cos(th)}


def test_a_crane_carries_its_load_along_a_curve_and_steering_begins_with_it() -> None:
    """Inputs from the flat maps alone lead the true crane along the wished curve of its load; a plan to rest takes few steps.

    What is left is the line between the inputs' nodes: with twice as many the error falls to a quarter.
    """
    values = {"M": 2.0, "m": 1.3, "J": 0.4, "g": 9.81}
    flat = flatness(CRANE)
    depth, along = "1.5 + 0.2*sin(t)", "0.5*t + 0.1*sin(2*t)"
    wished = [depth if e.has(se.cos(se.Symbol("th"))) else along for e in flat.outputs]
    errors = []
    for nodes in (61, 121):
        led = nh.control.track(flat, wished, 3.0, parameters=values, times=nodes)
        inputs = {n: (led.times, led.run[n]) for n in ("F", "T")}
        run = nh.simulate(CRANE, led.start, 3.0, values, inputs=inputs, t_eval=led.times)
        t, x, L, th = led.times, run["x"], run["L"], run["th"]
        gaps = [x + L * np.sin(th) - 0.5 * t - 0.1 * np.sin(2 * t), L * np.cos(th) - 1.5 - 0.2 * np.sin(t)]
        errors.append(float(np.max(np.abs(gaps))))
    assert 3.5 < errors[0] / errors[1] < 4.5
    assert errors[1] < 1e-3
    rest = dict.fromkeys(("th", "xdot", "Ldot", "thdot"), 0.0)
    found = nh.steer(CRANE, {"L": 1.5}, {"x": 2.0, "L": 2.2, **rest}, 3.0, parameters=values)
    assert found.began_by == "flat outputs"
    assert found.error < 1e-6


def test_tracking_follows_the_outputs_and_returns_to_them_after_a_push() -> None:
    car = _car(0)
    weights = {"Q": {"x": 4, "y": 9, "th0": 1}, "R": 0.2}
    wished = nh.control.track(flatness(car), ["2*t", "0.4*sin(t)"], 6.0, parameters={"l": 0.8}, **weights, times=161)
    assert wished.run["y"] == pytest.approx(0.4 * np.sin(wished.times), abs=1e-3)  # feedforward alone, from the exact start
    pushed = {**wished.start, "y": 0.15, "x": -0.1}
    free = nh.simulate(car, pushed, 6.0, {"l": 0.8}, inputs={n: (wished.times, wished.run[n]) for n in ("v", "w")})
    held = nh.simulate(car, pushed, 6.0, {"l": 0.8}, inputs=wished.inputs)
    goal = np.array([12.0, 0.4 * np.sin(6.0)])
    gaps = [np.linalg.norm(np.array([run.final["x"], run.final["y"]]) - goal) for run in (free, held)]
    assert gaps[1] < 0.01 < 0.1 < gaps[0]
