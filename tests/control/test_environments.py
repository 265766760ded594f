"""Environments: the lanes against the adaptive motion, order of the steps, seeds, Gymnasium's own check, records."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import jax
import numpy as np
import pytest
import zarr
from gymnasium.utils.env_checker import check_env

import nonholo as nh
from nonholo.gallery.learning_tasks import ready_task


def test_a_step_is_that_of_the_adaptive_motion() -> None:
    """Ten Runge–Kutta steps of the bicycle against DOP853 by multipliers, under the same held inputs."""
    task = ready_task("balance-bicycle")
    world = nh.control.Simulator(task, 11)
    world.reset(seed=5)
    before = world.batch.states.copy()
    actions = np.random.default_rng(2).uniform(-5, 5, (11, 2))
    world.step(actions)
    for k in (0, 7, 10):
        start = dict(zip(world.batch.model.names, before[k].tolist()))
        inputs = dict(zip(task.act, actions[k].tolist()))
        run = nh.simulate(task.system, start, 0.02, task.parameters, inputs=inputs, form="multipliers", t_eval="end")
        expected = [run.final[n] for n in world.batch.model.names]
        assert np.max(np.abs(world.batch.states[k] - expected)) < 1e-8


def test_steps_have_order_four() -> None:
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)", forces={"q": "u"}, inputs="u", start={"q": 2.0})
    exact = nh.simulate(swing, {"q": 2.0}, 1.0, inputs={"u": 0.3}, rtol=1e-13, atol=1e-14).final["q"]
    errors = []
    for steps in (5, 10):
        task = nh.environment(swing, ["q"], act={"u": 1.0}, reward="0", every=1.0, steps=steps).task
        world = nh.control.Simulator(task, 1)
        world.reset()
        errors.append(abs(float(world.step([[0.3]])[0][0, 0]) - exact))
    assert 12 < errors[0] / errors[1] < 20


def test_the_front_wheel_stays_on_the_ground() -> None:
    world = nh.control.Simulator(ready_task("balance-bicycle"), 16)
    world.reset(seed=1)
    random = np.random.default_rng(0)
    for _ in range(20):
        world.step(random.uniform(-3, 3, (16, 2)))
    kernel = world.batch.kernel
    assert np.max(np.abs(kernel.residuals.rows(world.batch.rows)[:, 0])) < 1e-12


@pytest.mark.parametrize("name", nh.task_names())
def test_tasks_run_and_are_decided_by_the_seed(name: str) -> None:
    found = []
    for members in (9, 9, 17):
        world = nh.task(name, vector=members)
        assert isinstance(world, gymnasium.vector.VectorEnv)
        seen, _ = world.reset(seed=3)
        random = np.random.default_rng(4)
        total = np.zeros(9)
        for _ in range(5):
            actions = random.uniform(world.single_action_space.low, world.single_action_space.high, (9, len(world.task.act)))
            seen, rewards, *_ = world.step(np.vstack([actions, np.zeros((members - 9, actions.shape[1]))]))
            total += rewards[:9]
        assert np.all(np.isfinite(seen))
        found.append((seen[:9], total))
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize(
    "name", [n if n == "balance-segway" else pytest.param(n, marks=pytest.mark.slow) for n in nh.task_names()]
)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # its advice on ranges of actions
def test_steps_of_a_task_are_differentiated_by_jax(name: str) -> None:
    """The same state as the environment's, and slopes by its action and by a start against differences of its steps."""
    check_env(nh.task(name), skip_render_check=True)
    world = nh.control.Simulator(ready_task(name), 5)
    world.reset(seed=2)
    first = world.batch.states[0].copy()
    middle = [(low + high) / 2 + 0.1 * (high - low) for low, high in world.task.act.values()]
    far = 1e-4 * float(np.ptp(next(iter(world.task.act.values()))))
    world.batch.states[:] = first
    world.batch.states[3, -1] += 1e-5
    world.batch.states[4, -1] -= 1e-5
    begun = world.batch.states.copy()
    actions = np.tile(middle, (5, 1))
    actions[1, 0] += far
    actions[2, 0] -= far
    world.step(actions)
    after = world.batch.states
    step = jax.jit(nh.control.jax_step(world.task))
    assert np.allclose(step(first, np.array(middle)), after[0], atol=1e-9)
    by_action = jax.jacrev(step, argnums=1)(first, np.array(middle))[:, 0]
    assert np.allclose(by_action, (after[1] - after[2]) / (2 * far), atol=1e-5 * (1 + np.max(np.abs(by_action))))
    by_start = jax.jacfwd(step)(first, np.array(middle))[:, -1]
    gap = begun[3, -1] - begun[4, -1]
    assert np.allclose(by_start, (after[3] - after[4]) / gap, atol=1e-5 * (1 + np.max(np.abs(by_start))))


def test_an_end_begins_a_new_episode() -> None:
    cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    start = {"x": (0.0, 0.4)}
    world = nh.environment(cart, ["x"], act={"u": (-1, 1)}, reward="x", every=1.0, until=[3.0, "x - 1"], start=start, vector=2)
    world.reset(seed=0)
    seen, rewards, ended, late, told = world.step([[1.0], [-1.0]])
    assert rewards[0] == pytest.approx(0.5 + rewards[1] + 0.5, abs=0.4)
    seen, rewards, ended, late, told = world.step([[1.0], [-1.0]])
    assert ended.tolist() == [True, False]
    assert told["final_obs"][0, 0] > 1 > seen[0, 0]
    _, _, ended, late, _ = world.step([[0.0], [0.0]])
    assert late.tolist() == [False, True]


def test_records_are_written_as_they_happened(tmp_path: Path) -> None:
    task = ready_task("unicycle-to-goal")
    stores = [
        zarr.open_group(
            str(nh.control.record(task, lambda seen: -seen[:, 3:5], 30, tmp_path / name, members=8, seed=1)), mode="r"
        )
        for name in ("a.zarr", "b.zarr")
    ]
    assert stores[0]["observations"].shape == (30, 8, 5)
    assert np.array_equal(stores[0]["observations"][:], stores[1]["observations"][:])
    assert np.allclose(stores[0]["actions"][:], -stores[0]["observations"][:, :, 3:5])
    with pytest.raises(nh.FileError, match="there already"):
        nh.control.record(task, lambda seen: seen[:, 3:5], 3, tmp_path / "a.zarr")
    with pytest.raises(nh.StateError, match=r"an array of shape \(2,\) where .* members × 2 actions are needed"):
        nh.control.record(task, lambda seen: np.zeros(2), 3, tmp_path / "c.zarr")


def test_mistakes_are_told_in_words() -> None:
    cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    with pytest.raises(nh.StateError, match="no input is called"):
        nh.environment(cart, ["x"], act={"v": 1.0})
    with pytest.raises(nh.StateError, match="a list of texts"):
        nh.environment(cart, "x", act={"u": 1.0})
    with pytest.raises(nh.StateError, match="no state variable is called"):
        nh.environment(cart, ["x"], act={"u": 1.0}, start={"y": 1.0})
    with pytest.raises(nh.ModelError, match="did you mean"):
        nh.task("park-trailers")


def test_a_member_whose_frame_degenerates_is_truncated_and_says_so() -> None:
    """The skate's speeds are its turning and ẋ; at a right angle ẋ says nothing of its speed, and motions change the frame."""
    skate = nh.System(
        name="skate", coordinates="th x y", lagrangian="(thdot**2 + xdot**2 + ydot**2)/2", inputs="u", forces={"th": "u"},
        constraints=["ydot*cos(th) - xdot*sin(th)"],
    )  # fmt: skip
    start = {"thdot": 1.0, "xdot": 0.5}
    world = nh.environment(skate, ["th", "x", "y"], act={"u": (-1, 1)}, every=0.02, until=9.0, start=start)
    world.reset(seed=0)
    steps = 0
    while True:
        seen, reward, ended, late, told = world.step([0.0])
        steps += 1
        if ended or late:
            break
        true = nh.simulate(skate, start, 0.02 * steps, inputs={"u": 0.0}, t_eval="end").final
        assert np.allclose(seen, [true[n] for n in ("th", "x", "y")], atol=1e-5)
    assert late
    assert not ended
    assert told["degenerate_frame"].tolist() == [True]
    assert reward == 0.0
    assert 0.02 * steps == pytest.approx(np.pi / 2, abs=0.15)
    drawn = {"xdot": 0.5, "thdot": (0.2, 1.0)}
    many = nh.environment(skate, ["th"], act={"u": (-1, 1)}, every=0.02, until=9.0, start=drawn, vector=8)
    many.reset(seed=2)
    lost = [many.step(np.zeros((8, 1))) for _ in range(400)]
    assert any("degenerate_frame" in told and told["degenerate_frame"].sum() < 8 for *_, told in lost)
    assert all(np.all(late[told["degenerate_frame"]]) for _, _, _, late, told in lost if "degenerate_frame" in told)
