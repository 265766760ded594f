"""Further topics: integrability, stability, control."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, moving, slope, together, worst
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "Further topics")
section.uncheckable(
    "stability by the energy-momentum method, numerical integration",
    (),
    "Pointers to literature, without a statement that could be tested.",
    "Topics for further study.",
)


def _dimension(fields: Any, size: int, rounds: int = 3) -> int:
    """The dimension of what the fields and their brackets span at a generic point."""
    place = np.random.default_rng(1).uniform(0.3, 0.9, size)
    known = list(fields)
    for _ in range(rounds):
        new = []
        for x in fields:
            for y in known:
                new.append(lambda q, x=x, y=y: _bracket(x, y, q))
        known += new
        if len(known) > 30:
            break
    return int(np.linalg.matrix_rank(np.array([np.real(f(place)) for f in known]), tol=1e-6))


def _bracket(x: Any, y: Any, q: Array) -> Array:
    h = 1e-3

    def change(field: Any, along: Array) -> Array:
        return (field(q + h * along) - field(q - h * along)) / (2 * h)

    return change(y, x(q)) - change(x, y(q))


@section.conditional(
    "control vector fields provide controllability precisely when their distribution is nonintegrable",
    printed="controllable ⟺ the distribution of the control fields is not integrable",
    right="the distribution has corank one; in general the brackets must span all directions",
    reason="∂x and ∂y + x ∂z on R⁴ are nonintegrable and never move w.",
    harm=2,
    breaks="A test of controllability by Frobenius' theorem alone.",
    exhibits=("heisenberg",),
)
def controllability() -> Evidence:
    """Two fields on R⁴ that are not in involution reach every direction."""

    def second(q: Array) -> Array:
        """∂y + x ∂z."""
        return np.eye(len(q))[1] + q[0] * np.eye(len(q))[2]

    def pair(size: int) -> list[Any]:
        return [lambda q: np.eye(size)[0] + 0 * q, second]

    missing = [size - _dimension(pair(size), size) for size in (4, 3)]
    place = np.array([0.3, 0.2, 0.5, 0.1])
    upright = gap(_bracket(pair(4)[0], second, place), np.eye(4)[2])  # [∂x, ∂y + x ∂z] = ∂z
    one, two = np.random.default_rng(5).uniform(-1, 1, (2, 4, 4))
    linear = gap(_bracket(lambda q: one @ q, lambda q: two @ q, place), (two @ one - one @ two) @ place)
    return Evidence(
        float(missing[0]),
        worst(float(missing[1]), upright, linear),
        None,
        "directions that brackets do not reach, on R⁴ and R³",
    )


@section.confirmed("the nonholonomic integrator on the Heisenberg group", exhibits=("heisenberg",))
def integrator() -> Evidence:
    """Its two control fields bracket to a third direction: all of R³ is reached; the growth is 2, 3."""

    def fields() -> list[Any]:
        return [lambda q: np.array([1, 0, -q[1]]), lambda q: np.array([0, 1, q[0]])]

    turned = slope(lambda q: fields()[1](q), np.zeros(3)) @ np.array([1.0, 0, 0])
    back = slope(lambda q: fields()[0](q), np.zeros(3)) @ np.array([0, 1.0, 0])
    return Evidence(
        float(np.max(np.abs(turned - back - np.array([0, 0, 2.0])))),
        mutant=float(np.max(np.abs(turned + back - np.array([0, 0, 2.0])))),
        words="[X, Y] = 2 ∂z",
    )


@section.confirmed("sub-Riemannian motion is not nonholonomic mechanics", exhibits=("heisenberg",))
def two_dynamics() -> Evidence:
    """On the Heisenberg group mechanics gives straight shadows, the variational problem circles."""
    from nonholo import gallery

    names = [str(c) for c in gallery.get("heisenberg").system.coordinates]
    straight = max(abs(p.rate(f"{n}dot")) for p in moving("heisenberg") for n in names[:2])
    state = dict(zip(names, (0.3, -0.4, 0.2)))
    x, y = 0.8, -0.5

    def flow(z: Any) -> Any:
        """The variational problem: Hamilton's equations of ½(p_x − y p_z)² + ½(p_y + x p_z)²."""
        one, two = z[3] - z[1] * z[5], z[4] + z[0] * z[5]
        return np.array([one, two, z[0] * two - z[1] * one, -two * z[5], one * z[5], 0 * one])

    def energy(z: Any) -> Any:
        """½ of the squares of what annihilates dz − x dy + y dx."""
        return ((z[3:] @ np.array([1, 0, -z[1]])) ** 2 + (z[3:] @ np.array([0, 1, z[0]])) ** 2) / 2

    place = np.array([*state.values(), x + state[names[1]] * 0.6, y - state[names[0]] * 0.6, 0.6])
    speed = flow(place)
    curve = np.imag(flow(place + 1e-30j * speed)) / 1e-30
    # the shadow has the same velocity, turns at the rate 2p_z and keeps its speed: a circle
    circle = max(abs(speed[0] - x), abs(speed[1] - y), abs(curve[0] + 1.2 * y), abs(curve[1] - 1.2 * x))
    gradient = slope(energy, place)
    hamilton = float(np.max(np.abs(speed - np.concatenate([gradient[3:], -gradient[:3]]))))
    return Evidence(
        max(straight, circle, hamilton),
        mutant=float(np.hypot(*curve[:2])),
        words="accelerations of the shadow: 0 by the witness; across the velocity, 2p_z|v|, along a geodesic with p_z = 0.6",
    )


@section.confirmed(
    "n − 2 integrals and an invariant measure make a system integrable", exhibits=("chaplygin-sphere",), slow=True
)
def last_multiplier() -> Evidence:
    """Chaplygin's sphere has 4 = 6 − 2 integrals and a measure, and is judged integrable by that theorem; without the measure
    (the Suslov problem off the axes) and without enough integrals it is not said."""
    import nonholo as nh
    from nonholo.finding.conclusions import IntegrableByEulerJacobi

    def judged(name: str) -> Any:
        exhibit = nh.gallery.get(name)
        return nh.verdict(exhibit.system, exhibit.parameters, witness=False).decision

    sphere, suslov = judged("chaplygin-sphere"), judged("suslov")
    by_theorem = isinstance(sphere, IntegrableByEulerJacobi) and sphere.integrals == sphere.dimension - 2
    return holds(
        ("Chaplygin's sphere, by `nonholo.verdict`: n = 6, four integrals and a measure", by_theorem),
        against=[("the Suslov problem, which has no measure, by the same theorem", isinstance(suslov, IntegrableByEulerJacobi))],
    )


@section.confirmed(
    "the rolling disk, Routh's sphere and Chaplygin's sphere are integrable",
    exhibits=("rolling-disk", "routh-sphere", "chaplygin-sphere"),
    slow=True,
)
def integrable() -> Evidence:
    """`nonholo.verdict` finds enough integrals of all three (of the disk also said with the example); a rattleback has not."""
    import nonholo as nh
    from nonholo.finding.conclusions import Integrable

    def judged(name: str) -> bool:
        exhibit = nh.gallery.get(name)
        return isinstance(nh.verdict(exhibit.system, exhibit.parameters, witness=False).decision, Integrable)

    return holds(
        *((name, judged(name)) for name in ("rolling-disk", "routh-sphere", "chaplygin-sphere")),
        against=[("rattleback", judged("rattleback"))],
    )


@section.confirmed("a change of time makes some of them Hamiltonian", exhibits=("chaplygin-sphere",))
def hamiltonised() -> Evidence:
    """`nonholo.hamiltonise`: d(Nω) = 0 for Chaplygin's sphere with Chaplygin's N; a generic system has no such N."""
    import symengine as se

    import nonholo as nh

    sphere = nh.hamiltonise(nh.gallery.get("chaplygin-sphere").system)
    generic = nh.hamiltonise(
        nh.System(
            coordinates="x y z",
            lagrangian="(xdot**2 + (1 + x**2)*ydot**2 + zdot**2)/2",
            constraints=["zdot - (1 + x*y + y**3)*xdot - x**2*y*ydot"],
        )
    )
    values = {"m": 1.1, "r": 0.7, "J1": 0.5, "J2": 0.9, "J3": 1.4}

    def clock(n: Any) -> list[Any]:
        """N of Chaplygin, (1 − mr² n·(J + mr²)⁻¹n)^(−1/2) with n the vertical in the body, over its value at (0, 0, 1)."""
        arm = values["m"] * values["r"] ** 2
        known = [
            1 / np.sqrt(1 - arm * sum(x**2 / (values[f"J{k}"] + arm) for k, x in enumerate(z, 1))) for z in (n, (0.0, 0.0, 1.0))
        ]
        found = [
            float(se.sympify(sphere.multiplier).subs({**values, **dict(zip(("R31", "R32", "R33"), z))}).n())
            for z in (n, (0.0, 0.0, 1.0))
        ]
        return [found[0] / found[1], -known[0] / known[1]]

    shown = holds(
        ("Chaplygin's sphere is Hamiltonian in the time dτ = N dt", all(f.verdict == "holds" for f in sphere.findings)),
        against=[("a generic constraint", all(f.verdict == "holds" for f in generic.findings))],
    )
    return together([identity([(0.6, 0.0, 0.8), (0.48, 0.64, 0.6)], clock), shown], "N against Chaplygin's formula")
