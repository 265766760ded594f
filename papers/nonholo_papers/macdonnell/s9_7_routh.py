"""§9.7: further discussion of the Routh top."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, share
from nonholo_papers.macdonnell._together import equal
from nonholo_papers.macdonnell.s9_6_reduced import hill
from nonholo_papers.section import Section

ROUTH = ("routh-top",)
WORDS = "derivatives by mpmath with 40 digits"
section = Section("macdonnell", "9.7 The Routh top")
section.rest("restatement of §9.6", 547, 548)
section.rest("definition", 549)
section.rest("an expression, whose analyticity is in the claims beside it", 553, 560)
section.uncheckable("Figure 9.2", "Figure 9.2", "A plot without scales or values of the constants.", "The function Q.")


def _points() -> list[SimpleNamespace]:
    return generic("m g J1 J3 a r z", signed="C1 C2")


def series(z: Any, p: Any) -> Any:
    """S(z)."""
    root = mpmath.sqrt(p.J1 * (p.J3 + p.m * p.r**2 * (1 - z**2)) + p.m * p.J3 * (p.a + p.r * z) ** 2)
    return p.C1 * root - p.C2 * p.J3 * (p.a + p.r * z)


def shallow(z: Any, p: Any) -> Any:
    """Q(z)."""
    return p.m * p.g * p.a * z + series(z, p) ** 2 / (2 * p.r**2 * p.J1**2 * p.J3 * (1 - z**2))


@section.confirmed("§9.7, P, Q, S", (550, 551, 552), exhibits=ROUTH)
def functions() -> Evidence:
    """U = (C2² − mC1²/J3)/(2J1) + mgr + Q(cos θ) with Ū of §9.6, and the values S(±1)."""

    def both(p: Any) -> list[Any]:
        level = (p.C2**2 - p.m * p.C1**2 / p.J3) / (2 * p.J1) + p.m * p.g * p.r
        theta = p.z  # any angle
        return [hill(theta, p, p.C1, p.C2, False), level + float(shallow(np.cos(theta), p))]

    def ends(p: Any) -> list[Any]:
        reach = [p.a - p.r, p.a + p.r]
        wanted = [p.C1 * np.sqrt(p.J1 * p.J3 + p.m * p.J3 * d**2) - p.C2 * p.J3 * d for d in reach]
        return [np.array([float(series(-1, p)), float(series(1, p))]), np.array(wanted)]

    return equal(_points(), both, ends, words="at generic values, against Ū of §9.6")


@section.confirmed("§9.7, case 1", exhibits=ROUTH)
def both_vanish() -> Evidence:
    """S(−1) = S(+1) = 0 needs C1 = C2 = 0, since r ≠ 0: the determinant of the two conditions does not vanish, and does
    for r = 0.
    """

    def table(p: Any, r: float) -> Any:
        """S(−1) and S(+1) as rows on (C1, C2)."""
        return np.array([[np.sqrt(p.J1 * p.J3 + p.m * p.J3 * d**2), -p.J3 * d] for d in (p.a - r, p.a + r)])

    def determinant(p: Any, r: float) -> float:
        return abs(float(np.linalg.det(table(p, r))))

    def ends(p: Any) -> list[Any]:
        return [table(p, p.r) @ np.array([p.C1, p.C2]), -np.array([float(series(z, p)) for z in (-1.0, 1.0)])]

    random = np.random.default_rng(97)
    many = [SimpleNamespace(**dict(zip(("m", "J1", "J3", "a"), random.uniform(0.05, 3, 4)))) for _ in range(100)]
    smallest = min(determinant(p, r) for p in many for r in (0.1, 1.0, 2.0))
    return holds(
        ("the rows are S at both ends", identity(_points(), ends).printed < 1e-12),
        ("the determinant is not 0 in 300 cases", smallest > 1e-4),
        against=[("nor for r = 0", min(determinant(p, 0.0) for p in many) > 1e-12)],
    )


@section.confirmed("§9.7, case 2", exhibits=ROUTH)
def walls() -> Evidence:
    """If S(±1) ≠ 0 U grows at 0 and π as S(±1)²/(2r²J1²J3 sin²θ), and has a minimum between; if one is 0, not there."""
    good, other = True, False
    gaps, wrong = [], []
    for p in _points():
        angles = np.linspace(0.001, 3.1405926, 4001)
        level = hill(angles, p, p.C1, p.C2, False)
        middle = float(np.min(level[400:-400]))
        near = [float(hill(e, p, p.C1, p.C2, False)) for e in (1e-6, 3.1415916535)]
        lowest = int(np.argmin(level))
        good &= bool(share(min(near), max(1.0, abs(middle))) > 1e6 and min(near) > 0 and 0 < lowest < 4000)
        q = _with_zero(p, 1)
        good &= bool(abs(series(1.0, q)) < 1e-12 < 1e-3 < abs(series(1.0, p)))
        other |= bool(abs(float(hill(1e-3, q, q.C1, q.C2, True))) > 1e3)
        for end in (1, -1):
            reach = [p.a + side * p.r for side in (end, -end)]
            ends = [p.C1 * np.sqrt(p.J1 * p.J3 + p.m * p.J3 * d**2) - p.C2 * p.J3 * d for d in reach]
            found = _strength(p, end) * 2 * p.r**2 * p.J1**2 * p.J3
            gaps.append(abs(found / ends[0] ** 2 - 1))
            wrong.append(abs(found / ends[1] ** 2 - 1))
    words = "sin²θ Ū of §9.6 at the ends, minimum inside; mutants: S at the other end"
    return Evidence(float(max(*gaps, not good or other)), None, float(min(wrong)), words)


def _strength(p: Any, end: int) -> float:
    """The limit of sin²θ U at an end: even in the distance from it, by Richardson's extrapolation."""
    steps = np.array([0.04, 0.02, 0.01, 0.005])
    angles = steps if end > 0 else np.subtract(np.pi, steps)
    rows = [[np.sin(h) ** 2 * float(hill(angle, p, p.C1, p.C2, False)) for h, angle in zip(steps, angles)]]
    for k in (1, 2, 3):
        last = rows[-1]
        rows.append([(4**k * b - a) / (4**k - 1) for a, b in pairwise(last)])
    return float(rows[-1][0])


def _with_zero(p: Any, end: int) -> SimpleNamespace:
    """The same values with C1 such that S(end) = 0."""
    q = SimpleNamespace(**vars(p))
    reach = p.a + end * p.r
    q.C1 = p.C2 * p.J3 * reach / np.sqrt(p.J1 * p.J3 + p.m * p.J3 * reach**2)
    return q


@lru_cache
def _cases(end: int) -> tuple[SimpleNamespace, ...]:
    """Values with S(end) = 0 in 40 digits, and by mpmath S'(end), Q'(end), U' and U'' there, and S/(1 − z²) near it."""
    found = []
    with mpmath.workdps(40):
        for p in _points():
            q = SimpleNamespace(**{n: mpmath.mpf(e) for n, e in vars(p).items()})
            reach = q.a + end * q.r
            q.C1 = q.C2 * q.J3 * reach / mpmath.sqrt(q.J1 * q.J3 + q.m * q.J3 * reach**2)
            q.steep = mpmath.diff(lambda z, q=q: series(z, q), end)

            # derivatives of U at the end, where S²/(1 − z²) is 0/0: by Cauchy's formula on a circle around it
            middle = mpmath.mpf(0) if end > 0 else mpmath.pi

            def potential(theta: Any, q: Any = q) -> Any:
                return shallow(mpmath.cos(theta), q)

            circle = [middle + mpmath.mpf("0.05") * mpmath.expjpi(2 * mpmath.mpf(k) / 64) for k in range(64)]
            values = [potential(t) for t in circle]
            q.first = (
                sum(v * mpmath.expjpi(-2 * mpmath.mpf(k) / 64) for k, v in enumerate(values)) / 64 / mpmath.mpf("0.05")
            )
            bend = sum(v * mpmath.expjpi(-4 * mpmath.mpf(k) / 64) for k, v in enumerate(values)) / 64
            q.bend = 2 * bend / mpmath.mpf("0.05") ** 2
            near = end * (1 - mpmath.mpf(10) ** -18)
            q.ratio = series(near, q) / (1 - near**2)
            q.slope = mpmath.diff(lambda z, q=q: shallow(z, q), mpmath.mpf("0.3"))
            found.append(q)
    return tuple(found)


def _size(x: Any) -> float:
    return float(abs(x))


@section.confirmed("§9.7, case 3: U at 0", (554, 555, 556, 557, 558), exhibits=ROUTH)
def top() -> Evidence:
    """With S(+1) = 0: S/(1 − z²) → −S'(1)/2, U'(0) = 0, U''(0) = −Q'(1) = −mga + S'(1)²/(4r²J1²J3); Q' as printed; Q is
    analytic at +1.
    """
    gaps, wrong = [], []
    with mpmath.workdps(40):
        for q in _cases(1):
            k = q.r**2 * q.J1**2 * q.J3
            x = mpmath.mpf("0.3")
            steep, s = mpmath.diff(lambda z, q=q: series(z, q), x), series(x, q)
            printed = q.m * q.g * q.a + (s * steep / (1 - x**2) + x * s**2 / (1 - x**2) ** 2) / k
            theta = mpmath.mpf("0.8")
            one = mpmath.diff(lambda t, q=q: shallow(mpmath.cos(t), q), theta)
            two = mpmath.diff(lambda t, q=q: shallow(mpmath.cos(t), q), theta, 2)
            dq, ddq = (mpmath.diff(lambda z, q=q: shallow(z, q), mpmath.cos(theta), n) for n in (1, 2))
            sine, cosine = mpmath.sin(theta), mpmath.cos(theta)
            gaps += [_size(q.slope / printed - 1), _size(q.first), _size(one + dq * sine)]
            gaps += [_size(two - ddq * sine**2 + dq * cosine), _size(q.ratio / (-q.steep / 2) - 1)]
            right = -q.m * q.g * q.a + q.steep**2 / (4 * k)
            gaps.append(_size(q.bend - right))
            wrong.append(_size(q.bend + q.m * q.g * q.a - q.steep**2 / (2 * k)))
    return Evidence(
        max(gaps), None, min(wrong), f"{WORDS}; U'' by a circle of 64 points; mutant: 2 for 4"
    )


@section.confirmed("§9.7, case 3: S'(+1), and when 0 is a minimum", 559, exhibits=ROUTH)
def steepness() -> Evidence:
    """S'(+1) = −C2rJ1[J3 + mr(a + r)]/(J1 + m(a + r)²), so U''(0) > 0 for large C2 and U''(0) < 0 for small."""
    gaps, wrong = [], []
    signs: list[float] = []
    for q in _cases(1):
        inner = q.J3 + q.m * q.r * (q.a + q.r)
        whole = q.J1 + q.m * (q.a + q.r) ** 2
        gaps.append(_size(q.steep / (-q.C2 * q.r * q.J1 * inner / whole) - 1))
        wrong.append(_size(q.steep / (q.C2 * q.r * q.J1 * (q.J3 - q.m * q.r * (q.a + q.r)) / whole) - 1))
        square = (inner * q.r * q.J1 / whole) ** 2 / (4 * q.r**2 * q.J1**2 * q.J3)
        own, *ends = (-q.m * q.g * q.a + size**2 * square for size in (q.C2, 1e-3, 1e3))
        gaps.append(_size(own / q.bend - 1))
        signs += map(float, ends)
    ordered = all(x < 0 < y for x, y in zip(signs[::2], signs[1::2]))
    return Evidence(max(*gaps, float(not ordered)), None, min(wrong), f"{WORDS}; mutant: the signs of case 4")


@section.confirmed("§9.7, case 4: U at π", (561, 562), exhibits=ROUTH)
def bottom() -> Evidence:
    """With S(−1) = 0: S/(1 − z²) → S'(−1)/2, U'(π) = 0, U''(π) = Q'(−1) = mga + S'(−1)²/(4r²J1²J3) > 0: a minimum (l''
    and l''' in the text).
    """
    gaps, wrong = [], []
    with mpmath.workdps(40):
        for q in _cases(-1):
            k = q.r**2 * q.J1**2 * q.J3
            gaps += [_size(q.ratio / (q.steep / 2) - 1), _size(q.first)]
            gaps.append(_size(q.bend - q.m * q.g * q.a - q.steep**2 / (4 * k)))
            gaps.append(float(q.bend.real <= 0))
            wrong.append(_size(q.bend + q.m * q.g * q.a - q.steep**2 / (4 * k)))
    return Evidence(max(gaps), None, min(wrong), f"{WORDS}; mutant: −mga")


@section.misprint(
    "§9.7, case 4: S'(−1)",
    563,
    right=r"S'(-1) = -\frac{C_2rJ_1[J_3 - mr(a - r)]}{J_1 + m(a - r)^2}",
    harm=3,
    breaks="A wrong frequency of small motions about the lowest position; with J3 = mr(a − r) it would be that of no spin.",
    exhibits=ROUTH,
    kind="error",
    because="Expand S(z) about z = −1: the arm is a − r there, and cos θ = −1 turns the sign of mr(a − r).",
)
def steepness_below() -> Evidence:
    """S'(−1) = −C2rJ1[J3 − mr(a − r)]/(J1 + m(a − r)²), printed C2rJ1[J3 + mr(a − r)]/(J1 + m(a − r)²)."""
    printed, right = [], []
    for q in _cases(-1):
        whole, arm = q.J1 + q.m * (q.a - q.r) ** 2, q.m * q.r * (q.a - q.r)
        printed.append(_size(q.C2 * q.r * q.J1 * (q.J3 + arm) / whole / q.steep - 1))
        right.append(_size(-q.C2 * q.r * q.J1 * (q.J3 - arm) / whole / q.steep - 1))
    return Evidence(min(printed), max(right), None, WORDS)
