"""The step of a task as a function that JAX differentiates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.compile.export import export
from nonholo.control.environments.episode_simulator import Task
from nonholo.model.system import without_laws


def jax_step(world: Any) -> Callable[[Any, Any], Any]:
    """The state after one step of an environment, as a function of state and action for jit, grad and vmap.

    ``world`` is an environment or its task. The state is in the order of ``world.task.model().names``, the action in that of
    ``world.task.act``; time begins at 0. The rates and their derivatives are machine code (``nh.export(s, "jax_ffi")``), the
    steps those of the environment, without its projection onto holonomic constraints.

    >>> import jax, nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> step = nh.control.jax_step(nh.environment(cart, ["x"], act={"u": (-1, 1)}, every=0.5))
    >>> [round(float(e), 6) for e in jax.grad(lambda u: step(jax.numpy.array([0.0, 2.0]), u)[0])(jax.numpy.array([0.3]))]
    [0.125]
    """
    task: Task = getattr(world, "task", world)
    free = without_laws(task.system)
    native: Any = export(free, "jax_ffi")
    model = task.model()
    import jax
    import jax.numpy as jnp

    fixed = jnp.array([model.parameters[n] for n in native.parameters])
    inward = jnp.array([model.names.index(n) for n in native.state])
    outward = jnp.array([native.state.index(n) for n in model.names])
    places = [list(task.act).index(n) if n in task.act else None for n in map(str, native.inputs)]
    h = task.every / task.steps

    def step(state: Any, action: Any) -> Any:
        held = jnp.array([0.0 if k is None else action[k] for k in places])

        def once(x: Any, t: Any) -> tuple[Any, None]:
            a = native.rates(t, x, held, fixed)
            b = native.rates(t + h / 2, x + h / 2 * a, held, fixed)
            c = native.rates(t + h / 2, x + h / 2 * b, held, fixed)
            d = native.rates(t + h, x + h * c, held, fixed)
            return x + h / 6 * (a + 2 * b + 2 * c + d), None

        return jax.lax.scan(once, jnp.asarray(state)[inward], h * np.arange(task.steps))[0][outward]

    return step
