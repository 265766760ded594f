"""Mass points on generic positional constraints, with generic forces and a generic constraint q̇ = ψ(q, z), in numbers.

Nothing is special: three points in space, three coordinates, two parameters; ψ is nonlinear and not homogeneous in z and
depends on q. The witness is the multiplier form of the same system, which knows nothing of the paper's formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.spectral import partials, slope

Vector = Any
MASSES = np.array([0.8, 1.3, 0.6])
PLACES = (
    ("q1 + 0.3*sin(q2)", "q2 - 0.2*q1*q3", "0.5*q3**2"),
    ("cos(q1) + q3", "0.7*q2 + 0.4*q1**2", "q3 - 0.3*q1*q2"),
    ("0.6*q1*q2", "sin(q3) + q1", "q2 + 0.2*q3*q1"),
)
PULLS = (
    ("0.4 - q1dot*0.2", "0.7*q2*q3", "-1.1 + 0.3*q3dot"),
    ("0.5*q1", "-0.6 + 0.2*q2dot*q1", "0.9*sin(q2)"),
    ("0.3*q3dot*q2dot", "0.8", "-0.4*q1 + 0.5"),
)
CURVED = ("(1 + 0.2*q2**2)*z1 + 0.3*sin(z2)", "z1*z2 + 0.4*q1", "cos(q3)*z2 + 0.2*z1**2 + 0.1*q1*q2")
LINEAR = ("(1 + 0.2*q2**2)*z1 + 0.3*q3*z2", "0.4*q1*z1 + z2", "cos(q3)*z2 + 0.2*q2*z1")
COORDINATES, PARAMETERS = ("q1", "q2", "q3"), ("z1", "z2")


def _parsed(rows: Any) -> Any:
    return [[se.sympify(e) for e in row] for row in rows]


@lru_cache
def _functions(law: tuple[str, ...]) -> Any:
    """One function of (q, z) for everything: places and their derivatives, ψ and its derivatives, the metric
    and its, the forces.
    """
    q, z = [se.Symbol(n) for n in COORDINATES], [se.Symbol(n) for n in PARAMETERS]
    psi = [se.sympify(e) for e in law]
    r = _parsed(PLACES)
    dr = [[[c.diff(i) for i in q] for c in row] for row in r]
    metric = [
        [sum(m * dr[n][c][i] * dr[n][c][j] for n, m in enumerate(MASSES) for c in range(3)) for j in range(3)]
        for i in range(3)
    ]
    on_law = {se.Symbol(f"{n}dot"): e for n, e in zip(COORDINATES, psi)}
    pulls = [[c.subs(on_law) for c in row] for row in _parsed(PULLS)]
    shapes = {
        "r": (r, (3, 3)),
        "dr": (dr, (3, 3, 3)),
        "ddr": ([[[[e.diff(j) for j in q] for e in c] for c in row] for row in dr], (3, 3, 3, 3)),
        "psi": (psi, (3,)),
        "by_place": ([[e.diff(j) for j in q] for e in psi], (3, 3)),
        "by_z": ([[e.diff(a) for a in z] for e in psi], (3, 2)),
        "metric": (metric, (3, 3)),
        "slopes": ([[[e.diff(k) for k in q] for e in row] for row in metric], (3, 3, 3)),
        "pulls": (pulls, (3, 3)),
    }
    flat = [e for tree, _ in shapes.values() for e in _flat(tree)]
    function = se.Lambdify([*q, *z], flat)
    return function, {name: shape for name, (_, shape) in shapes.items()}


def _flat(tree: Any) -> list[Any]:
    return [e for branch in tree for e in _flat(branch)] if isinstance(tree, list) else [tree]


def at(q: Vector, z: Vector, law: tuple[str, ...] = CURVED) -> SimpleNamespace:
    """All arrays at one state."""
    function, shapes = _functions(law)
    numbers = np.asarray(function(np.concatenate([q, z]))).reshape(-1)
    found, begun = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        found[name] = numbers[begun : begun + size].reshape(shape)
        begun += size
    return SimpleNamespace(q=np.asarray(q), z=np.asarray(z), law=law, **found)


@lru_cache
def witness(law: tuple[str, ...]) -> Any:
    """The multiplier form of the system, with its Lagrangian forces."""
    from nonholo.derive.multipliers import multipliers
    from nonholo.model.system import System

    q = [se.Symbol(n) for n in COORDINATES]
    rates = [se.Symbol(f"{n}dot") for n in COORDINATES]
    dr = [[[c.diff(i) for i in q] for c in row] for row in _parsed(PLACES)]
    speeds = [[sum(e * v for e, v in zip(c, rates)) for c in row] for row in dr]
    kinetic = sum(m * c**2 / 2 for m, row in zip(MASSES, speeds) for c in row)
    pulls = _parsed(PULLS)
    forces = {
        name: sum(pulls[n][c] * dr[n][c][i] for n in range(3) for c in range(3)) for i, name in enumerate(COORDINATES)
    }
    system = System(
        name="mass points",
        coordinates=" ".join(COORDINATES),
        lagrangian=kinetic,
        parametric=(" ".join(PARAMETERS), {f"{n}dot": e for n, e in zip(COORDINATES, law)}),
        forces=forces,
    )
    return multipliers(system)


def states(law: tuple[str, ...] = CURVED, count: int = 4, seed: int = 1) -> list[SimpleNamespace]:
    """Generic states with the true rates of z (and so of q̇) by the multiplier form; Γ from the metric; another ż at random."""
    random = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        q, z = random.uniform(-0.8, 0.8, 3), random.uniform(0.3, 1.2, 2) * random.choice((-1, 1), 2)
        p = at(q, z, law)
        rates = witness(law).rates({**dict(zip(COORDINATES, q)), **dict(zip(PARAMETERS, z))}, {})
        p.zdot = np.array([rates[n] for n in PARAMETERS])
        p.other = random.uniform(-1, 1, 2)
        p.christoffel = christoffel(p.slopes)
        p.small = np.einsum("ia,ij,jb->ab", p.by_z, p.metric, p.by_z)
        p.lagrangian_pulls = np.einsum("nc,nci->i", p.pulls, p.dr)
        p.lost = np.einsum("ik,ij,j,ka->a", p.metric, p.by_place, p.psi, p.by_z)
        p.bent = np.einsum("ijk,i,j,ka->a", p.christoffel, p.psi, p.psi, p.by_z)
        p.pull = p.lagrangian_pulls @ p.by_z
        result.append(p)
    return result


def christoffel(slopes: Vector) -> Vector:
    """``Γ_ijk = ½(∂_i g_jk + ∂_j g_ki − ∂_k g_ij)``; ``slopes[i, j, k] = ∂_k g_ij``."""
    return (np.einsum("jki->ijk", slopes) + np.einsum("kij->ijk", slopes) - slopes) / 2


def acceleration(p: SimpleNamespace, zdot: Vector) -> Vector:
    """The points' accelerations at a state with given ż, by moving the state and differentiating the velocities ∂r/∂q ψ."""

    def velocities(tau: float) -> Vector:
        moved = at(p.q + tau * p.psi, p.z + tau * zdot, p.law)
        return np.einsum("nci,i->nc", moved.dr, moved.psi)

    return slope(velocities, 0.02, 12)


def gauss(p: SimpleNamespace, zdot: Vector) -> float:
    """``G = ½ Σ m |a − A/m|²``."""
    gap = acceleration(p, zdot) - p.pulls / MASSES[:, None]
    return float(np.sum(MASSES[:, None] * gap**2) / 2)


def energy_of_acceleration(p: SimpleNamespace, zdot: Vector) -> float:
    """``S = ½ Σ m |a|²``."""
    return float(np.sum(MASSES[:, None] * acceleration(p, zdot) ** 2) / 2)


def reactions(p: SimpleNamespace) -> Vector:
    """The reactive forces ``R_ν = m a − A`` on each point, along the true motion."""
    return MASSES[:, None] * acceleration(p, p.zdot) - p.pulls


def by_rate(function: Callable[[Vector], float], zdot: Vector) -> Vector:
    """``∂/∂ż_α`` of a function of ż, quadratic in it."""
    return partials(function, zdot, 0.5, 4)
