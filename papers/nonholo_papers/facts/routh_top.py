"""Routh's top (spherical foot): published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.routh_top import SHAPE, SOURCE
from nonholo_papers.facts import _axisymmetric_bodies as shared
from nonholo_papers.facts._axisymmetric_bodies import angle, angle_rate, body_flows, precession
from nonholo_papers.facts._newton_euler import agrees_with_newton, spin_matrix
from nonholo_papers.facts._random_states import STEP, Vector, largest, largest_gap, largest_rate
from nonholo_papers.so3 import matrix


def _generic(test: Any, exhibit: Exhibit) -> Finding:
    found: Finding = test(SHAPE, exhibit.system, exhibit.parameters)
    return found


def _root(s: Any) -> Any:
    """``1/β² = J1(J3 + m r² sin²θ) + m J3 (a + r cos θ)²``."""
    return s.J1 * (s.J3 + s.m * s.r**2 * (1 - s.R33**2)) + s.m * s.J3 * (s.a + s.r * s.R33) ** 2


def _jellett(s: Any) -> Any:
    """``C1 = (a + r cos θ) J3 ϖ3 + r sin²θ J1 Ω2``."""
    return (s.a + s.r * s.R33) * s.J3 * s.w3 + s.r * s.J1 * (1 - s.R33**2) * precession(s)


def _routh(s: Any) -> Any:
    """``C2 = ϖ3/β``."""
    return s.w3 * np.sqrt(_root(s))


def integrals(exhibit: Exhibit) -> Finding:
    """``C1 = (a + r cos θ) J3 ϖ3 + r sin²θ J1 Ω2``, ``C2 = ϖ3 sqrt(J1(J3 + m r² sin²θ) + m J3 (a + r cos θ)²)`` [§9.5]."""
    worst = largest_rate(body_flows(exhibit.system, exhibit.parameters), _jellett, _routh)
    return bounded("C1 (Jellett) and C2 (Routh) are constant", worst, 1e-12)


def noether(exhibit: Exhibit) -> Finding:
    """``C1 = a w3·WJω + r e3·WJω``; σ = (a e3 + r Wᵀe3, 0) keeps x, so that it moves W alone and preserves L [§9.5]."""
    gaps = []
    for s, _ in body_flows(exhibit.system, exhibit.parameters):
        W, w = matrix(s), np.array([s.w1, s.w2, s.w3])
        body = W @ (np.array([s.J1, s.J1, s.J3]) * w)
        gaps.append((s.a * W[:, 2] @ body + s.r * body[2]) / _jellett(s) - 1)
        # a γ1 + r γ2 has no part in x
        around = np.cross([0, 0, 1], W[:, 2])
        gaps.append(s.a * (-s.r * around) + s.r * s.a * around)
    return bounded("C1 = a w3·WJω + r e3·WJω", largest(gaps), 1e-12)


def _solution(theta: Any, one: float, two: float, s: Any) -> tuple[Any, Any]:
    """``(ϖ3, Ω2)`` by the constants [§9.5]."""
    at = SimpleNamespace(**{**vars(s), "R33": np.cos(theta)})
    spin = two / np.sqrt(_root(at))
    return spin, (one - s.J3 * (s.a + s.r * np.cos(theta)) * spin) / (s.r * s.J1 * np.sin(theta) ** 2)


def solution(exhibit: Exhibit) -> Finding:
    """``K(γ_i, γ_k)Ω_k`` of the solution has the derivative that (9.10), (9.11) ask for, at generic C1, C2 and θ."""
    s = SimpleNamespace(**exhibit.parameters)
    at = shared.profile_numbers(SHAPE)
    one, two = 0.7 * s.J3, 0.4 * s.J3

    def momenta(theta: Any) -> Vector:
        spin, around = _solution(theta, one, two, s)
        return shared.metric(theta, at(theta, s), s) @ np.array([spin - np.cos(theta) * around, around])

    gaps = []
    for theta in (0.6, 1.3, 2.2):
        spin, around = _solution(theta, one, two, s)
        wanted = shared.drive(theta, at(theta, s), s) @ np.array([spin - np.cos(theta) * around, around])
        found = np.imag(momenta(theta + 1j * STEP)) / STEP
        gaps.append((found - wanted) / np.max(np.abs(momenta(theta))))
    return bounded("the solution by C1 and C2 satisfies (9.10) and (9.11)", largest(gaps), 1e-11)


def _potential(theta: Any, one: float, two: float, s: Any) -> tuple[Any, Any]:
    """Both printed forms of Ū [§9.6]."""
    at = SimpleNamespace(**{**vars(s), "R33": np.cos(theta)})
    reach, root, sine2 = s.a + s.r * np.cos(theta), np.sqrt(_root(at)), np.sin(theta) ** 2
    weight = s.m * s.g * (s.r + s.a * np.cos(theta))
    open_form = one**2 * (s.J1 + s.m * reach**2) - 2 * one * two * reach * root
    open_form += two**2 * (s.J1 * s.r**2 * sine2 + s.J3 * reach**2)
    square = (one * root - two * s.J3 * reach) ** 2 / (2 * s.r**2 * s.J1**2 * s.J3 * sine2)
    return weight + open_form / (2 * s.r**2 * s.J1**2 * sine2), weight + square + (two**2 - s.m * one**2 / s.J3) / (2 * s.J1)


def potential(exhibit: Exhibit) -> Finding:
    """Ū, in both forms, is the energy less ``½{J1 + m(a² + 2 a r cos θ + r²)} θ̇²`` [MacDonnell 1997 §9.6]."""
    gaps = []
    moving = body_flows(exhibit.system, exhibit.parameters)
    for s, _ in moving:
        theta = angle(s)
        height = s.r + s.a * s.R33
        rise = -s.a * np.sin(theta) * angle_rate(s)
        spin = s.J1 * (s.w1**2 + s.w2**2) + s.J3 * s.w3**2 + s.m * (s.xdot**2 + s.ydot**2 + rise**2)
        inertia = s.J1 + s.m * (s.a**2 + 2 * s.a * s.r * s.R33 + s.r**2)
        left = spin / 2 + s.m * s.g * height - inertia * angle_rate(s) ** 2 / 2
        gaps += [found / left - 1 for found in _potential(theta, _jellett(s), _routh(s), s)]

    def force(s: Any, r: Any) -> Any:
        one, two = _jellett(s), _routh(s)
        pull = np.imag(_potential(angle(s) + 1j * STEP, one, two, s)[1]) / STEP
        return -s.m * s.a * s.r * np.sin(angle(s)) * angle_rate(s) ** 2 - pull

    def momentum(s: Any) -> Any:
        return (s.J1 + s.m * (s.a**2 + 2 * s.a * s.r * s.R33 + s.r**2)) * angle_rate(s)

    return bounded("Ū in both forms, and θ's motion in it", max(largest(gaps), largest_gap(moving, momentum, force)), 1e-10)


def _series(z: Any, one: Any, two: Any, p: Mapping[str, Any]) -> Any:
    """``S(z) = C1 sqrt(J1(J3 + m r²(1 − z²)) + m J3 (a + r z)²) − C2 J3 (a + r z)`` [§9.7]."""
    import mpmath

    root = p["J1"] * (p["J3"] + p["m"] * p["r"] ** 2 * (1 - z**2)) + p["m"] * p["J3"] * (p["a"] + p["r"] * z) ** 2
    return one * mpmath.sqrt(root) - two * p["J3"] * (p["a"] + p["r"] * z)


def _ends(exhibit: Exhibit, z: int) -> tuple[float, float]:
    """With ``S(z) = 0`` at an end z = ±1: S'(z) over C2, and U'' there less its gravity part, by mpmath's derivatives."""
    import mpmath

    with mpmath.workdps(40):
        p = {n: mpmath.mpf(e) for n, e in exhibit.parameters.items()}
        two = mpmath.mpf("0.002")
        reach = p["a"] + z * p["r"]
        one = two * p["J3"] * reach / mpmath.sqrt(p["J1"] * p["J3"] + p["m"] * p["J3"] * reach**2)
        steep = mpmath.diff(lambda x: _series(x, one, two, p), z)

        def hill(theta: Any) -> Any:
            if abs(mpmath.sin(theta)) < mpmath.mpf(10) ** -30:
                return mpmath.mpf(0)  # S² has a double zero here
            s = _series(mpmath.cos(theta), one, two, p)
            return s**2 / (2 * p["r"] ** 2 * p["J1"] ** 2 * p["J3"] * mpmath.sin(theta) ** 2)

        middle = 0 if z > 0 else mpmath.pi
        step = mpmath.mpf(10) ** -8
        bend = (hill(middle + step) - 2 * hill(middle) + hill(middle - step)) / step**2
        return float(steep / two), float(bend / two**2)


def upright(exhibit: Exhibit) -> Finding:
    """``S'(+1) = −C2 r J1 [J3 + m r(a + r)]/(J1 + m(a + r)²)``, ``U''(0) = −m g a + S'(+1)²/(4 r² J1² J3)`` [§9.7, case 3]."""
    s = SimpleNamespace(**exhibit.parameters)
    steep, bend = _ends(exhibit, 1)
    wanted = -s.r * s.J1 * (s.J3 + s.m * s.r * (s.a + s.r)) / (s.J1 + s.m * (s.a + s.r) ** 2)
    gaps = (steep / wanted - 1, bend * 4 * s.r**2 * s.J1**2 * s.J3 / wanted**2 - 1)
    return bounded("S'(+1) and U''(0)", largest(gaps), 1e-8)


def inverted(exhibit: Exhibit) -> Finding:
    """``S'(−1) = C2 r J1 [m r(a − r) − J3]/(J1 + m(a − r)²)`` (printed with + J3), ``U''(π) = m g a + S'(−1)²/(4 r² J1² J3)``."""
    s = SimpleNamespace(**exhibit.parameters)
    steep, bend = _ends(exhibit, -1)
    wanted = s.r * s.J1 * (s.m * s.r * (s.a - s.r) - s.J3) / (s.J1 + s.m * (s.a - s.r) ** 2)
    printed = s.r * s.J1 * (s.m * s.r * (s.a - s.r) + s.J3) / (s.J1 + s.m * (s.a - s.r) ** 2)
    gaps = (steep / wanted - 1, bend * 4 * s.r**2 * s.J1**2 * s.J3 / wanted**2 - 1)
    evidence = f"S'(−1)/C2 = {steep:.6g}, printed formula {printed:.6g}"
    return bounded("S'(−1) and U''(π)", largest(gaps), 1e-8, evidence)


def sleeping(exhibit: Exhibit) -> Finding:
    """The linearised motion about the upright spin leaves the imaginary axis where ``S'(+1)² = 4 r² J1² J3 m g a``."""
    s = SimpleNamespace(**exhibit.parameters)
    slope = s.r * s.J1 * (s.J3 + s.m * s.r * (s.a + s.r)) / (s.J1 + s.m * (s.a + s.r) ** 2)
    least = np.sqrt(4 * s.r**2 * s.J1**2 * s.J3 * s.m * s.g * s.a) / slope
    spin = least / np.sqrt(s.J1 * s.J3 + s.m * s.J3 * (s.a + s.r) ** 2)

    def growth(factor: float) -> float:
        return float(np.max(np.linalg.eigvals(spin_matrix(exhibit.system, exhibit.parameters, factor * spin)).real))

    slow, fast = growth(0.999), growth(1.001)
    good = slow > 1e-3 and fast < 1e-6
    evidence = f"at 0.999 of this spin growth {slow:.3g}/s, at 1.001 of it {fast:.1g}/s"
    return Finding("stable just when U''(0) > 0", "holds" if good else "fails", float(spin), evidence)


def newton(exhibit: Exhibit) -> Finding:
    """ω̇ against Newton's and Euler's laws with the contact force eliminated."""
    return agrees_with_newton(exhibit, shared.contact_numbers(SHAPE), lambda v: np.diag([v["J1"], v["J1"], v["J3"]]))


def along_the_motion(exhibit: Exhibit) -> Finding:
    """C1 and C2 along a run."""
    from nonholo.integrate.motion.simulate import simulate

    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-11, atol=1e-13)
    names = ("R31", "R32", "R33", "w1", "w2", "w3")
    s = SimpleNamespace(**exhibit.parameters, **{n: run.data[n].values for n in names})
    gaps = [(q - q[0]) / np.max(np.abs(q)) for q in (_jellett(s), _routh(s))]
    return bounded("C1 and C2 along a run", largest(gaps), 1e-8)


FACTS = (
    Fact("Jellett's integral C1 and Routh's C2 are constant", f"{SOURCE} §9.5", integrals),
    Fact("C1 is generated by σ = a γ1 + r γ2, which moves no centre of mass", f"{SOURCE} §9.5", noether),
    Fact("Ω2 and ϖ3 by C1, C2 and θ solve the adjoint equation", f"{SOURCE} §9.5", solution),
    Fact("the reduced potential, in both of its forms", f"{SOURCE} §9.6", potential),
    Fact("S'(+1), U''(0): when the upright position is a minimum", f"{SOURCE} §9.7 case 3", upright),
    Fact("S'(−1), U''(π): the lowest position is a minimum", f"corrects {SOURCE} §9.7 case 4", inverted),
    Fact("a sleeping top is stable just when U''(0) > 0", f"{SOURCE} §9.7 and the linearised motion", sleeping),
    Fact("the adjoint equation in its four forms", f"{SOURCE} (9.10)–(9.13)", partial(_generic, shared.adjoint)),
    Fact("the reduced kinetic energy and the motion of θ", f"{SOURCE} §9.6", partial(_generic, shared.reduced)),
    Fact("the brackets of the aligned basis and flatness", f"{SOURCE} (9.7)–(9.9)", partial(_generic, shared.brackets)),
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
    Fact("the integrals hold along the motion", f"{SOURCE} §9.5", along_the_motion),
)
