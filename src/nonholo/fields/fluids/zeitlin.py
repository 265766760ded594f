"""Zeitlin's truncation of the ideal fluid: the sine bracket, which makes finitely many waves the Lie algebra su(N).

    [e_k, e_l] = −(N/2π) sin(2π k×l/N) e_{k+l mod N},        k×l = k₁l₂ − k₂l₁,

tends to the bracket of waves ``{e^{ik·x}, e^{il·x}} = −k×l e^{i(k+l)·x}`` as N grows. [Zeitlin 1991; Fairlie, Fletcher,
Zachos 1989]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nonholo.errors import ModelError, StateError
from nonholo.model.system import System
from nonholo.program.array_types import AnyArray


@dataclass(frozen=True)
class Zeitlin:
    """The fluid with ``size`` × ``size`` − 1 waves, ``size`` odd; states are waves ``w_k`` of vorticity in an array [k₁,
    k₂] mod N.

    >>> Zeitlin(3).dimension
    8
    """

    size: int = 5

    def __post_init__(self) -> None:
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 3 or self.size % 2 == 0:
            raise ModelError(f"zeitlin: size = {self.size!r}; give an odd whole number, at least 3.")

    @property
    def dimension(self) -> int:
        """Of su(N)."""
        return self.size**2 - 1

    def waves(self, table: Mapping[tuple[int, int], complex]) -> AnyArray:
        """A state from some waves; the conjugate ones follow.

        >>> w = Zeitlin(5).waves({(1, 0): 0.5, (1, 2): 0.2j})
        >>> complex(w[-1, -2])
        -0.2j
        """
        found = np.zeros((self.size, self.size), dtype=complex)
        reach = self.size // 2
        for (a, b), value in table.items():
            if (a, b) == (0, 0) or max(abs(a), abs(b)) > reach:
                raise StateError(f"zeitlin: no wave ({a}, {b}); they go from −{reach} to {reach}, without (0, 0).")
            found[a, b] = value
            found[-a, -b] = np.conj(value)
        return found

    def matrix(self, waves: AnyArray) -> AnyArray:
        """``W = Σ w_k T_k``, Hermitian."""
        return np.asarray(np.einsum("kl,klij->ij", waves, _clock_and_shift(self.size)))

    def waves_of(self, matrix: AnyArray) -> AnyArray:
        """``w_k = tr(T_k* W)/N``."""
        return np.asarray(np.einsum("klij,ij->kl", np.conj(_clock_and_shift(self.size)), matrix) / self.size)

    def stream(self, waves: AnyArray) -> AnyArray:
        """``ψ_k = −w_k/|k|²``."""
        return -waves * _inverse_square(self.size)

    def rates(self, waves: AnyArray) -> AnyArray:
        """``w_t = −[ψ, w]`` by the sine bracket, wave by wave."""
        n, stream = self.size, self.stream(waves)
        found = np.zeros_like(waves)
        for a, b in np.argwhere(np.abs(stream) > 0):
            shifted = np.roll(waves, (a, b), axis=(0, 1))  # w_{k − l} at k
            k1, k2 = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
            cross = a * (k2 - b) - b * (k1 - a)
            found += n / (2 * np.pi) * np.sin(2 * np.pi * cross / n) * stream[a, b] * shifted
        return found

    def energy(self, waves: AnyArray) -> float:
        """``½ ∫ |u|²`` on the torus of side 2π."""
        return float(2 * np.pi**2 * np.sum(_inverse_square(self.size) * np.abs(waves) ** 2))

    def casimirs(self, waves: AnyArray) -> AnyArray:
        """``tr W^p``, p = 2 … N: the truncated powers of vorticity."""
        eigenvalues = np.linalg.eigvalsh(self.matrix(waves))
        return np.array([np.sum(eigenvalues**p) for p in range(2, self.size + 1)])

    def casimir_sizes(self, waves: AnyArray) -> AnyArray:
        """``Σ |eigenvalue|^p``: what the Casimirs are sums of, by size."""
        eigenvalues = np.abs(np.linalg.eigvalsh(self.matrix(waves)))
        return np.array([np.sum(eigenvalues**p) for p in range(2, self.size + 1)])

    def advance(self, waves: AnyArray, step: float, steps: int) -> AnyArray:
        """Isospectral midpoint steps: the spectrum of W, and so every Casimir, stays to rounding. [Modin and Viviani 2020]

        With ``W_t = [B(W), W]``: ``W_n = (1 − hB/2) V (1 + hB/2)``, ``W_{n+1} = (1 + hB/2) V (1 − hB/2)``, ``B = B(V)``.
        """
        n = self.size
        matrix, one = self.matrix(waves), np.eye(n)
        middle = matrix.copy()
        for _ in range(steps):
            last = np.inf
            for _ in range(200):
                half = step / 2 * self._generator(middle)
                new = np.linalg.solve(one - half, np.linalg.solve((one + half).T, matrix.T).T)
                change = float(np.max(np.abs(new - middle)))
                middle = new
                if change == 0.0 or (change >= last and change < 1e-11):
                    break
                last = change
            else:
                raise StateError(f"zeitlin: a step of {step:g} is too long to be solved; take a smaller one.")
            half = step / 2 * self._generator(middle)
            matrix = (one + half) @ middle @ (one - half)
        return self.waves_of(matrix)

    def _generator(self, matrix: AnyArray) -> AnyArray:
        """``B`` with ``W_t = [B, W]``: a multiple of the stream function's matrix."""
        return 1j * self.size / (4 * np.pi) * self.matrix(self.stream(self.waves_of(matrix)))

    def basis(self) -> tuple[tuple[int, int, str], ...]:
        """Real waves: cosine and sine of one of each pair ±k."""
        reach = range(-(self.size // 2), self.size // 2 + 1)
        half = [(a, b) for a in reach for b in reach if (a, b) > (0, 0)]
        return tuple((a, b, kind) for a, b in half for kind in ("c", "s"))

    def structure_constants(self) -> AnyArray:
        """``c[i][j][a]`` of the bracket of stream functions in the real basis `basis`."""
        rows = np.array([_real_wave(self.size, *element) for element in self.basis()])
        size = len(rows)
        flat = rows.reshape(size, -1)
        back = np.linalg.pinv(np.concatenate([flat.real, flat.imag], axis=1).T)
        found = np.zeros((size, size, size))
        for i in range(size):
            for j in range(i):
                value = self.bracket(rows[i], rows[j]).ravel()
                found[i, j] = back @ np.concatenate([value.real, value.imag])
                found[j, i] = -found[i, j]
        return found

    def bracket(self, one: AnyArray, two: AnyArray) -> AnyArray:
        """The sine bracket of two stream functions given by their waves."""
        n = self.size
        found = np.zeros_like(one)
        for a, b in np.argwhere(np.abs(one) > 0):
            for c, d in np.argwhere(np.abs(two) > 0):
                sine = np.sin(2 * np.pi * (a * d - b * c) / n)
                found[(a + c) % n, (b + d) % n] -= n / (2 * np.pi) * sine * one[a, b] * two[c, d]
        return found

    def stream_rates(self, numbers: AnyArray) -> AnyArray:
        """Rates of the stream function in the real basis, by the sine bracket of the vorticity's waves."""
        rows = np.array([_real_wave(self.size, *element) for element in self.basis()])
        stream = np.tensordot(numbers, rows, axes=1)
        inverse = _inverse_square(self.size)
        waves = np.where(inverse > 0, -stream / np.where(inverse > 0, inverse, 1.0), 0.0)
        found = self.stream(self.rates(waves))
        return np.array([2 * found[a, b].real if kind == "c" else -2 * found[a, b].imag for a, b, kind in self.basis()])

    def system(self) -> System:
        """The same as a System: the Lie algebra by its structure constants, its Lagrangian the kinetic energy of ψ."""
        from nonholo.geometry.groups.lie_algebra import LieAlgebra

        names = [f"{kind}{k}" for k, (_, _, kind) in enumerate(self.basis())]
        terms = [f"{np.pi**2 * (a * a + b * b):.17g}*{name}**2" for name, (a, b, _) in zip(names, self.basis())]
        constants = np.where(np.abs(c := self.structure_constants()) < 1e-13, 0.0, c)
        return System(
            name=f"sine bracket, N = {self.size}",
            frame=LieAlgebra(constants, rates=names),
            lagrangian=" + ".join(terms),
        )


@lru_cache(maxsize=8)
def _clock_and_shift(size: int) -> AnyArray:
    """``T_k = ω^{k₁k₂/2} g^{k₁} h^{k₂}`` with clock g, shift h, ``ω = e^{4πi/N}``.

    ``[T_k, T_l] = −2i sin(2π k×l/N) T_{k+l}``.
    """
    root = np.exp(4j * np.pi / size)
    reach = size // 2
    found = np.zeros((size, size, size, size), dtype=complex)
    clock = root ** np.arange(size)
    for a in range(-reach, reach + 1):
        for b in range(-reach, reach + 1):
            shift = np.roll(np.eye(size), b, axis=1)
            found[a, b] = np.exp(2j * np.pi / size * a * b) * (clock**a)[:, None] * shift
    return found


@lru_cache(maxsize=8)
def _inverse_square(size: int) -> AnyArray:
    k = np.fft.fftfreq(size, 1 / size)
    square = k[:, None] ** 2 + k[None, :] ** 2
    return np.divide(1.0, square, out=np.zeros_like(square), where=square > 0)


def _real_wave(size: int, a: int, b: int, kind: str) -> AnyArray:
    """``cos(k·x)`` or ``sin(k·x)`` by its waves."""
    found = np.zeros((size, size), dtype=complex)
    found[a, b], found[-a, -b] = (0.5, 0.5) if kind == "c" else (-0.5j, 0.5j)
    return found
