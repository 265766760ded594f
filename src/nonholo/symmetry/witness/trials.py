"""Test the findings of each answer on computed motions; what a motion contradicts becomes a defect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.angle_coordinates import angle_coordinates, goes_round
from nonholo.finding import Finding, FirstIntegral, Freedom, Measure, Symmetries, TimeReversible
from nonholo.model.system import System
from nonholo.symmetry.witness.confirmation import Contradiction, confirmed, contradiction, defect
from nonholo.symmetry.witness.steady_trial import Eigenvalues, FillsAtMost, MoveSteadily, VelocitiesFree
from nonholo.symmetry.witness.symmetry_trial import CarriesMotions, ConstantAlongMotions, Reversible, VolumePreserved

MOST = 24
"""So many claims of one answer are tried."""


def tried_integrals(system: System, values: Mapping[str, float], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Test integrals along motions, and for single-valuedness in every angle that motions can go round."""
    angles = {symbol(a): a for a in angle_coordinates(system)} if system.coordinates else {}
    result, count = [], 0
    for f in findings:
        data = f.data
        if isinstance(data, FirstIntegral) and f.proved and f and f.formula is not None and count < MOST:
            count += 1
            own = [a for s, a in angles.items() if a not in data.local and s in f.formula.free_symbols]
            round_angles = tuple(a for a in own if goes_round(system, a, values))
            f = confirmed(system, values, f, ConstantAlongMotions(f.formula, round_angles))
        result.append(f)
    return tuple(result)


def tried_group(
    system: System, values: Mapping[str, float], group: Mapping[str, tuple[Expr, ...]]
) -> tuple[dict[str, tuple[Expr, ...]], tuple[Finding, ...]]:
    """The fields that carry a computed motion to a motion, and a defect for each of the others."""
    kept, wrong = {}, []
    for k, (name, field) in enumerate(group.items()):
        found = contradiction(system, values, CarriesMotions(tuple(field))) if k < MOST else None
        if found is None:
            kept[name] = field
        else:
            wrong.append(defect(system, Finding(Symmetries((name,)), "holds", proved=True), found))
    return kept, tuple(wrong)


def tried_measure(system: System, values: Mapping[str, float], finding: Finding, speeds: Sequence[object]) -> Finding:
    """A density on a simplex of neighbours; where none is claimed to exist there is nothing to try."""
    if not finding or finding.formula is None:
        return finding
    own = finding.data.speeds if isinstance(finding.data, Measure) else ()
    return confirmed(system, values, finding, VolumePreserved(finding.formula, own or tuple(map(str, speeds))))


def tried_reversal(system: System, values: Mapping[str, float], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Reversibility, measured or proved, by a motion that is run backwards."""
    result = []
    for f in findings:
        found = contradiction(system, values, Reversible()) if isinstance(f.data, TimeReversible) and f else None
        result.append(f if found is None else defect(system, f, found))
    return tuple(result)


def tried_freedom(system: System, values: Mapping[str, float], finding: Finding) -> Finding:
    """The number of free velocities by ranks at random states."""
    return confirmed(system, values, finding, VelocitiesFree(finding.data.free)) if isinstance(finding.data, Freedom) else finding


def tried_dimension(
    system: System,
    values: Mapping[str, float],
    finding: Finding,
    dimension: int,
    names: Sequence[str],
    start: Mapping[str, float],
) -> Finding | None:
    """A defect where a long motion fills more dimensions than the integrals leave of the space of these quantities."""
    turning = tuple(n for n in names if n in set(angle_coordinates(system)))
    found = contradiction(system, values, FillsAtMost(dimension, tuple(names), turning, FrozenMap(start)))
    return None if found is None else defect(system, finding, found)


def tried_steady(
    system: System,
    values: Mapping[str, float],
    states: Sequence[Mapping[str, float]],
    fields: Sequence[Sequence[Expr]],
    velocities: Sequence[Sequence[float]],
) -> Contradiction | None:
    """Steady motions and members of their families against motions from there."""
    claim = MoveSteadily(tuple(map(FrozenMap, states)), tuple(map(tuple, fields)), tuple(map(tuple, velocities)))
    return contradiction(system, values, claim)


def tried_spectrum(
    system: System, values: Mapping[str, float], state: Mapping[str, float], eigenvalues: Sequence[complex]
) -> Contradiction | None:
    """Eigenvalues at a state of rest against small motions."""
    return contradiction(system, values, Eigenvalues(FrozenMap(state), tuple(complex(e) for e in eigenvalues)))
