"""The command as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a line in a shell, in an empty directory."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def command(line: str, **extra: str) -> subprocess.CompletedProcess[str]:
        words = {**os.environ, "PATH": path, **extra}
        return subprocess.run(line, shell=True, cwd=tmp_path, env=words, capture_output=True, text=True, timeout=300)

    return command
