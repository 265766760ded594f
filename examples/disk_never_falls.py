"""A coin that rolls does not fall.

Set a disk rolling and let go: it leans, curls into a tight turn, all but touches the ground, and gets up again. The
reason is in its momenta. ``p1`` (turning about the vertical diameter) and ``p2`` (spin) are not constant, but they are
known functions of the tilt θ,

    dp1/dθ = tan θ p1 − B/(m r² + B) p2,      dp2/dθ = −(m r²/A) p1          [BMZ 2009 §6.5]

so the tilt moves in a potential of its own, ``U(θ) = ½ (p1²/A + p2²/(m r² + B)) + m g r cos θ``, and ``p1`` grows without
bound towards 90° unless the start is chosen with infinite care: walls on both sides. Below, the wall is computed from the
two equations above by SciPy and the motion from the constraints by nonholo; the lowest lean must agree.

Run it: ``python examples/disk_never_falls.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

# the motion: let go 14° from the vertical, rolling too slowly to stay up
disk = nh.gallery.get("rolling-disk")
values = disk.parameters
m, g, r, A, B = (values[n] for n in ("m", "g", "r", "A", "B"))
start = {**disk.start, "w1": 0.3, "w2": 0.6, "w3": 1.5}
turning_back = nh.Event("R31*w2 - R32*w1")  # where the tilt stops for a moment
touching = dict(zip(("touch_x", "touch_y"), disk.drawing.traces[0].point))
run = nh.simulate(
    disk.system, start, 8.0, values, t_eval=3001, events=[turning_back], watch=touching, rtol=1e-11, atol=1e-13
)
tilt = np.degrees(np.arcsin(run["R33"]))

# the wall: both momenta followed over θ from their values at the start
first = {n: run[n][0] for n in ("R31", "R32", "R33", "w1", "w2", "w3")}
begin = np.arcsin(first["R33"])
upright = np.hypot(first["R31"], first["R32"])
momenta = [A * (first["w1"] * first["R31"] + first["w2"] * first["R32"]) / upright, (m * r**2 + B) * first["w3"]]


def slopes(theta, p):
    return [np.tan(theta) * p[0] - B / (m * r**2 + B) * p[1], -m * r**2 / A * p[0]]


branches = [
    solve_ivp(slopes, (begin, end), momenta, "DOP853", dense_output=True, rtol=1e-12, atol=1e-12).sol
    for end in (-1.5705, 1.5705)
]


def wall(theta):
    p = branches[int(theta > begin)](theta)
    return (p[0] ** 2 / A + p[1] ** 2 / (m * r**2 + B)) / 2 + m * g * r * np.cos(theta)


level = run["energy"][0]
low, high = (brentq(lambda s: wall(s) - level, begin, end, xtol=1e-13) for end in (-1.2, 1.57))
leans = np.array([np.arcsin(s["R33"]) for s in run.event_states[next(iter(run.events))]])

# many throws: does any of them touch?
random = np.random.default_rng(4)
throws = {**start, **{w: random.uniform(-4, 4, 100) for w in ("w1", "w2", "w3")}}
many = nh.ensemble(disk.system, throws, 6.0, values, t_eval=801, rtol=1e-8, atol=1e-10)
steepest = np.degrees(np.arcsin(np.abs(many["R33"]).max("t").values))

with journal():
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.5, 3.2))
    angles = np.linspace(-1.53, 1.565, 900)
    left.plot(np.degrees(angles), [wall(s) for s in angles], color="black")
    left.axhline(level, color=COLOURS[0], lw=1, label="energy of the motion")
    left.axvspan(leans.min() * 180 / np.pi, leans.max() * 180 / np.pi, color=COLOURS[0], alpha=0.12, lw=0, label="leans it takes")
    left.set(ylim=(0, 2.2 * level), xlim=(-90, 90), xticks=(-90, -45, 0, 45, 90))
    left.set(xlabel="tilt θ [°]  (90: flat)", ylabel="U(θ) [J]", title="the potential of the tilt has walls")
    left.legend(loc="lower left")
    middle.plot(run["t"], tilt, color=COLOURS[0])
    middle.axhline(90, color="black", lw=2)
    middle.text(0.05, 87.5, "flat on the ground", va="top")
    middle.set(xlabel="t [s]", ylabel="tilt [°]", ylim=(0, 93), yticks=(0, 30, 60, 90), title="it nearly falls, and rises again")
    right.plot(run["touch_x"], run["touch_y"], color=COLOURS[1], lw=0.9, label="where it touches")
    right.plot(run["x"], run["y"], color="grey", lw=0.9, label="its centre")
    right.set(xlabel="x [m]", ylabel="y [m]", title="seen from above", aspect="equal")
    right.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    picture = save_figure(figure, folder / "disk_never_falls.png", dpi=130)

gap = max(abs(low - leans.min()), abs(high - leans.max()))
print(f"{len(leans)} times the tilt turned back, at {np.degrees(leans.min()):.3f}° and {np.degrees(leans.max()):.3f}°")
print(f"the walls stand at {np.degrees(low):.6f}° and {np.degrees(high):.6f}°; the motion came within {gap:.1e} rad of them")
print(f"of {len(steepest)} throws the flattest came to {steepest.max():.2f}°; none fell: {bool((steepest < 90).all())}")
print(f"wrote {picture}")
assert gap < 1e-7
