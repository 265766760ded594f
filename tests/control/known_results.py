"""Control systems whose controllability is known from the literature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import nonholo as nh
from nonholo.control import kinematic_system
from nonholo.model.system import varied

Answer = bool | None


@dataclass(frozen=True)
class Known:
    """One row of the table: what is asked, and what is known."""

    name: str
    system: nh.System
    accessible: Answer
    local: Answer
    linear: Answer
    """Whether the linearisation is controllable; None where there is no equilibrium."""
    reference: str
    state: Mapping[str, Any] | None = None
    parameters: Mapping[str, float] | None = None
    kinematic: bool | None = None
    growth: tuple[int, ...] | None = None


def _car(trailers: int) -> nh.System:
    """A car with front-wheel steering (angle phi) and trailers on its axle."""
    names = ["x", "y", *(f"th{k}" for k in range(trailers + 1)), "phi"]
    last = trailers
    rates = {"phi": "w", "th0": "v*tan(phi)/l"}
    speed = "v"
    for k in range(1, last + 1):
        rates[f"th{k}"] = f"{speed}*sin(th{k - 1} - th{k})/l"
        speed = f"{speed}*cos(th{k - 1} - th{k})"
    rates |= {"x": f"{speed}*cos(th{last})", "y": f"{speed}*sin(th{last})"}
    return kinematic_system(names, rates, "v w", parameters="l", name=f"car with {trailers} trailers", symmetry=None)


def _first_order(name: str, rates: Mapping[str, str], inputs: str = "u", **words: Any) -> nh.System:
    return kinematic_system(" ".join(rates), rates, inputs, name=name, **words)


BODY: dict[str, Any] = {
    "coordinates": "x y th", "parameters": "m J h", "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
}  # fmt: skip


def _thrust(name: str, surge: str = "0", sway: str = "0", torque: str = "0", inputs: str = "u", drag: str = "0") -> nh.System:
    """A planar body with forces along and across its axis, and a torque."""
    forces = {
        "x": f"({surge})*cos(th) - ({sway})*sin(th) - ({drag})*xdot",
        "y": f"({surge})*sin(th) + ({sway})*cos(th) - ({drag})*ydot",
        "th": torque,
    }  # fmt: skip
    return nh.System(name=name, inputs=inputs, forces=forces, **BODY)


def _satellite(name: str, inertia: str, torques: Mapping[str, str], inputs: str) -> nh.System:
    energy = inertia.split()
    kinetic = " + ".join(f"{J}/2*w{k}**2" for k, J in enumerate(energy, 1))
    return nh.System(
        name=name, frame=nh.SO3("R", rates="w1 w2 w3"), parameters=" ".join(dict.fromkeys(energy)), lagrangian=kinetic,
        forces=dict(torques), inputs=inputs,
    )  # fmt: skip




ROLLING_DISK = nh.gallery.get("vertical-disk").system
SKATER = nh.System(
    name="planar three-link body in free fall", coordinates="th a b", parameters="J m l",
    lagrangian="J/2*thdot**2 + J/2*(thdot + adot)**2 + J/2*(thdot + bdot)**2 + m*l*cos(a)*thdot*(thdot + adot) "
    "+ m*l*cos(b)*thdot*(thdot + bdot)",
    constraints=["J*thdot + J*(thdot + adot) + J*(thdot + bdot) + m*l*cos(a)*(2*thdot + adot) + m*l*cos(b)*(2*thdot + bdot)"],
)  # fmt: skip
TWO_LINK = nh.System(
    name="planar two-link body in free fall", coordinates="th a", parameters="J m l",
    lagrangian="J/2*thdot**2 + J/2*(thdot + adot)**2 + m*l*cos(a)*thdot*(thdot + adot)",
    constraints=["J*thdot + J*(thdot + adot) + m*l*cos(a)*(2*thdot + adot)"],
)  # fmt: skip
SLEIGH = nh.System(
    name="Chaplygin sleigh with rotor", coordinates="th x y b", parameters="m J a K",
    lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2 + K/2*(thdot + bdot)**2",
    constraints=["ydot*cos(th) - xdot*sin(th)"], forces={"b": "torque"}, inputs="torque",
)  # fmt: skip
CART_POLE = nh.System(
    name="planar Segway (cart with pendulum)", coordinates="x th", parameters="M m l g",
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*g*l*cos(th)", forces={"x": "u"}, inputs="u",
)  # fmt: skip
SEGWAY = nh.System(
    name="Segway in the plane", coordinates="x y th p", parameters="M m l Jz Jy g r d",
    lagrangian="(M + m)/2*(xdot**2 + ydot**2) + m*l*cos(p)*pdot*(xdot*cos(th) + ydot*sin(th)) + m*l**2/2*pdot**2 + Jy/2*pdot**2 "
    "+ (Jz + m*l**2*sin(p)**2)/2*thdot**2 + m*l*sin(p)*thdot*(ydot*cos(th) - xdot*sin(th)) - m*g*l*cos(p)",
    constraints=["ydot*cos(th) - xdot*sin(th)"],
    forces={"x": "(a + b)/r*cos(th)", "y": "(a + b)/r*sin(th)", "th": "(a - b)*d/r", "p": "-(a + b)"}, inputs="a b",
)  # fmt: skip
PVTOL = nh.System(
    name="planar vertical take-off aircraft", coordinates="x y th", parameters="m J e g",
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2 - m*g*y",
    forces={"x": "-u*sin(th) + e*w*cos(th)", "y": "u*cos(th) + e*w*sin(th)", "th": "w"}, inputs="u w",
)  # fmt: skip
MANIPULATOR = nh.System(
    name="two-link arm with a passive second joint, no gravity", coordinates="a b", parameters="p q r",
    lagrangian="p/2*adot**2 + q/2*(adot + bdot)**2 + r*cos(b)*adot*(adot + bdot)", forces={"a": "u"}, inputs="u",
)  # fmt: skip
ACROBOT = nh.System(
    name="acrobot upright", coordinates="a b", parameters="p q r c d",
    lagrangian="p/2*adot**2 + q/2*(adot + bdot)**2 + r*cos(b)*adot*(adot + bdot) - c*cos(a) - d*cos(a + b)",
    forces={"b": "u"}, inputs="u",
)  # fmt: skip
SPRINGS = nh.System(
    name="two equal carts pulled apart by one actuator", coordinates="p q", parameters="m k",
    lagrangian="m/2*(pdot**2 + qdot**2) - k/2*(p**2 + q**2)", forces={"p": "u", "q": "-u"}, inputs="u",
)  # fmt: skip
BICYCLE = nh.gallery.get("whipple-bicycle")
STEERED = varied(BICYCLE.system, inputs="torque drive", forces={**BICYCLE.system.forces, "steering": "torque", "wr": "drive"})
HALF = nh.System(
    name="nonintegrable but confined", coordinates="x y z w", lagrangian="(xdot**2 + ydot**2 + zdot**2 + wdot**2)/2",
    constraints=["zdot - y*xdot", "wdot - 2*y*ydot"],
)  # fmt: skip

KNOWN = (
    Known("unicycle", _first_order("unicycle", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w"), True, True, False,
          "Brockett 1983; Murray, Li and Sastry 1994, §8.2", growth=(2, 3)),
    Known("car", _car(0), True, True, False, "Murray and Sastry 1993", growth=(2, 3, 4)),
    Known("car with two trailers", _car(2), True, True, False, "Laumond 1993; Sørdalen 1993", growth=(2, 3, 4, 5, 6)),
    Known("car with one trailer at a right angle", _car(1), True, True, False, "Jean 1996: controllable at jackknife, too",
          state={"th0": "pi/2", "phi": 0.3}),
    Known("rolling disk, upright", ROLLING_DISK, True, True, False, "Bloch 2015, §1.4", kinematic=True, growth=(2, 3, 4)),
    Known("ball on a plate", _first_order("ball on a plate", {
        "u": "a/cos(v)", "v": "b", "x": "a*cos(s) - b*sin(s)", "y": "-a*sin(s) - b*cos(s)", "s": "-a*tan(v)"}, "a b"),
        True, True, False, "Li and Canny 1990", growth=(2, 3, 5)),
    Known("Heisenberg group", _first_order("Heisenberg", {"x": "a", "y": "b", "z": "(x*b - y*a)/2"}, "a b"), True, True, False,
          "Montgomery 2002, ch. 1", growth=(2, 3)),
    Known("Engel group", _first_order("Engel", {"x": "a", "y": "b", "z": "x*b", "w": "z*a"}, "a b"), True, True, False,
          "Montgomery 2002, ch. 6", growth=(2, 3, 4)),
    Known("Martinet distribution on its surface", _first_order("Martinet", {"x": "a", "y": "b", "z": "y**2*a/2"},
          "a b"), True, True,
          False, "Montgomery 2002, ch. 3", state={"x": 1.0, "y": 0.0}),
    Known("Brockett's integrator", _first_order("integrator", {"x": "a", "y": "b", "z": "x*b - y*a"}, "a b"), True, True, False,
          "Brockett 1983", state={"x": 0.0}),
    Known("planar body, free fall, two links", TWO_LINK, False, False, False, "Krishnaprasad 1990: one shape angle has no phase"),
    Known("falling cat, planar, three links", SKATER, True, True, False, "Walsh and Sastry 1995", growth=(2, 3)),
    Known("nonintegrable but confined", HALF, False, False, False, "Chow 1939 needs brackets that span; w − y² stays constant"),
    Known("snakeboard", nh.gallery.get("snakeboard").system, True, True, False, "Ostrowski and Burdick 1997"),
    Known("roller racer", nh.gallery.get("roller-racer").system, True, False, False, "Krishnaprasad and Tsakiris 2001"),
    Known("planar body, two thrusters at a point", _thrust("two thrusters", "v", "u", "-h*u", "u v"), True, True, False,
          "Lewis and Murray 1997, §6.2"),
    Known("hovercraft: surge and yaw", _thrust("hovercraft", "v", "0", "u", "u v"), True, True, False,
          "Bullo and Lewis 2004, ch. 7"),
    Known("hovercraft: one lateral thruster", _thrust("lateral", "0", "u", "-h*u"), True, False, False,
          "Lewis and Murray 1997, §6.2"),
    Known("planar body: one thruster through the centre", _thrust("central", "u"), False, False, False,
          "Lewis and Murray 1997, §6.2"),
    Known("satellite, two torques", _satellite("two torques", "A B C", {"w1": "a", "w2": "b"}, "a b"), True, True, False,
          "Kerai 1995; Coron and Kerai 1996", state={}),
    Known("satellite, two torques, axisymmetric", _satellite("symmetric", "A A C", {"w1": "a", "w2": "b"}, "a b"),
          False, False, False,
          "Crouch 1984: the spin is constant", state={}),
    Known("satellite, one torque", _satellite("one torque", "A B C", {"w1": "u", "w2": "2*u", "w3": "3*u"}, "u"),
          True, False, False,
          "Crouch 1984; Kerai 1995", state={}),
    Known("Segway, planar", CART_POLE, True, True, True, "Grasser et al. 2002", state={"th": 0.0}),
    Known("Segway that turns", SEGWAY, True, True, False, "Pathak, Franch and Agrawal 2005", state={"p": 0.0}),
    Known("Chaplygin sleigh with rotor", SLEIGH, True, False, False, "Osborne and Zenkov 2005"),
    Known("bicycle at speed, steered and driven", STEERED, True, False, True, "Åström, Klein and Lennartsson 2005",
          state={"v": 4.6}, parameters=BICYCLE.parameters),
    Known("vertical take-off aircraft", PVTOL, True, True, True, "Hauser, Sastry and Meyer 1992", state={"th": 0.0}),
    Known("acrobot", ACROBOT, True, True, True, "Spong 1995", state={"a": 0.0}),
    Known("arm with a passive joint, no gravity", MANIPULATOR, True, False, False, "Oriolo and Nakamura 1991", state={"b": 0.7}),
    Known("two carts, one actuator between them", SPRINGS, False, False, False,
          "Kalman 1960: the common mode is stuck", state={"p": 0.0}),
    Known("ẋ = u, ẏ = x²", _first_order("square", {"x": "u", "y": "x**2"}), True, False, False, "Sussmann 1983",
          state={"x": 0.0}),
    Known("ẋ = u, ẏ = x³", _first_order("cube", {"x": "u", "y": "x**3"}), True, True, False, "Hermes 1982; Sussmann 1983",
          state={"x": 0.0}),
    Known("ẋ = u, ẏ = x, ż = x³, ẇ = yz", _first_order("Kawski", {"x": "u", "y": "x", "z": "x**3", "w": "y*z"}),
          True, None, False,
          "Kawski 1988: controllable, although Sussmann's theorem does not apply", state={"x": 0.0}),
)  # fmt: skip
