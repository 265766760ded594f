"""The convective representation of a flow on the torus: ``q̇ = Tq ξ``, the velocity seen by the particles. [Zenkov 2016,
Remark 3.1]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.fields.field_starts import known_keys, wanted_times
from nonholo.fields.field_steppers import reached_times, solve
from nonholo.fields.fluids.fluid import Fluid, spectrum
from nonholo.program.array_types import Array


@dataclass(frozen=True)
class ConvectiveFlow:
    """Particles with labels X on the grid: their places ``q(X)``, ``Tq``, the convective velocity ``ξ = (Tq)⁻¹ u∘q``.

    The vorticity carried back, ``w∘q det Tq``, is that of the start: in this representation it does not move.
    """

    time: Array
    places: Array
    """(time, 2, x, y)"""
    tangent: Array
    """Tq: (time, 2, 2, x, y)"""
    velocity: Array
    """ξ: (time, 2, x, y)"""
    vorticity: Array
    """w(q(X)) det Tq(X): (time, x, y)"""

    @property
    def volume(self) -> Array:
        """det Tq, which is 1."""
        t = self.tangent
        return np.asarray(t[:, 0, 0] * t[:, 1, 1] - t[:, 0, 1] * t[:, 1, 0])

    @property
    def energy(self) -> Array:
        """``½ ∫ ⟨ξ, ξ⟩_q`` in the metric carried back, ``Tqᵀ Tq``."""
        moved = np.einsum("tabxy,tbxy->taxy", self.tangent, self.velocity)
        cell = (2 * np.pi / self.places.shape[-1]) ** 2
        return np.asarray(0.5 * cell * np.sum(moved**2, axis=(1, 2, 3)))


def convective(
    fluid: Fluid,
    start: Mapping[str, Any] | None = None,
    until: float = 1.0,
    rtol: float = 1e-9,
    atol: float = 1e-10,
    t_eval: Any = None,
) -> ConvectiveFlow:
    """The flow of a `Fluid` seen by its particles: Ψ_q = TL_q instead of TR_q.

    >>> flow = convective(Fluid(nodes=12), {"vorticity": "2*cos(x)*cos(y)"}, until=0.2, t_eval=2)
    >>> bool(abs(flow.volume - 1).max() < 1e-3)
    True
    """
    given = known_keys(start, ("vorticity",), "fluid")
    times = wanted_times(6 if t_eval is None else t_eval, until, "fluid")
    n = fluid.nodes
    waves = fluid.waves(given.get("vorticity", "0"))
    labels = np.stack(np.meshgrid(fluid.points, fluid.points, indexing="ij"))
    size = len(waves)

    def rates(y: Array) -> Array:
        u = _velocity(fluid, y[:size], labels + y[size:].reshape(2, n, n))
        return np.concatenate([fluid.rates(y[:size]), u.ravel()])

    rows, _, end, *_ = solve(rates, np.concatenate([waves, np.zeros(2 * n * n)]), times, "dop853", None, rtol, atol, "fluid")
    places, tangents, speeds, swirls = [], [], [], []
    for row in rows:
        shift = row[size:].reshape(2, n, n)
        tangent = np.eye(2)[:, :, None, None] + _slopes(shift)
        u, w = _velocity(fluid, row[:size], labels + shift), _at(row[:size], n, labels + shift)
        det = tangent[0, 0] * tangent[1, 1] - tangent[0, 1] * tangent[1, 0]
        xi = np.stack([tangent[1, 1] * u[0] - tangent[0, 1] * u[1], tangent[0, 0] * u[1] - tangent[1, 0] * u[0]]) / det
        places.append(labels + shift)
        tangents.append(tangent)
        speeds.append(xi)
        swirls.append(w * det)
    return ConvectiveFlow(
        reached_times(times, rows, end), np.array(places), np.array(tangents), np.array(speeds), np.array(swirls)
    )


def _slopes(shift: Array) -> Array:
    """``∂(q − X)/∂X`` by waves: periodic."""
    n = shift.shape[-1]
    known = spectrum(n)
    hat = np.fft.rfft2(shift)
    return np.stack([np.fft.irfft2(known.dx * hat, s=(n, n)), np.fft.irfft2(known.dy * hat, s=(n, n))], axis=1)


def _sum(hat: Any, n: int, spots: Array) -> Array:
    """A series of waves at any places: exponentials along each axis."""
    kx, ky = np.fft.fftfreq(n, 1 / n), np.fft.rfftfreq(n, 1 / n)
    twice = np.where(ky == 0, 1.0, 2.0)
    kept = np.abs(kx) <= (n - 1) // 3
    few = ky <= (n - 1) // 3
    x, y = spots.reshape(2, -1)
    along, up = np.exp(1j * np.outer(x, kx[kept])), np.exp(1j * np.outer(y, ky[few])) * twice[few]
    table = hat[np.ix_(kept, few)]
    return np.asarray(np.einsum("pk,kl,pl->p", along, table, up).real / n**2).reshape(spots.shape[1:])


def _velocity(fluid: Fluid, waves: Array, spots: Array) -> Array:
    n = fluid.nodes
    known = spectrum(n)
    stream = -_hat(waves, n) * known.inverse
    return np.stack([_sum(-known.dy * stream, n, spots), _sum(known.dx * stream, n, spots)])


def _at(waves: Array, n: int, spots: Array) -> Array:
    return _sum(_hat(waves, n), n, spots)


def _hat(waves: Array, n: int) -> Any:
    return np.ascontiguousarray(waves).view(complex).reshape(n, n // 2 + 1)
