"""The errata: claims that do not hold as printed, as entries for pages, notes and reports."""

from __future__ import annotations

from nonholo.gallery.published import Erratum
from nonholo_papers import claims, names
from nonholo_papers.claim import KINDS, Claim


def errata() -> tuple[Erratum, ...]:
    """All entries of all papers: by kind, errors first, then by the harm they do."""
    found = [of_claim(c) for key in names() for c in claims(key) if c.kind is not None]
    return tuple(sorted(found, key=lambda e: (KINDS.index(e.kind), -e.harm, e.paper)))


def of_claim(claim: Claim, evidence: str = "") -> Erratum:
    """A claim that does not hold as printed, as an entry of the errata."""
    return Erratum(
        paper=claim.paper,
        label=claim.label,
        kind=claim.kind or "",
        printed=claim.printed,
        right=_remedy(claim),
        evidence=evidence or claim.statement,
        exhibits=claim.exhibits,
        harm=claim.harm,
        breaks=claim.breaks,
        because=claim.because or (claim.reason if claim.kind in ("error", "condition") else ""),
        passage=claim.passage,
        counterexample=str(claim.counterexample) if claim.counterexample is not None else "",
    )


def _remedy(claim: Claim) -> str:
    """What should stand there, the condition, or the convention."""
    if claim.kind == "convention" and claim.reason:
        return claim.reason
    return claim.right or ("" if claim.verdict == "refuted" else claim.reason)
