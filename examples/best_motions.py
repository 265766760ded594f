"""The best of all motions: a car parks with its trailer, a snakeboard goes one metre with the least effort.

Both are found by direct collocation: time is cut into intervals, the inputs are held in each, the state is a
polynomial that obeys the equations at Radau's points (of order 2d − 1 with d points), and IPOPT moves all of it at once towards
the least effort. The equations are those of `nh.export(system, "casadi")`, so that CasADi differentiates them twice, exactly.

What a solver says is believed when another road leads there: the inputs found are given to `nh.simulate`, whose steps
know nothing of the polynomials, and it must arrive where the optimum does, to 1e-6.

A car with a trailer has no input that moves it sideways; the brackets of its two inputs do, so it parks by going to and fro.
A snakeboard has no motor at its wheels at all: torques turn its rotor and its wheels against the board, and rolling makes a
way of it.

Run it: ``python examples/best_motions.py [folder]`` (needs ``pip install nonholo[casadi]``)
"""

import sys
import time
from pathlib import Path

import casadi as ca
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)
POINTS = 5

car = nh.System(
    name="car with a trailer",
    coordinates="x y th ph al",
    parameters={"m": 900.0, "J": 1100.0, "I": 3.0, "mt": 300.0, "Jt": 250.0, "L": 2.4, "d": 2.1},
    lagrangian="""m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*(thdot + phdot)**2 + Jt/2*aldot**2
        + mt/2*((xdot + d*aldot*sin(al))**2 + (ydot - d*aldot*cos(al))**2)""",
    constraints=[
        "-xdot*sin(th) + ydot*cos(th)",
        "L*thdot*cos(ph) - (xdot*cos(th) + ydot*sin(th))*sin(ph)",
        "-xdot*sin(al) + ydot*cos(al) - d*aldot",
    ],
    quasivelocities={"v": "xdot*cos(th) + ydot*sin(th)", "w": "phdot"},
    inputs="pull turn",
    forces={"x": "1000*pull*cos(th)", "y": "1000*pull*sin(th)", "ph": "turn"},
)
board = nh.System(
    name="snakeboard",
    coordinates="x y th ps ph",
    parameters={"m": 6.0, "l": 0.2, "J": 0.06, "Jr": 0.17, "Jw": 0.016},
    lagrangian="""m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + Jr/2*(thdot + psdot)**2
        + Jw/2*((thdot + phdot)**2 + (thdot - phdot)**2)""",
    constraints=[
        "-xdot*sin(th + ph) + ydot*cos(th + ph) + l*thdot*cos(ph)",
        "-xdot*sin(th - ph) + ydot*cos(th - ph) - l*thdot*cos(ph)",
    ],
    quasivelocities={"v": "xdot*cos(th) + ydot*sin(th)", "spin": "psdot", "steer": "phdot"},
    inputs="rotor wheels",
    forces={"ps": "rotor", "ph": "wheels"},
)


def best(system, until, count, begin, end, bounds, effort, guess):
    """The inputs of least effort from one state to another: times of the intervals, states at them, inputs in each."""
    model = nh.prepare(system)
    names = model.names
    flow = nh.export(system, "casadi")
    fixed = [system.parameters[n] for n in map(str, model.kernel.parameters)]
    rates, ends, _ = ca.collocation_coeff(ca.collocation_points(POINTS, "radau"))
    step = until / count
    task = ca.Opti()
    inputs = task.variable(len(system.inputs), count)
    nodes = task.variable(len(names), count + 1)
    for k in range(count):
        inner = task.variable(len(names), POINTS)
        start = nodes[:, k]
        every = ca.horzcat(start, inner)
        for j in range(POINTS):
            slope = flow(0, inner[:, j], inputs[:, k], fixed)
            task.subject_to(every @ rates[:, j] == step * slope)
        task.subject_to(nodes[:, k + 1] == every @ ends)
        for (first, *rest_of), most in bounds.items():
            row = inner[names.index(first), :] - sum(inner[names.index(n), :] for n in rest_of)
            task.subject_to(task.bounded(-most, row, most))
        task.set_initial(inner, np.outer(guess((k + 0.5) / count), np.ones(POINTS)))
        task.set_initial(nodes[:, k], guess(k / count))
    task.set_initial(nodes[:, count], guess(1.0))
    for place, wanted in ((0, begin), (count, end)):
        for name, value in wanted.items():
            task.subject_to(nodes[names.index(name), place] == value)
    task.minimize(step * sum(weight * ca.sumsqr(inputs[i, :]) for i, weight in enumerate(effort)))
    task.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "tol": 1e-10, "max_iter": 800})
    began = time.process_time()
    found = task.solve()
    took = time.process_time() - began
    times, states, held = np.linspace(0, until, count + 1), np.array(found.value(nodes)), np.array(found.value(inputs))
    return names, times, states, held, float(found.value(task.f)), took


def again(system, names, times, states, inputs):
    """The same inputs in nonholo, held in each interval; how far the motion is from the optimum's states."""
    jumps = np.repeat(times, 2)[1:-1]
    tables = {n: (jumps, np.repeat(row, 2)) for n, row in zip(system.inputs, inputs)}
    run = nh.simulate(system, dict(zip(names, states[:, 0])), times[-1], inputs=tables, t_eval=times, rtol=1e-12, atol=1e-13)
    apart = max(np.max(np.abs(run[n] - states[k])) for k, n in enumerate(names))
    fine = nh.simulate(system, dict(zip(names, states[:, 0])), times[-1], inputs=tables, t_eval=401, rtol=1e-12, atol=1e-13)
    return fine, apart


def between(names, **way):
    """A first guess: some coordinates on their way, the rest at zero."""
    return lambda s: [way[n](s) if n in way else 0.0 for n in names]


rest = dict.fromkeys(("x", "y", "th", "ph", "al", "v", "w"), 0.0)
names = nh.prepare(car).names
parked = best(
    car, 16.0, 40, rest, {**rest, "y": 2.0}, {("ph",): 0.6, ("th", "al"): 0.8}, (1.0, 0.002),
    between(names, x=lambda s: 4 * np.sin(2 * np.pi * s), y=lambda s: 2 * s, v=lambda s: 1.5 * np.cos(2 * np.pi * s)),
)  # fmt: skip
park, park_apart = again(car, *parked[:4])

names = nh.prepare(board).names
still = dict.fromkeys(("x", "y", "th", "ps", "ph", "v", "spin", "steer"), 0.0)
gait = best(
    board, 4.0, 40, still, {**still, "x": 1.0}, {("ph",): 1.2}, (1.0, 1.0),
    between(names, x=lambda s: s, v=lambda s: 0.25, ps=lambda s: np.sin(2 * np.pi * s), ph=lambda s: 0.5 * np.sin(2 * np.pi * s)),
)  # fmt: skip
move, move_apart = again(board, *gait[:4])

with journal():
    figure, ((ground, steer), (way, shape)) = plt.subplots(2, 2, figsize=(11, 7), constrained_layout=True)
    ground.plot(park["x"], park["y"], color=COLOURS[0], lw=1)
    d, L = car.parameters["d"], car.parameters["L"]
    for k in range(0, 401, 25):
        x, y, th, al = (park[n][k] for n in ("x", "y", "th", "al"))
        ground.plot([x, x + L * np.cos(th)], [y, y + L * np.sin(th)], color=COLOURS[1], lw=2, alpha=0.2 + 0.8 * k / 400)
        ground.plot([x, x - d * np.cos(al)], [y, y - d * np.sin(al)], color=COLOURS[2], lw=2, alpha=0.2 + 0.8 * k / 400)
    ground.set(xlabel="x [m]", ylabel="y [m]", title="two metres sideways, car and trailer", aspect="equal")
    steer.plot(park.times, np.degrees(park["ph"]), color=COLOURS[0], label="steering [°]")
    steer.plot(park.times, np.degrees(park["th"] - park["al"]), color=COLOURS[2], label="hitch [°]")
    steer.plot(park.times, 10 * park["v"], color=COLOURS[3], label="speed [dm/s]")
    steer.set(xlabel="t [s]", title="how it is done")
    steer.legend()
    way.plot(move["x"], move["y"], color=COLOURS[0])
    for k in range(0, 401, 40):
        x, y, th = (move[n][k] for n in ("x", "y", "th"))
        way.plot(*([c - 0.1 * f, c + 0.1 * f] for c, f in ((x, np.cos(th)), (y, np.sin(th)))), color=COLOURS[1], lw=2)
    way.set(xlabel="x [m]", ylabel="y [m]", title="the snakeboard's metre", aspect="equal")
    shape.plot(move["ps"], move["ph"], color=COLOURS[4])
    shape.set(xlabel="rotor [rad]", ylabel="wheels [rad]", title="its gait")
    picture = save_figure(figure, folder / "best_motions.png", dpi=130)

print(f"parked in {parked[5]:.1f} s of computing, effort {parked[4]:.4f}; simulated again: {park_apart:.1e} apart")
print(f"one metre in {gait[5]:.1f} s of computing, effort {gait[4]:.4f}; simulated again: {move_apart:.1e} apart")
print(f"wrote {picture}")
assert park_apart < 1e-6 and move_apart < 1e-6
assert abs(park.final["y"] - 2.0) < 1e-6 and abs(move.final["x"] - 1.0) < 1e-6
assert max(abs(park["ph"])) < 0.605 and abs(park.final["th"]) < 1e-6 and abs(park.final["v"]) < 1e-6
