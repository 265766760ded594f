"""Which throws come out of the hoop? A sweep over spin and speed, as a map.

A basketball goes round its rim and begins to sink below it. Its spin Ω1 and its speed downwards are varied, every combination
is followed, and the deepest point is kept: `nh.sweep` writes chunk by chunk into a Zarr store, goes on where it was
interrupted, and takes the address of a cluster if one has one.

What one sees: a wedge of throws that come out, deeper and deeper towards its edge, and beyond it the ball falls through. The
edge is not in the sweep: it is the energy of the hill in the potential of the sinking [MacDonnell 1997 §11], computed
by SciPy from (11.1), and every throw of the map must lie on the right side of it. (The ball is taken to keep touching.)

Run it: ``python examples/basketball_map.py [folder]``
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.present.style.plot_style import journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

ball = nh.gallery.get("basketball")
plan = {
    "system": ball.system,
    "until": 0.9,
    "start": {"Omega2": ball.start["Omega2"]},
    "parameters": dict(ball.parameters),
    "grid": {"Omega1": {"from": -40.0, "to": 0.0, "count": 25}, "roll": {"from": -9.0, "to": -0.2, "count": 28}},
    "record": {"extrema": ["psi"], "drift": ["energy"]},
    "rtol": 1e-8,
    "atol": 1e-10,
}
with TemporaryDirectory() as place:
    throws = nh.sweep(plan, store=Path(place) / "throws.zarr").load()
shape = (25, 28)
spin, down = throws["Omega1"].values.reshape(shape), -throws["roll"].values.reshape(shape)
deepest = throws["least_psi"].values.reshape(shape)

# the edge: energy of the hill for each spin, from the two equations of (11.1)
m, J, r, g, u, v = (ball.parameters[n] for n in ("m", "J", "rho", "g", "u", "v"))
whole, angles = J + m * r**2, np.linspace(0, -1.4, 2001)


def slopes(psi, omega):
    a = u - v * np.cos(psi)
    return [u * omega[1], -(2 * v * np.sin(psi) * omega[1] + J / whole * omega[0]) / a]


def escape(one):
    """The largest speed downwards from which a ball with this spin comes back."""
    omega = solve_ivp(slopes, (0, -1.4), [one, ball.start["Omega2"]], t_eval=angles, rtol=1e-10, atol=1e-10).y
    rise = m * g * v * np.sin(angles) + (J * omega[0] ** 2 + whole * (u - v * np.cos(angles)) ** 2 * omega[1] ** 2) / 2
    return np.sqrt(max(0.0, 2 * (rise.max() - rise[0]) / whole))


edge = np.array([escape(one) for one in spin[:, 0]])
comes_out = deepest > -1.4
right = (comes_out == (down < edge[:, None]))[np.abs(down - edge[:, None]) > 0.02].mean()

with journal():
    figure, axes = plt.subplots(figsize=(5.2, 3.8))
    shown = np.ma.masked_where(~comes_out, np.degrees(deepest))
    axes.set_facecolor("#d9d9d9")
    colours = axes.pcolormesh(spin, down, shown, cmap="viridis", vmin=-30, shading="nearest")
    axes.plot(spin[:, 0], edge, color="black", lw=1.5, label="edge by MacDonnell's (11.1)")
    axes.text(-12, 5.5, "falls through", ha="center")
    axes.text(-30, 2.5, "comes out", ha="center")
    axes.set(xlabel="spin $\\Omega_1$ [rad/s]", ylabel="speed downwards at the rim [rad/s]")
    axes.legend(loc="upper right")
    figure.colorbar(colours, label="deepest point ψ [°]", extend="min")
    picture = save_figure(figure, folder / "basketball_map.png", dpi=150)

drift = float(throws["drift_energy"].max())
print(f"{comes_out.size} throws, {int(comes_out.sum())} come out; energy kept to {drift:.0e}")
print(f"{right:.1%} of them lie on the side of the edge where the hill puts them")
print(f"wrote {picture}")
assert right == 1
