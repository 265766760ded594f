"""Controller and observer steps in C, compiled by gcc without a warning, against Python to rounding."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh

PENDULUM = nh.System(
    name="cart with pendulum", coordinates="x th", inputs="u", forces={"x": "u - xdot/5"},
    lagrangian="xdot**2 + xdot*thdot*cos(th)/2 + thdot**2/4 - 5*cos(th)",
)  # fmt: skip
BEAD = nh.System(
    name="bead on a circle", coordinates="x y", inputs="f", lagrangian="(xdot**2 + ydot**2)/2 - 9*y",
    holonomic=["x**2 + y**2 - 1"], forces={"x": "f"}, start={"x": 0.6, "y": -0.8},
)  # fmt: skip
DOUBLES = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")


def built(files: dict[str, str], folder: Path) -> tuple[ctypes.CDLL, str]:
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("gcc is not here")
    for name, text in files.items():
        (folder / name).write_text(text)
    (source,) = (name for name in files if name.endswith(".c"))
    words = [gcc, "-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC"]
    subprocess.run([*words, "-o", "step.so", source, "-lm"], cwd=folder, check=True, capture_output=True, text=True)
    assert not re.search(r"\b(malloc|calloc|realloc|alloca|free)\b", files[source])
    return ctypes.CDLL(str(folder / "step.so")), source.removesuffix(".c")


@pytest.mark.parametrize("every", [None, 0.02])
def test_a_regulator_gives_the_same_inputs_in_c(every: float | None, tmp_path: Path) -> None:
    regulator = nh.lqr(nh.linearise(PENDULUM, {"x": 0.3, "th": 0.0}), {"x": 1, "th": 4}, 0.3, every=every)
    library, name = built(nh.control.to_c(nh.controller(regulator, limits={"u": (-2.0, 1.5)}), "balance"), tmp_path)
    step = getattr(library, f"{name}_step")
    step.argtypes = [ctypes.c_double, DOUBLES, DOUBLES]
    found, random = np.zeros(1), np.random.default_rng(2)
    for y in random.normal(0.0, 0.3, (40, 4)):
        step(0.0, y, found)
        plain = regulator(0.0, dict(zip(regulator.lin.names, y.tolist())))["u"]
        assert found[0] == pytest.approx(min(max(plain, -2.0), 1.5), rel=1e-13, abs=1e-13)
    assert np.any(np.abs(found) > 0)


def test_a_regulator_along_a_run_follows_it_in_c(tmp_path: Path) -> None:
    run = nh.simulate(PENDULUM, {"th": 0.2}, 1.0, inputs={"u": "sin(3*t)"}, t_eval=np.linspace(0, 1, 21))
    regulator = nh.lqr(nh.linearise(PENDULUM, run), 1, 1)
    library, name = built(nh.control.to_c(regulator, "follow"), tmp_path)
    step = getattr(library, f"{name}_step")
    step.argtypes = [ctypes.c_double, DOUBLES, DOUBLES]
    found, random = np.zeros(1), np.random.default_rng(5)
    for t in (-0.1, 0.0, 0.05, 0.312, 0.77, 1.0, 1.4):
        y = random.normal(0.0, 0.3, 4)
        step(t, y, found)
        assert found[0] == pytest.approx(regulator(t, dict(zip(regulator.lin.names, y.tolist())))["u"], rel=1e-12, abs=1e-12)


CASES: dict[str, tuple[nh.System, dict[str, float], dict[str, float], dict[str, Any]]] = {
    "cart with pendulum": (PENDULUM, {"x": 0.05, "sin(th) + x*thdot": 0.1}, {"thdot": 0.3, "xdot": 0.1}, {"th": 0.4}),
    "bead on a circle": (BEAD, {"x": 0.03, "atan2(y, x)": 0.02}, {"xdot": 0.2}, {"x": 0.6, "y": -0.8}),
}


@pytest.mark.parametrize("kind", ["ekf", "ukf"])
@pytest.mark.parametrize("name", CASES)
def test_an_observer_believes_the_same_in_c(name: str, kind: str, tmp_path: Path) -> None:
    system, measured, noise, start = CASES[name]
    watch = nh.observer(system, measured, noise=noise, every=0.05, kind=kind)
    library, stem = built(nh.control.to_c(watch, path=tmp_path), tmp_path)
    predict, correct = getattr(library, f"{stem}_predict"), getattr(library, f"{stem}_correct")
    predict.argtypes = [ctypes.c_double, DOUBLES, DOUBLES, DOUBLES]
    correct.argtypes = [ctypes.c_double, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES]
    belief = watch.begin(start, 0.2)
    mean, covariance, residual = belief.mean.copy(), belief.covariance.copy(), np.zeros(2)
    random, u = np.random.default_rng(3), np.array([0.4])
    for _ in range(12):
        predict(belief.time, mean, covariance, u)
        belief = watch.predict(belief, u)
        z = np.asarray(watch._seen(watch._row(belief.mean, u, belief.time)[None])[0][:2]) + random.normal(0, 0.05, 2)
        correct(belief.time, mean, covariance, z, u, residual)
        belief = watch.correct(belief, z, u)
        assert np.allclose(mean, belief.mean, rtol=1e-12, atol=1e-13)
        assert np.allclose(covariance, belief.covariance, rtol=1e-11, atol=1e-13)
    assert np.any(residual)


def test_what_has_no_step_is_refused() -> None:
    with pytest.raises(nh.ModelError, match=r"nh\.lqr"):
        nh.control.to_c(nh.controller(lambda t, s: 0.0))
    with pytest.raises(nh.StateError, match="is no folder"):
        nh.control.to_c(nh.lqr(nh.linearise(PENDULUM, {"x": 0.0}), 1, 1), path="nowhere/at/all")
