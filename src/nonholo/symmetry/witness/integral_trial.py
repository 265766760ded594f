"""An integral tried along motions by multipliers, and round every angle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow

STARTS = 3
DRIFT = 1e-6
"""A quantity that changes by less, relative to its terms, is constant as far as a short motion can tell."""


@dataclass(frozen=True)
class ConstantAlongMotions(Claim):
    """An expression in the system's names is constant, and single valued round these angles."""

    expression: Expr
    angles: tuple[str, ...] = ()


@trial(ConstantAlongMotions)
def along_motions(flow: MultiplierFlow, claim: ConstantAlongMotions) -> Contradiction | None:
    """The drift along short motions from random states: the second largest counts, for a root may change its branch once."""
    whole = se.sympify(claim.expression)
    terms = list(whole.args) if isinstance(whole, se.Add) else [whole]
    value = flow.observed(terms)
    rows = flow.starts(STARTS, 71)
    span = flow.span(rows)
    fine, coarse = flow.steps(rows, span, 2 * STEPS), flow.steps(rows, span, STEPS)
    table = np.array([value(y) for y in fine[:: STEPS // 2]])
    last = value(coarse[-1])
    size = np.max(np.sum(np.abs(table), axis=2), axis=0) + 1e-12
    drifts = np.max(np.abs(table.sum(axis=2) - table[0].sum(axis=1)), axis=0) / size
    errors = np.abs(table[-1].sum(axis=1) - last.sum(axis=1)) / size
    good = np.isfinite(drifts)
    if np.sum(good) >= 2:
        gap, error = float(np.sort(drifts[good])[-2]), float(np.max(errors[good]))
        if larger(gap, error, DRIFT):
            return Contradiction(gap, error, "its relative drift along short motions by multipliers")
    return _round_angles(flow, claim, rows)


def _round_angles(flow: MultiplierFlow, claim: ConstantAlongMotions, rows: np.ndarray) -> Contradiction | None:
    """Whether a full turn of an angle brings back another value."""
    value = flow.observed([claim.expression])
    names = [str(s) for s in flow.q]
    for angle in claim.angles:
        if angle not in names:
            continue
        moved = rows.copy()
        moved[:, names.index(angle)] += 2 * np.pi
        one, other = value(rows)[:, 0], value(moved)[:, 0]
        gaps = np.abs(one - other) / (1e-12 + np.abs(one) + np.abs(other))
        gap = float(np.min(gaps)) if np.all(np.isfinite(gaps)) else 0.0
        if gap > DRIFT:
            return Contradiction(gap, 1e-15, f"its relative change when {angle} makes a full turn")
    return None
