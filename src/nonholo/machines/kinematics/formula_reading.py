"""Numbers, vectors and axes of a machine, read from text, numbers and expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, multiply
from nonholo.errors import ModelError, ParseError, meant
from nonholo.machines.contact_geometry.rigid_pose import IDENTITY, Vector
from nonholo.machines.kinematics.spatial_vectors import turn, unit_axis
from nonholo.model.reading import declared

AXES: dict[str, Vector] = {"x": (ONE, ZERO, ZERO), "y": (ZERO, ONE, ZERO), "z": (ZERO, ZERO, ONE)}


@dataclass(frozen=True)
class Formulas:
    """Reads what a machine's author wrote, in the names known so far."""

    machine: str
    names: tuple[str, ...]
    plane: bool = False

    def knowing(self, *more: str) -> Formulas:
        """The same with further names."""
        return Formulas(self.machine, (*self.names, *more), self.plane)

    def number(self, value: object, where: str) -> Expr:
        """One number; whole decimals are whole numbers, so that 0.0 vanishes and 1.0 leaves no trace."""
        found = declared(value, self.names, f"{self.machine}: {where}")
        if isinstance(found, se.RealDouble) and float(found).is_integer() and abs(float(found)) < 1e15:
            return se.Integer(int(float(found)))
        return found

    def vector(self, value: object, where: str, default: Vector = (ZERO, ZERO, ZERO)) -> Vector:
        """Three numbers; in the plane two, the third is zero. Nothing is the default."""
        if value is None or value == ():
            return default
        sizes = (2, 3) if self.plane else (3,)
        if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence) or len(value) not in sizes:
            needed = "two numbers, e.g. [0.3, 0]" if self.plane else "three numbers, e.g. [0, 0, 0.3]"
            raise ModelError(f"{self.machine}: {where} is {_shown(value)}; give {needed}.")
        parts = [self.number(e, f"{where} {i + 1}") for i, e in enumerate(value)]
        x, y, z = parts if len(parts) == 3 else (*parts, ZERO)
        if self.plane and not vanishes(z):
            raise ModelError(
                f"{self.machine}: {where}: the plane is seen from above and has no height; leave out the third number."
            )
        return (x, y, z)

    def axis(self, value: object, where: str) -> Vector:
        """A direction of length one: x, y, z, −x, or a vector."""
        if isinstance(value, str):
            name = value.strip().lower()
            if name.lstrip("+-") not in AXES or len(name.lstrip("+-")) < len(name) - 1:
                raise ModelError(
                    f'{self.machine}: {where} is {value!r}; write "x", "y", "z" or a vector such as [0, 1, 0].'
                )
            x, y, z = AXES[name.lstrip("+-")]
            return (-x, -y, -z) if name.startswith("-") else (x, y, z)
        found = self.vector(value, where)
        if all(vanishes(e) for e in found):
            raise ModelError(
                f'{self.machine}: {where} has length zero and no direction; give an axis such as "y" or [0, 1, 0].'
            )
        return unit_axis(found)

    def rotation(self, turns: object, where: str) -> Matrix:
        """Turns about their own axes, one after the other: ``[{y = "lam"}, {z = 0.1}]``."""
        steps = [turns] if isinstance(turns, Mapping) else turns
        if isinstance(steps, str) or not isinstance(steps, Sequence) or not all(isinstance(e, Mapping) for e in steps):
            raise ModelError(
                f'{self.machine}: {where} is {_shown(turns)}; give a list of turns such as [{{y = "lam"}}].'
            )
        result = IDENTITY
        for step in steps:
            for name, angle in step.items():
                if name not in AXES:
                    raise ModelError(
                        f"{self.machine}: {where}: a turn about {name!r}; {meant(name, AXES, 'the axes are x, y, z.')}"
                    )
                result = multiply(result, turn(AXES[name], self.number(angle, f"{where}: {name}")))
        return result

    def bare_name(self, value: object) -> str | None:
        """A single undefined name: a new coordinate or input, depending on the key."""
        if not isinstance(value, str) or not value.strip().isidentifier() or value.strip() in self.names:
            return None
        try:
            declared(value, self.names, "")
        except ParseError:
            return value.strip()
        return None


def identifier(name: str) -> str:
    """A body's name as part of a symbol's: ``rear wheel`` is ``rear_wheel``.

    >>> identifier("rear wheel"), identifier("2nd")
    ('rear_wheel', 'b2nd')
    """
    plain = re.sub(r"\W+", "_", name.strip()).strip("_") or "body"
    return plain if plain[0].isalpha() or plain[0] == "_" else f"b{plain}"


def _shown(value: object) -> str:
    return repr(list(value) if isinstance(value, tuple) else value)[:60]
