"""Tiny dense linear algebra inside the loops: no allocation, sizes known when the loop runs."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.compilation.loop_compiler import inner

TINY = 1e-15


@inner
def solve_definite(system: Any, size: int, matrix: Any, vector: Any, solution: Any) -> float:
    """Solve ``M s = F`` by ``M = L D Lᵀ`` without pivoting; M is the packed lower triangle at ``system``,
    F follows it.

    Returns the least ``D_i / M_ii``, in (0, 1] for a positive matrix whatever the units; -1 when M is not safely
    positive, and then the answer is not to be used.
    """
    force = size * (size + 1) // 2
    if size == 1:
        head = system[0]
        solution[0] = system[force] / head
        return 1.0 if head > 0.0 else -1.0
    ratio = 1.0
    at = 0
    for i in range(size):
        diagonal = system[at + i]
        pivot = diagonal
        value = system[force + i]
        for j in range(i):
            entry = system[at + j]
            for l in range(j):
                entry -= matrix[i * size + l] * matrix[l * size + j]
            # below the diagonal: L D; above it: Lᵀ
            matrix[i * size + j] = entry
            lower = entry * vector[j]
            matrix[j * size + i] = lower
            pivot -= entry * lower
            value -= lower * solution[j]
        if not (pivot > TINY * size * diagonal and diagonal > 0.0):
            return -1.0
        ratio = min(ratio, pivot / diagonal)
        vector[i] = 1.0 / pivot
        solution[i] = value
        at += i + 1
    for i in range(size - 1, -1, -1):
        value = solution[i] * vector[i]
        for j in range(i + 1, size):
            value -= matrix[i * size + j] * solution[j]
        solution[i] = value
    return ratio


@inner
def solve_general(system: Any, size: int, packed: bool, matrix: Any, vector: Any, solution: Any) -> float:
    """Solve ``M s = F`` by elimination with row exchanges, after scaling rows and columns to 1.

    Returns the ratio of the least pivot to the largest; 0 for a singular matrix, nan when M or F is not finite.
    """
    for i in range(size):
        for j in range(size):
            if packed:
                a, b = (i, j) if i >= j else (j, i)
                matrix[i * size + j] = system[a * (a + 1) // 2 + b]
            else:
                matrix[i * size + j] = system[i * size + j]
    force = size * (size + 1) // 2 if packed else size * size
    total = 0.0
    for i in range(size):
        largest = 0.0
        for j in range(size):
            total += matrix[i * size + j]
            largest = max(largest, abs(matrix[i * size + j]))
        total += system[force + i]
        if largest == 0.0:
            return total - total  # not a number where an entry is none: such a row has no largest
        for j in range(size):
            matrix[i * size + j] /= largest
        solution[i] = system[force + i] / largest
    if total - total != 0.0:
        return total - total
    for j in range(size):
        largest = 0.0
        for i in range(size):
            largest = max(largest, abs(matrix[i * size + j]))
        if largest == 0.0:
            return 0.0
        for i in range(size):
            matrix[i * size + j] /= largest
        vector[j] = 1.0 / largest
    least, most = 1e300, 0.0
    for j in range(size):
        best = j
        for i in range(j + 1, size):
            if abs(matrix[i * size + j]) > abs(matrix[best * size + j]):
                best = i
        pivot = matrix[best * size + j]
        if best != j:
            for l in range(j, size):
                kept = matrix[j * size + l]
                matrix[j * size + l] = matrix[best * size + l]
                matrix[best * size + l] = kept
            kept = solution[j]
            solution[j] = solution[best]
            solution[best] = kept
        least, most = min(least, abs(pivot)), max(most, abs(pivot))
        if not (least > TINY * size * most):
            return 0.0
        for i in range(j + 1, size):
            factor = matrix[i * size + j] / pivot
            if factor != 0.0:
                for l in range(j + 1, size):
                    matrix[i * size + l] -= factor * matrix[j * size + l]
                solution[i] -= factor * solution[j]
    for i in range(size - 1, -1, -1):
        value = solution[i]
        for l in range(i + 1, size):
            value -= matrix[i * size + l] * solution[l]
        solution[i] = value / matrix[i * size + i]
    for j in range(size):
        solution[j] *= vector[j]
    return least / most


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
