"""Factors of a small matrix inside the loops, kept for several right-hand sides."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.loop_compiler import inner


@inner
def factor(matrix: Any, size: int, order: Any) -> bool:
    """``P A = L U`` in place, by rows, largest entry of a column first; False where a pivot is zero or not a number.

    ``order`` (numbers) keeps which row was exchanged with which.
    """
    for j in range(size):
        best, most = j, abs(matrix[j * size + j])
        for i in range(j + 1, size):
            if abs(matrix[i * size + j]) > most:
                best, most = i, abs(matrix[i * size + j])
        order[j] = float(best)
        if not most > 0.0:
            return False
        if best != j:
            for l in range(size):
                kept = matrix[j * size + l]
                matrix[j * size + l] = matrix[best * size + l]
                matrix[best * size + l] = kept
        inverse = 1.0 / matrix[j * size + j]
        for i in range(j + 1, size):
            part = matrix[i * size + j] * inverse
            matrix[i * size + j] = part
            if part != 0.0:
                for l in range(j + 1, size):
                    matrix[i * size + l] -= part * matrix[j * size + l]
    return True


@inner
def substitute(matrix: Any, size: int, order: Any, vector: Any, stride: int) -> None:
    """``A⁻¹ b`` in place of b, whose entries are ``stride`` apart, with the factors of A."""
    for i in range(size):
        other = int(order[i])
        if other != i:
            kept = vector[i * stride]
            vector[i * stride] = vector[other * stride]
            vector[other * stride] = kept
    for i in range(1, size):
        value = vector[i * stride]
        for l in range(i):
            value -= matrix[i * size + l] * vector[l * stride]
        vector[i * stride] = value
    for i in range(size - 1, -1, -1):
        value = vector[i * stride]
        for l in range(i + 1, size):
            value -= matrix[i * size + l] * vector[l * stride]
        vector[i * stride] = value / matrix[i * size + i]
