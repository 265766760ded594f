"""The Euler top: a free rigid body turning about its centre of mass."""

from __future__ import annotations

from nonholo.gallery._rigid import UNITS, formulations
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of

TITLE = "Euler top (free rigid body)"
GROUP = "Tops and pendulums"
PAPERS = "BMZ 2009 §1, §2.5, (5.2), Theorem 5.1; Notices 2005 (12)"


def exhibit() -> Exhibit:
    """A free rigid body by its rotation matrix and body angular velocity, Ṙ = R ŵ."""
    forms = formulations("Euler top", "I1 I2 I3")
    system = forms.pop("rotation matrix")
    return Exhibit(
        name="euler-top",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"I1": 0.9, "I2": 1.6, "I3": 2.2},
        start={"w1": 0.05, "w2": 2.0, "w3": 0.1},
        starts={
            "about the smallest axis": {"w1": 2.0, "w2": 0.2, "w3": 0.1},
            "about the largest axis": {"w2": 0.2, "w3": 2.0},
        },
        until=30.0,
        references=("Euler 1752", "BMZ 2009, (2.23), (5.2), (5.3), Theorem 5.1", "Notices 2005, (12), Theorem 6"),
        units=UNITS,
        variants=forms,
        drawing=Drawing(
            bodies=(
                Body("ellipsoid", ("0", "0", "0"), matrix_of("R"), _semi_axes(), label="body"),
                Body(
                    "arrow", ("0", "0", "0"), size=_spatial("I1*w1", "I2*w2", "I3*w3"), colour="black", label="momentum"
                ),
            ),
            traces=(Trace(("R12", "R22", "R32"), "middle axis"), Trace(("R13", "R23", "R33"), "largest axis", "grey")),
            ground="none",
            plots=(("t", "w1"), ("t", "w2"), ("t", "w3"), ("w1", "w3")),
        ),
        story=(
            "A body thrown without torque. Its momentum stands still in space and wanders over a sphere as the body sees "
            "it; spun about the middle axis it tumbles over and over, which is why a tossed tennis racket flips."
        ),
    )


def _semi_axes() -> dict[str, str]:
    """The solid ellipsoid of unit density scale with these moments of inertia, ``a² ∝ I2 + I3 − I1``."""
    return {"a": "sqrt(I2 + I3 - I1)/2", "b": "sqrt(I1 + I3 - I2)/2", "c": "sqrt(I1 + I2 - I3)/2"}


def _spatial(*body: str) -> dict[str, str]:
    """A body vector's components in space, for an arrow."""
    return {n: " + ".join(f"R{i}{j + 1}*{b}" for j, b in enumerate(body)) for i, n in enumerate("xyz", 1)}
