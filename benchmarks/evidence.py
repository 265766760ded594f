"""Every verdict on what `relative_equilibria` finds against motions that know nothing of it: a table, system by system.

``python -m benchmarks.evidence`` (the gallery and the plain systems of the tests; hours on a busy machine),
``python -m benchmarks.evidence rattleback plain:DISK`` some of them. A line for each system as it is done.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import nonholo as nh
from tests.analyse.behaviour import examined, plain
from tests.analyse.behaviour.witness import Ended, evidence

STARTS, MOST = 12, 6
"""So many starts, and at most so many families of each system."""


def names() -> list[str]:
    """Mechanical systems of the gallery, then those nobody prepared."""
    own = [f"plain:{n}" for n in sorted(vars(plain)) if isinstance(getattr(plain, n), nh.System)]
    own += [f"examined:{n}" for n in sorted(vars(examined)) if isinstance(getattr(examined, n), nh.System)]
    return [n for n in nh.gallery.system_names() if isinstance(nh.gallery.get(n).system, nh.System)] + own


def subject(name: str) -> tuple[Any, Any]:
    """The system of a name, and its parameters."""
    if ":" in name:
        where, own = name.split(":")
        system = getattr({"plain": plain, "examined": examined}[where], own)
        return system, dict(system.parameters)
    exhibit = nh.gallery.get(name)
    return exhibit.system, dict(exhibit.parameters)


def rows(name: str) -> Iterator[dict[str, Any]]:
    """A row for each family: its verdict, what the motions did and by how much that is off."""
    system, parameters = subject(name)
    try:
        listed = nh.relative_equilibria(system, parameters, count=STARTS)[:MOST]
    except nh.ModelError as refused:
        yield {"system": name, "verdict": "refused", "what": str(refused)}
        return
    for one in listed:
        row: dict[str, Any] = {"system": name, "place": str(one)}
        try:
            found = nh.stability(system, one)
        except nh.NonholoError as refused:
            yield {**row, "verdict": "refused", "what": str(refused)}
            continue
        row["verdict"] = found.verdict
        try:
            told = evidence(system, found, parameters)
        except Ended as early:
            yield {**row, "what": f"ended early: {early}"}
            continue
        if told is None:
            yield {**row, "what": "claims nothing that a motion could show"}
        else:
            holds = told.off < (0.01 if told.kind != "stays" else 1e-12)
            yield {**row, "what": told.kind, "off": told.off, "share": told.share, "holds": holds, "evidence": str(told)}


def main(wanted: list[str]) -> int:
    """Print rows; 1 when a verdict is contradicted."""
    bad = 0
    for name in wanted or names():
        began = process_time()
        for row in rows(name):
            bad += not row.get("holds", True)
            off = f"{row['off']:.2e}" if "off" in row else ""
            mark = "" if row.get("holds", True) else "  CONTRADICTED " + row["evidence"] + " " + row["place"]
            print(f"{name:24} {row['verdict']:42} {row['what'][:50]:12} {off} {row.get('share', 1.0):.3g}{mark}", flush=True)
        print(f"{name:24} done in {process_time() - began:.1f} s", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
