"""A lab that serves from a thread of the test, and ways to talk to it as its page does, and as nobody should."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nonholo.lab.folder import Folder
from nonholo.lab.lab_state import LabState
from nonholo.lab.server import new_server
from nonholo.lab.workbench import Limits

PATIENCE = 240


@dataclass
class Client:
    """A lab that is served, its folder, and the key of a page that came in."""

    desk: LabState
    port: int
    folder: Path
    key: str = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/#{self.desk.keys.word()}"

    def enter(self) -> Client:
        status, told = self.post("enter", {"word": self.desk.keys.word()})
        assert status == 200
        self.key = told["key"]
        return self

    def headers(self, **more: str) -> dict[str, str]:
        own = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
        }
        own |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {**own, **{k.replace("_", "-"): v for k, v in more.items()}}

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", f"/api/{path}", content, **headers)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request(method, path, body, {k: v for k, v in self.headers(**headers).items() if v != "-"})
            answer = line.getresponse()
            content = answer.read()
        finally:
            line.close()
        return answer.status, json.loads(content) if content.startswith(
            b"{"
        ) and b"\n" not in content.strip() else content

    def study(self, text: str, name: str = "system.toml", job: str = "study") -> Iterator[dict[str, Any]]:
        """What a study tells; closing the iterator closes the connection, as leaving the page does."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request("POST", f"/api/{job}", json.dumps({"name": name, "text": text}), self.headers())
            answer = line.getresponse()
            assert answer.status == 200, answer.read()
            for row in answer:
                if row.strip():
                    yield json.loads(row)
        finally:
            line.close()

    def raw(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def goes_on(self) -> None:
        """The lab still answers its own page."""
        assert self.post("files", {})[0] == 200


@contextmanager
def serving(folder: Path, first: str = "", port: int = 0, **limits: int) -> Iterator[Client]:
    """A lab in a thread, for as long as it is needed."""
    server, listening = new_server(Folder(folder.resolve()), first, port, Limits(**limits))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    try:
        yield Client(server.desk, listening.getsockname()[1], folder).enter()
    finally:
        server.desk.closing = True
        server.desk.bench.stop()
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
    assert not thread.is_alive()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Client]:
    """A lab of an empty folder."""
    with serving(tmp_path) as client:
        yield client
