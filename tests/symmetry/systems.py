"""Systems made for the tests: generic numbers, two shape variables, several momenta, I_US that does not vanish."""

from __future__ import annotations

import nonholo as nh


def two_sliders() -> nh.System:
    """A sleigh whose platform carries two masses on rails in generic position; a spring holds each."""
    place = {
        k: (f"(a{k} + r{k}*cos(b{k}))", f"(c{k} + r{k}*sin(b{k}))", f"r{k}dot*cos(b{k})", f"r{k}dot*sin(b{k})") for k in (1, 2)
    }
    v, u = "(xdot*cos(theta) + ydot*sin(theta))", "(ydot*cos(theta) - xdot*sin(theta))"
    kinetic = [f"M/2*(({v} - thetadot*c0)**2 + ({u} + thetadot*a0)**2) + J/2*thetadot**2"]
    for k, (along, across, one, two) in place.items():
        kinetic.append(f"m{k}/2*(({v} - thetadot*{across} + {one})**2 + ({u} + thetadot*{along} + {two})**2)")
    return nh.System(
        name="sleigh with two sliders",
        coordinates="r1 r2 theta x y",
        parameters="M J a0 c0 m1 a1 c1 b1 m2 a2 c2 b2 k1 k2",
        lagrangian=" + ".join(kinetic) + " - k1/2*r1**2 - k2/2*r2**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
        symmetry=nh.planar_motion("x", "y", "theta"),
    )


SLIDERS = {
    "M": 2.1, "J": 0.9, "a0": 0.3, "c0": -0.2, "m1": 0.7, "a1": 0.4, "c1": 0.25, "b1": 0.6, "m2": 1.1, "a2": -0.35, "c2": 0.5,
    "b2": 1.9, "k1": 3.0, "k2": 2.2,
}  # fmt: skip
