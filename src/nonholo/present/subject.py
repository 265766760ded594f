"""Which system of the gallery a motion belongs to, so that it can be drawn without being told."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from nonholo import gallery
from nonholo.errors import ModelError, NonholoError
from nonholo.gallery.exhibit import Drawing, Exhibit
from nonholo.model.files import dumps, loads
from nonholo.model.system import System, varied


@lru_cache(maxsize=32)
def _exhibit(name: str, text: str) -> Exhibit | None:
    slug = name.lower().replace(" ", "-")
    names = gallery.names()
    near = [slug] if slug in names else difflib.get_close_matches(slug, names, 4, 0.3)
    own = _system(text)
    if own is not None and own.signals:  # what its inputs did does not make it another system
        text = dumps(varied(own, signals={}))
    for candidate in near:
        exhibit = gallery.get(candidate)
        try:
            if dumps(exhibit.system) == text:
                return exhibit
        except NonholoError:
            continue
    return None


def exhibit_of(run: Any) -> Exhibit | None:
    """The exhibit whose system, word for word, made this motion; None for a system of the user's own."""
    attributes: Mapping[str, Any] = run.data.attrs
    return _exhibit(str(attributes.get("system", "")), str(attributes.get("system_text", "")))


@lru_cache(maxsize=32)
def _system(text: str) -> System | None:
    try:
        return loads(text) if text else None
    except NonholoError:
        return None


def system_of(run: Any) -> System | None:
    """The system that made this motion, read from the text the motion carries; None when it carries none."""
    return _system(str(run.data.attrs.get("system_text", "")))


def drawing_of(run: Any, drawing: Drawing | Exhibit | None = None) -> Drawing | None:
    """The drawing given (an Exhibit has one), or that of the gallery's system, or None."""
    if isinstance(drawing, Exhibit):
        return drawing.drawing
    if drawing is not None and not isinstance(drawing, Drawing):
        raise ModelError(f"drawing: {type(drawing).__name__} where a Drawing or an Exhibit is needed.")
    if drawing is not None:
        return drawing
    exhibit = exhibit_of(run)
    if exhibit is not None:
        return exhibit.drawing
    from nonholo.present import scene  # knows exhibits that come in sizes

    found = scene.drawing_of(run)
    return found[0] if found is not None else None


def drawn(run: Any, drawing: Drawing, indices: Any, **options: Any) -> dict[str, Any]:
    """The drawing at some instants of the motion, as `nonholo.gallery.draw.evaluate_drawing` gives it."""
    import json

    from nonholo.gallery.draw import evaluate_drawing

    system = system_of(run)
    if system is None:
        raise ModelError(
            "the motion does not carry its system (it was made from bare equations); simulate the System to draw it."
        )
    values = {str(n): run.data[n].values[indices] for n in run.data.variables}
    return evaluate_drawing(drawing, system, values, json.loads(run.data.attrs["parameters"]), **options)
