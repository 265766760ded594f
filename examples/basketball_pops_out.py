"""A basketball that goes below the rim and pops out again.

The ball rolls on the hoop without sliding. Going round the rim (Ω2) and spinning about the line to the rim's centre line
(Ω1) are exchanged as it sinks,

    dΩ1/dψ = u Ω2,     d(a² Ω2)/dψ = −J a Ω1/(J + m r²),     a = u − v cos ψ          [MacDonnell 1997 (11.1)]

with ψ the angle of the contact above the horizontal. So ψ moves in a potential of its own, ``Ū = m g v sin ψ + ½ J Ω1² +
½ (J + m r²) a² Ω2²``, and with the right spin Ū has a hill *below* the rim: a ball with less energy than the hill comes back
up, whatever the player thinks. The hill is computed from the two equations above by SciPy, the motion by nonholo.

Run it: ``python examples/basketball_pops_out.py [folder]``
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

ball = nh.gallery.get("basketball")
m, J, r, g, u, v = (ball.parameters[n] for n in ("m", "J", "rho", "g", "u", "v"))
throws = {"comes out": ball.start, "falls through": ball.starts["falls through"]}
runs = {
    word: nh.simulate(ball.system, start, ball.until, ball.parameters, t_eval=801, rtol=1e-10, atol=1e-12, events=["psidot"])
    for word, start in throws.items()
}


def slopes(psi, omega):
    a, change = u - v * np.cos(psi), v * np.sin(psi)
    return [u * omega[1], -(2 * change * omega[1] + J / (J + m * r**2) * omega[0]) / a]


start = [ball.start["Omega1"], ball.start["Omega2"]]
sides = [solve_ivp(slopes, (0, end), start, "DOP853", dense_output=True, rtol=1e-12, atol=1e-12).sol for end in (-1.4, 1.4)]


def hill(psi):
    one, two = sides[int(psi > 0)](psi)
    return m * g * v * np.sin(psi) + (J * one**2 + (J + m * r**2) * (u - v * np.cos(psi)) ** 2 * two**2) / 2


angles = np.linspace(-1.3, 1.0, 500)
heights = np.array([hill(psi) for psi in angles])
below = (angles < 0) & (angles > -0.9)
top = angles[below][np.argmax(heights[below])]
levels = {word: run["energy"][0] for word, run in runs.items()}
wanted = brentq(lambda psi: hill(psi) - levels["comes out"], top, 0.0, xtol=1e-13)
lowest = min(state["psi"] for state in runs["comes out"].event_states["psidot"])

with journal():
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.5, 3.3))
    left.plot(np.degrees(angles), heights, color="black")
    for (word, level), colour in zip(levels.items(), COLOURS):
        left.axhline(level, color=colour, lw=1, label=f"a ball that {word}")
    left.set(ylim=(heights[below].max() - 1.2, heights[below].max() + 0.5), xlim=(-75, 57))
    left.set(xlabel="ψ, contact above the horizontal [°]", ylabel="Ū [J]", title="a hill below the rim")
    left.legend(loc="lower left")
    ring = np.linspace(0, 2 * np.pi, 100)
    for (word, run), colour in zip(runs.items(), COLOURS):
        psi = run["psi"]
        a = u - v * np.cos(psi)
        shown = psi > -1.25  # further down it has left the hoop
        middle.plot(1000 * run["t"][shown], 100 * v * np.sin(psi[shown]), color=colour, label=word)
        where = np.cumsum(np.concatenate([[0.0], np.diff(run["t"]) * run["thetadot"][:-1]]))
        right.plot(100 * (a * np.cos(where))[shown], 100 * (a * np.sin(where))[shown], color=colour)
    middle.axhline(0, color="black", lw=2)
    middle.text(5, 0.4, "rim")
    middle.set(xlabel="t [ms]", ylabel="height of the ball's centre [cm]", title="down, and up again")
    middle.legend(loc="upper left")
    right.plot(100 * u * np.cos(ring), 100 * u * np.sin(ring), color="black", lw=2)
    right.set(xlabel="x [cm]", ylabel="y [cm]", title="its centre from above, and the rim", aspect="equal")
    picture = save_figure(figure, folder / "basketball_pops_out.png", dpi=130)

rise = heights[below].max() - hill(0)
print(f"the hill stands {-np.degrees(top):.1f}° below the horizontal, {rise:.3f} J above the rim's level")
for word, run in runs.items():
    print(f"{word}: crosses the rim with {levels[word] - hill(0):.3f} J, ends at ψ = {np.degrees(run['psi'][-1]):+.0f}°")
print(f"lowest point {np.degrees(lowest):.6f}° in the motion, {np.degrees(wanted):.6f}° where Ū = E")
print(f"wrote {picture}")
assert abs(lowest - wanted) < 1e-7
