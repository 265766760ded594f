"""Ready-made groups, against matrices, quaternions and SciPy's rotations."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import symengine as se
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from nonholo.algebra.calculus import along, gradient, symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError, NonholoError
from nonholo.geometry.frames.frame import Euclidean, Frame, change_frame, check_frame, own_chart, rate, sample
from nonholo.geometry.frames.frame_files import spatial
from nonholo.geometry.groups.lie_algebra import LieAlgebra, constants_of_matrices, so
from nonholo.geometry.groups.lie_algebra import se as se_constants
from nonholo.geometry.groups.matrix_groups import SE2, SE3, SO3, Quaternion, Vertical, rotation_matrix
from tests.geometry.test_constructions import carried, chart_gap
from tests.geometry.test_frame import table

SIDED = [SO3, Quaternion, SE2, SE3]
READY = {
    **{f"{make.__name__} {side}": partial(make, side=side) for make in SIDED for side in ("body", "spatial")},
    "Vertical": Vertical,
    "product": lambda: SO3("R") * Quaternion("q", "u1 u2 u3") * SE2("theta x y", "w v s") * Vertical("g", "n1 n2 n3"),
}
LEVI = np.array([[[(i - j) * (j - k) * (k - i) / 2 for k in range(3)] for j in range(3)] for i in range(3)])


@pytest.mark.parametrize("name", READY)
def test_anchor_carries_the_brackets(name):
    frame = READY[name]()
    check_frame(frame)
    assert max(carried(frame, seed) for seed in range(4)) < 1e-13


@pytest.mark.parametrize("name", READY)
def test_chart_moves_as_the_anchor_says(name):
    frame = READY[name]()
    assert max(chart_gap(frame, seed) for seed in range(4)) < 1e-13


@pytest.mark.parametrize("name", READY)
def test_home_and_samples_are_configurations(name):
    frame = READY[name]()
    for values in (dict(zip(frame.coordinates, frame.home)), sample(frame, 3)):
        assert np.abs(evaluate(frame.relations, values)).max(initial=0) < 1e-14


def numbers(frame: Frame, seed: int) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
    """A configuration, velocities and the coordinates' rates."""
    values = sample(frame, seed)
    speeds = np.random.default_rng(seed).normal(size=frame.size)
    return values, speeds, evaluate_matrix(frame.anchor, values) @ speeds


def hat(w: np.ndarray) -> np.ndarray:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


@pytest.mark.parametrize("side", ["body", "spatial"])
def test_rotation_matrix_turns_by_its_rates(side):
    values, w, rates = numbers(SO3("R", side=side), 1)
    R = np.array([[values[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert np.linalg.det(R) == pytest.approx(1, abs=1e-14)
    expected = R @ hat(w) if side == "body" else hat(w) @ R
    assert rates.reshape(3, 3) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("side", ["body", "spatial"])
def test_quaternion_turns_as_its_rotation_matrix(side):
    frame = Quaternion("q", side=side)
    values, w, rates = numbers(frame, 2)
    q = symbols(frame.coordinates)
    entries = [e for row in rotation_matrix(frame) for e in row]
    R = evaluate(entries, values).reshape(3, 3)
    true = Rotation.from_quat([values["q1"], values["q2"], values["q3"], values["q0"]]).as_matrix()
    assert pytest.approx(true, abs=1e-14) == R
    slopes = evaluate_matrix([gradient(e, q) for e in entries], values) @ rates
    expected = R @ hat(w) if side == "body" else hat(w) @ R
    assert slopes.reshape(3, 3) == pytest.approx(expected, abs=1e-13)


def homogeneous(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    g = np.eye(len(x) + 1)
    g[:-1, :-1], g[:-1, -1] = R, x
    return g


@pytest.mark.parametrize("side", ["body", "spatial"])
def test_space_motion_is_the_matrix_group(side):
    values, v, rates = numbers(SE3(side=side), 3)
    g = homogeneous(np.array([[values[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)]), [values[c] for c in "xyz"])
    xi = np.zeros((4, 4))
    xi[:3, :3], xi[:3, 3] = hat(v[:3]), v[3:]
    expected = g @ xi if side == "body" else xi @ g
    assert rates[:9].reshape(3, 3) == pytest.approx(expected[:3, :3], abs=1e-15)
    assert rates[9:] == pytest.approx(expected[:3, 3], abs=1e-15)


@pytest.mark.parametrize("side", ["body", "spatial"])
def test_planar_motion_is_the_matrix_group(side):
    values, v, rates = numbers(SE2(side=side), 4)
    t = values["theta"]
    g = homogeneous(np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]), [values["x"], values["y"]])
    xi = np.array([[0, -v[0], v[1]], [v[0], 0, v[2]], [0, 0, 0]])
    expected = g @ xi if side == "body" else xi @ g
    assert rates == pytest.approx([v[0], expected[0, 2], expected[1, 2]], abs=1e-15)


def test_vertical_is_the_third_axis_seen_from_the_body():
    frame = Vertical("g")
    values, w, rates = numbers(frame, 5)
    gamma = np.array([values[f"g{i}"] for i in (1, 2, 3)])
    assert rates == pytest.approx(np.cross(gamma, w), abs=1e-16)
    # the chart's γ is Rᵀ e3 of the same three turns
    angles = dict(zip(frame.chart.names, (0.4, -0.7, 1.1)))
    R = Rotation.from_euler("XYZ", [0.4, -0.7, 1.1]).as_matrix()
    assert evaluate(frame.chart.embedding, angles) == pytest.approx(R.T @ [0, 0, 1], abs=1e-15)


@pytest.mark.parametrize("make", [SO3, Quaternion])
def test_charts_are_the_same_three_turns(make):
    frame = make("R")
    angles = dict(zip(frame.chart.names, (0.4, -0.7, 1.1)))
    place = dict(zip(frame.coordinates, evaluate(frame.chart.embedding, angles)))
    R = evaluate([e for row in rotation_matrix(frame) for e in row], place).reshape(3, 3)
    assert pytest.approx(Rotation.from_euler("XYZ", [0.4, -0.7, 1.1]).as_matrix(), abs=1e-15) == R


@pytest.mark.parametrize("make", [SO3, Quaternion, Vertical])
def test_chart_rates_are_the_logarithm_of_a_small_turn(make):
    """``w ≈ vee(log(R(y)ᵀ R(y + hẏ)))/h`` by SciPy, at two steps: the error must halve with h."""
    frame = make("R")
    y, ydot = np.array([0.4, -0.6, 0.9]), np.array([0.7, -1.1, 0.5])
    values = {**dict(zip(frame.chart.names, y)), **dict(zip(map(rate, frame.chart.names), ydot))}
    w = evaluate(frame.chart.velocities, values)

    def turn(at: np.ndarray) -> Rotation:
        return Rotation.from_euler("XYZ", at)

    errors = [np.abs((turn(y).inv() * turn(y + h * ydot)).as_rotvec() / h - w).max() for h in (1e-3, 5e-4)]
    assert errors[0] < 1e-2 and errors[1] == pytest.approx(errors[0] / 2, rel=0.02)


def test_brackets_are_those_of_the_matrix_algebras():
    assert table(SO3(), {}) == pytest.approx(LEVI, abs=0)
    assert table(Quaternion(), {}) == pytest.approx(LEVI, abs=0)
    assert table(Vertical(), {}) == pytest.approx(LEVI, abs=0)
    assert table(SE2(), {}) == pytest.approx(np.array(se_constants(2)), abs=0)
    assert table(SE3(), {}) == pytest.approx(np.array(se_constants(3)), abs=0)


@pytest.mark.parametrize("make", SIDED)
def test_spatial_frames_have_the_opposite_brackets_and_the_adjoint_matrix(make):
    body = make()
    right = spatial(body)
    assert right.velocities == tuple(f"s_{v}" for v in body.velocities)
    assert right.coordinates == body.coordinates
    values = sample(body, 6)
    assert table(right, values) == pytest.approx(-table(body, values), abs=0)
    # body = Ad⁻¹ spatial, column by column from the two anchors
    one, two = evaluate_matrix(body.anchor, values), evaluate_matrix(right.anchor, values)
    adjoint_inverse = np.linalg.lstsq(one, two, rcond=None)[0]
    assert one @ adjoint_inverse == pytest.approx(two, abs=1e-13)
    # and the two charts agree
    charts = own_chart(body), own_chart(right)
    random = np.random.default_rng(3)
    y = dict(zip(charts[0].names, np.array(charts[0].center) + random.uniform(-0.5, 0.5, body.size)))
    y |= dict(zip(map(rate, charts[0].names), random.normal(size=body.size)))
    place = {**y, **dict(zip(body.coordinates, evaluate(charts[0].embedding, y)))}
    one, two = evaluate_matrix(body.anchor, place), evaluate_matrix(right.anchor, place)
    there = np.linalg.lstsq(one, two, rcond=None)[0] @ evaluate(charts[1].velocities, y)
    assert there == pytest.approx(evaluate(charts[0].velocities, y), abs=1e-13)


def test_change_of_frame_by_the_adjoint_matrix_is_the_spatial_frame():
    # v = Rᵀ s
    R = [[se.Symbol(f"R{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]
    transposed = [[R[j][i] for j in range(3)] for i in range(3)]
    changed, direct = change_frame(SO3("R"), transposed, "a b c"), spatial(SO3("R"), "a b c")
    for seed in range(3):
        values = sample(direct, seed)
        assert table(changed, values) == pytest.approx(-LEVI, abs=1e-13)
        there = evaluate_matrix(direct.anchor, values)
        assert evaluate_matrix(changed.anchor, values) == pytest.approx(there, abs=1e-13)
    y = dict(zip(direct.chart.names, (0.3, 0.5, -0.4))) | dict(zip(map(rate, direct.chart.names), (1.0, -2.0, 0.7)))
    assert evaluate(changed.chart.velocities, y) == pytest.approx(evaluate(direct.chart.velocities, y), abs=1e-13)


def test_spatial_of_a_lie_algebra_and_of_a_product():
    right = spatial(LieAlgebra(so(3)))
    assert table(right, {}) == pytest.approx(-LEVI, abs=0)
    both = spatial(SO3("R") * Euclidean("x y") * LieAlgebra({("e1", "e2"): "k*e2"}, parameters="k"), "a b c d e")
    assert both.velocities == ("a", "b", "c", "xdot", "ydot", "d", "e")
    assert both.brackets[(0, 1, 2)] == -1 and both.brackets[(5, 6, 6)] == -se.Symbol("k")
    check_frame(both)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: spatial(Vertical()), "Vertical has no right-invariant version"),
        (lambda: spatial(Euclidean("x")), "without a group"),
        (lambda: spatial(spatial(SO3())), "SO3 has no right-invariant version; give a body frame"),
        (lambda: spatial(Frame("x", "u", [["2"]])), "without a group"),
        (lambda: spatial(SO3(), "a b"), "2 rates a, b, where 3 are needed"),
        (lambda: SO3(rates="a b"), "SO3: 2 rates"),
        (lambda: SE2("x y"), "SE2: 2 coordinates"),
        (lambda: SE2("x y th"), "the angle is named first; write 'th x y'"),
        (lambda: SE3(position="x"), "SE3: 1 names of position"),
        (lambda: SE3(position="x y R11"), "'R11' appears twice"),
        (lambda: SO3("R", rates="R11 w2 w3"), "'R11' is also"),
        (lambda: SO3("1R"), "not a name"),
        (lambda: SO3(side="left"), "side is 'left'"),
        (lambda: Quaternion(side="left"), "side is 'left'"),
        (lambda: SE2(side="left"), "side is 'left'"),
        (lambda: SE3(side="left"), "side is 'left'"),
        (lambda: rotation_matrix(Euclidean("x")), "one rotation is needed, found none"),
        (lambda: rotation_matrix(SO3("R") * SO3("S", "a b c")), r"found SO3\('R'\), SO3\('S'\)"),
    ],
)
def test_wrong_words_are_one_clear_error(make, message):
    with pytest.raises(NonholoError, match=message):
        make()


def test_rotation_matrix_of_a_factor_by_name():
    both = SO3("R") * Quaternion("q", "a b c")
    assert rotation_matrix(both, "R")[0][1] == se.Symbol("R12")
    assert rotation_matrix(both, "q") == rotation_matrix("q")


def test_flow_of_constant_body_rates_is_the_exponential():
    """``g exp(t ξ)`` by SciPy, against RK4 on the anchor: the error must fall as h⁴."""
    frame, w = SO3("R"), np.array([0.9, -1.5, 2.4])

    def velocity(at: np.ndarray) -> np.ndarray:
        return evaluate_matrix(frame.anchor, dict(zip(frame.coordinates, at))) @ w

    def error(steps: int) -> float:
        x, h = np.array(frame.home), 0.5 / steps
        for _ in range(steps):
            k1 = velocity(x)
            k2 = velocity(x + h / 2 * k1)
            k3 = velocity(x + h / 2 * k2)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + velocity(x + h * k3))
        return float(np.abs(x.reshape(3, 3) - expm(0.5 * hat(w))).max())

    assert error(8) < 1e-4 and error(16) == pytest.approx(error(8) / 16, rel=0.1)


def euler_lagrange(chart, inertia: np.ndarray, y: np.ndarray, ydot: np.ndarray, yddot: np.ndarray) -> np.ndarray:
    """``d/dt ∂L/∂ẏ − ∂L/∂y`` of ``L = ½ v·I v`` in the chart."""
    names = symbols(chart.names)
    rates, seconds = symbols(map(rate, chart.names)), symbols(f"{n}ddot" for n in chart.names)
    v = chart.velocities
    L = sum((inertia[i][j] * v[i] * v[j] / 2 for i in range(len(v)) for j in range(len(v))), se.Integer(0))
    momenta = gradient(L, rates)
    moving = {**dict(zip(names, rates)), **dict(zip(rates, seconds))}
    equations = [a - b for a, b in zip(along(momenta, moving), gradient(L, names))]
    values = dict(zip(map(str, (*names, *rates, *seconds)), (*y, *ydot, *yddot)))
    return evaluate(equations, values)


@pytest.mark.parametrize("make", [SO3, Quaternion, Vertical, lambda: LieAlgebra(so(3))])
def test_euler_lagrange_in_the_chart_is_eulers_equation(make):
    """``Wᵀ (I ẇ + w × I w)`` with ``w = W ẏ``: the chart knows nothing of the brackets."""
    chart = own_chart(make())
    random = np.random.default_rng(8)
    inertia = np.array([[2.0, 0.3, -0.1], [0.3, 3.0, 0.2], [-0.1, 0.2, 1.5]])
    y = np.array(chart.center) + random.uniform(-1, 1, 3) * np.array(chart.reach)
    ydot, yddot = random.normal(size=(2, 3))
    names = symbols(chart.names)
    rates, seconds = symbols(map(rate, chart.names)), symbols(f"{n}ddot" for n in chart.names)
    values = dict(zip(map(str, (*names, *rates, *seconds)), (*y, *ydot, *yddot)))
    w = evaluate(chart.velocities, values)
    wdot = evaluate(along(chart.velocities, {**dict(zip(names, rates)), **dict(zip(rates, seconds))}), values)
    forms = evaluate_matrix([gradient(v, rates) for v in chart.velocities], values)
    expected = forms.T @ (inertia @ wdot + np.cross(w, inertia @ w))
    assert euler_lagrange(chart, inertia, y, ydot, yddot) == pytest.approx(expected, abs=1e-12)


def test_euler_lagrange_in_an_exponential_chart_is_euler_and_poincare():
    """``d/dt p_j = c_ij^a p_a v^i`` at the unit of any group; here se(3), with a full inertia."""
    frame = LieAlgebra(se_constants(3))
    random = np.random.default_rng(9)
    root = random.normal(size=(6, 6))
    inertia = root @ root.T + np.eye(6)
    v, acceleration = random.normal(size=(2, 6))
    c = np.array(se_constants(3), dtype=float)
    expected = inertia @ acceleration - np.einsum("ija,a,i->j", c, inertia @ v, v)
    found = euler_lagrange(frame.chart, inertia, np.zeros(6), v, acceleration)
    assert found == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())


def test_exponential_chart_is_the_logarithmic_derivative_to_second_order():
    """Against ``exp(−y) d/dt exp(y)`` of matrices: the error falls as the cube of the size of y."""
    frame = LieAlgebra(so(3))
    y, ydot = np.array([0.3, -0.7, 0.5]), np.array([0.9, 0.2, -0.4])

    def gap(size: float) -> float:
        at, step = size * y, 1e-6
        true = expm(-hat(at)) @ (expm(hat(at + step * ydot)) - expm(hat(at - step * ydot))) / (2 * step)
        values = {**dict(zip(frame.chart.names, at)), **dict(zip(map(rate, frame.chart.names), ydot))}
        w = evaluate(frame.chart.velocities, values)
        return float(np.abs(np.array([true[2, 1], true[0, 2], true[1, 0]]) - w).max())

    assert gap(0.2) < 1e-3 and gap(0.1) == pytest.approx(gap(0.2) / 8, rel=0.1)


def test_constants_of_matrices_need_an_algebra():
    with pytest.raises(ModelError, match="no whole combination"):
        constants_of_matrices([np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])])
