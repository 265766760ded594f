"""The ideal fluid in a rectangle with walls: sine series of vorticity, by odd continuation to a torus. [Zenkov 2016,
Example 3.1]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.errors import ModelError, StateError
from nonholo.fields.field_starts import formula, known_keys, number, sampled, wanted_times, whole_number
from nonholo.fields.field_steppers import reached_times, solve
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import Array

LOST = 1e-4
"""The part of a start's enstrophy that may lie in waves which the nodes do not carry."""


@dataclass(frozen=True)
class WalledFluid:
    """An incompressible fluid of unit density in the rectangle ``0 ≤ x ≤ a``, ``0 ≤ y ≤ b``; no flow through the walls.

    The stream function and the vorticity are sums of ``sin(kπx/a) sin(lπy/b)``: W is the space of fields tangent to the boundary.
    Waves above two thirds of the nodes are left out, so that energy and enstrophy are conserved.

    >>> run = WalledFluid(sides=(2.0, 1.0), nodes=16).simulate({"vorticity": "sin(pi*x/2)*sin(pi*y)"}, until=1.0, t_eval=3)
    >>> bool(abs(run["vorticity"][-1] - run["vorticity"][0]).max() < 1e-12)
    True
    """

    sides: tuple[float, float] = (1.0, 1.0)
    nodes: int = 48

    def __post_init__(self) -> None:
        if not isinstance(self.sides, (tuple, list)) or len(self.sides) != 2:
            raise ModelError(f"fluid: sides = {self.sides!r}; give the two sides of the rectangle, e.g. (2.0, 1.0).")
        object.__setattr__(self, "sides", tuple(number(s, "fluid: side", 0.0) for s in self.sides))
        object.__setattr__(
            self, "nodes", whole_number(self.nodes, "fluid: nodes", 8, 1024, "fewer than 8 nodes carry no swirl")
        )

    @property
    def points(self) -> tuple[Array, Array]:
        """The points along x and along y, walls included."""
        a, b = self.sides
        grid = np.arange(self.nodes + 1) / self.nodes
        return a * grid, b * grid

    @cached_property
    def factors(self) -> tuple[Any, Any, Array, Any]:
        """Derivatives as factors of the waves on the torus of double sides, ``1/|k|²``, and the mask of the resolved waves."""
        n, (a, b) = 2 * self.nodes, self.sides
        kx, ky = np.fft.fftfreq(n, 1 / n)[:, None], np.fft.rfftfreq(n, 1 / n)[None, :]
        square = (np.pi * kx / a) ** 2 + (np.pi * ky / b) ** 2
        inverse = np.divide(1.0, square, out=np.zeros_like(square), where=square > 0)
        most = (n - 1) // 3
        kept = (np.abs(kx) <= most) & (np.abs(ky) <= most)
        return 1j * np.pi * kx / a + 0 * ky, 1j * np.pi * ky / b + 0 * kx, inverse, kept

    def continued(self, inner: Array) -> Array:
        """Values inside, continued oddly over all four walls."""
        n = self.nodes
        whole_torus = np.zeros((2 * n, 2 * n))
        whole_torus[1:n, 1:n] = inner
        whole_torus[n + 1 :, 1:n] = -inner[::-1]
        whole_torus[1:n, n + 1 :] = -inner[:, ::-1]
        whole_torus[n + 1 :, n + 1 :] = inner[::-1, ::-1]
        return whole_torus

    def flow(self, inner: Array) -> tuple[Array, Array, Array]:
        """u, v and −u·∇w on the torus of double sides, of a vorticity inside."""
        dx, dy, inverse, kept = self.factors
        size = (2 * self.nodes, 2 * self.nodes)
        w = np.fft.rfft2(self.continued(inner)) * kept
        stream = -w * inverse
        u, v, wx, wy = (np.fft.irfft2(f, s=size) for f in (-dy * stream, dx * stream, dx * w, dy * w))
        return u, v, np.fft.irfft2(np.fft.rfft2(-u * wx - v * wy) * kept, s=size)

    def rates(self, state: Array) -> Array:
        """``w_t = −u·∇w`` at the inner points."""
        n = self.nodes
        return self.flow(state.reshape(n - 1, n - 1))[2][1:n, 1:n].ravel()

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "dop853",
        rtol: float = 1e-9,
        atol: float = 1e-11,
        t_eval: Any = None,
        step: float | None = None,
    ) -> Trajectory:
        """The motion from ``{"vorticity": text in x and y}``; it should vanish at the walls, or its jump there is smoothed."""
        given = known_keys(start, ("vorticity",), "fluid")
        times = wanted_times(51 if t_eval is None else t_eval, until, "fluid")
        x, y = self.points
        shape = formula(given.get("vorticity", "0"), ("x", "y"), "fluid: vorticity")
        values = sampled(shape, ("x", "y"), "fluid: vorticity", x[1:-1, None], y[None, 1:-1])
        kept = np.fft.irfft2(np.fft.rfft2(self.continued(values)) * self.factors[3], s=(2 * self.nodes,) * 2)[
            1 : self.nodes, 1 : self.nodes
        ]
        lost = float(np.sum((values - kept) ** 2)) / max(float(np.sum(values**2)), 1e-300)
        if lost > LOST:
            raise StateError(
                f"fluid: {lost:.1e} of the vorticity's square is in waves beyond {self.nodes} nodes; take more nodes, or a "
                "vorticity that is smooth and vanishes at the walls."
            )
        rows, status, end, steps, calls = solve(self.rates, kept.ravel(), times, method, step, rtol, atol, "fluid")
        shown, axes = self._quantities(np.array(rows)), {"x": x, "y": y}
        return trajectory(
            self, "fluid between walls", given, method, reached_times(times, rows, end), axes, *shown, ending(status, end),
            steps, calls,
        )  # fmt: skip

    def _quantities(self, rows: Array) -> tuple[dict[str, Array], dict[str, Array]]:
        n, (a, b) = self.nodes, self.sides
        fields = [self.flow(row.reshape(n - 1, n - 1)) for row in rows]
        vorticity = np.array([self.continued(row.reshape(n - 1, n - 1)) for row in rows])
        cut = slice(0, n + 1)
        cell = a * b / n**2 / 4  # the torus holds the rectangle four times
        energy = np.array([0.5 * cell * np.sum(u**2 + v**2) for u, v, _ in fields])
        space = {
            "vorticity": vorticity[:, cut, cut], "u": np.array([u[cut, cut] for u, _, _ in fields]),
            "v": np.array([v[cut, cut] for _, v, _ in fields]),
        }  # fmt: skip
        return space, {"energy": energy, "enstrophy": 0.5 * cell * np.sum(vorticity**2, axis=(1, 2))}
