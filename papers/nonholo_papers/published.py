"""Write the data that reports of `nonholo` show: ``python -m nonholo_papers.published``.

It is kept in ``nonholo/gallery/published.json``, so that a report needs no paper's modules; a test says when it is old.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from nonholo import gallery
from nonholo.gallery.published import FILE
from nonholo.writing import write_text
from nonholo_papers import papers
from nonholo_papers.errata import errata


def published() -> dict[str, Any]:
    """Short titles of the papers, the errata that concern exhibits, claim and source of every fact."""
    exhibits = (*gallery.system_names(), *gallery.field_names())
    return {
        "papers": {paper.key: paper.short for paper in papers()},
        "errata": [asdict(e) for e in errata() if e.exhibits],
        "facts": {name: [[f.claim, f.source] for f in gallery.get(name).facts] for name in exhibits},
    }


def text() -> str:
    """The file's content."""
    return json.dumps(published(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    write_text(FILE, text())
