"""Mathematical answers as data: what was asked, what came out and why; the sentences are written last.

`statements` has one record for each kind of statement, `evidence_kinds` one for each kind of evidence. `sentences` is the one
writer that turns both into English. `answer` has the `Finding` that holds them together.
"""

from nonholo.finding.answer import Finding, Value, bounded, integral_name, is_energy, while_lasting
from nonholo.finding.evidence_kinds import Counterexample, Evidence, Lasting, Measured, Proved, Reason, Searched
from nonholo.finding.html_tables import Findings
from nonholo.finding.sentences import Verdict
from nonholo.finding.statements import (
    AccelerationsUnique,
    Agreement,
    Condition,
    Defect,
    Density,
    FindingData,
    FirstIntegral,
    Freedom,
    FurtherIntegrals,
    Hint,
    Invariance,
    Involutive,
    LinearMomenta,
    Measure,
    MotionFills,
    MotionFillsCurve,
    Part,
    Property,
    ReducedHamiltonian,
    Stable,
    Statement,
    Symmetries,
    TimeReversible,
    WindingTorus,
)

__all__ = [
    "AccelerationsUnique",
    "Agreement",
    "Condition",
    "Counterexample",
    "Defect",
    "Density",
    "Evidence",
    "Finding",
    "FindingData",
    "Findings",
    "FirstIntegral",
    "Freedom",
    "FurtherIntegrals",
    "Hint",
    "Invariance",
    "Involutive",
    "Lasting",
    "LinearMomenta",
    "Measure",
    "Measured",
    "MotionFills",
    "MotionFillsCurve",
    "Part",
    "Property",
    "Proved",
    "Reason",
    "ReducedHamiltonian",
    "Searched",
    "Stable",
    "Statement",
    "Symmetries",
    "TimeReversible",
    "Value",
    "Verdict",
    "WindingTorus",
    "bounded",
    "integral_name",
    "is_energy",
    "while_lasting",
]
