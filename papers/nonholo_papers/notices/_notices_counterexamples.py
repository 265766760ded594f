"""Cases with numbers in which statements of the paper fail without a condition, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo_papers.bmz._bmz_counterexamples import momenta_at_last, nilpotent
from nonholo_papers.claim import Counterexample

Values = Mapping[str, float]


def _turn(_: Values) -> float:
    """How far ψ turns in a period of the tilt, in circles."""
    from nonholo_papers.notices.s3_disk import motion_over_a_period

    _period, one, two = motion_over_a_period()
    return float((two[5] - one[5]) / (2 * np.pi))


def _growing(v: Values) -> float:
    """Growing modes of Kane and Levinson's stone in the sense of spin in which the growth is smaller."""
    from nonholo import gallery
    from nonholo_papers.facts._newton_euler import spin_matrix

    exhibit = gallery.get("rattleback")
    found = [np.linalg.eigvals(spin_matrix(exhibit.system, exhibit.parameters, s * v["n"])).real for s in (1, -1)]
    return float(np.count_nonzero(min(found, key=max) > 1e-6))


def _reached(_: Values) -> float:
    """How many directions ∂x, ∂y + x∂z of R⁴ and their brackets have at x = 0.3: [∂x, ∂y + x∂z] = ∂z, the rest is zero."""
    x = 0.3
    fields = [[1.0, 0, 0, 0], [0, 1.0, x, 0], [0, 0, 1.0, 0]]
    return float(np.linalg.matrix_rank(np.array(fields)))


CASES = {
    "footnote 1, all orbits are periodic (Vierkandt)": Counterexample(
        "The disk of the gallery, from rest in the tilt 0.4 with p_φ = 1.1, p_ψ = 4",
        (),
        "the turn of ψ in a period of the tilt, in circles,",
        "1",
        "0.543043",
        _turn,
        "the motion integrated; an orbit in D/SE(2) closes only when this is a whole number",
        1e-5,
    ),
    "(17)": Counterexample(
        "sl(2) with a = E, for which ⟨a, a⟩ = 0",
        (),
        "the number of conditions that ⟨μa, a⟩ = 0 puts on μ",
        "1",
        "0",
        nilpotent,
        "the Killing form from the commutators",
    ),
    "Figure 4, the positive p2-axis attracts all solutions": Counterexample(
        "The sleigh that goes backwards, p₁ = 0",
        (("m", 1.5), ("J", 0.7), ("a", 0.4), ("p1", 0.0), ("p2", -1.0)),
        "p₂ at last",
        "-p2",
        "p2",
        lambda v: float(momenta_at_last(v)[1]),
        "(19) integrated",
    ),
    "the rattleback, the stable spin direction is asymptotically stable": Counterexample(
        "Kane and Levinson's stone, spun with n rad/s in the better sense",
        (("n", 5.0),),
        "the number of growing modes",
        "0",
        "2",
        _growing,
        "eigenvalues of the linear motion about the spin",
    ),
    "control vector fields provide controllability precisely when their distribution is nonintegrable": Counterexample(
        "∂x and ∂y + x∂z on R⁴, which are not integrable",
        (),
        "the number of directions that can be reached",
        "4",
        "3",
        _reached,
        "the rank of the fields and their brackets",
    ),
}
