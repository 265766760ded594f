"""Stability of a sampled closed loop: the multipliers of the map from one sample to the next, delay included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.linear.linearise import Linearisation, linearise
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError
from nonholo.finding import Finding, Measured, Stable
from nonholo.integrate.given_inputs import given_inputs
from nonholo.integrate.inputs import Controller
from nonholo.model.system import System, named, with_inputs, without_laws

STABLE, UNSTABLE, OPEN = "asymptotically stable", "unstable", "not decided"
CIRCLE = 1e-7
"""Multipliers nearer to the unit circle than this count as on it, within the error of differences."""
REST = 1e-6
"""Rates below this belong to a steady state."""
KINK = 1e-3
"""Slopes to both sides that differ by more belong to a kink."""
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
    inputs: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """What the controller gives at the state, within its limits."""

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Eigenvalues of the map, the largest first: the loop is asymptotically stable where all are inside the unit circle."""
        found = np.asarray(np.linalg.eigvals(self.matrix), dtype=np.complex128)
        return found[np.argsort(-np.abs(found), kind="stable")]

    @property
    def stable(self) -> bool:
        """Whether the state is steady and all multipliers are inside the unit circle."""
        return self.verdict == STABLE

    @property
    def verdict(self) -> str:
        """``asymptotically stable``, ``unstable`` or ``not decided``, by the linear map from sample to sample."""
        if self.lin.residual > REST:
            return OPEN
        return judged(self.multipliers)

    @property
    def finding(self) -> Finding:
        """As by `nonholo.stability`: holds where stable, fails where unstable, with the largest multiplier, else what is open."""
        words = f"multipliers of the loop sampled every {self.every:g} s" + (f", delay {self.delay:g} s" if self.delay else "")
        if self.lin.residual > REST:
            words = f"the state is not steady under the controller: a rate is {self.lin.residual:.3g}"
        elif self.verdict == OPEN:
            words += undecided(self.multipliers)
            if self.unanswered:
                words += f"; a shift of {' or '.join(self.unanswered)} stays, as the controller does not answer to it"
        return verdict_finding(self.verdict, self.multipliers, words)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """State variables of which a small shift stays for ever and changes nothing else, the controller's answers included."""
        shifts = np.eye(len(self.matrix))[:, : len(self.lin.names)]
        still = np.max(np.abs(self.matrix[:, : shifts.shape[1]] - shifts), axis=0) < CIRCLE
        return tuple(n for n, same in zip(self.lin.names, still) if same)

    def __str__(self) -> str:
        return str(self.finding)


def judged(multipliers: NDArray[np.complex128]) -> str:
    """The verdict of Lyapunov's first method for maps: multipliers on the unit circle decide nothing."""
    sizes = np.abs(multipliers)
    if np.any(sizes > 1.0 + CIRCLE):
        return UNSTABLE
    return STABLE if np.all(sizes < 1.0 - CIRCLE) else OPEN


def undecided(multipliers: NDArray[np.complex128]) -> str:
    """How many multipliers lie on the unit circle, where they decide nothing, and how large the others are."""
    sizes = np.abs(multipliers)
    if judged(multipliers) != OPEN:
        return ""
    inside = sizes[sizes < 1.0 - CIRCLE]
    rest = f"; the others, at most {np.max(inside):.3g}, die out" if len(inside) else ""
    return f": {len(sizes) - len(inside)} of {len(sizes)} have size 1, where the linear map decides nothing{rest}"


def verdict_finding(verdict: str, multipliers: NDArray[np.complex128], words: str, orbit: bool = False) -> Finding:
    """The verdict as a Finding."""
    word: Literal["holds", "fails", "unknown"] = "holds" if verdict == STABLE else "fails" if verdict == UNSTABLE else "unknown"
    largest = None if verdict == OPEN else float(np.max(np.abs(multipliers), initial=0.0))
    return Finding(Stable(verdict, orbit=orbit), word, largest, Measured(words))


def sampled_loop(
    system: System, about: Any, controller: Controller, *, parameters: Mapping[str, Any] | None = None
) -> SampledLoop:
    """The map from sample to sample about a steady state, with the inputs held, delayed and limited.

    ``y ↦ e^{Ah} y + ∫ e^{As} B u``, in two parts where a delay changes the input between samples. An input beyond its limit
    stays there: it does not answer to small departures.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> law = lambda t, state: {"u": -state["x"] - 2 * state["xdot"]}
    >>> loops = [nh.control.sampled_loop(cart, {"x": 0}, nh.controller(law, every=h)) for h in (0.1, 1.2)]
    >>> [one.stable for one in loops]
    [True, False]
    """
    if not isinstance(controller, Controller) or controller.every is None:
        raise ModelError(f"{system.name}: a sampled loop needs nh.controller(f, every=…); found {type(controller).__name__}.")
    free = without_laws(system)
    first = linearise(free, about, parameters=parameters)
    if first.A.ndim > 2 or not first.inputs:
        raise ModelError(f"{system.name}: a sampled loop needs one state and a system with inputs.")
    given, gain = _slopes(free, first, controller, parameters)
    state = {n: float(np.asarray(e)) for n, e in first.state.items() if n not in first.inputs}
    lin = linearise(free, state, inputs=given, parameters=parameters)
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
    return SampledLoop(lin, gain, matrix, every, delay, FrozenMap(given))


def closed_by(system: System, inputs: Any) -> System:
    """The system whose inputs follow formulas; functions cannot be judged but as a sampled controller."""
    table = named(inputs, f"{system.name}: inputs", '{"u": "-x"}')
    closed = with_inputs(system, table)
    odd = [n for n in table if closed.inputs.get(n) is None]
    if odd:
        found = type(table[odd[0]]).__name__
        raise ModelError(
            f"{system.name}: input {odd[0]}: a formula or a number is needed to judge the loop; found {found}. "
            "A function is judged as inputs=nh.controller(f, every=…)."
        )
    return closed


def zero_order_hold(A: Numbers, B: Numbers, every: float) -> tuple[Numbers, Numbers]:
    """``y(t + h) = Φ y(t) + Γ u`` with the input held: the exponential of the block matrix (A, B; 0, 0)."""
    from scipy.linalg import expm

    n, m = B.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n], block[:n, n:] = A * every, B * every
    whole = expm(block)
    return whole[:n, :n], whole[:n, n:]


def _slopes(
    system: System, lin: Linearisation, controller: Controller, parameters: Mapping[str, Any] | None
) -> tuple[dict[str, float], NDArray[np.float64]]:
    """The inputs at the state, and ``−∂u/∂y`` of the controller there, by central differences."""
    law = law_of(system, lin.inputs, controller, parameters)
    centre = {n: float(np.asarray(e)) for n, e in lin.state.items() if n not in system.inputs}
    time = centre.pop("t", 0.0)
    found = np.zeros((len(lin.inputs), len(lin.names)))
    here = law(time, centre)
    for j, y in enumerate(lin.names):
        width = STEP * max(1.0, abs(centre[y]))
        up, down = (law(time, {**centre, y: centre[y] + s * width}) for s in (1.0, -1.0))
        sides = np.array([up - here, here - down]) / width
        uneven = np.abs(sides[0] - sides[1]) > KINK * (1.0 + np.max(np.abs(sides)))
        if np.any(uneven):
            name = lin.inputs[int(np.argmax(uneven))]
            raise ModelError(f"{system.name}: the controller has a kink at the state: input {name} has no slope (at its limit?).")
        found[:, j] = -(up - down) / (2 * width)
    return dict(zip(lin.inputs, here.tolist())), found


def law_of(
    system: System, inputs: tuple[str, ...], controller: Controller, parameters: Mapping[str, Any] | None
) -> Callable[[float, Mapping[str, float]], NDArray[np.float64]]:
    """The controller's answers, within their limits, at a time and state by name."""
    parts = given_inputs(Controller(controller.function, limits=controller.limits), inputs, system.name)

    def law(time: float, state: Mapping[str, float]) -> NDArray[np.float64]:
        full = _State({**complete_state(system, dict(state), parameters, repair=True), "t": time})
        return np.array([float(parts[u](time, full)) for u in inputs])

    return law


class _State(dict[str, float]):
    """A named state with an identity, for functions of several inputs."""

    @property
    def key(self) -> tuple[float, ...]:
        return tuple(self.values())
