"""A Segway that keeps its lane: linearised, stabilised and steered by two torques.

A body stands on two wheels that roll and do not slip. Three rolling conditions take away three of six velocities; upright, the
body falls at the rate √k with ``k (m l² + I − m² l²/M) = m g l``, where M is body, axle and wheels with ``2 J/r²``.

At rest no linear controller can move it sideways: the axle forbids it, and `nh.linearise` shows it, for the matrix of
controllability ``[B, A B, A² B, …]`` lacks a rank. About a steady drive it has full rank: who drives can steer. The
ignorable coordinates that move on (x and the angles of the wheels) have left the linear system by themselves.

Riccati's equation gives the gains. The controller looks every 10 ms and holds its torques between. It is moved by
the nonlinear equations; from a small start it follows the linear system with torques held, up to
squares of the start; from a large one it still comes home.

Run it: ``python examples/segway.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import expm, solve_continuous_are

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

segway = nh.System(
    name="Segway",
    coordinates="x y psi th a b",
    parameters={"m": 70.0, "mw": 12.0, "l": 0.9, "I": 9.0, "Iz": 2.3, "J": 0.12, "r": 0.24, "d": 0.31, "g": 9.81},
    lagrangian="""m/2*((xdot + l*(cos(th)*thdot*cos(psi) - sin(th)*sin(psi)*psidot))**2
        + (ydot + l*(cos(th)*thdot*sin(psi) + sin(th)*cos(psi)*psidot))**2 + l**2*sin(th)**2*thdot**2)
        + I/2*thdot**2 + Iz/2*psidot**2 + mw/2*(xdot**2 + ydot**2) + J/2*(adot**2 + bdot**2) - m*g*l*cos(th)""",
    constraints=[
        "-xdot*sin(psi) + ydot*cos(psi)",
        "xdot*cos(psi) + ydot*sin(psi) - r/2*(adot + bdot)",
        "psidot - r/(2*d)*(bdot - adot)",
    ],
    quasivelocities={"v": "xdot*cos(psi) + ydot*sin(psi)", "w": "psidot", "q": "thdot"},
    inputs="left right",
    forces={"a": "left", "b": "right", "th": "-left - right"},
)


def reachable(lin):
    """The rank of [B, A B, A² B, …], and how many directions there are."""
    blocks = [lin.B]
    for _ in lin.names[1:]:
        blocks.append(lin.A @ blocks[-1])
    return np.linalg.matrix_rank(np.hstack(blocks), tol=1e-9), len(lin.names)


resting = nh.linearise(segway, {"v": 0.0}, outputs=["x", "y", "psi"], leave_out="all")  # all that outputs do not need
driving = nh.linearise(segway, {"v": 1.5})
at_rest, moving = reachable(resting), reachable(driving)
print(f"at rest {at_rest[0]} of {at_rest[1]} directions can be reached; driving {moving[0]} of {moving[1]}: {driving.names}")
print(f"left out of the drive: {', '.join(driving.ignored)}; largest rate of the rest {driving.residual:.1e}")

# the falling rate against its closed form
m, mw, l, I, J, r, g = (segway.parameters[n] for n in ("m", "mw", "l", "I", "J", "r", "g"))
falling = np.sqrt(m * g * l / (m * l**2 + I - (m * l) ** 2 / (m + mw + 2 * J / r**2)))
gap = abs(driving.eigenvalues[0] - falling)

# Riccati's gains: lane, heading, tilt, speed, turning, rate of tilt
weights, effort = np.diag([4.0, 2.0, 20.0, 2.0, 0.5, 1.0]), 0.002 * np.eye(2)
riccati = solve_continuous_are(driving.A, driving.B, weights, effort)
K = np.linalg.solve(effort, driving.B.T @ riccati)
home = np.array([driving.state[n] for n in driving.names])


def torque(row):
    return nh.sampled(lambda t, state: -K[row] @ (np.array([state[n] for n in driving.names]) - home), every=0.01)


def drive(start, until=8.0):
    return nh.simulate(segway, {"v": 1.5, **start}, until, inputs={"left": torque(0), "right": torque(1)}, t_eval=401)


runs = [drive({"y": 1.0, "th": 0.15}), drive({"y": -0.7, "psi": 0.6}), drive({"y": 0.4, "psi": -0.5, "q": 0.4})]
arrived = max(abs(run.final[n] - h) for run in runs for n, h in zip(driving.names, home))

table = np.block([[driving.A, driving.B], [np.zeros((2, 8))]])
held = expm(table * 0.01)  # the linear system over one look of the controller, its torques held


def beside(size):
    """A motion from a small start, the linear system beside it, and how far apart they come."""
    run = drive({"y": size, "th": size}, 4.0)
    here = np.array([run[n] for n in driving.names]).T - home
    there = [here[0]]
    for _ in run.times[1:]:
        there.append((held[:6, :6] - held[:6, 6:] @ K) @ there[-1])
    return run, np.array(there), np.max(np.abs(here - there))


small, linear, apart = beside(1e-3)
closer = beside(1e-4)[2]

with journal():
    figure, (plane, tilts, modest) = plt.subplots(1, 3, figsize=(12, 3.8), constrained_layout=True)
    for colour, run in zip(COLOURS, runs):
        plane.plot(run["x"], run["y"], color=colour)
        tilts.plot(run.times, np.degrees(run["th"]), color=colour)
    plane.axhline(0, color="grey", lw=0.8)
    plane.set(xlabel="x [m]", ylabel="y [m]", title="back to the lane")
    tilts.set(xlabel="t [s]", ylabel="tilt [°]", title="without falling")
    for k, name in ((0, "y"), (2, "th")):
        modest.plot(small.times, small[name] * 1e3, color=COLOURS[k], label=f"{name}, sampled control")
        modest.plot(small.times[::12], linear[::12, k] * 1e3, "o", ms=3, color=COLOURS[k], label=f"{name}, linear system")
    modest.set(xlabel="t [s]", ylabel="y [mm], tilt [mrad]", title="a small start")
    modest.legend()
    picture = save_figure(figure, folder / "segway.png", dpi=130)

print(f"falls at {falling:.4f}/s, {gap:.1e} from the closed form")
print(f"largest departure from the lane after 8 s: {arrived:.1e}; small start against the linear system: {apart:.1e}, "
      f"a tenth of it {closer:.1e}")
print(f"wrote {picture}")
assert gap < 1e-9
assert at_rest[0] < at_rest[1] and moving[0] == moving[1]
assert arrived < 1e-3 and 80 < apart / closer < 125  # what is left out of the linear system is quadratic
