"""A robot that balances on a ball.

A body stands on a ball that rolls on the floor and, like rubber, does not pivot: three conditions on the
ball's angular velocity, in axes of the room, take away three of seven velocities. Two torques act between body and ball. The
ball's orientation is a rotation matrix, and no angle of it is ever needed.

Upright the body falls at the rate k, ``k² (I + m l² − m² l²/M) = m g l`` with ``M = m + mb + Jb/r²``, to every side alike.
`nh.linearise` leaves three of the nine numbers of the matrix, and nothing depends on them: they can be set aside. Riccati's
equation gives the gains; the controller looks every 10 ms and holds its torques between.

From a small start the motion follows the linear system with torques held, up to cubes of the start; from a large one it comes
home. The ball does not: it is back at its place and has been turned, by rolling round a loop alone.

Run it: ``python examples/ballbot.py [folder]``
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import expm, solve_continuous_are
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo.present.style.plot_style import COLOURS, journal, save_figure

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)

robot = nh.System(
    name="ball-balancing robot",
    frame=nh.spatial(nh.SO3("R", rates="w1 w2 w3")) * nh.Euclidean("x y a b"),
    parameters={"m": 52.0, "mb": 2.4, "l": 0.69, "I": 12.6, "I3": 0.9, "r": 0.106, "Jb": 0.017, "g": 9.81},
    lagrangian="""mb/2*(xdot**2 + ydot**2) + Jb/2*(s_w1**2 + s_w2**2 + s_w3**2)
        + m/2*((xdot + l*cos(a)*adot)**2 + (ydot + l*(sin(a)*sin(b)*adot - cos(a)*cos(b)*bdot))**2
               + l**2*(sin(a)*cos(b)*adot + cos(a)*sin(b)*bdot)**2)
        + I/2*(adot**2 + bdot**2*cos(a)**2) + I3/2*bdot**2*sin(a)**2 - m*g*l*cos(a)*cos(b)""",
    constraints=["xdot - r*s_w2", "ydot + r*s_w1", "s_w3"],
    inputs="east north",
    forces={"s_w1": "east", "s_w2": "north", "b": "-east", "a": "-north*cos(b)"},
)

lin = nh.linearise(robot, {})
own = [k for k, n in enumerate(lin.names) if not n.startswith("R")]
passive = np.max(np.abs(np.delete(lin.A, own, axis=1)))  # nothing depends on how the ball is turned
names, A, B = [lin.names[k] for k in own], lin.A[np.ix_(own, own)], lin.B[own]
m, mb, l, I, r, Jb, g = (robot.parameters[n] for n in ("m", "mb", "l", "I", "r", "Jb", "g"))
falling = np.sqrt(m * g * l / (I + m * l**2 - (m * l) ** 2 / (m + mb + Jb / r**2)))
gap = np.max(np.abs(np.sort(np.linalg.eigvals(A).real)[-2:] - falling))

blocks = [B]
for _ in names[1:]:
    blocks.append(A @ blocks[-1])
scale = [np.linalg.norm(block) for block in blocks]
rank = np.linalg.matrix_rank(np.hstack([block / size for block, size in zip(blocks, scale)]), tol=1e-9)

weight = {"x": 40.0, "y": 40.0, "s_w1": 0.1, "s_w2": 0.1}
weights = np.diag([weight.get(n, 1.0) for n in names])
effort = 0.05 * np.eye(2)
K = np.linalg.solve(effort, B.T @ solve_continuous_are(A, B, weights, effort))


def torque(row):
    return nh.sampled(lambda t, state: -K[row] @ np.array([state[n] for n in names]), every=0.01)


def balance(start, until=14.0):
    return nh.simulate(robot, start, until, inputs={"east": torque(0), "north": torque(1)}, t_eval=int(until * 100) + 1)


runs = [balance({"xdot": 0.8, "b": 0.1}), balance({"ydot": -0.7, "a": 0.1}), balance({"a": -0.1, "bdot": 0.4, "ydot": 0.5})]
arrived = max(abs(run.final[n]) for run in runs for n in names)
turned = [np.degrees(np.arccos(np.clip((run.final["R11"] + run.final["R22"] + run.final["R33"] - 1) / 2, -1, 1))) for run in runs]


def rolled(run):
    """How the ball is turned at the end, from its track alone: little turns about the axes across each step."""
    east, north = np.diff(run["x"]) / r, np.diff(run["y"]) / r
    turns = Rotation.from_rotvec(np.stack([-north, east, 0 * east], axis=1))
    whole = Rotation.identity()
    for turn in turns:
        whole = turn * whole
    return whole.as_matrix()


places = [(i, j) for i in range(3) for j in range(3)]
retold = max(abs(rolled(run)[i, j] - run.final[f"R{i + 1}{j + 1}"]) for run in runs for i, j in places)

size = len(names)
held = expm(np.block([[A, B], [np.zeros((2, size + 2))]]) * 0.01)  # one look of the controller, its torques held


def beside(start):
    """How far a motion and the linear system come apart."""
    run = balance(start, 5.0)
    here = np.array([run[n] for n in names]).T
    there = [here[0]]
    for _ in run.times[1:]:
        there.append((held[:size, :size] - held[:size, size:] @ K) @ there[-1])
    return np.max(np.abs(here - there))


apart, closer = (beside({"x": s, "a": s, "b": -0.7 * s}) for s in (2e-2, 2e-3))

with journal():
    figure, (floor, tilt, mark) = plt.subplots(1, 3, figsize=(12, 3.9), constrained_layout=True)
    for colour, run in zip(COLOURS, runs):
        floor.plot(run["x"], run["y"], color=colour)
        floor.plot(run["x"][0], run["y"][0], "o", ms=4, color=colour)
        lean = np.degrees(np.arccos(np.cos(run["a"]) * np.cos(run["b"])))
        tilt.plot(run.times, lean, color=colour)
        mark.plot(run["R13"], run["R23"], color=colour, lw=0.9)
        mark.plot(run["R13"][-1], run["R23"][-1], "s", ms=4, color=colour)
    floor.plot(0, 0, "+", color="black")
    floor.set(xlabel="x [m]", ylabel="y [m]", title="pushed, and home again", aspect="equal")
    tilt.set(xlabel="t [s]", ylabel="lean [°]", title="without falling", xlim=(0, 6))
    mark.add_patch(plt.Circle((0, 0), 1, fill=False, color="grey", lw=0.8))
    mark.set(title="the ball's mark, from above: not home", aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
    picture = save_figure(figure, folder / "ballbot.png", dpi=130)

print(f"falls at {falling:.4f}/s to every side, {gap:.1e} from the closed form; {rank} of {size} directions can be reached")
print(f"largest departure after 14 s: {arrived:.1e}; the ball comes back turned by {', '.join(f'{t:.1f}°' for t in turned)}")
print(f"its turn from the track alone: {retold:.1e} apart")
print(f"small start against the linear system: {apart:.1e}, a tenth of it {closer:.1e}")
print(f"wrote {picture}")
assert gap < 1e-9 and rank == size == 8 and passive == 0
assert arrived < 1e-6 and min(turned) > 10 and retold < 2e-3
assert 600 < apart / closer < 1400  # left and right are alike: what the linear system leaves out are cubes
