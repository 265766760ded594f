"""Letters for the rows and columns of rotation matrices: ``γ = Rᵀ e₃``, the vertical in body axes; names of a system as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import expand, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.geometry.frames.frame import rate
from nonholo.notation.names import GREEK, Notation, latex_name, notation
from nonholo.notation.rotation_matrices import Turning, entries, matrix_letters, turning

ROWS = ("alpha", "beta", "gamma")
"""Axes of space seen from the body, ``α = Rᵀ e₁, β = Rᵀ e₂, γ = Rᵀ e₃``."""
COLUMNS = ("xi", "eta", "zeta")
"""Axes of the body in space, ``ξ = R e₁, η = R e₂, ζ = R e₃``."""


@dataclass(frozen=True)
class Axis:
    """A row or column of a rotation matrix with a name of its own."""

    name: str
    matrix: str
    number: int
    row: bool

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries of the matrix that are its components."""
        return tuple(f"{self.matrix}{self.number}{k}" if self.row else f"{self.matrix}{k}{self.number}" for k in (1, 2, 3))

    @property
    def components(self) -> tuple[str, ...]:
        """The names of its components: gamma1, gamma2, gamma3."""
        return tuple(f"{self.name}{k}" for k in (1, 2, 3))

    @property
    def meaning(self) -> str:
        """In words."""
        return f"axis {self.number} of space, seen from the body" if self.row else f"axis {self.number} of the body, in space"


_AXES: WeakCache[tuple[Axis, ...]] = WeakCache(64)


def matrices(names: Sequence[str], rates: Sequence[Expr]) -> dict[str, Turning]:
    """The rotation matrices among coordinates with these rates, and how each turns."""
    table = dict(zip(names, rates))
    return {letter: found for letter in matrix_letters(table) if (found := turning(letter, table)) is not None}


def axes_of(system: Any) -> tuple[Axis, ...]:
    """The axes of a system's rotation matrices, in letters that none of its names has; one whose letter is taken has none.

    Rows where the matrix turns by rates in the body, columns where it turns by rates in space, unless all that the
    system says of the matrix is in one row, or in one column.

    >>> import nonholo as nh
    >>> [axis.name for axis in axes_of(nh.gallery.get("lagrange-top").system)]
    ['alpha', 'beta', 'gamma']
    """
    return _AXES.get(system, lambda: _axes(system))


def _axes(system: Any) -> tuple[Axis, ...]:
    found = matrices(system.coordinates, system.frame.rates)
    if not found:
        return ()
    texts = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values()]
    texts += [*system.magnetic.values(), *system.quasivelocities.values()]
    texts += list(system.parametric[1].values()) if system.parametric is not None else []
    used_names = {str(s).removesuffix("dot") for e in texts for s in se.sympify(e).free_symbols}
    own = [*system.coordinates, *system.velocities, *system.parameters, *system.quasivelocities, *system.inputs]
    own += list(system.parametric[0]) if system.parametric is not None else []
    axes: list[Axis] = []
    for letter, turn in found.items():
        used = used_names & set(entries(letter))
        row, column = _in_one(used, 2), _in_one(used, 1)
        in_rows = row if row != column else not turn.in_space
        for k, name in enumerate(ROWS if in_rows else COLUMNS):
            tried = [n if len(found) == 1 else f"{n}_{letter}" for n in (name, name.capitalize()) if n in GREEK]
            free = [n for n in tried if not any(_alike(n, other) for other in own)]
            axes += [Axis(free[0], letter, k + 1, in_rows)] if free else []
    return tuple(axes)


def _in_one(used: Iterable[str], place: int) -> bool:
    """Whether all entries have the same index there: 2 counts rows, 1 counts columns."""
    return len({n[-place] for n in used}) == 1


def _alike(name: str, other: str) -> bool:
    return re.fullmatch(rf"{name}_?\d*(d?dot)?", other) is not None


def letter_names(axes: Sequence[Axis]) -> dict[str, str]:
    """The component's name for each entry, and the same for their rates: R31 is gamma1, R31dot is gamma1dot."""
    table = {entry: name for axis in axes for entry, name in zip(axis.entries, axis.components)}
    return {f"{entry}{dots}": f"{name}{dots}" for entry, name in table.items() for dots in ("", "dot", "ddot")}


def with_letters(text: str, axes: Sequence[Axis]) -> str:
    """A text with the names of the axes in place of the entries of matrices.

    >>> with_letters("m*R31dot + xR31", [Axis("gamma", "R", 3, True)])
    'm*gamma1dot + xR31'
    """
    table = letter_names(axes)
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda word: table.get(word[0], word[0]), text) if table else text


def met(axes: Sequence[Axis], text: str) -> list[Axis]:
    """The axes of which a text names a component."""
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return [a for a in axes if any(f"{c}{dots}" in words for c in a.components for dots in ("", "dot", "ddot"))]


def with_meanings(text: str, axes: Sequence[Axis], indent: str = "  ") -> str:
    """A text in the names of the axes, and a line for each of them that it names.

    >>> print(with_meanings("m*R31", [Axis("gamma", "R", 3, True)]))
    m*gamma1
      gamma = (R31, R32, R33)
    """
    told = with_letters(text, axes)
    return "\n".join([told, *(f"{indent}{a.name} = ({', '.join(a.entries)})" for a in met(axes, told))])


def turned_by(axis: Sequence[str], rates: Mapping[str, Expr]) -> tuple[Expr, Expr, Expr] | None:
    """The Ω of Poisson's equation ``γ̇ = γ × Ω`` when three coordinates have such rates, else None.

    >>> table = {"g1": se.sympify("g2*w - g3*u"), "g2": se.sympify("-g1*w"), "g3": se.sympify("g1*u")}
    >>> turned_by(["g1", "g2", "g3"], table)
    (0, u, w)
    """
    if not all(n in rates for n in axis):
        return None
    one, two, three = symbols(axis)
    first, second, third = (se.sympify(rates[n]) for n in axis)
    found = (second.diff(three), -first.diff(three), first.diff(two))
    if any(e.free_symbols & {one, two, three} for e in found):
        return None
    given = (two * found[2] - three * found[1], three * found[0] - one * found[2], one * found[1] - two * found[0])
    return found if all(expand(a - b) == 0 for a, b in zip((first, second, third), given)) else None


def system_notation(system: Any) -> Notation:
    """Parameters, coordinates, velocities and inputs in the order in which the system declares them; rates with dots.

    Rows or columns of rotation matrices are vectors with letters of their own (`nonholo.model.rotation_axes`).
    """
    rates = [*(rate(c) for c in system.coordinates), *(v for v in system.velocities if v.endswith("dot"))]
    own = [*system.velocities, *system.quasivelocities, *(system.parametric[0] if system.parametric else ())]
    turning = matrices(system.coordinates, system.frame.rates)
    speeds = [v for v in own if v not in rates]
    plain = notation(tuple(system.parameters), system.coordinates, speeds, system.inputs, rates, turning)
    return with_axes(plain, axes_of(system))


def with_axes(plain: Notation, axes: Sequence[Axis]) -> Notation:
    """The notation with the components of the axes in place of the entries of matrices.

    >>> print(with_axes(notation(coordinates=["R31"]), [Axis("gamma", "R", 3, True)]).name("R31dot"))
    \\dot{\\gamma}_{1}
    """
    table = {entry: latex_name(name, [name] if name.endswith("dot") else ()) for entry, name in letter_names(axes).items()}
    return replace(plain, names=FrozenMap({**plain.names, **table})) if table else plain
