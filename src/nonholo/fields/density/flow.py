"""A field of velocities seen from space, ``q̇ = ξ∘q``: Euler and Poincaré's equations of one's own density. [Zenkov 2016, §3.3]"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import kernel
from nonholo.errors import ModelError, StateError
from nonholo.fields.density.flow_record import FlowRecord
from nonholo.fields.field_starts import formula, known_keys, sampled, wanted_times
from nonholo.fields.field_steppers import reached_times, solve
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.finding import Finding, bounded
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import Array

Waves = NDArray[np.complex128]
LOST = 1e-6
"""The part of a start that may lie in waves which the nodes do not carry, or break the constraints."""
BOUND = 1e-6


@dataclass(frozen=True, eq=False)
class Spectrum:
    """A flow in waves: what is linear is a matrix for each wave."""

    slopes: Waves
    """``i k`` along each place."""
    inertia: Waves
    """``m = A ξ``."""
    project: Waves
    """Projection onto the resolved, admissible waves."""
    solve: Waves
    """``Z (Zᴴ A Z)⁻¹ Zᴴ`` for a basis Z of the admissible velocities of each wave."""
    push: Callable[[Waves, float], Array] | None


def spectrum_of(flow: FlowRecord) -> Spectrum:
    """The matrices of a flow; a ModelError where a wave that may move has no inertia."""
    n, count, names = flow.nodes, len(flow.places), flow.components
    line = np.fft.fftfreq(n, 1 / n) * (2 * np.pi / flow.length)
    half = np.fft.rfftfreq(n, 1 / n) * (2 * np.pi / flow.length)
    k = np.stack(np.meshgrid(*([line] * (count - 1)), half, indexing="ij"))
    jets, fixed = flow.jets, {symbol(p): v for p, v in dict(flow.parameters or {}).items()}

    def matrix(rows: list[Expr]) -> Waves:
        """Linear expressions in the jets as rows over the components, one matrix for each wave."""
        found = np.zeros((len(rows), len(names), *k.shape[1:]), dtype=complex)
        for r, row in enumerate(rows):
            for name, letters in jets.parts(row):
                factor = substitute([row.diff(jets.symbol(name, letters))], fixed)[0]
                wave = np.prod([1j * k[flow.places.index(e)] for e in letters], axis=0) if letters else 1.0
                found[r, names.index(name)] += float(factor) * wave
        return found

    inertia = matrix([jets.euler(flow.density, c) for c in names])
    bounds = matrix(list(flow.constraints))
    kept = np.all(np.abs(k) <= ((n - 1) // 3) * (2 * np.pi / flow.length) * (1 + 1e-9), axis=0)
    project, solve = np.zeros_like(inertia), np.zeros_like(inertia)
    for index in zip(*np.nonzero(kept)):
        at = (slice(None), slice(None), *index)
        free: Any = kernel(bounds[at], 1e-12, 1.0)
        if not free.shape[1]:
            continue
        mass = free.conj().T @ inertia[at] @ free
        if np.linalg.eigvalsh(mass)[0] <= 1e-12 * max(1.0, float(np.abs(inertia[at]).max())):
            wave = ", ".join(f"{e[index]:g}" for e in k)
            raise ModelError(
                f"{flow.name}: the density gives no inertia, or a negative one, to the wave with numbers ({wave}); add a term "
                f"such as {names[0]}**2/2, or a constraint that leaves this wave out."
            )
        project[at] = free @ free.conj().T
        solve[at] = free @ np.linalg.solve(mass, free.conj().T)
    return Spectrum(1j * k, inertia, project, solve, _push(flow, 1j * k, fixed))


def _push(flow: FlowRecord, slopes: Waves, fixed: Mapping[Any, float]) -> Callable[[Waves, float], Array] | None:
    """The forces on the points, from the waves of ξ and the time."""
    if not flow.pushes:
        return None
    count, jets = len(flow.places), flow.jets
    size = (flow.nodes,) * count
    rows = [flow.pushes.get(n, ZERO) for n in flow.components]
    parts = sorted({p for r in rows for p in jets.parts(r)})
    letters = [*(jets.symbol(*p) for p in parts), *(symbol(p) for p in flow.places), symbol("t")]
    function = numeric_function(letters, substitute(rows, fixed), backend="lambda")
    spots = [np.broadcast_to(e, size).ravel() for e in np.meshgrid(*([flow.points] * count), indexing="ij")]

    def push(waves: Waves, t: float) -> Array:
        columns = []
        for name, by in parts:
            hat = waves[flow.components.index(name)]
            for e in by:
                hat = hat * slopes[flow.places.index(e)]
            columns.append(np.fft.irfftn(hat, s=size).ravel())
        table = np.stack([*columns, *spots, np.full(len(spots[0]), t)], axis=-1)
        return np.asarray(function(table), dtype=float).reshape(-1, len(rows)).T.reshape(len(rows), *size)

    return push


@dataclass(frozen=True, repr=False)
class Flow(FlowRecord):
    """Velocities on a circle or torus that make the action of a density stationary. [Zenkov 2016, Example 3.1]

    ``velocity`` are the components ξ along the places ``over`` (``"s"``, ``"x y"`` or ``"x y z"``). ``lagrangian`` is a density
    quadratic in them and their derivatives (``u``, ``u_x``, ``u_xy``) with constant coefficients, ``constraint`` residuals linear
    in the same (``u_x + v_y``), ``forces`` densities by component in velocities, places and t. With ``[ξ, η] = ξ·∇η − η·∇ξ`` and
    ``m = δl/δξ``,

        d/dt m_i = −∂_j(ξ_j m_i) − m_j ∂_i ξ_j + Q_i        along velocities that keep the constraints.

    Every function is a sum of waves up to a third of the nodes, so that the finite equations keep the energy.

    >>> fluid = Flow("u v", "(u**2 + v**2)/2", over="x y", constraint="u_x + v_y", nodes=16)
    >>> run = fluid.simulate({"u": "sin(x)*cos(y)", "v": "-cos(x)*sin(y)"}, until=1.0, t_eval=2)
    >>> bool(abs(run["u"][-1] - run["u"][0]).max() < 1e-12)
    True
    >>> print(Flow("u", "(u**2 + a**2*u_s**2)/2", parameters={"a": 0.3}).equations)  # Camassa and Holm's
    Hamel's equations
    <BLANKLINE>
      d/dt (u - a**2*u_ss) = a**2*(2*u_s*u_ss + u*u_sss) - 3*u*u_s
    """

    @cached_property
    def spectrum(self) -> Spectrum:
        """The flow in waves."""
        return spectrum_of(self)

    def rates(self, waves: Waves, t: float = 0.0) -> Waves:
        """``d/dt`` of the waves of ξ: products on the points, then along velocities that keep the constraints."""
        known, count = self.spectrum, len(self.places)
        axes = tuple(range(1, count + 1))
        momentum = np.einsum("ij...,j...->i...", known.inertia, waves)
        size = (self.nodes,) * count

        def shown(hat: Any) -> Array:
            return np.fft.irfftn(hat, s=size, axes=tuple(range(-count, 0)))

        u, m = shown(waves), shown(momentum)
        slopes = shown(known.slopes[:, None] * waves[None])  # [i, j]: ∂_i ξ_j
        flux = np.fft.rfftn(u[:, None] * m[None], axes=tuple(range(2, count + 2)))  # [j, i]: ξ_j m_i
        force = -np.einsum("j...,ji...->i...", known.slopes, flux)
        force -= np.fft.rfftn(np.einsum("j...,ij...->i...", m, slopes), axes=axes)
        if known.push is not None:
            force += np.fft.rfftn(known.push(waves, t), axes=axes)
        return np.einsum("ij...,j...->i...", known.solve, force)

    def waves(self, start: Mapping[str, Any]) -> Waves:
        """The waves of a start: components as texts in the places."""
        given = known_keys(start, self.components, self.name)
        spots = np.meshgrid(*([self.points] * len(self.places)), indexing="ij", sparse=True)
        rows = [
            np.broadcast_to(
                sampled(formula(given.get(n, "0"), self.places, f"{self.name}: {n}"), self.places, f"{self.name}: {n}", *spots),
                (self.nodes,) * len(self.places),
            )
            for n in self.components
        ]
        full = np.fft.rfftn(np.stack(rows), axes=tuple(range(1, len(self.places) + 1)))
        kept = np.einsum("ij...,j...->i...", self.spectrum.project, full)
        gap, size = (float(np.sum(np.abs(e) ** 2)) for e in (full - kept, full))
        if gap > LOST * size:
            raise StateError(
                f"{self.name}: {gap / size:.1e} of the start breaks the constraints or is in waves that {self.nodes} nodes do "
                f"not carry; give one that is periodic in {self.length:.6g}, smooth and admissible, or take more nodes."
            )
        return np.asarray(kept)

    def energy(self, waves: Waves) -> float:
        """``l(ξ)``, which is ``½⟨m, ξ⟩``."""
        return 0.5 * self._pair(np.einsum("ij...,j...->i...", self.spectrum.inertia, waves), waves)

    def _pair(self, one: Waves, two: Waves) -> float:
        count = len(self.places)
        a, b = (np.fft.irfftn(e, s=(self.nodes,) * count, axes=tuple(range(1, count + 1))) for e in (one, two))
        return float(np.sum(a * b)) * (self.length / self.nodes) ** count

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        rtol: float = 1e-9,
        atol: float = 1e-11,
        t_eval: Any = None,
    ) -> Trajectory:
        """The motion from components of ξ as texts in the places; its Dataset has them, energy and momenta."""
        times = wanted_times(51 if t_eval is None else t_eval, until, self.name)
        first, shape = self.waves(start or {}), self.spectrum.solve.shape[1:]

        def moved(state: Any) -> Any:
            """The rates of the waves as real numbers, and that of the time, which forces may hold."""
            found = self.rates(state[:-1].view(complex).reshape(shape), float(state[-1]))
            return np.append(np.ascontiguousarray(found).view(float), 1.0)

        packed = np.append(np.ascontiguousarray(first).view(float), 0.0)
        with np.errstate(all="ignore"):
            finite = bool(np.all(np.isfinite(moved(packed))))
        if not finite:
            raise StateError(f"{self.name}: the forces have no finite value at the start.")
        found, status, end, steps, calls = solve(moved, packed, times, "dop853", None, rtol, atol, self.name)
        rows = [np.ascontiguousarray(r[:-1]).view(complex).reshape(shape) for r in found]
        count = len(self.places)
        grid = np.array([np.fft.irfftn(r, s=(self.nodes,) * count, axes=tuple(range(1, count + 1))) for r in rows])
        over_space = {n: grid[:, k] for k, n in enumerate(self.components)}
        mean = [np.einsum("ij...,j...->i...", self.spectrum.inertia, r)[(slice(None), *(0,) * count)].real for r in rows]
        scale = (self.length / self.nodes) ** count
        over_time = {"energy": np.array([self.energy(r) for r in rows])}
        over_time |= {f"momentum_{p}": scale * np.array([m[k] for m in mean]) for k, p in enumerate(self.places)}
        if count == 1:  # the curve that a film draws: the velocity over its place
            over_space |= {"x": np.broadcast_to(self.points, grid[:, 0].shape).copy(), "y": grid[:, 0]}
        if count == 2:
            slopes = self.spectrum.slopes
            swirl = [slopes[0] * r[1] - slopes[1] * r[0] for r in rows]
            over_space["vorticity"] = np.array([np.fft.irfftn(w, s=(self.nodes,) * 2) for w in swirl])
        axes = dict.fromkeys(self.places, self.points)
        return trajectory(
            self, self.name, dict(start or {}), "dop853", reached_times(times, rows, end), axes, over_space, over_time,
            ending(status, end), steps, calls,
        )  # fmt: skip

    def facts(self, run: Trajectory) -> tuple[Finding, ...]:
        """Conservation along a motion: energy and momenta, where no force acts."""
        if self.pushes:
            return ()
        found = [bounded("energy is conserved", float(run.drift("energy")), BOUND, f"{self.nodes} nodes")]
        for place in self.places:
            values = np.asarray(run[f"momentum_{place}"])
            size = max(1.0, float(np.max(np.abs(values))))
            claim = f"the momentum along {place} is conserved"
            found.append(bounded(claim, float(np.ptp(values)) / size, BOUND, "the density does not hold the place"))
        return tuple(found)

    def __repr__(self) -> str:
        return f"<Flow {self.name}: {', '.join(self.components)} over {', '.join(self.places)}, {self.nodes} nodes>"
