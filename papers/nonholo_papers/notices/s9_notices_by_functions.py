"""The theorems of the article by the public functions, on systems that nobody prepared (`nonholo_papers.drawn`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, together
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "The theorems by the public functions")
STEP = 1e-3


def _along(given: drawn.Drawn, q: Array, v: Array, momenta: Any) -> Array:
    """The rate of momenta along Newton's motion, by differences of fourth order."""
    a = given.accelerations(q, v)
    values = [momenta(q + h * v + h**2 / 2 * a, v + h * a) for h in (2 * STEP, STEP, -STEP, -2 * STEP)]
    return (-values[0] + 8 * values[1] - 8 * values[2] + values[3]) / (12 * STEP)


@section.confirmed(
    "Theorem 3 and Corollary 4 by `nh.noether`",
    by_functions=("Theorem 3", "Corollary 4"),
    printed=r"\frac{d}{dt}\langle J^{nhc}, \xi^q \rangle = \frac{\partial L}{\partial \dot q^i}\Big[\frac{d\xi^q}{dt}\Big]_Q^i",
)
def momentum_equation() -> Evidence:
    """A drawn system with the group SE(2), a constraint and a section of its own: the rate is that of Newton's motion and
    of the momentum equation; where the section is constant and in D the momentum is conserved.
    """
    import nonholo as nh

    slip = "(0.3 + 0.4*sin(r))"
    kinetic = drawn.energy(drawn.coefficients(31), ["rdot", *drawn.BODY], ("r",))
    row = f"{drawn.BODY[2]} - {slip}*{drawn.BODY[1]} - 0.2*r*rdot"
    given = drawn.Drawn(("r", "th", "x", "y"), f"{kinetic} - 0.3*r**2", (row,))
    group = nh.planar_motion("x", "y", "th")
    field = {"shift_x": f"cos(th) - {slip}*sin(th)", "shift_y": f"sin(th) + {slip}*cos(th)"}
    found = nh.noether(given.system(symmetry=group), field)

    def momentum(q: Array, v: Array) -> Array:
        c, d, f = np.cos(q[1]), np.sin(q[1]), 0.3 + 0.4 * np.sin(q[0])
        return given.momenta(q, v) @ np.array([0, 0, c - f * d, d + f * c])

    def equation(q: Array, v: Array) -> float:
        """∂L/∂q̇ along dξ/dt: shifts with the rates of their coefficients."""
        c, d, f = np.cos(q[1]), np.sin(q[1]), 0.3 + 0.4 * np.sin(q[0])
        rate = 0.4 * np.cos(q[0]) * v[0]
        turn = np.array([-d - f * c, c - f * d]) * v[1] + rate * np.array([-d, c])
        return float(given.momenta(q, v)[2:] @ turn)

    def terms(state: Any) -> list[Array]:
        q, v = state
        told = float(found.rate.subs(given.named(q, v)).n())
        return [np.array([told, equation(q, v)]), -np.full(2, _along(given, q, v, momentum))]

    straight = drawn.Drawn(("x", "y", "z"), "(xdot**2 + ydot**2 + zdot**2)/2 - y**2", ("zdot - y*ydot",))
    shifts = nh.translation("x", "z")
    kept = nh.noether(straight.system(symmetry=shifts), {"shift_x": "1"})
    conserved = holds(
        ("a constant section in D", bool(kept.constant)), against=[("the drawn one", bool(found.constant))]
    )
    return together([identity(given.states(), terms), conserved], "against Newton's motion and (6), at 3 states")


@section.confirmed(
    "Theorem 5 by `nh.hamilton`",
    by_functions=("Theorem 5",),
    printed=r"\dot{\tilde p}_\alpha = -\frac{\partial H_M}{\partial r^\alpha} + A^b_\alpha\frac{\partial H_M}{\partial s^b} "
    r"- p_b B^b_{\alpha\beta}\frac{\partial H_M}{\partial \tilde p_\beta}",
)
def constrained_hamilton() -> Evidence:
    """Hamilton's equations on the constraint submanifold of a drawn system: p̃ along the fields of D, moved as by Newton."""
    import nonholo as nh

    given = drawn.constrained(32)
    equations = nh.hamilton(given.system())

    def momenta(q: Array, v: Array) -> Array:
        return np.hstack([np.eye(3), -given.rows(q)[:, :3].T]) @ given.momenta(q, v)

    def terms(state: Any) -> list[Array]:
        q, v = state
        values = {**dict(zip(given.coordinates, q)), **dict(zip(("p_x", "p_y", "p_z"), momenta(q, v)))}
        rates = equations.rates(values, {})
        wanted = np.concatenate([v, _along(given, q, v, momenta)])
        return [np.array([rates[n] for n in (*given.coordinates, "p_x", "p_y", "p_z")]), -wanted]

    return identity(given.states(), terms, words="against Newton's equations, at 3 states")
