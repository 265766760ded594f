"""§5: Noether's theorem with constraints and a magnetic form."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.linalg import expm

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, analytic, identity, moving, moving_system, together, vanish
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell._fields import column, lie, towards
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "5 Noether's theorem")
section.rest("notation: q̇^i for the 1-form dq^i", 174, 175)
section.rest("restates (3.2), here with b^j", 177)
section.rest("definition", 181, 182, "Definition 5.1.1", "Definition 5.1.2")
section.rest("restates Definition 3.5.1", 184)
LINEAR = np.array([[0.2, 0.5, -0.3, 0.1], [-0.4, 0.1, 0.6, 0.2], [0.3, -0.2, -0.1, 0.7], [0.5, 0.4, -0.6, 0.3]])
WORDS = "a generic field σ with its flow; L not quadratic, affine constraints, M; rates by the multiplier witness"


def _bent(q: Array) -> Array:
    return np.array([q[0] + q[1] ** 2 / 5 + q[2] * q[3] / 6, q[1] + q[2] ** 2 / 7, q[2] + np.sin(q[3]) / 5, q[3]])


def _straight(p: Array) -> Array:
    third = p[2] - np.sin(p[3]) / 5
    second = p[1] - third**2 / 7
    return np.array([p[0] - second**2 / 5 - third * p[3] / 6, second, third, p[3]])


def flow(s: float, q: Array) -> Array:
    """σ_s: a linear flow, seen through a bend of space."""
    return _straight(expm(s * LINEAR) @ _bent(q))


def sigma(q: Array) -> Array:
    """σ = d/ds σ_s at 0."""
    step = 1e-30
    return np.imag(_straight(_bent(q) + 1j * step * (LINEAR @ _bent(q)))) / step


def _moved(s: float, p: SimpleNamespace) -> tuple[Array, Array]:
    """σ_s(q) and Tσ_s(q̇)."""
    return flow(s, p.q), slope_along(lambda h: flow(s, p.q + h * p.v), 0.05, 12)


@section.misprint(
    "§5.1, Lagrange's equations",
    176,
    right=r"\left(\frac{\partial L}{\partial \dot{q}^{i}}\right)' - \frac{\partial L}{\partial q^{i}} - M_{ij}\dot{q}^{j} = "
    r"\lambda_{j}B_{i}^{j}",
    harm=1,
    breaks="M_ii = 0 would drop the magnetic force; (3.1) has M_ij.",
    kind="reading",
)
def lagrange() -> Evidence:
    """(3.1) again, with M_ii printed for M_ij."""

    def terms(p: SimpleNamespace, force: Array) -> list[Any]:
        return [p.momentum_rate, -p.pull, -force, -p.rows.T @ p.lambdas]

    return identity(
        affine.states(),
        lambda p: terms(p, np.diag(p.field) * np.sum(p.v)),
        lambda p: terms(p, p.field @ p.v),
        words=WORDS,
    )


@section.confirmed("§5.1, the lifted flow", 178, slow=True)
def lifted() -> Evidence:
    """q̄̇ = Tσ_s(q̇) = ∂q̄^i/∂q^j q̇^j (the index i of q̄ is not in the text)."""

    def terms(p: SimpleNamespace) -> list[Any]:
        columns = towards(lambda q: flow(0.4, q), p.q, np.eye(4)).T
        return [_moved(0.4, p)[1], -columns @ p.v]

    return identity(affine.states(), terms)


def _noether(p: SimpleNamespace, s: float) -> list[Any]:
    """The first line of the calculation less the last, at s: along the curve σ_s(q(t))."""
    f = affine.functions()

    def place(t: float) -> Array:
        return p.q + t * p.v + t * t * p.a / 2

    def momentum(t: float) -> Any:
        at = SimpleNamespace(q=place(t), v=p.v + t * p.a)
        q, v = _moved(s, at)
        return f.push(q, v) @ slope_along(lambda h: flow(s + h, at.q), 0.05, 10)

    q, v = _moved(s, p)
    way = slope_along(lambda h: flow(s + h, p.q), 0.05, 12)
    action = float(slope_along(lambda h: f.L(*_moved(s + h, p))[0], 0.05, 10))
    return [
        float(slope_along(momentum, 0.02, 10)),
        -action,
        -float(way @ f.field(q) @ v),
        -float(p.lambdas @ f.rows(q) @ way),
    ]


@section.conditional(
    "§5.1, the calculation along the flow",
    179,
    right="s = 0",
    reason="Lagrange's equations are used along σ_s(q(t)), which is no trajectory for s ≠ 0.",
    harm=2,
    breaks="The last line for s ≠ 0.",
    slow=True,
)
def calculation() -> Evidence:
    """(∂L/∂q̇(q̄̇) ∂q̄/∂s)' = ∂/∂s L(q̄̇) + M(∂q̄/∂s, q̄̇) + λ_j⟨B^j(q̄), ∂q̄/∂s⟩ for all s."""
    return identity(
        affine.states(),
        lambda p: _noether(p, 0.4),
        lambda p: _noether(p, 0.0),
        words=f"{WORDS}; at s = 0.4, and at s = 0",
    )


@section.confirmed("§5.1, the rate of the momentum", 180)
def momentum_rate() -> Evidence:
    """(p^σ)' = ∂/∂s L∘Tσ_s(q̇) + M(σ, q̇) + λ_j⟨B^j, σ⟩."""

    def terms(p: SimpleNamespace) -> list[Any]:
        f = affine.functions()
        rate = p.momentum_rate @ sigma(p.q) + p.momentum @ slope_along(lambda h: sigma(p.q + h * p.v), 0.05, 12)
        action = float(slope_along(lambda h: f.L(*_moved(h, p))[0], 0.05, 10))
        return [float(rate), -action, -float(sigma(p.q) @ p.field @ p.v), -float(p.lambdas @ p.rows @ sigma(p.q))]

    return identity(affine.states(), terms, words=WORDS)


@section.confirmed(
    "Proposition 5.1.1",
    "Proposition 5.1.1",
    printed=r"M \equiv 0,\ \sigma \in D,\ \sigma \text{ partially preserves } L \Rightarrow p^\sigma \text{ is constant}",
    exhibits=("constrained-particle",),
)
def constant() -> Evidence:
    """A field in D that preserves L on D_β only gives a constant of the motion; fields that do not preserve it give none."""

    def field(s: Any, power: float) -> Array:
        return np.array([1 + 0 * s.y, 0 * s.y, s.y]) / (1 + s.y**2) ** power

    def velocity(s: Any) -> Array:
        return np.array([s.xdot, s.ydot, s.zdot])

    def growth(s: Any, power: float, inside: bool) -> float:
        """½(L_σK)(τ, τ) for τ = q̇, or for τ outside D."""
        way = velocity(s) if inside else np.array([s.xdot, s.ydot, s.zdot + 0.7])
        slopes = np.zeros((3, 3))
        slopes[:, 1] = slope_along(lambda h: field(SimpleNamespace(y=s.y + h), power), 0.1, 14)
        return float(way @ slopes @ way)

    states = moving("constrained-particle")

    def rate(s: Any, power: float) -> Any:
        return s.dot(lambda z: velocity(z) @ field(z, power))

    return together(
        [
            vanish(states, lambda s: rate(s, 0.5), [lambda s: rate(s, 0.3)]),
            vanish(states, lambda s: growth(s, 0.5, True), [lambda s: growth(s, 0.5, False)]),
        ],
        "ż = yẋ, σ = (1, 0, y)/√(1 + y²): L is preserved on D and not elsewhere; the mutant has another power",
    )


@lru_cache
def _charged() -> tuple[Moving, ...]:
    """x does not appear in L, N and the constraint; M = dN."""
    from nonholo.model.system import System

    system = System(
        name="charged",
        coordinates="x y z w",
        lagrangian="(1 + y**2)*xdot**2/2 + ydot**2 + (2 + cos(y))*zdot**2/2 + wdot**2/2 + xdot*zdot*w/4 - y*z*w/3",
        constraints=["wdot - y*zdot/2 - (1 + z)*ydot/3"],
        magnetic={
            ("x", "y"): "-(z + 2*y*w)",
            ("x", "z"): "-y",
            ("x", "w"): "-y**2",
            ("y", "z"): "2*y*w - z",
            ("y", "w"): "1",
            ("z", "w"): "-y**2",
        },
    )
    return tuple(moving_system(system, {}, 4, 6))


def _potential(s: Any) -> Array:
    """N, components along dx, dy, dz, dw."""
    return np.array([s.y * s.z + s.y**2 * s.w, 0.5 * s.z**2, s.y**2 * s.w, s.y])


@section.misprint(
    "§5.1, the constant for M = dN",
    183,
    printed=r"\frac{\partial}{\partial s}\Big|_{s=0} N\circ T\sigma_s(\tau) = 0,\ \forall\tau\in D_\beta: \text{ constant is } "
    r"p^{\sigma}(\dot{q}) + N(\dot{q})",
    right=r"p^{\sigma}(\dot{q}) + \langle N, \sigma\rangle \text{ is constant (with } M = dN,\ M_{ij} = \partial_iN_j - "
    r"\partial_jN_i)",
    harm=3,
    breaks="N(q̇) is not constant, nor its sum with the momentum; N(σ) is the part of the canonical momentum.",
    kind="error",
    because=(
        "Uniform field B, σ = ∂_x, N = −By dx: mẍ = Bẏ, so mẋ − By = p^σ + N(σ) is constant, and p^σ + N(q̇) "
        "= mẋ − Byẋ is not."
    ),
)
def exact() -> Evidence:
    """A magnetic form M = dN with N preserved by σ changes the constant by N(σ), printed N(q̇)."""

    def momentum(s: Any) -> Any:
        return (1 + s.y**2) * s.xdot + s.zdot * s.w / 4

    def velocity(s: Any) -> Array:
        return np.array([s.xdot, s.ydot, s.zdot, s.wdot])

    return identity(
        _charged(),
        lambda s: [float(s.dot(momentum)), float(s.dot(lambda z: _potential(z) @ velocity(z)))],
        lambda s: [float(s.dot(momentum)), float(s.dot(lambda z: _potential(z)[0]))],
        words="σ = ∂/∂x, a constraint and L without x, M = dN; rates by the multiplier witness",
    )


@section.confirmed("§5.2, L along the flow, for natural Lagrangians", (185, 186, 187))
def natural() -> Evidence:
    """L∘Tσ_s = ½K(Tσ_s τ, Tσ_s τ) − U∘σ_s∘π, and its derivative at 0 is ½(L_σK)(τ, τ) − σU."""
    f = affine.functions(True)
    field = column(["q2 - q3*q4/3", "sin(q1)/2 + q4/5", "q1*q2/4 + 1/3", "q3/2 - q2**2/6"], affine.NAMES)

    def direct(p: SimpleNamespace) -> list[Any]:
        q, v = _moved(0.4, p)
        return [float(f.L(q, v)[0]), -float(v @ f.metric(q) @ v / 2), float(f.potential(q)[0])]

    def terms(p: SimpleNamespace) -> list[Any]:
        # a flow with this field to first order is enough for the derivative at 0
        def moved(h: float) -> Any:
            return f.L(p.q + h * field(p.q), p.v + h * slope_along(lambda k: field(p.q + k * p.v), 0.05, 10))[0]

        growth = p.v @ lie(f.metric, field, p.q) @ p.v / 2
        step = 1e-30
        rise = np.imag(f.potential(p.q + 1j * step * field(p.q)))[0] / step
        return [float(slope_along(moved, 0.05, 10)), -float(growth), float(rise)]

    found = [identity(affine.states(True), form) for form in (direct, terms)]
    return together(found, "generic fields and flows")


@section.confirmed(
    "Proposition 5.1.1 by `nh.integrals`", by_functions=("Proposition 5.1.1",),
    printed=r"\text{momenta of fields in } D \text{ that preserve } L \text{ on } D",
)
def by_the_front() -> Evidence:
    """For ż = f(y)ẋ with drawn polynomials f one momentum along (1, 0, f) is proved, √(1 + f²)ẋ; a potential of x leaves none."""
    import nonholo as nh

    def system(f: str, potential: str) -> Any:
        kinetic = "(xdot**2 + ydot**2 + zdot**2)/2"
        return nh.System(coordinates="x y z", lagrangian=kinetic + potential, constraints=[f"zdot - ({f})*xdot"])

    def along_x(f: str, potential: str = "") -> list[Any]:
        """Proved constants that are linear in ẋ alone."""
        found = nh.integrals(system(f, potential), depends_on="y", witness=False)
        kept: list[Any] = [e.expression for e in found if e.proved and e.expression is not None]
        return [e for e in kept if {str(s) for s in e.free_symbols} == {"y", "xdot"}]

    def spread(f: str, expression: Any, power: float) -> float:
        """How much the expression over (1 + f²)^power ẋ varies with y."""
        rows = analytic([[str(expression.subs({"xdot": 1})), f]], ["y"])
        values = np.array([rows(np.array([y]))[0] for y in (0.3, -0.8, 1.4)])
        return float(np.ptp(values[:, 0] / (1 + values[:, 1] ** 2) ** power))

    gaps, wrong = [], []
    for a, b, c in np.random.default_rng(12).integers(1, 5, (2, 3)):
        f = f"{a}*y**2 - {b}*y + {c}"
        (found,) = along_x(f)
        gaps += [spread(f, found, 0.5), float(len(along_x(f, f" - {a}*x**2*(1 + y)/2")))]
        wrong.append(spread(f, found, 1.0))
    return Evidence(max(gaps), None, min(wrong), "two systems, against √(1 + f²)ẋ; the mutant is (1 + f²)ẋ")
