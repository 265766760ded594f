"""A second browser: living pages open in Firefox without an error, solve, and give Python's numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonholo as nh
from nonholo.model.system import numbered
from tests.present.firefox import firefox, installed_firefox
from tests.present.living_cases import apart, python_final
from tests.present.test_browser import SOLVED
from tests.present.test_living_browser import FINAL, LIVING, needs_viewer

CASES = {"chaplygin-sleigh": ("a", 0.3), "rolling-disk": ("m", 1.7), "snakeboard": ("m", 5.0)}
CHANGE = """(() => {{ const box = document.querySelector(".nhl input[type=number][data-name='{0}']");
  box.value = '{1}'; box.dispatchEvent(new Event('input', {{bubbles: true}}));
  box.dispatchEvent(new Event('change', {{bubbles: true}}));
  return true; }})()"""


@pytest.fixture(scope="module")
def fox(tmp_path_factory: Any) -> Any:
    path = installed_firefox()
    if path is None:
        pytest.skip("no Firefox here (apt-get install firefox-esr)")
    with firefox(path, Path(tmp_path_factory.mktemp("firefox"))) as started:
        yield started


@pytest.mark.slow
@needs_viewer
@pytest.mark.parametrize("name", CASES)
def test_a_living_page_opens_and_solves_in_firefox(fox: Any, name: str, tmp_path: Path) -> None:
    system = nh.gallery.get(name).system
    parameter, value = CASES[name]
    path = nh.simulate(system, progress=False).film(tmp_path / f"{name}.html")
    fox.errors.clear()
    fox.requests.clear()
    fox.open(path.as_uri())
    fox.wait(f"({SOLVED})(1)")
    fox.evaluate(CHANGE.format(parameter, value))
    fox.wait(f"({SOLVED})(2)")
    found = fox.evaluate(f"({FINAL})()")
    plan = {n: fox.evaluate(f"{LIVING}.data.plan.{n}") for n in ("coordinates", "speeds")}
    run = python_final(numbered(system, {**system.parameters, parameter: value}))
    assert found["kind"] == run.outcome.kind and apart(plan, found["final"], run.final) < 1e-9
    assert fox.errors == []
    assert [r for r in fox.requests if not r.startswith(("file:", "data:", "blob:"))] == []
