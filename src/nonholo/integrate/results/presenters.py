"""Find plotting and film functions through entry points."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from nonholo.errors import ModelError

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


def shown(name: str, what: Any) -> str:
    """HTML of an answer for a notebook by the presenter of this name; as plain text where there is none."""
    from html import escape

    try:
        return str(presenter(name)(what))
    except ModelError:
        return f"<pre>{escape(str(what))}</pre>"
