"""The misprints: whole records, on exhibits that exist, and a page that shows them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.errata_page import page
from nonholo import gallery
from nonholo.gallery.errata import errata


@pytest.mark.parametrize("erratum", errata(), ids=lambda e: f"{e.paper[:12]} {e.label[:30]}")
def test_a_misprint_says_what_is_printed_what_is_right_and_how_we_know(erratum):
    assert all((erratum.paper, erratum.label, erratum.printed, erratum.right, erratum.evidence))
    assert erratum.printed != erratum.right and len(erratum.evidence) > 20
    assert set(erratum.exhibits) <= {*gallery.names(), *gallery.field_names()}


def test_the_page_in_the_docs_is_the_page_of_the_records():
    written = (Path(__file__).parents[2] / "docs" / "errata.md").read_text("utf-8")
    assert written.strip() == page().strip(), "run python -m benchmarks.errata_page > docs/errata.md"
