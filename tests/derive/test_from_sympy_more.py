"""Three more problems in the manner of SymPy's documentation, taken over as they are: a knife edge by Kane, a bead in a turning
hoop by Lagrange, a cart with two pendulums by joints."""

from __future__ import annotations

import numpy as np
import sympy as sp
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)  # fmt: skip
from sympy.physics.mechanics import System as Mechanics

import nonholo as nh
from tests.derive.test_from_sympy import compare, own_rates

T = dynamicsymbols._t


def test_a_knife_edge_down_a_slope_by_kane():
    """A body on a knife edge ahead of its centre, on a slope: one velocity constraint on three speeds."""
    x, y, a, u, v, w = dynamicsymbols("x y a u v w")
    m, J, d, g, slope = sp.symbols("m J d g slope")
    ground = ReferenceFrame("N")
    body = ground.orientnew("B", "Axis", [a, ground.z])
    body.set_ang_vel(ground, w * ground.z)
    centre = Point("centre")
    centre.set_vel(ground, u * body.x + v * body.y)
    edge = centre.locatenew("edge", d * body.x)
    edge.v2pt_theory(centre, ground, body)
    kinematics = [
        x.diff(T) - (u * sp.cos(a) - v * sp.sin(a)), y.diff(T) - (u * sp.sin(a) + v * sp.cos(a)), a.diff(T) - w,
    ]  # fmt: skip
    sledge = RigidBody("sledge", centre, body, m, (inertia(body, 0, 0, J), centre))
    method = KanesMethod(
        ground, [x, y, a], [u, w], kinematics, u_dependent=[v], velocity_constraints=[edge.vel(ground).dot(body.y)]
    )
    method.kanes_equations([sledge], [(centre, m * g * sp.sin(slope) * ground.x)])
    equations = compare(method, (m, J, d, g, slope))
    assert equations.invariants
    words = {"m": 1.3, "J": 0.7, "d": 0.4, "g": 9.81, "slope": 0.2}
    start = {"x": 0.0, "y": 0.0, "a": 0.3, "u": 0.5, "v": -0.4 * 1.1, "w": 1.1}
    run = nh.simulate(equations, start, 2.0, words, rtol=1e-10)
    plain = nh.System(
        coordinates="x y a", parameters="m J d g slope",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*adot**2/2 + m*g*sin(slope)*x",
        constraints=["ydot*cos(a) - xdot*sin(a) + d*adot"],
    )  # fmt: skip
    rates = {"xdot": 0.5 * np.cos(0.3) + 0.44 * np.sin(0.3), "ydot": 0.5 * np.sin(0.3) - 0.44 * np.cos(0.3), "adot": 1.1}
    other = nh.simulate(plain, {"a": 0.3, **rates}, 2.0, words, form="multipliers", rtol=1e-10)
    for name in "xya":
        assert abs(run.final[name] - other.final[name]) < 1e-7


def test_a_bead_in_a_hoop_that_is_turned_by_lagrange():
    """Turned at a given rate: time stands in the Lagrangian; friction as a force along the hoop."""
    q = dynamicsymbols("q")
    m, r, g, W, c = sp.symbols("m r g W c")
    hoop = ReferenceFrame("N")
    bead = Point("bead")
    turn = W * (1 + sp.sin(T) / 2)
    lagrangian = m * (r**2 * q.diff() ** 2 + r**2 * turn**2 * sp.sin(q) ** 2) / 2 + m * g * r * sp.cos(q)
    bead.set_vel(hoop, r * q.diff() * hoop.x)
    method = LagrangesMethod(lagrangian, [q], forcelist=[(bead, -c * q.diff() * hoop.x)], frame=hoop)
    method.form_lagranges_equations()
    system = nh.from_sympy(method)
    values = {q: 0.7, q.diff(): -0.4, m: 1.2, r: 0.8, g: 9.81, W: 2.1, c: 0.3, T: 0.6}
    needed = own_rates(method, {**{k: v for k, v in values.items() if k not in (q,)}, q: 0.7})
    names = {"m": 1.2, "r": 0.8, "g": 9.81, "W": 2.1, "c": 0.3}
    found = nh.hamel(system).rates({"q": 0.7, "qdot": -0.4, "t": 0.6}, names)
    np.testing.assert_allclose([found["q"], found["qdot"]], needed, rtol=1e-11)


def test_a_cart_with_two_pendulums_by_joints():
    q = dynamicsymbols("q1:4")
    u = dynamicsymbols("u1:4")
    M, m, l, g, k = sp.symbols("M m l g k")
    wall = RigidBody("wall")
    cart = RigidBody("cart", mass=M)
    arms = [RigidBody(f"arm{i}", mass=m) for i in (1, 2)]
    for arm in arms:
        arm.central_inertia = inertia(arm.frame, 0, 0, m * l**2 / 12)
    system = Mechanics.from_newtonian(wall)
    slide = PrismaticJoint("slide", wall, cart, q[0], u[0], joint_axis=wall.frame.x)
    first = PinJoint("first", cart, arms[0], q[1], u[1], child_point=l / 2 * arms[0].frame.y, joint_axis=wall.frame.z)
    second = PinJoint(
        "second", arms[0], arms[1], q[2], u[2], parent_point=-l / 2 * arms[0].frame.y, child_point=l / 2 * arms[1].frame.y,
        joint_axis=wall.frame.z,
    )  # fmt: skip
    system.add_joints(slide, first, second)
    system.add_loads(*(Force(arm.masscenter, -m * g * wall.frame.y) for arm in arms))
    system.add_loads(Force(cart.masscenter, -k * q[0] * wall.frame.x))
    system.form_eoms()
    compare(system.eom_method, (M, m, l, g, k))
    equations = nh.from_sympy(system)
    values = {"M": 2.0, "m": 0.6, "l": 0.9, "g": 9.81, "k": 3.0}
    found = nh.linearise(equations, dict.fromkeys(equations.state, 0.0), parameters=values)
    m_, l_, g_ = values["m"], values["l"], values["g"]
    # small oscillations by hand: angles from the vertical p = q2, p + r = q2 + q3
    mass = np.array(
        [[2 + 2 * m_, 1.5 * m_ * l_, 0.5 * m_ * l_], [1.5 * m_ * l_, m_ * l_**2 * 4 / 3, m_ * l_**2 / 2],
         [0.5 * m_ * l_, m_ * l_**2 / 2, m_ * l_**2 / 3]]
    )  # fmt: skip
    stiff = np.diag([3.0, 1.5 * m_ * g_ * l_, 0.5 * m_ * g_ * l_])
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiff)).real)
    np.testing.assert_allclose(np.unique(np.abs(found.eigenvalues).round(9)), np.sqrt(squares), rtol=1e-8)
