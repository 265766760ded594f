"""Why a whip cracks: a loop runs along a string, and all the energy goes to the end that is left.

A string is held at one end, without gravity. It is folded: the free arm lies above the held one and moves along at speed 1, the
loop between them at half of that. What moves becomes shorter and shorter, but keeps its energy, so it becomes faster.
[Zenkov 2016, Example 3.2, is the string; the tension comes from its boundary value problem at every instant.]

What one sees: the shapes, the share of the kinetic energy in the last tenth of the string, and the speed of its end, which
rises until the end turns over and the crack would be heard. The energy of the whole does not change.

Run it: ``python examples/whip.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.fields.function_grid import interpolation
from nonholo.present.style.plot_style import journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

string = nh.fields.String(nodes=80, held=("start",))
start = {"theta": "pi/2*(1 + tanh(10*(s - 0.35)))", "omega": "-5*pi/2*(1 - tanh(10*(s - 0.35))**2)"}
run = string.simulate(start, until=0.84, t_eval=85, rtol=1e-8)
print(run, "energy changed by", f"{run.drift('energy'):.1e}")
assert run.outcome.reached and run.drift("energy") < 1e-6

grid, t = string.grid, run["t"]
velocity = (1j * run["omega"] * np.exp(1j * run["theta"])) @ grid.integral.T
running = np.abs(velocity) ** 2 @ grid.integral.T
share = 1 - running @ interpolation(string.nodes, np.array([0.9]), 1.0)[0] / running[:, -1]
speed = np.abs(velocity[:, -1])
assert share[0] < 0.2 < 0.8 < share[-1] and speed[-1] > 3 * speed[0]

with journal():
    figure, axes = plt.subplots(2, 1, figsize=(5.2, 4.6), height_ratios=(1, 1.3))
    fine = interpolation(string.nodes, np.linspace(0, 1, 400), 1.0)
    for k in (0, 20, 40, 60, 72, 78, 82, 84):
        axes[0].plot(fine @ run["x"][k], fine @ run["y"][k], color=plt.cm.viridis(0.95 * k / 84), label=f"{t[k]:.2f}")
    axes[0].plot(0, 0, "ko", ms=4)
    axes[0].set(xlabel="x [m]", ylabel="y [m]", title="A whip: shapes at t = 0 … 0.84 s, the left end held", aspect="equal")
    axes[1].plot(t, share, label="energy in the last tenth, of all")
    axes[1].plot(t, speed / speed.max(), label=f"speed of the end, of {speed.max():.1f} m/s")
    axes[1].plot(t, run["energy"] / run["energy"][0], color="grey", lw=0.8, label="energy, of the first")
    axes[1].set(xlabel="t [s]", ylim=(0, 1.1))
    axes[1].legend(loc="center left")
    place = save_figure(figure, folder / "whip.png", dpi=170)
print(f"wrote {place}")
