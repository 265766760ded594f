"""``python -m benchmarks.errata_page > docs/errata.md``: the recorded misprints as a page."""

from __future__ import annotations

from itertools import groupby

from nonholo.gallery.errata import errata


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Misprints of the papers",
        "",
        "Made by `python -m benchmarks.errata_page > docs/errata.md` from `src/nonholo/gallery/errata_*.toml`; "
        "`nonholo verify` tests the right formulas.",
    ]
    for paper, entries in groupby(errata(), key=lambda e: e.paper):
        lines += ["", f"## {paper}", ""]
        for e in entries:
            lines += [f"- **{e.label}**", f"  - printed: {e.printed}", f"  - right: {e.right}", f"  - evidence: {e.evidence}"]
            if e.exhibits:
                lines.append(f"  - exhibits: {', '.join(e.exhibits)}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
