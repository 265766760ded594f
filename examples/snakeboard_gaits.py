"""Three ways to ride a snakeboard without ever pushing off.

The rider swings a rotor (ψ) and steers both wheel pairs (φ), as sines. Swung in step the board drives forward; the rotor
twice as fast as the wheels, and it turns on the spot; three against two, and it moves sideways, as one parks a car. The
torques are found by inverse dynamics, momentum is made by the wheels' reactions: ``ṗ`` is not 0, its law is the momentum
equation [Bloch, Krishnaprasad, Marsden, Murray 1996]. For small wheels' swing ``a_φ`` the first period of 2π s gives

    drive    x = l k π² a_φ a_ψ          rotate   θ = 2π k a_φ² a_ψ          k = J_r/(m l²)
    parallel y = (81π/8) l k² a_φ³ a_ψ²

which is compared with the motion at two swings: the relative error must fall with the square.

Run it: ``python examples/snakeboard_gaits.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.gallery.snakeboard import GAITS, gait_start, gait_torques
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

board = nh.gallery.get("snakeboard")
values = board.parameters
l, k = values["l"], values["Jr"] / (values["m"] * values["l"] ** 2)


def ride(gait, swing, periods, points):
    return nh.simulate(
        board.system, gait_start(gait, swing), 2 * np.pi * periods, values, t_eval=points, inputs=gait_torques(gait, swing)
    )


with journal():
    figure, panels = plt.subplots(1, 3, figsize=(10.5, 3.4))
    for axes, (gait, (rotor, wheels)), periods in zip(panels, GAITS.items(), (3, 9, 6)):
        run = ride(gait, {"psi": 1.1, "phi": 0.4}, periods, 1201)
        x, y, heading, steer = (run[n] for n in ("x", "y", "theta", "phi"))
        axes.plot(x, y, color=COLOURS[1], lw=1.1, zorder=5)
        shown = np.linspace(0, len(x) - 1, periods + 1).astype(int)
        for shade, i in zip(np.linspace(0.25, 1.0, len(shown)), shown):
            middle, along = np.array([x[i], y[i]]), np.array([np.cos(heading[i]), np.sin(heading[i])])
            axes.plot(*np.transpose([middle - l * along, middle + l * along]), color=COLOURS[0], lw=2.5, alpha=shade)
            for end in (1, -1):
                axle, turned = middle + end * l * along, heading[i] + end * steer[i]
                wheel = 0.05 * np.array([np.cos(turned), np.sin(turned)])
                axes.plot(*np.transpose([axle - wheel, axle + wheel]), color="black", lw=2, alpha=shade)
        axes.set_aspect("equal", adjustable="datalim")
        axes.set(xlabel="x [m]", title=f"{gait}: rotor {rotor}, wheels {wheels} a period; {periods} periods")
    panels[0].set_ylabel("y [m]")
    picture = save_figure(figure, folder / "snakeboard_gaits.png", dpi=130)

laws = {
    "drive": ("x", lambda p, s: l * k * np.pi**2 * p * s),
    "rotate": ("theta", lambda p, s: 2 * np.pi * k * p**2 * s),
    "parallel": ("y", lambda p, s: 81 * np.pi / 8 * l * k**2 * p**3 * s**2),
}
print("gait      moves    first period  leading order  error  falls")
for gait, (name, law) in laws.items():
    ends = [ride(gait, {"psi": 0.8, "phi": swing}, 1, "end").final[name] for swing in (0.08, 0.04)]
    errors = [abs(end / law(swing, 0.8) - 1) for end, swing in zip(ends, (0.08, 0.04))]
    print(f"{gait:9} {name:7} {ends[1]:12.3e} {law(0.04, 0.8):14.3e} {errors[1]:8.2%} {errors[0] / errors[1]:5.2f} times")
    assert 3.5 < errors[0] / errors[1] < 4.5
print(f"wrote {picture}")
