"""Requests of the lab: its page, the folder's files, the gallery, studies with their progress, finished pages."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from nonholo import __version__, gallery
from nonholo.errors import FileError, NonholoError
from nonholo.lab.folder import ChangedMeanwhile
from nonholo.lab.lab_state import LabState
from nonholo.lab.request_guard import FRAMED, LARGEST, POLICY, Guard, TooLarge

HERE = Path(__file__).parent
ASSETS = HERE.parent / "present" / "assets"
KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".woff2": "font/woff2"}
SERVED = {
    **{name: ASSETS / name for name in ("lab.js", "math.woff2", "text.woff2", "text-italic.woff2", "text-bold.woff2")},
    "lab.css": HERE / "page" / "lab.css",
}
"""The files of the page, by name; there is no other way to a file."""


def application(desk: LabState) -> Guard:
    """The application of a desk, with its guard."""
    routes = [
        Route("/", _page),
        Route("/assets/{name}", _asset),
        Route("/page/{name}", _framed),
        Route("/page/{name}/{file}", _download),
        *(Route(f"/api/{word}", _answering(work), methods=["POST"]) for word, work in QUESTIONS.items()),
        *(Route(f"/api/{word}", _streamed(word), methods=["POST"]) for word in ("study", "report", "exhibit", "field")),
        Route("/api/here", _here, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers=TROUBLES)
    app.state.desk = desk
    return Guard(app, desk.keys, desk.hosts)


async def _page(request: Request) -> Response:
    nonce = secrets.token_urlsafe(16)
    text = (HERE / "page" / "index.html").read_text(encoding="utf-8").replace("NONCE", nonce)
    return Response(text, media_type="text/html", headers={"content-security-policy": POLICY.format(nonce=nonce)})


async def _asset(request: Request) -> Response:
    place = SERVED.get(request.path_params["name"])
    if place is None or not place.is_file():
        return await _nowhere(request, None)
    return FileResponse(place, media_type=KINDS[place.suffix])


async def _framed(request: Request) -> Response:
    return _made_page(request, {})


async def _download(request: Request) -> Response:
    name = re.sub(r"[^\w.-]", "-", request.path_params["file"])[:100]
    name = name.encode("ascii", "replace").decode().replace("?", "-")
    return _made_page(request, {"content-disposition": f'attachment; filename="{name}"'})


def _made_page(request: Request, more: dict[str, str]) -> Response:
    content = _desk(request).shelf.get(request.path_params["name"])
    if content is None:
        return Response(
            "This page is no longer kept; edit the text and it is made again.", 404, media_type="text/plain"
        )
    return Response(content, media_type="text/html", headers={"content-security-policy": FRAMED, **more})


def _exchange_key(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    key = desk.keys.exchange(_text(given, "word"))
    if key is None:
        raise PermissionError("this address was used already; open the lab by the address that it printed last.")
    return {"key": key, **_session(desk, given)}


def _session(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a page needs that comes back with its key."""
    folder = desk.folder
    return {
        "version": __version__, "folder": folder.root.name, "place": folder.digest, "open": desk.first, "kept": desk.kept,
    }  # fmt: skip


def _files(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"files": desk.folder.files()}


def _open(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    return dict(desk.folder.read(_text(given, "path")))


def _save(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    seen = None if given.get("seen") is None else _text(given, "seen")
    return {"mark": desk.folder.save(_text(given, "path"), _text(given, "text"), seen)}


def _gallery(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    from nonholo.gallery import catalogue

    known = catalogue()
    return {
        "systems": [{"name": n, **known[n]} for n in gallery.names() if n not in gallery.field_names()],
        "fields": [{"name": n, **known[n]} for n in gallery.field_names()],
    }


def _store_page(desk: LabState, given: Mapping[str, Any]) -> dict[str, Any]:
    desk.kept = _text(given, "kept")
    return {}


QUESTIONS = {
    "enter": _exchange_key, "again": _session, "files": _files, "open": _open, "save": _save, "gallery": _gallery,
    "keep": _store_page,
}  # fmt: skip


def _answering(work: Any) -> Any:
    """A request with one answer; an error is returned as a message."""

    async def answered(request: Request) -> Response:
        try:
            return JSONResponse(work(_desk(request), await _given(request)))
        except PermissionError as trouble:
            return _refused(403, str(trouble))
        except ChangedMeanwhile as trouble:
            return _refused(409, str(trouble))
        except NonholoError as trouble:
            return _refused(400, str(trouble).partition("\n")[0])

    return answered


def _streamed(job: str) -> Any:
    """Progress of a job as a stream: one line of JSON for each message, an empty one now and then."""

    async def answered(request: Request) -> Response:
        try:
            given = await _given(request)
            name = _text(given, "name")
            known = {"exhibit": gallery.names, "field": gallery.field_names}.get(job)
            if known is not None and name not in known():
                raise FileError(f"the gallery has no {job} {name[:60]!r}.")
            wanted = {"name": name} if known is not None else {"name": name, "text": _text(given, "text")}
        except NonholoError as trouble:
            return _refused(400, str(trouble))
        return StreamingResponse(_lines(request, job, wanted), media_type="application/x-ndjson")

    return answered


async def _lines(request: Request, job: str, wanted: dict[str, Any]) -> AsyncIterator[bytes]:
    desk = _desk(request)
    running = desk.bench.run(job, wanted, request.is_disconnected)
    try:
        async for told in running:
            if "page" in told:
                told["page"] = desk.shelf.put(told["page"])
            yield json.dumps(told).encode() + b"\n"
        yield b'{"stage": "", "state": "end"}\n'
    finally:
        await running.aclose()  # type: ignore[attr-defined]


async def _here(request: Request) -> Response:
    """A connection for as long as the page is open; when the last one closes the terminal prints how to reopen it."""
    desk = _desk(request)

    async def lines() -> AsyncIterator[bytes]:
        import asyncio

        desk.came()
        try:
            while not await request.is_disconnected() and not desk.closing:
                yield b"\n"
                await asyncio.sleep(1.0)
        finally:
            desk.left()

    await _given(request)
    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def _given(request: Request) -> dict[str, Any]:
    """The JSON of a request, a table; its texts are texts that a file can hold."""
    try:
        given = json.loads(await request.body())
        json.dumps(given, ensure_ascii=False).encode()
    except ClientDisconnect:
        raise FileError("the request ended before it was whole.") from None
    except (ValueError, RecursionError):
        raise FileError("this is not JSON.") from None
    if not isinstance(given, dict):
        raise FileError("found no table where one was needed.")
    return given


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str):
        raise FileError(f"{key}: text was needed.")
    return value


def _desk(request: Request) -> LabState:
    found: LabState = request.app.state.desk
    return found


def _refused(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)


async def _nowhere(request: Request, trouble: Any) -> Response:
    return _refused(404, "there is nothing here.")


async def _too_large(request: Request, trouble: Any) -> Response:
    told = {"error": f"the message is larger than {LARGEST} bytes."}
    return JSONResponse(told, 413, {"connection": "close"})  # or the rest of it would be read and thrown away


async def _unexpected(request: Request, trouble: Exception) -> Response:
    return _refused(500, f"unexpected {type(trouble).__name__} (please report it).")


TROUBLES: Any = {Exception: _unexpected, TooLarge: _too_large, 404: _nowhere, 405: _nowhere}
