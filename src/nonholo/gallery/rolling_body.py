"""Any axially symmetric body rolls on a plane, given by its profile: the height h(θ) of its centre of mass."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery import _axisymmetric_facts as shared
from nonholo.gallery._along import attitude, largest_rate
from nonholo.gallery._axisymmetric import THETA, Profile, along_axis, axisymmetric, contact, profile
from nonholo.gallery._axisymmetric_facts import body_flows, precession
from nonholo.gallery._rolling import SPATIAL_UNITS, agrees_with_newton, contact_trace, place_of
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, matrix_of
from nonholo.notation.write import to_text

TITLE = "Axially symmetric rolling body, by its profile"
GROUP = "MacDonnell"
PAPERS = "MacDonnell 1997 §9"

SOURCE = "MacDonnell 1997"
READY: dict[str, tuple[str, dict[str, float]]] = {
    "egg": ("sqrt(p**2*sin(theta)**2 + q**2*cos(theta)**2) + e*cos(theta)", {"p": 0.2, "q": 0.3, "e": 0.04}),
    "disk": ("p*sin(theta)", {"p": 0.3}),
    "wheel": ("p*sin(theta) + b", {"p": 0.3, "b": 0.04}),
    "sphere": ("p + e*cos(theta)", {"p": 0.25, "e": 0.05}),
}
"""Ready profiles: an egg (ellipsoid of revolution), a sharp disk, a wheel with a round rim, a ball; e is an offset."""
RANGE = {"s0": "0.01", "s1": "pi - 0.01", "r0": "0", "r1": "2*pi"}


def exhibit(
    profile: str = "egg",
    h: str | None = None,
    a: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Exhibit:
    """A ready profile by name, or your own by ``h`` (and ``a``) as texts in ``theta`` with values for their parameters.

    ``a`` follows from ``h' = −a sin θ``; when both are given, the condition is checked.
    """
    shape, own = _shape(profile, h, a, parameters)
    system = axisymmetric("rolling body", shape)
    touch, none = contact(shape), se.Integer(0)
    centre = place_of((none, none, none), touch)
    span = _span(shape, own)
    generic = (
        ("the adjoint equation in its four forms", "(9.10)–(9.13)", shared.adjoint),
        ("the reduced kinetic energy, potential and motion of θ", "§9.6", shared.reduced),
        ("the brackets of the aligned basis and flatness", "(9.7)–(9.9), Propositions 9.4.1, 9.4.2", shared.brackets),
        ("h is the body's support function (the condition h' = −a sin θ)", "§9.1, corrected", shared.lowest),
    )
    axis = {"length": to_text(se.RealDouble(span))}
    return Exhibit(
        name="rolling-body",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.8, "g": 9.81, "J1": 0.021, "J3": 0.013, **own},
        start={**attitude(0.0, 1.2, 0.0), "w1": 0.5, "w2": 3.0, "w3": 6.0},
        starts={"rolling": {**attitude(0.0, 1.4, 0.0), "w3": 9.0}, "spinning": {**attitude(0.0, 1.5, 0.0), "w2": 12.0}},
        until=6.0,
        references=(f"{SOURCE}, §§9.1–9.6, (9.1)–(9.13)", "Gallop 1903", "Routh 1905, Article 241a"),
        units={**SPATIAL_UNITS, "J1": "kg m²", "J3": "kg m²", **dict.fromkeys(own, "m")},
        facts=(
            *(Fact(claim, f"{SOURCE} {source}", partial(_generic, test, shape)) for claim, source, test in generic),
            Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler", partial(newton, shape)),
            Fact("along the motion ϖ3 and Ω2 are functions of θ", f"{SOURCE} (9.10), (9.11)", partial(along, shape)),
            Fact("the disk's spin obeys Legendre's equation: two integrals by 2F1", f"{SOURCE} §9.5, rolling disk", legendre),
        ),
        drawing=Drawing(
            bodies=(
                Body("surface", centre, matrix_of("R"), RANGE, _skin(shape, own), label="body"),
                Body("rod", centre, along_axis(), axis, colour="black", label="axis"),
            ),
            traces=(Trace(contact_trace(touch), "contact"), Trace(centre, "centre of mass", "grey")),
            plots=(("t", "R33"), ("t", "w3"), ("x", "y")),
        ),
        story=(
            "Egg, coin, wheel or ball: every body of revolution that rolls on a plane is known by one function, the height "
            "of its centre over the plane at each tilt. All of them reduce to one degree of freedom, the tilt, in a potential."
        ),
    )


def _shape(
    name: str, h: str | None, a: str | None, parameters: Mapping[str, float] | None
) -> tuple[Profile, dict[str, float]]:
    if h is None:
        if a is not None:
            raise ModelError("rolling body: a is given without h; give h(theta), the height of the centre of mass.")
        if name not in READY:
            raise ModelError(f"rolling body: no profile {name!r}; choose from {', '.join(READY)}, or give h=… in theta.")
        text, values = READY[name]
        stray = [k for k in parameters or {} if k not in values]
        if stray:
            raise ModelError(f"rolling body: the profile {name!r} has no parameter {stray[0]!r}; it has {', '.join(values)}.")
        values = {**values, **(parameters or {})}
        return profile(text, None, list(values), values), values
    own = {str(k): float(v) for k, v in (parameters or {}).items()}
    return profile(h, a, list(own), own), own


def _skin(shape: Profile, own: Mapping[str, float]) -> tuple[str, str, str]:
    """The surface in the body: radius ``r sin θ`` at ``−d`` along the axis; s is θ, r the angle around."""
    clash = {se.Symbol(n): se.RealDouble(own[n]) for n in ("r", "s") if n in own}
    table = {THETA: se.Symbol("s")}
    wide, deep = ((e.xreplace(clash)).xreplace(table) for e in (shape.r * se.sin(THETA), -shape.d))
    around = se.Symbol("r")
    return (to_text(wide * se.cos(around)), to_text(wide * se.sin(around)), to_text(deep))


def _span(shape: Profile, own: Mapping[str, float]) -> float:
    """Twice the body's size along its axis, for the drawing of the axis."""
    at, fixed = shared.profile_numbers(shape), SimpleNamespace(**own)
    return float(max(2.4 * max(abs(at(t, fixed).d), at(t, fixed).h) for t in np.linspace(0.1, 3.0, 30)))


def _generic(test: Any, shape: Profile, exhibit: Exhibit) -> Finding:
    found: Finding = test(shape, exhibit.system, exhibit.parameters)
    return found


def newton(shape: Profile, exhibit: Exhibit) -> Finding:
    """ω̇ against Newton's and Euler's laws with the contact force eliminated."""
    return agrees_with_newton(exhibit, shared.contact_numbers(shape), lambda v: np.diag([v["J1"], v["J1"], v["J3"]]))


def along(shape: Profile, exhibit: Exhibit) -> Finding:
    """The momenta along a run against the adjoint equation integrated over θ."""
    return shared.along_the_run(shape, exhibit.system, exhibit.parameters, exhibit.start, 2.0)


def legendre(exhibit: Exhibit) -> Finding:
    """``d/dp{(1 − p²) dϖ3/dp} = k ϖ3``, ``k = J3 m ρ²/(J1(J3 + m ρ²))``, ``p = cos θ``, with ``dϖ3/dp = −m ρ² Ω2/(J3 + m ρ²)``.

    Two solutions are ``F(±p) = 2F1(α, 1 − α; 1; (1 ∓ p)/2)``, ``α(1 − α) = k``; what stands before them is constant.
    """
    import mpmath

    shape = profile("rho*sin(theta)", None, "rho")
    values = {n: exhibit.parameters[n] for n in ("m", "g", "J1", "J3")} | {"rho": 0.31}
    arm = values["m"] * values["rho"] ** 2
    k = values["J3"] * arm / (values["J1"] * (values["J3"] + arm))

    def solution(p: Any) -> tuple[Any, Any]:
        z, alpha = (1 - mpmath.mpc(p)) / 2, mpmath.mpf(1) / 2 + mpmath.sqrt(mpmath.mpf(1) / 4 - k)
        return mpmath.hyp2f1(alpha, 1 - alpha, 1, z), -k / 2 * mpmath.hyp2f1(1 + alpha, 2 - alpha, 2, z)

    def constants(s: Any) -> Any:
        with mpmath.workdps(60):  # α is complex: its rounding must stay below the complex step
            value, slope = mpmath.mpc(s.w3), mpmath.mpc(-arm / (s.J3 + arm) * precession(s))
            (one, done), (two, dtwo) = solution(s.R33), solution(-s.R33)
            wronskian = -one * dtwo - done * two
            first, second = (-value * dtwo - slope * two) / wronskian, (one * slope - done * value) / wronskian
            return np.array([complex(first), complex(second)])

    system = axisymmetric("rolling disk", shape)
    worst = largest_rate(body_flows(system, values), constants)
    return bounded("ϖ3 = A F(cos θ) + B F(−cos θ) with constant A, B", worst, 1e-11, f"k = {k:.4g}; limit 1e-11")


__all__ = ["READY", "exhibit"]
