"""Chapter 1: what the introduction says of the results."""

from __future__ import annotations

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import share
from nonholo_papers.section import Section

section = Section("macdonnell", "1 Introduction")
section.uncheckable(
    "§1, who did what first",
    (),
    "statements on the literature and on the author's knowledge of it",
    "Quasi-velocities, reduction, the tippe top, the rolling disk and the ball on a surface in the literature before 1997.",
)


@section.refuted(
    "§1, the Chaplygin sphere",
    printed=r"\text{the Chaplygin sphere may be reduced to a Hamiltonian system on } TS^2",
    right="the time is dτ = N dt, N = (1 − mr² γ·(J + mr²)⁻¹γ)^(−1/2), with γ the vertical in the body",
    reason="In the time t the reduced motion on S² has beside K̄ and Ū a gyroscopic force that depends on the velocity, as Lemma "
    "8.4.4 shows.",
    harm=4,
    breaks="The conclusion that Liouville's theorem applies in the time t.",
    exhibits=("chaplygin-sphere",),
    kind="condition",
)
def chaplygin() -> Evidence:
    """In the time t the force on S² beside the reduced kinetic and potential energy is magnetic, one for all velocities."""
    from nonholo import gallery
    from nonholo_papers.facts._chaplygin_time import gyroscopic

    def spread(power: float) -> float:
        found, _ = gyroscopic(gallery.get("chaplygin-sphere"), power)
        return share(np.ptp(found), found)

    return Evidence(
        spread(0.0), spread(-0.5), None,
        "the coefficient for four velocities at one place and one C, in the time t, and in the time τ",
    )  # fmt: skip
