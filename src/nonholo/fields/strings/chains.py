"""The string as a chain of rigid links: a System of N rods, which tends to the string with the square of a link's length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.fields.field_starts import formula, sampled
from nonholo.model.system import System
from nonholo.program.array_types import Array


def linked_chain(links: int, held: bool = False) -> System:
    """``links`` equal uniform rods hinged end to end, total mass ``M`` and length ``L``; free, or its first end held under ``g``.

    A rod's turning moves its own middle by half a rod and all that hang on it by a whole one; a free chain is described from its
    centre of mass, whose uniform motion is left out.

    >>> linked_chain(2).coordinates
    ('theta1', 'theta2')
    """
    if isinstance(links, bool) or not isinstance(links, int) or links < 1:
        raise ModelError(f"chain: {links!r} links; give a whole number, at least 1.")
    names = [f"theta{k + 1}" for k in range(links)]
    form = inertia(links, held)
    terms = []
    for i in range(links):
        terms.append(f"M*L**2*({form[i, i]:.17g})/2*{names[i]}dot**2")
        terms += [
            f"M*L**2*({form[i, j]:.17g})*cos({names[i]} - {names[j]})*{names[i]}dot*{names[j]}dot" for j in range(i)
        ]
    if held:
        terms += [f"-M*g*L*({(links - k - 0.5) / links**2:.17g})*sin({name})" for k, name in enumerate(names)]
    return System(
        name=f"chain of {links} links",
        coordinates=names,
        parameters="M L g" if held else "M L",
        lagrangian=" + ".join(terms),
    )


def inertia(links: int, held: bool = False) -> Array:
    """``K`` of ``T = ½ M L² Σ K_ij cos(θ_i − θ_j) θ̇_i θ̇_j``: middles of rods by their lever arms, and each rod's own 1/12."""
    rod = 1.0 / links
    lever = np.tril(np.full((links, links), rod), -1) + 0.5 * rod * np.eye(links)
    if not held:
        lever = lever - lever.mean(axis=0)
    return lever.T @ lever / links + np.eye(links) * rod**3 / 12


def chain_start(links: int, length: float, theta: Any, omega: Any) -> dict[str, float]:
    """The start of a chain along a string's: angle and turning at the middle of each rod; ``theta``, ``omega`` texts in ``s``."""
    middles = length * (np.arange(links) + 0.5) / links
    angle, turning = (
        sampled(formula(v, ("s",), n), ("s",), n, middles) for v, n in ((theta, "theta"), (omega, "omega"))
    )
    names: Mapping[str, float] = {f"theta{k + 1}": float(v) for k, v in enumerate(angle)}
    return {**names, **{f"theta{k + 1}dot": float(v) for k, v in enumerate(turning)}}
