"""Axially symmetric rolling body, by its profile: published facts and closed forms, with their tests."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._axisymmetric import Profile, axisymmetric, profile
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.rolling_body import SOURCE
from nonholo_papers.facts import _axisymmetric_bodies as shared
from nonholo_papers.facts._axisymmetric_bodies import body_flows, precession
from nonholo_papers.facts._newton_euler import agrees_with_newton
from nonholo_papers.facts._random_states import largest_rate


def body_profile(exhibit: Exhibit) -> Profile:
    """The profile of an exhibit's body."""
    own = {n: e for n, e in exhibit.parameters.items() if n not in ("m", "g", "J1", "J3")}
    return profile(str(exhibit.options["h"]), str(exhibit.options["a"]) or None, list(own), own)


def _generic(test: Any, exhibit: Exhibit) -> Finding:
    found: Finding = test(body_profile(exhibit), exhibit.system, exhibit.parameters)
    return found


def newton(exhibit: Exhibit) -> Finding:
    """ω̇ against Newton's and Euler's laws with the contact force eliminated."""
    shape = body_profile(exhibit)
    return agrees_with_newton(exhibit, shared.contact_numbers(shape), lambda v: np.diag([v["J1"], v["J1"], v["J3"]]))


def along(exhibit: Exhibit) -> Finding:
    """The momenta along a run against the adjoint equation integrated over θ."""
    shape = body_profile(exhibit)
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


FACTS = (
    Fact("the adjoint equation in its four forms", f"{SOURCE} (9.10)–(9.13)", partial(_generic, shared.adjoint)),
    Fact(
        "the reduced kinetic energy, potential and motion of θ",
        f"{SOURCE} §9.6",
        partial(_generic, shared.reduced),
    ),
    Fact(
        "the brackets of the aligned basis and flatness",
        f"{SOURCE} (9.7)–(9.9), Propositions 9.4.1, 9.4.2",
        partial(_generic, shared.brackets),
    ),
    Fact(
        "h is the body's support function (the condition h' = −a sin θ)",
        f"{SOURCE} §9.1, corrected",
        partial(_generic, shared.lowest),
    ),
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler", newton),
    Fact("along the motion ϖ3 and Ω2 are functions of θ", f"{SOURCE} (9.10), (9.11)", along),
    Fact("the disk's spin obeys Legendre's equation: two integrals by 2F1", f"{SOURCE} §9.5, rolling disk", legendre),
)
