"""The stone that turns back.

A rattleback spun one way keeps spinning. Spun the other way it begins to rattle, the rattling eats the spin, and the stone
turns back, with no friction and no loss of energy: rolling keeps energy but not the volume of phase space, so a spin can
attract or repel. Its axes of inertia are turned against its shape by a small angle δ, and near upright spin Ω the tilts
obey a closed characteristic polynomial [Walker 1896, Bondi 1986] whose odd coefficients carry the sign of ``D Ω (R1 − R2)``,
D the product of inertia: one sense of spin must gain. The rattle's growth in the motion is compared with that polynomial.

Run it: ``python examples/rattleback_reversal.py [folder]``
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

stone = nh.gallery.get("rattleback")
values = stone.parameters
runs = {
    spin: nh.simulate(stone.system, {**stone.start, "w3": spin}, 9.0, values, t_eval=4501, rtol=1e-10, atol=1e-13)
    for spin in (-5.0, 5.0)
}

# the closed polynomial, highest power first: det(s² K2 + s K1 + K0) of the two tilts
m, g, spin = values["m"], values["g"], -5.0
R1, R2, l = values["a"] ** 2 / values["c"], values["b"] ** 2 / values["c"], values["c"] - values["h"]
turn = np.array([[np.cos(values["delta"]), -np.sin(values["delta"])], [np.sin(values["delta"]), np.cos(values["delta"])]])
(A, D), (_, B) = turn @ np.diag([values["I1"], values["I2"]]) @ turn.T + m * l**2 * np.eye(2)
C = values["I3"]
odd = -D * spin * m * l * (R1 - R2)
k1 = m * g * (R1 - l) + spin**2 * (C - A + m * l * R1)
k2 = m * g * (R2 - l) + spin**2 * (C - B + m * l * R2)
across = (A + B - C - m * l * R1) * (A + B - C - m * l * R2)
middle = A * k1 + B * k2 + spin**2 * (across - 2 * D**2)
growth = np.roots([A * B - D**2, odd, middle, odd * spin**2, k1 * k2 - D**2 * spin**4]).real.max()

# the same from the motion of a stone that is hardly tilted: the log of the rattle's envelope becomes a straight line
small = {**stone.start, "R22": 1.0, "R23": -1e-7, "R32": 1e-7, "R33": 1.0, "w3": spin}
quiet = nh.simulate(stone.system, small, 4.0, values, t_eval=16001, rtol=1e-12, atol=1e-16)
rattle = np.hypot(quiet["w1"], quiet["w2"])
peaks = np.flatnonzero((rattle[1:-1] > rattle[:-2]) & (rattle[1:-1] > rattle[2:])) + 1
late = peaks[quiet["t"][peaks] > 2.5]
seen = np.polyfit(quiet["t"][late], np.log(rattle[late]), 1)[0]

with journal():
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(6.5, 4.6), sharex=True)
    for (sense, run), colour, word in zip(runs.items(), COLOURS[1::-1], ("the wrong way", "the right way")):
        top.plot(run["t"], run["w3"], color=colour, label=f"spun {word}, Ω = {sense:+g} rad/s")
    top.axhline(0, color="black", lw=0.5)
    top.set(ylabel="spin [rad/s]", title="one sense of spin turns back")
    top.legend(loc="center right")
    turned = runs[-5.0]
    bottom.plot(turned["t"], turned["w2"], color=COLOURS[2], lw=0.7, label="pitching $w_2$")
    bottom.plot(turned["t"], turned["w1"], color=COLOURS[3], lw=0.7, label="rolling $w_1$")
    bottom.set(xlabel="t [s]", ylabel="rattle [rad/s]")
    bottom.legend(loc="upper right", ncols=2)
    picture = save_figure(figure, folder / "rattleback_reversal.png", dpi=150)

print(f"the rattle grows at {seen:.3f}/s in the motion, {growth:.3f}/s by the closed polynomial")
for sense, run in runs.items():
    w3 = run["w3"]
    print(f"spun at {sense:+g}: from {w3.min():+.2f} to {w3.max():+.2f} rad/s; energy kept to {run.drift('energy'):.0e}")
print(f"wrote {picture}")
assert abs(seen / growth - 1) < 1e-3
