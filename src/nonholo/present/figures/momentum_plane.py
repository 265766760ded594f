"""Momentum planes: a phase portrait in the nonholonomic momenta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.derive.hamilton import hamilton
from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Exhibit
from nonholo.model.system import System
from nonholo.present.figures.phase_portrait import PortraitFigure, phase_portrait

_UNITS = {"rad/s": "kg m²/s", "m/s": "kg m/s", "1/s": "kg m²/s"}
"""The unit of a momentum, by that of its velocity: joules divided by it."""


def momentum_plane(
    system: System | Exhibit,
    parameters: Mapping[str, Any] | None = None,
    *,
    which: tuple[int, int] = (1, 2),
    **options: Any,
) -> PortraitFigure:
    """The motions in the plane of two nonholonomic momenta ``p_a = ∂l_c/∂v^a`` (the first and second unless told).

    For the Chaplygin sleigh this is Figure 6.2 of BMZ 2009, and with ``field=True, starts=()`` Figure 4 of Notices 2005:

        ṗ1 = −a p1 p2/(J + m a²),   ṗ2 = m a p1²/(J + m a²)²        [BMZ 2009 (6.1)]

    ``options`` go to `phase_portrait`; ranges and starts are in the momenta.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> nh.pictures.momentum_plane(sleigh).names
    ('p_omega', 'p_v')
    """
    units: dict[str, str] = {}
    if isinstance(system, Exhibit):
        parameters = {**system.parameters, **(parameters or {})}
        units, system = dict(system.units), system.system
    equations = hamilton(system)
    if not 1 <= min(which) < max(which) <= len(equations.speeds):
        raise ModelError(
            f"{system.name}: momenta {which}; it has {len(equations.speeds)}, choose two different ones, counted from 1."
        )
    names = [str(equations.speeds[k - 1]) for k in which]
    labels = tuple(f"p{k}" for k in which)
    known = {p: _UNITS.get(units.get(n.removeprefix("p_"), ""), "") for p, n in zip(labels, names)}
    given = {"labels": labels, "units": {**known, **options.pop("units", {})}, **options}
    return phase_portrait(equations, names[0], names[1], parameters=parameters, **given)
