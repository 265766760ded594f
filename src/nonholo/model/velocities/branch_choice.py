"""Branches of constraints that fall into several: each as a system of its own, to be chosen by name. [Benenti 2008 §8.4]"""

from __future__ import annotations

from nonholo.algebra.cache import KeptFor
from nonholo.algebra.calculus import symbols
from nonholo.errors import ModelError, StateError
from nonholo.model.system import System, check_system, varied
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.model.velocities.constraint_branches import branches
from nonholo.notation.write import to_text

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
SAMPLES = 5
_FOUND: KeptFor[dict[str, System]] = KeptFor(32)


def constraint_branches(system: System) -> dict[str, System]:
    """The types of motion that nonlinear constraints leave, by the names I, II, …: each is the system with its own constraints.

    Where several types are possible at one state (a transitional state) mechanics does not say which goes on; choose it:
    ``simulate(s, …, branch="II")``. `classify` tells of each whether it is holonomic.

    >>> rod = System(coordinates="x y phi", lagrangian="(xdot**2 + ydot**2 + phidot**2)/2",
    ...              constraints=["(xdot*cos(phi) + ydot*sin(phi))*phidot"])
    >>> [(name, one.constraints[0]) for name, one in constraint_branches(rod).items()]
    [('I', sin(phi)*ydot + cos(phi)*xdot), ('II', phidot)]
    """
    check_system(system)
    return dict(_FOUND.get(system, lambda: _branches(system)))


def _branches(system: System) -> dict[str, System]:
    rows = constraint_rows(system)
    if rows.linear or not system.constraints:
        return {"I": system}
    own = rows.residuals[: len(system.constraints)]
    found, _ = branches(own, symbols(system.velocities), samples_of(system, count=SAMPLES))
    if not found:
        raise ModelError(f"{system.name}: no velocity satisfies the constraints.")
    parts = sorted(((*b.linear, *b.nonlinear) for b in found), key=lambda e: (-len(str(e)), str(e)))
    if len(parts) == 1 and set(parts[0]) == set(own):
        return {"I": system}
    return {name: varied(system, constraints=part, start={}) for name, part in zip(ROMAN, parts)}


def on_branch(system: System, which: str | int) -> System:
    """The system of one branch, by its name, its number or the text of its constraint."""
    known = constraint_branches(system)
    listed = "; ".join(f"{n}: {', '.join(to_text(c) for c in one.constraints)} = 0" for n, one in known.items())
    if len(known) < 2:
        raise StateError(f"{system.name}: branch = {which!r}, but its constraints have one branch only.")
    if isinstance(which, int) and not isinstance(which, bool) and 1 <= which <= len(known):
        return list(known.values())[which - 1]
    word = str(which).strip()
    for name, one in known.items():
        if word in (name, ", ".join(to_text(c) for c in one.constraints)):
            return one
    raise StateError(f"{system.name}: no branch {which!r}; it has {listed}.")
