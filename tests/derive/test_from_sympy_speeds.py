"""What users of SymPy's mechanics have on their desks: auxiliary and dependent speeds, links as constraints; with inputs."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import nonholo as nh

me = pytest.importorskip("sympy.physics.mechanics")


def disc(auxiliary):
    """A disc that rolls, with a torque about its axle; the contact's velocity may be made of auxiliary speeds."""
    q1, q2, q3, u1, u2, u3, tau = me.dynamicsymbols("q1 q2 q3 u1 u2 u3 tau")
    r, m, g = sp.symbols("r m g")
    floor = me.ReferenceFrame("N")
    yaw = floor.orientnew("Y", "Axis", [q1, floor.z])
    lean = yaw.orientnew("L", "Axis", [q2, yaw.x])
    spin = lean.orientnew("R", "Axis", [q3, lean.y])
    spin.set_ang_vel(floor, u1 * lean.x + u2 * lean.y + u3 * lean.z)
    contact = me.Point("C")
    loads, speeds = [], []
    if auxiliary:
        speeds = list(me.dynamicsymbols("u4 u5 u6"))
        pushes = me.dynamicsymbols("f1 f2 f3")
        ways = (lean.x, yaw.z ^ lean.x, yaw.z)
        contact.set_vel(floor, sum((u * w for u, w in zip(speeds, ways)), 0 * yaw.z))
        loads.append((contact, sum((f * w for f, w in zip(pushes, ways)), 0 * yaw.z)))
    else:
        contact.set_vel(floor, 0)
    centre = contact.locatenew("D", r * lean.z)
    centre.v2pt_theory(contact, floor, spin)
    inertia = me.inertia(lean, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2)
    rates = [q1.diff() - u3 / sp.cos(q2), q2.diff() - u1, q3.diff() - u2 + u3 * sp.tan(q2)]
    method = me.KanesMethod(floor, [q1, q2, q3], [u1, u2, u3], kd_eqs=rates, u_auxiliary=speeds or None)
    body = me.RigidBody("D", centre, spin, m, (inertia, centre))
    method.kanes_equations([body], [(centre, -m * g * yaw.z), (spin, tau * lean.y), *loads])
    return nh.from_sympy(method)


@pytest.mark.slow
def test_auxiliary_speeds_are_zero_and_no_inputs():
    told, plain = disc(True), disc(False)
    assert [str(u) for u in told.inputs] == ["tau"] == [str(u) for u in plain.inputs]
    state = {"q1": 0.3, "q2": 0.4, "q3": 0.1, "u1": 0.5, "u2": 2.0, "u3": 0.3, "tau": 0.2}
    values = {"r": 0.5, "m": 1.3, "g": 9.81}
    one, other = told.rates(state, values), plain.rates(state, values)
    assert all(one[n] == pytest.approx(other[n], rel=1e-12, abs=1e-12) for n in told.state)
    runs = [nh.simulate(e, {n: state[n] for n in e.state}, 1.0, values, inputs={"tau": 0.2}) for e in (told, plain)]
    energies = [run.data["energy"].values for run in runs]
    assert energies[0] == pytest.approx(energies[1], rel=1e-9)


def test_a_car_with_dependent_speeds_drives_as_its_text_does():
    x, y, th, de, vx, vy, w, dd, push, steer = me.dynamicsymbols("x y th de vx vy w dd F S")
    m, J, inner, a, b = sp.symbols("m J I a b")
    floor = me.ReferenceFrame("N")
    body = floor.orientnew("A", "Axis", [th, floor.z])
    wheel = body.orientnew("B", "Axis", [de, body.z])
    body.set_ang_vel(floor, w * floor.z)
    wheel.set_ang_vel(floor, (w + dd) * floor.z)
    centre = me.Point("G")
    centre.set_vel(floor, vx * floor.x + vy * floor.y)
    rear, front = centre.locatenew("R", -b * body.x), centre.locatenew("F", a * body.x)
    for point in (rear, front):
        point.v2pt_theory(centre, floor, body)
    method = me.KanesMethod(
        floor, [x, y, th, de], [vx, dd], kd_eqs=[x.diff() - vx, y.diff() - vy, th.diff() - w, de.diff() - dd],
        u_dependent=[vy, w], velocity_constraints=[rear.vel(floor) & body.y, front.vel(floor) & wheel.y],
    )  # fmt: skip
    bodies = [
        me.RigidBody("c", centre, body, m, (me.inertia(body, 0, 0, J), centre)),
        me.RigidBody("f", front, wheel, m / 10, (me.inertia(wheel, 0, 0, inner), front)),
    ]
    method.kanes_equations(bodies, [(centre, push * body.x), (wheel, steer * floor.z), (body, -steer * floor.z)])
    values = {"m": 1.5, "J": 0.8, "I": 0.1, "a": 0.6, "b": 0.7}
    text = nh.System(
        coordinates="x y th de", parameters=values, inputs="F S",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + I*(thdot + dedot)**2/2"
        " + m/10*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2",
        constraints=["-xdot*sin(th) + ydot*cos(th) - b*thdot", "-xdot*sin(th + de) + ydot*cos(th + de) + a*thdot*cos(de)"],
        forces={"x": "F*cos(th)", "y": "F*sin(th)", "de": "S"},
    )  # fmt: skip
    given = {"F": 0.3, "S": 0.05}
    full = nh.complete_state(text, {"th": 0.2, "de": 0.3, "xdot": 1.0, "dedot": 0.1})
    start = {n: full[n] for n in ("x", "y", "th", "de")}
    start |= {"vx": full["xdot"], "vy": full["ydot"], "w": full["thdot"], "dd": full["dedot"]}
    one = nh.simulate(nh.from_sympy(method), start, 1.5, values, inputs=given)
    other = nh.simulate(text, {"th": 0.2, "de": 0.3, "xdot": 1.0, "dedot": 0.1}, 1.5, inputs=given)
    assert all(one.final[n] == pytest.approx(other.final[n], abs=1e-8) for n in ("x", "y", "th", "de"))


def test_two_pendulums_as_points_on_links_swing_and_linearise_as_angles_do():
    q = me.dynamicsymbols("x1 y1 x2 y2")
    m1, m2, l1, l2, g, c = sp.symbols("m1 m2 l1 l2 g c")
    push = me.dynamicsymbols("T")
    floor = me.ReferenceFrame("N")
    origin = me.Point("O")
    origin.set_vel(floor, 0)
    points = [origin.locatenew(n, a * floor.x + b * floor.y) for n, a, b in (("P", *q[:2]), ("Q", *q[2:]))]
    bobs = []
    for point, mass, height in zip(points, (m1, m2), (q[1], q[3])):
        point.set_vel(floor, point.pos_from(origin).dt(floor))
        bobs.append(me.Particle(str(point), point, mass))
        bobs[-1].potential_energy = mass * g * height
    method = me.LagrangesMethod(
        me.Lagrangian(floor, *bobs), q, frame=floor,
        hol_coneqs=[q[0] ** 2 + q[1] ** 2 - l1**2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - l2**2],
        forcelist=[(points[1], (push - c * q[2].diff()) * floor.x)],
    )  # fmt: skip
    method.form_lagranges_equations()
    made = nh.from_sympy(method)
    values = {"m1": 1.2, "m2": 0.7, "l1": 1.0, "l2": 0.8, "g": 9.81, "c": 0.1}
    pull = "(T - c*(l1*adot*cos(a) + l2*bdot*cos(b)))"
    angles = nh.System(
        coordinates="a b", parameters=values, inputs="T",
        lagrangian="m1*(l1*adot)**2/2 + (m1 + m2)*g*l1*cos(a) + m2*g*l2*cos(b)"
        " + m2*((l1*adot*cos(a) + l2*bdot*cos(b))**2 + (l1*adot*sin(a) + l2*bdot*sin(b))**2)/2",
        forces={"a": f"{pull}*l1*cos(a)", "b": f"{pull}*l2*cos(b)"},
    )  # fmt: skip
    law = {"T": "0.3*sin(2*t)"}
    x2, y2 = 0.6 + 0.8 * np.sin(0.3), -0.8 - 0.8 * np.cos(0.3)
    one = nh.simulate(made, {"x1": 0.6, "y1": -0.8, "x2": x2, "y2": y2}, 2.0, values, inputs=law)
    other = nh.simulate(angles, {"a": np.arctan2(0.6, 0.8), "b": 0.3}, 2.0, inputs=law)
    assert one.final["x2"] == pytest.approx(np.sin(other.final["a"]) + 0.8 * np.sin(other.final["b"]), abs=1e-8)
    hanging = {"x1": 0.0, "y1": -1.0, "x2": 0.0, "y2": -1.8}
    found = nh.linearise(made, hanging, parameters=values, inputs=["T"]).eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(nh.linearise(angles, {}, inputs=["T"]).eigenvalues), abs=1e-10)
