"""verify: every published fact of the gallery, and the papers' misprints."""

from __future__ import annotations

from typing import Any

from nonholo.cli.interrupts import interrupts
from nonholo.cli.page import as_json, say, table
from nonholo.errors import NonholoError


def show_facts(name: str | None, json: bool) -> int:
    """The facts of one exhibit or of all, and the misprints that belong to them; 1 when a fact fails."""
    from nonholo import gallery
    from nonholo.gallery.errata import errata

    names = (*gallery.names(), *gallery.field_names()) if name is None else (name,)
    rows: list[dict[str, Any]] = []
    with interrupts() as seen:
        for exhibit in map(gallery.get, names):
            for fact in exhibit.facts:
                try:
                    finding = fact(exhibit)
                    verdict, value = finding.verdict, finding.value
                except NonholoError as problem:
                    verdict, value = "fails", str(problem)
                if seen:  # the fact was tested on a motion that ended too early
                    raise KeyboardInterrupt
                rows.append({"exhibit": exhibit.name, "claim": fact.claim, "source": fact.source})
                rows[-1] |= {"verdict": verdict, "value": value}
    misprints = [e for e in errata() if name is None or name in e.exhibits]
    failed = sum(row["verdict"] != "holds" for row in rows)
    if json:
        as_json({"facts": rows, "errata": [vars(e) for e in misprints]})
        return 1 if failed else 0
    signs = {"holds": "✓", "fails": "✗", "unknown": "?"}
    table(
        ("", "exhibit", "claim", "source"), [(signs[r["verdict"]], r["exhibit"], r["claim"], r["source"]) for r in rows]
    )
    if misprints:
        say("")
        table(("paper", "where", "printed", "right"), [(e.paper, e.label, e.printed, e.right) for e in misprints])
    say(f"{len(rows) - failed} facts hold, {failed} do not; {len(misprints)} misprints recorded")
    return 1 if failed else 0
