"""The system whose contacts roll and stay closed for ever, and when its motions are those of the system."""

from __future__ import annotations

from nonholo.algebra.kinks import differentiable
from nonholo.errors import ModelError
from nonholo.finding import Lasting
from nonholo.finding.sentences import lasting_words
from nonholo.model.system import System, check_system, varied
from nonholo.model.velocities.admissible import admissible


def lasting(system: System) -> tuple[System, Lasting]:
    """The system with the rows of its contacts as constraints and nothing else, and when its motions are those of the system.

    >>> ball = System(coordinates="x phi", parameters="r mu g", lagrangian="(xdot**2 + phidot**2)/2",
    ...     contacts=[{"name": "floor", "slip": ["xdot - r*phidot"], "friction": "mu", "load": "g", "slips": True}])
    >>> alone, condition = lasting(ball)
    >>> alone.contacts, condition.rolling
    ((), ('floor',))
    """
    check_system(system)
    condition = lasting_condition(system)
    if not condition:
        return system, condition
    rows = {
        "constraints": tuple(map(differentiable, system.constraints)),
        "holonomic": tuple(map(differentiable, system.holonomic)),
    }
    return varied(system, contacts=(), drawing=None, page=None, **rows), condition


def lasting_condition(system: object) -> Lasting:
    """Which contacts of a system must keep their mode for its equations of rolling to hold; none of what is no System."""
    laws = system.contacts if isinstance(system, System) else ()
    return Lasting(
        rolling=tuple(law.name for law in laws if law.slips and (law.rolls or law.kinetic != 0)),
        closed=tuple(law.name for law in laws if law.lifts),
        resisting=tuple(law.name for law in laws if law.spin is not None or law.rolling is not None),
    )


def require_motion(system: System, condition: Lasting) -> None:
    """A ModelError where the constraints leave no velocity free."""
    if not system.frame.size or system.parametric is not None:
        return
    if not admissible(system).speeds:
        raise ModelError(
            f"{system.name}: no velocity is free{lasting_words(condition)}, so that nothing moves and there is nothing to ask; "
            "leave out constraints or contacts, or follow motions with simulate."
        )
