"""What is written down of a system before nonholo is asked, and letters that several of them share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import nonholo as nh


@dataclass(frozen=True)
class Exam:
    """A system and what is known of it."""

    reference: str
    words: dict[str, Any]
    known: tuple[str, ...] = ()
    energy: bool = True
    momenta: int = 0
    """How many integrals linear in the velocities there are at least."""
    group: int = 0
    """The dimension of the group that it is reduced by, at least; 0 where it cannot be reduced."""
    measure: str = ""
    """``holds`` or ``fails`` where it is known."""
    integrable: bool = False
    start: dict[str, float] = field(default_factory=dict)

    def system(self, name: str) -> nh.System:
        return nh.System(name=name, **self.words)


def spatial(plain: str, first: bool = False) -> nh.Frame:
    ball, place = nh.SO3("Q", rates="p q s", side="spatial"), nh.Euclidean(plain)
    return place * ball if first else ball * place


SLEIGH = "m*((xdot - a*sin(phi)*phidot)**2 + (ydot + a*cos(phi)*phidot)**2)/2 + J*phidot**2/2"
BALL = {"m": 1.1, "I": 0.3, "r": 0.5}
BODY = {"A": 0.9, "B": 0.7, "C": 0.55, "m": 1.2, "r": 0.6}
SLED = {"m": 1.3, "J": 0.5, "a": 0.37}
K = "sqrt(I/(I + m*r**2))"
NORMAL = "(q*sin(f) + s*cos(f))"
E1 = ("(e0**2 + e1**2 - e2**2 - e3**2)", "2*(e1*e2 - e0*e3)", "2*(e1*e3 + e0*e2)")
E2 = ("2*(e1*e2 + e0*e3)", "(e0**2 - e1**2 + e2**2 - e3**2)", "2*(e2*e3 - e0*e1)")
E3 = ("2*(e1*e3 - e0*e2)", "2*(e2*e3 + e0*e1)", "(e0**2 - e1**2 - e2**2 + e3**2)")
OMEGA = ("o1", "o2", "o3")


def along(row: tuple[str, ...], vector: tuple[str, ...]) -> str:
    return "(" + " + ".join(f"{a}*({b})" for a, b in zip(row, vector)) + ")"
