"""Zenkov 2016, §5.1: discrete Lagrangian mechanics."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along, romberg
from nonholo_papers.zenkov import _discrete as discrete
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "5.1 Discrete Lagrangian mechanics")
section.rest("definition", 87)
H = 0.2


@section.confirmed("§5.1, the discrete Lagrangian", 86)
def approximation() -> Evidence:
    """L^d approximates the extremal action between two configurations: h L at the midpoint does so with an error of order h³.

    For the oscillator ẍ = −x the error is h³(x² + ẋ²)/24 + O(h⁵), x and ẋ at the midpoint.
    """

    def coefficient(p: Any, h: float, scale: float = 1.0) -> float:
        """The error over h³; the action between two places in closed form."""
        start, end = p.x - h * p.v / 2, p.x + h * p.v / 2
        exact = ((start**2 + end**2) * np.cos(h) - 2 * start * end) / (2 * np.sin(h))
        middle, speed = (start + end) / 2, (end - start) / h
        return float(scale * h * (speed**2 - middle**2) / 2 - exact) / h**3

    def limit(p: Any, scale: float = 1.0) -> float:
        return romberg([coefficient(p, h, scale) for h in (0.32, 0.16, 0.08, 0.04)])

    return identity(
        generic("", signed="x v"),
        lambda p: [limit(p), -(p.x**2) / 24, -(p.v**2) / 24],
        mutants=[lambda p: [limit(p, 1.1), -(p.x**2) / 24, -(p.v**2) / 24]],
        words="the error over h³ for h → 0, by extrapolation",
    )


def _pair(one: Vector, two: Vector) -> Vector:
    """``L^d(q_k, q_{k+1})`` of the generic system, at the midpoint."""
    return H * frame.lagrangian((one + two) / 2, (two - one) / H)


def _slopes(one: Vector, two: Vector) -> tuple[Vector, Vector]:
    first = [along(_pair, (one, two), (e, 0 * e)) for e in np.eye(3)]
    second = [along(_pair, (one, two), (0 * e, e)) for e in np.eye(3)]
    return np.stack(first, axis=-1), np.stack(second, axis=-1)


def _gradient(q: Vector) -> Vector:
    """``∂S^d/∂q_k`` at the inner nodes, from the sum itself."""

    def total(places: Vector) -> Any:
        return np.sum(_pair(places[:-1], places[1:]))

    rows = []
    for k in range(1, len(q) - 1):
        moves = [np.zeros_like(q) for _ in range(3)]
        for i in range(3):
            moves[i][k, i] = 1
        rows.append([along(total, (q,), (m,)) for m in moves])
    return np.array(rows)


@section.confirmed("(5.1)", printed=r"D_1 L^d(q_k, q_{k+1}) + D_2 L^d(q_{k-1}, q_k) = 0, \quad k = 1, \dots, N-1")
def discrete_euler_lagrange() -> Evidence:
    """The discrete Euler–Lagrange equations are the gradient of the action sum at the inner nodes."""

    def terms(seed: int) -> list[Vector]:
        q = discrete.sequence(seed).q
        first, second = _slopes(q[:-1], q[1:])
        return [_gradient(q), -first[1:], -second[:-1]]

    return identity((1, 2), terms, words="the action sum of a generic Lagrangian over 5 intervals, by complex steps")


def _middle_terms(seed: int) -> tuple[Vector, Vector, Vector]:
    """q, and the slopes of ``L^d(q_{k+1/2}, v_{k,k+1})``."""
    q = discrete.sequence(seed).q
    middle, speed = (q[1:] + q[:-1]) / 2, (q[1:] - q[:-1]) / H

    def density(a: Vector, b: Vector) -> Vector:
        return H * frame.lagrangian(a, b)

    return q, frame.gradient(density, middle, speed, 0), frame.gradient(density, middle, speed, 1)


@section.confirmed("§5.1, in midpoints and velocities", 88)
def in_midpoints() -> Evidence:
    """The discrete Euler–Lagrange equations in (q_{k+1/2}, v_{k,k+1}) are the same gradient."""

    def terms(seed: int) -> list[Vector]:
        q, one, two = _middle_terms(seed)
        return [_gradient(q), -one[:-1] / 2, -one[1:] / 2, -two[:-1] / H, two[1:] / H]

    return identity((1, 2), terms, words="against the gradient of the action sum by complex steps")


def _varied(seed: int, divisor: Vector) -> list[Vector]:
    q, one, two = _middle_terms(seed)
    shift = np.random.default_rng(seed + 9).uniform(-1, 1, q.shape)
    shift[0] = shift[-1] = 0
    turned = (shift[1:] - shift[:-1]) / divisor[:, None]
    return [np.sum(_gradient(q) * shift[1:-1]), -np.sum(one * (shift[1:] + shift[:-1]) / 2), -np.sum(two * turned)]


@section.confirmed("(5.2)", 89)
def principle() -> Evidence:
    """δS^d = Σ D₁L^d δq_{k+1/2} + D₂L^d δv_{k,k+1}, with the variations that δq_k induce."""
    return identity((1, 2), lambda k: _varied(k, np.full(5, H)), words="against the gradient of the action sum")


@section.misprint(
    "after (5.2), δv",
    90,
    right=r"\delta q_{k+1/2} = \tfrac12(\delta q_{k+1} + \delta q_k), \quad \delta v_{k,k+1} = \tfrac1h(\delta "
    r"q_{k+1} - \delta q_k)",
    harm=3,
    breaks="the step h, not the index k, divides: as printed every interval has its own factor, and the first none at all",
    kind="reading",
)
def induced() -> Evidence:
    """The variation of the velocity of an interval."""
    index = np.array([np.inf, 1.0, 2.0, 3.0, 4.0])  # 1/k; the interval k = 0 would divide by zero, and is left out
    return identity(
        (1, 2), lambda k: _varied(k, index), right=lambda k: _varied(k, np.full(5, H)), words="(5.2) with both"
    )
