"""The symmetry of a system, sought once: generators on the coordinates, recognised rotations, and what was not decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nonholo.algebra.cache import Kept
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.model.system_structure import structure
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, motion_of
from nonholo.symmetry.group.group_action import Action, action
from nonholo.symmetry.group.library_symmetries import hidden_generators
from nonholo.symmetry.group.shift_turn_algebra import decided_algebra

Generator = tuple[Expr, ...]


@dataclass(frozen=True)
class Group:
    """Symmetries of the equations as fields on the coordinates, by name.

    ``plain`` are combinations of shifts and turns, with factors of the parameters where needed; ``hidden`` are not affine.
    """

    plain: FrozenMap[str, Generator] = field(default_factory=FrozenMap)
    hidden: FrozenMap[str, Generator] = field(default_factory=FrozenMap)
    open: str = ""
    """Why there may be more of the plain ones; nothing where there are none."""

    @property
    def generators(self) -> dict[str, Generator]:
        """All of them."""
        return {**self.plain, **self.hidden}


_GROUPS: Kept[Group] = Kept(64)


def group_of(system: System) -> Group:
    """The symmetry group of a system, the same record for all who ask; ``open`` says why where it cannot be computed.

    >>> skate = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> list(group_of(skate).generators)
    ['shift_x', 'shift_y']
    """
    try:
        return group_of_motion(motion_of(system))
    except NoPoints as problem:
        return Group(open=str(problem))


def group_of_motion(motion: Motion) -> Group:
    """The same, of a system whose equations are there."""

    def found() -> Group:
        plain = decided_algebra(motion)
        return Group(FrozenMap(plain.fields), FrozenMap(hidden_generators(motion)), plain.open)

    constants = tuple(sorted((str(s), str(e)) for e, s in motion.constants.items()))
    return _GROUPS.get((structure(motion.system), constants), found)


def action_of(system: System, names: Sequence[str]) -> Action:
    """Some of the generators as an action, with the structure constants of their brackets; a ModelError where they do not close.

    >>> polar = System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2")
    >>> action_of(polar, ["shift_phi", "hidden_1", "hidden_2"]).rank
    2
    """
    known = group_of(system).generators
    tables = {n: {c: to_text(e) for c, e in zip(system.coordinates, known[n]) if e != 0} for n in names}
    return action(system, Symmetry(tables, "found"))
