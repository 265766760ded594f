"""A cart with two fixed wheels behind and a steered wheel in front: symmetric, and yet its symmetry is not flat."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Rotation, Trace, heading
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Three-wheel cart"
GROUP = "Robots and vehicles"
PAPERS = "MacDonnell 1997 §12"

SOURCE = "MacDonnell 1997"
NAMES = ("theta", "u1", "u2", "phi", "psi", "chi", "xi")


def exhibit() -> Exhibit:
    """The cart of MacDonnell 1997 §12: heading θ, centre of mass u, wheel angles φ, ψ, χ, front wheel's direction ξ."""
    alpha = "(xi - theta)"
    system = System(
        name="three-wheel cart",
        coordinates=" ".join(NAMES),
        parameters="m J JW JD r a b d",
        lagrangian="J/2*thetadot**2 + m/2*(u1dot**2 + u2dot**2) + JW/2*(phidot**2 + psidot**2 + chidot**2) + JD/2*xidot**2",
        constraints=[
            f"d*thetadot - r*chidot*sin{alpha}",
            f"d*u1dot - r*chidot*(d*cos{alpha}*cos(theta) - a*sin{alpha}*sin(theta))",
            f"d*u2dot - r*chidot*(d*cos{alpha}*sin(theta) + a*sin{alpha}*cos(theta))",
            f"d*phidot - chidot*(d*cos{alpha} - b*sin{alpha})",
            f"d*psidot - chidot*(d*cos{alpha} + b*sin{alpha})",
        ],
        quasivelocities={"Omega": "chidot/d", "v": f"xidot - r*sin{alpha}*chidot/d"},
        symmetry=Symmetry(
            {
                "shift_u1": {"u1": "1"},
                "shift_u2": {"u2": "1"},
                "turn": {"theta": "1", "xi": "1", "u1": "-u2", "u2": "u1"},
                **{f"turn_{w}": {w: "1"} for w in ("phi", "psi", "chi")},
            },
            "SE(2) x SO(2)^3",
        ),
    )
    return Exhibit(
        name="three-wheel-cart",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 12.0, "J": 1.1, "JW": 0.02, "JD": 0.011, "r": 0.15, "a": 0.25, "b": 0.3, "d": 0.7},
        start={"xi": 0.8, "Omega": 6.0, "v": -2.2},
        starts={"settles to a circle": {"xi": 1.2, "Omega": 6.0, "v": -0.9}, "straight": {"Omega": 8.0}},
        until=12.0,
        references=(f"{SOURCE}, §§12.1–12.4, (12.1)–(12.7)",),
        units={"m": "kg", "J": "kg m²", "JW": "kg m²", "JD": "kg m²", **dict.fromkeys(("r", "a", "b", "d", "u1", "u2"), "m")}
        | dict.fromkeys(("theta", "phi", "psi", "chi", "xi"), "rad")
        | {"Omega": "rad/(m s)", "v": "rad/s"},
        drawing=_drawing(),
        story=(
            "A tricycle without a rider. Its front wheel keeps turning at a constant rate, since nothing holds it; the cart's "
            "speed follows from the steering angle. The symmetry does not give the reduction it promises: it is not flat."
        ),
    )


def _wheel(angle: str) -> Rotation:
    """A wheel's axis, its third body axis, lies across the heading."""
    return ((f"cos({angle})", "0", f"sin({angle})"), (f"sin({angle})", "0", f"-cos({angle})"), ("0", "1", "0"))


def _drawing() -> Drawing:
    rear = ("u1 - a*cos(theta)", "u2 - a*sin(theta)")
    left = (f"{rear[0]} - b*sin(theta)", f"{rear[1]} + b*cos(theta)", "r")
    right = (f"{rear[0]} + b*sin(theta)", f"{rear[1]} - b*cos(theta)", "r")
    front = ("u1 + (d - a)*cos(theta)", "u2 + (d - a)*sin(theta)", "r")
    deck = ("u1 + (d/2 - a)*cos(theta)", "u2 + (d/2 - a)*sin(theta)", "2*r")
    size = {"radius": "r", "width": "r/4"}
    return Drawing(
        bodies=(
            Body("box", deck, heading("theta"), {"x": "d", "y": "1.2*b", "z": "r/3"}, label="deck"),
            Body("wheel", left, _wheel("theta"), size, colour="black", label="left"),
            Body("wheel", right, _wheel("theta"), size, colour="black", label="right"),
            Body("wheel", front, _wheel("xi"), size, colour="firebrick", label="front"),
        ),
        traces=(Trace((front[0], front[1], "0"), "front wheel"), Trace((rear[0], rear[1], "0"), "rear axle", "grey")),
        plots=(("u1", "u2"), ("t", "Omega"), ("t", "theta"), ("t", "xi")),
    )
