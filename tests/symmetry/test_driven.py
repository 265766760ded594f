"""Inputs that stand in constraints and do whatever they like: reduction, its motions under laws, integrals."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.finding import FirstIntegral

SLEIGH = "m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2"
BODY = {"m": 1.3, "J": 0.7, "a": 0.3}


def pushed() -> nh.System:
    """A sleigh whose blade slides sideways with the speed u."""
    return nh.System(name="pushed sleigh", coordinates="x y th", parameters="m J a", inputs="u", lagrangian=SLEIGH,
                     constraints=["xdot*sin(th) - ydot*cos(th) - u"])  # fmt: skip


def steered() -> nh.System:
    """A sleigh whose blade is turned by the angle u against the body."""
    return nh.System(name="steered sleigh", coordinates="x y th", parameters="m J a", inputs="u", lagrangian=SLEIGH,
                     constraints=["xdot*sin(th + u) - ydot*cos(th + u)"])  # fmt: skip


def car() -> nh.System:
    """A car whose front wheels are turned by hand, with a wheel on top that a force f turns."""
    return nh.System(
        name="car steered by hand", coordinates="x y th phi", parameters="m J a l", inputs="u f",
        lagrangian=SLEIGH + " + m*phidot**2/7", forces={"phi": "f"},
        constraints=["xdot*sin(th) - ydot*cos(th)", "xdot*sin(th + u) - ydot*cos(th + u) - l*thdot*cos(u)"],
    )  # fmt: skip


def table() -> nh.System:
    """A homogeneous ball on a table that somebody turns with the speed om."""
    return nh.System(
        name="ball on a driven table", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), parameters="m I r", inputs="om",
        lagrangian="m/2*(xdot**2 + ydot**2) + I/2*(w1**2 + w2**2 + w3**2)",
        constraints=["xdot - r*(R21*w1 + R22*w2 + R23*w3) + om*y", "ydot + r*(R11*w1 + R12*w2 + R13*w3) - om*x"],
    )  # fmt: skip


def written() -> nh.System:
    """The pushed sleigh by its velocities."""
    velocities = {"xdot": "v*cos(th) + u*sin(th)", "ydot": "v*sin(th) - u*cos(th)", "thdot": "om"}
    return nh.System(name="pushed by parameters", coordinates="x y th", parameters="m J a", inputs="u", lagrangian=SLEIGH,
                     parametric=("v om", velocities))  # fmt: skip


def belt() -> nh.System:
    """A skate on a belt that runs with the speed w."""
    return nh.System(name="skate on a belt", coordinates="x y th", parameters="m J", inputs="w",
                     lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
                     constraints=["(xdot - w)*sin(th) - ydot*cos(th)"])  # fmt: skip


def snakeboard() -> nh.System:
    """Wheels turned by hand to and fro, a rotor by a motor [Lewis, Ostrowski, Murray and Burdick 1994]."""
    return nh.System(
        name="snakeboard by hand", coordinates="x y th psi", parameters="m J Jr l", inputs="phi tau", forces={"psi": "tau"},
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + Jr/2*(thdot + psidot)**2",
        constraints=["-xdot*sin(th + phi) + ydot*cos(th + phi) - l*thdot*cos(phi)",
                     "-xdot*sin(th - phi) + ydot*cos(th - phi) + l*thdot*cos(phi)"],
    )  # fmt: skip


def winch() -> nh.System:
    """An upright disc whose radius somebody changes."""
    return nh.System(name="disc of changing radius", coordinates="x y th ph", parameters="m I J", inputs="rho",
                     lagrangian="m/2*(xdot**2 + ydot**2) + I/2*phdot**2 + J/2*thdot**2",
                     constraints=["xdot - rho*phdot*cos(th)", "ydot - rho*phdot*sin(th)"])  # fmt: skip


def drives() -> nh.System:
    """Two inputs, one of them in two constraints and in a slope."""
    return nh.System(name="two drives", coordinates="x y z th", parameters="m J g", inputs="u v",
                     lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) + J/2*thdot**2 - m*g*z",
                     constraints=["zdot - u*xdot - v", "xdot*sin(th) - ydot*cos(th) - u"])  # fmt: skip


def carriage() -> nh.System:
    """A pendulum in Cartesian coordinates on a carriage that is driven."""
    return nh.System(name="carriage", coordinates="x y s", parameters="m M l g", inputs="u",
                     holonomic=["(x - s)**2 + y**2 - l**2"], constraints=["sdot - u"],
                     lagrangian="m/2*(xdot**2 + ydot**2) + M/2*sdot**2 - m*g*y")  # fmt: skip


START = {"thdot": 1.0, "xdot": 0.4, "th": 0.3}
CASES = {
    "pushed": (pushed, BODY, START, "0.2*th + 0.1*t"),
    "steered": (steered, BODY, START, "0.2*th + 0.1*t"),
    "car": (car, {**BODY, "l": 0.8}, {"xdot": 0.4, "th": 0.3, "phidot": 0.3}, "0.2*sin(th)"),
    "table": (table, {"m": 1.2, "I": 0.5, "r": 0.7}, {"x": 0.4, "y": 0.2, "w1": 0.3, "w2": -0.2, "w3": 0.8}, "0.3*cos(x)"),
    "written": (written, BODY, {"v": 0.3, "om": 0.7}, "0.1*t**2"),
    "belt": (belt, {"m": 1.4, "J": 0.5}, {"th": 0.4, "thdot": 0.9, "xdot": 0.3}, "0.2 + 0.1*y"),
    "snakeboard": (snakeboard, {"m": 2.0, "J": 0.4, "Jr": 0.3, "l": 0.6}, {"th": 0.2, "psidot": 0.5}, "0.3 + 0.2*sin(2*t)"),
    "winch": (winch, {"m": 1.1, "I": 0.3, "J": 0.2}, {"th": 0.3, "thdot": 0.7, "phdot": 1.1}, "0.4 + 0.1*cos(ph)"),
    "drives": (drives, {"m": 1.1, "J": 0.2, "g": 2.0}, {"th": 0.3, "thdot": 0.7, "xdot": 0.2}, "0.1*x + 0.2*t"),
    "carriage": (carriage, {"m": 1.0, "M": 2.0, "l": 1.0, "g": 3.0}, {"x": 0.3, "s": 0.0, "y": "~-1"}, "0.3*sin(t)"),
}
OTHERS = {"car": {"f": "0.3*cos(t)"}, "snakeboard": {"tau": "0.4*cos(t)"}, "drives": {"v": "sin(t)"}}
QUICK = ("pushed", "steered")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in CASES])
def test_the_reduced_motion_under_a_law_is_that_of_the_whole_system(name: str) -> None:
    """Laws of time, of the configuration, and a number; the whole motion has the law put into its constraints."""
    make, parameters, start, own = CASES[name]
    system = make()
    reduced = nh.reduce(system)
    for law in (own, "0.2*cos(2*t)*exp(-t/3)", 0.25):
        inputs = {**OTHERS.get(name, {}), next(iter(system.inputs)): law}
        words = {"until": 2.0, "parameters": parameters, "inputs": inputs, "rtol": 1e-12, "atol": 1e-13, "t_eval": 9}
        one, other = reduced.simulate(start, **words), nh.simulate(system, start, **words)
        shared = (*system.coordinates, *system.velocities)
        assert max(np.max(np.abs(one[n] - other[n])) for n in shared) < 1e-9


def test_the_momentum_equation_is_that_of_the_multipliers() -> None:
    """``ṗ`` of the pushed sleigh by accelerations of the multiplier form, where ``u`` is a formula: two derivations."""
    reduced = nh.reduce(pushed())
    law = nh.System(name="law", coordinates="x y th", parameters="m J a", lagrangian=SLEIGH,
                    constraints=["xdot*sin(th) - ydot*cos(th) - (0.4 + 0.9*t)"])  # fmt: skip
    witness = nh.multipliers(law)
    for state in random_states(law, BODY, 4, seed=3):
        place = {n: state.values[n] for n in ("x", "y", "th", "xdot", "ydot", "thdot")} | {"t": state.values["t"]}
        rates = witness.rates(place, BODY)
        th, turn = place["th"], place["thdot"]
        m, J, a = (BODY[n] for n in "mJa")
        # the momenta along the blade and about its point, and their rates by the product rule
        along = place["xdot"] * np.cos(th) + place["ydot"] * np.sin(th)
        u = 0.4 + 0.9 * place["t"]
        pull = rates["xdot"] * np.cos(th) + rates["ydot"] * np.sin(th) + turn * (-u)
        p = {"p1": m * along, "p2": (J + m * a**2) * turn - m * a * u}
        dots = {"p1": m * pull, "p2": (J + m * a**2) * rates["thdot"] - 0.9 * m * a}
        for name, equation in reduced.momentum_equation.items():
            value = float(nh.algebra.linear_equations.evaluate([equation], {**p, "u": u, "u_rate": 0.9, **BODY})[0])
            assert value == pytest.approx(dots[name], rel=1e-9, abs=1e-9)


def test_a_law_of_velocities_or_a_function_is_refused_with_the_reason() -> None:
    reduced = nh.reduce(pushed())
    with pytest.raises(nh.StateError, match="would follow thdot"):
        reduced.simulate(START, 1.0, BODY, inputs={"u": "0.2*thdot"})
    with pytest.raises(nh.StateError, match="rate of a function"):
        reduced.simulate(START, 1.0, BODY, inputs={"u": lambda t: 0.2 * t})


def test_an_input_of_which_nothing_is_said_is_zero_in_the_reduced_motion() -> None:
    reduced, full = nh.reduce(pushed()).simulate(START, 1.0, BODY), nh.simulate(pushed(), START, 1.0, BODY, inputs={"u": 0.0})
    assert all(abs(reduced.final[n] - full.final[n]) < 1e-7 for n in ("x", "y", "th"))


def test_a_number_in_a_constraint_survives_a_change_of_speeds() -> None:
    """The blade turns through every direction, so that speeds are chosen anew, with the input where it is."""
    number = nh.simulate(steered(), START, 3.0, BODY, inputs={"u": 0.25}, rtol=1e-11, atol=1e-12)
    formula = nh.simulate(steered(), START, 3.0, BODY, inputs={"u": "0.25 + 0*t"}, rtol=1e-11, atol=1e-12)
    assert number.frames > 1
    assert all(abs(number.final[n] - formula.final[n]) < 1e-9 for n in ("x", "y", "th"))


def claims(system: nh.System) -> dict[str, nh.Finding]:
    return {f.claim: f for f in nh.integrals(system)}


def test_a_point_on_a_driven_surface() -> None:
    """``ẏ = x ẋ + u``: with ``s = x + x³/3`` the momentum ``(1 + x²)^½ ẋ + …`` is constant while u is; energy when it is zero."""
    point = nh.System(name="point", coordinates="x y", inputs="u", lagrangian="(xdot**2 + ydot**2)/2",
                      constraints=["ydot - x*xdot - u"])  # fmt: skip
    found = claims(point)
    resting = [f for c, f in found.items() if c.endswith("while u is constant")]
    assert not found["the energy is not constant"] and resting and all(f.proved for f in resting)
    run = nh.simulate(point, {"x": 0.3, "xdot": 0.7}, 2.0, inputs={"u": 0.4}, rtol=1e-12, atol=1e-13)
    other = nh.simulate(point, {"x": 0.3, "xdot": 0.7}, 2.0, inputs={"u": "0.4*cos(t)"}, rtol=1e-12, atol=1e-13)
    assert all(f.drift(run) < 1e-9 < 1e-3 < f.drift(other) for f in resting)


@pytest.mark.slow
def test_what_is_constant_is_so_whatever_the_input_does_or_while_it_rests() -> None:
    """The blade does no work however it is turned; pushed sideways it does, and a quantity is left while the push is constant."""
    by_hand = claims(steered())
    energy = next(f for c, f in by_hand.items() if c.startswith("the energy"))
    assert energy.proved and energy.claim.endswith("is constant")
    law = {"u": "0.5*sin(3*t)"}
    run = nh.simulate(steered(), START, 3.0, BODY, inputs=law, rtol=1e-12, atol=1e-13)
    assert energy.drift(run) < 1e-9
    sideways = claims(pushed())
    assert not sideways["the energy is not constant"]
    resting = [f for c, f in sideways.items() if c.endswith("while u is constant") and f.proved]
    assert resting and any(c.startswith("the energy") and c.endswith("when the inputs are zero") for c in sideways)
    steady = nh.simulate(pushed(), START, 3.0, BODY, inputs={"u": 0.4}, rtol=1e-12, atol=1e-13)
    moving = nh.simulate(pushed(), START, 3.0, BODY, inputs=law, rtol=1e-12, atol=1e-13)
    assert all(f.drift(steady) < 1e-9 < 1e-3 < f.drift(moving) for f in resting)
    assert not any("udot" in c or "u_rate" in c for c in sideways)


@pytest.mark.slow
def test_a_ball_on_a_table_keeps_its_momentum_about_the_contact_however_the_table_turns() -> None:
    """Three integrals linear in the velocities for any speed of the table; a fourth while it is constant."""
    found = claims(table())
    always = [f for c, f in found.items() if c.endswith("is constant") and " while " not in c and f.proved]
    steady = [f for c, f in found.items() if c.endswith("while om is constant") and f.proved]
    assert len(always) == 3 and steady
    _, parameters, start, _ = CASES["table"]
    run = nh.simulate(table(), start, 3.0, parameters, inputs={"om": "0.5*sin(3*t) + x/5"}, rtol=1e-12, atol=1e-13)
    assert max(f.drift(run) for f in always) < 1e-9
    assert all(f.drift(run) > 1e-3 for f in steady)


def test_a_law_in_the_system_is_part_of_its_constraints() -> None:
    """The same sleigh with a law of its own: the search was a KeyError, and sees the explicit time now."""
    told = nh.System(name="pushed", coordinates="x y th", parameters="m J a", inputs={"u": "0.3*sin(t)"}, lagrangian=SLEIGH,
                     constraints=["xdot*sin(th) - ydot*cos(th) - u"])  # fmt: skip
    assert not any(f.proved for f in nh.integrals(told))
    assert "open" in str(nh.verdict(told))


@pytest.mark.slow
def test_a_skate_on_a_belt_has_a_moving_energy_while_the_belt_runs_evenly() -> None:
    """``E − w p_x`` [Fassò and Sansonetto 2015]: constant under w = 0.3, not when w changes; ``θ̇`` whatever it does."""
    found = claims(belt())
    moving = next(f for c, f in found.items() if c.endswith("while w is constant") and "xdot**2" in c)
    start, parameters = CASES["belt"][2], CASES["belt"][1]
    even, uneven = (
        nh.simulate(belt(), start, 3.0, parameters, inputs={"w": law}, rtol=1e-12, atol=1e-13) for law in (0.3, "0.3*cos(2*t)")
    )
    own = even["energy"] - 0.3 * parameters["m"] * even["xdot"]
    assert np.max(np.abs(own - own[0])) < 1e-9 and moving.proved and moving.drift(even) < 1e-9 < 1e-3 < moving.drift(uneven)
    assert found["thdot is constant"].drift(uneven) < 1e-12


@pytest.mark.parametrize(("law", "constant"), [("0", True), ("sin(t)", False), ("-xdot", False)])
def test_what_an_input_pushes_is_judged_by_what_the_input_does(law: str, constant: bool) -> None:
    """A law that is zero pushes nothing: ``xdot`` was called not constant, proved."""
    system = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - y**2/2", inputs={"u": law}, forces={"x": "u"}
    )  # fmt: skip
    found = {f.data.formula: f for f in nh.integrals(system) if isinstance(f.data, FirstIntegral)}
    assert bool(found["xdot"]) is constant and found["xdot"].proved
    assert all(bool(f) is constant for f in found.values() if f.data.energy)


def test_a_law_that_is_a_number_is_one() -> None:
    """A constant force, and a blade that slides sideways at a constant speed."""
    cart = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", forces={"x": "f"}, inputs={"f": 0.4})
    verdicts = {f.data.formula: f.verdict for f in nh.verdict(cart).findings if isinstance(f.data, FirstIntegral)}
    assert verdicts["ydot"] == "holds" and verdicts["xdot"] == "fails"
    held = nh.System(
        coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2", constraints=["xdot*sin(th) - ydot*cos(th) - u"],
        inputs={"u": 0.3},
    )  # fmt: skip
    assert nh.conserved(held, "thdot").proved


def test_numbers_of_inputs_in_constraints_are_not_rounded() -> None:
    """0.35 · 0.4 is 7/50."""
    system = nh.System(
        coordinates="x y", lagrangian="(0.35*xdot**2 + ydot**2)/2", constraints=["ydot - 0.35*u*xdot"], forces={"x": "u"},
        inputs={"u": 0.4},
    )  # fmt: skip
    held = [f.claim for f in nh.integrals(system) if f]
    assert held == ["7*x - 50*y is constant", "20*ydot**2 + 7*xdot**2 - 16*x is constant"]
