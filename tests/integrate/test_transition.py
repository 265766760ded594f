"""Motions through states where the constraints lose their rank: the outcome says that what comes next is not unique."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest

import nonholo as nh
from nonholo.gallery.rigid_parallel_points import segment
from nonholo.model.velocities.constraint_rank import rank_loss

MACHINE = nh.System(
    name="Appell's machine", coordinates="x y z", parameters={"m": 1.3, "g": 9.81, "k": 0.7},
    lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z", constraints=["zdot**2 - k**2*(xdot**2 + ydot**2)"],
)  # fmt: skip
CLIMB = {"xdot": 1.0, "ydot": 0.5, "zdot": 0.7 * sqrt(1.25)}
REST = CLIMB["zdot"] * (1 + 1 / 0.49) / 9.81
"""z̈ = −g k²/(1 + k²) while it climbs straight on."""
WORDS = "not unique"


def when(run: nh.Trajectory) -> float:
    return float(str(run.outcome).split("At t = ")[1].split(" ")[0])


OPTIONS = ({}, {"t_eval": "end"}, {"method": "rk4", "step": 0.01}, {"form": "multipliers"}, {"rtol": 1e-5})


@pytest.mark.parametrize("options", OPTIONS)
def test_appells_machine_through_rest_goes_on_in_one_of_several_ways(options: dict) -> None:
    """Hamel 1938: at rest the constraint has no slope."""
    run = nh.simulate(MACHINE, CLIMB, 0.9, **options)
    assert run.outcome.reached and WORDS in str(run.outcome)
    assert when(run) == pytest.approx(REST, abs=1e-6)
    assert not run.events


def test_motions_beside_rest_are_not_suspected() -> None:
    assert str(nh.simulate(MACHINE, {**CLIMB, "zdot": -CLIMB["zdot"]}, 0.9).outcome) == "reached"
    field = nh.System(
        coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - x - y/3", constraints=["zdot**2 - xdot**2 - ydot**2"]
    )
    run = nh.simulate(field, {"xdot": 1.0, "ydot": -0.2, "zdot": sqrt(1.04)}, 3.0)
    assert np.min(run["xdot"]) < 0 < np.max(run["xdot"])  # turns round, but with speed across
    assert str(run.outcome) == "reached"


def test_a_product_of_constraints_passes_its_transitional_state() -> None:
    """Benenti 2008 (60): τ φ̇ = 0 with φ̇ = 0 comes to τ = 0 at −τ₀/(g cos φ)."""
    values = {"m1": 1.2, "m2": 0.7, "l": 0.9, "g": 1.4}
    run = nh.simulate(segment("both, (60)"), {"phi": 0.5, "xdot": -1.5, "ydot": 0.8}, 4.0, values, events=["phidot - 1"])
    assert WORDS in str(run.outcome)
    assert when(run) == pytest.approx((1.5 * cos(0.5) - 0.8 * sin(0.5)) / (1.4 * cos(0.5)), abs=1e-7)
    assert list(run.events) == ["phidot - 1"] and list(run.event_states) == ["phidot - 1"]
    turning = {"phi": 0.5, "xdot": 0.4 * sin(0.5), "ydot": -0.4 * cos(0.5), "phidot": 1.1}
    assert str(nh.simulate(segment("both, (60)"), turning, 4.0, values).outcome) == "reached"


def test_linear_constraints_that_vanish_at_a_place() -> None:
    ray = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x", constraints=["x*ydot - y*xdot"])
    assert WORDS in str(nh.simulate(ray, {"x": 1.0, "y": 0.5, "xdot": -0.2, "ydot": -0.1}, 6.0).outcome)
    product = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x - y**2", constraints=["x*ydot"])
    run = nh.simulate(product, {"x": 1.0, "y": 0.5}, 6.0)
    assert when(run) == pytest.approx(sqrt(2), abs=1e-7)


def test_velocities_by_parameters_lose_a_direction_at_rest() -> None:
    point = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x",
        parametric=("v th", {"xdot": "v*cos(th)", "ydot": "v*sin(th)"}),
    )  # fmt: skip
    assert when(nh.simulate(point, {"v": 1.0, "th": 0.0}, 3.0)) == pytest.approx(1.0, abs=1e-7)
    assert str(nh.simulate(point, {"v": 1.0, "th": 0.3}, 3.0).outcome) == "reached"


def test_constraints_that_keep_their_rank_are_not_watched() -> None:
    for name in ("chaplygin-sleigh", "rolling-disk", "rattleback", "snakeboard", "chaplygin-sphere"):
        assert rank_loss(nh.gallery.get(name).system) is None


def test_speeds_that_degenerate_with_time_are_chosen_anew() -> None:
    """A blade that turns evenly: ẏ = ẋ tan(Wt) is no choice of speed at Wt = π/2, which steps would jump over."""
    blade = nh.System(
        coordinates="x y", parameters={"m": 1.2, "g": 1.5, "W": 0.8}, lagrangian="m*(xdot**2 + ydot**2)/2 - m*g*y",
        constraints=["xdot*sin(W*t) - ydot*cos(W*t)"],
    )  # fmt: skip
    runs = [
        nh.simulate(blade, {"xdot": 0.7}, 6.0, rtol=1e-12, atol=1e-13, t_eval=31, form=form) for form in ("hamel", "multipliers")
    ]
    assert runs[0].frames > 1 and runs[0].drift("energy") < 1e-9
    for name in ("x", "y", "xdot", "ydot"):
        assert np.max(np.abs(runs[0][name] - runs[1][name])) < 1e-9


SPEEDS = [1.0, 0.6, 1.4, 1.0]
SIGNS = [1.0, 1.0, 1.0, -1.0]
"""Three that climb and come to rest at different times, one that falls and never rests."""


def climbs() -> dict[str, list[float]]:
    return {
        "xdot": list(SPEEDS),
        "ydot": [0.5 * s for s in SPEEDS],
        "zdot": [sign * 0.7 * sqrt(1.25) * s for s, sign in zip(SPEEDS, SIGNS)],
    }


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 0.01}])
def test_members_of_an_ensemble_end_with_the_words_of_single_motions(options: dict) -> None:
    starts = climbs()
    runs = nh.ensemble(MACHINE, starts, 1.3, t_eval=5, events=["xdot - 0.3"], **options)
    expected = [REST * s if sign > 0 else np.inf for s, sign in zip(SPEEDS, SIGNS)]
    assert runs["unique_until"].values == pytest.approx(expected, abs=1e-6)
    for k in range(4):
        alone = nh.simulate(MACHINE, {n: v[k] for n, v in starts.items()}, 1.3, t_eval=5, **options)
        assert runs["outcome"].values[k] == alone.outcome.kind
        assert runs["advice"].values[k] == alone.outcome.advice
        assert alone.outcome.unique_until == runs["unique_until"].values[k]
    assert "event_1" not in runs
    few = nh.ensemble(MACHINE, {n: v[1:3] for n, v in starts.items()}, 1.3, t_eval=5, events=["xdot - 0.3"], **options)
    for name in ("z", "zdot", "final_x", "unique_until", "end_time"):
        assert few[name].values.tobytes() == runs[name].values[1:3].tobytes()


def test_products_of_constraints_in_an_ensemble() -> None:
    product = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x - y**2", constraints=["x*ydot"])
    runs = nh.ensemble(product, {"x": [1.0, 2.0, 8.0], "y": 0.5}, 3.0)
    assert runs["unique_until"].values == pytest.approx([sqrt(2), 2.0, np.inf], abs=1e-7)
    assert [WORDS in a for a in runs["advice"].values] == [True, True, False]


def test_constraints_of_constant_rank_say_nothing_about_it() -> None:
    free = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["xdot - 2*ydot"])
    assert "unique_until" not in nh.ensemble(free, {"x": [1.0, 2.0]}, 0.5)


def test_a_sweep_records_when_its_members_cease_to_be_unique(tmp_path) -> None:
    words = {
        "system": MACHINE, "start": {"xdot": 1.0, "ydot": 0.5, "zdot": 0.7 * sqrt(1.25)}, "until": 1.3,
        "grid": {"g": [9.81, 4.0, 20.0]}, "record": {"final": ["z"]}, "chunk": 2,
    }  # fmt: skip
    found = nh.sweep(words, store=tmp_path / "machine.zarr")
    expected = [REST * 9.81 / g if REST * 9.81 / g < 1.3 else np.inf for g in (9.81, 4.0, 20.0)]
    assert found["unique_until"].values == pytest.approx(expected, abs=1e-6)
