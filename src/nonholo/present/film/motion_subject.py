"""The system and the drawing of a trajectory."""

from __future__ import annotations

from typing import Any

from nonholo.errors import ModelError
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import System


def drawing_of(run: Any, drawing: Any = None) -> Drawing | None:
    """The drawing given (an Exhibit or a System has one), or that of the motion's own system, or None."""
    own = getattr(drawing, "drawing", drawing)
    if own is not None and not isinstance(own, Drawing):
        raise ModelError(f"drawing: {type(drawing).__name__} where a Drawing or an Exhibit is needed.")
    if own is not None:
        return own
    system: System | None = run.system
    return system.drawing if system is not None else None


def drawn(run: Any, drawing: Drawing, indices: Any, **options: Any) -> dict[str, Any]:
    """The drawing at some instants of the motion, as `nonholo.model.drawing.drawing_values.evaluate_drawing` gives it."""
    system: System | None = run.system
    if system is None:
        raise ModelError(
            "the motion does not carry its system (it was made from bare equations); simulate the System to draw it."
        )
    values = {n: one.values[indices] for n, one in run.quantities.items()}
    return evaluate_drawing(drawing, system, values, system.values, **options)
