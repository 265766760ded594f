"""A system shows itself in a notebook as a person would write it."""

from __future__ import annotations

import nonholo as nh


def test_a_system_is_its_lagrangian_and_constraints():
    text = nh.gallery.get("chaplygin-sleigh").system._repr_latex_()
    assert text.startswith("$") and text.endswith("$") and text.count("&=") == 2
    assert r"\dot{\theta}" in text and "thetadot" not in text


def test_a_finding_wears_its_colour_and_escapes_what_it_says():
    text = nh.Finding("a < b", "fails", 0.5)._repr_html_()
    assert "#D55E00" in text and "a &lt; b" in text
