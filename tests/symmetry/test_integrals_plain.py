"""Integrals of systems nobody prepared, in plain text: the published ones are found, and nothing false is claimed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import symengine
from numpy.typing import NDArray

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states
from nonholo.finding import Finding, LinearMomenta, is_energy
from nonholo.notation.read import expression
from nonholo.symmetry.exact.modular_states import exact_states, motion_of
from nonholo.symmetry.group.symmetry_group import group_of_motion
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from tests.symmetry import workshop
from tests.symmetry.plain_systems import CASES, Case

FOLDER = Path(__file__).parents[1] / "plain"
SLEIGH_K = "sqrt(m*a**2/(J + m*a**2))"
BLADE = "(xdot*cos(theta) + ydot*sin(theta))"
SPACE = [f"(R{i}1*w1 + R{i}2*w2 + R{i}3*w3)" for i in (1, 2, 3)]
FILES: dict[str, Case] = {
    "sleigh": Case(
        "Carathéodory 1933",
        {},
        (
            f"{BLADE}*cos({SLEIGH_K}*theta) - a/{SLEIGH_K}*thetadot*sin({SLEIGH_K}*theta)",
            f"{BLADE}*sin({SLEIGH_K}*theta) + a/{SLEIGH_K}*thetadot*cos({SLEIGH_K}*theta)",
        ),
    ),
    "two-sliders": Case("", {}),
    "twistcar": Case("", {}, momenta=2),
    "driven-rotor": Case("the input does work and pushes the rotor's momentum", {}, energy=False),
    "sleigh-turntable": Case(
        "Fassò and Sansonetto 2015",
        {},
        (
            "J*thetadot**2/2 + m*((a*thetadot*cos(theta) + ydot)**2 + (xdot - a*thetadot*sin(theta))**2)/2"
            " - W*(J*thetadot + m*((x + a*cos(theta))*(ydot + a*thetadot*cos(theta))"
            " - (y + a*sin(theta))*(xdot - a*thetadot*sin(theta))))",
        ),
        energy=False,
    ),
    "skate-sphere": Case("", {}, ("psidot + phdot*cos(th)",)),
    "contact-oscillator": Case("", {}, ("(y**2 + ydot**2)/2",)),
    "parallel-points-spring": Case(
        "Benenti 2008",
        {},
        (
            "(m1*x1dot + m2*x2dot)**2 + (m1*y1dot + m2*y2dot)**2",
            "m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2) + k*((x1 - x2)**2 + (y1 - y2)**2)",
        ),
    ),
    "ball-on-sphere": Case(
        "Routh 1884",
        {},
        (
            f"{SPACE[0]}*cos(ph)*sin(th) + {SPACE[1]}*sin(ph)*sin(th) + {SPACE[2]}*cos(th)",
            f"I*{SPACE[2]} + a*m*(a + b)*phdot*sin(th)**2",
        ),
    ),
    "paraboloid": Case("Routh 1884", {}, momenta=2),
    "rotating-paraboloid": Case(
        "Fassò and Sansonetto 2016",
        {},
        (
            "I*(w1**2 + w2**2 + w3**2)/2 + m*((k*x*xdot + k*y*ydot)**2 + xdot**2 + ydot**2)/2 + g*k*m*(x**2 + y**2)/2"
            " - W*(I*w3 + m*(x*ydot - y*xdot))",
        ),
        energy=False,
    ),
    "suslov-tisserand": Case(
        "Kozlov 1985; Okuneva 1986: a quadratic potential",
        {},
        ("A*w1**2 + (b2 - b3)*R32**2", "B*w2**2 + (b1 - b3)*R31**2"),
    ),
    "veselova-gyrostat": Case(
        "Veselov and Veselova 1988, with a rotor: the horizontal momentum in space",
        {},
        (
            "(q0**2 + q1**2 - q2**2 - q3**2)*(A*w1 + h1) + 2*(q1*q2 - q0*q3)*(B*w2 + h2) + 2*(q1*q3 + q0*q2)*(C*w3 + h3)",
            "2*(q1*q2 + q0*q3)*(A*w1 + h1) + (q0**2 - q1**2 + q2**2 - q3**2)*(B*w2 + h2) + 2*(q2*q3 - q0*q1)*(C*w3 + h3)",
        ),
    ),
    "heisenberg-trap": Case("Bloch 2003: the area's rate on the Heisenberg group in a round potential", {}, ("zdot",)),
    "particle-exponential": Case("Bates and Śniatycki 1993, another coefficient", {}, ("ydot", "xdot*sqrt(1 + exp(2*y))")),
    "cylinder-holonomic": Case(
        "Neimark and Fufaev 1972, the cylinder turning", {}, ("w3", "r*w3*z - W*z*(b + r) - r*w1*x - r*w2*y")
    ),
    "routh-rotor": Case(
        "Routh 1884, with a rotor on the axis: Jellett's integral", {},
        ("sdot + w3", "A*r*(R31*w1 + R32*w2) + (C*w3 + K*(w3 + sdot))*r*R33 + C*a*w3"),
    ),
    "skateboard": Case("Kremnev and Kuleshov 2008", {}, momenta=1),
    "skate-river": Case("", {}, ("thdot",), energy=False),
    "skate-wind": Case("", {}, ("phidot",), energy=False),
    "dumbbell-blades": Case("", {}, ("b1dot", "b2dot")),
    "cart-side-pendulum": Case("", {}, ("2*a*d + r*left - r*right",)),
    "charged-sleigh": Case("", {}),
    "disc-bead": Case("", {}),
    "trident-snake": Case("", {}),
    "water-sleigh": Case("Fedorov and García-Naranjo 2010", {}),
    "roller-racer-rotor": Case("Krishnaprasad and Tsakiris 2001, with a rotor: its momentum", {}, ("psidot + thdot",), momenta=2),
    "tricycle-trailers": Case("", {}, ("dedot + th0dot",)),
    "sleigh-rotor-mass": Case("Borisov and Mamaev 2015, with a rotor: its momentum", {}, ("psidot + thdot",)),
    "ball-vibrating-plane": Case(
        "Routh 1884: a homogeneous ball rolls evenly, whatever the plane does up and down",
        {},
        ("xdot", "ydot", "R31*w1 + R32*w2 + R33*w3", "w1**2 + w2**2 + w3**2"),
        energy=False,
    ),
    "blade-turntable-spring": Case(
        "Fassò and Sansonetto 2015: the moving energy",
        {},
        ("thdot", "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + k*(x**2 + y**2)/2 - W*(m*(x*ydot - y*xdot) + J*thdot)"),
        energy=False,
    ),
    "rubber-gyrostat": Case(
        "Borisov, Mamaev and Bizyaev 2013: the horizontal momentum about the contact, with a gyrostat",
        {},
        (
            "R11*(A*w1 + h1) + R12*B*w2 + R13*(C*w3 + h3) - m*r*ydot",
            "R21*(A*w1 + h1) + R22*B*w2 + R23*(C*w3 + h3) + m*r*xdot",
        ),
    ),
    "two-balls-spring": Case(
        "rolling adds I/r² to a ball's mass: momentum and angular momentum of two of them",
        {},
        (
            "A31*a1 + A32*a2 + A33*a3",
            "B31*b1 + B32*b2 + B33*b3",
            "(m1 + I1/r**2)*x1dot + (m2 + I2/s**2)*x2dot",
            "(m1 + I1/r**2)*y1dot + (m2 + I2/s**2)*y2dot",
            "(m1 + I1/r**2)*(x1*y1dot - y1*x1dot) + (m2 + I2/s**2)*(x2*y2dot - y2*x2dot)",
        ),
    ),
    "hoop-bead": Case(
        "a holonomic constraint in disguise", {}, ("x - R*phi", "(M + J/R**2 + m)*xdot + m*R*sdot*cos(s)")
    ),
    "heisenberg-magnetic": Case(
        "by hand: zdot + B/m log(4 + x² + y²), which is no combination of simple functions", {}, momenta=1
    ),
    "pursuit": Case("the reaction acts on the dog alone", {}, ("Xdot", "Ydot", "Xdot*Y - X*Ydot")),
    "cart-arm": Case("", {}, ("2*c*heading + rho*wl - rho*wr",)),
    **workshop.KNOWN,
}
QUICK = {
    "sleigh", "contact-oscillator", "driven-rotor", "skate-sphere", "Suslov, Kozlov's case", "figure skater on an incline",
    "nonholonomic particle", "disk on a turntable", "a driven cart", "steady speed under gravity", "Appell's machine",
    "ball-two-planes",
    "two parallel points on an incline", "ball in a vertical cylinder", "Suslov, Kharlamova's case", "Veselova",
}  # fmt: skip
"""The others take a second or more each and are run with the slow tests."""
NAMES = [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in (*FILES, *CASES)]


def case_of(name: str) -> Case:
    return FILES[name] if name in FILES else CASES[name]


@lru_cache
def system_of(name: str) -> nh.System:
    return nh.load(FOLDER / f"{name}.toml") if name in FILES else CASES[name].system()


@lru_cache
def found(name: str) -> tuple[Finding, ...]:
    return nh.integrals(system_of(name), parameters=case_of(name).parameters or None)


def claimed(name: str) -> list[Finding]:
    return [f for f in found(name) if f and f.expression is not None]


def places(name: str, parameters: dict[str, float], count: int) -> list[dict[str, float]]:
    system = system_of(name)
    return [{**s.parameters, **s.values} for s in random_states(system, parameters, count, seed=31)]


def values(quantity: Any, spots: list[dict[str, float]]) -> NDArray[np.float64]:
    if isinstance(quantity, NumericMomentum):
        return np.array([quantity.evaluate(s) for s in spots])
    return np.array([evaluate([quantity], s)[0] for s in spots])


def distance(columns: list[NDArray[np.float64]], quantity: NDArray[np.float64]) -> float:
    """How far a quantity is from the combinations of the columns and of their products in pairs."""
    whole = [np.ones(len(quantity)), *columns]
    whole += [a * b for k, a in enumerate(columns) for b in columns[k:]]
    matrix = np.column_stack([c / max(1e-9, float(np.max(np.abs(c)))) for c in whole])
    rest = quantity - matrix @ np.linalg.lstsq(matrix, quantity, rcond=1e-11)[0]
    return float(np.max(np.abs(rest)) / np.max(np.abs(quantity)))


def follows(system: nh.System, found: list[Any], quantity: Any, spot: dict[str, float]) -> bool:
    """Whether the slopes of a quantity follow from those of the integrals and of the relations between states."""
    held = [*system.frame.relations, *system.holonomic, *(symengine.sympify(e) for e in system.constraints)]
    names = [symengine.Symbol(n) for n in (*system.coordinates, *system.velocities)]
    rows = np.array([evaluate([e.diff(s) for s in names], spot) for e in (*held, *found, quantity)])
    rows = rows / np.maximum(1e-9, np.max(np.abs(rows), axis=1))[:, None]
    return bool(np.linalg.matrix_rank(rows, tol=1e-8) == np.linalg.matrix_rank(rows[:-1], tol=1e-8))


@pytest.mark.parametrize("name", NAMES)
def test_what_the_literature_knows_is_found_and_proved(name: str) -> None:
    """A known integral is a polynomial in those found, or at least a function of them: lists of integrals are minimal."""
    case, system = case_of(name), system_of(name)
    holding = claimed(name)
    assert bool(holding and is_energy(holding[0])) == case.energy
    exact = [f for f in holding if not isinstance(f.expression, NumericMomentum)]
    assert all(f.proved for f in exact)
    parameters = run_parameters(system, case.parameters or None)
    spots = places(name, parameters, 150)
    columns = [values(f.expression, spots) for f in exact]
    names = {*system.coordinates, *system.velocities, *system.parameters}
    for text in (*case.known, *case.special):
        known = expression(text, sorted(names), text)
        near = distance(columns, values(known, spots)) < 1e-9
        assert near or all(follows(system, [f.expression for f in exact], known, s) for s in spots[:3]), text
    if not case.special:
        # a wrong quantity is not found: the tolerance is no accident
        wrong = sum((k + 1) ** 2 * symengine.Symbol(n) ** 2 for k, n in enumerate((*system.coordinates, *system.velocities)))
        assert not follows(system, [f.expression for f in exact], wrong, spots[0])
        wrong = np.random.default_rng(1).uniform(-1, 1, len(spots))
        assert distance(columns, wrong) > 1e-2
    linear = [f for f in holding if "momentum" in f.method]
    assert len(linear) >= case.momenta


def _elsewhere(momentum: NumericMomentum, run: nh.Trajectory) -> bool:
    """Whether a motion has other parameters than those that it was found for, or passes a singular value of the variable."""
    fixed = momentum.ode.values
    if fixed is not None and any(run.parameters[n] != fixed[n] for n in fixed):
        return True
    return not np.all(np.isfinite(momentum.along(run)))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_false_is_claimed(name: str) -> None:
    """Every claim holds along a motion by multipliers from another state, and with other parameters when it says for all."""
    case, system = case_of(name), system_of(name)
    own = run_parameters(system, case.parameters or None)
    factors = np.random.default_rng(7).uniform(0.7, 1.4, len(own))
    other = {n: v * f for (n, v), f in zip(own.items(), factors)}
    for parameters in (own, other):
        general = [f for f in claimed(name) if parameters is own or "these values" not in f.claim]
        state = next(iter(random_states(system, parameters, 1, seed=17))).values
        start = {n: state[n] for n in (*system.coordinates, *system.velocities)}
        run = nh.simulate(system, start, 0.7, parameters, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers")
        assert len(run.data["t"]) > 1
        for finding in general:
            if isinstance(finding.expression, NumericMomentum) and _elsewhere(finding.expression, run):
                continue  # it says on which interval, and for which parameters, it is known
            assert finding.drift(run) < 1e-9, finding.claim
    run = nh.simulate(system, None, 0.7, own, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers") if system.start else None  # type: ignore[assignment]
    for finding in claimed(name):
        if run is not None and isinstance(finding.expression, NumericMomentum):
            assert not _elsewhere(finding.expression, run) and finding.drift(run) < 1e-9, finding.claim
    for finding in found(name):
        counted = isinstance(finding.data, LinearMomenta)  # how many there are, found as formulas or not
        assert finding.verdict != "holds" or finding.expression is not None or (counted and finding.exact)


@pytest.mark.parametrize("name", ["skateboard", pytest.param("rubber-spheroid", marks=pytest.mark.slow)])
def test_what_the_reduction_says_is_conserved_is_no_momentum_that_integrals_deny(name: str) -> None:
    """Kremnev and Kuleshov 2008; Borisov and Mamaev 2008: one momentum, linear in itself and in the shape's rate."""
    system = nh.load(FOLDER / f"{name}.toml")
    assert any("all momenta of S are conserved" in f.claim for f in nh.reduce(system).findings if f)
    answers = nh.integrals(system)
    assert not [f for f in answers if f.verdict == "fails" and f.claim.startswith("there is a momentum")]
    (momentum,) = [f for f in answers if f and "gauge momentum" in f.method]
    state = next(iter(random_states(system, dict(system.parameters), 1, seed=17))).values
    start = {n: state[n] for n in (*system.coordinates, *system.velocities)}
    run = nh.simulate(system, start, 0.7, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers")
    assert momentum.drift(run) < 1e-9
    assert np.ptp(run[system.velocities[-1]]) > 1e-3


@pytest.mark.parametrize("text", [None, "sqrt(x**2 + y**2)"])
def test_a_charge_on_the_heisenberg_group_keeps_the_momentum_computed_by_hand(text: str | None) -> None:
    """``m z̈ (2 + r²/2) = −B (r²/2)˙``: it was not found, since the constant function was counted as a momentum."""
    system = nh.load(FOLDER / "heisenberg-magnetic.toml")
    (momentum,) = [f for f in nh.integrals(system, depends_on=text) if f and "gauge momentum" in f.method]
    m, B = system.parameters["m"], system.parameters["B"]
    spots = [{**s.parameters, **s.values} for s in random_states(system, dict(system.parameters), 12, seed=31)]
    by_hand = np.array([s["zdot"] + B / m * np.log(4 + s["x"] ** 2 + s["y"] ** 2) for s in spots])
    assert distance([values(momentum.expression, spots)], by_hand) < 1e-9


def test_a_constant_of_the_configuration_times_an_integral_is_nothing_new() -> None:
    """x − Rφ, the momentum and the energy are all there is: their products are not told."""
    assert len([f for f in nh.integrals(nh.load(FOLDER / "hoop-bead.toml")) if f]) == 3


def test_points_on_holonomic_constraints_keep_rotations_rotations() -> None:
    """A body of revolution whose height is tied to its tilt turns about its axis, whatever coordinate comes first."""
    system = nh.load(FOLDER / "rubber-spheroid.toml")
    motion = motion_of(system)
    assert "R_spin3" in group_of_motion(motion).plain
    states = exact_states(motion, 12, 3)
    for e in (*system.frame.relations, *system.holonomic):
        assert not np.any(states.value(e)[states.good])


def test_a_driven_momentum_is_told_to_be_pushed_and_not_claimed() -> None:
    pushed = [f for f in found("driven-rotor") if "the inputs tau change it" in f.evidence]
    assert [f.verdict for f in pushed] == ["fails"] and pushed[0].proved
    assert not claimed("driven-rotor")


def test_without_a_law_of_the_input_the_claim_says_when_it_holds() -> None:
    cart = nh.System(
        coordinates="x y theta",
        parameters="m J",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2",
        constraints=["xdot*sin(theta) - ydot*cos(theta)"],
        forces={"theta": "tau"},
        inputs="tau",
    )
    claims = [f.claim for f in nh.integrals(cart) if f]
    assert "J*thetadot is constant when the inputs are zero" in claims
    assert "xdot*cos(theta) + ydot*sin(theta) is constant" in claims


def test_integrals_of_higher_degree_on_request() -> None:
    """The 1:3 oscillator has an integral of third degree besides its two energies, and no more can be [Jauch and Hill 1940]."""
    oscillator = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - (x**2 + 9*y**2)/2", constraints=[])
    plain = [f for f in nh.integrals(oscillator) if f]
    higher = [f for f in nh.integrals(oscillator, degree=4) if f]
    assert len(higher) == 3 and len(plain) == 2
    assert higher[-1].proved and higher[-1].method.startswith("integral of degree 3")


def test_the_same_answer_every_time() -> None:
    first, second = (nh.integrals(system_of("sleigh")) for _ in range(2))
    assert [str(f) for f in first] == [str(f) for f in second]


def test_constants_have_names() -> None:
    claims = [f.claim for f in found("sleigh")]
    assert any("k*theta" in c and "k**2 = a**2*m/(J + a**2*m)" in c for c in claims)


def test_what_was_tried_is_told() -> None:
    steady = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**2*y", constraints=["xdot**2 + ydot**2 - 1"], parameters={}
    )
    last = nh.integrals(steady)[-1]
    assert last.verdict == "unknown" and "degree 2" in last.evidence


def test_the_page_of_theorems_says_what_the_tables_say() -> None:
    from tests.symmetry.theorems import PAGE, page

    assert PAGE.read_text(encoding="utf-8") == page()
    proved = sum(len(case.known) + len(case.special) for case in (*FILES.values(), *CASES.values()))
    assert proved >= 45
