"""Benenti's two points with parallel velocities: all orbits with a spring on one sheet.

Two masses, a spring between them, and one rule: their velocities stay parallel, ``ẋ1 ẏ2 = ẏ1 ẋ2``. No wheel can do that
alone, the rule is quadratic, and the motions look it. The sheet repeats figures 10 to 29 of Benenti 2008 (cases A to D: the
velocities across the segment, opposite or alike; then inclined to it). The paper prints starts for two of them only; the
others are chosen to show the same kinds of orbit.

What one sees and can prove: ``m1 v1 + m2 v2`` is constant, so is ``sqrt(m1 v1² + m2 v2²)`` times the segment's part across
the velocity, and with the clock ``dτ = (v2 − v1) dt / sqrt(m1 v1² + m2 v2²)`` the segment P1P2 runs on an ellipse about 0. In
case A it goes round exactly when ``k d² > (m1 v1 + m2 v2)²/(m1 + m2)``; otherwise it swings.

Run it: ``python examples/benenti_orbits.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

points = nh.gallery.get("parallel-points")
titles, starts = list(points.starts), list(points.starts.values())
ratio = np.array([float(title.split("=")[1].split()[0]) for title in titles])
runs = nh.ensemble(points.system, starts, 20.0, {"m1": 1.0, "m2": ratio, "k": 1.0}, t_eval=1601, rtol=1e-10)

# the constants and the law of case A, for every orbit at once: arrays over (member, t)
x1, y1, x2, y2, v1, v2, theta = (runs[n].values for n in ("x1", "y1", "x2", "y2", "v1", "v2", "theta"))
first = v1 + ratio[:, None] * v2
second = np.sqrt(v1**2 + ratio[:, None] * v2**2) * (np.cos(theta) * (y2 - y1) - np.sin(theta) * (x2 - x1))
drift = max(np.ptp(first, axis=1).max(), np.ptp(second, axis=1).max())
goes_round = np.ptp(np.unwrap(np.arctan2(y2 - y1, x2 - x1)), axis=1) > 2 * np.pi
should = (x2 - x1)[:, 0] ** 2 > first[:, 0] ** 2 / (1 + ratio)
case_a = [k for k, title in enumerate(titles) if title.startswith("case A")]
agree = int((goes_round == should)[case_a].sum())

with journal():
    figure, sheet = plt.subplots(4, 5, figsize=(10, 8.4))
    for k, axes in enumerate(sheet.flat):
        case, number = titles[k][5], titles[k].split()[3]
        axes.plot(x1[k], y1[k], color=COLOURS[1], lw=1.8, alpha=0.7)
        axes.plot(x2[k], y2[k], color=COLOURS[0], lw=0.9)
        axes.plot([x1[k, 0], x2[k, 0]], [y1[k, 0], y2[k, 0]], color="grey", lw=0.7, ls=":")
        axes.plot(x1[k, 0], y1[k, 0], "o", color=COLOURS[1], ms=4)
        axes.plot(x2[k, 0], y2[k, 0], "o", color=COLOURS[0], ms=4)
        axes.set_axis_off()
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_title(f"{case}  figure {number},  $m_2$ = {ratio[k]:g} $m_1$", loc="left", fontsize=8)
    kinds = "A: velocities opposite, across the segment;  B: alike, across;  C: opposite, inclined;  D: alike, inclined"
    figure.suptitle(f"Two points with parallel velocities and a spring  ({kinds})", fontsize=9)
    picture = save_figure(figure, folder / "benenti_orbits.png", dpi=130)

print(f"{len(titles)} orbits; both constants keep to {drift:.0e} over 20 s")
print(f"case A: {agree} of {len(case_a)} go round or swing as k d² > (m1 v1 + m2 v2)²/(m1 + m2) says")
print(f"wrote {picture}")
assert drift < 1e-7 and agree == len(case_a)
