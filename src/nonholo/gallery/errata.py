"""Misprints of the papers, in one machine-readable place: what is printed, what is right, and how we know.

The records live beside this file, one TOML file for each paper (``errata_<paper>.toml``), each entry a table
``[[erratum]]`` with ``label``, ``printed``, ``right``, ``evidence`` and ``exhibits`` (names of the gallery).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Erratum:
    """One misprint: where, what is printed, what is right, and the evidence."""

    paper: str
    label: str
    printed: str
    right: str
    evidence: str
    exhibits: tuple[str, ...] = ()


def errata() -> tuple[Erratum, ...]:
    """All recorded misprints, by paper."""
    result = []
    for path in sorted(files("nonholo.gallery").iterdir(), key=lambda p: p.name):
        if path.name.startswith("errata_") and path.name.endswith(".toml"):
            table = tomllib.loads(path.read_text("utf-8"))
            result += [
                Erratum(
                    table["paper"], e["label"], e["printed"], e["right"], e["evidence"], tuple(e.get("exhibits", ()))
                )
                for e in table["erratum"]
            ]
    return tuple(result)
