"""The obvious symmetries of a system that declares none: shifts of coordinates, motions of the plane, turns."""

from __future__ import annotations

from itertools import permutations

from nonholo.errors import ModelError
from nonholo.model.admissible import admissible
from nonholo.model.symmetry import Symmetry, translation
from nonholo.model.system import System
from nonholo.symmetry.reduction.action import action, invariance


def proposed_symmetry(system: System) -> Symmetry | None:
    """The obvious generators that leave the system as it is, taken one after the other while the action stays free.

    Tried are shifts of every coordinate, turns of each rotation matrix from the left and the right (with two of the
    coordinates, or alone), and turns of two coordinates with one heading, with all other coordinates, or alone.
    """
    if system.frame is None or not system.coordinates or not admissible(system).explicit:
        return None
    found: dict[str, dict[str, str]] = {}
    for group in _candidates(system):
        new = {n: dict(f) for n, f in group.generators.items()}
        if any(n in found for n in new):
            continue
        if _leaves_alone(system, {**found, **new}):
            found |= new
    return Symmetry(found, "found") if found else None


def _leaves_alone(system: System, generators: dict[str, dict[str, str]]) -> bool:
    try:
        group = action(system, Symmetry(generators))
    except ModelError:
        return False
    return group.rank == len(group.names) and all(invariance(system, group))


def _candidates(system: System) -> list[Symmetry]:
    names = system.coordinates
    blocks = [
        c[:-2] for c in names if c.endswith("11") and all(f"{c[:-2]}{i}{j}" in names for i in "123" for j in "123")
    ]
    inside = {f"{b}{i}{j}" for b in blocks for i in "123" for j in "123"}
    plain = [c for c in names if c not in inside]
    result = [translation(c) for c in plain]
    pairs = [(x, y) for x, y in permutations(plain, 2) if plain.index(x) < plain.index(y)]
    for b in blocks:
        left = {f"{b}_turn{k + 1}": _left(b, k) for k in range(3)}
        right = {f"{b}_spin{k + 1}": _right(b, k) for k in range(3)}
        result += [Symmetry(left), Symmetry(right)]
        result += [Symmetry({f"{b}_turn": {**_left(b, 2), x: f"-{y}", y: x}}) for x, y in pairs]
        result += [Symmetry({f"{b}_turn": _left(b, 2)}), Symmetry({f"{b}_spin": _right(b, 2)})]
    for x, y in pairs:
        others = [a for a in plain if a not in (x, y)]
        turn = {x: f"-{y}", y: x}
        result += [Symmetry({"turn": {**turn, a: "1"}}) for a in others]
        result += [Symmetry({"turn": {**turn, **dict.fromkeys(others, "1")}}), Symmetry({"turn": turn})]
    return result


def _left(name: str, axis: int) -> dict[str, str]:
    """The generator of turns about an axis of space, ``ê R``."""
    i, j = (axis + 1) % 3 + 1, (axis + 2) % 3 + 1
    return {
        **{f"{name}{i}{k}": f"-{name}{j}{k}" for k in (1, 2, 3)},
        **{f"{name}{j}{k}": f"{name}{i}{k}" for k in (1, 2, 3)},
    }


def _right(name: str, axis: int) -> dict[str, str]:
    """The generator of turns about an axis of the body, ``R ê``, with the sign of the gallery's spins."""
    i, j = (axis + 1) % 3 + 1, (axis + 2) % 3 + 1
    return {
        **{f"{name}{k}{i}": f"-{name}{k}{j}" for k in (1, 2, 3)},
        **{f"{name}{k}{j}": f"{name}{k}{i}" for k in (1, 2, 3)},
    }
