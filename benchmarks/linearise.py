"""Linear systems of the Whipple bicycle, from a user's text, at 100 speeds: processor time, and how far the published ones are.

The first scan of a structure writes the derivatives of the rates as a program, which is kept; no machine code is made of them.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.derivatives import BICYCLE
from nonholo.analyse.linear.linearise import linearise
from nonholo.integrate.model import prepare
from nonholo.model.files.toml_files import load

LIMIT = 1.0
AT_FIVE = (-0.77534188219585 + 4.46486771378823j, -14.07838969279822, -0.32286642900409)
"""Eigenvalues at 5 m/s [Meijaard, Papadopoulos, Ruina, Schwab 2007, table 2]."""


def riding(v: float) -> dict[str, float]:
    """Upright, straight ahead; the rear wheel has the radius 0.3 m."""
    return {"ur": -v / 0.3, "up": 0.0, "ud": 0.0}


def table() -> list[dict[str, Any]]:
    """Preparing, and two scans."""
    began = time.process_time()
    model = prepare(load(BICYCLE))
    rows: list[dict[str, Any]] = [{"what": "text to machine code of the rates", "seconds": time.process_time() - began}]
    speeds = np.linspace(0.0, 10.0, 100)
    for word in ("first scan of 100 speeds", "second scan"):
        began = time.process_time()
        found = linearise(model, [riding(v) for v in speeds], leave_out="all").eigenvalues
        took = time.process_time() - began
        rows.append({"what": word, "seconds": took, "aim": LIMIT, "met": bool(took <= LIMIT)})
        assert found.shape == (100, 5)
    whole = rows[0]["seconds"] + rows[1]["seconds"]
    rows.append({"what": "text and first scan together", "seconds": whole, "aim": LIMIT, "met": bool(whole <= LIMIT)})
    one = linearise(model, riding(5.0)).eigenvalues
    gap = max(float(np.min(np.abs(one - e))) for e in AT_FIVE)
    return [*rows, {"what": "largest gap to the published eigenvalues at 5 m/s", "gap": gap, "aim": 1e-9, "met": gap <= 1e-9}]
