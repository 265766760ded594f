"""A flow in waves: inertia, constraints and forces, one matrix for each wave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import kernel
from nonholo.errors import ModelError
from nonholo.fields.density.flow_record import FlowRecord

Array = NDArray[np.float64]
Waves = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Spectrum:
    """A flow in waves: what is linear is a matrix for each wave."""

    slopes: Waves
    """``i k`` along each place."""
    inertia: Waves
    """``m = A ξ``."""
    project: Waves
    """Onto waves that are kept and admissible."""
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
