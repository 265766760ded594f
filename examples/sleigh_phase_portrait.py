"""The Chaplygin sleigh in the plane of its speeds.

A sleigh with a blade at a distance a from its centre of mass obeys ``ω̇ = −m a ω v/(J + m a²)``, ``v̇ = a ω²``. Its energy is
constant, so every motion stays on an ellipse in the plane of turning ω and speed v; all of the line ω = 0 is at rest in this
plane (gliding straight), yet the lower half repels and the upper attracts: a motion leaves (0, −V) and ends at (0, V), on

    v = V tanh(κ t),     ω = V sqrt(m/(J + m a²)) sech(κ t),     κ = m a V/(J + m a²)

with the centre of mass in front, whatever the start. Conserving energy, and yet attracted: no Hamiltonian system can do that.
The portrait is one call. On the ice a motion is a run backwards, a cusp, and a run forwards, turned by
``π sqrt(J/m + a²)/a`` between its ends.

Run it: ``python examples/sleigh_phase_portrait.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.present.figures.phase_portrait import phase_portrait
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

sleigh = nh.gallery.get("chaplygin-sleigh")
m, J = (sleigh.parameters[n] for n in "mJ")
top = 1.5  # V; a sleigh twice as fast leaves the same track

with journal():
    figure, (plane, ice) = plt.subplots(1, 2, figsize=(9, 4.0))
    portrait = phase_portrait(
        sleigh, "omega", "v", levels=[0.1, 0.4, 0.9, 1.6, 2.5], x_range=(-2.4, 2.4), y_range=(-2.1, 2.1), axes=plane
    )
    print("a [m]   turns by   closed form   speed follows V tanh(κt) to")
    for a, colour in zip((0.25, 0.4, 0.7, 1.2), COLOURS):
        inertia = J + m * a**2
        kappa = m * a * top / inertia
        late = 4 / kappa  # from long before the turn to long after
        start = {"omega": top * np.sqrt(m / inertia) / np.cosh(4), "v": -top * np.tanh(4)}
        run = nh.simulate(
            sleigh.system, start, 2 * late, {"m": m, "J": J, "a": a}, t_eval=801, rtol=1e-11, atol=1e-13
        )
        gap = np.max(np.abs(run["v"] - top * np.tanh(kappa * (run["t"] - late))))
        turned, wanted = run["theta"][-1], 2 * np.sqrt(inertia / m) / a * np.arctan(np.sinh(4))
        print(f"{a:5.2f} {np.degrees(turned):9.3f}° {np.degrees(wanted):11.3f}° {gap:17.0e} m/s")
        assert gap < 1e-8 and abs(turned - wanted) < 1e-8
        ice.plot(run["x"], run["y"], color=colour, label=f"a = {a:g} m")
        ice.plot(run["x"][-1], run["y"][-1], "o", color=colour, ms=4)
    ice.set(xlabel="x [m]", ylabel="y [m]", title="the blade's path: in backwards, out forwards")
    ice.set_aspect("equal", adjustable="datalim")
    ice.legend()
    picture = save_figure(figure, folder / "sleigh_phase_portrait.png", dpi=130)

kinds = sorted({e.kind for e in portrait.equilibria})
print(f"{len(portrait.motions)} motions, {len(portrait.lines)} line of equilibria, with ends that are {' and '.join(kinds)}")
print(f"wrote {picture}")
