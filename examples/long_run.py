"""What a discrete principle keeps in the long run.

A method for differential equations makes an error in each step, and with rk4 the errors of the energy add up: after four
times the time the energy is wrong four times as much. A method that discretises d'Alembert's principle itself moves by the
rules of a mechanical system in discrete time. Its order is only two, but where the motion can be reversed its energy swings
and does not drift [Zenkov 2016, sections 5.2 to 5.5].

Left: a coin that rolls and wobbles for 400 s. Right: a knife edge on a slope, which swings to and fro and never slides down,

    x = A sin²(ωt),     A = g sin α / (2 ω²),

with four methods that take the same steps. Here the discrete Hamel equations keep the energy to rounding. The discrete
Lagrange–d'Alembert principle of Cortés and Martínez keeps the constraint in the same place but pairs forces with directions at
the ends of the step; its error does not drift either, but is there from the first swing.

Run it: ``python examples/long_run.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.present.style.plot_style import journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

coin = nh.gallery.get("rolling-disk")
slope = nh.System(
    name="knife edge",
    coordinates="phi x y",
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + m*g*x*sin(alpha)",
    constraints=["xdot*sin(phi) - ydot*cos(phi)"],
    quasivelocities={"w": "phidot", "u": "xdot*cos(phi) + ydot*sin(phi)"},
    parameters={"m": 1.4, "J": 0.3, "g": 9.81, "alpha": 0.6},
)
w = 1.7
lowest = 9.81 * np.sin(0.6) / (2 * w**2)

with journal():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8))
    for name in ("rk4", "hamel"):
        run = nh.simulate(coin.system, coin.start, 400.0, coin.parameters, method=name, step=0.01, t_eval=4001)
        error = np.abs(run["energy"] / run["energy"][0] - 1)
        left.plot(run["t"][1:], np.maximum.accumulate(error)[1:], label=name)
        growth = error[2001:].max() / error[:2001].max()
        print(f"coin, {name}: the second half is {growth:.2f} times as wrong as the first")
        assert growth < 1.01 if name == "hamel" else growth > 1.9
    left.set(
        xscale="log", yscale="log", xlabel="t [s]", ylabel="largest error of the energy so far", title="a rolling coin"
    )
    left.legend()

    print(f"knife edge: the closed form goes down to {lowest:.4f} m")
    for name in ("rk4", "hamel", "dlagrange_dalembert", "verlet"):
        run = nh.simulate(slope, {"w": w}, 400.0, method=name, step=0.05, t_eval="steps")
        error = np.abs(run["energy"] - run["energy"][0]) / (1.4 * 9.81 * np.sin(0.6) * lowest)
        right.plot(run["t"][1:], np.maximum.accumulate(error)[1:], label=name)
        assert name != "hamel" or error.max() < 1e-12
        late = run["x"][len(run["x"]) // 2 :]
        print(f"knife edge, {name}: between {late.min():+.4f} m and {late.max():.4f} m after 200 s")
        # within twice the square of the angle that one step turns by
        assert name == "rk4" or max(abs(late.min()), abs(late.max() - lowest)) < 2 * (0.05 * w) ** 2 * lowest
    right.set(
        xscale="log",
        yscale="log",
        xlabel="t [s]",
        ylabel="the same, of the potential's swing",
        title="a knife edge on a slope",
    )
    right.legend()
    picture = save_figure(figure, folder / "long_run.png", dpi=130)
print(f"wrote {picture}")
