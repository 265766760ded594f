"""The lab's server: a socket on this machine alone, an access key printed on the terminal, an orderly end."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from html import escape
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from nonholo import gallery
from nonholo.errors import NonholoError
from nonholo.lab.folder import Folder
from nonholo.lab.lab_state import LabState
from nonholo.lab.workbench import Bench, Limits
from nonholo.present.film.film_plotly import NO_SCRIPTS
from nonholo.writing import NEW

if TYPE_CHECKING:
    from nonholo.lab.connections import Ending

HOST = "127.0.0.1"
NEEDED = ("starlette", "uvicorn")
SHARED = "#text="
"""What a link that holds a text has in its fragment (`viewer/src/lab/sharing.ts`)."""
SCRIPT = Path(__file__).parents[1] / "present" / "assets" / "lab.js"


def read_folder(file: str | None) -> tuple[Folder, str]:
    """The folder, and what to open at first; an error says what is missing.

    That is a file in it, new or not, ``gallery:name``, ``field:name`` or the link of a shared text.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise NonholoError(f"the lab needs {' and '.join(missing)}; install them with: pip install {' '.join(missing)}.")
    if not SCRIPT.is_file():
        raise NonholoError(f"the lab's page is missing: {NO_SCRIPTS}")
    here = Path(os.path.realpath(Path.cwd()))
    if file is None:
        return Folder(here), ""
    if SHARED in file:
        return Folder(here), file[file.index(SHARED) :]
    if file in gallery.names() and file not in gallery.field_names() and not Path(file).exists():
        return Folder(here), f"gallery:{file}"
    if file in gallery.field_names() and not Path(file).exists():
        return Folder(here), f"field:{file}"
    if file.replace("-", "").isalnum() and not Path(file).exists():
        gallery.get(file)  # a name without .toml is one of the gallery, misspelt: the error says what was meant
    given = Path(os.path.realpath(Path(file).parent)) / Path(file).name
    folder = Folder(here if given.is_relative_to(here) else given.parent)
    inside = given.relative_to(folder.root).as_posix()
    if folder.place(inside).exists() or not given.parent.is_dir():
        folder.read(
            inside
        )  # what cannot be read is refused before anything is opened; a new file is written when it is saved
    return folder, inside


def new_server(
    folder: Folder, first: str = "", port: int = 0, limits: Limits | None = None
) -> tuple[Ending, socket.socket]:
    """A server with its desk, not yet serving, and the socket it will listen at."""
    from uvicorn import Config

    from nonholo.lab.connections import Bounded, Ending
    from nonholo.lab.lab_app import application

    listening = _socket(port) if port else _free_socket(folder.ports)
    own = listening.getsockname()[1]
    desk = LabState(folder, (f"{HOST}:{own}", f"localhost:{own}"), first, Bench(limits or Limits()))
    config = Config(
        application(desk),
        http=Bounded,
        ws="none",
        lifespan="off",
        log_level="error" if os.environ.get("NONHOLO_TRACEBACK") else "critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return Ending(config, desk), listening


def serve(
    file: str | None = None,
    port: int = 0,
    limits: Limits | None = None,
    say: Callable[[str], None] = print,
    browser: Callable[[str], object] | None = None,
) -> None:
    """Serve the lab until it is interrupted; ``say`` gets the lines for the terminal, ``browser`` the address to open."""
    folder, first = read_folder(file)
    server, listening = new_server(folder, first, port, limits)
    desk = server.desk

    def address(word: str) -> str:
        return f"http://{desk.hosts[0]}/#{word}"

    desk.invite = lambda word: say(f"The page was closed; the lab goes on. Open it again (works once): {address(word)}")
    threading.Thread(target=desk.bench.warm, daemon=True).start()
    where = address(desk.keys.word())
    say(f"The lab for {folder.root} is open at (works once): {where}")
    say("Ctrl-C ends it.")
    leading = redirect_page(where) if browser is not None else None
    if browser is not None and leading is not None:
        threading.Thread(target=browser, args=(leading.as_uri(),), daemon=True).start()
    try:
        asyncio.run(server.serve(sockets=[listening]))
    finally:
        if leading is not None:
            rmtree(leading.parent, ignore_errors=True)
        desk.closing = True
        desk.bench.close()
        listening.close()


def redirect_page(address: str) -> Path:
    """A private page that redirects to an address: the arguments of a browser's process are visible to every user."""
    place = Path(mkdtemp(prefix="nonholo-lab-")) / "open.html"
    target = escape(address)
    text = f'<!doctype html><meta http-equiv="refresh" content="0; url={target}"><a href="{target}">The lab</a>'
    with open(os.open(place, NEW, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
    return place


def _free_socket(ports: list[int]) -> socket.socket:
    """A socket at the first of these ports that is free, or at any."""
    for port in ports:
        with suppress(NonholoError):
            return _socket(port)
    return _socket(0)


def _socket(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError) as trouble:
        listening.close()
        reason = getattr(trouble, "strerror", None) or trouble
        raise NonholoError(f"--port {port} cannot be used: {reason}; choose another, or leave it out.") from None
    listening.listen(256)
    listening.set_inheritable(False)
    return listening
