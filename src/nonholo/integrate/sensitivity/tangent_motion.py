"""A motion together with tangent vectors: the variational equations in the compiled loops.

The one interface for derivatives of a motion: sensitivities, fits, periodic orbits, Lyapunov exponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.arguments.piecewise_signals import signal
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.integration import Path, Tangents, advance
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.program.array_types import Array


def carries_tangents(method: Method) -> bool:
    """Whether a method is an explicit one of the compiled loops: these move whatever state they are given."""
    return "explicit" in method.properties and not method.principle and not hasattr(method, "path")


def check_carries(method: Method, name: str, what: str) -> None:
    """Refuse a method that cannot move tangents."""
    if not carries_tangents(method):
        raise StateError(
            f"{name}: method {method.name} has no {what}, only explicit Runge–Kutta methods have; "
            'take method="dop853" or another explicit one (`nonholo methods`).'
        )


@dataclass(frozen=True, eq=False)
class Bundle:
    """Tangents at one place of a motion: a column for each direction, and the parameter that changes with each.

    ``along[k]`` is the name of a parameter (or of an input that is a number) which changes at the rate 1 in direction k, or None
    where the state alone changes.
    """

    values: Array
    along: tuple[str | None, ...]

    def __post_init__(self) -> None:
        if self.values.ndim < 2 or self.values.shape[-1] != len(self.along):
            raise StateError(
                f"tangents: shape {self.values.shape} for {len(self.along)} directions; give (state, directions)."
            )


def advance_tangents(
    kernel: SystemKernel,
    method: Method,
    t0: float,
    y0: Sequence[float] | Array,
    t1: float,
    bundle: Bundle,
    parameters: Sequence[float] | Array = (),
    inputs: Sequence[Any] = (),
    t_eval: Sequence[float] | Array | None = None,
    **options: Any,
) -> Path:
    """`advance` of a state with tangents: the path of the motion, its ``tangents`` beside it.

    Steps are chosen by the error of motion and tangents together. Events and conditions see the motion alone (events are
    `Event` records, or made by ``watch(kernel.tangent_kernel(…), …)``). The motion is projected on its invariants as ever; the
    tangents are brought to the tangent space of the invariants at the times asked for, at events and at the end.

    >>> import nonholo as nh
    >>> from nonholo.integrate.methods import DormandPrince8
    >>> swing = nh.prepare(nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")).kernel
    >>> path = advance_tangents(swing, DormandPrince8(), 0, [1, 0], np.pi / 2, Bundle(np.eye(2), (None, None)))
    >>> np.abs(path.tangents.final.round(9)).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    check_carries(method, kernel.equations.name, "tangents")
    y = np.asarray(y0, dtype=float)
    n, k = len(y), len(bundle.along)
    row = kernel.row(t0, y.tolist(), [0.0] * len(kernel.inputs), list(parameters))
    extended = kernel.tangent_kernel(bundle.along, row)
    both = np.concatenate([y, bundle.values.T.ravel()])
    path = advance(extended, method, t0, both, t1, parameters, inputs, t_eval, **options)
    happened = path.occurrences

    def split(states: Array) -> Array:
        return np.moveaxis(states[..., n:].reshape(*states.shape[:-1], k, n), -2, -1)

    signals = [signal(source, float(t0), float(t1)) for source in inputs]
    numbers = dict(zip(kernel.parameters, parameters))

    def settle(times: Array, states: Array, tangents: Array) -> Array:
        rows = rows_with_inputs(kernel, signals, times, states, numbers)
        return projected_tangents(kernel, rows, Bundle(tangents, bundle.along))

    found = Tangents(
        settle(path.times, path.states[:, :n], split(path.states)),
        settle(np.array([path.final_time]), path.final_state[None, :n], split(path.final_state[None]))[0],
        settle(happened.times, happened.states[:, :n], split(happened.states)),
    )
    return replace(
        path,
        states=path.states[:, :n],
        final_state=path.final_state[:n],
        occurrences=replace(happened, states=happened.states[:, :n]),
        tangents=found,
    )


def projected_tangents(kernel: SystemKernel, rows: Array, bundle: Bundle) -> Array:
    """Tangents at many input vectors with the least change that obeys ``(∂g/∂y) δ + ∂g/∂p = 0`` for every invariant g.

    Coordinates obey the invariants of the coordinates alone, then speeds obey the others.
    """
    table, result = kernel.invariant_slopes, bundle.values
    if table is None or not len(rows):
        return result
    count, n, own = len(kernel.equations.coordinates), len(kernel.equations.state), len(kernel.invariants)
    positions = kernel.positions
    slopes = table(rows).reshape(len(rows), own, -1)
    push = direction_columns(kernel, slopes, bundle.along)
    result = result.copy()
    for low, high, a, b in ((0, positions, 0, count), (positions, own, count, n)):
        if high > low:
            gap = slopes[:, low:high, :n] @ result + push[:, low:high]
            result[:, a:b] -= np.linalg.pinv(slopes[:, low:high, a:b], rcond=1e-12) @ gap
    return result


def direction_columns(kernel: SystemKernel, slopes: Array, along: Sequence[str | None]) -> Array:
    """The columns of slopes by (state, inputs, parameters) that belong to the directions; zero where none does."""
    n = len(kernel.equations.state)
    place = {name: n + k for k, name in enumerate((*kernel.inputs, *kernel.parameters))}
    result = np.zeros((*slopes.shape[:-1], len(along)))
    for k, name in enumerate(along):
        if name is not None:
            result[..., k] = slopes[..., place[name]]
    return result


def changed_frame(old: SystemKernel, new: SystemKernel, row: Array, fresh: Array, bundle: Bundle) -> Bundle:
    """Tangents at a change of frame: the coordinates' rates are the same in both, ``K(x, z, p) = K'(x, z', p)``.

    ``row`` is the input vector of the old equations there, ``fresh`` the state of the new ones.
    """
    count, n = len(old.equations.coordinates), len(old.equations.state)
    after = np.concatenate([row[:1], fresh, row[1 + n :]])
    before, behind = kinematic_slopes(old, row), kinematic_slopes(new, after)
    size = len(fresh)
    result = np.empty((size, len(bundle.along)))
    result[:count] = bundle.values[:count]
    gap = before[:, :n] @ bundle.values - behind[:, :count] @ bundle.values[:count]
    gap += direction_columns(old, before, bundle.along) - direction_columns(new, behind, bundle.along)
    result[count:] = np.linalg.lstsq(behind[:, count:size], gap, rcond=None)[0]
    return Bundle(result, bundle.along)


def kinematic_slopes(kernel: SystemKernel, row: Array) -> Array:
    """``∂ẋ/∂(x, z, inputs, parameters)``."""
    _, solved = solved_rows(kernel, row[None])
    return np.asarray(kernel.all_slopes(row[None], solved)[0, : len(kernel.equations.coordinates)])
