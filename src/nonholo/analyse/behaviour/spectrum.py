"""The linear flow about a steady motion, on the manifold and seen from the moving group, cut into what each part is due to.

At ``f(y) = η_a ξ_a(y)`` the matrix ``A = ∂(f − η_a ξ_a)/∂y`` acts on the tangent T of ``g = 0`` and maps the orbit of the
symmetry to itself. What is left, ``T`` modulo the orbit, has zeros for families and for integrals, and the genuine modes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.behaviour.flow import Flow
from nonholo.analyse.behaviour.steady import kernel, outside, span
from nonholo.analyse.steep import infinite
from nonholo.errors import StateError

Numbers = NDArray[np.float64]
Complex = NDArray[np.complex128]
ZERO = 1e-8
"""Singular values below this part of the largest slope are zero: each is an eigenvalue zero."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The linear flow in parts. Columns are directions in the state."""

    tangent: Numbers
    """T: directions in which the state may go."""
    orbit: Numbers
    """Along the symmetry."""
    orbit_values: Complex
    """Eigenvalues along the symmetry: zero, or ±iη where the motion turns."""
    chain: tuple[Numbers, ...]
    """Directions with eigenvalue zero beside the orbit: first what is at rest, then what drifts along it, and so on."""
    rest: Numbers
    """Directions across all of these."""
    matrix: Numbers
    """The linear flow in ``rest``, modulo the others: no eigenvalue is zero."""
    scale: float
    """The size of the slopes."""

    @property
    def still(self) -> int:
        """How many independent directions beside the orbit are at rest."""
        return self.chain[0].shape[1] if self.chain else 0

    @property
    def zeros(self) -> int:
        """How many eigenvalues beside the orbit's are zero, counted with what drifts."""
        return sum(part.shape[1] for part in self.chain)

    @property
    def values(self) -> Complex:
        """The eigenvalues that are left, by falling real part, then imaginary part."""
        return modes_of(self.matrix)[0]

    @property
    def all_values(self) -> Complex:
        """Every eigenvalue on the manifold: those left, zeros, the orbit's."""
        return np.concatenate([self.values, np.zeros(self.zeros), self.orbit_values])


def modes_of(matrix: Numbers) -> tuple[Complex, Complex]:
    """Eigenvalues and eigenvectors (columns), by falling real part (equal ones by rising frequency, positive first)."""
    if not len(matrix):
        return np.zeros(0, dtype=np.complex128), np.zeros((0, 0), dtype=np.complex128)
    values, vectors = np.linalg.eig(matrix)
    size = max(1e-300, float(np.max(np.abs(values))))
    listed = [complex(v) for v in values]
    order = sorted(
        range(len(listed)),
        key=lambda k: (-round(listed[k].real / size, 9), round(abs(listed[k].imag) / size, 9), listed[k].imag < 0),
    )
    return np.asarray(values[order], dtype=np.complex128), np.asarray(vectors[:, order], dtype=np.complex128)


def comoving(flow: Flow, state: Numbers, velocity: Numbers) -> Numbers:
    """``A = ∂(f − η_a ξ_a)/∂y`` at a state."""
    matrix = flow.slopes(state[None])[0]
    if len(velocity):
        matrix = matrix - np.einsum("a,aij->ij", velocity, flow.moved(state[None])[1][0])
    return np.asarray(matrix)


def spectrum(flow: Flow, state: Numbers, velocity: Numbers) -> Spectrum:
    """The linear flow about a steady motion, in parts."""
    if infinite(flow.slopes_at, flow.rows(state[None]), flow.size, flow.derived.slopes.rooted):
        raise StateError(
            f"{flow.name}: no linear flow about this state, where a rate has no finite slope; smooth the force there, for "
            "example sqrt(v**2 + 1e-6) in place of Abs(v)."
        )
    matrix = comoving(flow, state, velocity)
    return cut(matrix, flow.bound(state[None])[1][0], flow.moved(state[None])[0][0])


def cut(matrix: Numbers, bound: Numbers, fields: Numbers, still: int | tuple[int, ...] | None = None) -> Spectrum:
    """The matrix on ``∂g = 0``, cut into the orbit that the fields (rows) span, zeros, and the rest.

    With ``still`` that many directions are set aside as the family's (and then as many as the next entry says, of what is
    left), whatever else is small: so a branch can be followed through a zero of a mode.
    """
    asked = (still,) if isinstance(still, int) else still
    T = kernel(bound, 1e-9)
    inner = T.T @ matrix @ T
    scale = max(float(np.linalg.norm(inner, 2)), 1e-300)
    orbit = span(T.T @ fields.T)
    taken = orbit
    chain: list[Numbers] = []
    while True:
        rest = _complement(taken)
        left = rest.T @ inner @ rest
        if asked is not None and (len(chain) >= len(asked) or not asked[len(chain)]):
            break
        free = _smallest(left, asked[len(chain)]) if asked is not None else _zeros(left, scale)
        if not free.shape[1]:
            break
        chain.append(rest @ free)
        taken = np.hstack([taken, rest @ free])
    own = _without_dust(orbit.T @ inner @ orbit, scale)
    return Spectrum(T, T @ orbit, own, tuple(T @ c for c in chain), T @ rest, left, scale)


def _without_dust(matrix: Numbers, scale: float) -> Complex:
    """Eigenvalues with zeros peeled off one kernel after the other: where zeros are chained, rounding makes roots of itself."""
    zeros = 0
    while len(matrix):
        free = _zeros(matrix, scale)
        if not free.shape[1]:
            break
        zeros += free.shape[1]
        rest = _complement(free)
        matrix = rest.T @ matrix @ rest
    values = np.linalg.eigvals(matrix).astype(complex) if len(matrix) else np.zeros(0, dtype=complex)
    return np.concatenate([values, np.zeros(zeros)])


def _zeros(matrix: Numbers, scale: float) -> Numbers:
    if not len(matrix):
        return np.zeros((0, 0))
    return kernel(matrix, ZERO * scale / max(float(np.linalg.norm(matrix, 2)), 1e-300))


def _smallest(matrix: Numbers, count: int) -> Numbers:
    """The directions in which a matrix does least."""
    return np.asarray(np.linalg.svd(matrix)[2][max(0, len(matrix) - count) :].T)


def _complement(basis: Numbers) -> Numbers:
    return outside(np.eye(len(basis)), basis)
