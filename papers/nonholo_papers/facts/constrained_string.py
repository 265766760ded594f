"""String that cannot slip sideways: published facts and closed forms, with their tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.fields.function_grid import interpolation
from nonholo.finding import Finding, bounded
from nonholo.gallery.field_exhibit import FieldExhibit, FieldFact, record
from nonholo_papers.formalism import constrained_force, derivative_of, string_lagrangian, string_momentum, tangential


def track(exhibit: FieldExhibit) -> Finding:
    """A point at s is where the point ``ξt`` further on was before."""
    run = _smooth(exhibit, "closed", [0.0, 1.0])
    string, speed = record(exhibit), exhibit.number("speed")
    s = np.linspace(speed, string.length, 30)
    before, after = (
        interpolation(string.nodes, at, string.length) @ (run["x"][k] + 1j * run["y"][k])
        for k, at in ((0, s), (1, s - speed))
    )
    return bounded("z(s, t) = z(s + ξt, 0)", float(np.abs(before - after).max()), 1e-11)


def _smooth(exhibit: FieldExhibit, method: str, times: Any = 16) -> Any:
    """A motion without a jump of curvature at the front."""
    start = {**exhibit.start, "front": "0.9*sin(4*(1 + 0.6*t))"}
    return record(exhibit).simulate(start, 1.5, method=method, t_eval=times)


def transported(exhibit: FieldExhibit) -> Finding:
    """The closed solution against the partial differential equation."""
    gap = np.abs(_smooth(exhibit, "closed")["theta"] - _smooth(exhibit, "transport")["theta"]).max()
    return bounded("θ of both", float(gap), 1e-8)


def steady(exhibit: FieldExhibit) -> Finding:
    """Of the whole motion, from the velocities of its points by differences in time."""
    string = replace(record(exhibit), length=1.0, density=0.7)
    step = 1e-4
    run = string.simulate(exhibit.start, 3.0, t_eval=[1.0, 1.0 + step, 2.0, 2.0 + step, 3.0 - step, 3.0])
    z = run["x"] + 1j * run["y"]
    pace = np.abs(z[1::2] - z[::2]) / step
    gap = max(float(np.abs(pace - 0.6).max()) / 10, float(np.abs(run["energy"] - 0.5 * 0.7 * 0.36).max()))
    return bounded("all points at ξ; energy", gap, 1e-6)


def hamel(exhibit: FieldExhibit) -> Finding:
    """``(d/dt δl/δξ − [ξ, δl/δξ]* − Ψ* δl/δz)_D = 0`` with everything differentiated by numbers."""
    run = _smooth(exhibit, "closed")
    grid, speed, worst = record(exhibit).grid, exhibit.number("speed"), 0.0
    by = tangential(grid)
    xi = np.full(len(grid.points), speed + 0j)
    for k in (0, 7, 15):
        z = run["x"][k] + 1j * run["y"][k]
        slope = derivative_of(lambda q: string_lagrangian(grid, q, xi, np.zeros(len(xi))), z, grid)
        force = constrained_force(by, z, xi, string_momentum(grid, z, xi), slope, lambda a: a.real + 0j)
        smooth = [np.cos(j * np.pi * grid.points) for j in range(6)]
        worst = max(worst, *(abs(grid.pair(eta + 0j, force)) for eta in smooth))
    return bounded("⟨force, η⟩ for real η", worst, 1e-6)


def push(exhibit: FieldExhibit) -> Finding:
    """The acceleration of points, by differences, is across the string and ``ξ²θ_s``."""
    step = 1e-3
    start = {**exhibit.start, "front": "0.9*sin(4*(1 + 0.6*t))"}
    run = record(exhibit).simulate(start, 1.0, t_eval=[0.5 - step, 0.5, 0.5 + step])
    z = run["x"] + 1j * run["y"]
    found = (z[0] - 2 * z[1] + z[2]) / step**2 * np.exp(-1j * run["theta"][1])
    return bounded("ρ z_tt e^{−iθ} = i × reaction", float(np.abs(found - 1j * run["reaction"][1]).max()), 1e-5)


FACTS = (
    FieldFact("it runs along one track, z = φ(s + ξt)", "Zenkov 2016, after (4.6)", track),
    FieldFact("collocation of θ_t = ξ θ_s gives the same motion", "second discretisation", transported),
    FieldFact("ξ stays, and the energy ½ρLξ²", "Zenkov 2016, Example 4.1", steady),
    FieldFact("the constrained Hamel equations hold with λ = 0", "Zenkov 2016 (4.4), (4.5)", hamel),
    FieldFact("the ice pushes across with ρξ²θ_s", "Newton", push),
)
