"""Lyapunov exponents: published numbers, closed forms, two trajectories, what zeros are due to, and early ends in words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import nonholo as nh
from nonholo.analyse.chaos.lyapunov_spectrum import mean_rates
from tests.analyse.behaviour import calibration, chaotic, integrable
from tests.analyse.behaviour.calibration import LORENZ, ROESSLER


def test_lorenz_and_the_published_exponents() -> None:
    """Sprott, Chaos and Time-Series Analysis, 2003: 0.9056, 0, −14.5723; their sum is −41/3 exactly."""
    found = nh.lyapunov(LORENZ, {"x": 1.0, "y": 1.0, "z": 20.0}, 500)
    assert np.all(np.abs(found.exponents - [0.9056, 0.0, -14.5723]) < 3 * found.errors)
    assert found.errors[0] < 0.03 and found.chaotic
    assert found.sum == pytest.approx(-41 / 3, abs=1e-8) and found.divergence == pytest.approx(-41 / 3, abs=1e-9)
    assert found.dimension == pytest.approx(2.062, abs=0.003)


@pytest.mark.slow
def test_roessler_and_the_published_exponents() -> None:
    """Sprott 2003: 0.0714, 0, −5.3943."""
    found = nh.lyapunov(ROESSLER, {"x": 1.0, "y": 1.0, "z": 1.0}, 20000)
    assert np.all(np.abs(found.exponents - [0.0714, 0.0, -5.3943]) < 3 * found.errors)


def test_a_damped_chain_has_the_real_parts_of_its_eigenvalues() -> None:
    chain = nh.System(
        coordinates="a b", lagrangian="adot**2/2 + 0.7*bdot**2 - a**2/2 - (a - b)**2", forces={"a": "-0.3*adot", "b": "-0.1*bdot"}
    )
    found = nh.lyapunov(chain, {"a": 1.0, "b": -0.3}, 300)
    mass, stiff, drag = np.diag([1.0, 1.4]), np.array([[3.0, -2.0], [-2.0, 2.0]]), np.diag([0.3, 0.1])
    flow = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, stiff), -np.linalg.solve(mass, drag)]])
    wanted = np.sort(np.linalg.eigvals(flow).real)[::-1]
    assert np.all(np.abs(found.exponents - wanted) < np.maximum(3 * found.errors, 1e-3))
    assert found.zeros == () and not found.chaotic


def test_a_regular_motion_is_zero_within_its_errors() -> None:
    found = nh.lyapunov(chaotic.HENON_HEILES, {"y": 0.1, "xdot": 0.3, "ydot": 0.1}, 2000)
    assert np.all(np.abs(found.exponents) <= 1.0001 * found.errors) and np.max(found.errors) < 0.004
    assert [z.kind for z in found.zeros] == ["flow", "integral", "unexplained", "unexplained"]
    assert str(found).startswith("Hénon and Heiles: no exponential growth within the errors")


def two_trajectories(
    system: nh.System, start: dict[str, float], steps: int, tau: float, small: float, apart
) -> tuple[float, float]:
    """The largest exponent by two motions of `simulate` alone [Benettin, Galgani, Strelcyn 1976], and its standard error."""
    one, two = dict(start), apart(dict(start), None, small)
    logs = []
    for k in range(steps):
        ends = [dict(nh.simulate(system, s, tau, t_eval="end", rtol=1e-11, atol=1e-13, progress=False).final) for s in (one, two)]
        one = {n: ends[0][n] for n in start}
        gap = {n: ends[1][n] - ends[0][n] for n in start}
        size = np.sqrt(sum(e**2 for e in gap.values()))
        two = apart(one, {n: e / size for n, e in gap.items()}, small)
        if k >= steps // 10:
            logs.append(np.log(size / small) / tau)
    batches = np.array(logs[: len(logs) // 10 * 10]).reshape(10, -1).mean(axis=1)
    return float(np.mean(logs)), float(batches.std(ddof=1) / np.sqrt(10))


def along(one: dict[str, float], gap: dict[str, float] | None, small: float) -> dict[str, float]:
    gap = gap or dict.fromkeys(one, 1 / np.sqrt(len(one)))
    return {n: e + small * gap[n] for n, e in one.items()}


def on_the_blade(one: dict[str, float], gap: dict[str, float] | None, small: float) -> dict[str, float]:
    """The neighbour of a skate, its velocity along its own blade."""
    two = along(one, gap, small)
    speed = two["xdot"] * np.cos(two["theta"]) + two["ydot"] * np.sin(two["theta"])
    return two | {"xdot": speed * np.cos(two["theta"]), "ydot": speed * np.sin(two["theta"])}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double pendulum", "skate"])
def test_a_chaotic_motion_agrees_with_two_trajectories(name: str) -> None:
    if name == "skate":
        system, until = chaotic.SKATE, 2000
        speed = 0.9
        start = {"x": 0.4, "y": 0.2, "theta": 0.3, "xdot": speed * np.cos(0.3), "ydot": speed * np.sin(0.3), "thetadot": 0.7}
        mean, error = two_trajectories(system, start, 900, 2.0, 1e-7, on_the_blade)
    else:
        system, until = chaotic.DOUBLE_PENDULUM, 1000
        start = {"a": 2.0, "b": 2.5, "adot": 0.1, "bdot": -0.2}
        mean, error = two_trajectories(system, start, 900, 1.0, 1e-7, along)
    found = nh.lyapunov(system, start, until)
    # both keep volume, so that their errors hold what sticky islands would do: for the skate 2000 s are two or three of them
    assert found.exponents[0] > 2 * found.errors[0] and abs(found.exponents[0] - mean) < 3 * np.hypot(error, found.errors[0])
    assert found.exponents[0] > 10 * abs(found.exponents[1])


@pytest.mark.parametrize(
    ("system", "size", "kinds"),
    [
        (chaotic.SUSLOV, 5, ["flow", "symmetry", "integral"]),
        (chaotic.CONTACT, 9, ["flow", "integral", "integral"]),
        pytest.param(chaotic.SKATE, 5, ["flow", "integral", "integral"], marks=pytest.mark.slow),
        pytest.param(chaotic.SPRING_PENDULUM, 6, ["flow", "symmetry", "integral", "integral"], marks=pytest.mark.slow),
        pytest.param(chaotic.SNAKEBOARD, 8, ["flow", "symmetry", "integral", "integral"], marks=pytest.mark.slow),
    ],
    ids=lambda v: v.name if isinstance(v, nh.System) else "",
)
def test_as_many_exponents_as_dimensions_and_zeros_with_their_reasons(system: nh.System, size: int, kinds: list[str]) -> None:
    found = nh.lyapunov(system, None, 100)
    assert len(found.exponents) == size
    assert [z.kind for z in found.zeros if z.kind != "unexplained"] == kinds
    assert found.sum == pytest.approx(found.divergence, abs=2e-5) and found.outcome.reached
    assert all(z.holds for z in found.zeros)


def test_the_divergence_is_that_of_differences_along_the_run() -> None:
    """A third route: central differences of the model's rates at every state of the run."""
    found = nh.lyapunov(chaotic.CONTACT, None, 30, transient=0.0, integrals=())
    model = nh.prepare(chaotic.CONTACT)
    run = found.run
    keep = slice(0, None, 4)
    states = np.stack([run[n][keep] for n in model.names], axis=1)
    traces = []
    for x in states:
        steps = 1e-5 * np.eye(len(x))
        traces.append(sum((model.vector(x + h) - model.vector(x - h))[k] / 2e-5 for k, h in enumerate(steps)))
    times = run.times[keep]
    assert np.trapezoid(traces, times) / (times[-1] - times[0]) == pytest.approx(found.sum, abs=3e-4)


def test_frames_that_change_count_nothing_twice() -> None:
    """The same skate in speeds that never fail: volumes and the largest growth agree but for the metrics at both ends."""
    other = nh.System(
        name="the same", coordinates="x y theta", lagrangian=chaotic.SKATE.lagrangian, constraints=chaotic.SKATE.constraints,
        quasivelocities={"u": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
        parameters=dict(chaotic.SKATE.parameters),
    )  # fmt: skip
    start = {"x": 0.3, "y": 0.1, "theta": 0.2, "xdot": 0.05, "thetadot": 1.4}
    one, two = (nh.lyapunov(s, start, 120, transient=0.0, integrals=()) for s in (chaotic.SKATE, other))
    assert one.run.frames > 5 and two.run.frames == 1
    assert abs(one.sum - two.sum) * 120 < 4.0
    assert abs(one.exponents[0] - two.exponents[0]) * 120 < 4.0
    assert one.divergence == pytest.approx(one.sum, abs=1e-5)


def test_explicit_time_has_no_zero_of_the_flow() -> None:
    found = nh.lyapunov(chaotic.DRIVEN, None, 1000)
    assert found.sum == pytest.approx(-0.5, abs=1e-8) and found.zeros == () and found.exponents[0] > 5 * found.errors[0]


def test_an_escape_gives_what_was_computed() -> None:
    found = nh.lyapunov(chaotic.HENON_HEILES, {"y": 0.9, "ydot": 1.0, "x": 0.05}, 50, transient=0.0)
    assert not found.outcome.reached and 0.3 < found.times[-1] < 50
    assert len(found.exponents) == 4 and found.exponents[0] > 0 and str(found.outcome) in str(found)
    nothing = nh.lyapunov(chaotic.HENON_HEILES, {"y": 0.9, "ydot": 1.0, "x": 0.05}, 1e4, transient=5e3)
    assert "no exponents, the motion ended in its transient" in str(nothing)


def test_bad_input_in_words() -> None:
    start = {"y": 0.1, "xdot": 0.3}
    with pytest.raises(nh.StateError, match="give a later end"):
        nh.lyapunov(chaotic.HENON_HEILES, start, 0.0)
    with pytest.raises(nh.StateError, match="count = 9 where the manifold has 4 dimensions"):
        nh.lyapunov(chaotic.HENON_HEILES, start, 10.0, count=9)
    with pytest.raises(nh.StateError, match="only explicit Runge–Kutta methods"):
        nh.lyapunov(chaotic.HENON_HEILES, start, 10.0, method="energy_exact", step=0.01)
    some = nh.lyapunov(chaotic.HENON_HEILES, start, 100.0, count=1)
    assert len(some.exponents) == 1 and np.isnan(some.sum) and some.zeros == ()


def test_error_bars_cover_correlated_noise() -> None:
    """First-order autoregression with a memory of ten blocks, a tenth of them and none: within one error in 60 to 97 %."""
    random = np.random.default_rng(4)
    edges = np.linspace(0.0, 400.0, 401)
    for memory in (0.9, 0.5, 0.0):
        noise = random.normal(size=(600, 200))
        for k in range(1, 600):
            noise[k] += memory * noise[k - 1]
        rates, errors = mean_rates(edges, 0.3 + noise[200:], -1.0)
        assert 0.60 <= np.mean(np.abs(rates - 0.3) <= errors) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("name", calibration.MOTIONS)
def test_error_bars_hold_what_they_say_on_fresh_motions(name: str) -> None:
    """A hundred motions: 60 to 80 % within one error of what much longer motions have, at least 90 % within two.

    The counts may differ from these shares by chance: by no more than happens once in a thousand times.
    """
    rates, errors = calibration.judged(name, 100, seed=77)
    off, count = np.abs(rates - calibration.reference(name)), len(rates)
    assert count >= 85
    one, two = (int(np.sum(off < k * errors)) for k in (1, 2))
    assert binom.ppf(0.001, count, 0.6) <= one <= binom.ppf(0.999, count, 0.8)
    assert two >= binom.ppf(0.001, count, 0.9)


@pytest.mark.parametrize(
    "name", [n if n in ("quartic", "Kepler", "blade") else pytest.param(n, marks=pytest.mark.slow) for n in integrable.ALL]
)
def test_all_exponents_of_an_integrable_system_are_zero_within_their_errors(name: str) -> None:
    found = nh.lyapunov(integrable.ALL[name], None, 1000.0, integrals=())
    assert found.outcome.reached and not found.chaotic
    assert np.all(np.abs(found.exponents) <= 1.0001 * found.errors) and np.max(found.errors) < 0.008


def test_the_figure_of_exponents_has_a_line_for_each() -> None:
    found = nh.lyapunov(chaotic.HENON_HEILES, {"y": 0.1, "xdot": 0.3}, 100, integrals=())
    panel = found.plot()
    assert len(panel.containers) == 4 and panel.get_ylabel().startswith("Lyapunov")
    assert found.data["running"].shape == (len(found.times), 4)


def test_many_blocks_in_one_call_grow_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Growth and divergence of every block, and far fewer calls of the loops where little grows."""
    from nonholo.analyse.chaos import variational_qr as growth

    start, calls = {"y": 0.1, "xdot": 0.3}, []
    plain = growth.advance
    monkeypatch.setattr(growth, "advance", lambda *given, **options: calls.append(1) or plain(*given, **options))
    together = nh.lyapunov(chaotic.HENON_HEILES, start, 200, integrals=())
    few, calls[:] = len(calls), []
    monkeypatch.setattr(growth, "GROUP", 1)
    alone = nh.lyapunov(chaotic.HENON_HEILES, start, 200, integrals=())
    assert few < 40 and len(calls) > 120
    assert np.max(np.abs(together.logs - alone.logs)) < 1e-6
    assert together.divergence == pytest.approx(alone.divergence, abs=1e-12)
