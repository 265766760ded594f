"""Debian's Firefox, driven by WebDriver BiDi over its own socket: no further program stands between."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PREFERENCES = {
    "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "browser.startup.homepage_override.mstone": "ignore", "browser.aboutwelcome.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False, "remote.active-protocols": 1,
    "ui.prefersReducedMotion": 1, "webgl.force-enabled": True, "services.settings.server": "data:,",
    "extensions.getAddons.cache.enabled": False,
}  # fmt: skip


def installed_firefox() -> str | None:
    """The browser's path."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A browser that answers one command at a time; what it logs is kept."""

    def __init__(self, wire: Any) -> None:
        self.wire = wire
        self.number = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **words: Any) -> Any:
        """Send a command and wait for its answer; events that come before it are noted."""
        self.number += 1
        self.wire.send(json.dumps({"id": self.number, "method": method, "params": words}))
        while True:
            told = json.loads(self.wire.recv(timeout=180))
            if told.get("id") == self.number:
                assert told["type"] == "success", told
                return told["result"]
            self._note(told)

    def _note(self, told: Any) -> None:
        given = told.get("params", {})
        if told.get("method") == "log.entryAdded" and given["level"] == "error":
            self.errors.append(given["text"])
        if told.get("method") == "network.beforeRequestSent":
            self.requests.append(given["request"]["url"])

    def open(self, address: str, width: int = 1200, height: int = 900) -> None:
        """Open a page in a window of this size."""
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def frame(self) -> str:
        """The page inside the page."""
        tree = self.send("browsingContext.getTree", root=self.context)["contexts"][0]
        return str(tree["children"][0]["context"])

    def evaluate(self, script: str, context: str = "") -> Any:
        """The value of a script in the page, or in one inside it, through JSON."""
        words = {"context": context or self.context}
        answer = self.send("script.evaluate", expression=f"JSON.stringify({script})", target=words, awaitPromise=True)
        assert answer["type"] == "success", answer
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def wait(self, script: str, seconds: float = 240, context: str = "") -> Any:
        """Wait until a script is true."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(script, context)):
            assert time.monotonic() < end, f"waited {seconds} s for {script}"
            time.sleep(0.1)
        return value


@contextmanager
def firefox(path: str, folder: Path) -> Iterator[Firefox]:
    """A headless Firefox with a new profile in this folder."""
    from websockets.sync.client import connect

    profile = folder / "profile"
    profile.mkdir()
    (profile / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        yield Firefox(_connected(connect, port, process))
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _connected(connect: Any, port: int, process: Any) -> Any:
    end = time.monotonic() + 120
    while True:
        try:
            return connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=60)
        except OSError:
            assert process.poll() is None and time.monotonic() < end, "Firefox does not answer"
            time.sleep(0.3)
