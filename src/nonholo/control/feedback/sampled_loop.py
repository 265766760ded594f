"""Stability of a sampled closed loop: the multipliers of the map from one sample to the next, delay included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.linear.linearise import Linearisation, linearise
from nonholo.control.feedback.riccati import zero_order_hold
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError
from nonholo.integrate.given_inputs import given_inputs
from nonholo.integrate.inputs import Controller
from nonholo.model.system import System

STEP = 1e-6
"""Differences by which a controller's slopes are taken, of numbers of size one."""


@dataclass(frozen=True, eq=False)
class SampledLoop:
    """The linear map from sample to sample of a controlled system. Made by `sampled_loop`."""

    lin: Linearisation
    K: NDArray[np.float64]
    """``δu = −K δy``: the controller's slopes at the state."""
    matrix: NDArray[np.float64]
    """Of the state and the answers that are still on their way."""
    every: float
    delay: float

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Eigenvalues of the map, the largest first: the loop is asymptotically stable where all are inside the unit circle."""
        found = np.asarray(np.linalg.eigvals(self.matrix), dtype=np.complex128)
        return found[np.argsort(-np.abs(found), kind="stable")]

    @property
    def stable(self) -> bool:
        return bool(np.all(np.abs(self.multipliers) < 1.0))


def sampled_loop(
    system: System, about: Any, controller: Controller, parameters: Mapping[str, Any] | None = None
) -> SampledLoop:
    """The map from sample to sample about a steady state, with the inputs held and delayed; limits do not act there.

    ``y ↦ e^{Ah} y + ∫ e^{As} B u``, in two parts where a delay changes the input between samples.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> law = lambda t, state: {"u": -state["x"] - 2 * state["xdot"]}
    >>> loops = [nh.control.sampled_loop(cart, {"x": 0}, nh.controller(law, every=h)) for h in (0.1, 1.2)]
    >>> [one.stable for one in loops]
    [True, False]
    """
    if not isinstance(controller, Controller) or controller.every is None:
        raise ModelError(f"{system.name}: a sampled loop needs nh.controller(f, every=…); found {type(controller).__name__}.")
    lin = linearise(system, about, parameters=parameters)
    if lin.A.ndim > 2 or not lin.inputs:
        raise ModelError(f"{system.name}: a sampled loop needs one state and a system with inputs.")
    gain = _slopes(system, lin, controller, parameters)
    every, delay = controller.every, controller.delay
    whole = floor(delay / every + 1e-9)
    part = delay - whole * every
    A, B = lin.A, lin.B
    n, m = B.shape
    step, _ = zero_order_hold(A, B, every)
    after, new = zero_order_hold(A, B, every - part)
    _, old = zero_order_hold(A, B, part)
    count = whole + (1 if part > 1e-12 * every else 0)
    size = n + count * m
    matrix = np.zeros((size, size))
    matrix[:n, :n] = step
    # u_k-whole acts after `part`, u_k-whole-1 before; stored answers: u_{k-1}, u_{k-2}, …
    late, earlier = new, after @ old

    def place(back: int) -> slice:
        return slice(n + (back - 1) * m, n + back * m)

    for back, effect in ((whole, late), (whole + 1, earlier)):
        if back == 0:
            matrix[:n, :n] -= effect @ gain
        elif back <= count:
            matrix[:n, place(back)] += effect
    if count:
        matrix[place(1), :n] = -gain
        for back in range(2, count + 1):
            matrix[place(back), place(back - 1)] = np.eye(m)
    return SampledLoop(lin, gain, matrix, every, delay)


def _slopes(
    system: System, lin: Linearisation, controller: Controller, parameters: Mapping[str, Any] | None
) -> NDArray[np.float64]:
    """``−∂u/∂y`` of the controller at the state, by central differences."""
    parts = given_inputs(Controller(controller.function), lin.inputs, system.name)
    centre = {n: float(np.asarray(e)) for n, e in lin.state.items()}
    time = centre.pop("t", 0.0)
    found = np.zeros((len(lin.inputs), len(lin.names)))

    def asked(name: str, state: dict[str, float]) -> float:
        told = {n: e for n, e in state.items() if n not in system.inputs}
        return float(parts[name](time, _State(complete_state(system, told, parameters, repair=True))))

    for j, y in enumerate(lin.names):
        width = STEP * max(1.0, abs(centre[y]))
        for k, u in enumerate(lin.inputs):
            up, down = ({**centre, y: centre[y] + s * width} for s in (1.0, -1.0))
            found[k, j] = -(asked(u, up) - asked(u, down)) / (2 * width)
    return found


class _State(dict[str, float]):
    """A named state that one function for several inputs can tell from another."""

    @property
    def key(self) -> tuple[float, ...]:
        return tuple(self.values())
