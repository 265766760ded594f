"""The lab attacked from other pages and by other programs: everything is refused in words, and it goes on."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nonholo.lab import connections
from nonholo.lab.connections import MOST
from nonholo.lab.request_guard import LARGEST
from nonholo.lab.workbench import Bench, Limits
from tests.lab.conftest import PATIENCE, Client, serving

SECRET = 'name = "secret"\n'


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A lab in a folder beside files that are nobody's business."""
    tmp_path = tmp_path_factory.mktemp("attacked")
    inside = tmp_path / "inside"
    (inside / "deeper").mkdir(parents=True)
    (tmp_path / "secret.toml").write_text(SECRET)
    (tmp_path / "inside-too.toml").write_text(SECRET)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "secret.toml").write_text(SECRET)
    (inside / "mine.toml").write_text('name = "mine"\n')
    (inside / "notes.txt").write_text("not a system")
    (inside / "out.toml").symlink_to(tmp_path / "secret.toml")
    (inside / "away").symlink_to(tmp_path / "folder")
    (inside / "renamed.toml").symlink_to(inside / "notes.txt")
    (inside / "alias.toml").symlink_to(inside / "mine.toml")
    with serving(inside, seconds=1) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]:{port}",
        "127.0.0.1.evil.example:{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/assets/lab.css"])
def test_a_name_that_was_made_to_point_here_is_no_way_in(lab: Client, host: str, path: str) -> None:
    assert lab.ask("GET", path, Host=host.format(port=lab.port))[0] in (400, 421)


def test_a_foreign_page_gets_nothing(lab: Client) -> None:
    for origin in (
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{lab.port}",
        "http://127.0.0.1:1",
        f"http://127.0.0.1:{lab.port}.evil.example",
    ):
        assert lab.post("files", {}, Origin=origin)[0] == 403
        assert lab.ask("GET", "/", Origin=origin)[0] == 403
    for site in ("cross-site", "same-site"):
        assert lab.ask("GET", "/assets/lab.js", Origin="-", Sec_Fetch_Site=site)[0] == 403
    # what a form or an image of a foreign page can send: no JSON, no key
    assert lab.post("files", b"{}", Content_Type="text/plain")[0] == 415
    assert lab.post("files", {}, Content_Type="application/x-www-form-urlencoded")[0] == 415
    assert lab.ask("OPTIONS", "/api/save")[0] == 405
    assert lab.ask("PUT", "/api/save", b"{}")[0] == 405
    status, told = lab.post("save", {"path": "x.toml", "text": "", "seen": ""}, Authorization="-")
    assert status == 401 and "no key" in told["error"]
    assert not (lab.folder / "x.toml").exists()
    lab.goes_on()


def test_a_word_opens_once_and_a_guess_never(lab: Client) -> None:
    word = lab.desk.keys.word()
    assert lab.post("enter", {"word": word})[0] == 200
    status, told = lab.post("enter", {"word": word})
    assert status == 403 and "used already" in told["error"]
    for guess in ("", "x", word[:-1], word + "x", "\u00e9", "0" * 1000):
        assert lab.post("enter", {"word": guess})[0] == 403
    for key in ("", "Bearer", "Bearer ", "Bearer x", f"Basic {lab.key}", f"Bearer {lab.key}x", f"Bearer {word}"):
        assert lab.post("files", {}, Authorization=key)[0] == 401
    assert lab.post("enter", {"word": lab.desk.keys.word()}, Origin="http://evil.example")[0] == 403
    lab.goes_on()


def test_no_request_is_answered_with_permission_for_others(lab: Client) -> None:
    with lab.raw() as line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\nConnection: close\r\n\r\n".encode())
        page = b"".join(iter(lambda: line.recv(65536), b"")).decode().lower()
    head, _, body = page.partition("\r\n\r\n")
    policy = next(row for row in head.splitlines() if row.startswith("content-security-policy:"))
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "connect-src 'self'" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert "access-control" not in head and "set-cookie" not in head and "x-content-type-options: nosniff" in head
    assert "<script>" not in body and "onclick" not in body and " style=" not in body


@pytest.mark.parametrize(
    "path",
    [
        "../secret.toml",
        "deeper/../../secret.toml",
        "/etc/passwd",
        "/etc/hosts.toml",
        "out.toml",
        "away/secret.toml",
        "renamed.toml",
        "..\\secret.toml",
        "%2e%2e/secret.toml",
        "..%2fsecret.toml",
        "notes.txt",
        "mine.toml\0.txt",
        "",
        ".",
        "..",
        ".hidden.toml",
        "deeper",
        "mine.toml/",
        "C:secret.toml",
        "x" * 5000 + ".toml",
        "\u202elmot.toml",
        "a\nb.toml",
        "../inside-too.toml",
        "./../secret.toml",
    ],
)
def test_no_path_leads_out_of_the_folder(lab: Client, path: str) -> None:
    before = {p: p.read_bytes() for p in lab.folder.parent.rglob("*") if p.is_file()}
    for word, body in (("open", {"path": path}), ("save", {"path": path, "text": "gone", "seen": None})):
        status, told = lab.post(word, body)
        assert status == 400 and told["error"], (path, told)
        assert SECRET.strip() not in json.dumps(told) and str(lab.folder) not in told["error"]
    assert {p: p.read_bytes() for p in lab.folder.parent.rglob("*") if p.is_file()} == before


def test_addresses_lead_to_the_lab_s_own_files_only(lab: Client) -> None:
    for path in (
        "/assets/../serve.py",
        "/assets/%2e%2e/serve.py",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/assets/viewer.js",
        "/page/../secret",
        "/page/x",
        "/page/x/y.html",
        "//etc/passwd",
        "/api/",
        "/mine.toml",
        "/assets/%00",
        "/%ff",
        "/assets/lab.css/../lab.js",
    ):
        status, content = lab.ask("GET", path)
        assert status in (400, 404), path
        assert b"root:" not in (content if isinstance(content, bytes) else json.dumps(content).encode())
    assert lab.post("files", {})[1] == {"files": [{"path": "alias.toml"}, {"path": "mine.toml"}]}


def test_a_link_inside_the_folder_is_followed_and_kept(lab: Client) -> None:
    found = lab.post("open", {"path": "alias.toml"})[1]
    status, _ = lab.post("save", {"path": "alias.toml", "text": "name = 'new'\n", "seen": found["mark"]})
    assert status == 200 and (lab.folder / "alias.toml").is_symlink()
    assert (lab.folder / "mine.toml").read_text() == "name = 'new'\n"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"path": 3}',
        b'{"path": {"a": []}}',
        b'{"path": "\\ud800.toml"}',
        b'{"text": "x"}',
        b"1e999999",
        b'{"path": null}',
        b"NaN",
    ],
)
def test_what_is_no_question_is_refused_in_words(lab: Client, body: bytes) -> None:
    for word in ("open", "save", "study", "report", "exhibit", "keep", "enter"):
        status, told = lab.post(word, body)
        assert status == 400 and told["error"].endswith("."), (word, told)
    lab.goes_on()


def test_a_message_of_a_hundred_megabytes_is_not_read(lab: Client) -> None:
    """Announced, or in pieces without an end: the connection is ended, and no more than a little of it is kept."""
    assert _announced(lab) == 413
    with lab.raw() as line:
        line.sendall(_head(lab, "Transfer-Encoding: chunked"))
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        sent = 0
        with suppress(OSError):
            for _ in range(1600):
                line.sendall(piece)
                sent += 65536
        with suppress(OSError):
            line.recv(65536)
    assert sent < 30 * LARGEST, "a hundred megabytes were taken in"
    assert lab.post("save", {"path": "big.toml", "text": "x" * 600_000, "seen": ""})[0] == 400
    assert not (lab.folder / "big.toml").exists()
    lab.goes_on()


def _head(lab: Client, length: str) -> bytes:
    given = "".join(f"{k}: {v}\r\n" for k, v in lab.headers().items())
    return f"POST /api/save HTTP/1.1\r\n{given}{length}\r\n\r\n".encode()


def _announced(lab: Client) -> int:
    with lab.raw() as line:
        line.sendall(_head(lab, "Content-Length: 100000000") + b"x" * 1000)
        return int(line.recv(65536).split()[1])


def test_many_connections_that_ask_nothing_do_not_lock_the_page_out(lab: Client) -> None:
    lines: list[socket.socket] = []
    try:
        for k in range(300):
            line = lab.raw()
            line.sendall(b"GET / HT" if k % 2 else b"")
            lines.append(line)
        lab.goes_on()
        watched = select.poll()
        for line in lines:
            watched.register(line, select.POLLIN | select.POLLHUP)
        deadline = time.monotonic() + PATIENCE
        while len(watched.poll(1000)) < len(lines) - MOST and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(watched.poll(0)) >= len(lines) - MOST  # the others were closed
    finally:
        for line in lines:
            line.close()
    lab.goes_on()


def test_a_connection_that_asks_nothing_or_never_ends_its_question_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    with serving(tmp_path) as lab, lab.raw() as silent, lab.raw() as slow, lab.raw() as endless:
        slow.sendall(b"GET / HT")
        endless.sendall(_head(lab, "Content-Length: 1000") + b"{")
        for line in (silent, slow, endless):
            line.settimeout(PATIENCE)
            with suppress(ConnectionError):
                assert line.recv(4096) == b""
        lab.goes_on()


def test_words_that_are_not_http_are_answered_and_forgotten(lab: Client) -> None:
    for words in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"A" * 200_000,
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: x\r\n\r\n",
    ):
        with lab.raw() as line, suppress(OSError):
            line.sendall(words)
            line.settimeout(5)
            assert b" 200 " not in line.recv(4096)
    lab.goes_on()


ENDLESS = '''
coordinates = "a b c d e f"
lagrangian = """(adot**2 + bdot**2*sin(a) + cdot**2*exp(b*c) + ddot**2*cos(a*b*c*d)
  + edot**2/(1 + sin(b*d*e)) + fdot**2*sin(a*f))**7"""
constraints = ["adot*sin(b) - cdot*cos(d*e)*ddot + 1/(1 + fdot**2)", "edot*bdot - sin(a*f)"]
'''


def test_a_derivation_without_end_is_ended_and_said_and_leaving_ends_it_too(lab: Client) -> None:
    told = lab.study(ENDLESS)
    stopped = next(t for t in told if t["state"] == "failed")
    assert "stopped after 1 s of processor time" in stopped["words"] and stopped["stage"] in (
        "equations",
        "motion",
        "checks",
    )
    after = next(t for t in told if t["state"] == "begun" and t["stage"] != "text")
    assert after["stage"] != stopped["stage"]  # the next goes on
    assert len(lab.desk.bench.jobs) == 1
    told.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + PATIENCE
    while lab.desk.bench.jobs and time.monotonic() < deadline:
        time.sleep(0.05)
    assert lab.desk.bench.jobs == []
    lab.goes_on()


@pytest.mark.slow
def test_nobody_who_waits_ends_a_study_whatever_the_server_says() -> None:
    async def asked() -> tuple[list[str], int]:
        bench, told = Bench(Limits(seconds=20)), []

        async def gone() -> bool:
            return "equations" in told

        async for one in bench.run("study", {"text": ENDLESS, "name": "a.toml"}, gone):
            told.append(one["stage"])
        return told, len(bench.jobs)

    with ThreadPoolExecutor(1) as apart:  # a browser's loop may run in this thread
        told, jobs = apart.submit(asyncio.run, asyncio.wait_for(asked(), 60)).result()
    assert jobs == 0 and set(told) <= {"text", "equations", "motion"}


@pytest.mark.slow
def test_a_text_that_asks_for_all_memory_is_ended_and_said(tmp_path: Path) -> None:
    with serving(tmp_path, seconds=20, memory=4_000_000) as lab:
        told = lab.study(ENDLESS)
        ended = next(t for t in told if t["state"] in ("failed", "end"))
        assert "memory" in ended["words"].lower(), ended
        told.close()  # type: ignore[attr-defined]
        lab.goes_on()


@pytest.mark.slow
def test_studies_beyond_the_limit_end_the_oldest(tmp_path: Path) -> None:
    with serving(tmp_path, seconds=30, jobs=2) as lab:
        running = [lab.study(ENDLESS, f"{k}.toml") for k in range(4)]
        for told in running:
            next(told)
        assert len(lab.desk.bench.jobs) <= 2
        assert list(running[0])[-1]["state"] == "end"  # stopped, and not left hanging
        for told in running:
            told.close()  # type: ignore[attr-defined]
        lab.goes_on()
