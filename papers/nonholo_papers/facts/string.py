"""Inextensible string in the plane: published facts and closed forms, with their tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.fields.function_grid import interpolation
from nonholo.fields.strings.chains import chain_start, inertia, linked_chain
from nonholo.fields.strings.inextensible_string import String, modes
from nonholo.fields.strings.variational_string import polynomials
from nonholo.finding import Finding, bounded
from nonholo.gallery.field_exhibit import FieldExhibit, FieldFact, record

KEPT = ("energy", "momentum_x", "momentum_y", "angular_momentum")


def _generic(exhibit: FieldExhibit, **options: Any) -> Any:
    return exhibit.simulate(until=1.0, t_eval=11, rtol=1e-13, atol=1e-13, **options)


def rotation(exhibit: FieldExhibit) -> Finding:
    """Newton for a rod that turns about its middle."""
    string = replace(record(exhibit), length=1.3, density=0.7)
    s = string.grid.points
    gap = np.abs(string.tension({"theta": "0.4", "omega": "2"}) - 0.5 * 0.7 * 4 * s * (1.3 - s)).max()
    return bounded("λ = ½ρΩ² s(L − s)", float(gap), 1e-13)


def frequencies(exhibit: FieldExhibit) -> Finding:
    """With shapes ``P'_{n+1}(2s/L − 1)``."""
    string = replace(record(exhibit), nodes=24, length=1.3, density=0.7)
    found, n = modes(string, {"omega": "1.7"}), np.arange(1, 7)
    worst = np.abs(found.frequencies[:6] / np.sqrt(0.5 * 1.7**2 * n * (n + 3)) - 1).max()
    at = 2 * string.grid.points / 1.3 - 1
    for k in n:
        shape = np.polynomial.legendre.Legendre.basis(int(k) + 1).deriv()(at)
        worst = max(
            worst,
            np.abs(found.shapes[k - 1] * np.sign(found.shapes[k - 1][-1]) - shape / np.abs(shape).max()).max() / 10,
        )
    return bounded("ω_n to 8 digits, shapes to 7, n ≤ 6", float(worst), 1e-8)


def kept(exhibit: FieldExhibit) -> Finding:
    """To t = 1 with the exhibit's nodes."""
    run = _generic(exhibit)
    return bounded(
        "drift of the four integrals", max(run.drift(name) for name in KEPT), 1e-12, f"{record(exhibit).nodes} nodes"
    )


def principle(exhibit: FieldExhibit) -> Finding:
    """Polynomials in the kinetic energy, integrated by SciPy."""
    fewer = exhibit.having(nodes=32)
    one, two = _generic(fewer), _generic(fewer, method="galerkin")
    gap = max(float(np.abs(one[n] - two[n]).max()) for n in ("x", "y"))
    return bounded("largest distance of the two curves", gap, 1e-8, "32 nodes")


def chain_gap(string: String, theta: str, omega: str, links: int, until: float, system: bool = True) -> float:
    """The distance (root of the mean square) of a chain's rods from the string at the end of a motion."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

    length, start = string.length, chain_start(links, string.length, theta, omega)
    if system:
        values = {"M": string.density * length, "L": length}
        run = simulate(linked_chain(links), start, until, values, t_eval="end", rtol=1e-10, atol=1e-12)
        angles = np.array([run.final[f"theta{k + 1}"] for k in range(links)])
    else:
        form = inertia(links)

        def flow(_: float, y: np.ndarray) -> np.ndarray:
            apart = y[:links, None] - y[:links]
            return np.concatenate(
                [y[links:], -np.linalg.solve(form * np.cos(apart), form * np.sin(apart) @ y[links:] ** 2)]
            )

        path = solve_ivp(
            flow, (0.0, until), list(start.values()), method="DOP853", rtol=1e-9, atol=1e-11, t_eval=[until]
        )
        angles = path.y[:links, -1]
    end = string.simulate({"theta": theta, "omega": omega}, until, rtol=1e-12, t_eval="end")
    space = polynomials(string.nodes, length, 0.0, ())
    curve = space.curve @ np.exp(1j * (space.finer @ end["theta"][-1]))
    rod = length / links
    arms = np.tril(np.full((links, links), rod), -1) + 0.5 * rod * np.eye(links)
    middles = interpolation(len(curve), (np.arange(links) + 0.5) * rod, length) @ curve
    rods = (arms - arms.mean(axis=0)) @ np.exp(1j * angles)
    return float(np.sqrt(np.mean(np.abs(rods - middles) ** 2)))


def chains(exhibit: FieldExhibit) -> Finding:
    """The order of the distance from 8 to 16 rods, through `nonholo.System`."""
    gaps = [chain_gap(record(exhibit), str(exhibit.start["theta"]), str(exhibit.start["omega"]), n, 0.7) for n in (8, 16)]
    order = float(np.log2(gaps[0] / gaps[1]))
    good = 1.6 < order < 2.4
    return Finding(
        "order of the distance",
        "holds" if good else "fails",
        order,
        f"{gaps[0]:.2g} and {gaps[1]:.2g} for 8 and 16 rods",
    )


def hanging(exhibit: FieldExhibit) -> Finding:
    """The upper end held, from the slopes of the rates about rest."""
    from scipy.special import jn_zeros

    string = String(length=1.3, density=0.7, nodes=24, gravity=9.81, held=("start",))
    found = modes(string, {"theta": "-pi/2"}).frequencies[:6]
    return bounded(
        "ω_n to 6 digits, n ≤ 6", float(np.abs(found / (jn_zeros(0, 6) / 2 * np.sqrt(9.81 / 1.3)) - 1).max()), 5e-7
    )


def rest(exhibit: FieldExhibit) -> Finding:
    """``tan θ = (s − s₀)/a``: the tension, and that nothing moves in one second."""
    string = String(length=1.3, density=0.7, nodes=40, gravity=9.81, held=("start", "end"))
    start = {"theta": "atan((s - 0.5)/0.6)"}
    s = string.grid.points
    gap = np.abs(string.tension(start) / (0.7 * 9.81 * np.hypot(0.6, s - 0.5)) - 1).max()
    run = string.simulate(start, 1.0, t_eval=5)
    moved = max(float(np.abs(run[n] - run[n][0]).max()) for n in ("x", "y"))
    return bounded("tension and rest", max(float(gap), moved), 1e-9)


def tip_energy(run: Any, string: String, share: float = 0.2) -> np.ndarray:
    """The part of the kinetic energy in the last ``share`` of the string, at each time."""
    grid = string.grid
    tangent = np.exp(1j * run["theta"])
    moving = np.abs((1j * run["omega"] * tangent) @ grid.integral.T) ** 2
    running = moving @ grid.integral.T
    cut = interpolation(string.nodes, np.array([string.length * (1 - share)]), string.length)[0]
    return np.asarray(1 - running @ cut / running[:, -1])


def whip(exhibit: FieldExhibit) -> Finding:
    """One end held, no gravity: energy is kept while the last fifth takes it over."""
    string = String(nodes=48, held=("start",))
    run = string.simulate(exhibit.starts["whip"], 0.6, t_eval=4, rtol=1e-9)
    share = tip_energy(run, string)
    good = run.drift("energy") < 1e-5 and share[-1] > 2 * share[0] and bool(np.all(np.diff(share) > 0))
    drift = f"drift {run.drift('energy'):.1g}"
    words = f"the last fifth has {share[0]:.2f} of the energy at first, {share[-1]:.2f} at t = 0.6; {drift}"
    return Finding("energy moves to the free end", "holds" if good else "fails", float(share[-1]), words)


FACTS = (
    FieldFact("turning as one straight piece it is pulled by ½ρΩ² s(L − s)", "closed form", rotation),
    FieldFact("about that rotation ωₙ² = ½Ω² n(n + 3)", "Legendre's equation, differentiated", frequencies),
    FieldFact("energy, momentum and angular momentum are kept", "Noether", kept),
    FieldFact("Hamilton's principle without tension gives the same motion", "second discretisation", principle),
    FieldFact("chains of rods tend to it with the square of their length", "rods hinged end to end", chains),
    FieldFact("hanging it swings with ωₙ = (j₀ₙ/2) √(g/L)", "Bernoulli 1733; zeros of J₀", hanging),
    FieldFact(
        "between two nails it rests as a catenary, λ = ρg √(a² + (s − s₀)²)",
        "Bernoulli, Leibniz, Huygens 1691",
        rest,
    ),
    FieldFact("a whip's energy goes to its free end", "energy of a shrinking arm", whip),
)
