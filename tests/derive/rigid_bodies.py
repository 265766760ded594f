"""Rigid bodies in plain text that are not in the gallery, as people write them down, and what is known of their vector form."""

from __future__ import annotations

import nonholo as nh

BALL = [{"kind": "SO3", "name": "R", "rates": "w1 w2 w3"}, {"kind": "Euclidean", "coordinates": "x y"}]
BODY = [{"kind": "SO3", "name": "R", "rates": "w1 w2 w3"}]

ROLLING = ["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"]
NO_SPIN = "R31*w1 + R32*w2 + R33*w3"
UNIT = "(J1*w1**2 + J2*w2**2 + J3*w3**2)/2"
LOADED = (
    UNIT
    + " + m/2*(xdot**2 + ydot**2)"
    + " + m*xdot*(R11*(e3*w2) + R12*(e1*w3 - e3*w1) + R13*(-e1*w2))"
    + " + m*ydot*(R21*(e3*w2) + R22*(e1*w3 - e3*w1) + R23*(-e1*w2))"
    + " + m/2*((e3*w2)**2 + (e1*w3 - e3*w1)**2 + (e1*w2)**2)"
    + " - m*g*(e1*R31 + e3*R33)"
)
"""x and y are the middle of the ball; its centre of mass is at (e1, 0, e3) from there, in the axes of inertia."""


def system(name: str, frame: list[dict[str, str]], parameters: str, lagrangian: str, constraints=(), **more) -> nh.System:
    from nonholo.model.files.toml_files import from_table

    table = {"name": name, "frame": frame, "lagrangian": lagrangian, "constraints": list(constraints), **more}
    values = {n: 0.3 + 0.17 * k for k, n in enumerate(parameters.split())}
    return from_table({**table, "parameters": values}, name)


def loaded_ball() -> nh.System:
    """A ball with its centre of mass off the middle and three moments of inertia, by the coordinates of its middle."""
    return system("loaded ball", BALL, "m g r e1 e3 J1 J2 J3", LOADED, ROLLING)


def loaded_rubber_ball() -> nh.System:
    """The same without spinning about the vertical."""
    return system("loaded rubber ball", BALL, "m g r e1 e3 J1 J2 J3", LOADED, [*ROLLING, NO_SPIN])


def rubber_ball() -> nh.System:
    """A balanced ball that neither slips nor spins [Ehlers, Koiller, Montgomery and Rios 2005]."""
    lagrangian = UNIT + " + m/2*(xdot**2 + ydot**2)"
    return system("rubber ball", BALL, "m r J1 J2 J3", lagrangian, [*ROLLING, NO_SPIN])


def veselova() -> nh.System:
    """A body that may not turn about the vertical, under gravity [Veselov and Veselova 1986]."""
    return system("Veselova top", BODY, "m g c1 c2 c3 J1 J2 J3", UNIT + " - m*g*(c1*R31 + c2*R32 + c3*R33)", [NO_SPIN])


def suslov_gyrostat() -> nh.System:
    """A body with a rotor in a quadratic field, kept from turning about an axis."""
    field = " + h*w3 - (u1*R31**2 + u2*R32**2 + u3*R33**2)/2"
    return system("Suslov gyrostat", BODY, "h u1 u2 u3 b1 b2 J1 J2 J3", UNIT + field, ["b1*w1 + b2*w3"])


def braked_top() -> nh.System:
    """A heavy top with friction, its rates called p, q, r."""
    frame = [{"kind": "SO3", "name": "R", "rates": "p q r"}]
    lagrangian = "(A*p**2 + A*q**2 + C*r**2)/2 - m*g*l*R33"
    return system("braked top", frame, "m g l A C mu", lagrangian, forces={"p": "-mu*p", "q": "-mu*q", "r": "-mu*r"})


def taken_letter() -> nh.System:
    """A heavy top whose author calls a parameter gamma."""
    return system("top with gamma", BODY, "gamma J1 J2 J3", UNIT + " - gamma*R33")


def axis_in_space() -> nh.System:
    """Two fields of force on the axis of a body: what is said of R stands in one column."""
    return system("axis in fields", BODY, "J1 J2 J3 k1 k2", UNIT + " - k1*R13 - k2*R23**2")


ALL = (loaded_ball, loaded_rubber_ball, rubber_ball, veselova, suslov_gyrostat, braked_top, taken_letter, axis_in_space)
