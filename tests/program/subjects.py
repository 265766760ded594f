"""The systems on which every machine must agree: the gallery, and plain ones as users write them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.compile import Kernel, compile_equations
from nonholo.derive.equations import Equations

NAMES = (
    "ball-on-sphere", "contact-oscillator", "driven-rotor", "paraboloid", "parallel-points-spring", "rotating-paraboloid",
    "skate-sphere", "sleigh", "sleigh-turntable", "twistcar", "two-sliders",
)  # fmt: skip
PLAIN = [
    *(Path(__file__).parents[1] / "plain" / f"{name}.toml" for name in NAMES),
    Path(__file__).with_name("whipple-bicycle.toml"),
]
HARD = "degenerate-sleigh"
"""Has no equations in Hamel's form: there is no kinetic energy along one speed."""
GALLERY = tuple(n for n in nh.gallery.system_names() if n != HARD)
SUBJECTS = (*GALLERY, *(f"plain {p.stem}" for p in PLAIN))


@cache
def equations_of(name: str) -> Equations:
    """Hamel's equations at the start of the system."""
    return nh.hamel(subject(name)[0])


@cache
def kernel_of(name: str) -> Kernel:
    return compile_equations(equations_of(name))


@cache
def subject(name: str) -> tuple[Any, dict[str, float]]:
    """A system, and values of its parameters and start by name."""
    found = next((p for p in PLAIN if f"plain {p.stem}" == name), None)
    if found is not None:
        system = nh.load(found)
        return system, {**system.parameters, **system.start}
    exhibit = nh.gallery.get(name)
    return exhibit.system, {**exhibit.parameters, **exhibit.start}


def point(name: str, seed: int = 0) -> np.ndarray:
    """An input vector near the start of the system, every number generic."""
    random = np.random.default_rng([seed, *name.encode()])
    _, values = subject(name)
    symbols = kernel_of(name).symbols
    return np.array([float(values.get(str(s), 0.5)) + random.uniform(0.05, 0.3) for s in symbols])

