"""A ball that rolls on a surface of revolution, given by the curve a(s), z(s) of its centre."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.errors import ModelError
from nonholo.gallery._ball import UNITS, ball, curve, drawing
from nonholo.gallery.exhibit import Exhibit

TITLE = "Ball on a surface of revolution"
GROUP = "Balls and rolling bodies"
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
    (away, height), own, (low, high) = _surface(surface, a, z, parameters, reach)
    path = curve(away, height, list(own))
    middle = {"s": round(low + 0.6 * (high - low), 6)}
    return Exhibit(
        name="ball-on-surface",
        title=TITLE,
        group=GROUP,
        system=ball("ball on a surface of revolution", path),
        parameters={"m": 0.2, "J": 0.000128, "rho": 0.04, "g": 9.81, **own},
        start={**middle, "Omega1": 8.0, "Omega2": -70.0, "roll": 5.0},
        starts={"spinning fast": {**middle, "Omega1": 120.0, "Omega2": -40.0}, "let go": middle},
        until=4.0,
        options={"a": away, "z": height, "low": low, "high": high},
        references=(f"{SOURCE}, §§10.1–10.6, (10.1)–(10.16)", "Routh 1905, Article 230", "Hermans 1995"),
        units={**UNITS, **(MEASURES[surface] if a is None else dict.fromkeys(own, "SI"))},
        drawing=drawing(path, (str(low), str(high)), (("t", "s"), ("t", "Omega1"), ("theta", "s"), ("s", "sdot"))),
        story=(
            "A ball rolls in a bowl. Its spin about the normal is not free: rolling couples it to the motion around the "
            "axis, by a linear equation that depends on the shape alone, so that up and down it moves in a potential."
        ),
    )


def _surface(
    surface: str,
    a: str | None,
    z: str | None,
    parameters: Mapping[str, float] | None,
    reach: tuple[float, float] | None,
) -> tuple[tuple[str, str], dict[str, float], tuple[float, float]]:
    """The texts of a and z, the values of their parameters, and the range of s to draw."""
    given = {str(k): float(v) for k, v in (parameters or {}).items()}
    if (a is None) != (z is None):
        raise ModelError(f"ball on a surface: only {'z' if a is None else 'a'} is given; give both a(s) and z(s).")
    if a is None or z is None:
        if surface not in READY:
            known = ", ".join(READY)
            raise ModelError(f"ball on a surface: no surface {surface!r}; choose from {known}, or give a=… and z=… in s.")
        away, high, values, ends = READY[surface]
        stray = [k for k in given if k not in values]
        if stray:
            raise ModelError(f"ball on a surface: the {surface} has no parameter {stray[0]!r}; it has {', '.join(values)}.")
        values = {**values, **given}
        return (away, high), values, reach or ends
    return (a, z), given, reach or (0.5, 1.5)
