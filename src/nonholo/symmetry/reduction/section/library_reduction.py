"""Reduction by symmetries that are not affine, with invariant fields from a library.

The group's maps are not needed: fields that commute with its generators carry the reduced motion back to the coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.algebra.subspaces import numeric_rank
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.group_action import Action, action
from nonholo.symmetry.group.library_symmetries import (
    Generator,
    commuting_fields,
    invariant_functions,
    library_of,
)
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.reduction.section.shape_space import Shape

VALUES = (ZERO, se.pi / 2, ONE, se.pi / 3, se.Rational(1, 2))
"""Where coordinates that the group moves may stand on the section."""
TRIES = 64
"""So many groups, and so many sections, are tried."""


def with_hidden(system: System, affine: Symmetry | None) -> Symmetry | None:
    """The largest group that acts freely, of affine symmetries and hidden ones; None where none is hidden or none closes."""
    known = dict(affine.generators) if affine is not None else {}
    hidden = {name: _table(system, f) for name, f in group_of(system).hidden.items()}
    if not hidden:
        return None
    names = [*known, *hidden]
    for chosen in _subsets(names, set(hidden)):
        trial = Symmetry({n: {**known, **hidden}[n] for n in chosen}, "found, not affine")
        try:
            group = action(system, trial)
        except ModelError:
            continue
        if group.rank == len(chosen):
            return trial
    return None


def _subsets(names: Sequence[str], hidden: set[str]) -> Iterator[tuple[str, ...]]:
    """Sets of names with a hidden one, the largest first."""
    count = 0
    for size in range(len(names), 0, -1):
        for chosen in combinations(names, size):
            if hidden & set(chosen):
                count += 1
                if count > TRIES:
                    return
                yield chosen


def _table(system: System, field: Generator) -> dict[str, str]:
    return {c: to_text(e) for c, e in zip(system.coordinates, field) if e != 0}


def library_fields(system: System, group: Action, inside: bool) -> list[Generator]:
    """Independent fields that the group leaves alone, as many as D has dimensions (``inside`` it), or as there are velocities.

    A ModelError when the library does not hold so many.
    """
    library = library_of(system)
    if library is None:
        raise ModelError(f"{system.name}: no library of functions fits its coordinates, so that no invariant fields are known.")
    slopes = constraint_rows(system).slopes if inside else ()
    fields = commuting_fields(motion_of(system), library, group.on_coordinates, slopes)
    size = len(system.velocities) - len(slopes)
    place = samples_of(system)[1]
    chosen: list[Generator] = []
    for field in sorted(fields, key=lambda f: sum(len(str(e)) for e in f)):
        numbers = evaluate_matrix([*chosen, field], place)
        if np.all(np.isfinite(numbers)) and numeric_rank(numbers) == len(numbers):
            chosen.append(tuple(shorten(e) for e in field))
        if len(chosen) == size:
            return chosen
    raise ModelError(
        f"{system.name}: the symmetry {', '.join(group.names)} {_trait(system, group)}, and only {len(chosen)} of "
        f"{size} fields that it leaves alone were found among products of simple functions; {_numbers(system, group)}write the "
        "system in coordinates that the group shifts or turns."
    )


def library_section(system: System, group: Action, basis: Sequence[Generator]) -> Shape:
    """Invariants that are coordinates on a section where the group's coordinates stand at values that are regular."""
    size, needed = len(system.coordinates), len(system.velocities) - group.rank
    library = library_of(system)
    still = [k for k in range(size) if all(f[k] == 0 for f in group.on_coordinates)]
    more = [] if library is None or len(still) == needed else invariant_functions(library, group.on_coordinates)
    parts: list[Expr] = [e for f in (*basis, *group.on_coordinates) for e in f]
    place = samples_of(system)[1]
    tries = 0
    for others in combinations([k for k in range(size) if k not in still], needed - len(still)):
        moved = [c for k, c in enumerate(system.coordinates) if k not in still and k not in others]
        for values in product(VALUES, repeat=len(moved)):
            tries += 1
            if tries > TRIES:
                break
            table: dict[Any, Expr] = dict(zip(symbols(moved), values))
            functions = _reading(system, [*still, *others], still, more, table)
            if functions is None or not _regular(substitute(parts, table), place, size, len(basis), group.rank):
                continue
            names = [system.coordinates[k] if k in still else f"{system.coordinates[k]}_rel" for k in functions]
            table |= {symbol(system.coordinates[k]): symbol(n) for k, n in zip(functions, names) if k not in still}
            return Shape(tuple(names), tuple(functions.values()), table, (), needed)
    raise ModelError(
        f"{system.name}: the symmetry {', '.join(group.names)} {_trait(system, group)}, and among products of simple "
        f"functions no {needed} invariants with a regular section were found; {_numbers(system, group)}write the system in "
        "coordinates of which that many are left alone by the group."
    )


def _factors(system: System, group: Action) -> list[str]:
    """The parameters in the fields of a group."""
    used = {str(s) for field in group.on_coordinates for e in field for s in e.free_symbols}
    return [n for n in system.parameters if n in used]


def _trait(system: System, group: Action) -> str:
    names = _factors(system, group)
    return f"has factors of the parameters {', '.join(names)}" if names else "is not affine in the coordinates"


def _numbers(system: System, group: Action) -> str:
    names = _factors(system, group)
    return with_numbers(system, names) if names else ""


def with_numbers(system: System, names: Sequence[str]) -> str:
    """The advice to give parameters numbers."""
    shown = ", ".join(f'"{n}": {"…" if (e := system.parameters[n]) is None else e}' for n in names)
    return f"reduce it with numbers, nh.reduce(system, parameters={{{shown}}}), or "


def _reading(
    system: System, kept: Sequence[int], still: Sequence[int], more: Sequence[Expr], table: Mapping[Any, Expr]
) -> dict[int, Expr] | None:
    """For each coordinate that is kept an invariant that is this coordinate on the section."""
    result: dict[int, Expr] = {}
    for k in sorted(kept):
        own = symbol(system.coordinates[k])
        if k in still:
            result[k] = own
            continue
        found = next((s * f for f in more for s in (1, -1) if expand(s * substitute([f], table)[0] - own) == 0), None)
        if found is None:
            return None
        result[k] = found
    return result


def _regular(here: Sequence[Expr], place: Mapping[str, float], width: int, height: int, rank: int) -> bool:
    """Whether the fields have numbers on the section, independent ones of D and of the orbits."""
    if any(e.has(se.zoo) or e.has(se.nan) or e in (se.zoo, se.nan, se.oo) for e in map(se.sympify, here)):
        return False
    numbers = evaluate(list(here), dict(place)).reshape(-1, width)
    if not np.all(np.isfinite(numbers)) or np.max(np.abs(numbers)) > 1e6:
        return False
    return numeric_rank(numbers[:height]) == height and numeric_rank(numbers[height:]) == rank
