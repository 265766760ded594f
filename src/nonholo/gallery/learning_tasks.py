"""Ready tasks for learning, by name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.environments.environment import environment
from nonholo.control.environments.episode_simulator import Task
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.frames.frame_files import spatial
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.system import System, varied


def task(name: str, vector: int = 0) -> Any:
    """A ready environment: one of `task_names`; with ``vector=n`` a vector environment.

    >>> task_names()[:3]
    ('park-trailer', 'balance-bicycle', 'steer-bicycle')
    """
    return environment(ready_task(name), vector=vector)


def task_names() -> tuple[str, ...]:
    """The names of all ready tasks.

    >>> len(task_names())
    10
    """
    return tuple(_TASKS)


def ready_task(name: str) -> Task:
    """A ready task as a record."""
    if name not in _TASKS:
        near = meant(name, tuple(_TASKS), f"there are {', '.join(_TASKS)}.")
        raise ModelError(f"no task is called {name!r}; {near}")
    return _TASKS[name]()


def _gallery(name: str) -> Any:
    from nonholo.gallery import get

    return get(name)


def _made(
    system: System, parameters: Any, observe: str, act: dict[str, float], reward: str, every: float, until: float,
    ends: tuple[str, ...], start: dict[str, Any],
) -> Task:  # fmt: skip
    ranges = FrozenMap({n: (-e, e) for n, e in act.items()})
    return Task(system, dict(parameters), tuple(observe.split()), ranges, reward, every, until, ends, FrozenMap(start))


def _park_trailer() -> Task:
    angles = ("th0", "th1", "th2")
    rows = ["xdot - v*cos(th0)", "ydot - v*sin(th0)", "th0dot - w"]
    vx, vy = "xdot", "ydot"
    for before, own in pairwise(angles):
        vx += f" + b*{before}dot*sin({before}) + l*{own}dot*sin({own})"
        vy += f" - b*{before}dot*cos({before}) - l*{own}dot*cos({own})"
        rows.append(f"({vx})*sin({own}) - ({vy})*cos({own})")
    energy = "+".join(f"{a}dot**2/2" for a in ("x", "y", *angles))
    system = System(
        name="tractor with two trailers", coordinates=["x", "y", *angles], parameters="b l", inputs="v w", lagrangian=energy,
        constraints=rows,
    )  # fmt: skip
    return _made(
        system, {"b": 0.2, "l": 1.0}, "x y th0 th1 th2", {"v": 1.0, "w": 1.5},
        "-(x**2 + y**2 + th0**2 + th1**2 + th2**2)", 0.1, 30.0, ("abs(th0 - th1) - 1.2", "abs(th1 - th2) - 1.2",
        "x**2 + y**2 - 100"), {"x": (2, 4), "y": (-1, 1), "th0": (-0.3, 0.3)},
    )  # fmt: skip


def _bicycle(reward: str, ends: tuple[str, ...], duration: float) -> Task:
    ready = _gallery("whipple-bicycle")
    system = varied(ready.system, inputs=("steer", "drive"), forces={"delta": "steer", "wr": "drive"}, page=None,
    start={"v": 3.0})
    return _made(
        system, ready.parameters, "x y psi phi delta v leaning steering", {"steer": 10.0, "drive": 20.0}, reward, 0.02,
        duration, ends, {"v": (2.5, 3.5), "leaning": (-0.2, 0.2)},
    )  # fmt: skip


def _balance_bicycle() -> Task:
    return _bicycle("1 - phi**2 - 0.1*delta**2", ("abs(phi) - 0.7", "abs(delta) - 1.2"), 10.0)


def _steer_bicycle() -> Task:
    return _bicycle("1 - y**2/4 - psi**2 - phi**2", ("abs(phi) - 0.7", "abs(delta) - 1.2", "abs(y) - 6"), 20.0)


def _segway(start: dict[str, Any], ends: tuple[str, ...], reward: str) -> Task:
    """Two wheels on one axle, a body of mass M whose centre is h above it; torques of the two motors."""
    ahead = "(xdot*cos(theta) + ydot*sin(theta))"
    system = System(
        name="Segway", coordinates="x y theta phi left right", parameters="M m h R a J I K g", inputs="torque_l torque_r",
        lagrangian=(
            f"m/2*(xdot**2 + ydot**2) + M/2*(({ahead} + h*phidot*cos(phi))**2 + (h*phidot*sin(phi))**2)"
            " + M/2*(h*thetadot*sin(phi))**2 + J/2*phidot**2 + K/2*thetadot**2 + I/2*(leftdot**2 + rightdot**2) - M*g*h*cos(phi)"
        ),
        constraints=["ydot*cos(theta) - xdot*sin(theta)", f"{ahead} - a*thetadot - R*leftdot",
        f"{ahead} + a*thetadot - R*rightdot"],
        quasivelocities={"v": ahead, "omega": "thetadot", "tilt": "phidot"},
        forces={"left": "torque_l", "right": "torque_r", "phi": "-torque_l - torque_r"},
    )  # fmt: skip
    values = {"M": 8.0, "m": 2.0, "h": 0.5, "R": 0.2, "a": 0.25, "J": 0.6, "I": 0.05, "K": 0.2, "g": 9.81}
    return _made(system, values, "v omega phi tilt", {"torque_l": 15.0, "torque_r": 15.0}, reward, 0.02, 10.0, ends, start)


def _balance_segway() -> Task:
    return _segway({"phi": (-0.2, 0.2)}, ("abs(phi) - 1",), "1 - phi**2 - 0.1*v**2 - 0.1*omega**2")


def _swing_up_segway() -> Task:
    return _segway({"phi": 3.141592653589793}, ("abs(v) - 20",), "cos(phi) - 0.01*v**2 - 0.01*omega**2")


def _race(name: str, observe: str, act: dict[str, float], end: tuple[str, ...]) -> Task:
    ready = _gallery(name)
    return _made(ready.system, ready.parameters, observe, act, "xdot", 0.05, 20.0, end, {})


def _race_snakeboard() -> Task:
    return _race("snakeboard", "theta phi u rotor wheels", {"tau_psi": 2.0, "tau_phi": 0.5}, ("abs(phi) - 1.2",
    "abs(rotor) - 20"))


def _race_roller_racer() -> Task:
    return _race("roller-racer", "theta phi v phidot", {"tau": 3.0}, ("abs(phi) - 1.4",))


def _ball_to_hole() -> Task:
    """A ball that rolls on a plate; its small tilts are the inputs."""
    system = System(
        name="ball on a tilting plate", frame=spatial(SO3("R", rates="w1 w2 w3")) * Euclidean("x y"), parameters="m r g",
        inputs="tilt_x tilt_y", lagrangian="m/2*(xdot**2 + ydot**2) + m*r**2/5*(s_w1**2 + s_w2**2 + s_w3**2)",
        constraints=["xdot - r*s_w2", "ydot + r*s_w1"], forces={"x": "m*g*sin(tilt_x)", "y": "m*g*sin(tilt_y)"},
    )  # fmt: skip
    return _made(
        system, {"m": 0.1, "r": 0.02, "g": 9.81}, "x y xdot ydot", {"tilt_x": 0.2, "tilt_y": 0.2}, "-(x**2 + y**2)", 0.02, 10.0,
        ("abs(x) - 0.5", "abs(y) - 0.5"), {"x": (-0.4, 0.4), "y": (-0.4, 0.4)},
    )  # fmt: skip


def _unicycle_to_goal() -> Task:
    ready = _gallery("unicycle")
    return _made(
        ready.system, ready.parameters, "x y theta v omega", {"drive": 1.0, "steer": 0.5},
        "-(x**2 + y**2) - 0.1*v**2", 0.05, 20.0,
        ("x**2 + y**2 - 25",), {"x": (-3, 3), "y": (-3, 3), "theta": (-3, 3), "v": 0.0},
    )  # fmt: skip


def _lift_heisenberg() -> Task:
    system = System(
        name="nonholonomic integrator", coordinates="x y z", inputs="u1 u2", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
        constraints=["zdot - x*ydot + y*xdot"], forces={"x": "u1", "y": "u2"},
    )  # fmt: skip
    return _made(
        system, {}, "x y z xdot ydot", {"u1": 2.0, "u2": 2.0}, "-(x**2 + y**2) - abs(z - 1)", 0.05, 10.0,
        ("x**2 + y**2 - 25",), {}
    )


_TASKS: dict[str, Callable[[], Task]] = {
    "park-trailer": _park_trailer, "balance-bicycle": _balance_bicycle, "steer-bicycle": _steer_bicycle,
    "balance-segway": _balance_segway, "swing-up-segway": _swing_up_segway, "race-snakeboard": _race_snakeboard,
    "race-roller-racer": _race_roller_racer, "ball-to-hole": _ball_to_hole, "unicycle-to-goal": _unicycle_to_goal,
    "lift-heisenberg": _lift_heisenberg,
}  # fmt: skip
