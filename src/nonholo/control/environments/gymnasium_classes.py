"""Gymnasium's two classes around a `Simulator`; imported only where Gymnasium is."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.control.environments.episode_simulator import Simulator, Task


def _spaces(task: Task) -> tuple[Any, Any]:
    """Observation and action space."""
    low, high = (np.array([pair[k] for pair in task.act.values()]) for k in (0, 1))
    seen = gymnasium.spaces.Box(-np.inf, np.inf, (len(task.observe),), np.float64)
    return seen, gymnasium.spaces.Box(low, high, dtype=np.float64)


def _truncation_info(simulator: Simulator) -> dict[str, Any]:
    """Members that were truncated because the frame of the equations degenerated."""
    lost = simulator.batch.degenerate
    return {"degenerate_frame": lost.copy()} if np.any(lost) else {}


class SingleEnvironment(gymnasium.Env):  # type: ignore[misc]
    """One member."""

    metadata: ClassVar[dict[str, object]] = {"render_modes": []}

    def __init__(self, task: Task) -> None:
        self.task, self.simulator = task, Simulator(task, 1)
        self.observation_space, self.action_space = _spaces(task)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """A new episode."""
        super().reset(seed=seed)
        return self.simulator.reset(seed)[0], {}

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """One step."""
        seen, reward, ended, late = self.simulator.step(action)
        return seen[0], float(reward[0]), bool(ended[0]), bool(late[0]), _truncation_info(self.simulator)

    @property
    def state(self) -> dict[str, float]:
        """Time and state by name."""
        batch = self.simulator.batch
        return dict(zip(("t", *batch.model.names), batch.rows[0].tolist()))


class VectorEnvironment(VectorEnv):  # type: ignore[misc]
    """Many members side by side; one that ends begins anew in the same step."""

    metadata: ClassVar[dict[str, object]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, task: Task, members: int) -> None:
        self.task, self.simulator, self.num_envs = task, Simulator(task, members), members
        self.single_observation_space, self.single_action_space = _spaces(task)
        self.observation_space = batch_space(self.single_observation_space, members)
        self.action_space = batch_space(self.single_action_space, members)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """New episodes of all members."""
        super().reset(seed=seed)
        return self.simulator.reset(seed), {}

    def step(self, actions: Any) -> tuple[Numbers, Numbers, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One step of all members."""
        seen, rewards, ended, late = self.simulator.step(actions)
        done = ended | late
        info: dict[str, Any] = _truncation_info(self.simulator)
        if np.any(done):
            info |= {"final_obs": seen, "_final_obs": done}
            seen = self.simulator.reset(None, done)
        return seen, rewards, ended, late, info
