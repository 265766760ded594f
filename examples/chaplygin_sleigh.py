"""The Chaplygin sleigh in the plane of its speeds: every motion ends with the centre of mass in front.

Run it: ``python examples/chaplygin_sleigh.py`` writes ``chaplygin_sleigh.png``.
"""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh

exhibit = nh.gallery.get("chaplygin-sleigh")
angles = np.linspace(-0.97, 0.97, 24) * np.pi
starts = {"omega": 1.2 * np.sin(angles), "v": 1.5 * np.cos(angles)}
runs = nh.ensemble(exhibit.system, starts, 8.0, dict(exhibit.parameters))

figure, (plane, paths) = plt.subplots(1, 2, figsize=(11, 5), constrained_layout=True)
for member in runs.member.values:
    colour = plt.cm.viridis(member / runs.sizes["member"])
    plane.plot(runs["omega"][member], runs["v"][member], color=colour, lw=1)
    paths.plot(runs["x"][member], runs["y"][member], color=colour, lw=1)
plane.axvline(0, color="grey", lw=0.5)
plane.set(
    xlabel="turning rate ω [rad/s]", ylabel="speed of the edge v [m/s]", title="speeds: half-ellipses from −V to V"
)
paths.set(xlabel="x [m]", ylabel="y [m]", title="paths of the edge")
paths.set_aspect("equal", adjustable="datalim")
figure.savefig("chaplygin_sleigh.png", dpi=120)

top = np.sqrt(runs["final_energy"] * 2 / exhibit.parameters["m"])
reached = np.abs(runs["final_v"] / top)
print(
    f"{int((runs['outcome'] == 'reached').sum())} motions; the slowest has come to {float(reached.min()):.4f} of its top speed"
)
