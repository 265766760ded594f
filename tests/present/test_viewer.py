"""The viewer's own tests of its numbers, run by Node."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

VIEWER = Path(__file__).parents[2] / "viewer"


@pytest.mark.parametrize(("file", "least"), [("film", 11), ("lab", 6)])
def test_the_viewers_numbers(file: str, least: int) -> None:
    """Interpolation, clock, paths so far and camera; the texts of the lab (``viewer/test``)."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed, so the viewer's tests cannot run (install Node 18 or later)")
    if not (VIEWER / "node_modules" / "esbuild").is_dir():
        pytest.skip("the viewer's packages are not installed (`cd viewer && npm ci --omit=dev`)")
    told = subprocess.run(
        [node, "--test", "--test-reporter=spec", f"test/{file}.test.mjs"],
        cwd=VIEWER,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    found = re.search(r"pass (\d+)", told.stdout)
    assert found is not None and int(found[1]) >= least
