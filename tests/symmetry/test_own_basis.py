"""One's own basis of S, complement and connection, on systems of no gallery, against Lagrange's equations with multipliers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.calculus import symbols
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.derive.laws.check import random_states
from nonholo.symmetry.reduction.reduced_equations import speeds_of

TROLLEY = nh.System(
    name="trolley with an arm", coordinates="x y th be", parameters="m J a i",
    lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2 + i/2*(thdot + bedot)**2"
    " + m*bedot*(xdot*cos(th) + ydot*sin(th))*sin(be)/3 - cos(be)",
    constraints=["ydot*cos(th) - xdot*sin(th) + bedot/3*cos(be)"], symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip
"""SE(2), one shape variable, two momenta and one direction across."""
CARRIAGE = nh.System(
    name="carriage over two shapes", coordinates="r s x y z", parameters="k",
    lagrangian="(rdot**2 + (1 + r**2)*sdot**2 + xdot**2 + 2*ydot**2 + zdot**2)/2 + k*rdot*xdot*s/5 - sin(r)*s",
    constraints=["zdot - (r + s**2)*xdot - s*rdot + r*sdot/2"], symmetry=nh.translation("x", "y", "z"),
)  # fmt: skip
"""R³, two shape variables, two momenta; the constraint moves the group with the shape."""
ROTOR = nh.System(
    name="body with a rotor and a spring", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("r"), parameters="A B C j",
    lagrangian="(A*w1**2 + B*w2**2 + (C + r**2)*w3**2 + 2*j*w1*rdot + rdot**2 + 2*w2*w3*r)/2 - r**2/2",
    symmetry=nh.Symmetry({
        "turn_1": {"R21": "-R31", "R31": "R21", "R22": "-R32", "R32": "R22", "R23": "-R33", "R33": "R23"},
        "turn_2": {"R31": "-R11", "R11": "R31", "R32": "-R12", "R12": "R32", "R33": "-R13", "R13": "R33"},
        "turn_3": {"R11": "-R21", "R21": "R11", "R12": "-R22", "R22": "R12", "R13": "-R23", "R23": "R13"},
    }),
)  # fmt: skip
"""SO(3) without constraints, one shape variable: (2.13)–(2.15)."""

BASES: dict[str, dict[str, Any]] = {
    TROLLEY.name: {"turn": {"th": "1"}, "ahead": {"x": "cos(th)*(2 + sin(be))", "y": "sin(th)*(2 + sin(be))", "th": "be"}},
    CARRIAGE.name: {
        "along": {"x": "1 + s**2", "z": "(1 + s**2)*(r + s**2)"}, "side": {"y": "exp(r)", "x": "s", "z": "s*(r + s**2)"},
    },
    ROTOR.name: {"e1": {"w1": "cos(r)", "w2": "sin(r)"}, "e2": {"w1": "-sin(r)", "w2": "cos(r)"}, "e3": {"w3": "1 + r**2"}},
}  # fmt: skip
COMPLEMENTS: dict[str, dict[str, Any]] = {
    TROLLEY.name: {"across": {"x": "-sin(th) + 2*cos(th)", "y": "cos(th) + 2*sin(th)", "th": "be"}},
    CARRIAGE.name: {"up": {"z": "2 + r", "y": "s"}},
    ROTOR.name: {},
}
CONNECTIONS: dict[str, list[Any]] = {
    TROLLEY.name: [
        "trivial", {"be": {"turn": "1 + be**2", "ahead": "sin(be)"}},
        {"be": {"be": "1", "x": "sin(th)*cos(be)/3", "y": "-cos(th)*cos(be)/3", "th": "3"}},
    ],
    CARRIAGE.name: ["trivial", {"r": {"along": "s"}, "s": {"side": "r*s", "along": "1"}}],
    ROTOR.name: ["mechanical", "trivial", {"r": {"e1": "r", "e3": "2"}}],
}  # fmt: skip
CASES = [(s, c) for s in (TROLLEY, CARRIAGE, ROTOR) for c in (None, *CONNECTIONS[s.name])]


@lru_cache
def own(name: str, which: int) -> nh.Reduction:
    system = next(s for s, _ in CASES if s.name == name)
    connection = (None, *CONNECTIONS[name])[which]
    return nh.reduce(system, basis=BASES[name], connection=connection, complement=COMPLEMENTS[name] or None)


def cases() -> list[tuple[str, int]]:
    return [(s.name, k) for s in (TROLLEY, CARRIAGE, ROTOR) for k in range(1 + len(CONNECTIONS[s.name]))]


def moved(system: nh.System, seed: int = 4) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Random admissible states with all rates by multipliers."""
    equations = nh.multipliers(system)
    found = []
    for place in random_states(system, None, 2, seed):
        known = {*equations.state, *equations.outputs, "t"}
        flow = equations.rates({n: e for n, e in place.values.items() if n in known}, place.parameters)
        found.append(({**place.parameters, **place.values}, flow))
    return found


def slope(values: dict[str, float], flow: dict[str, float], names: tuple[str, ...], quantity: Any, h: float = 1e-5) -> Any:
    """The rate of a function of the state along the motion of the witness, by central differences."""
    ahead, behind = ({**values, **{n: values[n] + k * h * flow[n] for n in names}} for k in (1, -1))
    return (quantity(ahead) - quantity(behind)) / (2 * h)


def reduced_state(red: nh.Reduction, values: dict[str, float]) -> dict[str, float]:
    """Shape, rates, momenta and Ω at a full state, from their definitions."""
    forms = speeds_of(red)
    known = {**values, **dict(zip(forms, evaluate(list(forms.values()), values).tolist()))}
    known |= dict(zip(red.shape.names, evaluate(list(red.shape.functions), values).tolist()))
    carried = red.frame.cross or [[0.0] * len(red.rates)] * len(red.momenta)
    momenta = [p - dot(row, symbols(red.rates)) for p, row in zip(symbols(red.momenta), carried)]
    omega = [dot(row, momenta) for row in red.frame.inverse_inertia]
    return known | dict(zip(red.turning, evaluate(omega, known).tolist()))


@pytest.mark.parametrize(("name", "which"), cases())
def test_reduced_rates_agree_with_multipliers(name: str, which: int) -> None:
    red = own(name, which)
    assert red.momenta == tuple(f"p_{n}" for n in BASES[name])
    names = (*red.system.coordinates, *red.system.velocities)
    for values, flow in moved(red.system):
        here = reduced_state(red, values)
        found = red.equations.rates({n: here[n] for n in red.equations.state}, {n: values[n] for n in red.system.parameters})
        for n in (*red.rates, *red.momenta):
            expected = slope(values, flow, names, lambda v, n=n: reduced_state(red, v)[n])
            assert found[n] == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("name", "which"), cases())
def test_equations_of_the_paper_hold_along_the_motion(name: str, which: int) -> None:
    """Left sides from the Lagrangian by differences along the witness, right sides from brackets and inner products."""
    red = own(name, which)
    names = (*red.system.coordinates, *red.system.velocities)
    free = red.connection is not None and red.connection.momenta == len(red.connection.inertia)
    labels = set(red.paper)
    assert {"(2.13)", "(2.14)", "(2.15)"} <= labels if free else {"(4.2)", "(4.3)", "(2.15)"} <= labels
    assert ("(4.10)" in labels) == (not red.frame.cross)
    shapes = [red.shape.names[c] for c in red.frame.rows]
    for values, flow in moved(red.system):
        here = reduced_state(red, values)
        for label, equations in red.paper.items():
            l = equations.lagrangian
            right = evaluate(list(equations.right), here)
            if label in ("(2.13)", "(4.2)", "(4.6)", "(4.9)"):
                for k, (r, rate) in enumerate(zip(shapes, red.rates)):
                    part = l.diff(rate)
                    left = slope(values, flow, names, lambda v, part=part: evaluate([part], reduced_state(red, v))[0])
                    left -= evaluate([l.diff(r)], here)[0]
                    assert right[k] == pytest.approx(left, rel=1e-6, abs=1e-6), (label, r)
            elif label in ("(2.14)", "(4.3)"):
                for k, w in enumerate(red.turning):
                    part = l.diff(w)
                    left = slope(values, flow, names, lambda v, part=part: evaluate([part], reduced_state(red, v))[0])
                    assert right[k] == pytest.approx(left, rel=1e-6, abs=1e-6), (label, w)
            elif label in ("(4.7)", "(4.10)"):
                for k, p in enumerate(red.momenta):
                    left = slope(values, flow, names, lambda v, p=p: reduced_state(red, v)[p])
                    assert right[k] == pytest.approx(left, rel=1e-6, abs=1e-6), (label, p)


@pytest.mark.parametrize(("name", "which"), cases())
def test_velocity_is_put_together_from_connection_and_basis(name: str, which: int) -> None:
    """(2.12), (2.15): v = ṙ^α ∂_α + ξ^a e_a with ξ = Ω − A ṙ, in the fields of the trivialization."""
    red = own(name, which)
    linked = red.connection
    assert linked is not None
    for values, _ in moved(red.system):
        here = reduced_state(red, values)
        back = evaluate(list(red.paper["(2.15)"].right), here)
        rates = np.array([here[n] for n in red.rates])
        inner = [evaluate(list(row), here) @ rates for row in linked.reference]
        inner = np.array(inner) + np.array([evaluate(list(row), here) @ back for row in linked.basis])
        fields = np.array([evaluate(list(row), values) for row in linked.fields])
        assert fields @ inner == pytest.approx([values[n] for n in red.system.velocities], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "which"), [(TROLLEY.name, 2), pytest.param(CARRIAGE.name, 1, marks=pytest.mark.slow)]
)
def test_motions_are_those_of_the_full_system(name: str, which: int) -> None:
    red = own(name, which)
    system = red.system
    parameters = {n: 0.7 + 0.2 * k for k, n in enumerate(system.parameters)}
    start = {c: 0.2 + 0.1 * k for k, c in enumerate(system.coordinates)}
    start |= {"bedot": 0.6, "thdot": 0.4} if "th" in system.coordinates else {"rdot": 0.6, "ydot": 0.3, "sdot": -0.2}
    one = red.simulate(start, 3.0, parameters, rtol=1e-11, atol=1e-12)
    two = nh.simulate(system, start, 3.0, parameters, rtol=1e-11, atol=1e-12)
    for c in system.coordinates:
        assert one.final[c] == pytest.approx(two.final[c], rel=1e-8, abs=1e-8)


def test_coefficients_have_the_letters_of_the_paper() -> None:
    red = own(TROLLEY.name, 0)
    found = red.coefficients
    assert found is not None
    assert found["Λ"] == found["Lambda"] and found["𝒟"] == found.free and found["ℰ"] == found.connection.mixed
    assert "E[be,turn,ahead]" in str(found) and "I_S[ahead,ahead]" in str(found)
    with pytest.raises(KeyError, match="the letters are"):
        found["X"]
    # γ of a basis that turns: ∂e_2/∂be = γ_2^b e_b with e_2 = (2 + sin be) forward + be turn
    here = {"be": 0.4}
    gamma = [float(evaluate([e], here)[0]) for e in found["γ"][1][0]]
    stretch = np.cos(0.4) / (2 + np.sin(0.4))
    assert gamma[:2] == pytest.approx([1 - 0.4 * stretch, stretch]) and gamma[2] == pytest.approx(0.0)


BAD = [
    ({"basis": {"one": {"th": "1"}}}, "1 of 1 fields"),
    ({"basis": {"one": {"th": "1"}, "two": {"th": "2 + be"}}}, "depend on each other"),
    ({"basis": {"one": {"th": "1"}, "two": {"x": "1"}}}, "not equivariant"),
    ({"basis": {"one": {"th": "1"}, "two": {"x": "-sin(th)", "y": "cos(th)"}}}, "1 of 2 fields"),
    (
        {"basis": {"one": {"be": "1", "x": "sin(th)*cos(be)/3", "y": "-cos(th)*cos(be)/3"}, "two": {"th": "1"}}},
        "not tangent to the orbits",
    ),
    ({"basis": {"one": {"q": "1"}}}, "all along coordinates"),
    ({"basis": {"one": {"th": "q"}}}, "unknown name 'q'"),
    ({"basis": {"one": 3}}, "table of fields"),
    ({"connection": "flat"}, "nonholonomic, mechanical, trivial"),
    ({"connection": "mechanical"}, "not in D"),
    ({"connection": {"x": {"e1": "1"}}}, "for each of be"),
    ({"connection": {"be": {"be": "1"}}}, "does not lie in D"),
    ({"connection": {"be": {"be": "2", "x": "2*sin(th)*cos(be)/3", "y": "-2*cos(th)*cos(be)/3"}}}, "at the rate 1"),
    ({"connection": {"be": {"be": "1", "x": "th", "y": "0"}}}, "not equivariant"),
    ({"complement": {"u": {"th": "1"}}}, "'u' lies in S"),
    (
        {"complement": {"u": {"x": "-sin(th)", "y": "cos(th)"}, "w": {"x": "-sin(th)", "y": "cos(th)", "th": "1"}}},
        "2 fields where 1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_choices_are_refused_in_a_line(words: dict[str, Any], message: str) -> None:
    with pytest.raises(nh.NonholoError, match=message) as caught:
        nh.reduce(TROLLEY, **words)
    assert "\n" not in str(caught.value).split("(at column")[0].strip()
