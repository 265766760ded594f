"""The linear flow about a steady motion, on the manifold and seen from the moving group, cut into what each part is due to.

At ``f(y) = η_a ξ_a(y)`` the matrix ``A = ∂(f − η_a ξ_a)/∂y`` acts on the tangent T of ``g = 0`` and maps the orbit of the
symmetry to itself. What is left, ``T`` modulo the orbit, has zeros for families and for integrals, and the genuine modes.

Balancing is a similarity by a diagonal matrix [Osborne 1960; Parlett and Reinsch 1969]: rows and columns of ``D⁻¹ A D`` are
alike. A variable that acts on nothing (a place along a symmetry), or on which nothing acts, gets the unit in which it changes
as fast as the fastest mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.subspaces import (
    complement,
    complements,
    kernel,
    kernels,
    orthonormal,
    smallest,
    span,
    spans,
)
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.linear.linear_variables import infinite
from nonholo.errors import StateError

SHARE = 0.2
"""A variable that moves at least this part of the largest names the mode."""
ROUNDS = 40
LOOSE = 1e-7
"""A variable whose row times its column is below the square of this part of the fastest mode takes part in no mode."""
SLOW = 1e-7
"""Modes slower than this part of the slopes may be rounding: nothing is balanced."""
NOISE = 1e-13
"""Slopes below this part of the largest are rounding."""
REACH = 60
"""Units between 2 to the power of minus this and of this."""
Complex = NDArray[np.complex128]
ISOTROPY = 1e-9
"""A combination of symmetries that moves a state less than this, beside the largest, leaves it alone."""
CHOICES = 500
"""So many choices of generators are compared."""
ZERO = 1e-8
"""Singular values below this part of the largest slope are zero: each is an eigenvalue zero."""


@dataclass(frozen=True, eq=False)
class Mode:
    """One eigenvalue (of a pair the one with positive frequency) and its direction in the state."""

    eigenvalue: complex
    vector: FrozenMap[str, complex]
    """How far each state variable moves, across the orbit of the symmetry; the largest is 1."""

    @property
    def rate(self) -> float:
        """The real part: growth in 1/s."""
        return float(self.eigenvalue.real)

    @property
    def frequency(self) -> float:
        """The imaginary part, in rad/s."""
        return float(abs(self.eigenvalue.imag))

    @property
    def parts(self) -> tuple[str, ...]:
        """The variables that take part most, the largest first."""
        ordered = sorted(self.vector.items(), key=lambda item: -round(abs(item[1]), 9))
        return tuple(n for n, e in ordered if abs(e) >= SHARE)

    def __str__(self) -> str:
        none = 1e-9 * abs(self.eigenvalue)
        way = "grows" if self.rate > none else "decays" if self.rate < -none else ""
        words = " and ".join(filter(None, ("oscillates" if self.frequency > none else "", way))) or "is neutral"
        return f"{number(self.eigenvalue)}  {words}{': ' if self.parts else ''}{', '.join(self.parts)}"


def number(value: complex) -> str:
    """An eigenvalue as a person reads it.

    >>> number(-0.5 + 2j), number(3.0), number(2j)
    ('-0.5 ± 2i', '3', '± 2i')
    """
    value = complex(value)
    size = abs(value)
    real, imaginary = (0.0 if abs(e) < 1e-9 * size else e for e in (value.real, value.imag))
    if not imaginary:
        return f"{real + 0.0:.6g}"
    return (f"{real:.6g} " if real else "") + f"± {abs(imaginary):.6g}i"


def modes(flow: Flow, state: Numbers, velocity: Numbers, parts: Spectrum) -> tuple[Mode, ...]:
    """The modes that are left when symmetry and zeros are set aside, each with its direction on the manifold."""
    values, _ = modes_of(parts.matrix)
    T = parts.tangent
    inner = (T.T @ comoving(flow, state, velocity) @ T).astype(complex)
    result = []
    for value in values:
        if value.imag < -1e-9 * abs(value):
            continue
        _, _, rows = np.linalg.svd(inner - value * np.eye(len(inner)))
        vector = T @ rows[-1].conj()
        vector = vector - parts.orbit @ (parts.orbit.T @ vector)
        largest = vector[int(np.argmax(np.round(np.abs(vector), 9)))]
        vector = vector / largest if abs(largest) > 1e-9 else 0 * vector  # a mode along the orbits alone has no shape
        table = {n: complex(e) for n, e in zip(flow.names, vector) if abs(e) > 1e-9}
        result.append(Mode(complex(value), FrozenMap(table)))
    return tuple(result)


def balancing(matrix: Numbers) -> Numbers:
    """Units of the variables, powers of two, in which the rows and columns of a linear flow are alike.

    >>> balancing(np.array([[0.0, 1.0], [-4096.0, 0.0]])).tolist()
    [1.0, 64.0]
    """
    count = len(matrix)
    units = np.ones(count)
    if not count or not np.all(np.isfinite(matrix)):
        return units
    fastest = float(np.max(np.abs(np.linalg.eigvals(matrix)), initial=0.0))
    if fastest <= SLOW * float(np.linalg.norm(matrix)):
        return units
    off = np.abs(matrix) * (1 - np.eye(count))
    off[off < NOISE * np.max(off, initial=0.0)] = 0.0
    for _ in range(ROUNDS):
        before = units.copy()
        for i in range(count):
            row = float(np.linalg.norm(off[i] * units)) / units[i]
            column = float(np.linalg.norm(off[:, i] / units)) * units[i]
            if max(row, column) == 0.0:
                continue
            if row * column > (LOOSE * fastest) ** 2:
                units[i] *= np.sqrt(row / column)
            else:
                units[i] *= row / fastest if row > column else fastest / column
        units = units / np.exp(np.mean(np.log(units)))
        if np.max(np.abs(np.log(units / before))) < 0.1:
            break
    whole = np.clip(np.round(np.log2(units / units[0])), -REACH, REACH)
    return np.asarray(2.0**whole)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The linear flow in parts. Columns are directions in the state."""

    tangent: Numbers
    """T: directions in which the state may go."""
    orbit: Numbers
    """Along the symmetry."""
    along: Numbers
    """The linear flow along the symmetry."""
    chain: tuple[Numbers, ...]
    """Directions with eigenvalue zero beside the orbit: first what is at rest, then what drifts along it, and so on."""
    rest: Numbers
    """Directions across all of these."""
    matrix: Numbers
    """The linear flow in ``rest``, modulo the others: no eigenvalue is zero."""
    scale: float
    """The size of the slopes."""

    @property
    def orbit_values(self) -> Complex:
        """Eigenvalues along the symmetry: zero, or ±iη where the motion turns."""
        return _without_dust(self.along, self.scale)

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
        matrix = matrix - np.einsum("a,aij->ij", velocity, flow.generator_fields(state[None])[1][0])
    return np.asarray(matrix)


def quiet_velocity(flow: Flow, state: Numbers, velocity: Numbers) -> tuple[Numbers, bool]:
    """The group velocity along fewest generators that moves the state as the motion does; and whether there are others.

    Where a combination of the symmetries leaves the state alone, η is not unique: a ball that spins on top of a sphere is
    moved by a rotation about the vertical and by a rotation of the ball alone. Frequencies differ by that turn. Among the
    choices with as many zeros as there are such combinations, taken is the one that moves least what lies across the orbit.
    """
    fields, slopes = (part[0] for part in flow.generator_fields(state[None]))
    if not len(velocity):
        return velocity, False
    free = kernel(fields.T, ISOTROPY)
    count = free.shape[1]
    if not count or float(np.max(np.abs(velocity))) < ISOTROPY:
        return velocity, False
    T = kernel(flow.bound(state[None])[1][0], 1e-9)
    across = T @ complement(span(T.T @ fields.T))
    turns = np.einsum("ji,ajk,kl->ail", across, slopes, across).reshape(len(velocity), -1)
    choices = []
    for zeros in islice(combinations(range(len(velocity)), count), CHOICES):
        rows = free[list(zeros)]
        if np.linalg.svd(rows, compute_uv=False)[-1] > 1e-6:
            choices.append(velocity - free @ np.linalg.solve(rows, velocity[list(zeros)]))
    sizes = [round(float(np.linalg.norm(c @ turns)), 9) for c in choices]
    return np.asarray(choices[int(np.argmin(sizes))]) if choices else velocity, True


def spectrum(flow: Flow, state: Numbers, velocity: Numbers) -> Spectrum:
    """The linear flow about a steady motion, in parts."""
    if infinite(flow.slopes_at, flow.rows(state[None]), flow.size, flow.kernel.slopes.rooted):
        raise StateError(
            f"{flow.name}: no linear flow about this state, where a rate has no finite slope; smooth the force there, for "
            "example sqrt(v**2 + 1e-6) in place of Abs(v)."
        )
    matrix = comoving(flow, state, velocity)
    return cut(matrix, flow.bound(state[None])[1][0], flow.generator_fields(state[None])[0][0])


def balanced(matrix: Numbers, bound: Numbers, fields: Numbers) -> Spectrum:
    """`cut` in units in which the matrix is balanced, so that what counts as zero does not depend on metres or millimetres."""
    D = balancing(matrix)
    sizes = np.linalg.norm(fields, axis=1)
    fields = fields[sizes > 1e-9 * max(1.0, float(np.max(sizes, initial=0.0)))]  # none where the group leaves the state alone
    long = np.linalg.norm(fields / D, axis=1, keepdims=True)
    wide = np.linalg.norm(bound * D, axis=1, keepdims=True)
    found = cut(matrix * D / D[:, None], bound * D / np.maximum(wide, 1e-300), fields / D / np.maximum(long, 1e-300))
    T, orbit, rest = (orthonormal(D[:, None] * part) for part in (found.tangent, found.orbit, found.rest))
    chain = tuple(orthonormal(p - orbit @ (orbit.T @ p)) for p in (orthonormal(D[:, None] * c) for c in found.chain))
    return Spectrum(T, orbit, found.along, chain, rest, found.matrix, found.scale)


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
        rest = complement(taken)
        left = rest.T @ inner @ rest
        if asked is not None and (len(chain) >= len(asked) or not asked[len(chain)]):
            break
        free = smallest(left, asked[len(chain)]) if asked is not None else _zeros(left, scale)
        if not free.shape[1]:
            break
        chain.append(rest @ free)
        taken = np.hstack([taken, rest @ free])
    return Spectrum(T, T @ orbit, orbit.T @ inner @ orbit, tuple(T @ c for c in chain), T @ rest, left, scale)


def cuts(matrices: Numbers, bounds: Numbers, fields: Numbers, still: int) -> list[Spectrum]:
    """`cut` at many states at once, with so many directions set aside."""
    bases = kernels(bounds, 1e-9)
    T = np.array(bases) if len({b.shape[1] for b in bases}) == 1 else np.zeros((0, 0, 0))
    turned = np.swapaxes(T, 1, 2)
    spaces = spans(turned @ np.swapaxes(fields, 1, 2)) if len(T) else []
    if len({b.shape[1] for b in spaces}) != 1 or not T.shape[2]:
        return [cut(m, b, f, still) for m, b, f in zip(matrices, bounds, fields)]
    inner = turned @ matrices @ T
    scales = np.maximum(np.linalg.norm(inner, 2, axis=(1, 2)), 1e-300)
    orbit = taken = np.array(spaces)
    rest = complements(taken)
    chain: list[Numbers] = []
    if still:
        rows = np.linalg.svd(np.swapaxes(rest, 1, 2) @ inner @ rest)[2]
        chain.append(rest @ np.swapaxes(rows[:, max(0, rows.shape[1] - still) :], 1, 2))
        rest = complements(np.concatenate([taken, chain[0]], axis=2))
    left, along = (np.swapaxes(b, 1, 2) @ inner @ b for b in (rest, orbit))
    return [
        Spectrum(T[k], T[k] @ orbit[k], along[k], tuple(T[k] @ c[k] for c in chain), T[k] @ rest[k], left[k], float(scales[k]))
        for k in range(len(T))
    ]


def _without_dust(matrix: Numbers, scale: float) -> Complex:
    """Eigenvalues with zeros peeled off one kernel after the other: where zeros are chained, rounding makes roots of itself."""
    zeros = 0
    while len(matrix):
        free = _zeros(matrix, scale)
        if not free.shape[1]:
            break
        zeros += free.shape[1]
        rest = complement(free)
        matrix = rest.T @ matrix @ rest
    values = np.linalg.eigvals(matrix).astype(complex) if len(matrix) else np.zeros(0, dtype=complex)
    return np.concatenate([values, np.zeros(zeros)])


def _zeros(matrix: Numbers, scale: float) -> Numbers:
    if not len(matrix):
        return np.zeros((0, 0))
    return kernel(matrix, ZERO * scale / max(float(np.linalg.norm(matrix, 2)), 1e-300))
