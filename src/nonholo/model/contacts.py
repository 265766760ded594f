"""The record of one contact: gap, slip velocities and the law of its forces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nonholo.algebra.expression_types import Expr


@dataclass(frozen=True)
class Resistance:
    """A moment ``coefficient · N`` against turning at ``rates``: drilling friction, rolling resistance; coefficient in metres."""

    rates: tuple[Expr, ...]
    coefficient: Expr


@dataclass(frozen=True)
class ContactLaw:
    """One contact of a system, read: a constraint while it rolls, a force law while it slides, nothing while it is open.

    ``gap`` is a distance along the normal, at least zero; ``slip`` are one or two velocities that vanish in rolling. So the
    multipliers of their rows are the normal force and the tangential forces along and across.
    """

    name: str
    gap: Expr | None = None
    slip: tuple[Expr, ...] = ()
    static: Expr | None = None
    """Coefficient of static friction; None where nothing limits the tangential force."""
    kinetic: Expr | None = None
    spin: Resistance | None = None
    rolling: Resistance | None = None
    slips: bool = False
    lifts: bool = False
    restitution: Expr | None = None
    impact: str = "newton"
    """Whose restitution: ``newton`` compares normal velocities, ``poisson`` impulses, ``garwin`` normal velocities and slips."""
    load: Expr | None = None
    """The normal force where it is given and not a reaction: a contact without a gap."""
    point: tuple[Expr, ...] = ()
    normal: tuple[Expr, ...] = ()
    along: tuple[Expr, ...] = ()
    across: tuple[Expr, ...] = ()
    """The point in the world, and the directions of normal and slips there."""
    body: str = ""
    on: str = ""

    @property
    def permanent(self) -> bool:
        """Whether it neither slips nor lifts: its rows are constraints and nothing else."""
        return not (self.slips or self.lifts)

    @property
    def numbers(self) -> dict[str, Expr]:
        """The coefficients of its laws, by name."""
        parts = {"static friction": self.static, "kinetic friction": self.kinetic, "restitution": self.restitution}
        parts |= {"load": self.load, "spin": self.spin.coefficient if self.spin is not None else None}
        parts |= {"rolling": self.rolling.coefficient if self.rolling is not None else None}
        return {what: e for what, e in parts.items() if e is not None}

    @property
    def directions(self) -> tuple[str, ...]:
        """What each slip is called: a blade has one, across."""
        sideways = len(self.slip) == 1 and self.across and not self.along
        return ("across",) if sideways else ("along", "across")[: len(self.slip)]

    @property
    def axes(self) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
        """Normal, along and across in the world; one that is not given follows from the two others, () where it cannot."""
        normal, along, across = self.normal, self.along, self.across
        along = along or (_cross(across, normal) if across and normal else ())
        across = across or (_cross(normal, along) if along and normal else ())
        return normal or (_cross(along, across) if along and across else ()), along, across

    @property
    def rolls(self) -> bool:
        """Whether its slip can be zero at all."""
        return bool(self.slip) and self.static != 0


def holding_words(contacts: Sequence[ContactLaw]) -> str:
    """In which mode of its contacts a system has its constraints; nothing where the contacts stay as they are.

    >>> holding_words([ContactLaw("ball", slips=True), ContactLaw("cue", slips=True, lifts=True)])
    'while no contact slides or lifts'
    """
    modes = {"slides": any(law.slips for law in contacts), "lifts": any(law.lifts for law in contacts)}
    ways = " or ".join(word for word, some in modes.items() if some)
    return f"while no contact {ways}" if ways else ""


def _cross(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3))


CONTACT_WORDS = re.compile(r"\b(normal|along|across|ratio|slip|gap)\(([^()]+)\)")
"""Forces, slip and gap of a contact in texts: ``normal(front wheel)``."""
EXPRESSIONS = ("gap", "static", "kinetic", "restitution", "load")
LISTS = ("slip", "point", "normal", "along", "across")
IMPACTS = ("newton", "poisson", "garwin")
