"""What loads without a word and should not: letters that look alike, numbers that vanish, constraints said twice, long files."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.model.files.toml_files import loads
from tests.counted import lines


@pytest.mark.parametrize("pair", ["x \u0445", "a \u0430", "o \u03bf", "\u0441 c"])
def test_two_names_that_look_alike_are_refused(pair: str) -> None:
    one, two = pair.split()
    with pytest.raises(nh.ModelError, match=r"look alike, but the (first|second) has (CYRILLIC|GREEK) SMALL LETTER"):
        nh.System(coordinates=pair, lagrangian=f"{one}dot**2/2 + {two}dot**2/2")


def test_a_parameter_that_looks_like_a_coordinate_is_refused() -> None:
    with pytest.raises(nh.ModelError, match="look alike"):
        nh.System(coordinates="x", parameters={"\u0445": 1.0}, lagrangian="xdot**2/2")


def test_greek_names_are_welcome() -> None:
    system = nh.System(coordinates="θ φ", lagrangian="θdot**2/2 + φdot**2/2")
    assert len(system.coordinates) == 2


@pytest.mark.parametrize("text", ["(1e-200*x)**2", "1e-200**2", "1e-200*x*1e-200", "1e-300*1e-300 + x"])
def test_numbers_that_vanish_are_refused(text: str) -> None:
    with pytest.raises(nh.ParseError, match="too small to be told from 0"):
        nh.System(coordinates="x", lagrangian=f"xdot**2/2 - ({text})")


def test_zeros_that_are_meant_stay() -> None:
    system = nh.System(coordinates="x", lagrangian="xdot**2/2 + (0*x)**2 + 0.0*x + 1e-150*x**2")
    assert "x" in {str(s) for s in system.lagrangian.free_symbols}


def test_a_file_with_very_many_parameters_is_read_with_work_that_grows_like_its_length() -> None:
    def work(count: int) -> int:
        values = "\n".join(f"p{i} = {i}" for i in range(count))
        return lines(lambda: loads(f'coordinates = "x"\nlagrangian = "xdot**2/2"\n[parameters]\n{values}'))

    work(100)
    assert work(2_000) < 6 * work(500)


@pytest.mark.parametrize("twice", [["xdot - ydot", "xdot - ydot"], ["x*xdot - ydot", "ydot - xdot*x"]])
def test_a_constraint_that_is_said_twice_is_refused(twice: list[str]) -> None:
    with pytest.raises(nh.ModelError, match="constraint 2 says the same as constraint 1; remove one"):
        nh.System(coordinates="x y", lagrangian="xdot**2/2 + ydot**2/2", constraints=twice)
