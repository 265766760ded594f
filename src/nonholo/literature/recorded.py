"""Misprints that were met while building the gallery and are not claims with a check of their own yet.

One TOML file for each paper (``recorded_<paper>.toml``), each entry a table ``[[erratum]]`` with ``label``, ``printed``,
``right``, ``evidence`` and ``exhibits``. An entry leaves its file when a claim takes its place.
What concerns exhibits, of the claims too, is kept in ``errata.json``, written by ``python -m nonholo.literature.recorded``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from nonholo.literature import claims, names
from nonholo.literature.claim import Claim
from nonholo.writing import write_text

KEPT = "errata.json"
WRONG = ("misprint", "refuted", "conditional")


@dataclass(frozen=True)
class Erratum:
    """One misprint: where, what is printed, what is right, and the evidence."""

    paper: str
    label: str
    printed: str
    right: str
    evidence: str
    exhibits: tuple[str, ...] = ()
    harm: int = 0
    breaks: str = ""


def errata() -> tuple[Erratum, ...]:
    """All misprints, by the harm they do: those of the claims, and those recorded only."""
    return _sorted([c for key in names() for c in claims(key)], _recorded())


def errata_on(exhibit: str) -> tuple[Erratum, ...]:
    """The misprints that concern one exhibit of the gallery, as `write` kept them: no paper's modules are imported for that."""
    rows = json.loads(files("nonholo.literature").joinpath(KEPT).read_text("utf-8"))
    found = [Erratum(**{**row, "exhibits": tuple(row["exhibits"])}) for row in rows if exhibit in row["exhibits"]]
    return tuple(found)


def write() -> None:
    """Keep the misprints that concern exhibits in one file beside the papers; a test says when it is old."""
    rows = [asdict(e) for e in errata() if e.exhibits]
    write_text(Path(__file__).parent / KEPT, json.dumps(rows, ensure_ascii=False, indent=1) + "\n")


def _sorted(found: Sequence[Claim], others: Sequence[Erratum]) -> tuple[Erratum, ...]:
    wrong = [of_claim(c) for c in found if c.verdict in WRONG]
    return tuple(sorted([*wrong, *others], key=lambda e: (-e.harm, e.paper)))


def of_claim(claim: Claim, evidence: str = "") -> Erratum:
    """A claim that is wrong as printed, as an entry of the errata."""
    right = claim.right or claim.reason
    words = evidence or claim.statement
    return Erratum(claim.paper, claim.label, claim.printed, right, words, claim.exhibits, claim.harm, claim.breaks)


def _recorded() -> list[Erratum]:
    result = []
    for path in sorted(files("nonholo.literature").iterdir(), key=lambda p: p.name):
        if path.name.startswith("recorded_") and path.name.endswith(".toml"):
            key = path.name.removeprefix("recorded_").removesuffix(".toml")
            for e in tomllib.loads(path.read_text("utf-8"))["erratum"]:
                result.append(
                    Erratum(key, e["label"], e["printed"], e["right"], e["evidence"], tuple(e.get("exhibits", ())), 3)
                )
    return result


if __name__ == "__main__":
    write()
