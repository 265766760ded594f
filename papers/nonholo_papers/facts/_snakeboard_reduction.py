"""The snakeboard as the general theory has it: reduced nonholonomic equations with two shape variables, BMZ 2009 §4.

Shape (ψ, φ), group SE(2) in the order (turn, along, across). The allowed direction is ``e1 = (sin φ, l cos φ, 0)``;
``e2 = (1, 0, 0)`` and ``e3 = (0, 0, 1)`` complete it. Indices a, b are 1, indices a′ are 2 and 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit
from nonholo_papers.facts._lie_algebra import se2
from nonholo_papers.facts._random_states import flows, largest

Vector = Any
STEP = 1e-30


class Reduced:
    """The tensors of BMZ 2009 §4 at one shape, built from the printed definitions; ``phi`` may be complex."""

    def __init__(self, v: Any, phi: Any) -> None:
        whole = v["J"] + v["Jr"] + 2 * v["Jw"]
        sine, cosine = np.sin(phi), np.cos(phi)
        basis = np.array([[sine, 1, 0], [v["l"] * cosine, 0, 0], [0, 0, 1]])
        slope = np.array([cosine, -v["l"] * sine, 0])
        inertia = np.diag([whole, v["m"], v["m"]])
        self.inverse = np.linalg.inv(basis)
        self.locked = basis.T @ inertia @ basis
        # K_αb = ⟨⟨∂_α, e_b⟩⟩: the rotor's spin pairs with turning, the wheels' swings cancel
        self.mixed = np.array([v["Jr"] * basis[0], np.zeros(3)])
        self.shape = np.diag([v["Jr"], 2 * v["Jw"]])
        self.free = self.locked[0, 0]
        # the constraints ξ^2 = ξ^3 = 0 have no ṙ, so A^U = 0 and A^S = I_S⁻¹ K_S
        self.connection = np.array([[k[0] / self.free, 0, 0] for k in self.mixed])
        self.gamma = np.zeros((3, 3, 2), dtype=self.inverse.dtype)
        self.gamma[:, 0, 1] = self.inverse @ slope
        self.algebra = np.einsum("abc,ai,bj,kc->ijk", se2(), basis, basis, self.inverse)
        # Λ_c′α = K_αc′ − I_c′b A^b_α − I_c′b′ A^b′_α
        self.cross = (self.mixed - self.connection @ self.locked)[:, 1:].T
        self.across = self.locked[1:, 0] / self.free
        self.metric = self.shape - np.outer(self.connection[:, 0], self.connection[:, 0]) * self.free


def tensors(v: Any, phi: float) -> tuple[Reduced, Vector, Vector, Vector]:
    """The shape's `Reduced`, ``B^C_αβ``, ``D^c_bα`` and ``D_bαβ`` of (4.11), with ``I_US I_S⁻¹`` for ``−(I^U)⁻¹ I^US``."""
    here = Reduced(v, phi)
    change = np.imag(Reduced(v, phi + 1j * STEP).connection) / STEP
    A, c, gamma = here.connection, here.algebra, here.gamma
    along = np.stack([np.zeros((2, 3)), change])
    curvature = np.einsum("bac->cab", along) - np.einsum("abc->cab", along)
    curvature = curvature + np.einsum("xyc,ax,by->cab", c, A, A)
    curvature = curvature + np.einsum("cxb,ax->cab", gamma, A) - np.einsum("cxa,bx->cab", gamma, A)
    # E^C_αb = γ^C_bα − C^C_Ab A^A_α with b = 1
    motion = gamma[:, 0, :] - np.einsum("xc,ax->ca", c[:, 0, :], A)
    first = motion[0] + here.across @ motion[1:] + (c[0, 0, 1:] @ here.cross) / here.free
    second = np.einsum("cb,ca->ab", here.cross, motion[1:])
    return here, curvature, first, second


def reduced_equations(exhibit: Exhibit) -> Finding:
    """(4.9), with ``D_bαβ`` where ``D_bβα`` is printed, and (4.10), at generic states with torques."""
    v = exhibit.parameters
    gaps = []
    for s, r in flows(exhibit.system, v):
        here, curvature, first, second = tensors(v, s.phi)
        rate = np.array([s.psidot, s.phidot])
        omega = s.u + here.connection[:, 0] @ rate
        p = here.free * omega
        ahead = Reduced(v, s.phi + 1j * STEP)
        metric_change = np.imag(ahead.metric) / STEP
        inertia_change = float(np.imag(ahead.free) / STEP)
        connection_change = np.imag(ahead.connection[:, 0]) / STEP
        acceleration = np.array([r.psidot, r.phidot])
        omega_rate = r.u + here.connection[:, 0] @ acceleration + s.phidot * connection_change @ rate
        left = here.metric @ acceleration + s.phidot * metric_change @ rate
        left[1] -= (rate @ metric_change @ rate + inertia_change * omega**2) / 2
        right = -first * p**2 / here.free - np.einsum("cg,cab,b,g->a", here.cross, curvature[1:], rate, rate)
        turning = curvature[0] + np.einsum("c,cab->ab", here.across, curvature[1:]) + second / here.free
        right = right - p * turning @ rate + np.array([s.tau_psi, s.tau_phi])
        momentum_rate = here.free * omega_rate + inertia_change * s.phidot * omega
        gaps += [left - right, momentum_rate - first @ rate * p - rate @ second @ rate]
    return bounded("(4.9) as corrected and (4.10)", largest(gaps), 1e-11, "5 generic states, two shape variables")
