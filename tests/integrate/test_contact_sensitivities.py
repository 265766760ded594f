"""Sensitivities through changes of mode: closed forms, and differences of motions that know nothing of tangents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.integrate.test_contact_impacts import rod
from tests.integrate.test_contact_modes import G, disk, spinning_ball

STEP = 1e-3


def differences(
    system: nh.System, start: dict[str, float], until: float, values: dict[str, float], name: str, what: list[str]
) -> Any:
    """The derivative of final quantities by one number, by differences of order six of whole motions."""

    def final(shift: float) -> Any:
        own, fixed = dict(start), dict(values)
        table = own if name in own else fixed
        table[name] += shift * STEP * max(abs(table[name]), 0.1)
        run = nh.simulate(system, own, until, fixed, t_eval="end", rtol=1e-13, atol=1e-15)
        return np.array([run.final[n] for n in what])

    size = STEP * max(abs(start.get(name, values.get(name, 0.0))), 0.1)
    parts = [final(k) - final(-k) for k in (1, 2, 3)]
    return (45 * parts[0] - 9 * parts[1] + parts[2]) / (60 * size)


def compared(
    system: nh.System, start: dict[str, float], until: float, values: dict[str, float], names: list[str], what: list[str],
    least: int = 1,
) -> None:  # fmt: skip
    run = nh.simulate(system, start, until, values, t_eval=3, sensitivity=names)
    assert run.outcome.reached and len(run.modes) >= least, str(run.modes)
    for name in names:
        expected = differences(system, start, until, values, name, what)
        found = run.sensitivity.sel(with_respect_to=name, quantity=what).values[-1]
        assert np.allclose(found, expected, rtol=2e-8, atol=2e-8 * (1 + np.max(np.abs(expected)))), (name, found, expected)


def test_a_thrown_ball_has_the_derivatives_of_its_closed_form() -> None:
    """x = v T − μ g T²/2 + v/(1 + k)(t − T) with T = k v/((1 + k) μ g), differentiated by hand."""
    v, k, mu, until = 8.1, 0.4, 0.19, 3.0
    run = nh.simulate(disk(), {"xdot": v}, until, t_eval=4, sensitivity=["mu", "xdot", "m"], events=["x - 11"])
    x = run.sensitivity.sel(quantity="x")[-1]
    share = k / (1 + k)
    # x = v t/(1 + k) + (v²/(μ g)) share²/2
    assert abs(float(x.sel(with_respect_to="mu")) + v**2 / (mu**2 * G) * share**2 / 2) < 1e-9
    assert abs(float(x.sel(with_respect_to="xdot")) - until / (1 + k) - v / (mu * G) * share**2) < 1e-9
    assert abs(float(x.sel(with_respect_to="m"))) < 1e-9
    lost = run.sensitivity.sel(quantity="dissipated_floor")[-1]
    assert abs(float(lost.sel(with_respect_to="xdot")) - 1.3 * v * share) < 1e-9
    # at the event x stands still: dt = −x_μ / ẋ
    (moved,) = run.event_sensitivity["x - 11"].time.sel(with_respect_to="mu").values
    assert abs(moved - v**2 / (mu**2 * G) * share**2 / 2 / (v / (1 + k))) < 1e-9


def test_slip_in_the_plane_dies_and_the_derivatives_go_on() -> None:
    start = {"xdot": 3.1, "ydot": 1.7, "w1": 13.0, "w2": -21.0, "w3": 7.0}
    run = nh.simulate(spinning_ball(), start, 2.0, t_eval=3, sensitivity=["mu", "w1", "xdot", "k"])
    v, w, r, k = np.array([3.1, 1.7]), np.array([13.0, -21.0]), 0.11, 0.37
    speed = run.sensitivity.sel(quantity=["xdot", "ydot"])[-1]
    assert np.allclose(speed.sel(with_respect_to="mu"), 0, rtol=0, atol=1e-7)
    assert np.allclose(speed.sel(with_respect_to="w1"), [0, -k * r / (1 + k)], rtol=0, atol=1e-7)
    assert np.allclose(speed.sel(with_respect_to="xdot"), [1 / (1 + k), 0], rtol=0, atol=1e-7)
    turned = r * np.array([w[1], -w[0]])
    assert np.allclose(speed.sel(with_respect_to="k"), (turned - v) / (1 + k) ** 2, rtol=0, atol=1e-7)


CASES: dict[str, Any] = {
    "a wheel that is driven out of its cone and back": (
        nh.System(
            name="driven", coordinates="x z phi", parameters={"mu": 0.23, "T": 0.6},
            lagrangian="0.65*(xdot**2 + zdot**2) + 0.003*phidot**2 - 12.753*z", forces={"phi": "T*sin(2.5*t)"},
            contacts=[{"name": "floor", "gap": "z - 0.11", "slip": ["xdot - 0.11*phidot"], "friction": "mu", "slips": True}],
        ), {"xdot": 0.1, "phidot": 0.1 / 0.11}, 2.4, {"mu": 0.23, "T": 0.9}, ["mu", "T"], ["x", "xdot", "dissipated_floor"], 2,
    ),
    "a belt that moves, sticks and slips": (
        nh.System(
            name="belt", coordinates="x", parameters={"v": 0.3, "s": 0.61, "k": 0.35, "c": 31.0},
            lagrangian="2.1/2*xdot**2 - c/2*x**2",
            contacts=[{
                "name": "belt", "slip": ["xdot - v*(1 + 0.2*sin(3*t))"], "load": 2.1 * G, "slips": True,
                "friction": {"static": "s", "kinetic": "k"},
            }],
        ), {"x": 0.1, "xdot": 0.05}, 5.0, {"v": 0.3, "s": 0.61, "k": 0.35, "c": 31.0}, ["v", "s", "k", "x"],
        ["x", "xdot", "work_belt"], 3,
    ),
    "a bead that leaves a hill": (
        nh.System(
            name="bead", coordinates="x z", parameters={"a": 0.25}, lagrangian="(xdot**2 + zdot**2)/2 - 9.81*z",
            contacts=[{"name": "hill", "gap": "z + a*x**4", "lifts": True}],
        ), {"xdot": 2.1}, 0.9, {"a": 0.25}, ["a", "xdot"], ["x", "z", "zdot"], 1,
    ),
    "a rod that hits by Newton's law": (
        rod(), {"th": 0.8, "z": 1.0, "thdot": -1.0, "xdot": 1.5}, 0.6, {"mu": 0.25, "e": 0.4}, ["e", "mu", "th", "xdot"],
        ["x", "z", "thdot", "dissipated_tip"], 1,
    ),
    "a rod that hits by Poisson's law": (
        rod(impact="poisson"), {"th": 0.9, "z": 1.3, "thdot": 0.4, "xdot": -0.4}, 0.4, {"mu": 0.3, "e": 0.5},
        ["e", "mu", "thdot"], ["x", "z", "thdot", "dissipated_tip"], 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_tangents_cross_modes_as_differences_of_motions_do(case: str) -> None:
    compared(*CASES[case])


def test_contacts_that_change_at_once_have_no_derivative() -> None:
    cart = nh.System(
        name="cart", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2",
        contacts=[
            {"name": n, "slip": [f"{n}dot"], "load": 10, "friction": 0.2, "slips": True} for n in "xy"
        ],
    )  # fmt: skip
    with pytest.raises(nh.NonholoError, match="several contacts change at once"):
        nh.simulate(cart, {"xdot": 1.0, "ydot": 1.0}, 2.0, sensitivity=["xdot"])


def test_a_start_that_rolls_is_changed_by_the_impulse_that_stops_its_slip() -> None:
    """Pushed off rolling by a little, the wheel rolls on at the speed that keeps its angular momentum about the contact."""
    run = nh.simulate(disk(), {"xdot": 1.1, "phidot": 10.0}, 1.0, t_eval=2, sensitivity=["xdot", "phidot"])
    speed = run.sensitivity.sel(quantity="xdot").values[-1]
    assert np.allclose(speed, [1 / 1.4, 0.4 * 0.11 / 1.4], rtol=0, atol=1e-9)
