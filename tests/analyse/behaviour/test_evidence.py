"""Every verdict against motions that know nothing of it: rates to 1 %, and what is stable stays for many periods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.analyse.behaviour import plain
from tests.analyse.behaviour.witness import Ended, evidence

HALF = float(np.pi / 2)
QUICK: dict[str, tuple[Any, dict[str, float], dict[str, float]]] = {
    "trailer pushed": (plain.TRAILER, {"xdot": -1.7}, {}),
    "damped sleigh": (plain.DAMPED, {"xdot": 1.5}, {}),
    "bead in its place": (plain.HOOP, {"q": float(np.arccos(9.81 / 18.0))}, {}),
}
SLOW: dict[str, tuple[Any, dict[str, float], dict[str, float]]] = {
    "trailer pulled": (plain.TRAILER, {"xdot": 1.7}, {}),
    "caster that shimmies": (plain.CASTER, {"y": 0.0}, {"J": 0.11}),
    "caster that does not": (plain.CASTER, {"y": 0.0}, {"J": 0.03}),
    "bead at the bottom, fast": (plain.HOOP, {"q": 0.0}, {}),
    "bead at the bottom, slow": (plain.HOOP, {"q": 0.0}, {"Omega": 4.0}),
    "cart, upright": (plain.CART, {"phi": float(np.pi)}, {}),
    "cart, hanging": (plain.CART, {"phi": 0.0}, {}),
    "Suslov, one sense": (plain.SUSLOV, {"w1": 0.6, "w2": 0.8}, {}),
    "Suslov, the other": (plain.SUSLOV, {"w1": -0.6, "w2": -0.8}, {}),
    "skate in a well": (plain.WELLS, {"x": 1.0}, {}),
    "skate between wells": (plain.WELLS, {"x": 0.0, "y": 0.4}, {}),
    "disk upright, slow": (plain.DISK, {"theta": HALF, "phidot": 1.0}, {}),
    "disk upright, fast": (plain.DISK, {"theta": HALF, "phidot": 6.0}, {}),
    "disk spinning, slow": (plain.DISK, {"theta": HALF, "psidot": 2.0}, {}),
    "disk spinning, fast": (plain.DISK, {"theta": HALF, "psidot": 9.0}, {}),
}
GALLERY: dict[str, dict[str, float]] = {
    "chaplygin-sleigh": {"v": 2.0},
    "chaplygin-sleigh ": {"v": -2.0},
    "rattleback": {"w3": 5.0},
    "rattleback ": {"w3": -5.0},
    "lagrange-top": {"w3": 20.0},
    "routh-sphere": {"w3": 10.0},
    "whipple-bicycle": {"v": 5.0},
    "whipple-bicycle ": {"v": 3.0},
}


def judged(system: Any, at: dict[str, float], parameters: dict[str, float]) -> Any:
    found = nh.stability(system, at, parameters or None)
    told = evidence(system, found, parameters)
    assert told is not None, found
    assert told.off < (0.01 if told.kind != "stays" else 1e-12), (found.verdict, told)
    return found


@pytest.mark.parametrize("name", QUICK)
def test_a_verdict_holds_along_motions(name: str) -> None:
    judged(*QUICK[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_more_verdicts_hold_along_motions(name: str) -> None:
    judged(*SLOW[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", GALLERY)
def test_verdicts_on_known_motions_of_the_gallery_hold(name: str) -> None:
    exhibit = nh.gallery.get(name.strip())
    found = nh.stability(exhibit.system, GALLERY[name], exhibit.parameters)
    told = evidence(exhibit.system, found, exhibit.parameters)
    assert told is not None and told.off < (0.01 if told.kind != "stays" else 1e-12), (found.verdict, told)


@pytest.mark.slow
@pytest.mark.parametrize("name", nh.gallery.names())
def test_every_verdict_on_what_is_found_in_the_gallery_holds(name: str) -> None:
    """Each family that `relative_equilibria` finds with few starts, judged and tried; verdicts that claim nothing are left."""
    exhibit = nh.gallery.get(name)
    if not isinstance(exhibit.system, nh.System):
        pytest.skip("a field")
    tried = 0
    try:
        listed = nh.relative_equilibria(exhibit.system, exhibit.parameters, starts=12)[:3]
    except nh.ModelError as refused:  # a kinetic energy that does not decide the accelerations
        pytest.skip(str(refused))
    for one in listed:
        found = nh.stability(exhibit.system, one)
        try:
            told = evidence(exhibit.system, found, exhibit.parameters)
        except Ended:  # where a motion cannot go on nothing is shown
            continue
        if told is None:
            continue
        tried += 1
        assert told.off < (0.01 if told.kind != "stays" else 1e-12), (str(one), found.verdict, told)
    if not tried:
        pytest.skip("no verdict that claims anything")


def test_the_evidence_can_fail() -> None:
    """A rate that is wrong by 3 %, and a stable word for an unstable place, are seen."""
    from dataclasses import replace

    right = nh.stability(plain.TRAILER, {"xdot": -1.7})
    mode = max(right.modes, key=lambda m: m.rate)
    wrong = replace(right, modes=(replace(mode, eigenvalue=mode.eigenvalue * 1.03),))
    told = evidence(plain.TRAILER, wrong)
    assert told is not None and told.off > 0.02
    lying, slow = (nh.stability(plain.HOOP, {"q": 0.0}, {"Omega": speed}) for speed in (6.0, 4.0))
    lied = evidence(plain.HOOP, replace(lying, verdict="orbitally stable", modes=slow.modes))
    assert lied is not None and lied.off > 1
