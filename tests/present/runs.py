"""Motions that several tests of pictures look at, computed once."""

from __future__ import annotations

from functools import cache
from typing import Any

import nonholo as nh
from nonholo import gallery


@cache
def motion(name: str, **options: Any) -> Any:
    """The exhibit's own motion, with its units."""
    exhibit = gallery.get(name)
    given = {"until": exhibit.until, **options}
    return nh.simulate(
        exhibit.system,
        exhibit.start,
        parameters=exhibit.parameters,
        units=exhibit.units,
        inputs=exhibit.inputs or None,
        **given,
    )
