"""Your own system from a text file: an ice boat that outruns the wind.

`ice_boat.toml` beside this script is all there is to it: a runner that cannot slip sideways, a rudder, a sail, a wind. nonholo
derives its motion in five ways that must agree (`nh.check`), and moves it. With the heading θ held, the boat ends at

    v = c sin β W cos(θ + β) / (c sin² β + d)

because the runner turns the sail's push, which is across the boat, into speed along it: with little drag, ``W cos(θ + β)/sin β``,
many times the wind. The picture is the sailor's polar: the best steady speed for every heading. Nobody told the program
about sailing; the dots are long motions from rest, the curve is the closed form with the best trim β.

Run it: ``python examples/own_system.py [folder]``
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

boat = nh.load(Path(__file__).with_name("ice_boat.toml"))
for finding in nh.check(boat):
    print(finding)
c, d, W = (boat.parameters[n] for n in ("c", "d", "W"))


def steady(heading, trim):
    return c * np.sin(trim) * W * np.cos(heading + trim) / (c * np.sin(trim) ** 2 + d)


# the best trim for each heading, by the closed form; then the motion from rest with that trim
trims = np.linspace(0.02, 1.55, 800)
courses = np.radians(np.linspace(-88, 84, 44))
best = np.array([trims[np.argmax(steady(heading, trims))] for heading in courses])
trimmed = {**boat.parameters, "beta": best}
runs = nh.ensemble(boat, {"theta": courses}, 3000.0, trimmed, t_eval=[0.0, 3000.0], inputs={"steer": 0.0})
reached = runs["final_v"].values
error = np.max(np.abs(reached / steady(courses, best) - 1))

# one boat with its sail sheeted in, steered slowly towards the wind
turn = nh.simulate(boat, until=170.0, inputs={"steer": 0.012}, t_eval=1701)

with journal():
    figure = plt.figure(figsize=(9, 4.2))
    polar = figure.add_subplot(1, 2, 1, projection="polar")
    fine = np.radians(np.linspace(-90, 89, 400))
    polar.plot(fine, [max(steady(h, trims)) / W for h in fine], color="black", label="closed form, best trim")
    polar.plot(courses, reached / W, "o", color=COLOURS[1], ms=3.5, label="motions from rest")
    polar.plot(fine, np.ones_like(fine), color=COLOURS[0], lw=1, label="the wind's speed")
    polar.annotate("wind", (np.pi / 2, 1.2), (np.pi / 2, 4.2), ha="center", arrowprops={"arrowstyle": "->"})
    polar.set(thetamin=-90, thetamax=90, title="speed over the wind's, by heading")
    polar.legend(loc="lower left", bbox_to_anchor=(-0.25, 0.0))
    path = figure.add_subplot(1, 2, 2)
    speed = path.scatter(turn["x"], turn["y"], c=turn["v"] / W, s=4, cmap="viridis")
    path.set(xlabel="x [m]", ylabel="y [m]  (the wind blows downwards)", title="steered slowly into the wind")
    path.set_aspect("equal", adjustable="datalim")
    figure.colorbar(speed, label="speed over the wind's")
    picture = save_figure(figure, folder / "own_system.png", dpi=130)

print(f"fastest {reached.max() / W:.2f} times the wind, heading {np.degrees(courses[reached.argmax()]):.0f}°")
print(f"after 3000 s the {len(courses)} boats are within {error:.1e} of the closed form")
print(f"wrote {picture}")
assert error < 1e-6
