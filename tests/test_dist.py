"""What leaves the house: one version, told everywhere; a wheel that makes a living page in an empty place without Node."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import nonholo as nh
from nonholo.model.system import numbered
from tests.present.test_living_browser import agrees, number, solved

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SUPPORTED = ("3.11", "3.12", "3.13")
ASSETS = {"viewer.js", "lab.js", "plotly.js", "math.woff2", "text.woff2"}


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
    page.goto((tmp_path / "page.html").as_uri())
    page.set_default_timeout(120_000)
    solved(page)
    number(page, "a", 0.3)
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    gap = agrees(page, numbered(sleigh, {**sleigh.values, "a": 0.3}))
    page.context.close()
    assert errors == [] and gap < 1e-9
    shutil.rmtree(tmp_path / "empty")


@pytest.mark.slow
def test_the_citation_is_valid(tmp_path: Path) -> None:
    """By the format's own tool, in an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True, timeout=120)
    subprocess.run([tmp_path / "bin" / "pip", "install", "-q", "cffconvert"], check=True, capture_output=True, timeout=600)
    words = [tmp_path / "bin" / "cffconvert", "--validate", "-i", str(ROOT / "CITATION.cff")]
    assert subprocess.run(words, capture_output=True, timeout=120).returncode == 0
