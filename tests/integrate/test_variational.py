"""Methods by discrete variational principles, against the principles themselves, written down and solved by SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh
from nonholo import gallery

M, J, A = 1.3, 0.7, 0.4
SLEIGH = {"theta": 0.3, "x": 0.1, "y": -0.2, "omega": 1.1, "v": -0.6}


SKATE = nh.System(
    "skate on a turning floor", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "W": 0.8},
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - m*x**2/2",
    constraints=["ydot*cos(theta) - xdot*sin(theta) - W*(x*cos(theta) + y*sin(theta))"],
    start={"theta": 0.3, "x": 0.5, "y": 0.2, "thetadot": 0.9, "xdot": 0.4},
)  # fmt: skip
"""An affine constraint in plain coordinates."""


def solved(gap: Callable[[np.ndarray], np.ndarray], guess: np.ndarray) -> np.ndarray:
    found = root(gap, guess, tol=1e-14)
    assert np.max(np.abs(found.fun)) < 1e-12
    return found.x


def sleigh_run(method: str, steps: int, h: float, **options: float) -> np.ndarray:
    run = nh.simulate(
        gallery.get("chaplygin-sleigh").system, SLEIGH, steps * h, {"m": M, "J": J, "a": A}, method=method, step=h,
        t_eval="steps", progress=False, **options,
    )  # fmt: skip
    return np.stack([run[n] for n in ("theta", "x", "y", "omega", "v")], axis=1)


def test_discrete_hamel_equations_of_the_sleigh() -> None:
    """(5.11) as printed, two-step, in the frame (ω, v, across) of SE(2): ξ_{k,k+1} from ξ_{k-1,k}, and the kinematics."""
    h, tau, steps = 0.07, 0.37, 12

    def momentum(xi):
        omega, v = xi
        return np.array([(J + M * A**2) * omega, M * v])

    def force(xi):
        """``[ξ, μ]*`` on D with μ = (…, m v, m a ω), all three before the constraint."""
        omega, v = xi
        return np.array([-M * A * omega * v, M * A * omega**2])

    start = np.array([SLEIGH["omega"], SLEIGH["v"]])
    xi = solved(lambda z: momentum(z) - (1 - tau) * h * force(z) - momentum(start), start)
    place = np.array([SLEIGH["theta"], SLEIGH["x"], SLEIGH["y"]])
    places, speeds = [place], [xi]
    for _ in range(steps):
        omega, v = speeds[-1]
        middle = places[-1][0] + tau * h * omega
        places.append(places[-1] + h * np.array([omega, v * np.cos(middle), v * np.sin(middle)]))
        old = speeds[-1]

        def gap(new, old=old):
            both = tau * force(old) + (1 - tau) * force(new)
            return (momentum(old) - momentum(new)) / h + both

        speeds.append(solved(gap, old))
    found = sleigh_run("hamel", steps, h, tau=tau)
    assert found[:, :3] == pytest.approx(np.array(places), abs=1e-12)


def sleigh_slopes(q: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """∂L/∂q and ∂L/∂q̇ in θ, x, y, by hand."""
    (turn, vx, vy), s, c = rates, np.sin(q[0]), np.cos(q[0])
    ux, uy = vx - A * turn * s, vy + A * turn * c
    by_place = np.array([M * (-ux * A * turn * c - uy * A * turn * s), 0.0, 0.0])
    return by_place, np.array([J * turn + M * A * (uy * c - ux * s), M * ux, M * uy])


def across(q: np.ndarray) -> np.ndarray:
    return np.array([0.0, -np.sin(q[0]), np.cos(q[0])])


def sleigh_step(q: np.ndarray, momentum: np.ndarray, h: float, rule: tuple) -> tuple[np.ndarray, np.ndarray]:
    """D₁L_d(q, q') + momentum = λ A(q), with ``L_d = h Σ w L(q_τ, (q' − q)/h)`` and the constraint by the same rule (w, τ)."""

    def ends(new):
        rates, start, end, slip = (new - q) / h, np.zeros(3), np.zeros(3), 0.0
        for weight, tau in rule:
            place = (1 - tau) * q + tau * new
            by_place, by_rate = sleigh_slopes(place, rates)
            start += weight * (by_rate - (1 - tau) * h * by_place)
            end += weight * (by_rate + tau * h * by_place)
            slip += weight * across(place) @ rates
        return start, end, slip

    def gap(unknown):
        start, _, slip = ends(unknown[:3])
        return np.append(momentum - start + unknown[3] * across(q), slip)

    new = solved(gap, np.append(q + h * np.array([SLEIGH["omega"], 0.0, 0.0]), 0.0))[:3]
    return new, ends(new)[1]


@pytest.mark.parametrize(
    ("method", "rules"),
    [
        ("dlagrange_dalembert", (((1.0, 0.37),),)),
        ("verlet", (((1.0, 0.0),), ((1.0, 1.0),))),
        ("rattle", (((0.5, 0.0), (0.5, 1.0)),)),
    ],
)
def test_discrete_lagrange_dalembert_principles_of_the_sleigh(method: str, rules: tuple) -> None:
    """With a multiplier, solved by SciPy: Cortés and Martínez at one place; both ends in turn; both ends at once."""
    h, steps = 0.07, 12
    q = np.array([SLEIGH["theta"], SLEIGH["x"], SLEIGH["y"]])
    theta, omega, v = (SLEIGH[n] for n in ("theta", "omega", "v"))
    momentum = sleigh_slopes(q, np.array([omega, v * np.cos(theta), v * np.sin(theta)]))[1]
    places = [q]
    for _ in range(steps):
        for rule in rules:
            q, momentum = sleigh_step(q, momentum, h / len(rules), rule)
        places.append(q)
    options = {"tau": 0.37} if method == "dlagrange_dalembert" else {}
    found = sleigh_run(method, steps, h, **options)
    assert found[:, :3] == pytest.approx(np.array(places), abs=1e-11)
    assert np.max(np.abs(found[:, :3] - sleigh_run("hamel", steps, h)[:, :3])) > 1e-4


def test_both_are_the_midpoint_variational_integrator_without_constraints() -> None:
    """A bead of mass m on a surface of revolution with a spring: discrete Euler–Lagrange equations (5.1), solved by SciPy."""
    system = nh.System(
        "bead", coordinates="r phi", parameters={"m": 1.7, "k": 2.3},
        lagrangian="m/2*((1 + r**2)*rdot**2 + r**2*phidot**2) - k*r**4/4",
    )  # fmt: skip
    h, steps, m, k = 0.11, 10, 1.7, 2.3

    def discrete(q, new):
        r, (rate, turn) = (q[0] + new[0]) / 2, (new - q) / h
        return h * (m / 2 * ((1 + r**2) * rate**2 + r**2 * turn**2) - k * r**4 / 4)

    def slope(function: Callable, at: np.ndarray) -> np.ndarray:
        """By complex steps."""
        return np.array([function(at + 1e-30j * e).imag / 1e-30 for e in np.eye(2)])

    q, rates = np.array([0.8, 0.1]), np.array([0.4, 1.2])
    momentum = m * np.array([(1 + q[0] ** 2) * rates[0], q[0] ** 2 * rates[1]])
    places, turning = [q], []
    for _ in range(steps):
        q = places[-1]
        new = solved(lambda n: momentum + slope(lambda a: discrete(a, n + 0j), q), q + h * rates)  # noqa: B023
        momentum = slope(lambda b: discrete(q + 0j, b), new)  # noqa: B023
        places.append(new)
        turning.append(momentum[1])
    start = {"r": 0.8, "phi": 0.1, "rdot": 0.4, "phidot": 1.2}
    for method in ("hamel", "dlagrange_dalembert"):
        run = nh.simulate(system, start, h * steps, method=method, step=h, t_eval="steps", progress=False)
        assert np.stack([run["r"], run["phi"]], axis=1) == pytest.approx(np.array(places), abs=1e-12)
        kept = m * run["r"] ** 2 * run["phidot"]
        assert np.max(np.abs(kept - kept[0])) < 1e-14 * abs(kept[0]) * steps  # discrete Noether theorem
    assert np.ptp(turning) < 1e-11


def test_verlet_is_kick_drift_kick() -> None:
    """Hénon and Heiles with two masses, by hand."""
    system = nh.System(
        "swing", coordinates="x y", lagrangian="(1.3*xdot**2 + 0.6*ydot**2)/2 - (x**2 + y**2)/2 - x**2*y + y**3/3"
    )
    h, mass = 0.08, np.array([1.3, 0.6])

    def push(q):
        x, y = q
        return np.array([-x - 2 * x * y, -y - x**2 + y**2])

    q, v = np.array([0.1, 0.2]), np.array([0.3, -0.1])
    for _ in range(25):
        half = v + h / 2 * push(q) / mass
        q = q + h * half
        v = half + h / 2 * push(q) / mass
    start = {"x": 0.1, "y": 0.2, "xdot": 0.3, "ydot": -0.1}
    final = nh.simulate(system, start, 25 * h, method="verlet", step=h, progress=False).final
    assert [final[n] for n in ("x", "y", "xdot", "ydot")] == pytest.approx([*q, *v], abs=1e-13)


ROD = nh.System(
    "a ball on a rod on a cart", coordinates="s x y", parameters={"M": 1.9, "m": 0.7, "l": 1.2, "k": 1.5, "g": 9.81},
    lagrangian="M/2*sdot**2 + m/2*(xdot**2 + ydot**2) - m*g*y - k*s**2/2", holonomic=["(x - s)**2 + y**2 - l**2"],
    start={"s": 0.1, "x": 0.1 + 1.2 * 0.6, "y": -1.2 * 0.8, "sdot": 0.3},
)  # fmt: skip


def test_rattle_of_a_pendulum_on_a_cart() -> None:
    """p½ = p + h/2 (f(q) − Gᵀλ), q' = q + h M⁻¹p½ with g(q') = 0, p' = p½ + h/2 (f(q') − G'ᵀμ) with G' M⁻¹p' = 0."""
    h, steps, mass = 0.06, 15, np.array([1.9, 0.7, 0.7])

    def push(q):
        return np.array([-1.5 * q[0], 0.0, -0.7 * 9.81])

    def slope(q):
        return np.array([-2 * (q[1] - q[0]), 2 * (q[1] - q[0]), 2 * q[2]])

    begun = nh.complete_state(ROD, dict(ROD.start))
    q, v = (np.array([begun[n + end] for n in "sxy"]) for end in ("", "dot"))
    for _ in range(steps):
        p = mass * v

        def after(force, q=q, p=p):
            return q + h * (p + h / 2 * (push(q) - force[0] * slope(q))) / mass

        force = solved(lambda f: np.array([(after(f)[1] - after(f)[0]) ** 2 + after(f)[2] ** 2 - 1.44]), np.zeros(1))
        half, q = p + h / 2 * (push(q) - force[0] * slope(q)), after(force)
        free = (half + h / 2 * push(q)) / mass
        v = free - slope(q) / mass * (slope(q) @ free) / (slope(q) @ (slope(q) / mass))
    final = nh.simulate(ROD, until=steps * h, method="rattle", step=h, progress=False).final
    assert [final[n] for n in ("s", "x", "y", "sdot", "xdot", "ydot")] == pytest.approx([*q, *v], abs=1e-11)


def test_rattle_keeps_energy_and_length_for_long() -> None:
    run = nh.simulate(ROD, until=200.0, method="rattle", step=0.02, t_eval="steps", progress=False)
    gap = np.abs(run["energy"] - run["energy"][0])
    assert gap[5000:].max() < 1.1 * gap[:5000].max()
    assert np.max(np.abs((run["x"] - run["s"]) ** 2 + run["y"] ** 2 - 1.44)) < 1e-13


def test_a_free_body_turns_by_cayleys_map() -> None:
    """The Euler top: I (w' - w)/h by (5.6) with R' = R cay(h ŵ/2), by matrices."""
    inertia, h, steps = np.array([1.1, 2.3, 0.6]), 0.05, 40
    exhibit = gallery.get("euler-top")
    names = ("w1", "w2", "w3")
    start = {**dict(exhibit.start), "w1": 0.7, "w2": -1.1, "w3": 0.5}
    run = nh.simulate(
        exhibit.system, start, steps * h, {f"I{k + 1}": v for k, v in enumerate(inertia)}, method="hamel", step=h,
        t_eval="steps", progress=False,
    )  # fmt: skip

    def hat(w):
        return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])

    turn = np.array([[run[f"R{i}{j}"][0] for j in (1, 2, 3)] for i in (1, 2, 3)])
    node = inertia * np.array([run[n][0] for n in names])
    for _ in range(steps):
        xi = solved(lambda z: inertia * z - h / 2 * np.cross(inertia * z, z) - node, node / inertia)  # noqa: B023
        half = h / 2 * hat(xi)
        turn = turn @ np.linalg.solve((np.eye(3) - half).T, (np.eye(3) + half).T).T
        node = node + h * np.cross(inertia * xi, xi)
    last = np.array([[run[f"R{i}{j}"][-1] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert last == pytest.approx(turn, abs=1e-11)
    assert inertia * np.array([run[n][-1] for n in names]) == pytest.approx(node, abs=1e-11)


@pytest.mark.parametrize(
    ("name", "method", "until"),
    [("rolling-disk", "hamel", 0.4), ("rattleback", "hamel", 0.1), ("skate", "hamel", 1.0),
     ("skate", "dlagrange_dalembert", 1.0), ("snakeboard", "dlagrange_dalembert", 1.0), ("roller-racer", "hamel", 0.5),
     ("skate", "verlet", 1.0), ("chaplygin-sleigh", "verlet", 1.0), ("skate", "rattle", 1.0), ("snakeboard", "rattle", 0.5)],
)  # fmt: skip
def test_order_is_two_in_the_middle_and_one_elsewhere(name: str, method: str, until: float) -> None:
    """Rolling, affine constraints, feedback: errors against dop853 fall by four when the step is halved."""
    system, given = SKATE, {"until": until}
    if name != "skate":
        exhibit = gallery.get(name)
        system = exhibit.system
        given |= {"start": exhibit.start, "parameters": exhibit.parameters, "inputs": exhibit.inputs or None}
    exact = nh.simulate(system, **given, rtol=1e-12, atol=1e-13, t_eval="end", progress=False).final

    def error(parts: int, tau: float) -> float:
        run = nh.simulate(
            system,
            **given,
            method=method,
            step=until / parts,
            **({} if method in ("verlet", "rattle") else {"tau": tau}),
            t_eval="end",
            progress=False,
        )
        return max(abs(run.final[n] - exact[n]) for n in exact)

    assert np.log2(error(80, 0.5) / error(160, 0.5)) == pytest.approx(2, abs=0.1)
    if method in ("verlet", "rattle"):
        return
    assert np.log2(error(160, 0.3) / error(320, 0.3)) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("name", "step", "until"), [("rolling-disk", 0.01, 80.0), ("sleigh-oscillator", 0.05, 400.0)])
def test_energy_does_not_drift_where_the_motion_can_be_reversed(name: str, step: float, until: float) -> None:
    """The error of the energy swings and does not grow; that of rk4 grows with time."""
    exhibit = gallery.get(name)
    growth = {}
    for method in ("hamel", "rk4"):
        run = nh.simulate(
            exhibit.system,
            exhibit.start,
            until,
            exhibit.parameters,
            method=method,
            step=step,
            t_eval=4000,
            progress=False,
        )
        gap = np.abs(run["energy"] - run["energy"][0])
        growth[method] = gap[2000:].max() / gap[:2000].max()
    assert growth["hamel"] < 1.02
    assert growth["rk4"] > 1.6


def test_straight_runs_of_the_sleigh_stay_and_attract() -> None:
    """Relative equilibria ω = 0 with their stability [Zenkov 2016, Theorem 5.3]: v > 0 attracts, v < 0 repels."""
    system, values = gallery.get("chaplygin-sleigh").system, {"m": M, "J": J, "a": A}
    options = {"parameters": values, "method": "hamel", "step": 0.1, "progress": False}
    still = nh.simulate(system, {"theta": 0.4, "v": 0.9}, 20.0, **options)
    assert still.final["omega"] == 0.0 and still.final["v"] == pytest.approx(0.9, rel=1e-15)
    turned = nh.simulate(system, {"omega": 1e-3, "v": -0.9}, 60.0, **options)
    assert turned.final["v"] == pytest.approx(0.9, rel=1e-3) and abs(turned.final["omega"]) < 1e-6


def test_forwards_and_backwards_is_where_it_began() -> None:
    exhibit = gallery.get("rolling-disk")
    options = {"parameters": exhibit.parameters, "method": "hamel", "step": 0.01, "t_eval": "end", "progress": False}
    there = nh.simulate(exhibit.system, exhibit.start, 1.0, **options)
    names = (*exhibit.system.coordinates, *exhibit.system.velocities)
    back = nh.simulate(exhibit.system, {"t": 1.0, **{n: there.final[n] for n in names}}, 0.0, **options)
    begun = nh.complete_state(exhibit.system, exhibit.start, exhibit.parameters)
    assert max(abs(back.final[n] - begun[n]) for n in names) < 1e-9


def test_they_work_wherever_other_methods_do() -> None:
    """Ensembles, events, times between steps, inputs that are functions: against dop853."""
    exhibit = gallery.get("unicycle")
    inputs = {"drive": lambda t: 0.3 * np.cos(t), "steer": 0.2}
    many = nh.ensemble(
        exhibit.system, {"v": [0.5, 0.9], "omega": 0.1}, 2.0, exhibit.parameters, inputs=inputs, method="hamel",
        step=0.005, t_eval=7, events=["x - 0.5"],
    )  # fmt: skip
    one = nh.simulate(
        exhibit.system, {"v": 0.9, "omega": 0.1}, 2.0, exhibit.parameters, inputs=inputs, t_eval=7, events=["x - 0.5"],
        progress=False,
    )  # fmt: skip
    assert many["y"].values[1] == pytest.approx(one["y"], abs=1e-5)
    assert many["event_0"].values[1, 0] == pytest.approx(one.events["x - 0.5"][0], abs=1e-5)


def test_what_they_cannot_do_is_said() -> None:
    disk, cone = gallery.get("rolling-disk"), gallery.get("steered-point")
    with pytest.raises(nh.ModelError, match="needs plain coordinates"):
        nh.simulate(disk.system, disk.start, 1.0, disk.parameters, method="dlagrange_dalembert", step=0.01)
    with pytest.raises(nh.ModelError, match="linear"):
        nh.simulate(cone.system, cone.start, 1.0, cone.parameters, method="hamel", kinematics="averaged", step=0.01)
    with pytest.raises(nh.StateError, match="tau = 2"):
        nh.simulate(disk.system, disk.start, 1.0, disk.parameters, method="hamel", step=0.01, tau=2)
    with pytest.raises(nh.StateError, match="leave out form"):
        nh.simulate(disk.system, disk.start, 1.0, disk.parameters, method="hamel", step=0.01, form="multipliers")
    with pytest.raises(nh.StateError, match="give it a System"):
        equations = nh.hamel(gallery.get("euler-top").system)
        start = dict.fromkeys(equations.state, 0.1)
        nh.simulate(equations, start, 1.0, {"I1": 1, "I2": 2, "I3": 3}, method="hamel", step=0.1)
    with pytest.raises(nh.ModelError, match="rattle is for constraints that are linear"):
        nh.simulate(cone.system, cone.start, 1.0, cone.parameters, method="rattle", step=0.01)
    with pytest.raises(nh.ModelError, match="rattle joins"):
        nh.simulate(disk.system, disk.start, 1.0, disk.parameters, method="rattle", step=0.01)
