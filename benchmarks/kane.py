"""The rattleback of `benchmarks.systems` by SymPy's KanesMethod, as its own users would write it.

A rigid body with a ReferenceFrame and Points; three body rates as generalized speeds. Rolling enters where Kane wants it:
the centre moves as ``v = −ω × r`` because the material point at the contact (centre + r) is at rest, so that the partial
velocities are those of the constrained system. The contact force does no work on them.
"""

from __future__ import annotations

from typing import Any

from benchmarks.systems import rattleback_texts

NAMES = ("phi", "theta", "psi", "x", "y")


def kanes_matrices() -> tuple[Any, Any, list[Any], list[Any]]:
    """Full mass matrix and forcing in (φ, θ, ψ, x, y, u1, u2, u3), with plain symbols for the state, and the parameters."""
    import sympy as sp
    from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

    parameters = [sp.Symbol(n) for n in str(rattleback_texts()["parameters"]).split()]
    m, g, a, b, c, A, B, C, D, d1, d2, d3 = parameters
    q = phi, theta, psi, *_ = [dynamicsymbols(n) for n in NAMES]
    u = u1, u2, u3 = dynamicsymbols("u1 u2 u3")
    ground, body = ReferenceFrame("N"), ReferenceFrame("B")
    body.orient_body_fixed(ground, (psi, theta, phi), "ZYX")
    body.set_ang_vel(ground, u1 * body.x + u2 * body.y + u3 * body.z)
    up = [sp.sin(-theta), sp.sin(phi) * sp.cos(theta), sp.cos(phi) * sp.cos(theta)]  # the vertical in the body
    support = sp.sqrt(a**2 * up[0] ** 2 + b**2 * up[1] ** 2 + c**2 * up[2] ** 2)
    contact = sum((-(s**2) * k / support * e for s, k, e in zip((a, b, c), up, body)), start=0 * body.x)
    centre, mass_centre = Point("centre"), Point("G")
    centre.set_vel(ground, -body.ang_vel_in(ground).cross(contact))
    mass_centre.set_pos(centre, d1 * body.x + d2 * body.y + d3 * body.z)
    mass_centre.v2pt_theory(centre, ground, body)
    stone = RigidBody("stone", mass_centre, body, m, (inertia(body, A, B, C, ixy=D), mass_centre))
    turning = (u2 * sp.sin(phi) + u3 * sp.cos(phi)) / sp.cos(theta)
    rates = [
        u1 + turning * sp.sin(theta),
        u2 * sp.cos(phi) - u3 * sp.sin(phi),
        turning,
        centre.vel(ground).dot(ground.x),
        centre.vel(ground).dot(ground.y),
    ]
    kinematics = [c.diff() - r for c, r in zip(q, rates)]
    method = KanesMethod(ground, q_ind=q, u_ind=u, kd_eqs=kinematics)
    method.kanes_equations([stone], [(mass_centre, -m * g * ground.z)])
    state = [*q, *u]
    plain = [sp.Symbol(f"s{i}") for i in range(len(state))]
    table = dict(zip(state, plain))
    return method.mass_matrix_full.subs(table), method.forcing_full.subs(table), plain, parameters


def body_rates(state: dict[str, float]) -> list[float]:
    """The generalized speeds from the rates of the angles."""
    from math import cos, sin

    phi, theta = state["phi"], state["theta"]
    roll, pitch, yaw = (state[f"{n}dot"] for n in NAMES[:3])
    return [
        roll - yaw * sin(theta),
        pitch * cos(phi) + yaw * sin(phi) * cos(theta),
        -pitch * sin(phi) + yaw * cos(phi) * cos(theta),
    ]
