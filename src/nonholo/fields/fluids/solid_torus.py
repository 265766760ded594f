"""The ideal fluid on the 3-torus: velocity in waves, ``u_t = P(u × curl u)``. [Zenkov 2016, Example 3.1]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError
from nonholo.fields.field_starts import formula, known_keys, sampled, wanted_times, whole_number
from nonholo.fields.field_steppers import reached_times, solve
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from nonholo.fields.density.flow import Flow

NAMES = ("u", "v", "w")


@dataclass(frozen=True)
class Fluid3:
    """An incompressible fluid of unit density on the torus of side 2π in space, on ``nodes``³ points.

    Hamel's equations with ``[ξ, η]`` the bracket of fields: ``d/dt u = P(u × curl u)``, P the projection on fields without
    divergence. Energy and helicity are kept by the finite equations (waves above a third of the nodes are left out).

    >>> abc = {"u": "sin(z) + cos(y)", "v": "sin(x) + cos(z)", "w": "sin(y) + cos(x)"}
    >>> run = Fluid3(nodes=8).simulate(abc, until=0.5, t_eval=2)
    >>> bool(abs(run["u"][-1] - run["u"][0]).max() < 1e-12)
    True
    """

    nodes: int = 24

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "nodes", whole_number(self.nodes, "fluid: nodes", 8, 128, "fewer than 8 nodes carry no swirl")
        )

    def as_field(self) -> Flow:
        """The same fluid as the flow of ``½|u|²`` without divergence."""
        from nonholo.fields.density.flow import Flow

        energy, still = "(u**2 + v**2 + w**2)/2", "u_x + v_y + w_z"
        return Flow("u v w", energy, over="x y z", constraint=still, nodes=self.nodes, name="ideal fluid in space")

    @property
    def points(self) -> Array:
        """The points along each axis."""
        return 2 * np.pi * np.arange(self.nodes) / self.nodes

    @cached_property
    def waves(self) -> tuple[Array, Array, Any]:
        """Wave vectors (three arrays), ``1/|k|²``, and the mask of the resolved waves."""
        n = self.nodes
        whole_line, half = np.fft.fftfreq(n, 1 / n), np.fft.rfftfreq(n, 1 / n)
        k = np.stack(np.meshgrid(whole_line, whole_line, half, indexing="ij"))
        square = np.sum(k**2, axis=0)
        inverse = np.divide(1.0, square, out=np.zeros_like(square), where=square > 0)
        return k, inverse, np.all(np.abs(k) <= (n - 1) // 3, axis=0) & (square > 0)

    def projected(self, hat: Any) -> Any:
        """The part of a field (in waves) without divergence, in the resolved waves."""
        k, inverse, kept = self.waves
        return (hat - k * np.sum(k * hat, axis=0) * inverse) * kept

    def _to_waves(self, field: Array) -> Any:
        return np.fft.rfftn(field, axes=(1, 2, 3))

    def _to_points(self, hat: Any) -> Array:
        return np.fft.irfftn(hat, s=(self.nodes,) * 3, axes=(1, 2, 3))

    def curl(self, field: Array) -> Array:
        """The vorticity of a velocity on the points."""
        k, _, _ = self.waves
        return self._to_points(1j * np.cross(k, self._to_waves(field), axis=0))

    def rates(self, state: Array) -> Array:
        """``u_t = P(u × curl u)`` on the points."""
        field = state.reshape(3, *(self.nodes,) * 3)
        return self._to_points(self.projected(self._to_waves(np.cross(field, self.curl(field), axis=0)))).ravel()

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        rtol: float = 1e-9,
        atol: float = 1e-11,
        t_eval: Any = None,
    ) -> Trajectory:
        """The motion from a velocity ``{"u": …, "v": …, "w": …}`` by texts in x, y and z, without divergence and mean."""
        given = known_keys(start, NAMES, "fluid")
        times = wanted_times(11 if t_eval is None else t_eval, until, "fluid")
        x = self.points
        spots = (x[:, None, None], x[None, :, None], x[None, None, :])
        rows = [
            sampled(formula(given.get(n, "0"), ("x", "y", "z"), f"fluid: {n}"), ("x", "y", "z"), f"fluid: {n}", *spots)
            for n in NAMES
        ]
        field = np.stack([np.broadcast_to(r, (self.nodes,) * 3) for r in rows])
        pure = self._to_points(self.projected(self._to_waves(field)))
        gap = float(np.max(np.abs(pure - field)))
        if gap > 1e-6 * max(1.0, float(np.max(np.abs(field)))):
            raise StateError(
                f"fluid: the velocity has divergence, a mean, or waves that {self.nodes} nodes do not carry ({gap:.1e} is not "
                "admissible); give one without."
            )
        found, status, end, steps, calls = solve(self.rates, pure.ravel(), times, "dop853", None, rtol, atol, "fluid")
        shown = np.array(found).reshape(len(found), 3, *(self.nodes,) * 3)
        cell = (2 * np.pi / self.nodes) ** 3
        over_time = {
            "energy": 0.5 * cell * np.sum(shown**2, axis=(1, 2, 3, 4)),
            "helicity": np.array([cell * np.sum(f * self.curl(f)) for f in shown]),
        }
        over_space = {n: shown[:, k] for k, n in enumerate(NAMES)}
        axes = dict.fromkeys(("x", "y", "z"), x)
        return trajectory(
            self, "ideal fluid in space", given, "dop853", reached_times(times, found, end), axes, over_space, over_time,
            ending(status, end), steps, calls,
        )  # fmt: skip
