"""A stone cut as a paraboloid whose axes of inertia are turned against those of its surface, in plain text."""

from __future__ import annotations

import nonholo as nh

ENERGY = 752.0

_REACH = "(-a1*R31/R33)", "(-a2*R32/R33)", "(-h + (a1*R31**2 + a2*R32**2)/(2*R33**2))"
"""From the centre of mass to the contact, where the vertical in the body is (R31, R32, R33)."""
_ARM = tuple(f"(w{i}*{_REACH[j - 1]} - w{j}*{_REACH[i - 1]})" for i, j in ((2, 3), (3, 1), (1, 2)))
"""``w × ρ``."""


def _along(row: int, vector: tuple[str, ...]) -> str:
    return "(" + " + ".join(f"R{row}{k}*{part}" for k, part in enumerate(vector, 1)) + ")"


STONE = nh.System(
    name="stone cut as a paraboloid",
    frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"),
    lagrangian=f"m/2*(xdot**2 + ydot**2 + {_along(3, _ARM)}**2) + m*g*{_along(3, _REACH)} "
    "+ A/2*(w1*cos(delta) + w2*sin(delta))**2 + B/2*(w2*cos(delta) - w1*sin(delta))**2 + C/2*w3**2",
    constraints=[f"xdot + {_along(1, _ARM)}", f"ydot + {_along(2, _ARM)}"],
    parameters={"m": 1.0, "g": 100.0, "a1": 9.0, "a2": 4.0, "h": 1.0, "delta": 0.485, "A": 2.0, "B": 6.0, "C": 7.0},
)
"""Gonchenko, Gonchenko and Kazakov 2013; the values are from memory. Energy is counted from the plane."""
