"""Integrals of a system with inputs in its constraints: whatever they do, while they are constant, and when they are zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.kinds import Expr
from nonholo.finding import Finding
from nonholo.model.system import System
from nonholo.model.unfolded import held_inputs, held_still, unfolded

IDLE = " when the inputs are zero"
Ask = Callable[[System, Sequence[Expr], bool], Sequence[Finding]]
"""The findings of a system beyond known expressions; the last word asks for those alone that hold whatever the inputs do."""


def driven_findings(system: System, ask: Ask) -> list[Finding]:
    """Three questions: ``u`` as a coordinate that is driven by its unknown rate, as a parameter, and as zero.

    What was found before is not told again.
    """
    held = held_inputs(system)
    words = f" while {', '.join(held)} {'is' if len(held) == 1 else 'are'} constant"
    always = list(ask(unfolded(system)[0], (), True))
    known = [f.expression for f in always if f and f.expression is not None]
    still = [f for f in ask(held_still(system), known, False) if _news(f, always)]
    known += [f.expression for f in still if f and hasattr(f.expression, "xreplace")]
    zero = dict.fromkeys(symbols(held), ZERO)
    quiet = [e.xreplace(zero) for e in known if hasattr(e, "xreplace")]
    rest = [f for f in ask(held_still(system, zero=True), quiet, False) if f and _news(f, [*always, *still])]
    pushes = f"{', '.join(held)} in a constraint, whose force does work"
    others = [n for n in system.inputs if n not in held]
    idle = f" when {', '.join(others)} {'is' if len(others) == 1 else 'are'} zero"
    first = [replace(f, claim=f.claim.replace(IDLE, idle)) for f in always]
    told = [_told(replace(f, claim=f.claim.replace(IDLE, idle)), words if f else "", pushes) for f in still]
    return [*first, *told, *(_told(f, IDLE, "") for f in rest)]


def _news(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether a finding says more than those before: one energy is enough."""
    return not (_energy(finding) and any(f and _energy(f) for f in before))


def _energy(finding: Finding) -> bool:
    return finding.claim.startswith("the energy ")


def _told(finding: Finding, words: str, pushes: str) -> Finding:
    claim = finding.claim.removesuffix(words) + words
    if not finding and _energy(finding) and finding.verdict == "fails" and pushes:
        return replace(finding, claim="the energy is constant", evidence=f"{finding.evidence}: {pushes}")
    return replace(finding, claim=claim)
