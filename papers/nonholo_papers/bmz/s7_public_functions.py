"""The theorems of the paper by the public functions, on systems whose coefficients are drawn (`nonholo_papers.drawn`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, gap, holds, identity, slope, together
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "The theorems by the public functions")
FRAME = (("1 + y**2", "0.3*x*z", "sin(z)"), ("0.4*z", "2 + cos(x)", "0.2*x*y"), ("x*y", "0.5*sin(y)", "1.5 + x**2"))
"""The columns are three vector fields of R³ whose brackets vary from place to place."""


@section.confirmed(
    "Theorem 2.1 by `nh.hamel`",
    by_functions=("Theorem 2.1",),
    printed=r"\text{(iv) Hamel's equations in any frame are equivalent to (i) the principle of critical action}",
)
def hamel_equations() -> Evidence:
    """Hamel's equations of a drawn Lagrangian in a frame that varies with the place give the accelerations of Newton's
    equations.
    """
    import nonholo as nh

    given = drawn.free(3)
    fields = analytic(FRAME, given.coordinates)
    equations = nh.hamel(given.system(), nh.Frame(given.coordinates, ("a", "b", "c"), FRAME))

    def terms(state: Any) -> list[Any]:
        """q̈ = Ψ v̇ + Ψ̇ v with the v̇ of the equations."""
        q, velocity = state
        v = np.linalg.solve(fields(q), velocity)
        rates = equations.rates({**dict(zip(given.coordinates, q)), **dict(zip("abc", v))}, {})
        turning = np.einsum("ijk,k,j->i", slope(fields, q), velocity, v)
        return [fields(q) @ np.array([rates[n] for n in "abc"]), turning, -given.accelerations(q, velocity)]

    return identity(given.states(), terms, words="against Newton's equations, at 3 states")


@section.confirmed(
    "Theorem 2.1 by `nh.forms.action_variation`",
    printed=r"\text{(iii) } \delta\int l\,dt = 0 \text{ along } \delta v = \dot w + [v, w]_q \text{ just for the motions}",
)
def critical_action() -> Evidence:
    """The variation is that of the action along q + εw; it vanishes for a motion, and for a curve with a force it is
    −∫⟨F, w⟩dt.
    """
    import nonholo as nh

    given, force = drawn.free(5, "x y"), {"x": "0.7*cos(y)", "y": "0.4*xdot"}

    def runs(forces: Any) -> tuple[Any, Any]:
        start = {"x": 0.3, "y": -0.2, "xdot": 0.5, "ydot": 0.8}
        run = nh.simulate(given.system(forces=forces), start, 1.0, t_eval=401, rtol=1e-11, atol=1e-12, progress=False)
        return run, nh.forms.action_variation(run, {"xdot": "sin(pi*t)", "ydot": "t**2*(1 - t)"})

    def bent(run: Any, step: float) -> float:
        """The action along the curve q + εw, by Simpson's rule."""
        from scipy.integrate import simpson

        t = run.times
        moved = np.stack([run["x"] + step * np.sin(np.pi * t), run["y"] + step * t**2 * (1 - t)], 1)
        rates = np.stack([run["xdot"] + step * np.pi * np.cos(np.pi * t), run["ydot"] + step * (2 * t - 3 * t**2)], 1)
        return float(simpson([given.action_density(q, v) for q, v in zip(moved, rates)], x=t))

    def terms(forces: Any) -> list[float]:
        run, found = runs(forces)
        slopes = [(bent(run, h) - bent(run, -h)) / (2 * h) for h in (1e-2, 5e-3)]
        return [found.variation, -(4 * slopes[1] - slopes[0]) / 3]

    motion, other = runs({})[1], runs(force)[1]
    critical = abs(motion.variation - motion.boundary) / motion.scale
    pushed = abs(other.variation - other.boundary + other.work) / other.scale
    away = abs(other.variation - other.boundary) / other.scale
    iff = Evidence(max(critical, pushed), None, away)
    return together([identity([force], terms), iff], "a motion, and a curve of a system with a force")


@section.confirmed(
    "Theorem 2.3 by `nh.reduce`",
    by_functions=("Theorem 2.3",),
    printed=r"\text{(2.13), (2.14) and (2.15) are the motion, in any basis } e(r) \text{ and any connection}",
    slow=True,
)
def free_reduction() -> Evidence:
    """Two shape variables and SE(2), a basis that varies with the shape and a connection of one's own: reduced, moved and put
    together again the drawn system is where Newton's equations have it; another one is elsewhere.
    """
    import nonholo as nh

    basis = {
        "spin": {"th": "1 + r**2"}, "ahead": {"x": "cos(th)*(2 + sin(s))", "y": "sin(th)*(2 + sin(s))", "th": "0.3*r"},
        "across": {"x": "0.2*s*cos(th) - sin(th)", "y": "0.2*s*sin(th) + cos(th)"},
    }  # fmt: skip
    connection = {"r": {"spin": "sin(s)", "ahead": "0.3*r"}, "s": {"across": "0.4*r*s", "spin": "0.2"}}
    given = drawn.planar(6, number=0)
    q, v = given.states(1)[0]
    symmetric = given.system(symmetry=nh.planar_motion("x", "y", "th"))
    red = nh.reduce(symmetric, witness=False, basis=basis, connection=connection)
    run = red.simulate(given.named(q, v), 0.2, rtol=1e-11, atol=1e-13, progress=False)
    found = np.array([run[n][-1] for n in given.coordinates])
    right, wrong = (drawn.planar(seed, number=0).end(q, v, 0.2)[:5] for seed in (6, 7))
    return Evidence(gap(found, right), mutant=gap(found, wrong), words="against Newton's equations after 0.2 s")


@section.confirmed(
    "Theorem 3.2 by `nh.hamel`",
    by_functions=("Theorem 3.2",),
    printed=r"\text{(3.4) with } w^{\mathcal{U}} = 0 \text{ is the motion}",
)
def constrained_equations() -> Evidence:
    """The constrained Hamel equations of drawn systems with one and two constraints give the accelerations of Newton's
    equations.
    """
    import nonholo as nh

    parts = []
    for number in (1, 2):
        given = drawn.constrained(number, number=number)
        equations = nh.hamel(given.system())

        def terms(state: Any, given: Any = given, equations: Any = equations) -> list[Any]:
            named = given.named(*state)
            rates = equations.rates({n: named[n] for n in equations.state}, {})
            moved = [k for k, n in enumerate(given.rates) if n in rates]
            return [np.array([rates[given.rates[k]] for k in moved]), -given.accelerations(*state)[moved]]

        parts.append(identity(given.states(), terms))
    return together(parts, "one and two constraints, against Newton's equations")


@section.confirmed(
    "Theorem 4.1 by `nh.reduce`",
    by_functions=("Theorem 4.1",),
    printed=r"\text{(4.2), (4.3) and (2.15) give the motion}",
)
def constrained_reduction() -> Evidence:
    """Two shape variables, SE(2) and a drawn constraint: reduced, moved and put together again the system is where Newton's
    equations with a multiplier have it; another one is elsewhere.
    """
    import nonholo as nh

    given = drawn.planar(5)
    q, v = given.states(1)[0]
    red = nh.reduce(given.system(symmetry=nh.planar_motion("x", "y", "th")), witness=False)
    run = red.simulate(given.named(q, v), 0.2, rtol=1e-11, atol=1e-13, progress=False)
    found = np.array([run[n][-1] for n in given.coordinates])
    right, wrong = (drawn.planar(seed).end(q, v, 0.2)[:5] for seed in (5, 8))
    return Evidence(gap(found, right), mutant=gap(found, wrong), words="against Newton's equations after 0.2 s")


@section.confirmed(
    "Proposition 4.3 by `nh.reduce`",
    by_functions=("Proposition 4.3",),
    printed=r"\text{(4.9), (4.10) are time reversible}",
)
def reversal() -> Evidence:
    """The reduced equations of a drawn system have accelerations and ṗ that are even in (ṙ, p); with a magnetic field
    they have not.
    """
    import nonholo as nh

    def odd(magnetic: Any) -> float:
        red = nh.reduce(
            drawn.planar(5).system(symmetry=nh.planar_motion("x", "y", "th"), magnetic=magnetic), witness=False
        )
        values = dict(zip(red.equations.state, (0.3, -0.4, 0.6, 0.5, -0.7, 0.8)))
        back = {n: e if n in red.shape.names else -e for n, e in values.items()}
        one, two = red.equations.rates(values, {}), red.equations.rates(back, {})
        names = [n for n in one if n not in red.shape.names]
        return gap([one[n] for n in names], [two[n] for n in names])

    field = {("r", "s"): "0.8 + r"}
    return Evidence(
        odd({}), mutant=odd(field), words="opposite velocities and momenta; the mutant has a magnetic field"
    )


def _restricted(given: Any, q: Array, wide: int) -> Array:
    """The kinetic energy on S = D ∩ V as a matrix, from the constraints' rows: the last ``wide`` rates follow from the
    first two.
    """
    mass = np.array([given.momenta(q, e) for e in np.eye(len(q))])[2 - wide :, 2 - wide :]
    rows = given.rows(q)[:, 2 - wide :]
    basis = np.vstack([np.eye(2), -rows[:, :2]])
    return basis.T @ mass @ basis


@section.confirmed(
    "Theorem 4.4 and Corollary 4.5 by `nh.studies.momentum_frame` and `nh.integrals`",
    by_functions=("Theorem 4.4", "Corollary 4.5"),
    printed=r"\text{the momenta } \langle p, \eta(r) \rangle \text{ of a parallel basis are conserved; there is one just where } "
    r"d\tau + \tau\wedge\tau = 0",
)
def conserved_momenta() -> Evidence:
    """Two shape variables, two momenta: where the drawn constraints depend on one combination of the shapes a basis is found
    whose momenta are constant along Newton's motion; where constraints depend on both `nh.integrals` counts none.
    """
    import nonholo as nh
    from nonholo.finding import LinearMomenta

    shifts = nh.translation("x", "y", "z", "w")
    flat = drawn.shifted(7, "r s", "x y", "z w", wide=False)
    frame = nh.studies.momentum_frame(nh.reduce(flat.system(symmetry=shifts), witness=False))
    q, v = flat.states(1)[0]

    def level(state: Array, turned: float = 1.0) -> Array:
        """η p, with p along the fields of S that the constraints' rows give."""
        place, velocity = state[:6], state[6:]
        basis = np.vstack([np.eye(2), -turned * flat.rows(place)[:, 2:4]])
        return frame(place[None, :2])[0] @ basis.T @ flat.momenta(place, velocity)[2:]

    def change(turned: float) -> Any:
        return lambda ends: [level(ends[1], turned), -level(ends[0], turned)]

    ends = np.concatenate([q, v]), flat.end(q, v, 2.0)
    kept = identity([ends], change(1.0), mutants=[change(-1.0)])
    rows = ("zdot - (1 + 2*r)*xdot - s**2*ydot", "wdot - 3*s*xdot - (2 - r**2)*ydot")
    kinetic = "(rdot**2 + 2*sdot**2 + xdot**2 + 3*ydot**2 + 2*zdot**2 + wdot**2)/2 - r*s**2"
    bent = drawn.Drawn(flat.coordinates, kinetic, rows).system(symmetry=shifts)
    told = [(f, f.data) for f in nh.integrals(bent, depends_on=("r", "s"), witness=False) if f.exact or f.proved]
    both = [f.verdict for f, e in told if isinstance(e, LinearMomenta) and e.variables == ("r", "s")]
    shown = holds(("no momentum of both shapes", both == ["fails"]), against=[("there are some", "holds" in both)])
    return together([kept, shown], "a flat connection along Newton's motion of 2 s; another one has no momentum")


@section.confirmed(
    "Corollary 6.4 by `nh.studies.momentum_frame`",
    by_functions=("Theorem 6.3", "Corollary 6.4"),
    printed=r"W(r) = W(r_0)\exp\left(-\int \mathrm{Tr}\,\tau\right)",
)
def wronskian() -> Evidence:
    """For constraints ż = a(r)ẋ of shifts Tr τ = ½ d ln det G/dr, G the kinetic energy on S: so det η · √det G is constant."""
    import nonholo as nh

    given = drawn.shifted(8, "r", "x y", "z w")
    frame = nh.studies.momentum_frame(
        nh.reduce(given.system(symmetry=nh.translation("x", "y", "z", "w")), witness=False)
    )

    def terms(r: float) -> list[float]:
        def size(at: float) -> float:
            return float(np.sqrt(np.linalg.det(_restricted(given, np.array([at, 0, 0, 0, 0]), 1))))

        return [float(frame.wronskian(r)[0]) * size(r), -size(frame.origin[0])]

    return identity([0.4, -0.7, 0.9], terms, words="a drawn system with one shape variable and two momenta")


@section.confirmed(
    "Theorem 6.1 by `nh.orbit` and `nh.frequencies`",
    by_functions=("Theorem 6.1",),
    printed=r"\text{generic motions of the sleigh with an oscillator are quasi-periodic, on tori of dimension two}",
    slow=True,
)
def quasi_periodic() -> Evidence:
    """A sleigh with an oscillator of drawn numbers: the reduced motion is periodic, the motion has two frequencies, those
    of the shape's period and of the turn of the group in it.
    """
    import nonholo as nh

    sleigh = nh.System(
        name="sleigh", coordinates="r th x y", parameters="m M J k", constraints=["ydot*cos(th) - xdot*sin(th)"],
        lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thdot**2 + m/2*((xdot + rdot*cos(th) - r*thdot*sin(th))**2"
        " + (ydot + rdot*sin(th) + r*thdot*cos(th))**2) - k/2*r**2", symmetry=nh.planar_motion("x", "y", "th"),
    )  # fmt: skip
    load = dict(zip("mMJk", np.random.default_rng(33).uniform(0.6, 2.0, 4).round(2)))
    orbit = nh.orbit(sleigh, {"rdot": 0.8, "thdot": 0.5, "xdot": 0.3}, parameters=load)
    start = {n: orbit.state[n] for n in orbit.names}
    run = nh.simulate(sleigh, start, 40 * orbit.period, load, t_eval=4001, rtol=1e-11, atol=1e-12, progress=False)
    found = nh.frequencies(run, "x", "y")
    integers, off = found.contains(orbit.shift["turn"] / orbit.period)
    bare = found.contains(1.37 * orbit.shift["turn"] / orbit.period)[1]
    counted = float(len(found.basis) != 2 or not found.quasi_periodic or sum(map(abs, integers)) != 1)
    return Evidence(max(off, counted), mutant=bare, words="40 periods; another frequency is none of theirs")
