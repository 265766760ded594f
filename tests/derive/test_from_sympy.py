"""SymPy's mechanics taken over: its own numeric right-hand side and ours at the same states."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)  # fmt: skip
from sympy.physics.mechanics import System as Mechanics

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.compile.rates_jacobian import rates_jacobian
from nonholo.errors import ModelError

T = dynamicsymbols._t


def own_rates(method, values):
    """``(q̇, u̇)`` by SymPy's full mass matrix and forcing, as numbers."""
    table = {**values}
    mass = np.array(method.mass_matrix_full.subs(table).evalf(), dtype=float)
    force = np.array(method.forcing_full.subs(table).evalf(), dtype=float).ravel()
    return np.linalg.solve(mass, force)


def by_name(values):
    return {getattr(k, "name", str(k)): v for k, v in values.items()}


def rolling_disc(explicit):
    """SymPy's rolling disc [Kane 1985, §3.3]: rolling in the velocities, or as two constraints on five speeds."""
    q = dynamicsymbols("q1:6")
    u = dynamicsymbols("u1:6")
    r, m, g = sp.symbols("r m g")
    frame = ReferenceFrame("N")
    heading = frame.orientnew("Y", "Axis", [q[0], frame.z])
    leaning = heading.orientnew("L", "Axis", [q[1], heading.x])
    body = leaning.orientnew("R", "Axis", [q[2], leaning.y])
    spin = sum((u[k] * v for k, v in enumerate((leaning.x, leaning.y, leaning.z))), 0 * leaning.x)
    first = [sp.simplify(body.ang_vel_in(frame).dot(v) - u[k]) for k, v in enumerate((leaning.x, leaning.y, leaning.z))]
    body.set_ang_vel(frame, spin)
    contact, centre = Point("C"), Point("Dmc")
    centre = contact.locatenew("Dmc", r * leaning.z)
    if explicit:
        origin = Point("O")
        origin.set_vel(frame, 0)
        centre.set_vel(frame, u[3] * frame.x + u[4] * frame.y + (centre.pos_from(contact).dt(frame).dot(frame.z)) * frame.z)
        slip = centre.vel(frame) + spin.cross(-r * leaning.z)
        constraints = [slip.dot(frame.x), slip.dot(frame.y)]
        first += [q[3].diff(T) - u[3], q[4].diff(T) - u[4]]
        kind = sp.solve(first, [c.diff(T) for c in q])
        constraints = [sp.trigsimp(c.xreplace(kind)) for c in constraints]
        centre.set_vel(frame, centre.vel(frame).subs(kind))
    else:
        contact.set_vel(frame, 0)
        centre.v2pt_theory(contact, frame, body)
    moment = inertia(leaning, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    disc = RigidBody("disc", centre, body, m, (moment, centre))
    loads = [(centre, -m * g * frame.z)]
    if explicit:
        method = KanesMethod(frame, list(q), list(u[:3]), first, u_dependent=list(u[3:]), velocity_constraints=constraints)
    else:
        method = KanesMethod(frame, list(q[:3]), list(u[:3]), first)
    method.kanes_equations([disc], loads)
    return method, (r, m, g)


def double_pendulum():
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g")
    torque = dynamicsymbols("torque")
    frame = ReferenceFrame("N")
    upper = frame.orientnew("A", "Axis", [q[0], frame.z])
    lower = frame.orientnew("B", "Axis", [q[1], frame.z])
    upper.set_ang_vel(frame, u[0] * frame.z)
    lower.set_ang_vel(frame, u[1] * frame.z)
    origin = Point("O")
    origin.set_vel(frame, 0)
    first = origin.locatenew("P", l1 * upper.x)
    second = first.locatenew("R", l2 * lower.x)
    first.v2pt_theory(origin, frame, upper)
    second.v2pt_theory(first, frame, lower)
    masses = [Particle("P", first, m1), Particle("R", second, m2)]
    loads = [(first, m1 * g * frame.x), (second, m2 * g * frame.x), (upper, torque * frame.z)]
    method = KanesMethod(frame, list(q), list(u), [q[0].diff(T) - u[0], q[1].diff(T) - u[1]])
    method.kanes_equations(masses, loads)
    return method, (m1, m2, l1, l2, g, torque)


def compare(method, others, seed=1):
    equations = nh.from_sympy(method)
    random = np.random.default_rng(seed)
    state = [*method.q, *method.u]
    values = dict(zip([*state, *others], random.uniform(0.3, 1.2, len(state) + len(others)).tolist()))
    named = by_name(values)
    found = equations.rates(
        {n: v for n, v in named.items() if n not in map(str, equations.parameters)},
        {str(p): named[str(p)] for p in equations.parameters},
    )
    needed = own_rates(method, values)
    np.testing.assert_allclose([found[s.name] for s in state], needed, rtol=1e-10, atol=1e-12)
    return equations


@pytest.mark.parametrize("explicit", [False, True], ids=["rolling in the velocities", "rolling as constraints"])
def test_rolling_disc_by_kane(explicit):
    equations = compare(*rolling_disc(explicit))
    assert len(equations.speeds) == (5 if explicit else 3)
    assert bool(equations.invariants) == explicit
    assert equations.symmetric is not explicit


def test_double_pendulum_by_kane_with_a_torque_as_input():
    equations = compare(*double_pendulum())
    assert [str(s) for s in equations.inputs] == ["torque"]
    kernel = compile_equations(equations)
    given = np.random.default_rng(2).uniform(0.3, 1.2, len(kernel.symbols))
    slopes = rates_jacobian(kernel, [*equations.coordinates, *equations.speeds, *equations.inputs])(given)
    step = 1e-6
    for k, place in enumerate((1, 2, 3, 4, 5)):
        up, down = (kernel.evaluate(given + sign * step * np.eye(len(given))[place])[:4] for sign in (1, -1))
        np.testing.assert_allclose(slopes[:, k], (up - down) / (2 * step), atol=1e-7)


def test_a_disc_from_sympy_moves_as_the_gallerys_equations_say():
    """Kane's equations of the disc, moved by our loops: the energy with the potential of gravity is kept."""
    method, _ = rolling_disc(False)
    equations = nh.from_sympy(method)
    values = {"r": 0.5, "m": 1.3, "g": 9.81}
    start = {"q1": 0.1, "q2": 0.3, "q3": 0.0, "u1": 0.2, "u2": 4.0, "u3": 0.5}
    run = nh.simulate(equations, start, 2.0, parameters=values, rtol=1e-10, atol=1e-12)
    total = run.data["energy"] + 1.3 * 9.81 * 0.5 * np.cos(run.data["q2"])
    assert float(abs(total - total[0]).max()) < 1e-8 * float(abs(total[0]))


def lagrange_skate():
    """A knife edge on an incline, by Lagrange's method with a multiplier, and friction on its turning."""
    x, y, a = dynamicsymbols("x y a")
    m, J, g, c = sp.symbols("m J g c")
    frame = ReferenceFrame("N")
    blade = frame.orientnew("B", "Axis", [a, frame.z])
    energy = m * (x.diff() ** 2 + y.diff() ** 2) / 2 + J * a.diff() ** 2 / 2 + m * g * x
    method = LagrangesMethod(
        energy, [x, y, a], forcelist=[(blade, -c * a.diff() * frame.z)], frame=frame,
        nonhol_coneqs=[x.diff() * sp.sin(a) - y.diff() * sp.cos(a)],
    )  # fmt: skip
    method.form_lagranges_equations()
    return method, (m, J, g, c)


def test_lagranges_method_becomes_a_system_with_its_constraint_and_force():
    method, parameters = lagrange_skate()
    system = nh.from_sympy(method)
    assert isinstance(system, nh.System)
    values = dict(zip([*method.q, *parameters], np.random.default_rng(3).uniform(0.4, 1.1, 7).tolist()))
    rates = {"xdot": 0.7 * np.cos(values[method.q[2]]), "ydot": 0.7 * np.sin(values[method.q[2]]), "adot": 0.9}
    named = {**by_name(values), **rates}
    at = {**values, **{q.diff(): rates[f"{q.name}dot"] for q in method.q}}
    needed = own_rates(method, at)[:6]
    for form in (nh.hamel, nh.multipliers):
        equations = form(system)
        state = {n: named[n] for n in ("x", "y", "a", "xdot", "ydot", "adot")}
        found = equations.rates(state, {str(p): named[str(p)] for p in parameters})
        np.testing.assert_allclose([found[n] for n in ("x", "y", "a", "xdot", "ydot", "adot")], needed, rtol=1e-9)


def test_a_holonomic_pendulum_by_lagrange_keeps_its_constraint():
    x, y = dynamicsymbols("x y")
    m, g, l = sp.symbols("m g l")
    method = LagrangesMethod(m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y, [x, y], hol_coneqs=[x**2 + y**2 - l**2])
    method.form_lagranges_equations()
    system = nh.from_sympy(method)
    assert len(system.holonomic) == 1
    assert not system.constraints
    run = nh.simulate(system, {"x": 0.6, "y": -0.8}, 1.0, parameters={"m": 1.0, "g": 9.81, "l": 1.0}, rtol=1e-10)
    assert run.drift("energy") < 1e-8


def test_sympys_own_system_by_joints():
    q, u = dynamicsymbols("q u")
    m, l, g = sp.symbols("m l g")
    wall = RigidBody("wall")
    bob = RigidBody("bob", mass=m)
    bob.central_inertia = inertia(bob.frame, 0, 0, m * l**2 / 12)
    system = Mechanics.from_newtonian(wall)
    system.add_joints(
        PinJoint("pin", wall, bob, q, u, child_point=l / 2 * bob.frame.y, joint_axis=wall.frame.z)
    )
    system.add_loads(Force(bob.masscenter, -m * g * wall.frame.y))
    with pytest.raises(ModelError, match=r"call its form_eoms\(\) first"):
        nh.from_sympy(system)
    system.form_eoms()
    compare(system.eom_method, (m, l, g))
    assert nh.from_sympy(system).state == ("q", "u")


def test_what_cannot_be_taken_is_told():
    with pytest.raises(ModelError, match="found a dict; give a KanesMethod"):
        nh.from_sympy({})
    q, u = dynamicsymbols("q u")
    frame = ReferenceFrame("N")
    raw = KanesMethod(frame, [q], [u], [q.diff(T) - u])
    with pytest.raises(ModelError, match=r"call its kanes_equations\(\) first"):
        nh.from_sympy(raw)
    with pytest.raises(ModelError, match=r"call its form_lagranges_equations\(\) first"):
        nh.from_sympy(LagrangesMethod(q.diff(T) ** 2, [q]))
