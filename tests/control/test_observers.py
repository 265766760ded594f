"""Observers: errors lie in their own bounds (NEES), the linear case is Kalman's, slips are told, constraints hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.stats import chi2

import nonholo as nh

RUNS, SAMPLES, EVERY = 16, 24, 0.05
CASES = {
    "unicycle": ({"x": 0.05, "y": 0.05, "theta": 0.02}, {"v": 0.3, "omega": 0.3}, [0.4, 0.1], {}),
    "chaplygin-sleigh": ({"x": 0.03, "y": 0.03}, {"v": 0.2, "omega": 0.2}, [], {"omega": 1.0, "v": 0.5}),
    "heisenberg": ({"x": 0.02, "z": 0.05, "y": 0.03}, {"xdot": 0.2, "ydot": 0.3}, [], {"x": 0.5, "xdot": 0.4, "ydot": 0.9}),
    "roller-racer": (
        {"x": 0.03, "y": 0.03, "theta": 0.02, "phi": 0.01}, {"v": 0.1, "omega": 0.05}, [0.3], {"phi": 0.7, "v": 0.3},
    ),
    "snakeboard": (
        {"x": 0.02, "y": 0.02, "theta": 0.02, "psi": 0.01, "phi": 0.01}, {"u": 0.2, "rotor": 0.2, "wheels": 0.2}, [0.2, 0.05],
        {"phi": 0.3, "u": 0.8},
    ),
}  # fmt: skip
"""Measured with its deviation, process noise, held inputs, start."""


def truth(watch: nh.Observer, begin: nh.control.Belief, inputs: list[float], random: np.random.Generator) -> np.ndarray:
    """Motions of many members by the adaptive integrator, random walks in the noisy variables; (time, member, variable)."""
    model, members = watch.model, []
    state = random.multivariate_normal(begin.mean, begin.covariance, RUNS)
    for _ in range(SAMPLES):
        members.append(state)
        state = model.step_many(state, EVERY, [inputs] * RUNS if inputs else ())
        state = state + random.standard_normal(state.shape) * np.sqrt(np.diag(watch.process))
    return np.array(members)


@pytest.mark.parametrize("kind", ["ekf", pytest.param("ukf", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CASES)
def test_errors_lie_in_their_own_bounds(name: str, kind: str) -> None:
    """``Σ e P⁻¹ e`` over independent runs is χ² with (runs · states) degrees: within its 99.99 % interval at two times."""
    measured, noise, inputs, start = CASES[name]
    ready = nh.gallery.get(name)
    watch = nh.observer(ready.system, measured, noise=noise, every=EVERY, kind=kind, parameters=ready.parameters)
    begin = watch.begin(start, 0.03)
    random = np.random.default_rng(sum(map(ord, name)))
    paths = truth(watch, begin, inputs, random)
    code = watch.model.kernel.code(list(measured), "measured")
    total = np.zeros(SAMPLES)
    for k in range(RUNS):
        rows = np.array([watch._row(x, np.array(inputs), 0.0) for x in paths[:, k]])
        seen = code.rows(rows) + random.standard_normal((SAMPLES, len(measured))) * list(measured.values())
        found = watch.estimate(np.arange(SAMPLES) * EVERY, seen, inputs, begin)
        total += found.nees(paths[:, k])
        assert found.slips == ()
    degrees = RUNS * len(watch.model.names)
    low, high = chi2.ppf([5e-5, 1 - 5e-5], degrees)
    for at in (SAMPLES // 2, SAMPLES - 1):
        assert low < total[at] < high, (total[at] / RUNS, len(watch.model.names))


@pytest.mark.parametrize("kind", ["ekf", "ukf"])
def test_a_linear_system_has_kalmans_filter(kind: str) -> None:
    """Covariances of an oscillator against the Riccati recursion written by hand with the matrix exponential."""
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - 4*q**2/2")
    watch = nh.observer(swing, {"q": 0.1}, noise={"qdot": 0.3}, every=0.05, kind=kind)
    belief = watch.begin({"q": 1.0}, {"q": 0.2, "qdot": 0.4})
    push, p = expm(np.array([[0, 1], [-4, 0]]) * 0.05), np.diag([0.04, 0.16])
    for value in (0.9, 0.7, 0.75):
        belief = watch.correct(watch.predict(belief), [value])
        p = push @ p @ push.T + np.diag([0, 0.09 * 0.05])
        p = p - np.outer(p[:, 0], p[0]) / (p[0, 0] + 0.01)
    assert np.allclose(belief.covariance, p, atol=1e-7)


def test_a_slip_is_told_where_it_happens() -> None:
    """A unicycle is pushed sideways at 0.4 m/s for a second: no rolling motion explains its positions."""
    ready = nh.gallery.get("unicycle")
    measured = {"x": 0.02, "y": 0.02, "theta": 0.01}
    lost = {"v": 0.05, "omega": 0.05, "x": 0.02, "y": 0.02}  # with noise of places the filter finds back
    watch = nh.observer(ready.system, measured, lost, every=0.05, parameters=ready.parameters)
    times = np.arange(120) * 0.05
    still = {"drive": 0.0, "steer": 0.0}
    run = nh.simulate(ready.system, {"v": 0.5, "omega": 0.2}, times[-1], ready.parameters, inputs=still, t_eval=times)
    theta = np.asarray(run["theta"])
    speed = np.where((times >= 3.0) & (times < 4.0), 0.4, 0.0)
    side = [np.concatenate([[0.0], np.cumsum(speed * part)[:-1] * 0.05]) for part in (-np.sin(theta), np.cos(theta))]
    true = np.column_stack([np.asarray(run["x"]), np.asarray(run["y"]), theta])
    noise = np.random.default_rng(8).standard_normal(true.shape) * [0.02, 0.02, 0.01]
    begin = watch.begin({"v": 0.5, "omega": 0.2}, 0.05)
    assert watch.estimate(times, true + noise, (), begin).slips == ()
    slipped = true + np.column_stack([*side, np.zeros(len(times))])
    found = watch.estimate(times, slipped + noise, (), begin)
    (slip,) = found.slips
    assert slip.begin == pytest.approx(3.0, abs=0.3)
    assert slip.end == pytest.approx(4.0, abs=0.3)
    assert slip.measured in ("x", "y")
    assert "slip from" in str(found)


@pytest.mark.slow
def test_the_front_wheel_of_an_estimated_bicycle_touches_the_ground() -> None:
    ready = nh.gallery.get("whipple-bicycle")
    measured, noise = {"phi": 0.02, "delta": 0.02, "v": 0.1}, {"leaning": 0.1, "steering": 0.1}
    watch = nh.observer(ready.system, measured, noise=noise, every=0.02, kind="ekf", parameters=ready.parameters)
    belief = watch.begin({"v": 4.6, "leaning": 0.2}, {"phi": 0.05, "delta": 0.05, "leaning": 0.1, "theta": 0.05})
    for value in ([0.03, 0.01, 4.5], [0.05, -0.02, 4.7]):
        belief = watch.correct(watch.predict(belief), value)
        row = watch._row(belief.mean, np.zeros(0), 0.0)
        residuals = watch.model.kernel.residuals(row)
        assert abs(residuals[0]) < 1e-9
        assert np.max(np.abs(belief.covariance @ residuals[1:12])) < 1e-6


def test_mistakes_of_observers_are_told() -> None:
    ready = nh.gallery.get("unicycle")
    with pytest.raises(nh.StateError, match="choose from ekf, ukf"):
        nh.observer(ready.system, {"x": 0.1}, kind="kf", parameters=ready.parameters)
    with pytest.raises(nh.StateError, match="no state variable is called"):
        nh.observer(ready.system, {"x": 0.1}, noise={"speed": 0.1}, parameters=ready.parameters)
    watch = nh.observer(ready.system, {"x": 0.1}, parameters=ready.parameters)
    with pytest.raises(nh.StateError, match="shape"):
        watch.estimate([0.0, 0.02], [[1.0, 2.0], [1.0, 2.0]])
