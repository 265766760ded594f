"""Rotations by heading, tilt and spin: ``R = Rz(heading) Rx(tilt) Rz(spin)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, hypot, pi
from typing import Any

from nonholo.errors import NonholoError
from nonholo.model.system import System
from nonholo.present.living.page_modes import full_start

ANGLES = {
    "tilt": "of the body’s third axis from the vertical",
    "heading": "about the vertical",
    "spin": "about the body’s third axis",
}
KINDS = {"SO3": "matrix", "SE3": "matrix", "Quaternion": "quaternion", "Vertical": "vertical"}
LEVEL = 1e-12
"""Where the sine of the tilt is smaller, all turning counts as heading."""


def attitudes(system: System) -> list[dict[str, Any]]:
    """The rotations among a system's coordinates: kind, entries, the names of their angles and their values at the start.

    >>> import nonholo as nh
    >>> (found,) = attitudes(nh.gallery.get("lagrange-top").system)
    >>> found["kind"], round(found["angles"]["R.tilt"], 12)
    ('matrix', 0.6)
    """
    tables = [t for t in system.frame.recipe or () if t.get("kind") in KINDS]
    if not tables:
        return []
    try:
        full, _ = full_start(system)
    except NonholoError:
        return []
    found = []
    for table in tables:
        kind, name = KINDS[table["kind"]], str(table.get("name", ""))
        size = {"matrix": [f"{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)], "quaternion": list("0123"), "vertical": list("123")}
        names = [f"{name}{k}" for k in size[kind]]
        if not set(names) <= set(system.coordinates):
            continue
        keys = [f"{name}.{word}" for word in ANGLES]
        values = angles_of(kind, [full[n] for n in names])
        words = {key: value for key, value in zip(keys, values) if kind != "vertical" or not key.endswith("heading")}
        several = f" of {name}" if len(tables) > 1 else ""
        found.append({"kind": kind, "names": names, **dict(zip(ANGLES, keys)), "angles": words, "several": several})
    return found


def attitude_angles(found: Sequence[Mapping[str, Any]], state: Mapping[str, float]) -> dict[str, float]:
    """The angles of all rotations at a state by their words: ``tilt``, or ``tilt of R`` where there are several."""
    return {
        f"{name}{a['several']}": angle
        for a in found
        for name, angle in zip(ANGLES, angles_of(a["kind"], [state[n] for n in a["names"]]))
        if a[name] in a["angles"]
    }


def angles_of(kind: str, e: Sequence[float]) -> list[float]:
    """Tilt, heading and spin of a rotation by its entries; where it does not tilt all turning is heading.

    >>> angles_of("vertical", [0.0, 1.0, 0.0])[0] == pi / 2
    True
    """
    if kind == "vertical":
        return [atan2(hypot(e[0], e[1]), e[2]), 0.0, atan2(e[0], e[1])]
    if kind == "quaternion":
        a, b, c, d = e
        tilt, total = 2 * atan2(hypot(b, c), hypot(a, d)), 2 * atan2(d, a)
        apart = 2 * atan2(c, b) if hypot(b, c) > LEVEL else total
        return [tilt, _wrapped((total + apart) / 2), _wrapped((total - apart) / 2)]
    sine = hypot(e[2], e[5])
    if sine < LEVEL:
        return [0.0 if e[8] > 0 else pi, atan2(e[3], e[0]), 0.0]
    return [atan2(sine, e[8]), atan2(e[2], -e[5]), atan2(e[6], e[7])]


def _wrapped(angle: float) -> float:
    """The same angle between -π and π."""
    return angle - 2 * pi * round(angle / (2 * pi))
