"""§§12.1, 12.2: the three-wheel cart, its constraints and its symmetry."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity
from nonholo_papers.macdonnell import _cart as cart
from nonholo_papers.macdonnell._cart import across, along, bend, turn
from nonholo_papers.macdonnell._together import corrected, equal
from nonholo_papers.section import Section

Array = Any
CART = ("three-wheel-cart",)
WORDS = "velocities at which no wheel slips, from the places of the wheels alone"
section = Section("macdonnell", "12.1 Three-wheel cart: formulating the problem")
section.rest("definition", 730, 731, 732, 733, 734, 737, 738, 739, 749)
section.rest("notation: the name of the group", 753)
section.uncheckable("Figure 12.1", "Figure 12.1", "A drawing, without numbers.", "The cart from above.")


@section.confirmed("(12.1)", (735, 736), exhibits=CART)
def energy() -> Evidence:
    """L = K is the energy of a platform with three discs on it, m and J being those of all four about their centre of
    mass.
    """
    random = np.random.default_rng(3)

    def terms(s: Any) -> list[Any]:
        whole, wheel = s.m, s.m / 7
        plate = whole - 3 * wheel
        # the platform's own centre, so that all four have theirs at u, on the axis a before the rear axis
        ahead = (whole * s.a - wheel * s.d) / plate
        own, rate = 0.4, random.uniform(0.5, 1.5, 7)
        x = rate[1:3] - s.a * rate[0] * across(s.theta)
        hubs = [
            x - s.b * rate[0] * along(s.theta),
            x + s.b * rate[0] * along(s.theta),
            x + s.d * rate[0] * across(s.theta),
        ]
        centre = x + ahead * rate[0] * across(s.theta)
        total = plate / 2 * centre @ centre + own / 2 * rate[0] ** 2
        for hub, spin, upright in zip(hubs, rate[3:6], (rate[0], rate[0], rate[6])):
            total += wheel / 2 * hub @ hub + s.JW / 2 * spin**2 + s.JD / 2 * upright**2
        arms = plate * (ahead - s.a) ** 2 + 2 * wheel * (s.a**2 + s.b**2) + wheel * (s.d - s.a) ** 2
        inertia = own + arms + 2 * s.JD
        return [
            total,
            -inertia / 2 * rate[0] ** 2,
            -s.m / 2 * rate[1:3] @ rate[1:3],
            -s.JW / 2 * rate[3:6] @ rate[3:6],
            -s.JD / 2 * rate[6] ** 2,
        ]

    return identity(
        cart.rolling(), terms, words="a platform and three discs with mass, each by itself, sliding allowed"
    )


@section.confirmed("§12.1, the wheels and (12.2), (12.3)", (740, 741, 742, 744, 745, 746, 747, 748, 750), exhibits=CART)
def constraints() -> Evidence:
    """Rolling at φ, ψ, χ gives n·ẋ = 0, ẋ = rχ̇ cos α τ, dθ̇ = rχ̇ sin α, du̇ = rχ̇R(θ)λ(α) and dφ̇; σ̇, ζ̇ and √ in the
    text are φ̇ and χ̇.
    """
    level = max(abs(float(across(s.theta) @ s.x_rate)) for s in cart.rolling())
    tilted = min(abs(float(across(s.theta + 0.3) @ s.x_rate)) for s in cart.rolling())
    found = equal(
        cart.rolling(),
        lambda s: [s.r * s.phidot * along(s.theta), s.x_rate - s.b * s.thetadot * along(s.theta)],
        lambda s: [s.r * s.psidot * along(s.theta), s.x_rate + s.b * s.thetadot * along(s.theta)],
        lambda s: [s.x_rate + s.d * s.thetadot * across(s.theta), s.r * s.chidot * along(s.xi)],
        lambda s: [
            along(s.theta) @ s.x_rate,
            along(s.theta) @ (s.r * s.chidot * along(s.xi)),
            s.r * s.chidot * turn(s.theta)[:, 0] @ turn(s.xi)[:, 0],
            s.r * s.chidot * turn(s.alpha)[0, 0],
            s.r * s.chidot * np.cos(s.alpha),
        ],
        lambda s: [s.x_rate, s.r * s.chidot * np.cos(s.alpha) * along(s.theta)],
        lambda s: [
            s.d * s.thetadot,
            across(s.theta) @ (s.r * s.chidot * along(s.xi)),
            s.r * s.chidot * turn(s.alpha)[1, 0],
            s.r * s.chidot * np.sin(s.alpha),
        ],
        lambda s: [
            s.d * s.v[1:3],
            s.r * s.chidot * s.d * np.cos(s.alpha) * along(s.theta) + s.a * s.d * s.thetadot * across(s.theta),
            s.r * s.chidot * (s.d * np.cos(s.alpha) * along(s.theta) + s.a * np.sin(s.alpha) * across(s.theta)),
            s.r * s.chidot * turn(s.theta) @ bend(s.alpha, s),
        ],
        lambda s: [
            s.d * s.r * s.phidot,
            s.d * (along(s.theta) @ s.x_rate - s.b * s.thetadot),
            s.r * s.chidot * (s.d * np.cos(s.alpha) - s.b * np.sin(s.alpha)),
        ],
    )
    return Evidence(max(found.printed, level), None, min(found.mutant or 0, tilted), WORDS)


@section.misprint(
    "(12.4), (12.5), and the equation at χ",
    (743, 751, 752),
    right=r"r\dot{\chi}R(\xi)\epsilon_1 = [x + d\tau(\theta)]' = \dot{x} + d\dot{\theta}n(\theta), \quad d\dot{\phi} = "
    r"\dot{\chi}[d\cos\alpha - b\sin\alpha], \quad d\dot{\psi} = \dot{\chi}[d\cos\alpha + b\sin\alpha]",
    harm=1,
    breaks="The dots are lost in the text: constraints of angles instead of angular velocities.",
    exhibits=CART,
    kind="reading",
)
def dots() -> Evidence:
    """The rates φ̇, ψ̇, χ̇ of the wheels, printed without their dots."""

    def front(s: Any, spin: float) -> list[Any]:
        return [s.r * spin * turn(s.xi)[:, 0], -s.x_rate, -s.d * s.thetadot * across(s.theta)]

    def rear(s: Any, sign: float, spin: float, own: float) -> list[Any]:
        return [s.d * own, -spin * s.d * np.cos(s.alpha), -sign * spin * s.b * np.sin(s.alpha)]

    return corrected(
        cart.rolling(),
        (lambda s: front(s, s.chi), lambda s: front(s, s.chidot)),
        (lambda s: rear(s, -1, s.chi, s.phi), lambda s: rear(s, -1, s.chidot, s.phidot)),
        (lambda s: rear(s, 1, s.chi, s.psi), lambda s: rear(s, 1, s.chidot, s.psidot)),
        words=WORDS,
    )


@section.confirmed("§12.1, the dimensions", exhibits=CART)
def dimensions() -> Evidence:
    """Q has dimension 7 and D dimension 2; θ̇, u̇, φ̇, ψ̇ follow from θ, ξ, χ̇, and ξ̇ is free."""
    kernels = [np.linalg.svd(cart.slips(s.q, s))[2][5:] for s in cart.rolling()]
    free = all(np.linalg.matrix_rank(k[:, [5, 6]]) == 2 for k in kernels)
    follow = all(np.linalg.matrix_rank(k[:, [0, 3]]) == 1 for k in kernels)
    return holds(
        ("five of the six conditions at the wheels are independent", all(s.rank == 5 for s in cart.rolling())),
        ("χ̇ and ξ̇ are free", free),
        ("θ̇ and φ̇ are not", follow),
        against=[("six are independent", any(s.rank == 6 for s in cart.rolling()))],
    )


def _moved(s: Any, steered: float = 1.0) -> SimpleNamespace:
    """The state after the action (12.6) with generic Δ; ``steered`` is what of Δθ the front wheel gets."""
    other, angle = SimpleNamespace(**vars(s)), 0.7
    shift = np.array([angle, 0, 0, 0.3, -0.4, 0.9, steered * angle])
    other.q = s.q + shift
    other.q[1:3] = turn(angle) @ s.q[1:3] + [0.2, -0.6]
    other.v = s.v.copy()
    other.v[1:3] = turn(angle) @ s.v[1:3]
    return other


@section.confirmed("(12.6), §12.2", (754, 755, 756, 757, 758, 759, 760), exhibits=CART)
def symmetry() -> Evidence:
    """L and the constraints are preserved by SE(2) × SO(2)³, and α does not change."""

    def allowed(s: Any) -> Array:
        return cart.slips(s.q, s) @ s.v

    kept = max(float(np.max(np.abs(allowed(_moved(s))))) for s in cart.rolling())
    broken = min(float(np.max(np.abs(allowed(_moved(s, 0.0))))) for s in cart.rolling())
    found = equal(
        cart.rolling(),
        lambda s: [cart.masses(s) @ s.v**2, cart.masses(s) @ _moved(s).v ** 2],
        lambda s: [s.alpha, _moved(s).q[6] - _moved(s).q[0]],
    )
    return Evidence(
        max(found.printed, kept), None, min(found.mutant or 0, broken), "mutant: ξ is not turned with the cart"
    )
