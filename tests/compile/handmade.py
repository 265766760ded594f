"""Equations written by hand, without any of the derivations: systems with known answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations

t = se.Symbol("t")


def sleigh() -> Equations:
    """The unbalanced Chaplygin sleigh, (J + m a²) ω̇ = −m a ω v, m v̇ = m a ω²."""
    theta, x, y, omega, v, m, J, a = se.symbols("theta x y omega v m J a")
    inertia = J + m * a**2
    return Equations(
        name="sleigh",
        origin="by hand",
        coordinates=(theta, x, y),
        speeds=(omega, v),
        kinematics=(omega, v * se.cos(theta), v * se.sin(theta)),
        mass=((inertia, se.Integer(0)), (se.Integer(0), m)),
        force=(-m * a * omega * v, m * a * omega**2),
        energy=(inertia * omega**2 + m * v**2) / 2,
        time=t,
        parameters=(m, J, a),
    )


SLEIGH_PARAMETERS = (1.3, 0.7, 0.4)
SLEIGH_START = (0.2, -0.1, 0.3, 1.3, 0.5)


def sleigh_speeds(time: Any) -> tuple[Any, Any]:
    """ω = W sech(κt + δ), v = V tanh(κt + δ), with V² = v² + I ω²/m, κ = m a V / I, W = V sqrt(m/I)."""
    m, J, a = SLEIGH_PARAMETERS
    omega, v = SLEIGH_START[3:]
    inertia = J + m * a**2
    top = np.sqrt(v**2 + inertia / m * omega**2)
    phase = m * a * top / inertia * np.asarray(time) + np.arctanh(v / top)
    return top * np.sqrt(m / inertia) / np.cosh(phase), top * np.tanh(phase)


def pendulum() -> Equations:
    """θ̈ = −(g/l) sin θ."""
    theta, omega, g, l = se.symbols("theta omega g l")
    return Equations(
        name="pendulum",
        origin="by hand",
        coordinates=(theta,),
        speeds=(omega,),
        kinematics=(omega,),
        mass=((l**2,),),
        force=(-g * l * se.sin(theta),),
        energy=l**2 * omega**2 / 2 - g * l * se.cos(theta),
        time=t,
        parameters=(g, l),
    )


def hanging() -> Equations:
    """The same pendulum in the plane with a Lagrange multiplier: a symmetric but indefinite system."""
    x, y, u, v, g, l, force = se.symbols("x y u v g l lambda")
    zero, one = se.Integer(0), se.Integer(1)
    return Equations(
        name="hanging point",
        origin="by hand",
        coordinates=(x, y),
        speeds=(u, v),
        unknowns=(force,),
        kinematics=(u, v),
        mass=((one, zero, x), (zero, one, y), (x, y, zero)),
        force=(zero, -g, -(u**2) - v**2),
        energy=(u**2 + v**2) / 2 + g * y,
        time=t,
        parameters=(g, l),
        invariants=FrozenMap({"length": x**2 + y**2 - l**2, "rate": x * u + y * v}),
    )


def free_body() -> Equations:
    """A free rigid body: Euler's equations and a unit quaternion, q̇ = ½ q ω."""
    q0, q1, q2, q3, w1, w2, w3, a, b, c = se.symbols("q0 q1 q2 q3 w1 w2 w3 I1 I2 I3")
    zero = se.Integer(0)
    half = se.Rational(1, 2)
    return Equations(
        name="free body",
        origin="by hand",
        coordinates=(q0, q1, q2, q3),
        speeds=(w1, w2, w3),
        kinematics=(
            half * (-q1 * w1 - q2 * w2 - q3 * w3),
            half * (q0 * w1 + q2 * w3 - q3 * w2),
            half * (q0 * w2 + q3 * w1 - q1 * w3),
            half * (q0 * w3 + q1 * w2 - q2 * w1),
        ),
        mass=((a, zero, zero), (zero, b, zero), (zero, zero, c)),
        force=((b - c) * w2 * w3, (c - a) * w3 * w1, (a - b) * w1 * w2),
        energy=(a * w1**2 + b * w2**2 + c * w3**2) / 2,
        time=t,
        parameters=(a, b, c),
        invariants=FrozenMap({"norm": q0**2 + q1**2 + q2**2 + q3**2 - 1}),
    )


def free_body_matrix() -> Equations:
    """The same body with a rotation matrix, Ṙ = R ŵ: nine coordinates, six invariants."""
    body = free_body()
    w1, w2, w3 = body.speeds
    entries = se.symbols("R11 R12 R13 R21 R22 R23 R31 R32 R33")
    rows = [entries[3 * i : 3 * i + 3] for i in range(3)]
    moved = [(b * w3 - c * w2, c * w1 - a * w3, a * w2 - b * w1) for a, b, c in rows]
    gram = {
        f"R{i}{j}": sum(rows[k][i] * rows[k][j] for k in range(3)) - (1 if i == j else 0)
        for i in range(3)
        for j in range(i, 3)
    }
    return Equations(
        name="free body by matrix",
        origin="by hand",
        coordinates=tuple(entries),
        speeds=body.speeds,
        kinematics=tuple(e for row in moved for e in row),
        mass=body.mass,
        force=body.force,
        energy=body.energy,
        time=t,
        parameters=body.parameters,
        invariants=FrozenMap(gram),
    )


def driven() -> Equations:
    """An oscillator with a push: ẍ + k x = u(t)."""
    x, v, k, u = se.symbols("x v k u")
    return Equations(
        name="driven oscillator",
        origin="by hand",
        coordinates=(x,),
        speeds=(v,),
        kinematics=(v,),
        mass=((se.Integer(1),),),
        force=(u - k * x,),
        energy=(v**2 + k * x**2) / 2,
        time=t,
        parameters=(k,),
        inputs=(u,),
    )


def first_order(rate: Any, name: str = "first order") -> Equations:
    """ẋ = rate(x, t): no speeds, no mass."""
    return Equations(
        name=name,
        origin="by hand",
        coordinates=(se.Symbol("x"),),
        speeds=(),
        kinematics=(rate,),
        mass=(),
        force=(),
        energy=se.Integer(0),
        time=t,
    )


def with_mass(mass: Any, force: Any) -> Equations:
    """One coordinate q with a mass that may vanish."""
    q, v = se.symbols("q v")
    return Equations(
        name="one mass",
        origin="by hand",
        coordinates=(q,),
        speeds=(v,),
        kinematics=(v,),
        mass=((mass,),),
        force=(force,),
        energy=se.Integer(0),
        time=t,
    )


def rattleback() -> Equations:
    """An ellipsoid with skew inertia rolling on a plane: d'Alembert's principle projected on the rolling velocities.

    Yaw, roll and pitch are psi, phi, theta; z is the vector of their rates; ẋ, ẏ follow from rolling.
    """
    psi, phi, theta, *_ = q = se.symbols("psi phi theta x y")
    qdot = se.symbols("psidot phidot thetadot xdot ydot")
    z = se.symbols("z1 z2 z3")
    m, g, a, b, c, h, Ix, Iy, Iz, Ixy = parameters = se.symbols("m g a b c h Ix Iy Iz Ixy")
    cos, sin = se.cos, se.sin
    gamma = [-cos(phi) * sin(theta), sin(phi), cos(phi) * cos(theta)]
    roll = [cos(theta), se.Integer(0), sin(theta)]
    pitch = [se.Integer(0), se.Integer(1), se.Integer(0)]
    spin = [qdot[0] * gamma[i] + qdot[1] * roll[i] + qdot[2] * pitch[i] for i in range(3)]
    depth = se.sqrt(a**2 * gamma[0] ** 2 + b**2 * gamma[1] ** 2 + c**2 * gamma[2] ** 2)
    contact = [-(a**2) * gamma[0] / depth, -(b**2) * gamma[1] / depth, h - c**2 * gamma[2] / depth]
    yaw_matrix = se.DenseMatrix([[cos(psi), -sin(psi), 0], [sin(psi), cos(psi), 0], [0, 0, 1]])
    roll_matrix = se.DenseMatrix([[1, 0, 0], [0, cos(phi), -sin(phi)], [0, sin(phi), cos(phi)]])
    pitch_matrix = se.DenseMatrix([[cos(theta), 0, sin(theta)], [0, 1, 0], [-sin(theta), 0, cos(theta)]])
    rotation = yaw_matrix * roll_matrix * pitch_matrix
    height = -sum(gamma[i] * contact[i] for i in range(3))
    rise = sum(se.diff(height, k) * v for k, v in zip(q, qdot))
    kinetic = (
        m * (qdot[3] ** 2 + qdot[4] ** 2 + rise**2)
        + Ix * spin[0] ** 2
        + Iy * spin[1] ** 2
        + Iz * spin[2] ** 2
        + 2 * Ixy * spin[0] * spin[1]
    ) / 2
    lagrangian = kinetic - m * g * height
    w = [s.xreplace(dict(zip(qdot[:3], z))) for s in spin]
    away = [
        contact[1] * w[2] - contact[2] * w[1],
        contact[2] * w[0] - contact[0] * w[2],
        contact[0] * w[1] - contact[1] * w[0],
    ]
    slide = [sum(rotation[i, j] * away[j] for j in range(3)) for i in range(2)]
    columns = [[se.Integer(int(i == j)) for j in range(3)] for i in range(3)]
    columns += [[se.diff(v, k) for k in z] for v in slide]
    velocity = [sum(columns[i][k] * z[k] for k in range(3)) for i in range(5)]
    at = dict(zip(qdot, velocity))
    momenta = [se.diff(lagrangian, v) for v in qdot]
    metric = [[se.diff(p, v) for v in qdot] for p in momenta]
    bend = [sum(se.diff(velocity[i], q[k]) * velocity[k] for k in range(5)) for i in range(5)]
    pull = [
        se.diff(lagrangian, q[i]).xreplace(at)
        - sum(se.diff(momenta[i], q[k]).xreplace(at) * velocity[k] for k in range(5))
        - sum(metric[i][k] * bend[k] for k in range(5))
        for i in range(5)
    ]
    mass = tuple(
        tuple(sum(columns[i][r] * metric[i][j] * columns[j][s] for i in range(5) for j in range(5)) for s in range(3))
        for r in range(3)
    )
    return Equations(
        name="rattleback",
        origin="by hand",
        coordinates=q,
        speeds=z,
        kinematics=tuple(velocity),
        mass=mass,
        force=tuple(sum(columns[i][r] * pull[i] for i in range(5)) for r in range(3)),
        energy=(2 * kinetic - lagrangian).xreplace(at),
        time=t,
        parameters=parameters,
    )


RATTLEBACK_PARAMETERS = (1.0, 9.81, 0.2, 0.03, 0.02, 0.01, 2e-4, 1.6e-3, 1.7e-3, -2e-5)
RATTLEBACK_START = (0.1, 0.01, 0.02, 0.0, 0.0, 3.0, 0.1, 0.2)
