"""Ball on a surface of revolution: published facts and closed forms, with their tests."""

from __future__ import annotations

from functools import partial

from nonholo.finding import Finding, bounded
from nonholo.gallery._ball import Curve, curve
from nonholo.gallery.ball_on_surface import SOURCE
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts import _rolling_balls as facts
from nonholo_papers.facts._random_states import largest


def surface(exhibit: Exhibit) -> tuple[Curve, tuple[float, float]]:
    """The curve of the ball's centre and the range of s of an exhibit."""
    o = exhibit.options
    names = [n for n in exhibit.parameters if n not in ("m", "J", "rho", "g")]
    return curve(str(o["a"]), str(o["z"]), names), (float(o["low"]), float(o["high"]))


def _generic(test: facts.Test, exhibit: Exhibit) -> Finding:
    path, ends = surface(exhibit)
    return test(path, exhibit.system, exhibit.parameters, ends)


def routh(exhibit: Exhibit) -> Finding:
    """``dΩ1/dφ = −(Ω̄2/ρ)(1 − χ sin φ/a)``, ``dΩ̄2/dφ + (χ cos φ/a)Ω̄2 = J ρ Ω1/(J + m ρ²)``, ``Ω̄2 = ρ a Ω2``, ``χ = ds/dφ``."""
    path, ends = surface(exhibit)
    at = facts.curve_numbers(path)
    gaps = []
    for s, r in facts.ball_flows(path, exhibit.system, exhibit.parameters, ends):
        c = at(s)
        if abs(c.turn) < 1e-9:  # a straight curve has no φ
            continue
        radius, sine, cosine = c.speed / c.turn, c.dz / c.speed, c.da / c.speed
        turning = c.turn * s.sdot
        bar, bar_rate = s.rho * c.a * s.Omega2, s.rho * (c.da * s.sdot * s.Omega2 + c.a * r.Omega2)
        one = r.Omega1 + bar / s.rho * (1 - radius * sine / c.a) * turning
        pull = s.J / (s.J + s.m * s.rho**2) * s.rho * s.Omega1
        two = bar_rate + (radius * cosine / c.a * bar - pull) * turning
        gaps += [one / (abs(r.Omega1) + abs(turning)), two / (abs(bar_rate) + abs(pull * turning))]
    if not gaps:
        return Finding("Routh's form in φ", "holds", 0.0, "the curve is straight: φ does not change, nothing to check")
    return bounded("Routh's form of the adjoint equation, in φ", largest(gaps), 1e-10)


def along(exhibit: Exhibit) -> Finding:
    """Ω1 and Ω2 along a run against the adjoint equation integrated over s."""
    path, _ = surface(exhibit)
    return facts.along_the_run(path, exhibit.system, exhibit.parameters, exhibit.start, 1.5)


FACTS = (
    Fact("the adjoint equation", f"{SOURCE} (10.13), (10.14)", partial(_generic, facts.adjoint)),
    Fact("the reduced energy and motion", f"{SOURCE} §10.6", partial(_generic, facts.reduced)),
    Fact(
        "the brackets of the aligned basis and flatness",
        f"{SOURCE} (10.10)–(10.12), Proposition 10.4.2",
        partial(_generic, facts.brackets),
    ),
    Fact("Routh's form in φ, Ω1 and a ρ Ω2", f"{SOURCE} (10.15), (10.16)", routh),
    Fact("Newton's laws give the same accelerations", "Newton–Euler", partial(_generic, facts.newton)),
    Fact("along the motion Ω1 and Ω2 are functions of s", f"{SOURCE} (10.13), (10.14)", along),
)
