"""What leaves the house: one version, told everywhere; a wheel that makes a living page in an empty place without Node."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import nonholo as nh
from nonholo.integrate.methods import registered_methods
from nonholo.model.system import numbered
from tests.browser import PATIENCE
from tests.present.test_browser import solved
from tests.present.test_living_browser import agrees, number

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SUPPORTED = ("3.11", "3.12", "3.13")
ASSETS = {"viewer.js", "lab.js", "plotly.js", "math.woff2", "text.woff2", "THIRD_PARTY_LICENSES.txt", "built_from.txt"}
NOTICE = ROOT / "src" / "nonholo" / "present" / "assets" / "THIRD_PARTY_LICENSES.txt"


def test_the_version_stands_in_one_place_and_is_told_everywhere() -> None:
    assert PROJECT["dynamic"] == ["version"] and "version" not in PROJECT
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == nh.__version__
    papers = tomllib.loads((ROOT / "papers" / "pyproject.toml").read_text("utf-8"))["project"]
    assert papers["version"] == nh.__version__
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == nh.__version__ and len(headings) == len(set(headings))


def test_the_citation_has_what_its_format_asks_for_and_the_licences_names() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    holder = re.search(r"Copyright \(c\) \d+ (.+)", (ROOT / "LICENSE").read_text("utf-8"))
    assert holder and [a["name"] for a in cited["authors"]] == [holder[1]] == [a["name"] for a in PROJECT["authors"]]
    assert cited["license"] == PROJECT["license"] == "MIT"


def test_the_supported_pythons_are_declared() -> None:
    told = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d", c)]
    assert tuple(told) == SUPPORTED and PROJECT["requires-python"] == f">={SUPPORTED[0]}"


def viewer_build() -> Any:
    """The module that builds the scripts of pages and lab."""
    described = spec_from_file_location("viewer_build", ROOT / "viewer" / "build.py")
    assert described and described.loader
    module = module_from_spec(described)
    described.loader.exec_module(module)
    return module


def test_without_node_the_build_says_what_is_missing_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build = viewer_build()
    monkeypatch.setattr(build, "STAMP", tmp_path / "nothing")
    monkeypatch.setenv("PATH", str(tmp_path))
    trouble = build.build()
    assert trouble == "Node and npm are not installed"
    build.warn(trouble)
    told = capsys.readouterr().err
    assert trouble in told and "python viewer/build.py" in told and "pip install ." in told


def test_scripts_of_the_same_sources_are_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an sdist, where scripts and their sources stand side by side and nobody needs Node."""
    build = viewer_build()
    monkeypatch.setattr(build, "ASSETS", tmp_path)
    monkeypatch.setattr(build, "STAMP", tmp_path / "built_from.txt")
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in build.NEEDED:
        (tmp_path / name).write_text("made")
    build.STAMP.write_text(build.sources())
    assert build.build() == ""
    build.STAMP.write_text("of other sources")
    assert build.build() != ""


def test_a_page_without_scripts_says_so_when_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from nonholo.present.film import film_page
    from nonholo.present.report.report_page import page

    monkeypatch.setattr(film_page, "VIEWER", tmp_path / "nothing.js")
    page("title", "head", [], films=True, plots=False)
    assert "no sliders" in caplog.text and "pip install ." in caplog.text
    caplog.clear()
    page("title", "head", [], films=False, plots=True)
    assert caplog.text == ""


@pytest.mark.skipif(not NOTICE.is_file(), reason="the scripts have not been built (`python viewer/build.py` does so)")
def test_the_notice_names_every_package_in_the_scripts_with_its_licence() -> None:
    given = json.loads((ROOT / "viewer" / "package.json").read_text("utf-8"))["dependencies"]
    notices = NOTICE.read_text("utf-8").split("=" * 78)[1:]
    told = {text.strip().splitlines()[0] for text in notices}
    assert {f"{name} {version}" for name, version in given.items() if name != "esbuild"} <= told
    for text in notices:
        assert re.search(r"^Licence: (MIT|OFL-1\.1|ISC|Apache-2\.0|BSD-\d-Clause)$", text, re.M), text[:200]
        assert "Copyright" in text or "copyright" in text, text[:200]


def test_the_lock_has_a_version_of_everything_the_package_and_its_tests_name() -> None:
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.M))
    kept = {re.sub(r"[-_.]+", "-", name).lower() for name in locked}
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *(e for key, group in extras.items() if key != "bench" for e in group)]
    names = {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", e)[0]).lower() for e in asked}  # type: ignore[index]
    assert names - {"nonholo"} <= kept
    assert "numba" not in {re.match(r"[\w.-]+", e)[0] for e in PROJECT["dependencies"]}  # type: ignore[index]


@pytest.fixture(scope="session")
def dist(tmp_path_factory: Any) -> Path:
    """A wheel, made of the sdist, beside it; those of ``make dist`` where they are given."""
    if given := os.environ.get("NONHOLO_DIST"):
        return (ROOT / given).resolve()
    folder = Path(tmp_path_factory.mktemp("dist"))
    words = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return folder


def own_files() -> set[str]:
    """All files of the package as they are on disk, what was built for it too."""
    found = (p for p in (ROOT / "src" / "nonholo").rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return {p.relative_to(ROOT / "src").as_posix() for p in found}


@pytest.mark.slow
def test_wheel_and_sdist_hold_every_file_and_what_was_built(dist: Path) -> None:
    (wheel,), (source,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    assert wheel.name == f"nonholo-{nh.__version__}-py3-none-any.whl"
    inside = {n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("nonholo/")}
    assert inside == own_files()
    assert not [n for n in zipfile.ZipFile(wheel).namelist() if "nonholo_papers" in n]
    assert {f"nonholo/present/assets/{name}" for name in ASSETS} <= inside
    with tarfile.open(source) as packed:
        names = {n.partition("/")[2] for n in packed.getnames()}
    assert {f"src/{n}" for n in own_files()} <= names
    assert {"CITATION.cff", "CHANGELOG.md", "LICENSE", "docs/index.md", "viewer/package-lock.json", "tests/test_dist.py"} <= names
    assert not [n for n in names if "node_modules" in n]


def interpreter(version: str) -> str | None:
    """A Python of this version that can make environments, if there is one here."""
    found = [shutil.which(f"python{version}"), *map(str, sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python")))]
    for path in found:
        if path and subprocess.run([path, "-c", "import venv, ssl, ctypes"], capture_output=True).returncode == 0:
            return path
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", SUPPORTED)
def test_the_wheel_makes_a_living_page_in_an_empty_environment_without_node(
    version: str, dist: Path, tmp_path: Path, browser: Any
) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    subprocess.run([python, "-m", "venv", str(tmp_path / "empty")], check=True, timeout=120)
    bin_ = tmp_path / "empty" / "bin"
    (wheel,) = dist.glob("*.whl")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    install = [bin_ / "python", "-m", "pip", "install", "-q", str(wheel)]
    done = subprocess.run(install, env=clean, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-2000:]
    alone = {**clean, "PATH": str(bin_)}
    assert shutil.which("node", path=alone["PATH"]) is None
    command = [bin_ / "nonholo", "report", "chaplygin-sleigh", "-o", "page.html"]
    made = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, timeout=1800)
    assert made.returncode == 0, made.stderr
    told = subprocess.run([bin_ / "nonholo", "--version"], env=alone, capture_output=True, text=True, timeout=120)
    assert told.stdout.split() == ["nonholo", nh.__version__]
    page = browser.new_context(reduced_motion="reduce").new_page()
    errors: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.set_default_timeout(PATIENCE)
    page.goto((tmp_path / "page.html").as_uri())
    solved(page)
    number(page, "a", 0.3)
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    gap = agrees(page, numbered(sleigh, {**sleigh.parameters, "a": 0.3}))
    page.context.close()
    assert errors == [] and gap < 1e-9
    shutil.rmtree(tmp_path / "empty")


FIRST = """
import sys, time
import nonholo as nh
sleigh = nh.gallery.get("chaplygin-sleigh").system
run = nh.simulate(sleigh, until=0.2, method=sys.argv[1], **({"step": 0.01} if len(sys.argv) > 2 else {}))
assert run.outcome == "reached" and "numba" not in sys.modules
print(time.process_time())
"""


@pytest.mark.slow
def test_pip_install_of_a_clone_makes_living_pages_a_lab_and_quick_first_motions(tmp_path: Path, browser: Any) -> None:
    """As README says: a clone, an environment, ``pip install .``; then all works with an empty cache and without Numba."""
    if shutil.which("npm") is None:
        pytest.skip("no Node here")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tmp_path / "clone")], check=True, timeout=300)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "empty")], check=True, timeout=300)
    bin_ = tmp_path / "empty" / "bin"
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    install = [bin_ / "python", "-m", "pip", "install", "-q", str(tmp_path / "clone")]
    done = subprocess.run(install, env=clean, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-2000:]
    assert subprocess.run([bin_ / "python", "-c", "import numba"], env=clean, capture_output=True).returncode != 0
    own = {**clean, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": str(bin_)}
    for name, kind in registered_methods().items():
        if kind.compiled:
            shutil.rmtree(tmp_path / "cache", ignore_errors=True)
            words = [bin_ / "python", "-c", FIRST, name, *([] if kind.adaptive else ["step"])]
            told = subprocess.run(words, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=300)
            assert told.returncode == 0, told.stderr
            assert float(told.stdout) < 3.0, name  # seconds of processor time; about 1 where nobody else works
    command = [bin_ / "nonholo", "report", "chaplygin-sleigh", "-o", "page.html"]
    made = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=1800)
    assert made.returncode == 0 and "no sliders" not in made.stderr, made.stderr
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE)
    page.goto((tmp_path / "page.html").as_uri())
    solved(page)
    assert page.locator("input[type=range]").count() > 1
    words, own["PYTHONUNBUFFERED"] = [bin_ / "nonholo", "lab", "--no-browser"], "1"
    lab = subprocess.Popen(words, cwd=tmp_path, env=own, stdout=subprocess.PIPE, text=True)
    try:
        address = next(m[0] for line in lab.stdout or () if (m := re.search(r"http://127\.0\.0\.1:\d+\S*", line)))
        page.goto(address)
        page.locator(".cm-editor").wait_for()
    finally:
        lab.terminate()
        lab.wait(60)
        page.context.close()


@pytest.mark.slow
def test_the_citation_is_valid(tmp_path: Path) -> None:
    """By the format's own tool, in an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True, timeout=120)
    subprocess.run([tmp_path / "bin" / "pip", "install", "-q", "cffconvert"], check=True, capture_output=True, timeout=600)
    words = [tmp_path / "bin" / "cffconvert", "--validate", "-i", str(ROOT / "CITATION.cff")]
    assert subprocess.run(words, capture_output=True, timeout=120).returncode == 0
