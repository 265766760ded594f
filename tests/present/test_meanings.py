"""Words on the sliders of a page: a usual word is used only where it stands for one name."""

from __future__ import annotations

import nonholo as nh
from nonholo.present.style.meanings import meaning_of

ARM = nh.System(
    coordinates="a b s", parameters={"m": 1.0, "k": 2.0}, lagrangian="m*(adot**2 + bdot**2 + sdot**2)/2 - k*s**2/2",
    units={"a": "rad", "b": "rad", "s": "m", "m": "kg", "k": "N/m"},
)  # fmt: skip


def test_a_word_that_fits_two_names_carries_the_name() -> None:
    assert [meaning_of(ARM, n) for n in ("a", "b", "s", "m", "k")] == ["angle a", "angle b", "position", "mass", "stiffness"]


def test_every_number_of_the_bicycle_has_a_meaning_of_its_own() -> None:
    system = nh.gallery.get("whipple-bicycle").system
    told = {n: meaning_of(system, n) for n in (*system.coordinates, *system.parameters)}
    assert all(told.values()) and told["delta"] == "steering angle" and told["wf"] == "rotation of the front wheel"
    assert len(set(told.values())) >= len(told) - 1  # x and y are one contact point
