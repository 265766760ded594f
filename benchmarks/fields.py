"""Fields: seconds of processor time against nodes; aims that are missed are printed as missed."""

from __future__ import annotations

from time import process_time
from typing import Any

from nonholo.fields.fluids.fluid import Fluid
from nonholo.fields.strings.inextensible_string import String

FREE = {"theta": "0.8*cos(pi*s)", "omega": "1 + 0.7*sin(2*s)", "velocity": (0.3, -0.2)}
HANGING = {"theta": "-pi/2 + 0.5*sin(pi*s/2)**4"}
VORTICITY = {"vorticity": "cos(x + 2*y) + 0.3*sin(3*x) - 0.7*cos(2*x - y) + 0.2*sin(y)"}
AIM = 1.0
"""Seconds for one second of the string with 64 nodes."""


def timed(field: Any, start: dict[str, Any], **options: Any) -> tuple[float, Any]:
    """The best of two runs, and the run."""
    spent = []
    for _ in range(2):
        began = process_time()
        run = field.simulate(start, 1.0, **options)
        spent.append(process_time() - began)
    return min(spent), run


def table() -> list[dict[str, Any]]:
    """One second of motion for each; the compiled loop is warm."""
    String(nodes=8).simulate(FREE, 0.01)
    rows = []
    for what, start, settings, counts in (
        ("free string, order 8", FREE, {}, (16, 32, 48, 64, 96, 128)),
        ("hanging string, order 8", HANGING, {"gravity": 9.81, "held": ("start",)}, (16, 24, 32, 48, 64)),
    ):
        for nodes in counts:
            seconds, run = timed(String(nodes=nodes, **settings), start)
            row = {"what": what, "nodes": nodes, "seconds": seconds, "steps": run.steps, "drift of energy": run.drift("energy")}
            rows.append(row | ({"aim": AIM, "met": seconds < AIM} if nodes == 64 else {}))
    for nodes in (16, 32):
        seconds, run = timed(String(nodes=nodes), FREE, method="hamel", step=0.01)
        rows.append(
            {
                "what": "free string, discrete Hamel, step 0.01",
                "nodes": nodes,
                "seconds": seconds,
                "steps": run.steps,
                "drift of energy": run.drift("energy"),
            }
        )
    for nodes in (32, 64, 128):
        seconds, run = timed(Fluid(nodes=nodes), VORTICITY, t_eval=5)
        rows.append(
            {
                "what": "fluid, order 8",
                "nodes": nodes,
                "seconds": seconds,
                "steps": run.steps,
                "drift of energy": run.drift("energy"),
            }
        )
    return rows
