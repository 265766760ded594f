"""Meanings of the exhibits' symbols, for tables and living pages, as the exhibits' modules define them."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.model.system import System, known_names

BODY = {f"{letter}{k}": f"angular velocity about body axis {k}" for letter in ("w", "xi") for k in (1, 2, 3)}
SPACE = {f"nu{k}": f"angular velocity of the ball about the {axis}-axis" for k, axis in zip((1, 2, 3), "xyz")}
INERTIA = {f"{letter}{k}": f"moment of inertia about body axis {k}" for letter in "IJ" for k in (1, 2, 3)}
ROLLING = {"x": "point below the centre of mass", "y": "point below the centre of mass"}
COMMON = {**BODY, **SPACE, **INERTIA, "g": "gravity", "m": "mass"}
BLADE = {"omega": "turning rate", "v": "speed along the blade", "theta": "heading of the blade"}
ON_SURFACE = {
    "s": "place along the meridian of the centre’s surface", "theta": "angle around the axis", "rho": "radius of the ball",
    "J": "moment of inertia of the ball", "Omega1": "spin about the normal",
    "Omega2": "turning about the meridian’s tangent, by the distance from the axis",
    "roll": "turning about the circle’s tangent",
}  # fmt: skip
ROUND = {"A": "moment of inertia across the axis", "C": "moment of inertia about the axis", "r": "radius of the ball"}

MEANINGS: Mapping[str, Mapping[str, str]] = {
    "balanced-sleigh": {**BLADE, "x": "place of the blade", "y": "place of the blade", "J": "moment of inertia"},
    "ball-in-cylinder": {**ON_SURFACE, "s": "height of the ball’s centre", "a": "distance of the centre from the axis"},
    "ball-on-sphere": {
        "x": "centre of the ball", "y": "centre of the ball", "z": "height of the ball’s centre", "rho": "radius of the ball",
        "J": "moment of inertia of the ball", "v": "distance between the centres of ball and sphere",
    },
    "ball-on-surface": {**ON_SURFACE, "c": "scale of the bowl", "k": "steepness of the bowl"},
    "ball-on-turntable": {
        "x": "contact point", "y": "contact point", "vx": "velocity of the centre", "vy": "velocity of the centre",
        "spin": "turning about the vertical",
        **{f"w{k}": f"angular velocity about the {axis}-axis" for k, axis in zip((1, 2, 3), "xyz")},
        "I": "moment of inertia of the ball", "r": "radius of the ball",
        "Omega": "angular velocity of the table",
    },
    "basketball": {
        **ON_SURFACE, "psi": "angle around the rim’s thickness", "u": "radius of the rim",
        "v": "distance of the ball’s centre from the rim’s middle line",
    },
    "chaplygin-sleigh": {
        **BLADE, "x": "place of the blade", "y": "place of the blade", "a": "centre of mass ahead of the blade",
        "J": "moment of inertia about the centre of mass",
    },
    "chaplygin-sphere": {"x": "contact point", "y": "contact point", "r": "radius of the ball"},
    "chaplygin-top": {
        **ROLLING, "r": "radius of the ball",
        **{f"a{k}": f"centre of mass from the middle, along body axis {k}" for k in (1, 2, 3)},
        **{f"I{k}": f"principal moment of inertia {k}" for k in (1, 2, 3)},
    },
    "coaxial-discs": {
        "x": "centre of disc 1", "y": "centre of disc 1", "phi": "direction of the axle", "rho": "distance of the centres",
        "a1": "rolling angle of disc 1", "a2": "rolling angle of disc 2", "m1": "mass of disc 1", "m2": "mass of disc 2",
        "r": "radius of the discs", "I": "moment of inertia of a disc about the axle",
        "J": "moment of inertia of a disc about a diameter",
    },
    "constrained-particle": {"x": "place of the particle", "y": "place of the particle", "z": "place of the particle",
        "v": "speed along y", "Omega": "speed along (1, 0, y)"},
    "degenerate-sleigh": {**BLADE, "x": "place of the blade", "y": "place of the blade"},
    "euler-top": {},
    "gauge-momentum": {"r": "shape", "s1": "ignorable", "s2": "ignorable", "k": "stiffness", "b0": "slope of the constraint",
                       "b1": "its change with r"},
    "heavy-suslov-top": {**{f"c{k}": f"centre of mass along body axis {k}" for k in (1, 2, 3)},
                         **{f"I{k}": f"product of inertia of axes {k // 10} and {k % 10}" for k in (12, 13, 23)}},
    "heisenberg": {"c": "inertia along z, as a part of the mass"},
    "knife-edge": {"phi": "heading of the edge", "omega": "turning rate", "v": "speed along the edge",
    "alpha": "slope of the plane",
                   "x": "place of the edge", "y": "place of the edge", "J": "moment of inertia"},
    "lagrange-top": {"a": "centre of mass above the point"},
    "n-trailer": {
        "x": "middle of the car’s axle", "y": "middle of the car’s axle", "theta0": "heading of the car",
        "theta1": "heading of trailer 1",
        "theta2": "heading of trailer 2", "v": "speed of the car", "omega": "turning rate of the car", "M": "mass of the car",
        "J": "moment of inertia of the car", "a": "centre of mass ahead of the car’s axle", "m": "mass of a trailer",
        "K": "moment of inertia of a trailer", "l": "from axle to axle",
    },
    "two-skates": {"x1": "place of the first load", "y1": "place of the first load", "x2": "place of the second load",
        "y2": "place of the second load",
        "m1": "mass of the first load", "m2": "mass of the second load", "J": "moment of inertia of what turns",
                   "k": "stiffness of the spring", "theta": "common heading of the wheels", "v1": "speed of the first load",
                   "v2": "speed of the second load", "omega": "turning rate of the heading"},
    "orthogonal-points": {"x": "place of the first point", "y": "place of the first point",
        "rho": "distance of the points", "theta": "direction of the line between them",
    "omega": "turning rate",
                          "m1": "mass of the first point", "m2": "mass of the second point"},
    "parallel-points": {"x1": "place of the first point", "y1": "place of the first point",
        "x2": "place of the second point", "y2": "place of the second point",
        "theta": "common direction of the velocities", "v1": "speed of the first point",
    "v2": "speed of the second point",
                        "m1": "mass of the first point", "m2": "mass of the second point", "k": "stiffness of the spring"},
    "rattleback": {
        **ROLLING, "a": "half the length", "b": "half the width", "c": "half the height",
        "h": "centre of the ellipsoid above the centre of mass",
        "delta": "twist of the axes of inertia against the shape",
        **{f"I{k}": f"principal moment of inertia {k}" for k in (1, 2, 3)},
    },
    "rigid-parallel-points": {"x": "place of the first point", "y": "place of the first point",
        "phi": "direction of the rod", "omega": "turning rate", "l": "length of the rod",
                              "m1": "mass of the first point", "m2": "mass of the second point"},
    "roller-racer": {
        "x": "middle of the first axle", "y": "middle of the first axle", "theta": "heading of the seat",
        "phi": "angle of the handlebar",
        "v": "speed along the heading", "omega": "turning rate", "tau": "torque on the handlebar",
        "d1": "hinge ahead of the first axle",
        "d2": "second axle ahead of the hinge", "I1": "moment of inertia of the seat",
        "I2": "moment of inertia of the handlebar",
    },
    "rolling-body": {**ROLLING, "J1": "moment of inertia across the axis", "J3": "moment of inertia about the axis",
                     "e": "offset of the centre of mass", "p": "radius across the axis", "q": "half the length along the axis",
                     "b": "half the thickness"},
    "rolling-disk": {**ROLLING, "r": "radius", "A": "moment of inertia about a diameter",
    "B": "moment of inertia about the axle"},
    "routh-sphere": {**ROLLING, **ROUND, "a": "centre of mass below the middle"},
    "routh-top": {**ROLLING, "r": "radius of the foot", "a": "centre of mass above the foot’s centre",
                  "J1": "moment of inertia across the axis", "J3": "moment of inertia about the axis"},
    "sleigh-chain": {
        **{f"theta{k}": f"heading of link {k}" for k in (1, 2, 3, 4)}, "v": "speed of the head along its blade",
        "omega": "turning rate of the head", "l": "length of a link", "m": "mass of a link",
        "J": "moment of inertia of a link", "b": "blade behind the front hinge",
        "c": "centre of mass behind the front hinge", "x": "front hinge of the head", "y": "front hinge of the head",
    },
    "sleigh-oscillator": {
        "r": "place of the sliding mass along the blade", "theta": "heading of the blade", "x": "place of the blade",
        "y": "place of the blade", "u": "speed of the sliding mass on the sleigh", "Omega1": "turning rate",
        "Omega2": "speed of both masses along the blade", "m": "sliding mass", "M": "mass of the sleigh",
        "J": "moment of inertia of the sleigh", "k": "stiffness of the spring",
    },
    "snakeboard": {
        "x": "middle of the board", "y": "middle of the board", "theta": "heading of the board", "psi": "angle of the rotor",
        "phi": "angle of the front wheels (the rear ones are at −φ)", "rotor": "rate of the rotor",
        "wheels": "rate of the wheels’ angle",
        "u": "speed along the circle that the wheels allow", "l": "half the board’s length",
        "J": "moment of inertia of the board",
        "Jr": "moment of inertia of the rotor", "Jw": "moment of inertia of a pair of wheels",
        "tau_psi": "torque on the rotor",
        "tau_phi": "torque on the wheels",
    },
    "spherical-pendulum": {"r": "length of the pendulum",
                           **{f"gamma{k}": f"the vertical along body axis {k}" for k in (1, 2, 3)}},
    "steered-point": {"x": "place of the point", "y": "place of the point",
        "k": "stiffness of the spring", "kappa": "steering by the speed", "sigma": "steering by the place"},
    "suslov": {f"a{k}": f"component {k} of the axis it must not turn about" for k in (1, 2, 3)},
    "suslov-n": {
        **{f"J{k}": f"mass tensor, entry ({k}, {k})" for k in range(1, 8)},
        **{f"d{k}": f"mass tensor, entry of axis {k} and the last" for k in range(1, 7)},
        **{f"w{i}{j}": f"rate of turning in the plane of axes {i} and {j}" for i in range(1, 8) for j in range(i + 1, 8)},
    },
    "three-wheel-cart": {
        "theta": "heading", "u1": "centre of mass", "u2": "centre of mass", "phi": "angle of the left wheel",
        "psi": "angle of the right wheel", "a": "centre of mass ahead of the rear axle", "b": "half the track",
        "d": "wheelbase", "v": "rate of the steering angle",
        "chi": "angle of the front wheel", "Omega": "rate of the front wheel over the wheelbase",
        "xi": "direction of the front wheel", "r": "radius of the wheels",
        "JW": "moment of inertia of a wheel about its axle", "JD": "moment of inertia of the front wheel’s fork",
        "J": "moment of inertia of the cart",
    },
    "tippe-top": {**ROUND, "a": "centre of mass below the middle", "c": "friction by slip", "s1": "slip of the contact point",
                  "s2": "slip of the contact point", **ROLLING},
    "two-wheel-robot": {
        "x": "middle of the axle", "y": "middle of the axle", "theta": "heading", "right": "angle of the right wheel",
        "left": "angle of the left wheel", "beta": "swivel of the caster", "chi": "angle of the caster’s wheel",
        "v": "speed", "omega": "turning rate",
        "torque_r": "torque on the right wheel", "torque_l": "torque on the left wheel",
        "a": "centre of mass ahead of the axle", "b": "half the track",
        "R": "radius of the wheels", "I": "moment of inertia of a wheel about its axle", "J": "moment of inertia of the body",
        "c": "caster’s pivot ahead of the axle", "d": "caster’s contact behind its pivot",
        "rc": "radius of the caster’s wheel",
        "Jc": "moment of inertia of the caster’s swivel", "Ic": "moment of inertia of the caster’s wheel",
    },
    "unicycle": {
        "x": "contact point", "y": "contact point", "theta": "heading", "psi": "angle of the wheel", "v": "speed",
        "omega": "turning rate",
        "drive": "torque about the axle", "steer": "torque about the vertical", "R": "radius of the wheel",
        "I": "moment of inertia about the axle", "J": "moment of inertia about the vertical",
    },
    "vertical-disk": {
        "x": "contact point", "y": "contact point", "phi": "heading", "theta": "rolling angle", "rolling": "rate of rolling",
        "turning": "rate of turning", "r": "radius", "I": "moment of inertia about the axle",
        "J": "moment of inertia about a diameter",
    },
    "whipple-bicycle": {
        "x": "rear contact point", "y": "rear contact point", "psi": "heading (yaw)", "phi": "lean",
        "theta": "pitch of the rear frame", "delta": "steering angle", "wr": "rotation of the rear wheel",
        "wf": "rotation of the front wheel", "v": "forward speed", "leaning": "lean rate", "steering": "steering rate",
        "w": "wheelbase", "c": "trail", "lam": "tilt of the steering axis",
        "rR": "radius of the rear wheel", "rF": "radius of the front wheel", "mR": "mass of the rear wheel",
        "mB": "mass of rear frame and rider", "mH": "mass of fork and handlebar", "mF": "mass of the front wheel",
        "xB": "centre of mass of frame and rider, ahead of the rear contact",
        "zB": "centre of mass of frame and rider, downwards",
        "xH": "centre of mass of fork and handlebar, ahead of the rear contact",
        "zH": "centre of mass of fork and handlebar, downwards",
        **{
            f"I{body}{axis}": f"{'product' if axis == 'xz' else 'moment'} of inertia {axis} of {name}"
            for body, name in zip("RBHF", ("the rear wheel", "frame and rider", "fork and handlebar", "the front wheel"))
            for axis in ("xx", "yy", "zz", "xz")
        },
    },
}  # fmt: skip


def meanings(exhibit: str, system: System) -> dict[str, str]:
    """Words for the names that a system has."""
    extra = system.parametric[0] if system.parametric is not None else ()
    known = {*known_names(system), *extra}
    told = {**COMMON, **MEANINGS.get(exhibit, {})} if exhibit in MEANINGS else {}
    return {name: words for name, words in told.items() if name in known}
