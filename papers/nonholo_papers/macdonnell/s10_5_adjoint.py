"""§10.5: the adjoint equation of the sphere on a surface of revolution, and its examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, symbolic
from nonholo_papers.macdonnell._ball import at, on_curve, states
from nonholo_papers.macdonnell._together import corrected, equal, joined, together
from nonholo_papers.section import Section

Array = Any
BALL = ("ball-on-surface",)
WITNESS = "Ω1, Ω2 along the multiplier form"
section = Section("macdonnell", "10.5 Sphere on a surface of revolution: adjoint equation")
section.rest("restatement of (7.11)", 639)
section.rest("restatement of (10.9) and Lemma 10.4.1", 640, 641, 642, 643)
section.rest("definition (φ' is read o' in the text)", 651)
section.rest("restatement of §10.1", 657)


@section.confirmed(
    "Proposition 10.5.1, (10.13), (10.14)", (644, 645, 647, 648, 649, 650, "Proposition 10.5.1", "Corollary 10.5.1"),
    exhibits=BALL,
)
def adjoint() -> Evidence:
    """κΩ1 = r(−aφ' + z')Ω2 and κ{a²Ω2} = Jraφ'Ω1/(J + mr²), that is (10.13), (10.14), since κs = r."""

    def first(s: Any) -> list[Any]:
        """d/dt = ṡ d/ds on functions of s, and κ = r d/ds."""
        c = at(s)
        return [s.r * s.rate("Omega1"), s.r * c.a * c.turn * s.Omega2 * s.sdot, -s.r * c.dz * s.Omega2 * s.sdot]

    def second(s: Any) -> list[Any]:
        c = at(s)
        return [
            s.dot(lambda z: at(z).a ** 2 * z.Omega2),
            -s.J * c.a / (s.J + s.m * s.r**2) * c.turn * s.Omega1 * s.sdot,
        ]

    def steps(s: Any) -> list[Any]:
        c = at(s)
        bent = c.a * (1 + s.r * c.turn)
        return [
            np.array([-bent + (c.a + s.r * c.dz), (bent + s.r * c.dz) - (c.a + s.r * c.dz)]),
            np.array([s.r * (-c.a * c.turn + c.dz), s.r * c.a * c.turn]),
        ]

    return joined(together(states(), first, second), equal(states(), steps), words=WITNESS)


@section.misprint(
    "(10.15)",
    652,
    right=r"\frac{d\Omega_1}{d\phi} = -\frac{\overline{\Omega}_2}{r}\left(1 - \frac{\chi\sin\phi}{a}\right)",
    harm=1,
    breaks="χ is read as a root in the text: the radius of curvature is lost.",
    exhibits=BALL,
    kind="reading",
)
def in_angle() -> Evidence:
    """dΩ1/dφ with χ sin φ, printed √sin φ."""
    low = [s for s in states() if at(s).dz > 0]  # where the root is real

    def terms(s: Any, printed: bool) -> list[Any]:
        c = at(s)
        bar, bend = s.r * c.a * s.Omega2, np.sqrt(abs(c.dz)) if printed else c.dz / c.turn
        return [s.rate("Omega1") / (c.turn * s.sdot), bar / s.r, -bar / s.r * bend / c.a]

    return corrected(low, (lambda s: terms(s, True), lambda s: terms(s, False)), words=WITNESS)


@section.confirmed("Corollary 10.5.2, (10.16)", (653, "Corollary 10.5.2"), exhibits=BALL)
def second_in_angle() -> Evidence:
    """dΩ̄2/dφ + (χ cos φ/a)Ω̄2 = JrΩ1/(J + mr²) with Ω̄2 = raΩ2; with (10.15) corrected the same as (10.13), (10.14)."""

    def terms(s: Any) -> list[Any]:
        c = at(s)
        rate = s.dot(lambda z: z.r * at(z).a * z.Omega2) / (c.turn * s.sdot)
        bar = s.r * c.a * s.Omega2
        return [rate, c.da / c.turn / c.a * bar, -s.J / (s.J + s.m * s.r**2) * s.r * s.Omega1]

    return identity(states(), terms, words=WITNESS)


@section.confirmed("§10.5, inside a cylinder", (654, 655, 656), exhibits=("ball-in-cylinder",))
def cylinder() -> Evidence:
    """φ' = 0, dΩ1/ds = Ω2, dΩ2/ds = 0: Ω2 = C1 and Ω1 − C1s = C2 are constant."""
    found = moving("ball-in-cylinder", parameters={"m": 0.9, "J": 0.5, "rho": 0.7, "g": 1.3, "a": 1.6})
    still = [abs(float(s.rate("Omega2"))) for s in found]
    still += [abs(float(s.dot(lambda z: z.Omega1 - z.Omega2 * z.s))) for s in found]
    one = identity(found, lambda s: [s.rate("Omega1"), -s.Omega2 * s.sdot])
    s, a = se.symbols("s a")
    straight = a.diff(s) * s.diff(s, 2) - s.diff(s) * a.diff(s, 2)
    return Evidence(max(one.printed, *still, float(straight != 0)), None, one.mutant, WITNESS)


def _hoop() -> tuple[Any, Any, Any, Any, Any]:
    s, u, v = se.symbols("s u v")
    return u + v * se.sin(s / v), v * se.cos(s / v), s, u, v


def _turn(a: Any, z: Any, s: Any) -> Any:
    return a.diff(s) * z.diff(s, 2) - z.diff(s) * a.diff(s, 2)


@section.confirmed("§10.5, outside a hoop", (658, 659, 660, 661, 662), exhibits=("basketball",))
def hoop() -> Evidence:
    """a' = cos(s/v), z' = −sin(s/v), φ' = −1/v, aφ' = −u/v − sin(s/v)."""
    a, z, s, u, v = _hoop()
    return symbolic(
        [
            [a.diff(s), -se.cos(s / v)],
            [z.diff(s), se.sin(s / v)],
            [_turn(a, z, s), 1 / v],
            [a * _turn(a, z, s), u / v, se.sin(s / v)],
        ]
    )


@section.misprint(
    "§10.5, outside a hoop, −aφ' + z'",
    663,
    right=r"-a\phi' + z' = \frac{u}{v}",
    harm=3,
    breaks="With −u/v in (10.13) Ω1 changes the wrong way; the next display has u/v.",
    exhibits=("basketball",),
    kind="slip",
)
def hoop_sign() -> Evidence:
    """−aφ' + z' = u/v, printed −u/v."""
    a, z, s, u, v = _hoop()
    terms = [-a * _turn(a, z, s), z.diff(s)]
    return symbolic([[*terms, u / v]], [[*terms, -u / v]])


@section.confirmed("§10.5, hoop and sphere: the equations", (664, 665), exhibits=("basketball", "ball-on-sphere"))
def equations() -> Evidence:
    """dΩ1/ds = (u/v)Ω2 and d{a²Ω2}/ds = J{−u/v − sin(s/v)}Ω1/(J + mr²) on the hoop; u = 0 on the sphere."""
    ring = on_curve("u + v*sin(s/v)", "v*cos(s/v)", (("u", 1.9), ("v", 0.8)))
    round_ = on_curve("v*sin(s/v)", "v*cos(s/v)", (("v", 0.8),))

    def second(s: Any, u: float) -> list[Any]:
        share = s.J / (s.J + s.m * s.r**2)
        moved = s.dot(lambda z: (u + z.v * np.sin(z.s / z.v)) ** 2 * z.Omega2)
        parts = [share * np.sin(s.s / s.v) * s.Omega1 * s.sdot]
        return [moved, *parts, *([share * u / s.v * s.Omega1 * s.sdot] if u else [])]

    still = max(abs(float(s.rate("Omega1"))) for s in round_)
    found = joined(
        together(ring, lambda s: [s.rate("Omega1"), -s.u / s.v * s.Omega2 * s.sdot], lambda s: second(s, 1.9)),
        together(round_, lambda s: second(s, 0.0)),
    )
    return Evidence(max(found.printed, still), None, found.mutant, WITNESS)


@section.confirmed("§10.5, the sphere: the solution", 666, exhibits=("ball-on-sphere",))
def solution() -> Evidence:
    """Ω1 = C1 and Ω2 = {JC1 cos(s/v)/((J + mr²)v) + C2}/sin²(s/v): C2 so found is constant (¶ in the text is J)."""
    found = on_curve("v*sin(s/v)", "v*cos(s/v)", (("v", 0.8),))

    def second(z: Any, sign: float = 1.0) -> Any:
        share = z.J / (z.J + z.m * z.r**2)
        return z.Omega2 * np.sin(z.s / z.v) ** 2 - sign * share * z.Omega1 / z.v * np.cos(z.s / z.v)

    still = [abs(float(s.dot(q))) for s in found for q in (second, lambda z: z.Omega1)]
    wrong = min(abs(float(s.dot(lambda z: second(z, -1.0)))) for s in found)
    return Evidence(max(still), None, wrong, f"{WITNESS}; the mutant has − before J")


@section.confirmed("§10.5, inside the sphere", exhibits=("ball-on-sphere",))
def inside() -> Evidence:
    """With −s for s the coefficients −aφ' + z' and aφ' of the adjoint equation are the same for the sphere, and not for
    the hoop.
    """
    a, z, s, u, _ = _hoop()

    def parts(sign: int) -> list[Any]:
        """−aφ', z' and aφ' with ±s for s."""
        one, two = (e.subs({s: sign * s}) for e in (a, z))
        return [-one * _turn(one, two, s), two.diff(s), one * _turn(one, two, s)]

    here, there = ([e.subs({u: 0}) for e in parts(sign)] for sign in (1, -1))
    ring, back = parts(1), parts(-1)
    return symbolic(
        [here[:2], there[:2], [here[2], -there[2]]],
        mutants=[[[ring[0] + ring[1], -back[0] - back[1]]]],
        words="−aφ' + z' = 0 and aφ' = −sin(s/v) both ways; the mutant is the hoop",
    )
