"""First integrals of systems with inputs in their constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, is_expression
from nonholo.finding import Finding, FirstIntegral, Measured, is_energy
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import held_inputs, held_still, unfolded

Ask = Callable[[System, Sequence[Expr], bool], Sequence[Finding]]
"""The findings of a system beyond known expressions; the last word asks for those alone that hold whatever the inputs do."""


def driven_findings(system: System, ask: Ask) -> list[Finding]:
    """Three questions: ``u`` as a coordinate that is driven by its unknown rate, as a parameter, and as zero.

    What was found before is not told again.
    """
    held = held_inputs(system)
    always = list(ask(unfolded(system)[0], (), True))
    known = [f.expression for f in always if f and is_expression(f.expression)]
    still = [f for f in ask(held_still(system), known, False) if _news(f, always)]
    known += [f.expression for f in still if f and is_expression(f.expression)]
    zero = dict.fromkeys(symbols(held), ZERO)
    quiet = [e.xreplace(zero) for e in known if hasattr(e, "xreplace")]
    rest = [f for f in ask(held_still(system, zero=True), quiet, False) if f and _news(f, [*always, *still])]
    pushes = f"{', '.join(held)} in a constraint, whose force does work"
    others = [n for n in system.inputs if n not in held]
    return [
        *(_while(f, others) for f in always),
        *(_while(f, others, held) if f else _pushed(_while(f, others), pushes) for f in still),
        *(_idle(f) for f in rest),
    ]


def _news(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether a finding says more than those before: one energy is enough."""
    return not (is_energy(finding) and any(f and is_energy(f) for f in before))


def _while(finding: Finding, others: Sequence[str], held: Sequence[str] = ()) -> Finding:
    """The finding with the inputs that must be zero by name, and those that must be constant."""
    data = finding.data
    if not isinstance(data, FirstIntegral):
        return finding
    zero = tuple(others) if data.when.idle else data.when.zero
    return replace(finding, data=replace(data, when=replace(data.when, idle=False, zero=zero, steady=tuple(held))))


def _idle(finding: Finding) -> Finding:
    data = finding.data
    if not isinstance(data, FirstIntegral):
        return finding
    return replace(finding, data=replace(data, when=replace(data.when, idle=True)))


def _pushed(finding: Finding, pushes: str) -> Finding:
    """An energy that changes, with the inputs that change it."""
    if not is_energy(finding) or finding.verdict != "fails":
        return finding
    return replace(finding, data=FirstIntegral(energy=True), basis=(Measured(f"{finding.evidence}: {pushes}"),))
