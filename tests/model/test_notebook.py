"""A system shows itself in a notebook as a person would write it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import nonholo as nh


def test_a_system_is_its_lagrangian_and_constraints():
    text = nh.gallery.get("chaplygin-sleigh").system._repr_latex_()
    assert text.startswith("$") and text.endswith("$") and text.count("&=") == 2
    assert r"\dot{\theta}" in text and "thetadot" not in text


def test_a_finding_wears_its_colour_and_escapes_what_it_says():
    text = nh.Finding("a < b", "fails", 0.5)._repr_html_()
    assert "#D55E00" in text and "a &lt; b" in text


SKATE = nh.System(
    "skate", coordinates="theta x y", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda: nh.check(SKATE), "constraints are independent"),
        (lambda: nh.classify(SKATE), "growth vector"),
        (lambda: nh.verdict(SKATE), "integrable by quadratures"),
        (lambda: nh.stability(SKATE, {"xdot": 1.0}), "skate"),
        (lambda: nh.relative_equilibria(SKATE, count=4), "moves along"),
        (lambda: nh.equilibria(SKATE, count=4), "directions of the family"),
    ],
    ids=["check", "classify", "verdict", "stability", "relative_equilibria", "equilibria"],
)
def test_answers_are_tables_in_a_notebook_and_short_in_a_console(answer, words):
    found = answer()
    page = found._repr_html_()
    assert "<table>" in page and words.lower() in page.lower()
    assert "FrozenMap(" not in repr(found) and "data=" not in repr(found) and max(map(len, repr(found).splitlines())) < 400


def test_a_finding_is_short_in_a_console():
    assert repr(nh.Finding("a < b", "fails", 0.5)) == "<Finding statement: fails: a < b>"


def test_a_film_is_short_in_a_console():
    assert len(repr(nh.simulate(SKATE, {"xdot": 1.0}, 1.0).film())) < 100


def test_a_report_shows_itself(tmp_path: Path):
    found = nh.report(SKATE, tmp_path / "skate.html", start={"xdot": 1.0}, until=0.5)
    page = found._repr_html_()
    assert isinstance(found, Path) and found.exists()
    assert page.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;') and "skate" in page


def test_figures_are_shown_after_a_motion_was_shown(tmp_path: Path):
    """A notebook's backend makes matplotlib interactive when the first figure loads it; without that no figure is displayed."""
    (tmp_path / "inline.py").write_text(
        "import matplotlib\nfrom matplotlib.backends.backend_agg import *\nmatplotlib.interactive(True)\n"
    )
    cell = (
        "import matplotlib, nonholo as nh\n"
        "run = nh.simulate(nh.System(coordinates='x', lagrangian='xdot**2'), {'xdot': 1.0}, 1.0)\n"
        "run._repr_html_()\n"
        "print(matplotlib.is_interactive())"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    told = {**os.environ, "MPLBACKEND": "module://inline", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", cell], env=told, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]
