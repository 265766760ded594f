"""A ball inside a vertical cylinder: it goes round at a constant rate and rises and falls harmonically."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.gallery._ball import UNITS, ball, curve, drawing
from nonholo.gallery.exhibit import Exhibit

TITLE = "Ball in a vertical cylinder"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §10"

SOURCE = "MacDonnell 1997"
PATH = curve("a", "s", "a")


def exhibit() -> Exhibit:
    """A solid ball; ``a`` is the distance of its centre from the axis, the cylinder's radius is a + ρ."""
    system = ball("ball in a cylinder", PATH)
    start = {"Omega1": 5.0, "Omega2": -240.0, "roll": 6.0}
    values = {"m": 0.2, "J": 0.0002, "rho": 0.05, "g": 9.81, "a": 0.35}
    return Exhibit(
        name="ball-in-cylinder",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters=values,
        start=start,
        starts={"falls straight": {"Omega1": 5.0, "roll": 6.0}, "level circle": {"Omega1": level(values), "Omega2": -240.0}},
        until=4.0,
        references=(f"{SOURCE}, §§10.1–10.6, (10.13), (10.14)", "Routh 1905, Article 230", "Gualtieri et al. 2006"),
        units={**UNITS, "a": "m", "s": "m"},
        drawing=drawing(PATH, ("-0.5", "0.2"), (("t", "s"), ("t", "Omega1"), ("theta", "s"), ("t", "sdot"))),
        story=(
            "A ball thrown into an upright pipe does not roll down. It turns at a constant rate and bobs up and down "
            "harmonically, sqrt(2/7) times for each turn if it is solid: the golf ball that leaves the hole again."
        ),
    )


def level(values: Mapping[str, float]) -> float:
    """Ω1 that keeps the ball level when Ω2 = −240: ``Ω1 = −m g/(J Ω2)``, where s = s0."""
    return values["m"] * values["g"] / (values["J"] * 240.0)
