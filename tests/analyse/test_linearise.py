"""Linear systems against closed forms, published numbers, other coordinates and differences of the nonlinear motion."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh

PLAIN = Path(__file__).parents[1] / "plain"
BICYCLE = Path(__file__).parents[1] / "program" / "whipple-bicycle.toml"


def close_sets(found: Any, wanted: Any, within: float) -> bool:
    """Whether two sets of complex numbers agree, each number used once."""
    rest = list(np.asarray(found, dtype=complex))
    for one in np.asarray(wanted, dtype=complex):
        best = min(range(len(rest)), key=lambda k: abs(rest[k] - one))
        if abs(rest.pop(best) - one) > within:
            return False
    return not rest


# -- the benchmark bicycle: Meijaard, Papadopoulos, Ruina, Schwab 2007, Proc. R. Soc. A 463 -------------------------------

MASS = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
GRAVITY_STIFFNESS = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
SPEED_STIFFNESS = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
DAMPING = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
SPEEDS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5, 10.0)
TABLE_2 = {
    0.0: [3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393],
    5.0: [-0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j, -14.07838969279822, -0.32286642900409],
}


def canonical(v: float) -> np.ndarray:
    """Eigenvalues of ``M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0`` with the published matrices, eq. (5.3) and Appendix."""
    stiffness, damping = 9.81 * GRAVITY_STIFFNESS + v**2 * SPEED_STIFFNESS, v * DAMPING
    lower = -np.linalg.solve(MASS, np.hstack([stiffness, damping]))
    return np.linalg.eigvals(np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), lower]))


def riding(v: float, **more: float) -> dict[str, float]:
    """A start; all three speeds are given, for what is left open is completed with xdot = 0 before phidot = 0."""
    return {"ur": -v / 0.3, "up": 0.0, "ud": 0.0, **more}


def test_the_bicycle_from_text_has_the_published_eigenvalues() -> None:
    bicycle = nh.load(BICYCLE)
    lin = nh.linearise(bicycle, [riding(v) for v in SPEEDS], leave_out="all")
    assert lin.names == ("phi", "delta", "up", "ud", "ur") and lin.ignored == ("x", "y", "psi", "wr", "wf")
    assert lin.A.shape == (9, 5, 5) and np.max(lin.residual) < 1e-12
    for v, found in zip(SPEEDS, lin.eigenvalues):
        assert close_sets(found, [*canonical(v), 0.0], 1e-9), v  # 0: the forward speed
        if v in TABLE_2:
            assert close_sets(found, [*TABLE_2[v], 0.0], 1e-9)
    one = nh.linearise(bicycle, riding(5.0))
    assert one.ignored == ("x", "wr", "wf") and one.names[:2] == ("y", "psi")  # the heading stays, what moves goes
    assert close_sets(one.eigenvalues, [*TABLE_2[5.0], 0.0, 0.0, 0.0], 1e-9)
    assert one.A[0, 1] == pytest.approx(5.0, abs=1e-12) or one.A[0, 1] == pytest.approx(-5.0, abs=1e-12)


def test_rounding_in_the_column_of_an_ignorable_coordinate_is_no_slope() -> None:
    """At a heading where sines and cosines round, the heading's column is still exactly zero, and so are its eigenvalues."""
    lin = nh.linearise(nh.load(BICYCLE), riding(5.0, psi=0.7))
    assert lin.ignored == ("x", "y", "wr", "wf") and lin.names[0] == "psi" and not np.any(lin.A[:, 0])
    assert close_sets(lin.eigenvalues, [*TABLE_2[5.0], 0.0, 0.0], 1e-9)


def test_the_bicycle_leaning_is_no_steady_motion_and_says_so() -> None:
    lin = nh.linearise(nh.load(BICYCLE), riding(5.0, phi=0.1))
    assert lin.residual > 0.1


# -- closed forms ---------------------------------------------------------------------------------------------------------


def cart() -> nh.System:
    return nh.System(
        name="cart", coordinates="x th", parameters={"M": 1.7, "m": 0.6, "l": 0.8, "g": 9.8}, inputs="u", forces={"x": "u"},
        lagrangian="(M + m)/2*xdot**2 + m*l*cos(th)*xdot*thdot + m*l**2/2*thdot**2 - m*g*l*cos(th)",
    )  # fmt: skip


def test_a_pendulum_on_a_cart() -> None:
    M, m, l, g = 1.7, 0.6, 0.8, 9.8
    lin = nh.linearise(cart(), {"x": 0.3}, outputs={"tip": "x + l*sin(th)", "push": "u + 2*thdot"})
    assert lin.names == ("x", "th", "xdot", "thdot") and lin.inputs == ("u",) and lin.outputs == ("tip", "push")
    A = [[0, 0, 1, 0], [0, 0, 0, 1], [0, -m * g / M, 0, 0], [0, (M + m) * g / (M * l), 0, 0]]
    assert np.allclose(lin.A, A, rtol=0, atol=1e-13) and lin.residual == 0
    assert np.allclose(lin.B, [[0], [0], [1 / M], [-1 / (M * l)]], rtol=0, atol=1e-14)
    assert np.allclose(lin.C, [[1, l, 0, 0], [0, 0, 0, 2]], rtol=0, atol=1e-14) and lin.D.tolist() == [[0], [1]]
    moving = nh.linearise(cart(), {"xdot": 2.0})
    assert moving.ignored == ("x",) and np.array_equal(moving.A, lin.A[1:, 1:]) and moving.residual == 0
    kept = nh.linearise(cart(), {"xdot": 2.0}, outputs=["x"])  # an output needs it
    assert kept.ignored == () and kept.residual == 2.0 and kept.C.tolist() == [[1, 0, 0, 0]]


def test_a_quartic_well_is_not_taken_for_an_ignorable_coordinate() -> None:
    well = nh.System(coordinates="q s", lagrangian="qdot**2/2 + sdot**2/2 - q**4")
    lin = nh.linearise(well, {"qdot": 1.0, "sdot": 1.0})
    assert lin.ignored == ("s",) and lin.names == ("q", "qdot", "sdot") and lin.residual == 1.0


def segway(**more: Any) -> nh.System:
    """A body on two wheels that roll, in plain coordinates; torques between body and wheels."""
    return nh.System(
        name="segway", coordinates="x y psi th a b",
        parameters={"m": 40.0, "mw": 6.0, "l": 0.9, "I": 3.1, "Iz": 2.3, "J": 0.07, "r": 0.23, "d": 0.31, "g": 9.81},
        lagrangian="""m/2*((xdot + l*(cos(th)*thdot*cos(psi) - sin(th)*sin(psi)*psidot))**2
            + (ydot + l*(cos(th)*thdot*sin(psi) + sin(th)*cos(psi)*psidot))**2 + l**2*sin(th)**2*thdot**2)
            + I/2*thdot**2 + Iz/2*psidot**2 + mw/2*(xdot**2 + ydot**2) + J/2*(adot**2 + bdot**2) - m*g*l*cos(th)""",
        constraints=["-xdot*sin(psi) + ydot*cos(psi)", "xdot*cos(psi) + ydot*sin(psi) - r/2*(adot + bdot)",
                     "psidot - r/(2*d)*(bdot - adot)"],
        inputs="ta tb", forces={"a": "ta", "b": "tb", "th": "-ta - tb"}, **more,
    )  # fmt: skip


def test_a_segway_along_and_across() -> None:
    p = segway().parameters
    m, mw, l, I, Iz, J, r, d, g = (p[n] for n in ("m", "mw", "l", "I", "Iz", "J", "r", "d", "g"))
    mass = np.array([[m + mw + 2 * J / r**2, m * l], [m * l, m * l**2 + I]])  # forward speed, pitch
    pitch = np.linalg.solve(mass, [0.0, m * g * l])[1]
    by_sum = np.linalg.solve(mass, [1 / r, -1.0])
    by_difference = d / r / (Iz + 2 * J * d**2 / r**2)
    for speed in (0.0, 1.3):
        lin = nh.linearise(segway(), {"xdot": speed, "psi": 0.4, "psidot": 0.0}, outputs=["thdot", "psidot"])
        assert lin.residual < 1e-12 and lin.inputs == ("ta", "tb")
        roots = [np.sqrt(pitch), -np.sqrt(pitch)]
        assert close_sets(lin.eigenvalues, [*roots, *[0.0] * (len(lin.names) - 2)], 1e-6)
        gain = lin.C @ lin.B  # the accelerations of the outputs by the torques
        wanted = [[by_sum[1], by_sum[1]], [-by_difference, by_difference]]
        assert np.allclose(gain, wanted, rtol=1e-12, atol=1e-12)


def test_a_steady_turn_needs_speeds_that_turn_along() -> None:
    """In the speeds xdot, … a turn is not steady, and the record says so; in the wheels' own speeds it is."""
    assert nh.linearise(segway(), {"adot": 3.0, "bdot": 5.0, "psi": 0.4}).residual > 0.5
    lin = nh.linearise(segway(quasivelocities={"wa": "adot", "wb": "bdot", "wt": "thdot"}), {"wa": 3.0, "wb": 5.0})
    assert lin.ignored == ("x", "y", "psi", "a", "b") and lin.names == ("th", "wa", "wb", "wt") and lin.residual < 1e-13
    m, mw, l, I, J, r, d, g = (segway().parameters[n] for n in ("m", "mw", "l", "I", "J", "r", "d", "g"))
    turning = r / d  # forward and pitch: the body's mass l θ ahead of the axle has the acceleration v̇ + l θ̈ − l θ ψ̇²
    mass = np.array([[m + mw + 2 * J / r**2, m * l], [m * l, m * l**2 + I]])
    pitch = np.linalg.solve(mass, [m * l * turning**2, m * g * l + m * l**2 * turning**2])[1]
    assert close_sets(lin.eigenvalues, [np.sqrt(pitch), -np.sqrt(pitch), 0, 0], 1e-9)


def test_a_disk_rolling_upright() -> None:
    """λ² = (m g r − C (C + m r²) n²/A)/(A + m r²); it stays up for n² > A m g r/(C (C + m r²)), a thin one for n² > g/(3 r)."""
    m, r, A, C, g = 1.4, 0.5, 0.11, 0.19, 9.81
    disk = nh.System(
        coordinates="x y psi phi th", parameters={"m": m, "r": r, "A": A, "C": C, "g": g},
        lagrangian="""m/2*((xdot + r*(cos(phi)*phidot*sin(psi) + sin(phi)*cos(psi)*psidot))**2
            + (ydot - r*(cos(phi)*phidot*cos(psi) - sin(phi)*sin(psi)*psidot))**2 + r**2*sin(phi)**2*phidot**2)
            + C/2*(thdot + psidot*sin(phi))**2 + A/2*(phidot**2 + psidot**2*cos(phi)**2) - m*g*r*cos(phi)""",
        constraints=["xdot - r*thdot*cos(psi)", "ydot - r*thdot*sin(psi)"],
    )  # fmt: skip
    for n in (1.0, 3.7):
        lin = nh.linearise(disk, {"psi": 0.7, "thdot": n}, leave_out="all")
        square = complex((m * g * r - C * (C + m * r**2) * n**2 / A) / (A + m * r**2))
        assert lin.ignored == ("x", "y", "psi", "th") and lin.residual < 1e-13
        assert close_sets(lin.eigenvalues, [np.sqrt(square), -np.sqrt(square), 0, 0], 1e-7), n
    turning = nh.linearise(disk, {"psidot": 2.0})  # spinning upright on the spot: the heading moves, and x, y need it
    assert turning.ignored == ("x", "y", "psi") and turning.residual < 1e-13


# -- redundant coordinates ------------------------------------------------------------------------------------------------

INERTIA = {"I1": 0.9, "I2": 0.7, "I3": 0.4, "k": 2.6}
"""About the pivot; k = m g l."""
ENERGY = "(I1*{0}**2 + I2*{1}**2 + I3*{2}**2)/2"


def hanging() -> dict[str, tuple[nh.System, dict[str, float]]]:
    """A body that hangs from a point, turned about the vertical by 0.7, in a matrix, a quaternion and angles."""
    c, s = np.cos(0.7), np.sin(0.7)
    angles = ENERGY.format("(adot*cos(b)*cos(q) + bdot*sin(q))", "(bdot*cos(q) - adot*cos(b)*sin(q))", "(qdot + adot*sin(b))")
    body = ENERGY.format("w1", "w2", "w3")
    matrix = nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), parameters=INERTIA, lagrangian=body + "+ k*R33")
    unit = nh.System(
        frame=nh.Quaternion("e", rates="w1 w2 w3"), parameters=INERTIA,
        lagrangian=body + "+ k*(1 - 2*e1**2 - 2*e2**2)",
    )  # fmt: skip
    return {
        "matrix": (matrix, {"R11": c, "R12": -s, "R21": s, "R22": c, "R33": 1.0}),
        "quaternion": (unit, {"e0": np.cos(0.35), "e1": 0.0, "e2": 0.0, "e3": np.sin(0.35)}),
        "angles": (nh.System(coordinates="a b q", parameters=INERTIA, lagrangian=angles + "+ k*cos(a)*cos(b)"), {"q": 0.7}),
    }


@pytest.mark.parametrize("kind", ["matrix", "quaternion", "angles"])
def test_a_hanging_body_has_the_same_eigenvalues_in_every_description(kind: str) -> None:
    system, start = hanging()[kind]
    lin = nh.linearise(system, start)
    first, second = (1j * np.sqrt(INERTIA["k"] / INERTIA[n]) for n in ("I1", "I2"))
    assert len(lin.names) == 6 and lin.residual < 1e-15
    assert close_sets(lin.eigenvalues, [first, -first, second, -second, 0, 0], 1e-7)
    assert set(lin.names) <= {*system.coordinates, "w1", "w2", "w3", "adot", "bdot", "qdot"}


def test_a_point_on_a_sphere_by_a_holonomic_constraint() -> None:
    point = nh.System(
        coordinates="x y z", parameters={"g": 9.81, "k": 3.0}, holonomic=["x**2 + y**2 + z**2 - 4"],
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - g*z - k*x**2/2", forces={"x": "u"}, inputs="u",
    )  # fmt: skip
    lin = nh.linearise(point, {"x": 0.0, "y": 0.0, "z": -2.0})
    fast, slow = 1j * np.sqrt(9.81 / 2 + 3.0), 1j * np.sqrt(9.81 / 2)
    assert lin.names[:2] == ("x", "y") and close_sets(lin.eigenvalues, [fast, -fast, slow, -slow], 1e-12)
    up = nh.linearise(point, {"x": 0.0, "y": 0.0, "z": 2.0})
    assert close_sets(up.eigenvalues, [np.sqrt(9.81 / 2 - 3), -np.sqrt(9.81 / 2 - 3), slow / 1j, -slow / 1j], 1e-12)


def test_a_sleeping_top_in_the_vertical() -> None:
    """(λ + i n)(λ + i n (I − I₃)/I) = m g l/I and its conjugate: Lagrange's top upright, spinning at n."""
    top = nh.System(
        frame=nh.frames.Vertical("gamma", rates="w1 w2 w3"), parameters={"I": 0.9, "I3": 0.4, "k": 2.6},
        lagrangian="(I*(w1**2 + w2**2) + I3*w3**2)/2 - k*gamma3",
    )  # fmt: skip
    for n in (1.5, 20.0):
        lin = nh.linearise(top, {"gamma1": 0, "gamma2": 0, "gamma3": 1.0, "w3": n})
        half = np.roots([1, 1j * n * (1 + 0.5 / 0.9), -(n**2) * 0.5 / 0.9 - 2.6 / 0.9])
        assert lin.names == ("gamma1", "gamma2", "w1", "w2", "w3") and lin.residual < 1e-15
        assert close_sets(lin.eigenvalues, [*half, *half.conj(), 0], 1e-9)


# -- against differences of the nonlinear motion --------------------------------------------------------------------------


def reduced_rates(system: nh.System, names: tuple[str, ...], values: np.ndarray, inputs: dict[str, float]) -> np.ndarray:
    """The rates of independent variables from a start that gives these alone."""
    rates = nh.prepare(system).rates(dict(zip(names, values.tolist())), inputs)
    return np.array([rates[n] for n in names])


@pytest.mark.parametrize("name", ["paraboloid", "skate-sphere", "sleigh", "twistcar", "two-sliders", "parallel-points-spring"])
def test_plain_systems_agree_with_differences(name: str) -> None:
    system = nh.load(PLAIN / f"{name}.toml")
    lin = nh.linearise(system, leave_out="none")
    at = np.array([lin.state[n] for n in lin.names])
    given = {n: lin.state[n] for n in lin.inputs}
    assert np.allclose(lin.rates, reduced_rates(system, lin.names, at, given), rtol=1e-9, atol=1e-9)
    step = 1e-5
    for k in range(len(at)):
        move = step * np.eye(len(at))[k]
        ahead, back = (reduced_rates(system, lin.names, at + way * move, given) for way in (1, -1))
        slope = (ahead - back) / (2 * step)
        assert np.allclose(lin.A[:, k], slope, rtol=1e-6, atol=1e-6 * (1 + np.abs(lin.A).max())), lin.names[k]


def test_inputs_against_differences_of_the_vector() -> None:
    model = nh.prepare(segway())
    random = np.random.default_rng(5)
    x, u = random.uniform(-0.5, 0.5, len(model.names)), np.array([0.4, -1.1])
    lin = nh.linearise(model, dict(zip(model.names, x)), inputs=dict(zip(model.inputs, u)), leave_out="none")
    assert lin.names == model.names and np.allclose(lin.rates, model.vector(x, u), rtol=0, atol=1e-12)
    for k in range(2):
        move = 0.5 * np.eye(2)[k]  # the torques enter linearly: no error but rounding
        assert np.allclose(lin.B[:, k], model.vector(x, u + move) - model.vector(x, u - move), rtol=0, atol=1e-11)
    assert np.allclose(lin.A, model.jacobian(x, u), rtol=1e-12, atol=1e-12)
    assert np.allclose(lin.B, model.input_jacobian(x, u), rtol=1e-12, atol=1e-12)
    assert nh.linearise(model, {"th": 0.1}, inputs="tb").B.shape == (len(lin.names), 1)


def test_along_a_run_the_matrices_follow_it() -> None:
    run = nh.simulate(cart(), {"th": 0.2}, 2.0, inputs={"u": lambda t: np.sin(3 * t)}, t_eval=21)
    lin = nh.linearise(cart(), run)
    assert lin.A.shape == (21, 4, 4) and lin.B.shape == (21, 4, 1) and lin.residual.shape == (21,)
    assert np.allclose(lin.state["t"], run.times) and np.allclose(lin.state["u"], np.sin(3 * run.times), atol=1e-9)
    model = nh.prepare(cart())
    for k in (0, 7, 20):
        x = np.array([run[n][k] for n in model.names])
        for j in range(4):
            move = 1e-6 * np.eye(4)[j]
            slope = (model.vector(x + move, [run["u"][k]]) - model.vector(x - move, [run["u"][k]])) / 2e-6
            assert np.allclose(lin.A[k][:, [lin.names.index(model.names[j])]].ravel(), slope, rtol=0, atol=1e-7)


def test_equations_by_hand_linearise_too() -> None:
    mine = nh.linearise(nh.hamel(cart()), {"x": 0.0, "th": 0.0})
    assert np.allclose(mine.A, nh.linearise(cart(), {}).A, rtol=0, atol=1e-14) and mine.B.shape == (4, 1)


# -- elsewhere, and bad input ---------------------------------------------------------------------------------------------


def test_it_hands_itself_to_scipy_and_python_control(monkeypatch: pytest.MonkeyPatch) -> None:
    lin = nh.linearise(cart(), {}, outputs=["th"])
    there = lin.to_scipy()
    assert np.array_equal(there.A, lin.A) and np.array_equal(there.D, lin.D)
    control = pytest.importorskip("control")
    other = lin.to_control()
    assert isinstance(other, control.StateSpace) and other.state_labels == list(lin.names)
    response = complex((there.C @ np.linalg.solve(2j * np.eye(4) - there.A, there.B) + there.D)[0, 0])
    assert response == pytest.approx(complex(other(2j)), abs=1e-12)
    assert response == pytest.approx(-1 / (1.7 * 0.8) / (-4 - 2.3 * 9.8 / (1.7 * 0.8)), abs=1e-12)
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(nh.ModelError, match="python-control is not installed here; `pip install control`"):
        lin.to_control()


def test_it_is_a_record() -> None:
    lin = nh.linearise(cart(), {})
    same = pickle.loads(pickle.dumps(lin))
    assert np.array_equal(same.A, lin.A) and same.names == lin.names and len(repr(lin)) < 1000
    with pytest.raises(ValueError):
        lin.A[0, 0] = 1.0
    with pytest.raises(AttributeError):
        lin.A = lin.B  # type: ignore[misc]


def test_bad_input_is_one_clear_sentence() -> None:
    singular = nh.System(name="rod", coordinates="q", lagrangian="q**2*qdot**2/2")
    cases: list[tuple[str, Any]] = [
        ("rod: no linear system at this state, where the mass matrix is singular", lambda: nh.linearise(singular, {"q": 0.0})),
        ("output thdott.*did you mean 'thdot'", lambda: nh.linearise(cart(), {}, outputs=["thdott"])),
        ("cart: no open input is called 'v'; it has u.", lambda: nh.linearise(cart(), {}, inputs="v")),
        ("cart: no input is called 'v'; it has u.", lambda: nh.linearise(cart(), {}, inputs={"v": 0})),
        ("no state variable is called 'thdott'; did you mean 'thdot'", lambda: nh.linearise(cart(), {"thdott": 1})),
        ("about=3 where a state", lambda: nh.linearise(cart(), 3)),
        ("leave_out='some' where one of moving, all, none", lambda: nh.linearise(cart(), {}, leave_out="some")),
        ("linearised about 2 states where scipy.signal.StateSpace takes one", lambda: nh.linearise(cart(), [{}, {}]).to_scipy()),
        ("scipy.signal.StateSpace needs an input", lambda: nh.linearise(cart(), {}, inputs={"u": "-x"}).to_scipy()),
        ("an output has no finite slope", lambda: nh.linearise(cart(), {}, outputs=["sqrt(th)"])),
    ]
    for words, call in cases:
        with pytest.raises(nh.NonholoError, match=words):
            call()


def test_four_bars_in_a_loop_swing_as_one_angle_does_with_forty_digits() -> None:
    """Three angles tied by two equations; by hand one angle is left, whose ``ω² = V''/I`` at rest mpmath gives."""
    import mpmath as mp

    values = {"m": 1.3, "a": 0.5, "b": 1.1, "c": 0.8, "d": 1.2, "g": 9.81}
    s = nh.System(
        coordinates="p q r", parameters="m a b c d g",
        lagrangian="m*(a**2*pdot**2 + b**2*qdot**2 + a*b*pdot*qdot*cos(p - q) + c**2*rdot**2)/6 - m*g*(a*sin(p) + c*sin(r))/2",
        holonomic=["a*cos(p) + b*cos(q) - c*cos(r) - d", "a*sin(p) + b*sin(q) - c*sin(r)"],
    )  # fmt: skip
    with mp.workdps(40):
        m, a, b, c, d, g = (mp.mpf(v) for v in values.values())

        def others(p: Any) -> list[Any]:
            first = (mp.mpf("0.6"), mp.mpf("4.4"))
            return list(
                mp.findroot(
                    lambda q, r: [
                        a * mp.cos(p) + b * mp.cos(q) - c * mp.cos(r) - d,
                        a * mp.sin(p) + b * mp.sin(q) - c * mp.sin(r),
                    ],
                    first,
                )
            )

        def height(p: Any) -> Any:
            return m * g * (a * mp.sin(p) + c * mp.sin(others(p)[1])) / 2

        rest = mp.findroot(lambda p: mp.diff(height, p), mp.mpf("-1.7"))
        q, r = others(rest)
        turns = [mp.diff(lambda p, k=k: others(p)[k], rest) for k in (0, 1)]
        inertia = m * (a**2 + b**2 * turns[0] ** 2 + a * b * turns[0] * mp.cos(rest - q) + c**2 * turns[1] ** 2) / 3
        square = float(mp.diff(height, rest, 2) / inertia)
        at = {"p": float(rest), "q": float(q), "r": float(r)}
    found = nh.linearise(s, {**at, "pdot": 0.0, "qdot": 0.0, "rdot": 0.0}, parameters=values)
    assert len(found.names) == 2 and found.residual < 1e-9
    assert np.sort((found.eigenvalues**2).real) == pytest.approx([-square, -square], rel=1e-9)
