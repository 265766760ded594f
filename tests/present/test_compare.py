"""Methods compared, and potentials: slopes, roots and extrema against closed forms."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.present.figures.comparison_plot import compare_methods
from nonholo.present.figures.reduction_plot import plot_potential, potential_figure
from tests.present.test_interactive import closed_sleigh

SLEIGH = gallery.get("chaplygin-sleigh")
SPRING = nh.System("spring", coordinates="q", lagrangian="(qdot**2 - q**2)/2")


def test_drift_of_rk4_on_a_spring_is_that_of_its_stability_function() -> None:
    """|R(ih)|² = 1 − h⁶/72 + h⁸/576 for the classical method."""
    h, until = 0.25, 20.0
    found = compare_methods(SPRING, {"q": 1.0}, until=until, methods=("dop853", ("rk4", {"step": h})), t_eval=81)
    t, drift = found.curves["rk4 (step = 0.25)"]
    factor = 1 - h**6 / 72 + h**8 / 576
    assert np.allclose(drift[1:], 1 - factor ** (t[1:] / h), rtol=1e-6)
    assert np.max(found.curves["dop853"][1]) < 1e-7
    assert found.axes.get_yscale() == "log"


def test_work_and_precision_show_the_order_of_the_method() -> None:
    omega, v = closed_sleigh(np.array([3.0]))
    reference = {"omega": float(omega[0]), "v": float(v[0])}
    found = compare_methods(SLEIGH, until=3.0, methods=("dop853", "rk4"), kind="work", reference=reference)
    calls, errors = found.curves["rk4"]
    good = (errors < 1e-4) & (errors > 1e-11)
    slope = np.polyfit(np.log(calls[good]), np.log(errors[good]), 1)[0]
    assert slope == pytest.approx(-4, abs=0.25)
    calls, errors = found.curves["dop853"]
    assert np.all(np.diff(calls) >= 0) and errors[-1] < 1e-10
    assert found.axes.get_xlabel() == "evaluations of the equations"


def test_without_a_reference_a_sharp_motion_is_the_reference() -> None:
    found = compare_methods(SPRING, {"q": 1.0}, until=5.0, methods=("rk4",), kind="work")
    calls, errors = found.curves["rk4"]
    exact = []
    for count in calls / 4:
        h = 5.0 / round(count)
        z = 1j * h
        end = (1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24) ** round(count)
        exact.append(max(abs(end.real - np.cos(5.0)), abs(end.imag - np.sin(5.0))) / np.sin(-5.0))
    some = np.array(exact) > 1e-9
    assert np.allclose(errors[some], np.array(exact)[some], rtol=1e-3)


def test_bad_comparisons_are_refused() -> None:
    with pytest.raises(nh.StateError, match='choose "drift" or "work"'):
        compare_methods(SPRING, {"q": 1.0}, until=1.0, kind="beauty")
    with pytest.raises(nh.StateError, match="no methods"):
        compare_methods(SPRING, {"q": 1.0}, until=1.0, methods=())


def test_a_double_well_has_its_extrema_and_turning_points() -> None:
    """U = r⁴/4 − r²/2: minima ±1 at −1/4, a maximum 0 at 0; U = E at r² = 1 ± sqrt(1 + 4E)."""
    energy = -0.1
    found = potential_figure(np.linspace(-1.7, 1.8, 201), lambda r: r**4 / 4 - r**2 / 2, energy, label="r", unit="m")
    assert np.allclose(found.minima, [(-1, -0.25), (1, -0.25)], atol=1e-7)
    assert np.allclose(found.maxima, [(0, 0)], atol=1e-7)
    inner, outer = np.sqrt(1 - np.sqrt(1 + 4 * energy)), np.sqrt(1 + np.sqrt(1 + 4 * energy))
    assert found.turning == pytest.approx((-outer, -inner, inner, outer), abs=1e-10)
    assert found.axes.get_xlabel() == "$r$ [m]"
    marks = {line.get_label(): line for line in found.axes.lines}
    assert marks["minimum"].get_markerfacecolor() != "white" and marks["maximum"].get_markerfacecolor() == "white"


def test_values_alone_are_enough() -> None:
    r = np.linspace(0.4, 3.0, 400)
    found = potential_figure(r, 0.5 / r**2 - 1 / r)
    assert np.allclose(found.minima, [(1.0, -0.5)], atol=1e-6)


def test_a_wall_does_not_squeeze_what_matters() -> None:
    r = np.linspace(1e-3, 3.0, 900)
    found = potential_figure(r, lambda r: 0.5 / r**2 - 1 / r, -0.3)
    low, high = found.axes.get_ylim()
    assert low < -0.5 and high < 1.0


def test_a_reduction_gives_its_potential_by_name(tmp_path: Any) -> None:
    """Kepler: Ū = J²/(2 m r²) − k/r has its minimum at r = J²/(m k)."""
    system = nh.System("Kepler", coordinates="r", parameters="m k", lagrangian="m*rdot**2/2 + k/r")
    reduction = SimpleNamespace(
        shape=SimpleNamespace(names=("r",)), system=system, potential=lambda J: f"{J}**2/(2*m*r**2) - k/r"
    )
    found = plot_potential(reduction, 1.4, {"m": 0.8, "k": 2.0}, r=(0.2, 5.0), energy=-0.5, path=tmp_path / "u.svg")
    assert np.allclose(found.minima, [(1.4**2 / 1.6, -0.8 * 4 / (2 * 1.4**2))], atol=1e-6)
    roots = np.roots([-0.5, 2.0, -(1.4**2) / 1.6])  # E r² + k r − J²/2m = 0
    assert sorted(found.turning) == pytest.approx(sorted(roots.real), abs=1e-9)
    assert (tmp_path / "u.svg").stat().st_size > 1000
    with pytest.raises(nh.StateError, match="'k' has no value"):
        plot_potential(reduction, 1.4, {"m": 0.8}, r=(0.2, 5.0))
    with pytest.raises(nh.StateError, match=r"Give r=\(low, high\)"):
        plot_potential(reduction, 1.4, {"m": 0.8, "k": 2.0})


def test_a_real_reduction_draws_keplers_potential() -> None:
    """Ū = J²/(2 m r²) − k/r with J = m r² φ̇ of the start: level at r = J²/(m k)."""
    from nonholo.symmetry.reduction.reduce import reduce

    point = nh.System(
        "Kepler", coordinates="r phi", parameters="m k", lagrangian="m/2*(rdot**2 + r**2*phidot**2) + k/r",
        symmetry=nh.Symmetry({"turn": {"phi": "1"}}),
    )  # fmt: skip
    m, k, r0, rate = 0.8, 2.0, 1.1, 1.3
    momentum = m * r0**2 * rate
    values = {"m": m, "k": k}
    reduction = reduce(point)
    found = plot_potential(reduction.potential({"r": r0, "phidot": rate}, values, reach=(0.2, 9.0)), r=(0.25, 6.0))
    assert np.allclose(found.potential, momentum**2 / (2 * m * found.r**2) - k / found.r, rtol=1e-8, atol=1e-9)
    assert np.allclose(found.minima, [(momentum**2 / (m * k), -m * k**2 / (2 * momentum**2))], atol=1e-6)
