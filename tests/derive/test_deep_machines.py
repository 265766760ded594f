"""Machines whose equations, written out, have some 10¹⁰ terms: every form is derived, written, and agrees with the witness."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.derive.forms import forms
from nonholo.finding import Agreement
from nonholo.present.report.report_sections import equations_section
from nonholo.present.report.report_subject import case
from nonholo.program.hash_consing import is_deep


def test_a_segway_s_forms_are_written_with_shared_parts_and_agree_with_the_witness() -> None:
    system = nh.gallery.get("segway").system
    equations = nh.hamel(system)
    assert is_deep([*equations.force, *(e for row in equations.mass for e in row)])
    found = nh.check(system)
    assert not [finding for finding in found if finding.verdict == "fails"]
    assert sum(isinstance(finding.data, Agreement) and bool(finding) for finding in found) >= 3
    for name in ("hamel", "gibbs_appell"):
        text = str(forms()[name](system))
        assert "\nwith\n" in text
        assert len(text) < 100_000, "what is shared is written once"


@pytest.mark.slow
def test_hamilton_s_equations_of_a_skateboard_are_derived():
    """The gradient of a deep energy by 20 variables: sums grouped by a factor were compared as trees, without an end."""
    found = nh.hamilton(nh.gallery.get("skateboard").system)
    assert found.origin == "hamilton" and len(found.force) == len(found.speeds)


def test_conditions_that_occur_twice_get_no_name() -> None:
    """SymEngine's `cse` wrote ``x <= 0`` as ``x0 == True``: the page of a wheel at a kerb ended in an error."""
    page = equations_section(case("wheel-from-a-kerb"), lambda _: None).body
    assert "otherwise" in page and "always" not in page
