"""A judgement for a paper: every line with its formula and what proves it, as LaTeX."""

from __future__ import annotations

from nonholo.finding import Finding, FirstIntegral, Measure, Symmetries
from nonholo.model.rotation_axes import system_notation
from nonholo.model.system import System
from nonholo.notation.latex import to_latex
from nonholo.notation.parse import parse
from nonholo.symmetry.certificate.certificates import certificate
from nonholo.symmetry.judgement.verdict import Judgement, status

_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_SPECIAL |= {c: f"\\{c}" for c in "&%$#_{}"}
_MATHEMATICAL = {"∂": r"$\partial$", "²": r"${}^2$", "·": r"$\cdot$", "–": "--", "−": "$-$", "τ": r"$\tau$", "γ": r"$\gamma$"}


def judgement_latex(judgement: Judgement) -> str:
    """A ``description`` with one item for each line, and the conclusion.

    >>> from nonholo.symmetry.judgement.verdict import verdict
    >>> spring = System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")
    >>> print(judgement_latex(verdict(spring)).splitlines()[1])
    \\item[proved] 1 velocities, all free
    """
    lines = [r"\begin{description}"]
    for finding in judgement.findings:
        sign = {"holds": "", "fails": "not: ", "unknown": "not known: "}[finding.verdict]
        formula = _formula(judgement.system, finding)
        shown = f"\n  \\[ {formula} \\]" if formula else ""
        proof = certificate(judgement.system, finding, judgement.findings)
        why = finding.evidence if proof is None else proof.theorem
        reason = f"\n  ({written(why)})" if why else ""
        lines.append(f"\\item[{status(finding)}] {sign}{_claim(finding)}{shown}{reason}")
    return "\n".join([*lines, f"\\item[so] {written(judgement.conclusion)}", r"\end{description}"])


def _claim(finding: Finding) -> str:
    """The sentence, without the formula that is shown below it."""
    data = finding.data
    if isinstance(data, FirstIntegral) and finding.formula is not None:
        return "the energy is constant" if data.energy else "first integral"
    if isinstance(data, Symmetries) and data.fields:
        return "symmetries"
    return written(finding.claim)


def _formula(system: System, finding: Finding) -> str:
    data, spelling = finding.data, system_notation(system)
    if isinstance(data, Symmetries) and data.fields:
        return ", \\quad ".join(_field(system, field) for field in data.fields)
    if finding.formula is None:
        return ""
    whole = to_latex(finding.formula, spelling=spelling)
    return f"f = {whole}" if isinstance(data, Measure) else whole


def _field(system: System, field: tuple[str, ...]) -> str:
    """A vector field, ``a ∂/∂x + b ∂/∂y``."""
    spelling = system_notation(system)
    names = [*system.coordinates, *system.parameters]
    parts = []
    for name, text in zip(system.coordinates, field):
        if text != "0":
            factor = to_latex(parse(text, names, text), spelling=spelling)
            wide = f"\\left({factor}\\right)" if any(c in factor[1:] for c in "+-") else factor
            parts.append(f"{'' if text == '1' else wide + ' '}\\partial_{{{spelling.name(name)}}}")
    return " + ".join(parts).replace("+ -", "- ")


def written(text: str) -> str:
    """Words for LaTeX: special letters are escaped.

    >>> print(written("a_b & 50%"))
    a\\_b \\& 50\\%
    """
    return "".join(_MATHEMATICAL.get(c, _SPECIAL.get(c, c)) for c in text)
