"""§6.5: the rolling falling disk."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz._disk import attitude, axes, centre, rolling, rolling_speeds, sliding, spin
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, gap, identity, slope
from nonholo_papers.section import Section

Array = Any
DISK = ("rolling-disk",)
section = Section("bmz", "6.5 The rolling falling disk")
section.rest("notation: levels of the two integrals", 193)
section.rest("definition", 196)
section.uncheckable(
    "Figure 6.5", "Figure 6.5", "A drawing of the angles, without numbers.", "The geometry of the rolling disk."
)


def _energy(s: Any) -> float:
    """Kinetic minus potential energy of a disk, from its centre's velocity and its axes' turning."""
    velocity = s.dot(centre)
    body = attitude(s).T @ spin(s)
    kinetic = s.m / 2 * velocity @ velocity + (s.A * (body[0] ** 2 + body[1] ** 2) + s.B * body[2] ** 2) / 2
    return float(kinetic - s.m * s.g * s.r * np.cos(s.theta))


@section.confirmed("§6.5, L", 186, exhibits=DISK)
def lagrangian() -> Evidence:
    """The printed Lagrangian is the energy of a disk, from its centre's velocity and its axes' turning, sliding allowed."""

    def terms(s: Any) -> list[Any]:
        one, two = rolling_speeds(s)
        turn = s.phidot * np.sin(s.theta) + s.psidot
        return [
            _energy(s),
            -s.m / 2 * (one - s.r * turn) ** 2,
            -s.m / 2 * two**2 * np.sin(s.theta) ** 2,
            -s.m / 2 * (two * np.cos(s.theta) + s.r * s.thetadot) ** 2,
            -s.A / 2 * s.thetadot**2,
            -s.A / 2 * s.phidot**2 * np.cos(s.theta) ** 2,
            -s.B / 2 * turn**2,
            s.m * s.g * s.r * np.cos(s.theta),
        ]

    return identity(sliding(), terms, words="a disk in space, off the constraints")


@section.confirmed("§6.5, the constraints, also as ζ1 = ζ2 = 0", 187, exhibits=DISK)
def constraints() -> Evidence:
    """ẋ = −ψ̇R cos φ, ẏ = −ψ̇R sin φ: the point of the disk that touches the plane is at rest; ζ1 = ζ2 = 0 say the same."""

    def slip(s: Any) -> Array:
        return s.dot(centre) + np.cross(spin(s), -s.r * axes(s)[1])

    def terms(s: Any) -> list[Any]:
        c, d = np.cos(s.phi), np.sin(s.phi)
        one, two = rolling_speeds(s)
        return [
            np.array([slip(s)[0], slip(s)[1], one, two]),
            -np.array([s.xdot, s.ydot, s.xdot * c + s.ydot * d, s.ydot * c - s.xdot * d]),
            -np.array([s.psidot * s.r * c, s.psidot * s.r * d, s.r * s.psidot, 0]),
        ]

    return identity(sliding(), terms, words="the velocity of the contact point, from the disk's geometry")


@section.confirmed("§6.5, the action of SO(2) × SE(2)", 188, exhibits=DISK)
def action() -> Evidence:
    """L and the constraints do not change when the state is moved by (α, β, a, b)."""

    def energy(s: Any) -> Array:
        """L, from the motion of the disk in space, and ζ1, ζ2."""
        return np.array([_energy(s), *rolling_speeds(s)])

    def moved(s: Any, sign: float) -> SimpleNamespace:
        c, d = np.cos(0.8), np.sin(0.8)
        other = Moving({n: e for n, e in vars(s).items() if n != "_rates"}, {})
        other.psi, other.phi = s.psi + 0.5, s.phi + sign * 0.8
        other.x, other.y = c * s.x - d * s.y + 0.3, d * s.x + c * s.y - 0.2
        other.xdot, other.ydot = c * s.xdot - d * s.ydot, d * s.xdot + c * s.ydot
        other._rates.update({n: getattr(other, f"{n}dot") for n in ("theta", "phi", "psi", "x", "y")})
        return other

    return identity(
        sliding(),
        lambda s: [energy(s), -energy(moved(s, 1))],
        mutants=[lambda s: [energy(s), -energy(moved(s, -1))]],
        words="L, ζ1 and ζ2 before and after",
    )


def _allowed(s: Any) -> Array:
    """The fields that span D: ∂θ, ∂φ and rolling, over (θ, ψ, φ, x, y)."""
    c, d = np.cos(s.phi), np.sin(s.phi)
    return np.array([[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 0, -s.r * c, -s.r * d]])


@section.confirmed("§6.5, D and S_q", 189, exhibits=DISK)
def distribution() -> Evidence:
    """D is spanned by ∂θ, ∂φ, −R cos φ ∂x − R sin φ ∂y + ∂ψ, and S_q by the last two (constraint rows and their kernel)."""

    def rows(s: Any) -> Array:
        c, d = np.cos(s.phi), np.sin(s.phi)
        return np.array([[0, s.r * c, 0, 1, 0], [0, s.r * d, 0, 0, 1]])

    zero = max(float(np.max(np.abs(rows(s) @ _allowed(s).T))) for s in rolling())
    ranks = all(np.linalg.matrix_rank(_allowed(s)) == 3 for s in rolling())
    orbit = max(float(np.max(np.abs(_allowed(s)[1:, 0]))) for s in rolling())
    wrong = min(float(np.max(np.abs(rows(s) @ (_allowed(s) * [1, -1, 1, 1, 1]).T))) for s in rolling())
    return Evidence(
        max(zero, orbit, float(not ranks)),
        mutant=wrong,
        words="kernel of the constraints, dimension 3, two along the orbit",
    )


def _along(s: Any, direction: Array) -> Any:
    """⟨∂L/∂q̇, (ψ, φ, x-body, y-body)⟩ for an element of so(2) × se(2) at the state."""
    turn = s.phidot * np.sin(s.theta) + s.psidot
    one, two = rolling_speeds(s)
    slide = s.m * (one - s.r * turn)
    across = s.m * (two * np.sin(s.theta) ** 2 + (two * np.cos(s.theta) + s.r * s.thetadot) * np.cos(s.theta))
    psi = s.B * turn  # ∂L/∂ψ': ζ1 − R(φ' sin θ + ψ') does not contain ψ'
    phi = -slide * s.r * np.sin(s.theta) + s.A * s.phidot * np.cos(s.theta) ** 2 + s.B * turn * np.sin(s.theta)
    return psi * direction[0] + phi * direction[1] + slide * direction[2] + across * direction[3]


def basis(s: Any, right: bool) -> tuple[Array, Array]:
    """e1, e2 over (ψ, φ, x-body, y-body), as corrected or as printed."""
    t, c = np.tan(s.theta), np.cos(s.theta)
    zero = 0 * t
    if right:
        return np.array([-t, 1 / c, s.r * t, zero]), np.array([1 + zero, zero, -s.r + zero, zero])
    return np.array([1 + zero, zero, s.r + zero, zero]), np.array([-t, 1 / c, -s.r * t, zero])


def momenta(s: Any) -> Array:
    """p1 = Aφ̇ cos θ, p2 = (mR² + B)(φ̇ sin θ + ψ̇)."""
    return np.array([s.A * s.phidot * np.cos(s.theta), (s.m * s.r**2 + s.B) * (s.phidot * np.sin(s.theta) + s.psidot)])


def _rates(s: Any, p: Array) -> Array:
    """The printed right sides of the momentum equations."""
    return (
        np.array([np.tan(s.theta) * p[0] - s.B / (s.m * s.r**2 + s.B) * p[1], -s.m * s.r**2 / s.A * p[0]]) * s.thetadot
    )


@section.misprint(
    "§6.5, basis e1, e2 of the disk",
    190,
    right=r"e_1 = (-\tan\theta, \cos^{-1}\theta, R\tan\theta, 0) \quad \text{and} \quad e_2 = (1, 0, -R, 0)",
    harm=3,
    breaks="The printed vectors do not satisfy the constraints (ψ' = 1 carries −R along the heading), and their "
    "order is that of p2, p1.",
    exhibits=DISK,
    kind="slip",
)
def the_basis() -> Evidence:
    """The momenta along e1 and e2 obey the printed momentum equations."""

    def terms(s: Any, right: bool) -> list[Any]:
        def along(z: Any) -> Array:
            return np.array([_along(z, e) for e in basis(z, right)])

        return [s.dot(along), -_rates(s, along(s))]

    return identity(
        rolling(),
        lambda s: terms(s, False),
        lambda s: terms(s, True),
        words="⟨∂L/∂q̇, e⟩, rates by the multiplier witness",
    )


@section.misprint(
    "§6.5, momenta p1, p2 of the disk",
    191,
    right=r"p_1 = A\dot{\phi}\cos\theta, \quad p_2 = (mR^2 + B)(\dot{\phi}\sin\theta + \dot{\psi})",
    harm=4,
    breaks="The momentum equations, (6.17), (6.18) and U_c, none of which holds for the printed momenta.",
    exhibits=DISK,
    kind="error",
    because=(
        "(∂L/∂φ̇)/cos θ − tan θ ∂L/∂ψ̇ on the constraints is Aφ̇ cos θ; this p₁, and p₂ = (mR² + B)(φ̇ sin θ "
        "+ ψ̇), obey the momentum equations printed next, the printed ones do not."
    ),
)
def the_momenta() -> Evidence:
    """p1 and p2 as printed obey the printed momentum equations."""

    def printed(z: Any) -> Array:
        turn = (z.m * z.r**2 + z.B) * (z.phidot * np.sin(z.theta) + z.psidot)
        c, d = np.cos(z.theta), np.sin(z.theta)
        return np.array([z.A * z.phidot * c**2 + turn * d, -z.A * z.phidot * c**2 * d + turn * c**2])

    return identity(
        rolling(),
        lambda s: [s.dot(printed), -_rates(s, printed(s))],
        lambda s: [s.dot(momenta), -_rates(s, momenta(s))],
        words="rates by the multiplier witness in angles",
    )


@section.confirmed("§6.5, momentum equations", 192, exhibits=DISK)
def momentum_equations() -> Evidence:
    """ṗ1 = (tan θ p1 − B/(mR² + B) p2) θ̇, ṗ2 = −(mR²/A) p1 θ̇, for p1, p2 as corrected."""

    def terms(s: Any) -> list[Any]:
        p = momenta(s)
        rate = s.dot(momenta)
        return [
            rate,
            -np.array([np.tan(s.theta) * p[0] * s.thetadot, 0]),
            np.array([s.B / (s.m * s.r**2 + s.B) * p[1] * s.thetadot, 0]),
            np.array([0, s.m * s.r**2 / s.A * p[0] * s.thetadot]),
        ]

    return identity(rolling(), terms, words="rates by the multiplier witness in angles")


def _transport(theta: float, v: Any, right: bool = True) -> Array:
    """The fundamental solution of (6.18) from the identity at θ = 0 (columns: the two fields)."""
    from scipy.integrate import solve_ivp

    def rates(t: float, y: Array) -> Array:
        e = y.reshape(2, 2)
        second = e[0] if right else e[1]
        k = v.B / (v.m * v.r**2 + v.B)
        return np.array([-np.tan(t) * e[0] + v.m * v.r**2 / v.A * e[1], k * second]).reshape(-1)

    found = solve_ivp(rates, (0, theta), np.eye(2).reshape(-1), rtol=1e-12, atol=1e-14)
    return np.asarray(found.y[:, -1].reshape(2, 2))


@section.misprint(
    "(6.18), second equation",
    194,
    right=r"\frac{d\eta^1}{d\theta} = -\tan\theta\,\eta^1 + \frac{mR^2}{A}\eta^2, \quad \frac{d\eta^2}{d\theta} "
    r"= \frac{B}{mR^2+B}\eta^1",
    harm=4,
    breaks="The conserved momenta of the disk: with the printed system ⟨p, η⟩ is not constant and W is not W(0) cos θ.",
    exhibits=DISK,
    kind="slip",
    because=(
        "d⟨p, η⟩/dθ = 0 with the momentum equations printed before it: the coefficient of p₂ is dη²/dθ − "
        "B/(mR² + B) η¹."
    ),
)
def conserving_fields() -> Evidence:
    """dη2/dθ = B/(mR² + B) η2."""

    def terms(s: Any, right: bool) -> list[Any]:
        """d/dt⟨p, η⟩ for the value η = (0.7, −0.4) at the state, with η' by (6.18)."""
        p, rate, eta = momenta(s), s.dot(momenta), np.array([0.7, -0.4])
        k = s.B / (s.m * s.r**2 + s.B)
        first = -np.tan(s.theta) * eta[0] + s.m * s.r**2 / s.A * eta[1]
        return [rate @ eta, p[0] * first * s.thetadot, p[1] * k * (eta[0] if right else eta[1]) * s.thetadot]

    return identity(rolling(), lambda s: terms(s, False), lambda s: terms(s, True), words="d/dt⟨p, η⟩ by the witness")


@section.confirmed("§6.5, solutions of (6.18) by hypergeometric functions", exhibits=DISK)
def hypergeometric() -> Evidence:
    """η2 of the corrected (6.18) obeys Legendre's equation in x = sin θ: it is ₂F₁(−ν, ν + 1; 1; (1 ∓ x)/2), combined."""
    v = sliding()[0]
    start = _legendre_momenta(0.0, v)
    gaps = []
    for theta in (0.6, -0.9):
        constant = _legendre_momenta(theta, v).T @ _transport(theta, v)
        gaps.append(gap(constant, start.T))
    wrong = float(np.max(np.abs(_legendre_momenta(0.6, v).T @ _transport(0.6, v, False) - start.T)))
    return Evidence(max(gaps), mutant=wrong, words="⟨p, η⟩ between mpmath's ₂F₁ and the integrated fields")


def _degree(v: Any) -> Any:
    """ν of Legendre's equation."""
    import mpmath

    k = v.m * v.r**2 * v.B / (v.A * (v.m * v.r**2 + v.B))
    return mpmath.findroot(lambda n: n * (n + 1) + k, (-0.4, 0.1 + 0.2j, 0.3j), solver="muller")


def _legendre_momenta(theta: Any, v: Any) -> Array:
    """p1 (first row) and p2 for ``p2 = P_ν(±sin θ)``, ``ν(ν + 1) = −mR²B/(A(mR² + B))``, ``p1 = −(A/mR²) dp2/dθ``."""
    import mpmath

    nu = _degree(v)
    with mpmath.workdps(30):
        x, c = mpmath.sin(theta), mpmath.cos(theta)
        one, two = [], []
        for sign in (1, -1):
            z = (1 - sign * x) / 2
            slope_of = -sign / mpmath.mpf(2) * -nu * (nu + 1) * mpmath.hyp2f1(1 - nu, nu + 2, 2, z)
            one.append(float(mpmath.re(-v.A / (v.m * v.r**2) * slope_of * c)))
            two.append(float(mpmath.re(mpmath.hyp2f1(-nu, nu + 1, 1, z))))
    return np.array([one, two])


@section.confirmed("§6.5, U_c and its use", 195, exhibits=DISK)
def amended_potential() -> Evidence:
    """½(A + mR²)θ̇² + U_c is the energy, with U_c = ½(p1²/A + p2²/(mR² + B)) + mgR cos θ."""

    def parts(z: Any) -> Array:
        p = momenta(z)
        return np.array(
            [
                (z.A + z.m * z.r**2) / 2 * z.thetadot**2,
                p[0] ** 2 / z.A / 2,
                p[1] ** 2 / (z.m * z.r**2 + z.B) / 2,
                z.m * z.g * z.r * np.cos(z.theta),
            ]
        )

    return identity(rolling(), lambda s: list(s.dot(parts)), words="its rate vanishes along the witness's motion")


@section.confirmed("§6.5, W = W(0) cos θ", 197, exhibits=DISK)
def wronskian() -> Evidence:
    """Liouville's formula: det of the fields is W(0) exp ∫ −tan θ dθ = W(0) cos θ."""
    v = sliding()[0]
    gaps = [abs(np.linalg.det(_transport(t, v)) - np.cos(t)) for t in (0.7, -1.2)]
    wrong = abs(np.linalg.det(_transport(0.7, v, False)) - np.cos(0.7))
    return Evidence(float(max(gaps)), mutant=float(wrong), words="the corrected (6.18) integrated to θ = 0.7 and −1.2")


@section.confirmed("§6.5, U_c → ∞ at θ → ±π/2, but for a set of codimension one", exhibits=DISK)
def never_falls() -> Evidence:
    """W → 0 there, so p1 cos θ tends to (2A/πmR²) sin νπ times one linear combination of the levels, which may vanish."""
    import mpmath

    v = sliding()[0]
    nu = _degree(v)
    near = mpmath.mpf("1.57079622679489661923")  # π/2 − 1e-7
    bounded, grows = (float(e * mpmath.cos(near)) for e in _legendre_momenta(near, v)[0])
    limit = float(abs(2 * v.A / (mpmath.pi * v.m * v.r**2) * mpmath.sin(nu * mpmath.pi)))
    return Evidence(
        max(abs(bounded), abs(abs(grows) / limit - 1)),
        mutant=limit,
        words="p1 cos θ at π/2 − 1e-7: the closed limit for one solution, nothing for the other",
    )


@section.confirmed("§6.5, Corollary 4.5 applies", exhibits=DISK)
def corollary_applies() -> Evidence:
    """ṗ is linear in p and in θ̇ alone (no terms p p or θ̇ θ̇): two conserved momenta over one shape variable."""

    def terms(s: Any) -> list[Any]:
        # at twice the velocities the rates are four times as large, and at p = 0 they vanish: bilinear
        return [s.dot(momenta), -_rates(s, momenta(s))]

    still = rolling()
    found = identity(still, terms)
    upright = slope(lambda p: _rates(still[0], p), np.zeros(2))
    return Evidence(
        found.printed, None, min(found.mutant or 0.0, float(np.max(np.abs(upright)))), "rates by the witness"
    )
