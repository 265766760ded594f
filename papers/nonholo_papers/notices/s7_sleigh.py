"""The Chaplygin sleigh, (19), and the rattleback."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz import s5_suslov as suslov_section
from nonholo_papers.bmz import s6_2_sleigh as sleigh
from nonholo_papers.bmz._algebras import SE2
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, together, vanish, worst
from nonholo_papers.section import Section

Array = Any
SLEIGH = ("chaplygin-sleigh",)
section = Section("notices", "The Chaplygin sleigh, the rattleback")
section.uncheckable(
    "Figure 3", "Figure 3", "A drawing of the sleigh, without numbers.", "The sleigh on two posts and a knife edge."
)
section.uncheckable("Figure 5", "Figure 5", "A drawing, without numbers.", "The rattleback.")


@section.confirmed("p1 and p2 of the sleigh", exhibits=SLEIGH)
def momenta() -> Evidence:
    """p1 is the angular momentum about the contact point, p2 the momentum along the edge (from the body's motion)."""

    def terms(s: Any) -> list[Any]:
        c, d = np.cos(s.theta), np.sin(s.theta)
        arm = s.a * np.array([c, d])
        velocity = s.dot(lambda z: np.array([z.x + z.a * np.cos(z.theta), z.y + z.a * np.sin(z.theta)]))
        turn = s.J * s.thetadot + s.m * (arm[0] * velocity[1] - arm[1] * velocity[0])
        return [np.array([turn, s.m * velocity @ np.array([c, d])]), -sleigh.body_momenta(s)]

    return identity(sleigh.sleighs(), terms)


section.confirmed(
    "(19)",
    35,
    statement="ṗ1 = −a p1 p2/(I + ma²), ṗ2 = m a p1²/(I + ma²)², by the multiplier witness.",
    exhibits=SLEIGH,
)(sleigh.momentum_equations)
section.confirmed(
    "after (19), equilibria and eigenvalues",
    statement="Equilibria are p1 = 0, each with eigenvalues 0 and −a p2/(I + ma²): negative for p2 > 0, "
    "positive for p2 < 0 (a > 0).",
    exhibits=SLEIGH,
)(sleigh.equilibria)


@section.confirmed(
    "after (19), volume is preserved if and only if a = 0, equivalent to (15)",
    exhibits=("chaplygin-sleigh", "balanced-sleigh"),
)
def volume() -> Evidence:
    """The covector of (15) for a = e3 in se(2) is a multiple of e3 at a = 0, and not for a ≠ 0."""
    sizes = []
    for offset in (0.0, 0.4):
        s = moving("chaplygin-sleigh")[0]
        s.a = offset
        across = np.array([0.0, 0.0, 1.0])
        one, two = suslov_section._condition(SE2, suslov_section.planar_inertia(s), across)
        sizes.append(worst(np.max(np.abs(one[:2])), np.max(np.abs(two))))  # T vanishes: se(2) is unimodular
    return Evidence(sizes[0], mutant=sizes[1], words="K ad*_{I⁻¹a}a + T across the constraint")


section.confirmed(
    "Figure 4, ellipses",
    "Figure 4",
    statement="Solution curves lie on the ellipses p1²/(I + ma²) + p2²/m = const of the (p1, p2)-plane.",
    exhibits=SLEIGH,
)(sleigh.ellipses)


@section.conditional(
    "Figure 4, the positive p2-axis attracts all solutions",
    printed="solution curves are ellipses; all solutions are attracted by the positive p2-axis",
    right="a > 0 and the solution is not an equilibrium of the negative p₂-axis",
    reason="The points of the negative p₂-axis are equilibria, from which the halves of ellipses begin.",
    harm=1,
    breaks="Nothing for generic starts; going backwards along the edge is a steady motion, too.",
    exhibits=SLEIGH,
)
def attracts() -> Evidence:
    """Every solution tends to the positive p2-axis."""
    from scipy.integrate import solve_ivp

    def end(start: tuple[float, float]) -> float:
        run = solve_ivp(lambda _, p: sleigh._flow(p), (0, 200), start, rtol=1e-12, atol=1e-14)
        p1, p2 = run.y[:, -1]
        return float(abs(p1) + max(0.0, -p2))

    return Evidence(
        end((0.0, -1.0)),
        max(end((0.4, -1.0)), end((-0.7, 0.2))),
        None,
        "distance to the half axis after 200 s; from (0, −1) it stays",
    )


@section.confirmed(
    "a = 0: the body momentum is preserved, a free body preserves the spatial one", exhibits=("balanced-sleigh",)
)
def two_momenta() -> Evidence:
    """Balanced sleigh: rates of the body momenta vanish, those of the spatial ones do not; free body: the other way round."""

    def body(z: Any) -> Array:
        return suslov_section.planar_inertia(z) @ suslov_section.planar_velocity(z)

    def spatial(z: Any) -> Array:
        return np.linalg.inv(suslov_section.adjoint(z)).T @ body(z)

    one = vanish(moving("chaplygin-sleigh", parameters={"a": 0.0}), lambda s: s.dot(body), [lambda s: s.dot(spatial)])
    two = vanish(suslov_section.planar_body(), lambda s: s.dot(spatial), [lambda s: s.dot(body)])
    return together([one, two], "rates by the multiplier witness")


@section.confirmed("Further topics: the sleigh has no invariant measure and is solvable", exhibits=SLEIGH)
def solvable() -> Evidence:
    """p2 = P tanh, p1 = Q sech in closed form, against (19) integrated."""
    from scipy.integrate import solve_ivp

    m, i, a = 1.3, 0.7 + 1.3 * 0.16, 0.4
    start = np.array([0.6, -0.2])
    times = np.linspace(0, 6, 7)
    run = solve_ivp(lambda _, p: sleigh._flow(p), (0, 6), start, rtol=1e-12, atol=1e-14, t_eval=times).y
    top = np.sqrt(start[1] ** 2 + m * start[0] ** 2 / i)

    def gap(rate: float) -> float:
        phase = rate * times + np.arctanh(start[1] / top)
        closed = np.array([np.sqrt(i / m) * top / np.cosh(phase), top * np.tanh(phase)])
        return float(np.max(np.abs(run - closed)))

    return Evidence(gap(a * top / i), mutant=gap(a * top / (2 * i)), words="seven times up to 6 s")


@section.conditional(
    "the rattleback, the stable spin direction is asymptotically stable",
    printed="one sense of spin is asymptotically stable",
    right="the spin is above Ω₀ and (R₁ − ℓ)(E − mℓR₂) + (R₂ − ℓ)(E − mℓR₁) > 0, E = A + B − C + 2mℓ²; and up to the "
    "spin itself, of which there is a line",
    reason="Other stones, Kane and Levinson's among them, repel in both senses, one less than the other.",
    harm=2,
    breaks="Predictions for flat stones: no sense of spin attracts.",
    exhibits=("rattleback",),
)
def rattleback() -> Evidence:
    """Kane and Levinson's stone attracts to its better sense of spin; a fat stone above Ω0 does."""
    from nonholo import gallery
    from nonholo_papers.facts._newton_euler import spin_matrix
    from nonholo_papers.facts.rattleback import FAT, threshold

    exhibit = gallery.get("rattleback")

    def growth(values: Any, spin: float) -> float:
        return float(np.max(np.linalg.eigvals(spin_matrix(exhibit.system, values, spin)).real))

    better = min(growth(exhibit.parameters, s) for s in (5.0, -5.0))
    above, below = (growth(FAT, share * threshold(FAT)) for share in (1.05, 0.95))
    return Evidence(
        max(better, 0.0),
        max(above, 0.0),
        below,
        f"growth {better:.2f} 1/s at 5 rad/s in the better sense; fat stone {above:.4f} at 1.05 Ω0, {below:.4f} at 0.95 Ω0",
    )


@section.confirmed(
    "the rattleback turns round in one sense, and for some stones several times", exhibits=("rattleback",), slow=True
)
def reversals() -> Evidence:
    """Kane and Levinson's stone, spun the wrong way, turns round and, left alone, comes to turn round again."""
    from scipy.ndimage import uniform_filter1d

    from nonholo import gallery
    from nonholo.integrate.motion.simulate import simulate

    exhibit = gallery.get("rattleback")
    turns = []
    for spin in (exhibit.start["w3"], -exhibit.start["w3"]):
        run = simulate(exhibit.system, {**exhibit.start, "w3": spin}, 40.0, exhibit.parameters, rtol=1e-9, atol=1e-11)
        smooth = uniform_filter1d(run.data["w3"].values, 25)
        signs = np.sign(smooth[np.abs(smooth) > 0.2])
        turns.append(int(np.count_nonzero(np.diff(signs))))
    return Evidence(
        float(max(turns) < 2), mutant=float(turns[0] != turns[1]), words=f"reversals of the mean spin in 40 s: {turns}"
    )
