"""Directions in which a slip in the plane can begin.

With ``h`` the force of the contact along its rows, the rates of all rows are ``b + Γ h``, the other contacts having answered.
Sliding along ``e`` the contact has ``h = N (1, −μ e)`` with ``N`` from its closed gap,

    N = −b_g / D(e),    D = Γ_gg − μ Γ_gs·e,    u̇ = b_s + N (Γ_sg − μ Γ_ss e).

The slip begins along those ``e`` for which ``u̇`` is parallel to ``e`` and points outwards [Antali and Stépán, Nonlinear Dyn.
95 (2019)]. ``D e⊥·u̇ = 0`` is a trigonometric polynomial of degree two in the angle of ``e``: at most four directions.
Where ``Γ_gs = Γ_sg = 0`` a direction with ``u̇ = α e``, ``α > 0``, fulfils ``|(μ N Γ_ss + α)⁻¹ b_s| = 1``, whose left side falls
with ``α``: there is none where the force that would hold the slip, ``Γ_ss⁻¹ b_s``, is within its cone.
"""

from __future__ import annotations

import numpy as np

from nonholo.program.array_types import Array, Mask

POLISH = 2
"""Steps of Newton's method from the eigenvalues of the companion matrix."""
NEAR_CIRCLE = 1e-4
WITHIN = 1e-6
"""Forces nearer to their cone than this are examined more closely."""


def radial_directions(base: Array, response: Array, friction: Array) -> tuple[Array, Mask]:
    """Directions ``(…, 4, 2)`` along which ``D e⊥·u̇`` vanishes, and which of the four are any.

    ``base`` are the rates ``b`` of gap, first and second slip, ``response`` is ``Γ`` of the three rows, ``friction`` is ``μ``.

    >>> way, found = radial_directions(np.array([[-9.81, 3.0, 4.0]]), np.eye(3)[None], np.array([0.2]))
    >>> np.round(way[found], 12)  # along the free acceleration and against it
    array([[ 0.6,  0.8],
           [-0.6, -0.8]])
    """
    gap, first, second = np.moveaxis(base, -1, 0)
    g11, g21, g22 = response[..., 0, 0], response[..., 0, 1], response[..., 0, 2]
    q1, q2 = response[..., 1, 0], response[..., 2, 0]
    k = response[..., 1:, 1:]
    squares = friction * (gap * k[..., 1, 0] - g21 * second)
    mixed = friction * (gap * (k[..., 1, 1] - k[..., 0, 0]) - g22 * second + g21 * first)
    others = friction * (g22 * first - gap * k[..., 0, 1])
    cosine, sine = g11 * second - gap * q2, gap * q1 - g11 * first
    constant, double = (squares + others) / 2, (squares - others) / 2 - 0.5j * mixed
    single = cosine - 1j * sine

    def value(angle: Array) -> tuple[Array, Array]:
        turn = np.exp(1j * angle)
        one, two = single[..., None] * turn, double[..., None] * turn**2
        return constant[..., None] + (one + two).real, -(one + 2 * two).imag

    size = np.abs(constant) + np.abs(single) + np.abs(double)
    angles, circle = _angles(constant, single, double, size)
    for _ in range(POLISH):
        here, slope = value(angles)
        angles = angles - np.divide(here, slope, out=np.zeros_like(here), where=np.abs(slope) > 1e-9 * size[..., None])
    found = circle & (np.abs(value(angles)[0]) <= 1e-12 * size[..., None]) & (size[..., None] > 0)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1), found


def held_within(base: Array, response: Array, friction: Array) -> Mask:
    """Where no direction exists because normal and slip do not mix and the force that holds the slip is within its cone."""
    k, first, second = response[..., 1:, 1:], base[..., 1], base[..., 2]
    size = 1e-13 * np.max(np.abs(response), axis=(-2, -1))
    apart = np.maximum(np.max(np.abs(response[..., 0, 1:]), axis=-1), np.max(np.abs(response[..., 1:, 0]), axis=-1)) <= size
    determinant = k[..., 0, 0] * k[..., 1, 1] - k[..., 0, 1] * k[..., 1, 0]
    along = k[..., 1, 1] * first - k[..., 0, 1] * second
    across = k[..., 0, 0] * second - k[..., 1, 0] * first
    with np.errstate(divide="ignore", invalid="ignore"):  # a gap that others hold does not respond
        most = friction * np.maximum(-base[..., 0] / response[..., 0, 0], 0.0)
        within = np.isfinite(most) & (np.hypot(along, across) < (1 - WITHIN) * most * np.abs(determinant))
    return np.asarray(apart & within)


def _angles(constant: Array, single: Array, double: Array, size: Array) -> tuple[Array, Array]:
    """Zeros of ``constant + Re(single z + double z²)`` on ``|z| = 1``, about: four angles, and which of them are zeros."""
    angles, circle = np.zeros((*size.shape, 4)), np.zeros((*size.shape, 4), dtype=bool)
    plain = np.abs(double) <= 1e-9 * size
    length = np.where(np.abs(single) > 0, np.abs(single), 1.0)
    inside = np.clip(-constant / length, -1.0, 1.0)
    for i, sign in enumerate((1.0, -1.0)):
        angles[..., i] = np.where(plain, -np.angle(single) + sign * np.arccos(inside), 0.0)
        circle[..., i] = plain & (np.abs(constant) <= length * (1 + 1e-9))
    bent = ~plain
    if np.any(bent):
        lead = double[bent]
        companion = np.zeros((len(lead), 4, 4), dtype=complex)
        companion[:, 1:, :-1] = np.eye(3)
        rest = (np.conj(lead), np.conj(single[bent]), 2 * constant[bent], single[bent])
        companion[:, :, -1] = np.stack([-c / lead for c in rest], axis=-1)
        roots = np.linalg.eigvals(companion)
        angles[bent], circle[bent] = np.angle(roots), np.abs(np.abs(roots) - 1) < NEAR_CIRCLE
    return angles, circle
