"""Names that clash are refused, or kept apart; two arrays of one name are never mixed."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh


def point(**words: object) -> nh.System:
    given = {"name": "point", "coordinates": "x", "lagrangian": "xdot**2/2 - x**2/2", **words}
    return nh.System(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["energy", "member", "time", "outcome", "end_time", "work", "advice", "occurrence"])
def test_a_coordinate_with_the_name_of_a_result_is_refused(name: str) -> None:
    with pytest.raises(nh.ModelError, match=f"point: the name '{name}' stands for .* in every result; rename it"):
        point(coordinates=f"x {name}", lagrangian=f"xdot**2/2 + {name}dot**2/2")


@pytest.mark.parametrize("words", [
    {"quasivelocities": {"energy": "xdot"}}, {"inputs": "energy"}, {"parametric": ("energy", {"xdot": "energy"})},
])  # fmt: skip
def test_so_is_every_other_name_of_something_that_moves(words: dict[str, object]) -> None:
    with pytest.raises(nh.ModelError, match="'energy' stands for the energy"):
        point(**words)


def test_a_parameter_is_no_array_and_may_be_called_energy() -> None:
    system = point(parameters={"energy": 2.0}, lagrangian="xdot**2/2 - energy*x**2/2")
    run = nh.simulate(system, {"x": 1.0}, 1.0)
    assert np.allclose(run["energy"], 1.0)


def test_a_coordinate_that_looks_like_the_end_of_another_is_refused() -> None:
    with pytest.raises(nh.ModelError, match="'final_x' is what an ensemble calls a value of 'x'"):
        point(coordinates="x final_x", lagrangian="xdot**2/2 + final_xdot**2/2")
