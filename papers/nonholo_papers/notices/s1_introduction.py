"""Introduction: what sets nonholonomic systems apart, toys and warnings."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._constrained import D, places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section

section = Section("notices", "Introduction")
section.uncheckable("Figure 1", "Figure 1", "A photograph.", "Pauli and Bohr examine a tippe top.")
section.uncheckable("Some history", (), "History, with its sources.", "Who derived which equations, and when.")


@section.confirmed("Introduction, nonvariational", exhibits=("heisenberg",))
def nonvariational() -> Evidence:
    """Motion follows d'Alembert's principle: the equations of the constrained Lagrangian alone are others."""

    def early(t: Any) -> list[Any]:
        inside = np.einsum("ijm,i,m->j", t.c[:, :, D], t.v, t.p[D])
        return [t.rate[D], -inside[D], -t.push[D]]

    return identity(
        places(),
        lambda t: [t.rate[D], -t.star[D], -t.push[D]],
        mutants=[early],
        words="four coordinates, two constraints, rates by the witness",
    )


@section.confirmed("Toys and warnings, the tippe top", exhibits=("tippe-top",), slow=True)
def tippe_top() -> Evidence:
    """Spun fast it turns over by sliding friction; rolling without sliding, from the same start, it does not."""
    from nonholo import gallery
    from nonholo.integrate.motion.simulate import simulate

    exhibit = gallery.get("tippe-top")
    values = {n: e for n, e in exhibit.parameters.items() if n != "c"}
    start = {n: e for n, e in exhibit.start.items() if n not in ("xdot", "ydot")}
    slides = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-8, atol=1e-10)
    rolls = simulate(exhibit.variants["rolling"], start, exhibit.until, values, rtol=1e-9, atol=1e-12)
    ends = [float(run.data["R33"].values[-1]) for run in (slides, rolls)]
    over = [float(e > -0.999) for e in ends]
    return Evidence(over[0], mutant=over[1], words=f"cos θ ends at {ends[0]:.4f} sliding and {ends[1]:.4f} rolling")
