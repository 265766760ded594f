"""The ideal fluid on the flat torus: Euler and Poincaré's equations on volume-preserving maps. [Zenkov 2016, Example 3.1]

With the stream function ψ, ``u = (−ψ_y, ψ_x)`` and vorticity ``w = Δψ``, the equations ``d/dt δl/δξ = [ξ, δl/δξ]*`` are
the transport of vorticity, ``w_t = −u·∇w``. Waves above a third of the nodes are left out (2/3 rule), so that products
of the kept ones are exact and the finite equations keep energy and enstrophy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError
from nonholo.fields.field_starts import formula, known_keys, sampled, wanted_times, whole_number
from nonholo.fields.field_steppers import reached_times, solve
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    from nonholo.fields.density.flow import Flow

POINTS = 51
LOST = 1e-6
"""The part of a start's enstrophy that may lie in waves which the nodes do not carry."""


@dataclass(frozen=True)
class Fluid:
    """An incompressible fluid of unit density on the torus of side 2π, on ``nodes`` × ``nodes`` points.

    >>> run = Fluid(nodes=24).simulate({"vorticity": "2*cos(x)*cos(y)"}, until=1.0, t_eval=3)
    >>> run["vorticity"].shape, bool(abs(run["vorticity"][-1] - run["vorticity"][0]).max() < 1e-12)
    ((3, 24, 24), True)
    """

    nodes: int = 64

    def __post_init__(self) -> None:
        why = "fewer than 8 nodes carry no swirl"
        object.__setattr__(self, "nodes", whole_number(self.nodes, "fluid: nodes", 8, 4096, why))

    @property
    def points(self) -> AnyArray:
        """The points along x, and along y."""
        return 2 * np.pi * np.arange(self.nodes) / self.nodes

    @property
    def finest(self) -> int:
        """The highest resolved wave number along each axis."""
        return (self.nodes - 1) // 3

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "dop853",
        rtol: float = 1e-10,
        atol: float = 1e-12,
        t_eval: Any = None,
        step: float | None = None,
    ) -> Trajectory:
        """The motion from ``{"vorticity": text in x and y}``; ``method`` is ``"dop853"`` (order 8) or ``"gauss"`` (order 6).

        Gauss's method conserves energy and enstrophy, which are quadratic, to rounding at any ``step``.
        """
        given = known_keys(start, ("vorticity",), "fluid")
        times = wanted_times(POINTS if t_eval is None else t_eval, until, "fluid")
        waves = self.waves(given.get("vorticity", "0"))
        rows, status, end, steps, calls = solve(self.rates, waves, times, method, step, rtol, atol, "fluid")
        return self._trajectory(given, method, reached_times(times, rows, end), np.array(rows), ending(status, end), steps, calls)

    def as_field(self) -> Flow:
        """The same fluid as the flow of ``½|u|²`` without divergence."""
        from nonholo.fields.density.flow import Flow

        return Flow("u v", "(u**2 + v**2)/2", over="x y", constraint="u_x + v_y", nodes=self.nodes, name="ideal fluid")

    def waves(self, vorticity: Any) -> AnyArray:
        """The resolved waves of a vorticity given as text in x and y, as one real array."""
        shape = formula(vorticity, ("x", "y"), "fluid: vorticity")
        at = self.points
        values = sampled(shape, ("x", "y"), "fluid: vorticity", at[:, None], at[None, :])
        mean, size = float(values.mean()), float(np.max(np.abs(values)))
        if abs(mean) > 1e-12 * max(1.0, size):
            raise StateError(
                f"fluid: the vorticity has the mean {mean:.12g}, but on a torus it has none, since every flow comes back; "
                f"subtract it: ({vorticity}) {-mean:+.17g}."
            )
        full = np.fft.rfft2(values)
        kept = full * spectrum(self.nodes).kept
        lost = _enstrophy(full - kept, self.nodes)
        if lost > LOST * _enstrophy(full, self.nodes):
            part = lost / _enstrophy(full, self.nodes)
            raise StateError(
                f"fluid: {self.nodes} nodes are too few for this vorticity: they carry waves up to {self.finest}, and "
                f"{part:.1e} of "
                "its enstrophy is in finer ones; take more nodes, or a smoother (and 2π-periodic) vorticity."
            )
        return _packed(kept)

    def rates(self, waves: AnyArray) -> AnyArray:
        """``w_t = −u·∇w`` in waves, by products on the points."""
        known, n = spectrum(self.nodes), self.nodes
        w = _unpacked(waves, n)
        stream = -w * known.inverse
        grid = np.fft.irfft2(np.stack([-known.dy * stream, known.dx * stream, known.dx * w, known.dy * w]), s=(n, n))
        return _packed(-np.fft.rfft2(grid[0] * grid[2] + grid[1] * grid[3]) * known.kept)

    def vorticity(self, waves: AnyArray) -> AnyArray:
        """Values on the points, of one state or of rows of them."""
        n = self.nodes
        return np.fft.irfft2(_unpacked(waves, n), s=(n, n))

    def energy(self, waves: AnyArray) -> float:
        """``½ ∫ |u|²``."""
        w = _unpacked(waves, self.nodes)
        return _enstrophy(w * np.sqrt(spectrum(self.nodes).inverse), self.nodes)

    def enstrophy(self, waves: AnyArray) -> float:
        """``½ ∫ w²``."""
        return _enstrophy(_unpacked(waves, self.nodes), self.nodes)

    def _trajectory(
        self, given: Any, method: str, times: AnyArray, rows: AnyArray, end: Any, steps: int, calls: int
    ) -> Trajectory:
        n = self.nodes
        shown = np.array([self.vorticity(row) for row in rows]).reshape(len(rows), n, n)
        streams = np.array([np.fft.irfft2(-_unpacked(r, n) * spectrum(n).inverse, s=(n, n)) for r in rows]).reshape(
            shown.shape
        )
        zero = np.zeros(len(rows))
        over_time = {
            "energy": np.array([self.energy(row) for row in rows]), "enstrophy": np.array([self.enstrophy(row) for row in rows]),
            "momentum_x": zero, "momentum_y": zero.copy(),
        }  # fmt: skip
        axes = {"x": self.points, "y": self.points}
        over_space = {"vorticity": shown, "stream": streams}
        return trajectory(self, "ideal fluid", given, method, times, axes, over_space, over_time, end, steps, calls)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Derivatives as factors of the waves, ``1/|k|²`` (0 for k = 0), and the mask of the resolved waves."""

    dx: AnyArray
    dy: AnyArray
    inverse: AnyArray
    kept: AnyArray


@lru_cache(maxsize=8)
def spectrum(nodes: int) -> Spectrum:
    """The wave numbers of ``rfft2`` on ``nodes`` × ``nodes`` points."""
    kx, ky = np.fft.fftfreq(nodes, 1 / nodes)[:, None], np.fft.rfftfreq(nodes, 1 / nodes)[None, :]
    square = kx**2 + ky**2
    inverse = np.divide(1.0, square, out=np.zeros_like(square), where=square > 0)
    most = (nodes - 1) // 3
    kept = (np.abs(kx) <= most) & (np.abs(ky) <= most) & (square > 0)
    return Spectrum(1j * kx + 0 * ky, 1j * ky + 0 * kx, inverse, kept)


def _packed(waves: AnyArray) -> AnyArray:
    return np.ascontiguousarray(waves, dtype=complex).view(float).ravel()


def _unpacked(values: AnyArray, nodes: int) -> AnyArray:
    return np.ascontiguousarray(values).view(complex).reshape(nodes, nodes // 2 + 1)


def _enstrophy(waves: AnyArray, nodes: int) -> float:
    """``½ ∫ w²`` by Parseval; waves along the last axis count for their conjugates too."""
    twice = np.full(waves.shape[1], 2.0)
    twice[0] = 1.0
    if nodes % 2 == 0:
        twice[-1] = 1.0
    return float(0.5 * (2 * np.pi) ** 2 * np.sum(np.abs(waves) ** 2 * twice) / nodes**4)


def vector_bracket(nodes: int, one: AnyArray, two: AnyArray) -> AnyArray:
    """The stream function of the bracket of two flows, ``{ψ, χ} = ψ_x χ_y − ψ_y χ_x``, on the points."""
    known = spectrum(nodes)
    a, b = np.fft.rfft2(one), np.fft.rfft2(two)
    back = [np.fft.irfft2(f, s=(nodes, nodes)) for f in (known.dx * a, known.dy * b, known.dy * a, known.dx * b)]
    return np.asarray(back[0] * back[1] - back[2] * back[3])
