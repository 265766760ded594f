"""Chain of N sleighs, one blade each: published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, sqrt

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.sleigh_chain import chain, chain_system
from nonholo_papers.facts._kane_links import kane, numbers, speeds


def _states(n: int, seed: int = 3) -> list[dict[str, float]]:
    random = np.random.default_rng(seed)
    names = [f"theta{i + 1}" for i in range(n)]
    return [
        {**dict(zip(names, random.uniform(-0.9, 0.9, n).tolist())), "x": 0.2, "y": -0.7}
        | dict(zip(("v", "omega"), random.uniform(-1.5, 1.5, 2).tolist()))
        for _ in range(4)
    ]


def _count(exhibit: Exhibit) -> int:
    return len(exhibit.system.coordinates) - 2


def recursion(exhibit: Exhibit) -> Finding:
    """``θ̇_i`` of each link from the speeds of its front hinge, link by link."""
    from nonholo.derive.hamel import hamel

    n = _count(exhibit)
    sizes = numbers(chain(n), exhibit.parameters)
    equations = hamel(exhibit.system)
    worst = 0.0
    for state in _states(n):
        angles = [state[f"theta{i + 1}"] for i in range(n)]
        exact = speeds(sizes, angles, (state["v"], exhibit.parameters["b"] * state["omega"]))[:, 2]
        found = equations.rates(state, exhibit.parameters)
        worst = max(worst, *(abs(found[f"theta{i + 1}"] - exact[i]) for i in range(n)))
    return bounded("θ̇ of every link by recursion", worst, 1e-11)


def by_kane(exhibit: Exhibit) -> Finding:
    """``(v̇, ω̇)`` from partial velocities and accelerations in numbers, with no expression shared."""
    from nonholo.derive.hamel import hamel

    n = _count(exhibit)
    sizes = numbers(chain(n), exhibit.parameters)
    equations = hamel(exhibit.system)
    worst = 0.0
    for state in _states(n):
        angles = [state[f"theta{i + 1}"] for i in range(n)]
        exact = kane(sizes, angles, state["v"], state["omega"])
        found = equations.rates(state, exhibit.parameters)
        worst = max(worst, abs(found["v"] - exact[0]), abs(found["omega"] - exact[1]))
    return bounded("(v', ω') by Kane's method", worst, 1e-10)


def one_link(exhibit: Exhibit) -> Finding:
    """``v̇ = a ω²``, ``ω̇ = −m a ω v/(J + m a²)`` with ``a = b − c``: the blade's speed along the link is the hinge's."""
    from nonholo.derive.hamel import hamel

    m, J, b, c = (exhibit.parameters[k] for k in "mJbc")
    a = b - c
    equations = hamel(chain_system(1))
    worst = 0.0
    for state in _states(1):
        found = equations.rates(state, exhibit.parameters)
        v, omega = state["v"], state["omega"]
        worst = max(worst, abs(found["v"] - a * omega**2), abs(found["omega"] + m * a * omega * v / (J + m * a**2)))
    return bounded("n = 1: v' = a ω², ω' = −m a ω v/(J + m a²), a = b − c", worst, 1e-11)


def turning_shape(n: int, parameters: Mapping[str, float], radius: float) -> list[float]:
    """Headings of all links when all blades go around one centre; the first blade at ``radius``.

    Blade i is at ``r_i`` from the centre, its hinges at ``r_i² + b²`` and ``r_i² + (l − b)²``; neighbours share one.
    """
    l, b = parameters["l"], parameters["b"]
    headings, heading_now, r = [], 0.0, radius
    for _ in range(n):
        headings.append(heading_now)
        following = sqrt(r**2 + (l - b) ** 2 - b**2)
        heading_now -= atan2(l - b, r) + atan2(b, following)
        r = following
    return headings


def turning(exhibit: Exhibit) -> Finding:
    """With c = b the acceleration of each mass points at the centre, along the blade's reaction: nothing else is needed."""
    from nonholo.derive.hamel import hamel

    n = _count(exhibit)
    values = {**exhibit.parameters, "c": exhibit.parameters["b"]}
    equations = hamel(exhibit.system)
    worst = 0.0
    for radius, omega in ((2.3, 0.8), (4.1, -0.5)):
        headings = turning_shape(n, values, radius)
        state = {f"theta{i + 1}": h for i, h in enumerate(headings)} | {"x": 0.0, "y": 0.0, "omega": omega, "v": radius * omega}
        found = equations.rates(state, values)
        worst = max(worst, abs(found["v"]), abs(found["omega"]), *(abs(found[f"theta{i + 1}"] - omega) for i in range(n)))
    return bounded("rigid turns are steady when c = b", worst, 1e-11)


def stretches(exhibit: Exhibit) -> Finding:
    """At the end all links point the same way and the whole kinetic energy is that of going straight."""
    from nonholo.integrate.motion.simulate import simulate

    n = _count(exhibit)
    run = simulate(exhibit.system, exhibit.start, 60.0, exhibit.parameters, t_eval="end", rtol=1e-10, atol=1e-12)
    sizes = numbers(chain(n), exhibit.parameters)
    angles = [exhibit.start[f"theta{i + 1}"] for i in range(n)]
    rows = speeds(sizes, angles, (exhibit.start["v"], exhibit.parameters["b"] * exhibit.start["omega"]))
    twice = sum(m * (u**2 + (w - c * t) ** 2) + j * t**2 for (_, c, _, m, j), (u, w, t) in zip(sizes, rows))
    limit = sqrt(twice / (n * exhibit.parameters["m"]))
    end = [run.final[f"theta{i + 1}"] for i in range(n)]
    bend = max(abs(e - end[0]) for e in end)
    return bounded("straight at sqrt(2E/Σm)", max(bend, abs(run.final["v"] - limit) / limit), 1e-6)


FACTS = (
    Fact("every link turns as the blades of those before it allow", "kinematics by recursion", recursion),
    Fact("accelerations agree with Kane's method in numbers", "Kane and Levinson 1985", by_kane),
    Fact("one link is the Chaplygin sleigh", "Notices 2005 (19)", one_link),
    Fact("with the masses over the blades any turn about one centre is steady", "Newton: no hinge force", turning),
    Fact("moving ahead it stretches out, and goes straight at sqrt(2E/Σm)", "energy", stretches),
)
