"""Benenti 2008, §8.3: the figures and what is said of them."""

from __future__ import annotations

from math import sqrt

import numpy as np

from nonholo_papers.benenti._parallel import INCLINED, goes_round, motion
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, share
from nonholo_papers.section import Section

section = Section("benenti", "8.3.1, 8.3.2 The figures")
section.rest("drawings of the four cases", "Figure 9")
AWAY = np.pi - INCLINED
EXHIBITS = ("parallel-points",)


def _threshold(ratio: float, v1: float, v2: float) -> float:
    """The distance at which case A or B changes: k d² = (m₁v₁ + m₂v₂)²/(m₁ + m₂), k = m₁ = 1."""
    return abs(v1 + ratio * v2) / sqrt(1 + ratio)


def _slip(label: str, place: tuple[str, ...], printed: str, right: str, breaks: str) -> None:
    """A caption that says a = f a, where a = f b is meant."""
    section.uncheckable(
        label,
        place,
        "a caption, without a figure that could be measured; the cases beside it say what is meant",
        f"{label}: a quantity is given as a multiple of itself.",
        printed=printed,
        right=right,
        harm=1,
        breaks=breaks,
        kind="slip",
        exhibits=EXHIBITS,
    )


_slip(
    "Figure 8", ("Figure 8",), "m_2 = 3\\,m_2", "m_2 = 3\\,m_1", "the masses of figure 8 are not given as printed"
)
_slip("§8.3.2, case A, the masses", (), "m_2 = 2\\,m_2", "m_2 = 2\\,m_1", "figures 13 and 14 have m₂ = 2m₁")
_slip(
    "§8.3.2, case D, the velocities",
    (),
    "\\mathbf v_2 = 2\\,\\mathbf v_2",
    "\\mathbf v_2 = 2\\,\\mathbf v_1",
    "figure 28 has v₂ = 2v₁",
)


@section.confirmed("Case A, equal speeds (figures 10, 11)", ("Figure 10", "Figure 11"), exhibits=EXHIBITS)
def opposite() -> Evidence:
    """v₂ = −v₁: for equal masses a closed ellipse, as without the constraint; for m₂ = 2m₁ another motion,
    which does not close.
    """

    def gap(ratio: float) -> float:
        period = 2 * np.pi / sqrt(1 + 1 / ratio)
        run = motion(ratio, 2.0, 1.0, -1.0, until=period)
        return float(np.hypot(run.x1[-1] - run.x1[0], run.y1[-1] - run.y1[0]))

    return Evidence(
        gap(1.0), None, gap(2.0), "distance of P₁ from its start after the period of the free spring, 2π/√(k/m₁ + k/m₂)"
    )


@section.refuted(
    "Case A, different speeds (figures 12 to 14, 16)",
    ("Figure 12", "Figure 13", "Figure 14", "Figure 16"),
    printed="for equal masses, nothing of special; but for different masses a very strong dependence on the initial distance",
    right="the initial distance for equal masses stays on one side of k d² = (m₁v₁ + m₂v₂)²/(m₁ + m₂), as in figure 12",
    reason="The same happens for equal masses: below k d² = (m₁v₁ + m₂v₂)²/(m₁ + m₂) the segment swings and the "
    "pair runs away, above it goes round and stays. With v₂ = −2v₁, m₁ = m₂ = k = v₁ = 1 the change is at d = 0.707.",
    harm=2,
    breaks="A reader would look for a role of the masses; there is none.",
    exhibits=EXHIBITS,
    kind="condition",
)
def distance_matters() -> Evidence:
    """v₂ = −2v₁ across the segment: only for different masses does the initial distance change the kind of the orbits."""
    found = {}
    for ratio in (1.0, 2.0):
        limit = _threshold(ratio, 1, -2)
        found[ratio] = [goes_round(motion(ratio, f * limit, 1.0, -2.0)) for f in (0.9, 1.1)]
    equal, different = (pair == [False, True] for pair in found.values())
    run = [motion(1.0, f * _threshold(1.0, 1, -2), 1.0, -2.0) for f in (0.9, 1.1)]
    far = [float(np.hypot(r.x1[-1], r.y1[-1])) for r in run]
    words = (
        f"equal masses: round or not {found[1.0]} at 0.9 and 1.1 of the threshold, P₁ {far[0]:.1f}, {far[1]:.1f} away"
    )
    return Evidence(float(equal), float(not different), None, words)


@section.confirmed("Case A, other masses (figure 15)", ("Figure 15",), exhibits=EXHIBITS)
def other_masses() -> Evidence:
    """From one start with d = 2.2, m₂ = 2m₁ goes round and m₂ = 3m₁ does not: orbits of a different kind."""
    kinds = [goes_round(motion(ratio, 2.2, 1.0, -2.0)) for ratio in (2.0, 3.0)]
    near = [goes_round(motion(ratio, 2.2, 1.0, -2.0)) for ratio in (2.0, 2.1)]
    return holds(
        ("of two kinds (k = m₁ = v₁ = 1; the paper gives no numbers)", kinds == [True, False]),
        against=[("also between m₂ = 2m₁ and 2.1m₁", near[0] != near[1])],
    )


@section.confirmed(
    "Case B, equal velocities (figure 17)",
    ("Figure 17",),
    printed="parallel straight lines, whatever the masses",
    exhibits=EXHIBITS,
)
def straight() -> Evidence:
    """v₁ = v₂ across the segment: both points go straight on, for all masses; with v₂ = 2v₁ they do not."""

    def bend(ratio: float, v2: float) -> float:
        run = motion(ratio, 2.0, 1.0, v2, until=5.0)
        return float(np.max(np.abs(run.x1)) + np.max(np.abs(run.y1 - run.t)) + np.max(np.abs(run.x2 - 2.0)))

    return Evidence(max(bend(m, 1.0) for m in (0.3, 1.0, 4.0)), None, bend(1.0, 2.0), "m₂/m₁ = 0.3, 1, 4 over t = 5")


@section.refuted(
    "Case B, different speeds (figure 18)",
    ("Figure 18",),
    printed="this qualitative behavior does not depend on the values of the masses",
    right="the masses that are compared have k d² on the same side of (m₁v₁ + m₂v₂)²/(m₁ + m₂)",
    reason="From one start it may change: with d = 3, v₁ = 1, v₂ = 2, k = m₁ = 1 the segment goes round and the points stay "
    "for m₂ = m₁ and m₂ = 0.3, while for m₂ = 4 it swings and they run away.",
    harm=2,
    breaks="m₂ = αm₁ in the caption of figure 18: not for every α.",
    exhibits=EXHIBITS,
    kind="condition",
)
def masses_matter() -> Evidence:
    """v₂ = 2v₁ across the segment: the same kind of orbits for all masses."""
    kinds = {ratio: goes_round(motion(ratio, 3.0, 1.0, 2.0)) for ratio in (0.3, 1.0, 4.0)}
    predicted = {ratio: _threshold(ratio, 1, 2) < 3.0 for ratio in kinds}
    return Evidence(
        float(len(set(kinds.values())) > 1), float(kinds != predicted), None, f"round or not, by m₂/m₁: {kinds}"
    )


@section.confirmed(
    "Case C, equal speeds (figures 19, 20)",
    ("Figure 19", "Figure 20"),
    printed="for different masses we have a different result",
    exhibits=EXHIBITS,
)
def inclined_opposite() -> Evidence:
    """v₂ = −v₁ inclined to the segment: for equal masses the closed motion of the free spring, for different masses not."""

    def gap(ratio: float) -> float:
        run = motion(ratio, 2.0, 1.0, -1.0, INCLINED, 2 * np.pi / sqrt(1 + 1 / ratio))
        return float(np.hypot(run.x1[-1] - run.x1[0], run.y1[-1] - run.y1[0]))

    return Evidence(gap(1.0), None, gap(2.0), "distance of P₁ from its start after the period of the free spring")


@section.confirmed(
    "Case C, different speeds (figures 21 to 25)",
    ("Figure 21", "Figure 22", "Figure 23", "Figure 24", "Figure 25"),
    exhibits=EXHIBITS,
)
def inclined_distance() -> Evidence:
    """v₂ = −2v₁ inclined: the kind of the orbits depends on the initial distance, for equal and for different masses."""
    kinds = {ratio: [goes_round(motion(ratio, d, 1.0, -2.0, INCLINED)) for d in (0.4, 4.0)] for ratio in (1.0, 2.0)}
    near = [goes_round(motion(1.0, d, 1.0, -2.0, INCLINED)) for d in (4.0, 4.5)]
    return holds(
        ("near and far starts differ for m₂ = m₁", kinds[1.0] == [False, True]),
        ("and for m₂ = 2m₁", kinds[2.0] == [False, True]),
        against=[("also between d = 4 and 4.5", near[0] != near[1])],
    )


section.uncheckable(
    "Case D, figures 28 and 29",
    ("Figure 28", "Figure 29"),
    "a sentence about two captions, which give different places; drawings without more numbers",
    "The starts of figures 28 and 29 are called the same.",
    printed="with the same locations of the initial positions P_1 and P_2",
    right=r"P_2 = (10, 0) \text{ in figure 28 and } (15, 0) \text{ in figure 29}",
    harm=1,
    breaks="the captions give different places for P₂",
    kind="slip",
    exhibits=EXHIBITS,
)


@section.confirmed("Case D, figures 31 and 32", ("Figure 30", "Figure 31", "Figure 32"), exhibits=EXHIBITS)
def turning_back() -> Evidence:
    """P₁ seems to set out against its velocity; a zoom shows that it first follows it, for a short way, and turns back."""
    # masses and places are those of figure 29; speed, stiffness and angle are ours

    def first_way(angle: float) -> tuple[float, float]:
        """How far P₁ gets along its first velocity before it turns, and how far against it later."""
        run = motion(3.0, 15.0, 1.0, 2.0, angle, until=6.0)
        ahead = run.x1 * np.cos(angle) + run.y1 * np.sin(angle)
        pace.append(gap(np.diff(ahead[:2]), np.diff(run.t[:2])))  # |v₁| = 1
        return float(ahead[np.argmax(np.diff(ahead) < 0)]), float(-np.min(ahead))

    pace: list[float] = []
    (short, far), (long, _) = first_way(AWAY), first_way(INCLINED)
    return holds(
        (f"{short:.3f} along the velocity, then {far:.1f} against it", 0 < short < far and share(short, far) < 0.02),
        ("P₁ sets out with the speed 1 along its velocity", max(pace) < 0.2),
        against=[("also when the velocities point to the side of P₂", long < 1.0)],
    )


section.uncheckable(
    "Figure 27",
    ("Figure 26", "Figure 27"),
    "drawings; speeds, distance and stiffness are not given",
    "Case D with v₁ = v₂, and m₂ = 4m₁ in the second.",
)
section.uncheckable(
    "Figures 4 to 7",
    (),
    "drawings on the inclined plane, whose captions did not survive in the text at hand",
    "Motions on the inclined plane.",
)
