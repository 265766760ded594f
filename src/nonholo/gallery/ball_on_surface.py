"""A ball rolls on any surface of revolution, given by the curve a(s), z(s) of its centre."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery import _ball_facts as facts
from nonholo.gallery._along import largest
from nonholo.gallery._ball import UNITS, Curve, ball, curve, drawing
from nonholo.gallery.exhibit import Exhibit, Fact

TITLE = "Ball on a surface of revolution"
GROUP = "MacDonnell"
PAPERS = "MacDonnell 1997 §10"

SOURCE = "MacDonnell 1997"
READY: dict[str, tuple[str, str, dict[str, float], tuple[float, float]]] = {
    "bowl": ("c*exp(s)", "k*c**2*exp(2*s)/2", {"c": 0.3, "k": 2.0}, (-1.0, 0.6)),
    "funnel": ("c*exp(s)", "-k*exp(-s)", {"c": 0.3, "k": 0.2}, (-0.6, 1.2)),
    "cone": ("c*exp(s)", "k*c*exp(s)", {"c": 0.3, "k": 0.8}, (-1.0, 0.6)),
    "ring": ("u + v*sin(s/v)", "-v*cos(s/v)", {"u": 0.5, "v": 0.2}, (-0.25, 0.25)),
}
"""Ready surfaces: texts of a and z, values, and the range worth drawing; s need not be arc length."""
LENGTH = {"c": "m", "u": "m", "v": "m"}
MEASURES = {"bowl": {**LENGTH, "k": "1/m"}, "funnel": {**LENGTH, "k": "m"}, "cone": {**LENGTH, "k": "1"}, "ring": LENGTH}
GENERAL = (
    ("the adjoint equation", "(10.13), (10.14)", facts.adjoint),
    ("the reduced energy and motion", "§10.6", facts.reduced),
    ("the brackets of the aligned basis and flatness", "(10.10)–(10.12), Proposition 10.4.2", facts.brackets),
)


def exhibit(
    surface: str = "bowl",
    a: str | None = None,
    z: str | None = None,
    parameters: Mapping[str, float] | None = None,
    reach: tuple[float, float] | None = None,
) -> Exhibit:
    """A ready surface by name, or your own by the centre's distance ``a(s)`` from the axis and height ``z(s)``.

    The ball is on the side of ``β = (−z', a')``: above where a grows with s. ``reach`` is the range of s to draw.
    """
    path, own, ends = _path(surface, a, z, parameters, reach)
    low, high = ends
    middle = {"s": round(low + 0.6 * (high - low), 6)}
    return Exhibit(
        name="ball-on-surface",
        title=TITLE,
        group=GROUP,
        system=ball("ball on a surface of revolution", path),
        parameters={"m": 0.2, "J": 0.4 * 0.2 * 0.04**2, "rho": 0.04, "g": 9.81, **own},
        start={**middle, "Omega1": 8.0, "Omega2": -70.0, "roll": 5.0},
        starts={"spinning fast": {**middle, "Omega1": 120.0, "Omega2": -40.0}, "let go": middle},
        until=4.0,
        references=(f"{SOURCE}, §§10.1–10.6, (10.1)–(10.16)", "Routh 1905, Article 230", "Hermans 1995"),
        units={**UNITS, **(MEASURES[surface] if a is None else dict.fromkeys(own, "SI"))},
        facts=(
            *(Fact(claim, f"{SOURCE} {source}", partial(_generic, test, path, ends)) for claim, source, test in GENERAL),
            Fact("Routh's form in φ, Ω1 and a ρ Ω2", f"{SOURCE} (10.15), (10.16)", partial(routh, path, ends)),
            Fact("Newton's laws give the same accelerations", "Newton–Euler", partial(_generic, facts.newton, path, ends)),
            Fact("along the motion Ω1 and Ω2 are functions of s", f"{SOURCE} (10.13), (10.14)", partial(along, path)),
        ),
        drawing=drawing(path, (str(low), str(high)), (("t", "s"), ("t", "Omega1"), ("theta", "s"), ("s", "sdot"))),
        story=(
            "A ball rolls in a bowl. Its spin about the normal is not free: rolling couples it to the motion around the "
            "axis, by a linear equation that depends on the shape alone, so that up and down it moves in a potential."
        ),
    )


def _path(
    name: str,
    a: str | None,
    z: str | None,
    parameters: Mapping[str, float] | None,
    reach: tuple[float, float] | None,
) -> tuple[Curve, dict[str, float], tuple[float, float]]:
    given = {str(k): float(v) for k, v in (parameters or {}).items()}
    if (a is None) != (z is None):
        raise ModelError(f"ball on a surface: only {'z' if a is None else 'a'} is given; give both a(s) and z(s).")
    if a is None or z is None:
        if name not in READY:
            raise ModelError(f"ball on a surface: no surface {name!r}; choose from {', '.join(READY)}, or give a=… and z=… in s.")
        away, high, values, ends = READY[name]
        stray = [k for k in given if k not in values]
        if stray:
            raise ModelError(f"ball on a surface: the {name} has no parameter {stray[0]!r}; it has {', '.join(values)}.")
        values = {**values, **given}
        return curve(away, high, list(values)), values, reach or ends
    return curve(a, z, list(given)), given, reach or (0.5, 1.5)


def _generic(test: facts.Test, path: Curve, ends: tuple[float, float], exhibit: Exhibit) -> Finding:
    return test(path, exhibit.system, exhibit.parameters, ends)


def routh(path: Curve, ends: tuple[float, float], exhibit: Exhibit) -> Finding:
    """``dΩ1/dφ = −(Ω̄2/ρ)(1 − χ sin φ/a)``, ``dΩ̄2/dφ + (χ cos φ/a)Ω̄2 = J ρ Ω1/(J + m ρ²)``, ``Ω̄2 = ρ a Ω2``, ``χ = ds/dφ``."""
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


def along(path: Curve, exhibit: Exhibit) -> Finding:
    """Ω1 and Ω2 along a run against the adjoint equation integrated over s."""
    return facts.along_the_run(path, exhibit.system, exhibit.parameters, exhibit.start, 1.5)


