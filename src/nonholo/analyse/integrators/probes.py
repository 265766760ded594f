"""Small systems that tell methods apart: generic numbers, no helpful symmetry, a closed form where one is needed."""

from __future__ import annotations

from functools import lru_cache

from nonholo.geometry.groups.matrix_groups import Vertical
from nonholo.model.system import System


@lru_cache(maxsize=1)
def skate() -> System:
    """An unbalanced skate on a spring: a velocity constraint, a potential, and nothing conserved but the energy."""
    return System(
        "unbalanced skate", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4},
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
        " - m*x**2/2 - y**4/5",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},  # one frame, wherever a motion begins
        start={"theta": 0.3, "x": 0.5, "y": 0.2, "omega": 0.9, "v": 0.4},
    )  # fmt: skip


@lru_cache(maxsize=1)
def driver() -> System:
    """Two oscillators behind a gear that a turning pendulum sets: what flatters methods on other problems is missing here."""
    return System(
        "transmission", coordinates="x y xi",
        lagrangian="(xdot**2 + ydot**2 + xidot**2)/2 - (x**2 + 1.3*y**2)/2 + cos(xi)",
        constraints=["xdot - (sin(xi) + 0.6*cos(2*xi) + 0.3)*ydot"],
        start={"x": 0.6, "y": 0.8, "xi": 0.2, "ydot": 0.5, "xidot": 2.3},
    )  # fmt: skip


@lru_cache(maxsize=1)
def bead() -> System:
    """A bead on a surface of revolution: the momentum ``m r² φ̇``."""
    return System(
        "bead", coordinates="r phi", parameters={"m": 1.7, "k": 2.3},
        lagrangian="m/2*((1 + r**2)*rdot**2 + r**2*phidot**2) - k*r**4/4",
        start={"r": 0.8, "phi": 0.1, "rdot": 0.4, "phidot": 1.2},
    )  # fmt: skip


@lru_cache(maxsize=1)
def particle() -> System:
    """The nonholonomic particle ``ż = y ẋ`` on springs: ``√(1 + y²)`` is the density of an invariant measure in (x, y, z, ẋ,
    ẏ)."""
    return System(
        "particle", coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - (x**2 + 1.4*y**2)/2",
        constraints=["zdot - y*xdot"], quasivelocities={"u": "xdot", "w": "ydot"},
        start={"x": 0.4, "y": 0.7, "z": 0.1, "u": 0.8, "w": -0.5},
    )  # fmt: skip


@lru_cache(maxsize=1)
def steady() -> System:
    """A commutative Chaplygin system with relative equilibria ``r = r_e``, ``ġ = Ω`` that attract for Ω > 0 and repel for Ω < 0.

    The group of translations (x, y) is carried along in directions that turn with g, as wheels do.
    """
    return System(
        "turning", coordinates="r g x y",
        lagrangian="rdot**2/2 + (0.6 + 0.2*r)*gdot**2/2 + (xdot**2 + ydot**2)/2 - 1.4*r**2/2",
        constraints=[
            "xdot - cos(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) + sin(g)*(0.5 + 0.4*r)*gdot",
            "ydot - sin(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) - cos(g)*(0.5 + 0.4*r)*gdot",
        ],
        quasivelocities={"u": "rdot", "w": "gdot"}, start={"r": 0.4, "u": 0.0, "w": 1.0},
    )  # fmt: skip


@lru_cache(maxsize=1)
def pendulum() -> System:
    """The spherical pendulum in the vertical γ, as a degenerate body."""
    return System(
        "pendulum", frame=Vertical("gamma", rates="xi1 xi2 xi3"), parameters={"m": 1.2, "r": 0.9, "g": 9.81},
        lagrangian="m*r**2*(xi1**2 + 1.3*xi2**2)/2 - m*g*r*gamma3 - 0.4*gamma1", constraints=["xi3"],
        start={"gamma1": 0.6, "gamma2": 0.0, "gamma3": -0.8, "xi1": 0.7, "xi2": 1.1},
    )  # fmt: skip
