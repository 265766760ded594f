"""A particle in space whose momentum is constant only in a frame that stretches with the shape variable."""

from __future__ import annotations

from typing import Any

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.geometry.frames.frame import Frame
from nonholo.model.symmetry_declaration import translation
from nonholo.model.system import System

TITLE = "Momentum conserved in a stretched frame"
GROUP = "Particles"
PAPERS = "BMZ 2009 §4.3 (example)"


def exhibit(b: str = "b0 + b1*sin(r)", potential: str = "k/2*r**2") -> Exhibit:
    """``L = ½(ṙ² + (1 − b²) ṡ1² + ṡ2²) − V(r)`` with ``ṡ2 = b(r) ṡ1``; ``b`` and ``potential`` are texts in r, b0, b1, k."""
    words: dict[str, Any] = {
        "parameters": "b0 b1 k",
        "lagrangian": f"(rdot**2 + (1 - ({b})**2)*s1dot**2 + s2dot**2)/2 - ({potential})",
    }
    stretched = Frame(
        "r s1 s2",
        velocities="v1 v2 v3",
        parameters="b0 b1 k",
        anchor=[["1", "0", "0"], ["0", f"exp(-({b})**2/2)", "0"], ["0", f"({b})*exp(-({b})**2/2)", "1"]],
    )
    return Exhibit(
        name="gauge-momentum",
        title=TITLE,
        group=GROUP,
        system=System(
            name="gauge momentum",
            coordinates="r s1 s2",
            constraints=[f"s2dot - ({b})*s1dot"],
            symmetry=translation("s1", "s2"),
            **words,
        ),
        parameters={"b0": 0.3, "b1": 0.9, "k": 1.4},
        start={"r": 0.5, "rdot": 1.1, "s1dot": 0.7},
        until=12.0,
        references=("BMZ 2009, §4.3, Example after Corollary 4.5, (4.12)",),
        units={"b0": "1", "b1": "1", "k": "1/s²", "r": "m", "s1": "m", "s2": "m"},
        variants={
            "stretched frame": System(
                name="gauge momentum, stretched frame", frame=stretched, constraints=["v3"], **words
            )
        },
        drawing=Drawing(
            bodies=(
                Body("sphere", ("r", "s1", "s2"), size={"radius": "0.14"}, label="particle"),
                Body(
                    "arrow",
                    ("r", "s1", "s2"),
                    size={"x": "0", "y": "1", "z": b},
                    colour="black",
                    label="allowed direction",
                ),
            ),
            traces=(Trace(("r", "s1", "s2"), "path"),),
            ground="none",
            plots=(("t", "r"), ("t", "s1dot"), ("s1", "s2")),
        ),
        story=(
            "Nothing depends on s1 and s2, and yet neither momentum is constant: the constraint turns the allowed direction "
            "as r changes. Stretch that direction by exp(−b²/2) and the momentum along it stands still."
        ),
    )
