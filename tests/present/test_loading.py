"""What making a page loads: nothing that a page does not need."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.algebra.expression_types import Expr
from nonholo.notation import parse

HEAVY = (
    "xarray", "pandas", "dask", "matplotlib", "matplotlib.pyplot", "plotly", "scipy.linalg", "scipy.optimize",
    "scipy.interpolate", "scipy.spatial", "scipy.special", "numpy.testing", "numpy.f2py",
    "nonholo.machines.machine_system", "nonholo.machines.starts.body_starts", "nonholo.integrate.contacts.contact_motion",
    "nonholo.analyse.orbits.shooting", "nonholo.analyse.chaos.lyapunov_spectrum",
)  # fmt: skip
SLEIGH = """
name = "my own sleigh"
coordinates = "theta x y"
lagrangian = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]
until = 2
[parameters]
m = 1.3
J = 0.7
a = 0.2
[start]
thetadot = 1.1
"""


def loaded(*commands: str, report: object = None, page: object = None) -> set[str]:
    """Run commands and make a page in a fresh process, and in that alone: which of the heavy modules are there at the end."""
    code = (
        "import sys; import nonholo as nh; from nonholo.cli.main import main\n"
        f"for command in {commands!r}: assert main(command.split()) == 0, command\n"
        + (f"nh.report({str(report)!r}, {str(page)!r}, processes=1)\n" if report is not None else "")
        + f"print('loaded', *(n for n in {HEAVY!r} if n in sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    word, *names = found.stdout.splitlines()[-1].split()
    assert word == "loaded"
    return set(names)


def test_a_page_is_made_without_tables_of_data_and_figures_of_paper(tmp_path: Path) -> None:
    place = tmp_path / "sleigh.toml"
    place.write_text(SLEIGH)
    commands = (f"check {place}", f"simulate {place} --film {tmp_path}/film.html")
    assert loaded(*commands, report=place, page=tmp_path / "page.html") == set()
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<figure class="plot"' in page and "Reactions of the constraints" in page


def test_what_asks_for_them_loads_them(tmp_path: Path) -> None:
    """The other way round, so that the test above can fail: a saved motion is a Dataset, a picture is matplotlib's."""
    place = tmp_path / "sleigh.toml"
    place.write_text(SLEIGH)
    found = loaded(f"simulate {place} --out {tmp_path}/run.nc --plot x,y --plot-out {tmp_path}/path.png")
    assert {"xarray", "pandas", "matplotlib"} <= found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rattleback", "knife-edge", "rolling-disk", "chaplygin-sphere"])
def test_pages_of_the_gallery_load_nothing_heavy(name: str, tmp_path: Path) -> None:
    """Pages with gaits search for the best loop, with SciPy, and are not among them."""
    assert loaded(report=name, page=tmp_path / "page.html") == set()


def test_no_expression_text_is_parsed_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one report, from reading the system to the text of its page."""
    seen: Counter[str] = Counter()
    reading = parse._parse

    def counted(text: str, symbols: Mapping[str, str], where: str) -> Expr:
        seen[text] += 1
        return reading(text, symbols, where)

    parse._parsed.clear()
    monkeypatch.setattr(parse, "_parse", counted)
    nh.report("chaplygin-sleigh", tmp_path / "page.html", processes=1)
    assert sum(seen.values()) > 20
    assert [text for text, count in seen.items() if count > 1] == []
