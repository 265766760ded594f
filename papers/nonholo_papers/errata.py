"""The errata: claims that are wrong as printed, as entries for pages and reports."""

from __future__ import annotations

from nonholo.gallery.published import Erratum
from nonholo_papers import claims, names
from nonholo_papers.claim import Claim

WRONG = ("misprint", "refuted", "conditional")


def errata() -> tuple[Erratum, ...]:
    """All entries of all papers, by the harm they do."""
    wrong = [of_claim(c) for key in names() for c in claims(key) if c.verdict in WRONG]
    return tuple(sorted(wrong, key=lambda e: (-e.harm, e.paper)))


def of_claim(claim: Claim, evidence: str = "") -> Erratum:
    """A claim that is wrong as printed, as an entry of the errata."""
    right = claim.right or claim.reason
    words = evidence or claim.statement
    return Erratum(claim.paper, claim.label, claim.printed, right, words, claim.exhibits, claim.harm, claim.breaks)
