"""The propositions of chapters 3 to 8.1 by the public functions, on systems whose coefficients are drawn
(`nonholo_papers.drawn`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, together
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "The propositions by the public functions")
FIELD = {("x", "y"): "0.6 + 0.4*x*z", ("y", "z"): "0.5*sin(x)"}


def _turned(given: drawn.Drawn) -> drawn.Drawn:
    """The same system in a magnetic field."""
    return replace(given, magnetic=FIELD)


@section.confirmed(
    "Proposition 3.2.1 by `nh.multipliers` and `nh.reactions`",
    by_functions=("Proposition 3.2.1",),
    printed=r"\text{Lagrange's equations determine } \ddot{q} \text{ and } \lambda \text{ at each } \tau \in D_\beta",
)
def unique() -> Evidence:
    """Accelerations and multipliers of drawn systems in a magnetic field are those of one linear system in numbers."""
    import nonholo as nh

    parts = []
    for number in (1, 2):
        given = _turned(drawn.constrained(number + 10, number=number))
        system = given.system()
        equations, reactions = nh.multipliers(system), nh.reactions(system)

        def terms(state: Any, given: Any = given, equations: Any = equations, reactions: Any = reactions) -> list[Any]:
            named = given.named(*state)
            rates, forces = equations.rates(named, {}), reactions.at(named)
            accelerations, multipliers = given.solved(*state)
            found = [*(rates[n] for n in given.rates), *(forces[n] for n in reactions.multipliers)]
            return [np.array(found), -np.concatenate([accelerations, multipliers])]

        parts.append(identity(given.states(), terms))
    return together(parts, "one and two constraints, a magnetic field")


@section.confirmed(
    "Proposition 3.2.2 by `nh.conserved`",
    by_functions=("Proposition 3.2.2",),
    printed=r"\beta \equiv 0 \Rightarrow E \text{ is constant}",
)
def energy() -> Evidence:
    """The energy of a drawn system is proved constant; with β ≠ 0 it is refuted, with the power λβ of the reactions as
    its rate.
    """
    import nonholo as nh

    kinetic, potential = "(1.3*xdot**2 + 2*ydot**2 + (1 + x**2)*zdot**2)/2", "0.7*x*y + 0.4*z**2"

    def system(row: str) -> drawn.Drawn:
        return drawn.Drawn(("x", "y", "z"), f"{kinetic} - ({potential})", (row,))

    still, pushed = system("zdot - (0.4*y + x**2)*xdot"), system("zdot - (0.4*y + x**2)*xdot - 0.7*(1 + y)")
    proved = nh.conserved(still.system(), f"{kinetic} + {potential}")
    refuted = nh.conserved(pushed.system(), f"{kinetic} + {potential}")

    def terms(case: Any) -> list[float]:
        values = dict(case.state)
        q, v = (np.array([values[n] for n in names]) for names in (pushed.coordinates, pushed.rates))
        return [abs(case.rate), -abs(pushed.solved(q, v)[1][0] * 0.7 * (1 + values["y"]))]

    kept = holds(("proved for β = 0", proved.proved and bool(proved)), against=[("constant for β ≠ 0", bool(refuted))])
    return together([identity([refuted.counterexample], terms), kept], "a proof for β = 0; the rate λβ for another β")


@section.confirmed(
    "Proposition 3.3.1 by `nh.forms.lagrangian_forms`",
    by_functions=("Proposition 3.3.1",),
    printed=r"\ddot{q} \lrcorner \omega + dE \in D^0 \text{ along a trajectory}",
)
def intrinsic() -> Evidence:
    """The 1-form of drawn systems in a magnetic field lies in D⁰ for Newton's accelerations and for no others that were
    tried.
    """
    import nonholo as nh

    given = _turned(drawn.constrained(12))
    forms = nh.forms.lagrangian_forms(given.system())

    def distance(state: Any, more: float) -> float:
        q, v = state
        pushed = given.accelerations(q, v) + more * np.array([0.3, -0.2, 0.4, 0.1])
        rates = {**dict(zip(given.coordinates, v)), **dict(zip(given.rates, pushed))}
        return float(forms.distance(given.named(q, v), rates, {}))

    right, wrong = ([distance(s, more) for s in given.states()] for more in (0.0, 1.0))
    return Evidence(max(right), mutant=min(wrong), words="at 3 states; other accelerations are seen")


@section.confirmed(
    "Proposition 3.4.1 by `nh.forms.action_variation`",
    by_functions=("Proposition 3.4.1",),
    printed=r"\delta \int L\,dt - \int M(\dot{q}, \delta q)\,dt = \langle FL, \delta q \rangle |_{t_1}^{t_2}",
)
def hamilton() -> Evidence:
    """For a motion in a magnetic field the variation of the action is the boundary term less ∫M(δq, q̇)dt, in the form
    of (3.1).
    """
    from scipy.integrate import simpson

    import nonholo as nh

    given = replace(drawn.free(13, "x y z"), magnetic=FIELD)
    start = {"x": 0.3, "y": -0.2, "z": 0.1, "xdot": 0.5, "ydot": 0.8, "zdot": -0.6}
    run = nh.simulate(given.system(), start, 1.0, t_eval=401, rtol=1e-11, atol=1e-12, progress=False)
    found = nh.forms.action_variation(run, {"xdot": "cos(t)", "ydot": "t**2", "zdot": "1 - t"})

    def terms(run: Any) -> list[float]:
        t, x, z = run.times, run["x"], run["z"]
        w, v = (np.cos(t), t**2, 1 - t), (run["xdot"], run["ydot"], run["zdot"])
        form = (0.6 + 0.4 * x * z) * (w[0] * v[1] - w[1] * v[0]) + 0.5 * np.sin(x) * (w[1] * v[2] - w[2] * v[1])
        return [found.variation, -found.boundary, float(simpson(form, x=t))]

    return identity([run], terms, words="∫M(δq, q̇)dt along a motion, by Simpson's rule")


@section.confirmed(
    "Lemmas 3.5.1 to 3.5.4 by `nh.hamilton` and `nh.energy`",
    by_functions=("Lemma 3.5.1", "Lemma 3.5.2", "Lemma 3.5.3", "Lemma 3.5.4"),
    printed=r"FL(\tau) = K(\tau, \cdot), \text{ a diffeomorphism}, \ E = K + U",
)
def legendre() -> Evidence:
    """Hamilton's equations of a drawn Lagrangian take p = ∂L/∂q̇ back to q̇ and move it as Newton's equations do; E is
    K + U.
    """
    import nonholo as nh

    given = drawn.free(14)
    system = given.system()
    equations, whole = nh.hamilton(system), nh.energy(system)

    def terms(state: Any) -> list[Any]:
        q, v = state
        step = 1e-4
        pushed = [given.momenta(q + h * v + h**2 / 2 * given.accelerations(q, v), v + h * given.accelerations(q, v))
                  for h in (2 * step, step, -step, -2 * step)]  # fmt: skip
        slope = (-pushed[0] + 8 * pushed[1] - 8 * pushed[2] + pushed[3]) / (12 * step)
        p = given.momenta(q, v)
        rates = equations.rates(
            {**dict(zip(given.coordinates, q)), **dict(zip((f"p_{n}" for n in given.coordinates), p))}, {}
        )
        found = [*(rates[n] for n in given.coordinates), *(rates[f"p_{n}"] for n in given.coordinates)]
        height = float(whole.subs(given.named(q, v)).n())
        return [np.array([*found, given.action_density(q, v) + height]), -np.concatenate([v, slope, [p @ v]])]

    return identity(given.states(), terms, words="q̇ from p, and ṗ along Newton's motion")


@section.confirmed(
    "Propositions 6.1.1 and 6.1.2 by `nh.reduce` and `nh.simulate`",
    by_functions=("Proposition 6.1.1", "Proposition 6.1.2"),
    printed=r"\text{the group takes trajectories to trajectories; } L \text{ is invariant iff } K \text{ and } U \text{ are}",
)
def carried() -> Evidence:
    """A drawn motion from a start that is moved by an element of SE(2) ends where the element moves its end; a potential
    of x, or a kinetic energy of x, is refused.
    """
    import nonholo as nh
    from nonholo import ModelError

    given = drawn.planar(15)
    group = nh.planar_motion("x", "y", "th")

    def moved(state: Array, angle: float = 0.8) -> Array:
        """(r, s, th, x, y) and rates, turned about the origin and shifted."""
        c, d = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -d], [d, c]])
        return np.concatenate(
            [state[:2], [state[2] + angle], turn @ state[3:5] + [0.3, -0.2], state[5:8], turn @ state[8:]]
        )

    def end(state: Array) -> Array:
        named = given.named(state[:5], state[5:])
        run = nh.simulate(given.system(), named, 0.5, rtol=1e-11, atol=1e-12, t_eval="end", progress=False)
        return np.array([run.final[n] for n in (*given.coordinates, *given.rates)])

    def refused(text: str) -> bool:
        try:
            nh.reduce(replace(given, lagrangian=given.lagrangian + text).system(symmetry=group), witness=False)
        except ModelError:
            return True
        return False

    start = np.concatenate(given.states(1)[0])
    iff = holds(
        ("a potential of x is no symmetry", refused(" - 0.3*x")), ("nor a kinetic energy", refused(" + 0.1*x**2*rdot**2")),
        against=[("the drawn system is none", refused(""))],
    )  # fmt: skip
    kept = identity([start], lambda s: [end(moved(s)), -moved(end(s))], mutants=[lambda s: [end(s), -moved(end(s))]])
    return together([kept, iff], "0.5 s from two starts; two systems without the symmetry")


@section.confirmed(
    "Lemma 6.2.1, Propositions 6.2.1 and 6.3.1 by `nh.reduce`",
    by_functions=("Lemma 6.2.1", "Proposition 6.2.1", "Proposition 6.3.1"),
    printed=r"H \oplus S \oplus N = D + V, \quad R = (D + V)^\perp, \text{ with bases aligned with the symmetry}",
)
def distributions() -> Evidence:
    """The dimensions of H, S, N, R of drawn systems are those of the ranks of D, V and D + V, constraints of the shape
    included.
    """
    import nonholo as nh

    def ranks(given: drawn.Drawn) -> Array:
        q = given.states(1)[0][0]
        rows, size = given.rows(q), len(q)
        allowed = np.linalg.svd(rows)[2][len(rows) :]
        orbit = np.eye(size)[2:]
        whole = np.linalg.matrix_rank(np.vstack([allowed, orbit]))
        both = len(allowed) + len(orbit) - whole
        return np.array([len(allowed) - both, both, len(orbit) - both, size - whole])

    def found(given: drawn.Drawn) -> Array:
        red = nh.reduce(given.system(symmetry=nh.planar_motion("x", "y", "th")), witness=False)
        return np.array([red.bases.dimensions[n] for n in "HSNR"])

    given = [drawn.planar(16, number=k) for k in (1, 2)]
    tied = replace(given[0], constraints=(*given[0].constraints, "sdot - (0.4 + r*s)*rdot"))
    return identity([*given, tied], lambda e: [found(e), -ranks(e)], words="one, two and two constraints; ranks by SVD")


@section.confirmed(
    "Propositions 7.2.1, 7.3.1 and 7.5.1 by `nh.studies.adjoint_equation`",
    by_functions=("Proposition 7.2.1", "Proposition 7.3.1", "Proposition 7.5.1"),
    printed=r"\text{flatness, and the adjoint equation, in one aligned basis hold in any other}",
)
def tensorial() -> Evidence:
    """A flat drawn system is flat in a basis of S that varies with the shape, where N becomes bNb⁻¹ + (κb)b⁻¹; another one
    is flat in neither.
    """
    import nonholo as nh

    given = drawn.shifted(17, "r s", "x", "z")
    shifts = nh.translation("x", "z")
    row = given.constraints[0].removeprefix("zdot - ").removesuffix("*xdot")
    one = nh.studies.adjoint_equation(nh.reduce(given.system(symmetry=shifts), witness=False))
    basis = {"g": {"x": "2 + sin(r*s)", "z": f"(2 + sin(r*s))*({row})"}}
    two = nh.studies.adjoint_equation(nh.reduce(given.system(symmetry=shifts), basis=basis, witness=False))

    def terms(place: Any) -> list[Array]:
        """The matrix N_j of each, and κ_j ln b for b = 2 + sin rs."""
        r, s = place
        numbers = [
            np.array([float(e.matrices[j][0][0].subs({"r": r, "s": s}).n()) for j in range(2)]) for e in (two, one)
        ]
        growth = np.array([s, r]) * np.cos(r * s) / (2 + np.sin(r * s))
        return [numbers[0], -numbers[1], -growth]

    bent = drawn.planar(5).system(symmetry=nh.planar_motion("x", "y", "th"))
    others = nh.studies.flatness(nh.reduce(bent, witness=False))
    flat = holds(
        ("flat in both bases", all(bool(f) for e in (one, two) for f in e.flat)),
        ("not flat", not any(bool(f) for f in others)),
        against=[("flat, the other one", bool(others[0]))],
    )
    return together(
        [identity([(0.4, -0.3), (-0.6, 0.7)], terms), flat], "one system in two bases, and one that is not flat"
    )


@section.confirmed(
    "Proposition 7.3.2 and (7.11) by `nh.studies.adjoint_equation`",
    by_functions=("Proposition 7.3.2",),
    printed=r"\kappa_j(K(\gamma_i, \Omega)) = (\mathcal{L}_{\gamma_i}K)(\kappa_j, \Omega), "
    r"\text{ in the elementary case solvable}",
)
def adjoint() -> Evidence:
    """The momenta along drawn fields of S change by ṗ = N_j p ṙ^j along Newton's motion; for one shape variable there are
    as many constants as fields of S.
    """
    import nonholo as nh

    given = drawn.shifted(18, "r s", "x y", "z w")
    red = nh.reduce(given.system(symmetry=nh.translation("x", "y", "z", "w")), witness=False)
    equation = nh.studies.adjoint_equation(red)

    def momenta(q: Array, v: Array) -> Array:
        basis = np.vstack([np.eye(2), -given.rows(q)[:, 2:4]])
        return basis.T @ given.momenta(q, v)[2:]

    def terms(state: Any) -> list[Array]:
        q, v = state
        a, step = given.accelerations(q, v), 1e-3
        pushed = [momenta(q + h * v + h**2 / 2 * a, v + h * a) for h in (2 * step, step, -step, -2 * step)]
        slope = (-pushed[0] + 8 * pushed[1] - 8 * pushed[2] + pushed[3]) / (12 * step)
        place = {"r": q[0], "s": q[1]}
        blocks = [[[float(e.subs(place).n()) for e in row] for row in block] for block in equation.matrices]
        return [slope, *(-v[j] * np.array(blocks[j]) @ momenta(q, v) for j in range(2))]

    single = drawn.shifted(18, "r", "x y", "z w").system(symmetry=nh.translation("x", "y", "z", "w"))
    frame = nh.studies.momentum_frame(nh.reduce(single, witness=False))
    size = abs(float(frame.wronskian(0.6)[0]))
    parts = [
        identity(given.states(), terms),
        holds(("two independent", size > 0.1), against=[("they coincide", size < 0.1)]),
    ]
    return together(parts, "ṗ along Newton's motion; two constants for one shape variable")


@section.confirmed(
    "Lemma 8.1.1 by `nh.hamel`",
    by_functions=("Lemma 8.1.1",),
    printed=r"\text{(8.1) in any basis of } D \text{ determines the trajectory}",
)
def any_basis() -> Evidence:
    """In quasi-velocities that vary with the place the equations of a drawn system in a magnetic field give Newton's
    accelerations.
    """
    import nonholo as nh

    given = _turned(drawn.constrained(19))
    rates = {"a": "xdot + 0.3*y*zdot", "b": "(2 + sin(x))*ydot", "c": "zdot - 0.4*x*xdot"}
    equations = nh.hamel(given.system(quasivelocities=rates))

    def speeds(q: Array, v: Array) -> Array:
        return np.array([v[0] + 0.3 * q[1] * v[2], (2 + np.sin(q[0])) * v[1], v[2] - 0.4 * q[0] * v[0]])

    def terms(state: Any) -> list[Array]:
        q, v = state
        found = equations.rates({**dict(zip(given.coordinates, q)), **dict(zip("abc", speeds(q, v)))}, {})
        moved = speeds(q + 1e-30j * v, v + 1e-30j * given.accelerations(q, v)).imag / 1e-30
        return [np.array([found[n] for n in "abc"]), -moved]

    return identity(given.states(), terms, words="against Newton's equations, at 3 states")
