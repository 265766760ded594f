"""Find plotting and film functions through entry points."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from importlib.metadata import entry_points
from typing import Any

from nonholo.errors import ModelError, NonholoError

GROUP = "nonholo.presenters"


@cache
def presenter(name: str) -> Callable[..., Any]:
    """The function registered under this name (``plot``, ``film``, ``potential``) in the group ``nonholo.presenters``.

    >>> presenter("plot").__module__
    'nonholo.present.figures.motion_plots'
    """
    found = tuple(entry_points(group=GROUP, name=name))
    if not found:
        others = ", ".join(sorted({e.name for e in entry_points(group=GROUP)})) or "none"
        raise ModelError(
            f"no presenter {name!r} is installed (found: {others}); install nonholo again, e.g. `pip install -e .`, so "
            f"that its entry points {GROUP!r} are known."
        )
    try:
        made: Callable[..., Any] = found[0].load()
    except (ImportError, AttributeError) as trouble:
        raise ModelError(f"the presenter {name!r} ({found[0].value}) cannot be loaded: {trouble}.") from None
    return made


def notebook_html(name: str, what: Any) -> str:
    """HTML of an answer for a notebook by the presenter of this name; as plain text where there is none."""
    try:
        return str(presenter(name)(what))
    except ModelError:
        return f"<pre>{escape(str(what))}</pre>"


def notebook_table(caption: str, rows: Mapping[str, str], picture: Callable[[], bytes] | None = None) -> str:
    """A small HTML table of those rows that have a text, with a PNG picture below it where it can be drawn.

    >>> notebook_table("sleigh", {"steps": "12", "method": ""})
    "<table><caption><b>sleigh</b></caption><tr><th style='text-align:left'>steps</th><td>12</td></tr></table>"
    """
    cells = "".join(f"<tr><th style='text-align:left'>{k}</th><td>{escape(v)}</td></tr>" for k, v in rows.items() if v)
    image = ""
    if picture is not None:
        try:
            content = b64encode(picture()).decode()
            image = f'<img alt="plots of the motion" width="560" src="data:image/png;base64,{content}"/>'
        except NonholoError:  # a table without its picture is better than none
            pass
    return f"<table><caption><b>{escape(caption)}</b></caption>{cells}</table>{image}"
