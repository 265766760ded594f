"""Symmetry declarations: group generators as vector fields on the coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError


@dataclass(frozen=True, init=False)
class Symmetry:
    """A group acting on the configurations, by its generators ``{"turn": {"theta": "1", "x": "-y", "y": "x"}}``.

    >>> list(planar_motion("x", "y", "theta").generators)
    ['shift_x', 'shift_y', 'turn']
    """

    generators: FrozenMap[str, FrozenMap[str, str]]
    name: str

    def __init__(self, generators: Mapping[str, Mapping[str, Any]], name: str = "") -> None:
        if not isinstance(generators, Mapping) or not generators:
            raise ModelError(
                "symmetry: generators must be a table, one vector field for each name, e.g. {'shift': {'x': '1'}}."
            )
        frozen = FrozenMap(
            {str(k): FrozenMap({str(c): str(e) for c, e in field.items()}) for k, field in generators.items()}
        )
        object.__setattr__(self, "generators", frozen)
        object.__setattr__(self, "name", name)

    def __mul__(self, other: Symmetry) -> Symmetry:
        return Symmetry({**self.generators, **other.generators}, f"{self.name} x {other.name}".strip(" x"))


def translation(*coordinates: str) -> Symmetry:
    """Shifts along each of the coordinates.

    >>> import nonholo as nh
    >>> nh.translation("x", "y").generators
    {'shift_x': {'x': '1'}, 'shift_y': {'y': '1'}}
    """
    return Symmetry({f"shift_{c}": {c: "1"} for c in coordinates}, "translations")


def rotation(angle: str) -> Symmetry:
    """Turns of one angle.

    >>> import nonholo as nh
    >>> nh.rotation("psi").generators
    {'turn_psi': {'psi': '1'}}
    """
    return Symmetry({f"turn_{angle}": {angle: "1"}}, "rotation")


def planar_motion(x: str, y: str, heading: str) -> Symmetry:
    """SE(2) acting on a position in the plane and a heading.

    >>> import nonholo as nh
    >>> print(*nh.planar_motion("x", "y", "theta").generators)
    shift_x shift_y turn
    """
    return Symmetry({f"shift_{x}": {x: "1"}, f"shift_{y}": {y: "1"}, "turn": {heading: "1", x: f"-{y}", y: x}}, "SE(2)")
