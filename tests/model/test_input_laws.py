"""What the inputs of a system do, as part of the system and of its file."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.errors import FileError
from nonholo.model.files.toml_files import dumps, loads
from nonholo.model.system import varied, with_inputs, without_laws


def cart(**words) -> nh.System:
    given = {"inputs": {"u": "k*sin(2*t) - 0.7*xdot", "w": 0.5}, **words}
    return nh.System(
        name="cart", coordinates="x", lagrangian="m*xdot**2/2 - x**2", parameters={"m": 1.7, "k": 1.3},
        forces={"x": "u + w*x"}, start={"x": 0.2}, **given,
    )  # fmt: skip


def by_hand(t: float, u, w) -> np.ndarray:
    """``m ẍ = -2 x + u + w x`` by SciPy."""

    def rates(t, y):
        return [y[1], (-2 * y[0] + u(t, y) + w * y[0]) / 1.7]

    return solve_ivp(rates, (0, t), [0.2, 0.0], rtol=1e-11, atol=1e-12).y[:, -1]


def test_a_motion_follows_the_systems_own_laws() -> None:
    final = nh.simulate(cart(), until=2.0, rtol=1e-11, progress=False).final
    wanted = by_hand(2.0, lambda t, y: 1.3 * np.sin(2 * t) - 0.7 * y[1], 0.5)
    assert [final["x"], final["xdot"]] == pytest.approx(wanted, rel=1e-8)


def test_what_is_given_later_replaces_them_one_by_one() -> None:
    final = nh.simulate(cart(), until=2.0, inputs={"u": lambda t: t**2}, rtol=1e-11, progress=False).final
    assert [final["x"], final["xdot"]] == pytest.approx(by_hand(2.0, lambda t, y: t**2, 0.5), rel=1e-8)
    many = nh.ensemble(cart(), {"x": [0.2, 0.2]}, 2.0, inputs={"w": -0.4}, rtol=1e-11)
    wanted = by_hand(2.0, lambda t, y: 1.3 * np.sin(2 * t) - 0.7 * y[1], -0.4)
    assert many["final_x"].values == pytest.approx(wanted[0], rel=1e-8)


@pytest.mark.parametrize("words", [{}, {"inputs": {"u": "t", "w": None}}, {"inputs": "u w"}])
def test_a_file_gives_back_the_laws(words) -> None:
    system = cart(**words)
    assert loads(dumps(system)) == system
    assert ("[inputs]" in dumps(system)) == any(law is not None for law in system.inputs.values())


def test_a_motion_remembers_what_its_inputs_did_where_it_can_be_written() -> None:
    run = nh.simulate(cart(inputs="u w"), until=1.0, inputs={"u": "cos(t)", "w": 0.25}, progress=False)
    assert run.system == cart(inputs={"u": "cos(t)", "w": 0.25}, until=1.0)
    half = with_inputs(cart(inputs="u w"), {"u": lambda t: t, "w": 1})
    assert dict(half.inputs) == {"u": None, "w": 1.0}


def test_wrong_laws_are_refused_with_a_word() -> None:
    with pytest.raises(nh.NonholoError, match="input u: unknown name 'q'"):
        cart(inputs={"u": "q*t", "w": 0})
    with pytest.raises(nh.NonholoError, match="unknown name 'w'"):
        cart(inputs={"u": "w", "w": 0})
    with pytest.raises(FileError, match="signals"):
        loads("signals = 3\n" + dumps(cart()))
    assert varied(cart(), inputs={"u": "1", "w": 2}).inputs["w"] == 2.0


def test_names_alone_keep_laws_and_a_table_replaces_them() -> None:
    assert varied(cart(), inputs="w u").inputs == {"w": 0.5, "u": cart().inputs["u"]}
    assert dict(without_laws(cart()).inputs) == {"u": None, "w": None}
    assert cart(inputs={"u": None, "w": None}) != cart(inputs={"w": None, "u": None})
