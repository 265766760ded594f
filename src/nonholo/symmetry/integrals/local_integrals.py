"""Integrals that are functions only locally: with other values after a whole turn of an angle, as ``be*cos(be)`` has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nonholo.derive.angle_coordinates import angle_coordinates, goes_round, multivalued
from nonholo.errors import NonholoError
from nonholo.finding import Finding, FirstIntegral
from nonholo.model.system import System
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

ROUND = 1e-6
"""Relative change of numerical coefficients over a whole turn that is rounding."""


def with_angles(system: System, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each integral with the angles round which it is not single valued."""
    angles = angle_coordinates(system)
    return [_marked(system, angles, f) if f else f for f in findings]


def _marked(system: System, angles: Sequence[str], finding: Finding) -> Finding:
    if not isinstance(finding.data, FirstIntegral) or finding.expression is None:
        return finding
    if isinstance(finding.expression, NumericMomentum):
        found = _turned(system, angles, finding.expression)
    else:
        found = multivalued(system, finding.formula, angles) if finding.formula is not None else ()
    return replace(finding, data=replace(finding.data, local=found)) if found else finding


def _turned(system: System, angles: Sequence[str], momentum: NumericMomentum) -> tuple[str, ...]:
    """The angle on which numerical coefficients depend, where motions can go round it and the coefficients change."""
    angle = momentum.variable
    if angle not in angles or not goes_round(system, angle):
        return ()
    middle = sum(momentum.interval) / 2
    try:
        one, other = momentum.coefficients([middle - np.pi, middle + np.pi])
    except NonholoError:  # they are not known for a whole turn
        return (angle,)
    return (angle,) if np.max(np.abs(one - other)) > ROUND * np.max(np.abs(one)) else ()
