"""What a motion remembers of where it came from: the system it holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.integrate.results.resampling import denser


@pytest.fixture(scope="module")
def driven() -> nh.Trajectory:
    racer = gallery.get("roller-racer")
    return nh.simulate(racer.system, racer.start, 2.0, racer.parameters, inputs=racer.inputs, t_eval=21, progress=False)


def test_a_driven_motion_holds_its_system_with_drawing_inputs_and_numbers(driven: nh.Trajectory) -> None:
    racer = gallery.get("roller-racer")
    assert driven.system is not None and driven.system.drawing == racer.drawing
    assert driven.system.inputs == racer.system.inputs and driven.system.until == 2.0
    again = nh.simulate(driven.system, t_eval=21, progress=False)
    assert again.final == driven.final


def test_a_saved_motion_reads_back_with_its_system(driven: nh.Trajectory, tmp_path: Path) -> None:
    driven.save(tmp_path / "run.nc")
    assert nh.open(tmp_path / "run.nc").system == driven.system
    assert "system_text" not in driven.data.attrs, "text is made when a file is saved"


def test_a_driven_motion_is_the_same_at_more_moments(driven: nh.Trajectory) -> None:
    finer = denser(driven, 100)
    assert finer is not None and len(finer["t"]) == 101
    assert np.max(np.abs(finer["phi"][::5] - driven["phi"])) < 1e-7


def test_a_motion_driven_by_a_function_is_not_computed_again() -> None:
    cart = gallery.get("unicycle")
    inputs = {"drive": lambda t: 0.1, "steer": lambda t: 0.2}
    run = nh.simulate(cart.system, cart.start, 1.0, cart.parameters, inputs=inputs, t_eval=5, progress=False)
    assert run.system is not None and run.system.drawing == cart.drawing
    assert denser(run, 40) is None
