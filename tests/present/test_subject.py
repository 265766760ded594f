"""What a motion remembers of where it came from."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.present.denser import denser
from nonholo.present.subject import exhibit_of, system_of


@pytest.fixture(scope="module")
def driven() -> nh.Trajectory:
    racer = gallery.get("roller-racer")
    return nh.simulate(racer.system, racer.start, 2.0, racer.parameters, inputs=racer.inputs, t_eval=21, progress=False)


def test_a_driven_motion_knows_its_exhibit_and_its_inputs(driven: nh.Trajectory) -> None:
    racer, system, found = gallery.get("roller-racer"), system_of(driven), exhibit_of(driven)
    assert found is not None and found.name == "roller-racer"
    assert system is not None and list(system.signals) == list(racer.inputs)


def test_a_driven_motion_is_the_same_at_more_moments(driven: nh.Trajectory) -> None:
    finer = denser(driven, system_of(driven), 100)
    assert finer is not None and len(finer["t"]) == 101
    assert np.max(np.abs(finer["phi"][::5] - driven["phi"])) < 1e-7


def test_a_motion_driven_by_a_function_is_not_computed_again() -> None:
    cart = gallery.get("unicycle")
    inputs = {"drive": lambda t: 0.1, "steer": 0.2}
    run = nh.simulate(cart.system, cart.start, 1.0, cart.parameters, inputs=inputs, t_eval=5, progress=False)
    assert denser(run, system_of(run), 40) is None
    found = exhibit_of(run)
    assert found is not None and found.name == "unicycle"
