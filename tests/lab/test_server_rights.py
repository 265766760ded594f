"""What the lab's server may do: its rights, its folder, its word, its links."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from nonholo.lab.server import redirect_page, serve
from tests.lab.conftest import Client


def test_the_server_runs_with_no_more_rights_than_it_needs(lab: Client) -> None:
    """It listens on this machine alone, and its socket is not handed to studies."""
    found = (
        [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        if os.path.exists("/proc/net/tcp")
        else []
    )
    own = [row[1] for row in found if row[1].endswith(f":{lab.port:04X}") and row[3] == "0A"]
    assert own in ([], [f"0100007F:{lab.port:04X}"])


SAVES = """
import sys
from pathlib import Path
from nonholo.lab.folder import ChangedMeanwhile, Folder
folder, done = Folder(Path(sys.argv[1])), 0
while done < 30:
    old = folder.read("count.toml")
    try:
        folder.save("count.toml", f"n = {int(old['text'].split()[-1]) + 1}\\n", old["mark"])
        done += 1
    except ChangedMeanwhile:
        pass
"""


def test_two_labs_on_one_folder_lose_no_update(tmp_path: Path) -> None:
    """Each adds one to a number, thirty times, and is told when the other was quicker."""
    (tmp_path / "count.toml").write_text("n = 0\n")
    both = [subprocess.Popen([sys.executable, "-c", SAVES, str(tmp_path)]) for _ in range(2)]
    assert [one.wait(240) for one in both] == [0, 0]
    assert (tmp_path / "count.toml").read_text() == "n = 60\n"


def test_the_word_stands_in_a_file_of_the_user_alone() -> None:
    """What a browser is started with is seen by every user of the machine."""
    place = redirect_page("http://127.0.0.1:8000/#a-word&\"")
    try:
        assert place.stat().st_mode & 0o777 == 0o600 and place.parent.stat().st_mode & 0o777 == 0o700
        assert "a-word" not in place.as_uri() and "#a-word&amp;&quot;" in place.read_text()
        assert redirect_page("x").parent != place.parent
    finally:
        shutil.rmtree(place.parent)


def test_a_browser_is_started_without_the_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []
    said: list[str] = []

    async def ended(self: Any, sockets: Any) -> None:
        while not opened:
            await asyncio.sleep(0.01)

    monkeypatch.setattr("nonholo.lab.connections.Ending.serve", ended)
    worker = threading.Thread(target=serve, kwargs={"say": said.append, "browser": opened.append})  # a loop may run in this one
    worker.start()
    worker.join(240)
    word = said[0].rpartition("#")[2]
    assert opened[0].startswith("file://") and word not in opened[0] and len(word) > 20
    assert not Path(opened[0].removeprefix("file://")).exists()


def test_a_link_leads_to_the_page_and_to_nothing_else(lab: Client) -> None:
    led = {"Origin": "-", "Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert lab.ask("GET", "/", **led)[0] == 200
    assert lab.ask("GET", "/assets/lab.js", **led)[0] == 403
    assert lab.post("files", {}, **led)[0] == 403
