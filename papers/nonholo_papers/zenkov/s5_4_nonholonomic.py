"""Zenkov 2016, §§5.3–5.5: discrete nonholonomic systems and their relative equilibria."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity
from nonholo_papers.motion import integrated
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along, partials
from nonholo_papers.zenkov import _discrete as discrete
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "5.3–5.5 Discrete nonholonomic systems, stability")
section.rest("definition, cited from Cortés and Martínez [12]", 113)
section.rest("definition; the second is the right analogue of (4.3) as corrected", 114, 115)
section.rest("definition", 117)


@section.confirmed("(5.11), Theorem 5.2", (116, "Theorem 5.2"))
def constrained() -> Evidence:
    """With η_k in D, δs^d pairs with the D-part of the discrete Hamel equations; μ is taken before the constraints."""

    def sequence(seed: int, tau: float) -> SimpleNamespace:
        p = discrete.sequence(seed, tau, field=frame.adapted)
        random = np.random.default_rng(seed)
        p.xi = random.uniform(-1, 1, p.xi.shape) * np.array([1, 1, 0])
        p.eta = p.eta * np.array([1, 1, 0])
        made = discrete.completed(p)
        return made

    def terms(p: SimpleNamespace) -> list[float]:
        return [discrete.variation(p), *(-x for x in discrete.paired(p, discrete.hamel_terms(p)))]

    def too_early(p: SimpleNamespace) -> list[float]:
        flat = SimpleNamespace(**vars(p))
        flat.turns = frame.dual(p.c, p.xi, p.momenta * np.array([1, 1, 0]))
        return terms(flat)

    points = [sequence(1, 0.3), sequence(2, 0.5), sequence(3, 0.8)]
    return identity(
        points, terms, mutants=[too_early], words="a generic system with one constraint; the mutant leaves out μ_U"
    )


def _step(q: Vector, momentum: Vector, h: float, tau: float) -> tuple[Vector, Vector]:
    """One step of (5.11) with Δq/h = Ψξ: the momentum is that of the node, carried from interval to interval."""

    def parts(xi: Vector, following: Vector) -> tuple[Vector, Vector, Vector]:
        middle = (1 - tau) * q + tau * following
        full = np.append(xi, 0.0)
        psi = frame.adapted(middle)
        mu = psi.T @ frame.legendre(middle, psi @ full)
        push = psi.T @ frame.gradient(lambda a, b: frame.in_frame(a, b, frame.adapted), middle, full, 0)
        turn = frame.dual(frame.brackets(middle, frame.adapted), full, mu)
        return mu, push + turn, q + h * psi @ full

    def residual(unknown: Vector) -> Vector:
        mu, push, moved = parts(unknown[:2], unknown[2:])
        return np.concatenate([mu[:2] - h * (1 - tau) * push[:2] - momentum, unknown[2:] - moved])

    from scipy.optimize import fsolve

    xi = np.linalg.lstsq(frame.adapted(q)[:, :2], np.full(3, 0.3), rcond=None)[0]
    found, _, good, said = fsolve(residual, np.concatenate([xi, q]), full_output=True, xtol=1e-13)
    if good != 1 and np.max(np.abs(residual(found))) > 1e-10:
        raise ArithmeticError(said)
    mu, push, _ = parts(found[:2], found[2:])
    return found[2:], mu[:2] + h * tau * push[:2]


@section.confirmed(
    "§5.4, order of approximation", printed=r"\tau = 1/2: \text{ the order of approximation of (5.11) is } 2"
)
def order() -> Evidence:
    """With τ = ½ the discrete motion approaches the motion with order 2, with another τ with order 1."""
    system = frame.constrained()
    start = {"x": 0.2, "y": -0.3, "z": 0.4, "xdot": 0.6, "ydot": -0.5}
    from nonholo.derive.states.consistent_state import complete_state

    full = complete_state(system, start, {})
    q0 = np.array([full[n] for n in "xyz"])
    v0 = np.array([full[f"{n}dot"] for n in "xyz"])
    exact = integrated(system, start, np.array([0.0, 0.8]))
    end = np.array([exact.x[-1], exact.y[-1], exact.z[-1]])

    def error(count: int, tau: float) -> float:
        h = 0.8 / count
        q, momentum = q0, (frame.adapted(q0).T @ frame.legendre(q0, v0))[:2]
        for _ in range(count):
            q, momentum = _step(q, momentum, h, tau)
        return float(np.linalg.norm(q - end))

    orders = {tau: float(np.log2(error(8, tau) / error(16, tau))) for tau in (0.5, 0.2)}
    return holds(
        (f"order {orders[0.5]:.2f} with τ = ½", abs(orders[0.5] - 2) < 0.15),
        (f"order {orders[0.2]:.2f} with τ = 0.2", abs(orders[0.2] - 1) < 0.3),
        against=[("order 2 with τ = 0.2 too", abs(orders[0.2] - 2) < 0.15)],
    )


section.uncheckable(
    "§5.5, the domain of L",
    (),
    "a domain named in passing; §2.1 of the paper has L : TQ → R",
    "The Lagrangian of a Chaplygin system is called a function on Q.",
    printed=r"\text{an } H\text{-invariant Lagrangian } L : Q \to \mathbb{R}",
    right=r"L : TQ \to \mathbb{R}",
    harm=1,
    breaks="a Lagrangian depends on the velocity: one configuration with two velocities has two values",
    kind="slip",
)


# A commutative Chaplygin system: shape r, symmetry g of the reduced motion, s carried along by ds = a(r) dg + b dr.
_B, _STIFF = 0.9, 1.4


def _chaplygin() -> Any:
    from nonholo.model.system import System

    return System(
        name="commutative Chaplygin system",
        coordinates="r g s",
        lagrangian=f"rdot**2/2 + (1.2 + 0.3*r)*gdot**2/2 + 0.2*rdot*gdot + 0.8*sdot**2/2 - {_STIFF}*r**2/2",
        constraints=[f"sdot - (0.6 + 0.8*r + 0.3*r**2)*gdot - {_B}*rdot"],
    )


def _slip(r: Any) -> Any:
    return 0.6 + 0.8 * r + 0.3 * r**2


def _momenta(r: Any, xi: Vector) -> Vector:
    """``∂l/∂ξ`` in the frame ∂_r + b∂_s, ∂_g + a∂_s, ∂_s, before ξ^s = 0."""
    slide = _slip(r) * xi[1] + _B * xi[0]
    along_s = 0.8 * slide
    return np.array(
        [xi[0] + 0.2 * xi[1] + _B * along_s, (1.2 + 0.3 * r) * xi[1] + 0.2 * xi[0] + _slip(r) * along_s, along_s]
    )


def _pushes(r: Any, xi: Vector) -> Vector:
    """``ψ + [ξ, μ]*`` along r and g; the only bracket is [u_r, u_g] = a′(r)∂_s."""
    slide = _slip(r) * xi[1] + _B * xi[0]
    bend = 0.8 + 0.6 * r
    inner = 0.15 * xi[1] ** 2 + 0.8 * slide * bend * xi[1] - _STIFF * r
    mu = _momenta(r, xi)[2]
    return np.array([inner - bend * mu * xi[1], bend * mu * xi[0]])


def _discrete_residual(old: Vector, new: Vector, h: float, tau: float = 0.5) -> Vector:
    """(5.11) and the kinematic equation between (r_k, ξ_{k−1,k}) and (r_{k+1}, ξ_{k,k+1})."""
    before, after = old[0] - (1 - tau) * h * old[1], old[0] + tau * h * new[1]
    change = (_momenta(after, new[1:]) - _momenta(before, old[1:]))[:2]
    pushed = h * (tau * _pushes(before, old[1:]) + (1 - tau) * _pushes(after, new[1:]))
    return np.concatenate([[new[0] - old[0] - h * new[1]], change - pushed])


def _equilibrium(turn: float) -> float:
    """r_e of the relative equilibrium ṙ = 0, ġ = turn, from the multiplier form."""
    from scipy.optimize import brentq

    from nonholo.derive.multipliers import multipliers

    equations = multipliers(_chaplygin())

    def pull(r: float) -> float:
        state = {"r": r, "g": 0.3, "s": -0.2, "rdot": 0.0, "gdot": turn, "sdot": _slip(r) * turn}
        return float(equations.rates(state, {})["rdot"])

    return float(brentq(pull, -0.6, 0.6, xtol=1e-15))


def _continuous_spectrum(r: float, turn: float) -> Vector:
    """Eigenvalues of the shape dynamics (r, ṙ, ġ) by slopes of the multiplier form."""
    from nonholo.derive.multipliers import multipliers

    equations = multipliers(_chaplygin())

    def rates(x: Vector) -> Vector:
        slide = _slip(x[0]) * x[2] + _B * x[1]
        state = {"r": x[0], "g": 0.3, "s": -0.2, "rdot": x[1], "gdot": x[2], "sdot": slide}
        found = equations.rates(state, {})
        return np.array([x[1], found["rdot"], found["gdot"]])

    base = np.array([r, 0.0, turn])
    return np.linalg.eigvals(partials(rates, base).T)


def _fixed_points(h: float) -> list[float]:
    """r of the rests of the discrete system, found from it alone, for ġ = 1.1, −1.1 and 0.6."""
    from scipy.optimize import brentq

    def pull(r: float, turn: float) -> float:
        x = np.array([r, 0.0, turn])
        return float(_discrete_residual(x, x, h)[1])

    return [round(float(brentq(pull, -0.6, 0.6, args=(t,), xtol=1e-14)), 9) for t in (1.1, -1.1, 0.6)]


def _discrete_spectrum(r: float, turn: float, h: float, tau: float = 0.5) -> Vector:
    state = np.array([r, 0.0, turn])
    old = [along(lambda x: _discrete_residual(x, state, h, tau), (state,), (e,)) for e in np.eye(3)]
    new = [along(lambda x: _discrete_residual(state, x, h, tau), (state,), (e,)) for e in np.eye(3)]
    return np.linalg.eigvals(-np.linalg.solve(np.array(new).T, np.array(old).T))


@section.confirmed("Theorem 5.3", "Theorem 5.3")
def equilibria() -> Evidence:
    """τ = ½: the relative equilibria of the discrete system are those of the motion, and stable under the same conditions."""

    def terms(turn: float, tau: float = 0.5) -> list[Vector]:
        r, h = _equilibrium(turn), 0.4
        still = np.array([r, 0.0, turn])
        rest = _discrete_residual(still, still, h, tau)
        exact = _continuous_spectrum(r, turn)
        cayley = np.sort_complex((1 + h * exact / 2) / (1 - h * exact / 2))
        return [
            np.concatenate([np.sort_complex(_discrete_spectrum(r, turn, h, tau)), rest]),
            -np.append(cayley, 0 * rest),
        ]

    turns = (1.1, -1.1, 0.6)
    spectra = [_continuous_spectrum(_equilibrium(t), t) for t in turns]
    growth = [float(np.max(e[np.abs(e) > 1e-6].real)) for e in spectra]  # one eigenvalue 0 belongs to the family
    inside = [
        np.delete(m, np.argmin(np.abs(m - 1))) for m in (_discrete_spectrum(_equilibrium(t), t, 0.4) for t in turns)
    ]
    agree = all((g < 0) == bool(np.all(np.abs(m) < 1)) for g, m in zip(growth, inside)) and min(
        growth
    ) < -1e-2 < 1e-2 < max(growth)
    # the other direction: a fixed point of the discrete system is one of the motion, since elsewhere neither rests
    away = [np.array([_equilibrium(t) + shift, 0.0, t]) for t in turns for shift in (-0.2, 0.1, 0.3)]
    agree &= min(float(np.max(np.abs(_discrete_residual(x, x, 0.4)))) for x in away) > 1e-2
    agree &= _fixed_points(0.4) == [round(_equilibrium(t), 9) for t in turns]
    found = identity(
        turns,
        terms,
        mutants=[lambda t: terms(t, 0.3)],
        words=(
            "a Chaplygin system with h = 0.4: same r_e, eigenvalues (1 + hλ/2)/(1 − hλ/2) of those of the multiplier form; "
            f"largest growth {growth[0]:.3f} for ġ = 1.1 and {growth[1]:.3f} for −1.1"
        ),
    )
    return found if agree else Evidence(1.0, None, found.mutant, "stability differs")


def _compared(method: str, turn: float) -> tuple[Any, Any]:
    """A method with steps of 0.4 at the relative equilibria with ġ = turn of two systems; only in the first do the
    constraints turn with the group.
    """
    import nonholo as nh
    from nonholo_papers.problems import theorem_5_3

    own, turning = _chaplygin(), theorem_5_3().system
    rest = {"r": _equilibrium(turn), "rdot": 0.0, "gdot": turn}
    other = nh.relative_equilibria(turning, where={"w": turn})[0]
    one = nh.compare_methods(turning, [method], at=other, step=0.4)
    return one[method], nh.compare_methods(own, [method], at=rest, step=0.4)[method]


@section.confirmed(
    "Theorem 5.3 by `nh.relative_equilibria` and `nh.compare_methods`", by_functions=("Theorem 5.3",),
    printed="τ = 1/2: the same relative equilibria, stable under the same conditions",
)
def through_the_front() -> Evidence:
    """Both of two Chaplygin systems keep their relative equilibria and their stability, attracting and repelling ones."""
    found = [row for turn in (1.1, -1.1) for row in _compared("hamel", turn)]
    moved = _compared("dlagrange_dalembert", -1.1)[0]
    return Evidence(
        max(*(r.departure for r in found), float(not all(r.keeps and r.keeps_stability for r in found))),
        mutant=moved.departure,
        words="two systems, two equilibria each, steps of 0.4; the principle of Cortés and Martínez moves one",
    )


@section.confirmed(
    "§5.3, the principle of Cortés and Martínez",
    printed="it may change the manifold of relative equilibria of a Chaplygin system",
)
def rival() -> Evidence:
    """Started at a relative equilibrium, the discretisation leaves it where the constraints turn with the group, and not else."""
    turning, own = _compared("dlagrange_dalembert", -1.1)
    return holds(
        (f"one is moved by {turning.departure:.2g}", turning.departure > 1e-3 and not turning.keeps),
        ("the other is kept: it may, and need not", own.keeps),
        against=[("Hamel's discretisation moves the first", _compared("hamel", -1.1)[0].departure > 1e-9)],
    )


@section.confirmed("§5.5, ω-limit sets", printed="partially asymptotically stable relative equilibria belong to the ω-limit set")
def limits() -> Evidence:
    """A motion that begins beside an attracting relative equilibrium ends at one of the family; it leaves a repelling one."""
    import nonholo as nh

    def end(turn: float) -> float:
        start = {"r": _equilibrium(turn) + 0.02, "rdot": 0.01, "gdot": turn}
        last = nh.simulate(_chaplygin(), start, 150.0, rtol=1e-10, atol=1e-12, t_eval="end", progress=False).final
        at_rest = _equilibrium(float(last["gdot"]))
        return max(abs(float(last["rdot"])), abs(float(last["r"]) - at_rest)) if abs(at_rest) < 0.6 else 1.0

    signs = {turn: np.max(_continuous_spectrum(_equilibrium(turn), turn).real) for turn in (1.1, -1.1)}
    attracts, repels = sorted(signs, key=lambda t: float(signs[t]))
    return Evidence(end(attracts), mutant=abs(_left(repels)), words="after 150 s; from the repelling one 0.02 becomes more")


def _left(turn: float) -> float:
    """How far ġ has changed after 60 s from 0.02 beside a relative equilibrium."""
    import nonholo as nh

    start = {"r": _equilibrium(turn) + 0.02, "rdot": 0.01, "gdot": turn}
    return float(nh.simulate(_chaplygin(), start, 60.0, t_eval="end", progress=False).final["gdot"]) - turn
