"""Problems on which integrators are compared: ``names()`` lists them, ``get(name)`` gives the Problem.

Reversible and integrable problems flatter every method [Modin and Verdier, Numerische Mathematik 145 (2020) 405]; this list
contains others too. A problem is a function under ``@problem(name)``, or a line of the table of exhibits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nonholo.errors import ModelError, meant
from nonholo.model.system import System

__all__ = ["Problem", "get", "names"]

MODIN_VERDIER, MCLACHLAN_PERLMUTTER = "after Modin, Verdier 2020", "McLachlan, Perlmutter 2006"
EXHIBITS: dict[str, tuple[str, float, bool, str]] = {
    "chaplygin-sleigh": ("Chaplygin sleigh", 0.05, False, "Zenkov 2016"),
    "chaplygin-sphere": ("Chaplygin sphere", 0.02, True, "Chaplygin 1903"),
    "rattleback": ("rattleback", 0.002, False, "gallery"),
    "rolling-disk": ("rolling disk", 0.01, True, "Bloch, Marsden, Zenkov 2009"),
    "spherical-pendulum": ("spherical pendulum", 0.2, True, "Zenkov 2016, 6.3"),
    "suslov": ("Suslov problem", 0.05, False, "Suslov 1902"),
    "vertical-disk": ("vertical rolling disk", 0.05, True, "Bloch, Marsden, Zenkov 2009"),
}
"""Exhibits of the gallery at their own start: title, step, whether reversed motions are of the same family, source."""


@dataclass(frozen=True)
class Problem:
    """A system with values and start of its own, the step at which methods are compared, and where the problem is from.

    ``turns_back`` says that reversing all velocities gives a motion of the same family (the same torus, where there are
    tori): then a symmetric method nearly conserves the energy on every motion. It is our judgement of the problem, not a
    measurement.
    """

    name: str
    title: str
    system: System
    step: float
    turns_back: bool
    source: str


_PROBLEMS: dict[str, Callable[[], Problem]] = {}


def problem(name: str) -> Callable[[Callable[[], Problem]], Callable[[], Problem]]:
    """Register the function that makes the problem of a name."""

    def register(make: Callable[[], Problem]) -> Callable[[], Problem]:
        _PROBLEMS[name] = make
        return make

    return register


def names() -> tuple[str, ...]:
    """The names of all problems.

    >>> "contact-oscillator" in names()
    True
    """
    return tuple(sorted([*_PROBLEMS, *EXHIBITS]))


def get(name: str) -> Problem:
    """The problem of a name.

    >>> get("contact-oscillator").system.coordinates
    ('x', 'y', 'z')
    """
    if name in _PROBLEMS:
        return _PROBLEMS[name]()
    if name in EXHIBITS:
        return _of_exhibit(name)
    listed = f"choose one of {', '.join(names())}."
    raise ModelError(f"problem: {name!r} is not known; {meant(name, names(), listed)}")


def _of_exhibit(name: str) -> Problem:
    from nonholo import gallery

    title, step, turns_back, source = EXHIBITS[name]
    exhibit = gallery.get(name)
    return Problem(name, title, exhibit.system, step, turns_back, source)


def _contact(name: str, pairs: int, more: str, start: dict[str, float], **words: Any) -> System:
    """A contact oscillator in 2n + 1 dimensions: the constraint ẋ + Σ y_i ż_i = 0, unit masses, potential ``(|q|² + more)/2``.

    [McLachlan and Perlmutter, J. Nonlinear Science 16 (2006) 283]
    """
    ys, zs = ([f"{letter}{k}" if pairs > 1 else letter for k in range(1, pairs + 1)] for letter in "yz")
    every = ["x", *ys, *zs]
    kinetic = " + ".join(f"{n}dot**2" for n in every)
    square = " + ".join(f"{n}**2" for n in every)
    return System(
        name,
        coordinates=" ".join(every),
        lagrangian=f"({kinetic})/2 - ({square}{more})/2",
        constraints=["xdot + " + " + ".join(f"{y}*{z}dot" for y, z in zip(ys, zs))],
        start=start,
        **words,
    )


@problem("contact-oscillator")
def contact_oscillator() -> Problem:
    """Harmonic, integrable and reversible. [McLachlan and Perlmutter 2006; integrable: Modin and Verdier, arXiv:1212.6618]"""
    system = _contact("contact oscillator", 1, "", {"x": 1.0, "y": 0.4, "z": 0.3, "ydot": 0.2, "zdot": 0.7})
    return Problem("contact-oscillator", "contact oscillator, 3 dimensions", system, 0.1, True, MCLACHLAN_PERLMUTTER)


@problem("contact-chaos")
def contact_chaos() -> Problem:
    """A coupling 0.6 x²z², at an energy where motions are chaotic."""
    start = {"x": 1.2, "y": 0.9, "z": 1.1, "ydot": 0.5, "zdot": -0.8}
    system = _contact("contact oscillator, coupled", 1, " + 0.6*x**2*z**2", start)
    return Problem("contact-chaos", "contact oscillator, 3 dimensions, coupled", system, 0.1, True, MCLACHLAN_PERLMUTTER)


@problem("contact-magnetic")
def contact_magnetic() -> Problem:
    """A magnetic field across y and z that varies with x: the energy is conserved and the motion is not reversible."""
    start = {"x": 1.2, "y": 0.9, "z": 1.1, "ydot": 0.5, "zdot": -0.8}
    field = {("y", "z"): "0.4 + 0.3*x"}
    system = _contact("contact oscillator, magnetic", 1, " + 0.6*x**2*z**2 + 0.5*y**4", start, magnetic=field)
    source = "ours: perturbed, not reversible"
    return Problem("contact-magnetic", "contact oscillator in a magnetic field", system, 0.05, False, source)


@problem("contact-5")
def contact_5() -> Problem:
    """Two pairs (y, z), harmonic."""
    start = {"x": 0.7, "y1": 0.4, "y2": -0.6, "z1": 0.5, "z2": 0.2, "y1dot": 0.3, "y2dot": 0.1, "z1dot": 0.6, "z2dot": -0.4}
    system = _contact("contact oscillator, 5", 2, "", start)
    return Problem("contact-5", "contact oscillator, 5 dimensions", system, 0.1, True, MCLACHLAN_PERLMUTTER)


@problem("contact-7-chaos")
def contact_7_chaos() -> Problem:
    """Three pairs (y, z) with couplings z1²z2² + Σ y_i²z_i²: chaotic at this energy."""
    start = {
        "x": 1.0, "y1": 0.6, "y2": 0.4, "y3": 0.2, "z1": 1.0, "z2": 0.8, "z3": 0.6, "y1dot": 0.1, "y2dot": 0.9, "y3dot": -0.3,
        "z1dot": 0.2, "z2dot": -0.5, "z3dot": 0.7,
    }  # fmt: skip
    more = " + z1**2*z2**2 + y1**2*z1**2 + y2**2*z2**2 + y3**2*z3**2"
    system = _contact("contact oscillator, 7, coupled", 3, more, start)
    return Problem("contact-7-chaos", "contact oscillator, 7 dimensions, coupled", system, 0.05, True, MCLACHLAN_PERLMUTTER)


def _transmission(name: str, ratio: str, start: dict[str, float]) -> System:
    """Two oscillators with the constraint ẋ = f(ξ) ẏ; the pendulum ξ is not affected by them."""
    return System(
        name,
        coordinates="x y xi",
        lagrangian="(xdot**2 + ydot**2 + xidot**2)/2 - (x**2 + 1.3*y**2)/2 + cos(xi)",
        constraints=[f"xdot - ({ratio})*ydot"],
        start=start,
    )


@problem("cvt-swinging")
def cvt_swinging() -> Problem:
    """f = sin ξ, odd in the angle of a swinging pendulum. [after Modin and Verdier 2020]"""
    start = {"x": 0.6, "y": 0.8, "xi": 0.9, "ydot": 0.5, "xidot": 0.4}
    system = _transmission("transmission, swinging", "sin(xi)", start)
    return Problem("cvt-swinging", "pendulum-driven CVT, symmetric", system, 0.1, True, MODIN_VERDIER)


@problem("cvt-turning")
def cvt_turning() -> Problem:
    """f = sin ξ + 0.6 cos 2ξ + 0.3: in reversed time the pendulum rotates the other way. [after Modin and Verdier 2020]"""
    start = {"x": 0.6, "y": 0.8, "xi": 0.2, "ydot": 0.5, "xidot": 2.3}
    system = _transmission("transmission, turning", "sin(xi) + 0.6*cos(2*xi) + 0.3", start)
    return Problem("cvt-turning", "pendulum-driven CVT, asymmetric", system, 0.1, False, MODIN_VERDIER)


@problem("heisenberg-potential")
def heisenberg_potential() -> Problem:
    """A particle with ż = (x ẏ − y ẋ)/2 in a potential that couples all three coordinates."""
    system = System(
        "Heisenberg particle in a potential",
        coordinates="x y z",
        lagrangian="(xdot**2 + 1.2*ydot**2 + 0.8*zdot**2)/2 - (x**2 + 1.4*y**2 + 0.7*z**2)/2 - 0.3*x*y*z - z**4/8",
        constraints=["zdot - (x*ydot - y*xdot)/2"],
        start={"x": 0.9, "y": 0.3, "z": 0.4, "xdot": 0.2, "ydot": 0.8},
    )
    source = "Bloch 2003, with a potential of ours"
    return Problem("heisenberg-potential", "Heisenberg particle in a potential", system, 0.1, True, source)


@problem("theorem-5-3")
def theorem_5_3() -> Problem:
    """A commutative Chaplygin system whose relative equilibria attract or repel [Zenkov 2016, Theorem 5.3].

    Shape r, symmetry g of the reduced motion; (x, y) follow in directions that turn with g.
    """
    system = System(
        "commutative Chaplygin system",
        coordinates="r g x y",
        lagrangian="rdot**2/2 + (0.6 + 0.2*r)*gdot**2/2 + (xdot**2 + ydot**2)/2 - 1.4*r**2/2",
        constraints=[
            "xdot - cos(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) + sin(g)*(0.5 + 0.4*r)*gdot",
            "ydot - sin(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) - cos(g)*(0.5 + 0.4*r)*gdot",
        ],
        quasivelocities={"u": "rdot", "w": "gdot"},
        start={"r": 0.6, "u": 0.1, "w": -1.0},
    )
    source = "Zenkov 2016, Theorem 5.3; numbers ours"
    return Problem("theorem-5-3", "commutative Chaplygin system", system, 0.1, False, source)
