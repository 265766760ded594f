"""Four coordinates, two constraints, a frame adapted to them and no symmetry: the ground on which §3 is tested.

Everything depends on all coordinates; the rates of the states come from the multiplier witness.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import analytic, moving_system, slope

Array = Any
Q = ("q1", "q2", "q3", "q4")
ROWS = (("sin(q2)/2 + q3/4", "q1*q4/3 + 1/5", "-1", "0"), ("q3*q1/3", "cos(q1)/2 + q2*q4/5", "0", "-1"))
"""``A^s_i``: s = 1, 2."""
MIX = (("1 + q2**2/4", "q3/5"), ("sin(q4)/3", "1 + q1*q3/6"))
"""The fields of D are these combinations of those that move q1 and q2."""
ACROSS = (("q2/4", "sin(q3)/5", "1 + q1**2/5", "q4/6"), ("q3/7", "q1/5", "q2*q4/6", "1 + cos(q2)/4"))
METRIC = (
    ("2 + q2**2/3", "q3/4", "q1/5", "1/7"),
    ("q3/4", "3/2 + cos(q4)/3", "q2/6", "q4/5"),
    ("q1/5", "q2/6", "2 + q1**2/4", "sin(q2)/5"),
    ("1/7", "q4/5", "sin(q2)/5", "1 + q3**2/5"),
)
POTENTIAL = "q1*q2*q3/3 + cos(q4)/2"
D, U = slice(0, 2), slice(2, 4)

_rows, _mix, _across = analytic(ROWS, Q), analytic(MIX, Q), analytic(ACROSS, Q)
_metric, _potential = analytic(METRIC, Q), analytic(((POTENTIAL,),), Q)


def frame(q: Array) -> Array:
    """``ψ[i, j]``: two fields of D, two across."""
    a = _rows(q)
    admissible = np.concatenate([np.eye(2), a[:, :2].T], axis=1)  # q3' = a1 q1' + …
    return np.concatenate([_mix(q) @ admissible, _across(q)])


def reduced_metric(q: Array) -> Array:
    """``G_q`` in the frame."""
    return frame(q) @ _metric(q) @ frame(q).T


def lagrangian(q: Array, v: Array) -> Any:
    """``l(q, v)``."""
    return v @ reduced_metric(q) @ v / 2 - _potential(q)[0, 0]


def place(s: Any) -> Array:
    """q."""
    return np.array([s.q1, s.q2, s.q3, s.q4])


def velocity(s: Any) -> Array:
    """v, all four components (those across D vanish)."""
    return np.linalg.solve(frame(place(s)).T, np.array([s.q1dot, s.q2dot, s.q3dot, s.q4dot]))


def momentum(s: Any) -> Array:
    """``∂l/∂v``."""
    return reduced_metric(place(s)) @ velocity(s)


def _system() -> Any:
    from nonholo.model.system import System

    rates = [f"{n}dot" for n in Q]
    kinetic = " + ".join(f"({METRIC[i][j]})*{rates[i]}*{rates[j]}/2" for i in range(4) for j in range(4))
    rows = [" + ".join(f"({c})*{n}" for c, n in zip(row, rates)) for row in ROWS]
    return System(name="generic", coordinates=" ".join(Q), lagrangian=f"{kinetic} - ({POTENTIAL})", constraints=rows)


@lru_cache
def places() -> tuple[SimpleNamespace, ...]:
    """States with everything the claims of §3 need."""
    from nonholo.derive.laws.reactions import reactions

    found = []
    system = _system()
    forces = reactions(system)
    for s in moving_system(system, {}, 3, 7):
        q, v = place(s), velocity(s)
        psi = frame(q)
        slopes = slope(frame, q)  # [i, k, j]
        fields = np.einsum("ij,lkj->ilk", psi, slopes)
        fields = fields - np.einsum("ilk->lik", fields)
        c = np.einsum("ilk,km->ilm", fields, np.linalg.inv(psi))
        a = _rows(q) @ psi.T  # a^s_i = A^s_j ψ_i^j
        g = reduced_metric(q)
        p = g @ v
        state = {n: getattr(s, n) for n in (*Q, *(f"{n}dot" for n in Q))}
        known = forces.at(state)
        found.append(
            SimpleNamespace(
                state=s,
                q=q,
                v=v,
                psi=psi,
                c=c,
                A=_rows(q),
                a=a,
                G=g,
                p=p,
                rate=s.dot(momentum),
                accelerations=s.dot(velocity),
                push=psi @ slope(lambda z, v=v: lagrangian(z, v), q),
                star=np.einsum("ijm,i,m->j", c, v, p),
                b=np.linalg.solve(g, a.T).T,
                brate=s.dot(
                    lambda z: np.linalg.solve(reduced_metric(place(z)), (_rows(place(z)) @ frame(place(z)).T).T).T
                ),
                multipliers=np.array([known[n] for n in forces.multipliers]),
            )
        )
    return tuple(found)
