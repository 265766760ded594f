"""The symmetry group of a system: one cached record with every kind of generator on the coordinates."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from nonholo.algebra.cache import Cache
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.model.system_structure import structure
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, motion_of
from nonholo.symmetry.group.free_subgroup import Proposal, proposal, table_of
from nonholo.symmetry.group.library_symmetries import hidden_generators
from nonholo.symmetry.group.shift_turn_algebra import Algebra, decided_algebra

Generator = tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Group:
    """Symmetries of a system as fields on its coordinates; each kind is computed on first use.

    ``plain`` are combinations of shifts and turns, with factors of the parameters where needed; ``hidden`` are not affine;
    ``affine`` has all affine fields with small fractions, and among them a subgroup that acts freely, which is ``symmetry``.
    """

    system: System
    motion: Motion | None
    problem: str = ""
    """Why there is no motion in exact arithmetic."""

    @cached_property
    def _algebra(self) -> Algebra:
        motion = self.motion
        if motion is None:
            return Algebra({}, self.problem)
        return _PLAIN.get(_key(motion), lambda: decided_algebra(motion))

    @property
    def plain(self) -> FrozenMap[str, Generator]:
        """Combinations of shifts and turns."""
        return FrozenMap(self._algebra.fields)

    @property
    def open(self) -> str:
        """Why there may be more of the plain ones; nothing where there are none."""
        return self._algebra.open

    @cached_property
    def hidden(self) -> FrozenMap[str, Generator]:
        """Fields that are not affine in these coordinates."""
        motion = self.motion
        return FrozenMap() if motion is None else _HIDDEN.get(_key(motion), lambda: FrozenMap(hidden_generators(motion)))

    @property
    def generators(self) -> dict[str, Generator]:
        """The plain and the hidden ones."""
        return {**self.plain, **self.hidden}

    @cached_property
    def affine(self) -> Proposal:
        """All affine symmetries as matrices on ``(x, 1)``, and a subgroup of them that acts freely, by name."""
        return proposal(self.system)

    @property
    def symmetry(self) -> Symmetry | None:
        """The free subgroup as a declaration; None where it is trivial."""
        found = self.affine.generators
        return Symmetry({n: table_of(self.system, m) for n, m in found.items()}, "found") if found else None


_GROUPS: Cache[Group] = Cache(64)
_PLAIN: Cache[Algebra] = Cache(64)
_HIDDEN: Cache[FrozenMap[str, Generator]] = Cache(64)


def group_of(system: System) -> Group:
    """The symmetry group of a system, cached by its structure; ``open`` says why where it cannot be computed.

    >>> skate = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> list(group_of(skate).generators)
    ['shift_x', 'shift_y']
    """

    def found() -> Group:
        try:
            return Group(system, motion_of(system))
        except NoPoints as problem:
            return Group(system, None, str(problem))

    return _GROUPS.get((structure(system), system.values, system.start), found)


def group_of_motion(motion: Motion) -> Group:
    """The same, of a system whose equations are there."""
    return Group(motion.system, motion)


def _key(motion: Motion) -> Hashable:
    return structure(motion.system), tuple(sorted((str(s), str(e)) for e, s in motion.constants.items()))
