"""Rolling bodies in words against hand-written systems of the gallery: accelerations and forces at random states, to 1e-11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads
from tests.machines import newton_euler as ne
from tests.machines.machine_states import contact_pushes
from tests.machines.test_contact_on_surfaces import MATRIX, SURFACES, centre

WITHIN = 1e-11
RATES = ("w1", "w2", "w3")
PLANE: dict[str, tuple[str, dict[str, str], str, dict[str, float]]] = {
    "Chaplygin sphere": (
        "chaplygin-sphere", {}, 'inertia = ["J1", "J2", "J3"], shape = {kind = "ball", radius = "r"}',
        {"r": 0.3, "J1": 0.02, "J2": 0.03, "J3": 0.04},
    ),
    "Routh sphere": (
        "routh-sphere", {},
        'inertia = ["A", "A", "C"], shape = {kind = "ball", radius = "r", offset = [0, 0, "a"]}, center = [0, 0, 0]',
        {"r": 0.3, "a": 0.06, "A": 0.03, "C": 0.04},
    ),
    "disk": (
        "rolling-disk", {}, 'inertia = ["A", "A", "B"], shape = {kind = "disk", radius = "r", axis = "z"}',
        {"r": 0.3, "A": 0.02, "B": 0.03},
    ),
    "torus": (
        "rolling-body", {"profile": "wheel"},
        'inertia = ["J1", "J1", "J3"], shape = {kind = "wheel", radius = "p + b", tube = "b", axis = "z"}',
        {"p": 0.3, "b": 0.04, "J1": 0.02, "J3": 0.03},
    ),
}  # fmt: skip


def body_in_words(body: str, values: dict[str, float], more: str = "") -> nh.System:
    numbers = "\n".join(f"{n} = {e!r}" for n, e in values.items())
    bodies = f'bodies = [{{name = "b", mass = "m", {body}}}]\ncontacts = [{{body = "b"}}]'
    return loads(f'name = "body"\n{bodies}\n{more}\n[parameters]\n{numbers}')


def completed(system: nh.System, turned: Any, spin: Any, place: dict[str, float]) -> dict[str, float]:
    """The state with this rotation and angular velocity in body axes; the rest follows from contact and rolling."""
    start: dict[str, Any] = {**dict(zip(MATRIX, turned.reshape(-1).tolist())), **dict(zip(RATES, spin.tolist())), **place}
    return nh.complete_state(system, start)


@pytest.mark.parametrize("case", PLANE)
def test_on_a_plane(case: str) -> None:
    """The multipliers of ``ẋ + … = 0`` and ``ẏ + … = 0`` are the tangential force; the normal one is Newton's, m (g + z̈)."""
    entry, options, body, own = PLANE[case]
    values = {"m": 0.7, "g": 9.81, **own}
    hand = nh.gallery.get(entry, **options).system
    theirs = {n: values[n] for n in hand.parameters}
    machine = body_in_words(body, values)
    ours = nh.hamel(machine)
    rng = np.random.default_rng(5)
    for _ in range(2):
        turned, spin = ne.rotation(rng), 2 * rng.normal(size=3)
        there = nh.complete_state(hand, {**dict(zip(MATRIX, turned.reshape(-1))), **dict(zip(RATES, spin))}, theirs)
        expected = nh.hamel(hand).rates(there, theirs)
        here = completed(machine, turned, spin, {"z": "~0.3"})  # type: ignore[dict-item]
        found = ours.rates(here, values)
        compared = [*RATES, "xdot", "ydot"]
        size = max(1.0, *(abs(expected[n]) for n in compared))
        assert max(abs(found[n] - expected[n]) for n in compared) < WITHIN * size
        push = contact_pushes(machine, here)["b"]
        held = nh.reactions(hand).at(there, theirs)
        wanted = [held["lambda1"], held["lambda2"], 0.7 * (9.81 + found["zdot"])]
        assert np.max(np.abs(push - wanted)) < WITHIN * max(9.81, *map(abs, wanted))


@pytest.mark.parametrize("case", [pytest.param(n, marks=pytest.mark.slow) if n == "paraboloid" else n for n in SURFACES])
def test_balls_on_surfaces(case: str) -> None:
    """Multipliers are forces along the meridian η and around the axis τ, on the sphere along x, y and z."""
    build, ground, own = SURFACES[case]
    hand = build().system
    values = {"m": 0.2, "J": 0.0003, "rho": 0.05, "g": 9.81, **own}
    theirs = {n: e for n, e in values.items() if n in hand.parameters}
    words = ", ".join(f"{k} = {str(e).lower() if isinstance(e, bool) else repr(e)}" for k, e in ground.items())
    rng = np.random.default_rng(4)
    turned, spin, angle = ne.rotation(rng), 3 * rng.normal(size=3), rng.uniform(-3, 3)
    place = centre(case, own, angle)
    near = dict(zip("xyz", place.tolist()))
    machine = body_in_words(
        'inertia = ["J", "J", "J"], shape = {kind = "ball", radius = 0.05}', {"m": 0.2, "J": 0.0003, "g": 9.81},
        f"ground = {{{words}}}\nstart = {{{', '.join(f'{n} = {e!r}' for n, e in near.items())}}}",
    )  # fmt: skip
    there = {"s": own["s"], "theta": angle} if "s" in own else near
    there = {**dict(zip(MATRIX, turned.reshape(-1))), **there, **dict(zip(("nu1", "nu2", "nu3"), spin))}
    there = nh.complete_state(hand, there, theirs)
    here = completed(machine, turned, turned.T @ spin, near)
    one, two = nh.hamel(hand).rates(there, theirs), nh.hamel(machine).rates(here, {"m": 0.2, "J": 0.0003, "g": 9.81})
    second = [ne.hat([one[f"nu{k}"] for k in (1, 2, 3)]), turned @ ne.hat([two[w] for w in RATES]) @ turned.T]
    assert np.max(np.abs(second[0] - second[1])) < WITHIN * max(1.0, np.max(np.abs(second[0])))
    held = nh.reactions(hand).at(there, theirs)
    push = contact_pushes(machine, here)["b"]
    if "s" in own:
        ways = _meridian(case, own, angle)
        wanted, found = np.array([held["lambda1"], held["lambda2"]]), np.array([way @ push for way in ways])
    else:
        wanted, found = np.array([held[f"lambda{k}"] for k in (1, 2, 3)]), push
    assert np.max(np.abs(found - wanted)) < WITHIN * max(1.0, np.max(np.abs(wanted)))


def _meridian(case: str, own: dict[str, float], angle: float) -> tuple[Any, Any]:
    """The unit vectors along the curve of the centre and around the axis."""
    step: Callable[[float], Any] = lambda h: centre(case, {**own, "s": own["s"] + h}, angle)  # noqa: E731
    difference = (8 * (step(1e-3) - step(-1e-3)) - (step(2e-3) - step(-2e-3))) / 12
    if case == "paraboloid":  # the parallel curve has the meridian's own direction
        steep = own["k"] * own["s"]
        difference = np.array([np.cos(angle), np.sin(angle), steep])
    return ne.unit(difference), np.array([-np.sin(angle), np.cos(angle), 0.0])


def test_a_torus_tends_to_the_thin_disk_in_words() -> None:
    """Accelerations and forces differ by O(tube), and not at all for tube = 0."""
    rng = np.random.default_rng(9)
    turned, spin = ne.turn([0.3, 1, 0.2], 0.7), rng.normal(size=3)
    values = {"m": 0.7, "g": 9.81}
    found = []
    for shape in ('kind = "disk"', *(f'kind = "wheel", tube = {q}' for q in (1e-3, 1e-5, 0.0))):
        machine = body_in_words(f"inertia = [0.02, 0.03, 0.02], shape = {{{shape}, radius = 0.3}}", values)
        state = completed(machine, turned, spin, {"z": "~0.3"})  # type: ignore[dict-item]
        rates = nh.hamel(machine).rates(state, values)
        found.append(np.array([*(rates[n] for n in (*RATES, "xdot", "ydot", "zdot")), *contact_pushes(machine, state)["b"]]))
    gaps = [np.max(np.abs(one - found[0])) for one in found[1:]]
    assert gaps[2] < WITHIN * np.max(np.abs(found[0]))
    assert 90 < gaps[0] / gaps[1] < 110
