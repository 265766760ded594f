"""The modes of a linear flow: eigenvalue, frequency, damping, and the variables that take part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.stability.spectrum import Spectrum, comoving, modes_of

Numbers = NDArray[np.float64]
SHARE = 0.2
"""A variable that moves at least this part of the largest names the mode."""


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
        way = "grows" if self.rate > none else "decays" if self.rate < -none else "stays"
        words = f"oscillates and {way}" if self.frequency > none else way
        return f"{number(self.eigenvalue)}  {words}: {', '.join(self.parts)}"


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
