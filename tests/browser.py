"""A real browser for the tests of pages: Debian's chromium, installed when it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
MINUTES = 4
"""Time for an installation."""
PATIENCE = 240_000
"""Milliseconds that a test waits for a state of a page; nothing takes so long, also on a busy machine."""


def installed_chromium() -> str | None:
    """The browser's path; installed first where that is possible, by one process at a time."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found or os.geteuid() != 0 or not shutil.which("apt-get"):
        return found
    import fcntl

    with (Path(tempfile.gettempdir()) / "nonholo-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        install = ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", "chromium"]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (install, ["apt-get", "update"], install):
            if found := shutil.which("chromium"):
                break
            try:
                subprocess.run(command, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, timeout=60 * MINUTES)
            except subprocess.TimeoutExpired:
                break
    return shutil.which("chromium")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One headless chromium for all tests of this worker."""
    path = installed_chromium()
    if path is None:
        pytest.skip("no browser: chromium is not installed and cannot be installed here (apt-get install chromium)")
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as player:
        try:
            started = player.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=120_000)
        except Error as trouble:
            pytest.skip(f"no browser: {path} does not start ({str(trouble).splitlines()[0]})")
        yield started
        started.close()
