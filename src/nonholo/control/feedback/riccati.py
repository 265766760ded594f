"""Linear quadratic regulators: about a state (algebraic Riccati equation) and along a run (differential Riccati equation)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.linear.linearise import Linearisation, spectrum_text, table, unsteady
from nonholo.analyse.stability.sampled_loop import zero_order_hold
from nonholo.errors import ModelError, meant
from nonholo.integrate.inputs import sampled
from nonholo.model.scalars import finite, number_array, positive

Numbers = NDArray[np.float64]
ROUNDING = 1e-9
"""A Hautus matrix whose least singular value is below this part of its norm has lost rank."""


@dataclass(frozen=True, eq=False)
class Regulator:
    """State feedback ``δu = −K δy`` that minimises ``∫ δyᵀQδy + δuᵀRδu``. Made by `lqr`.

    Along a run ``K`` and ``P`` have one more axis in front and ``times`` are not empty.
    """

    lin: Linearisation = field(repr=False)
    K: Numbers
    P: Numbers = field(repr=False)
    """The cost to go is ``δyᵀ P δy``."""
    every: float | None = None
    """The sampling interval of a discrete regulator; None for continuous time."""
    times: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)

    def __call__(self, t: float, state: Mapping[str, float]) -> dict[str, float]:
        """The inputs at a time and state, by name: a function for `nonholo.controller`."""
        return dict(zip(self.lin.inputs, map(float, _followed(self)(t, state))))

    def __str__(self) -> str:
        lin = self.lin
        if len(self.times):
            return f"{lin.name}: regulator of {', '.join(lin.inputs)} along a run of {self.times[-1] - self.times[0]:.6g} s"
        sampled_at = f", every {self.every:g} s" if self.every is not None else ""
        kind = "exponents" if self.every is None else "multipliers"
        lines = [f"{lin.name}: regulator δu = -K δy{sampled_at}", *table("K", self.K, lin.inputs, lin.names)]
        return "\n".join([*lines, f"  {kind} of the closed loop {spectrum_text(self.eigenvalues)}", *unsteady(lin)])

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of the closed loop: exponents, or multipliers per sampling interval; along a run a row for each time."""
        A, B = (self.lin.A, self.lin.B) if self.every is None else zero_order_hold(self.lin.A, self.lin.B, self.every)
        found = np.asarray(np.linalg.eigvals(A - B @ self.K), dtype=np.complex128)
        return np.asarray(-np.sort(-found, axis=-1))

    @property
    def inputs(self) -> dict[str, Any]:
        """What to give as ``inputs`` to `simulate`: laws as text, functions of time and state along a run, or sampled ones."""
        if self.every is None and not len(self.times):
            return self.lin.feedback(self.K)
        follow = _followed(self)
        one = {n: _component(follow, k) for k, n in enumerate(self.lin.inputs)}
        return {n: sampled(f, self.every) for n, f in one.items()} if self.every is not None else one


def _followed(regulator: Regulator) -> Callable[[float, Mapping[str, float]], Numbers]:
    """``u(t) − K(t) (y − y(t))``, linear between the times of the run."""
    lin, times = regulator.lin, regulator.times
    centre = np.stack([np.asarray(lin.state[n], dtype=float) for n in lin.names], axis=-1)
    held = np.stack([np.asarray(lin.state[n], dtype=float) for n in lin.inputs], axis=-1)
    if not len(times):
        return lambda t, state: held - regulator.K @ (np.array([state[n] for n in lin.names]) - centre)

    def law(t: float, state: Mapping[str, float]) -> Numbers:
        k = int(np.clip(np.searchsorted(times, t) - 1, 0, len(times) - 2))
        s = float(np.clip((t - times[k]) / (times[k + 1] - times[k]), 0.0, 1.0))
        y, u, K = ((1 - s) * e[k] + s * e[k + 1] for e in (centre, held, regulator.K))
        return np.asarray(u - K @ (np.array([state[n] for n in lin.names]) - y))

    return law


def _component(law: Callable[[float, Mapping[str, float]], Numbers], k: int) -> Callable[[float, Mapping[str, float]], float]:
    return lambda t, state: float(law(t, state)[k])


def lqr(
    lin: Linearisation, Q: Any = 1.0, R: Any = 1.0, *, every: float | None = None, final: Any = None
) -> Regulator:
    """The linear quadratic regulator of a linearisation; ``Q`` and ``R`` are matrices, numbers, or weights by name.

    About a state it solves ``AᵀP + PA − PBR⁻¹BᵀP + Q = 0``; with ``every`` the discrete one of the sampled system (inputs held,
    cost summed at the samples). About a run it integrates ``−Ṗ = AᵀP + PA − PBR⁻¹BᵀP + Q`` back from ``P = final`` (Q unless
    given) at the run's end.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - 4*cos(q)", forces={"q": "u"}, inputs="u")
    >>> upright = nh.lqr(nh.linearise(swing, {"q": 0}), {"q": 9, "qdot": 0}, 1)
    >>> upright.K.round(6).tolist()
    [[9.0, 4.242641]]
    >>> nh.simulate(swing, {"q": 0.3}, 10.0, inputs=upright.inputs).final["q"] < 1e-6
    True
    """
    if not isinstance(lin, Linearisation):
        found = type(lin).__name__
        raise ModelError(f"lqr: {found} where a linearisation is needed; give nh.linearise(system, state), then the weights.")
    if not lin.inputs:
        raise ModelError(f'{lin.name}: a regulator needs an input, and there is none; declare one, e.g. inputs="u".')
    held = None if every is None else positive(every, f"{lin.name}: lqr: every")
    weight, price = _matrix(Q, lin.names, "Q"), _matrix(R, lin.inputs, "R")
    _semidefinite(weight, "Q", 0.0)
    _semidefinite(price, "R", ROUNDING)
    end = weight if final is None else _matrix(final, lin.names, "final")
    if lin.A.ndim > 2:
        if held is not None:
            raise ModelError(f"{lin.name}: every={every!r} needs one state; sample the law along a run with nh.controller.")
        times = np.asarray(lin.state["t"], dtype=float)
        return _gains_along(lin, weight, price, end, times)
    from scipy.linalg import LinAlgError, solve_continuous_are, solve_discrete_are

    stuck = uncontrollable_modes(lin.A, lin.B)
    growing = [mode for mode in stuck if mode.real >= -ROUNDING]
    if growing:
        listed = ", ".join(f"{m.real:.4g}" if not m.imag else f"{m:.4g}" for m in growing)
        one = len(growing) == 1
        raise ModelError(
            f"{lin.name}: no regulator: the inputs do not reach the mode{'' if one else 's'} {listed}, which "
            f"do{'es' if one else ''} not decay; leave ignorable coordinates out (leave_out=\"all\"), "
            "fix conserved momenta by constraints, or add an input."
        )
    A, B = (lin.A, lin.B) if held is None else zero_order_hold(lin.A, lin.B, held)
    try:
        P = (solve_continuous_are if held is None else solve_discrete_are)(A, B, weight, price)
    except (LinAlgError, ValueError) as problem:
        raise ModelError(f"{lin.name}: no stabilising solution of the Riccati equation ({problem}); choose a larger Q.") from None
    K = np.linalg.solve(price, B.T @ P) if held is None else np.linalg.solve(price + B.T @ P @ B, B.T @ P @ A)
    return Regulator(lin, K, P, held)


def _gains_along(lin: Linearisation, Q: Numbers, R: Numbers, end: Numbers, times: Numbers) -> Regulator:
    """The gains at the times of a run, by the differential Riccati equation backwards."""
    from scipy.integrate import solve_ivp
    from scipy.interpolate import CubicSpline

    if len(times) < 2:
        raise ModelError(f"{lin.name}: a regulator along a run needs at least two times; simulate it with t_eval.")
    slopes, columns = CubicSpline(times, lin.A), CubicSpline(times, lin.B)
    inverse, size = np.linalg.inv(R), len(lin.names)

    def rate(t: float, p: Numbers) -> Numbers:
        P, A, B = p.reshape(size, size), slopes(t), columns(t)
        return np.asarray(-(A.T @ P + P @ A - P @ B @ inverse @ B.T @ P + Q)).ravel()

    found = solve_ivp(rate, (times[-1], times[0]), end.ravel(), t_eval=times[::-1], rtol=1e-9, atol=1e-11, method="LSODA")
    if not found.success:
        raise ModelError(f"{lin.name}: the Riccati equation along the run stopped at t = {found.t[-1]:g}; choose a shorter run.")
    P = found.y.T[::-1].reshape(-1, size, size)
    return Regulator(lin, np.einsum("ij,tkj,tkl->til", inverse, lin.B, P), P, None, times)


def controllable_subspace(A: Numbers, B: Numbers) -> Numbers:
    """An orthonormal basis, in rows, of the span of ``B, AB, A²B, …``, by a staircase of orthogonal steps.

    >>> controllable_subspace(np.diag([1.0, -2.0]), np.array([[0.0], [1.0]])).tolist()
    [[0.0, 1.0]]
    """
    rows = np.zeros((0, len(A)))
    columns, scale = B, max(1.0, float(np.linalg.norm(A)))
    while columns.size and len(rows) < len(A):
        left = columns - rows.T @ (rows @ columns)
        u, sizes, _ = np.linalg.svd(left, full_matrices=False)
        new = u[:, sizes > ROUNDING * max(1.0, float(np.linalg.norm(columns)))].T
        if not len(new):
            break
        rows = np.vstack([rows, new - (new @ rows.T) @ rows])
        columns = A @ new.T / scale
    return rows


def uncontrollable_modes(A: Numbers, B: Numbers) -> tuple[complex, ...]:
    """Eigenvalues of A modulo the controllable subspace: modes that no input reaches, ``rank (A − λ, B) < n``. [Hautus 1969]

    >>> uncontrollable_modes(np.diag([1.0, -2.0]), np.array([[0.0], [1.0]]))
    ((1+0j),)
    """
    rows = controllable_subspace(A, B)
    across = np.linalg.svd(rows)[2][len(rows) :] if len(rows) else np.eye(len(A))
    found = [complex(v) for v in np.linalg.eigvals(across @ A @ across.T)] if len(across) else []
    return tuple(sorted(found, key=lambda v: (-v.real, v.imag)))


def _matrix(given: Any, names: tuple[str, ...], what: str) -> Numbers:
    """A weight as a matrix: numbers on the diagonal, by name, or as it is."""
    size = len(names)
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise ModelError(f"lqr: {what} names {name!r}; {meant(str(name), names, f'it may weigh {chr(44).join(names)}.')}")
        return np.diag([finite(given.get(n, 0.0), f"lqr: {what} of {n}") for n in names])
    found = number_array(given, f"lqr: {what}")
    if found.ndim == 0 or found.shape == (size,):
        found = np.diag(np.broadcast_to(found, (size,)))
    if found.shape != (size, size) or not np.all(np.isfinite(found)):
        shape = f"of shape {found.shape}" if found.shape != (size, size) else "holds no finite numbers"
        raise ModelError(f"lqr: {what} {shape} where {size} by {size} finite numbers ({', '.join(names)}) are needed.")
    return np.asarray((found + found.T) / 2)


def _semidefinite(matrix: Numbers, what: str, least: float) -> None:
    values = np.linalg.eigvalsh(matrix) if len(matrix) else np.zeros(1)
    bound = least * max(1e-300, float(values[-1])) if least else -ROUNDING * max(1.0, float(np.max(np.abs(values))))
    if values[0] < bound or (least and values[0] <= 0):
        word = "positive" if least else "non-negative"
        raise ModelError(f"lqr: {what} has the eigenvalue {values[0]:.4g} where {word} ones are needed.")
