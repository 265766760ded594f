"""A pendulum on a cart swings up under predictive control, with limits on the force and on the track.

Every 50 ms the controller plans the next 1.5 s: it chooses thirty forces, predicts the motion with one Runge–Kutta step
for each, and applies the first force alone. The step is a CasADi Function made by ``nh.export(s, "casadi", discrete="rk4")``,
so that the optimiser (IPOPT) has exact derivatives of the same equations that move the true system.

The limits are kept, and the plan is no fairy tale: the predicted state one step ahead is compared with the true one. How long
a decision takes is printed, not promised.

Run it: ``python examples/predictive_control.py [folder]``
"""

import sys
from pathlib import Path
from time import process_time

import casadi as ca
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

cart = nh.System(
    name="cart with pendulum",
    coordinates="x th",
    parameters={"M": 1.0, "m": 0.3, "l": 0.6, "g": 9.81},
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*g*l*cos(th)",
    forces={"x": "u"},
    inputs="u",
)
EVERY, STEPS, FORCE, TRACK = 0.05, 30, 12.0, 1.2
step = nh.export(cart, "casadi", discrete="rk4", order=1)
numbers = list(cart.parameters.values())

x, u = ca.SX.sym("x", 4, STEPS + 1), ca.SX.sym("u", STEPS)
first = ca.SX.sym("first", 4)
cost, gaps = 0, [x[:, 0] - first]
for k in range(STEPS):
    gaps.append(x[:, k + 1] - step(0, x[:, k], u[k], numbers, EVERY))
    cost += 12 * (1 - ca.cos(x[1, k])) + x[0, k] ** 2 + 0.1 * x[2, k] ** 2 + 0.1 * x[3, k] ** 2 + 0.003 * u[k] ** 2
cost += 200 * (1 - ca.cos(x[1, STEPS])) + 10 * x[0, STEPS] ** 2 + 5 * x[2, STEPS] ** 2 + 5 * x[3, STEPS] ** 2
quiet = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": 60, "tol": 1e-5}}
problem = {"x": ca.vertcat(ca.vec(x), u), "f": cost, "g": ca.vertcat(*gaps), "p": first}
solver = ca.nlpsol("plan", "ipopt", problem, quiet)
bound = np.concatenate([np.tile([TRACK, np.inf, np.inf, np.inf], STEPS + 1), np.full(STEPS, FORCE)])

memory = {"guess": np.zeros(4 * (STEPS + 1) + STEPS)}
took: list[float] = []
solved: list[bool] = []
foreseen: list[np.ndarray] = []
seen: list[np.ndarray] = []
NAMES = nh.prepare(cart).names


def decide(t: float, state: dict[str, float]) -> dict[str, float]:
    """Plan from here, remember the plan one step on, and give its first force."""
    here = np.array([state[n] for n in NAMES])
    began = process_time()
    low, high = -bound.copy(), bound.copy()
    low[0], high[0] = here[0] - 1e-6, here[0] + 1e-6
    plan = np.array(solver(x0=memory["guess"], p=here, lbx=low, ubx=high, lbg=0, ubg=0)["x"]).ravel()
    took.append(process_time() - began)
    solved.append(bool(solver.stats()["success"]))
    states, forces = plan[: -STEPS].reshape(STEPS + 1, 4), plan[-STEPS:]
    seen.append(here)
    foreseen.append(states[1])
    memory["guess"] = np.concatenate([states[1:].ravel(), states[-1], forces[1:], forces[-1:]])
    return {"u": float(forces[0])}


run = nh.simulate(cart, {"th": np.pi}, 4.0, inputs=nh.controller(decide, every=EVERY, limits=(-FORCE, FORCE)))
upright = abs(np.sin(run.final["th"])) + abs(run.final["thdot"])
gap = max(float(np.max(np.abs(a - b))) for a, b, good in zip(foreseen, seen[1:], solved) if good)
farthest, strongest = (float(np.max(np.abs(run[n]))) for n in ("x", "u"))
print(f"upright to {upright:.1e}; track used {farthest:.2f} m of {TRACK} m, force {strongest:.1f} N of {FORCE} N")
print(f"{sum(solved)} of {len(solved)} plans converged within 60 iterations")
print(f"a plan's next state is the true one to {gap:.1e}; a decision took {1e3 * np.median(took):.0f} ms (median)")
assert np.cos(run.final["th"]) > 0.999
assert upright < 0.05
assert sum(solved) > 0.9 * len(solved)
assert farthest < TRACK + 1e-3
assert gap < 2e-3  # one Runge–Kutta step of 50 ms

with journal():
    figure, panels = plt.subplots(1, 2, figsize=(7.0, 2.6))
    panels[0].plot(run.times, run["th"] / np.pi, color=COLOURS[0], label="angle / π")
    panels[0].plot(run.times, run["x"], color=COLOURS[1], label="cart, m")
    panels[1].step(run.times, run["u"], color=COLOURS[2], where="post", label="force, N")
    for panel in panels:
        panel.set_xlabel("time, s")
        panel.legend(frameon=False)
    picture = save_figure(figure, folder / "predictive_control.png", dpi=130)
print(f"wrote {picture}")
