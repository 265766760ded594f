"""Controllability: known results, ranks by SymPy's brackets, reachable sets in numbers, and wrong questions."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import control
import numpy as np
import pytest
import sympy

import nonholo as nh
from nonholo.control import control_affine, kinematic_system
from nonholo.control.feedback.riccati import uncontrollable_modes
from nonholo.control.reachability.bracket_tests import _Case
from tests.control.known_results import KNOWN, Known, _thrust

ROW = {True: "yes", False: "no", None: "open"}


@pytest.mark.parametrize("known", [k for k in KNOWN if k.name[:7] != "bicycle"], ids=lambda k: k.name)
def test_answers_are_those_of_the_literature(known: Known) -> None:
    found = nh.controllability(known.system, known.state, parameters=known.parameters, kinematic=known.kinematic)
    assert found.accessible is known.accessible
    assert found.locally_controllable is known.local
    assert bool(found.linear) is known.linear
    if known.growth is not None:
        assert found.find("accessible")[0].data.growth == known.growth
    for finding in found.findings:
        assert finding.claim
        assert finding.verdict != "unknown" or not finding.exact


@pytest.mark.slow
def test_bicycle_at_speed_is_controlled_by_steering_and_driving() -> None:
    known = next(k for k in KNOWN if k.name.startswith("bicycle"))
    found = nh.controllability(known.system, known.state, parameters=known.parameters)
    assert found.linear is not None
    assert (found.linear.rank, found.linear.ignored) == (7, ("x", "wr", "wf"))
    assert (found.accessible, found.locally_controllable) == (True, False)
    assert [f.verdict for f in found.find("accessible")] == ["holds", "holds"]
    assert all(f.exact for f in found.find("accessible"))  # its root is rational at this state
    assert [f.data.growth[-1] for f in found.find("accessible")] == [10, 10]


@pytest.mark.slow
def test_inputs_move_the_bicycle_into_all_ten_directions() -> None:
    """The other route to accessibility: the derivative of the end by piecewise constant inputs, in differences, has rank ten."""
    known = next(k for k in KNOWN if k.name.startswith("bicycle"))
    model = nh.prepare(known.system, parameters=known.parameters)
    full = nh.complete_state(known.system, {"v": 4.6}, known.parameters)
    begin, steps, width = np.array([full[n] for n in model.names]), 16, 1e-4
    inputs = np.random.default_rng(4).normal(size=(steps, 2)) * [2.0, 20.0]
    shifted = [inputs + sign * width * np.eye(2 * steps)[k].reshape(steps, 2) for k in range(2 * steps) for sign in (1, -1)]
    X = np.tile(begin, (len(shifted), 1))
    for U in np.moveaxis(np.array(shifted), 1, 0):
        X = model.step_many(X, 0.08, U)
    slopes = (X[::2] - X[1::2]) / (2 * width)
    scaled = slopes / np.linalg.norm(slopes, axis=0)
    sizes = np.linalg.svd(scaled, compute_uv=False)
    assert sizes[9] > 100 * sizes[10]


def test_the_table_of_the_manual_says_the_same() -> None:
    page = (Path(__file__).parents[2] / "docs" / "control.md").read_text(encoding="utf-8")
    for known in KNOWN:
        row = f"| {known.name} | {ROW[known.accessible]} | {ROW[known.local]} | {ROW[known.linear]} | {known.reference} |"
        assert row in page


def fields_by_sympy(known: Known) -> tuple[list[sympy.Symbol], list[sympy.Matrix]]:
    """State and fields of a control system, with M⁻¹F by SymPy."""
    affine = control_affine(known.system, known.kinematic)
    state = [sympy.Symbol(n) for n in affine.names]
    mass = sympy.Matrix(len(affine.speeds), len(affine.speeds), [sympy.sympify(str(e)) for row in affine.mass for e in row])
    found = []
    for k, force in zip(affine.kinematics, affine.forces):
        rates = mass.LUsolve(sympy.Matrix([sympy.sympify(str(e)) for e in force])) if affine.speeds else sympy.Matrix(0, 1, [])
        found.append(sympy.Matrix([*(sympy.sympify(str(e)) for e in k), *rates]))
    return state, found


SHORT = [k for k in KNOWN if k.name in (
    "unicycle", "car", "ball on a plate", "Engel group", "nonintegrable but confined", "hovercraft: one lateral thruster",
    "planar body: one thruster through the centre", "ẋ = u, ẏ = x³",
)]  # fmt: skip


@pytest.mark.parametrize("known", SHORT, ids=lambda k: k.name)
def test_growth_is_that_of_brackets_by_sympy(known: Known) -> None:
    """All brackets nested to the right, differentiated by SymPy, at a random state in fifty digits."""
    state, fields = fields_by_sympy(known)
    free = sorted({s for f in fields for s in f.free_symbols}, key=str)
    random = np.random.default_rng(5)
    numbers = {s: sympy.Rational(int(random.integers(1, 99)), 37) for s in free}
    fields = [f.subs({s: e for s, e in numbers.items() if s not in state}) for f in fields]
    growth, level, rows = [], fields, [f.subs(numbers).evalf(50) for f in fields]
    expected = nh.controllability(known.system, kinematic=known.kinematic).find("accessible")[0].data.growth
    for _ in expected:
        growth.append(sympy.Matrix.hstack(*rows).rank(iszerofunc=lambda e: abs(e) < 1e-30))
        level = [b.jacobian(state) * a - a.jacobian(state) * b for a, b in product(fields, level)]
        rows += [f.subs(numbers).evalf(50) for f in level]
    assert tuple(growth) == expected


def reached(known: Known, both: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States reached by random inputs, to both sides or without a displacement of first order; the directions that no first order
    reaches; and [g1, [g1, f]]."""
    affine = control_affine(known.system, known.kinematic)
    values = {n: 0.7 + 0.3 * k for k, n in enumerate(known.system.parameters)}
    full = {n: float((known.state or {}).get(n, 0.0)) for n in affine.names}
    case = _Case(affine, values, full)
    case.numeric = True
    words, _ = case.words(2)
    inner = words.jets
    B = np.array([words.fields[k][:, 0] for k in range(1, words.count)]).T
    A = np.zeros((words.dimension, words.dimension))
    for k, j in enumerate(inner.variables):
        A[:, j] = words.fields[0][:, 1 + k]
    span = np.hstack([np.linalg.matrix_power(A, k) @ B for k in range(words.dimension)])
    u, sizes, _ = np.linalg.svd(span)
    across = u[:, np.sum(sizes > 1e-9 * sizes[0]) :]
    model = nh.prepare(known.system, parameters=values) if values else nh.prepare(known.system)
    X = np.tile([full[n] for n in model.names], (400, 1))
    steps, width, h = 12, len(affine.inputs), 0.05
    signs = np.random.default_rng(3).choice([-1.0, 1.0], (400, steps * width))
    if not both:  # no first-order displacement
        step = np.eye(len(A)) + h * A + h**2 * A @ A / 2
        ends = np.hstack([np.linalg.matrix_power(step, steps - 1 - k) @ B for k in range(steps)])
        inner_rows = np.linalg.svd(ends)[2][: np.linalg.matrix_rank(ends, 1e-12)]
        signs -= signs @ inner_rows.T @ inner_rows
    for U in np.moveaxis(signs.reshape(400, steps, width), 1, 0):
        X = model.step_many(X, h, U)
    return X - np.array([full[n] for n in model.names]), across, words.value((1, 1, 0))


@pytest.mark.parametrize("name", ["hovercraft: one lateral thruster", "ẋ = u, ẏ = x²"])
def test_reachable_states_lie_on_one_side_where_a_bad_bracket_says_so(name: str) -> None:
    known = next(k for k in KNOWN if k.name == name)
    moved, across, bad = reached(known, both=False)
    answer = nh.controllability(known.system, known.state)
    assert answer.find("bad_bracket")[0].data.bracket == "[g1, [g1, f]]"
    side = moved @ across @ across.T @ bad
    assert np.max(np.abs(side)) > 1e-4
    assert np.min(side) > -1e-3 * np.max(side) or np.max(side) < -1e-3 * np.min(side)


@pytest.mark.parametrize("name", ["ẋ = u, ẏ = x³", "hovercraft: surge and yaw", "planar body, two thrusters at a point"])
def test_reachable_states_lie_on_both_sides_where_it_is_locally_controllable(name: str) -> None:
    known = next(k for k in KNOWN if k.name == name)
    moved, across, _ = reached(known, both=True)
    for c in across.T:
        side = moved @ c
        assert np.min(side) < -0.05 * np.max(np.abs(side))
        assert np.max(side) > 0.05 * np.max(np.abs(side))


def test_linear_rank_and_stuck_modes_are_those_of_python_control() -> None:
    values = {"m": 1.3, "k": 2.0}
    springs = next(k.system for k in KNOWN if k.name.startswith("two carts"))
    lin = nh.linearise(springs, {"p": 0.0}, parameters=values)
    found = nh.controllability(springs, {"p": 0.0}, parameters=values).linear
    assert found is not None
    assert found.rank == np.linalg.matrix_rank(control.ctrb(lin.A, lin.B)) == 2
    for mode in found.stuck or ():
        hautus = np.hstack([lin.A - mode * np.eye(4), lin.B])
        assert np.linalg.svd(hautus, compute_uv=False)[-1] < 1e-9
        assert abs(mode) == pytest.approx(np.sqrt(2.0 / 1.3))


def test_unstable_mode_out_of_reach_is_named() -> None:
    two = nh.System(coordinates="p q", lagrangian="(pdot**2 + qdot**2 + 4*q**2)/2", forces={"p": "u"}, inputs="u")
    answer = nh.controllability(two, {"p": 0.0})
    assert answer.linear is not None
    assert answer.linear.stabilisable is False
    (stable,) = answer.find("stabilisable")
    assert stable.verdict == "fails"
    assert stable.data.stuck == ("2",)
    assert uncontrollable_modes(np.diag([3.0, 3.0, -1.0]), np.array([[1.0], [1.0], [0.0]])) == (3.0, -1.0)  # two equal modes


def test_nonintegrable_constraints_alone_do_not_make_a_system_controllable() -> None:
    """The Notices say that nonintegrability suffices: here the constraints are not integrable, and w − y² stays what it is."""
    half = next(k.system for k in KNOWN if k.name == "nonintegrable but confined")
    assert nh.classify(half).nonholonomic == 1
    answer = nh.controllability(half)
    (refuted,) = answer.find("nonintegrability_suffices")
    assert (refuted.verdict, refuted.data.rank, refuted.data.reached, refuted.exact) == ("fails", 2, 3, True)
    assert not nh.controllability(next(k.system for k in KNOWN if k.name == "car")).find("nonintegrability_suffices")
    (leaves,) = answer.find("leaves")
    assert (leaves.data.codimension, leaves.data.inside) == (1, True)
    (function,) = leaves.data.functions
    assert sympy.expand(sympy.sympify(function) ** 2 - sympy.sympify("(w - y**2)**2")) == 0
    run = nh.simulate(half, {"x": 0.3, "y": 0.4, "xdot": 1.0, "ydot": 0.7}, 3.0)
    assert np.ptp(run["w"] - run["y"] ** 2) < 1e-9 < np.ptp(run["z"])


def test_controllability_on_leaves_of_a_partly_holonomic_machine() -> None:
    answer = nh.controllability(nh.gallery.get("two-wheel-robot").system)
    assert (answer.accessible, answer.locally_controllable) == (False, False)
    assert answer.find("inside_leaf")
    assert answer.find("leaves")[0].data.inside is True
    assert answer.find("fibre_controllable")[0].data.reached == 2  # it turns only as its wheels do


def test_decoupling_fields_are_those_of_bullo_and_lynch() -> None:
    """A planar body with thrusters: each input alone is decoupling, together they are not; symmetric products by SymPy agree."""
    answer = nh.controllability(next(k.system for k in KNOWN if k.name.startswith("planar body, two")))
    assert [f.verdict for f in answer.find("decoupling_field")] == ["holds", "holds"]
    assert [f.verdict for f in answer.find("kinematically_controllable")] == ["fails", "holds"]
    th, m, J, h = sympy.symbols("th m J h")
    Y1 = sympy.Matrix([-sympy.sin(th) / m, sympy.cos(th) / m, -h / J])
    Y2 = sympy.Matrix([sympy.cos(th) / m, sympy.sin(th) / m, 0])
    q = sympy.Matrix([*sympy.symbols("x y"), th])
    both = Y2.jacobian(q) * Y1 + Y1.jacobian(q) * Y2  # the metric is constant: the symmetric product is this
    assert sympy.Matrix.hstack(Y1, Y2, 2 * Y1.jacobian(q) * Y1).det().simplify() == 0
    assert sympy.Matrix.hstack(Y1, Y2, both).det().simplify() != 0
    lateral = nh.controllability(next(k.system for k in KNOWN if k.name == "hovercraft: one lateral thruster"))
    assert lateral.find("decoupling_field")[0].verdict == "fails"


@pytest.mark.parametrize(
    ("surge", "sway", "mixtures"), [("c - d", "c + d", {"g1 + g2", "g1 - g2"}), ("2*c + d", "c - d", {"g1 + g2", "g1 - 2 g2"})]
)
def test_decoupling_fields_that_are_mixtures_of_inputs_are_found(surge: str, sway: str, mixtures: set[str]) -> None:
    """The same body with its inputs mixed: no input alone is decoupling, the sums that undo the mixture are."""
    mixed = nh.controllability(_thrust("mixed", surge, sway, f"-h*({sway})", "c d"))
    verdicts = {f.data.field: f.verdict for f in mixed.find("decoupling_field")}
    assert (verdicts.pop("g1"), verdicts.pop("g2")) == ("fails", "fails")
    assert set(verdicts) == mixtures
    plain = nh.controllability(next(k.system for k in KNOWN if k.name.startswith("planar body, two")))
    found, wanted = (answer.find("kinematically_controllable") for answer in (mixed, plain))
    assert [(f.verdict, f.data) for f in found] == [(f.verdict, f.data) for f in wanted]


@pytest.mark.parametrize(
    ("second", "verdicts", "varies"),
    [
        ("b*y", {"g1 + c1 g2": "fails"}, False),  # h1² + h2²: no real weights
        ("-b*y", {"g1 + g2": "holds", "g1 - g2": "holds"}, False),
        ("-2*b*y", {"g1 + c1 g2": "holds", "g1 + c2 g2": "holds"}, False),  # h2 = ± h1/√2
        ("-b*y**3", {"g1 + c1 g2": "holds", "g1 + c2 g2": "holds"}, True),  # h2 = ± h1/(√3 y)
    ],
)
def test_weights_of_decoupling_fields_are_zeros_of_a_quadratic_form(second: str, verdicts: dict[str, str], varies: bool) -> None:
    """Forces (1, 0, x) and (0, 1, f(y)) on a free particle: across them ∇_Y Y is h1² + f′(y) h2², by hand."""
    force = {"x": "a", "y": "b", "z": f"a*x + {second}"}
    particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", forces=force, inputs="a b")
    answer = nh.controllability(particle)
    fields = {f.data.field: f for f in answer.find("decoupling_field") if f.data.field not in ("g1", "g2")}
    assert {n: f.verdict for n, f in fields.items()} == verdicts
    assert all(f.data.varies == varies for f in fields.values())
    reached = answer.find("kinematically_controllable")[1].data.rank
    assert reached == (0 if "fails" in verdicts.values() else 2)  # both fields keep z − x²/2 − ∫f


def test_decoupling_fields_with_weights_that_vary_are_found() -> None:
    """The body with its thrusters' forces given in the plane, turned by th: the weights are tan th and −1/tan th."""
    plain = nh.controllability(next(k.system for k in KNOWN if k.name.startswith("planar body, two")))
    sway = "d*cos(th) - c*sin(th)"
    turned = nh.controllability(_thrust("turned", "c*cos(th) + d*sin(th)", sway, f"-h*({sway})", "c d"))
    found = [f.data for f in turned.find("decoupling_field") if f.verdict == "holds"]
    assert [(d.field, d.varies) for d in found] == [("g1 + c1 g2", True), ("g1 + c2 g2", True)]
    ranks = [answer.find("kinematically_controllable")[1].data.rank for answer in (plain, turned)]
    assert ranks == [3, 3]


@pytest.mark.parametrize(
    ("rows", "fields", "rank", "verdict"),
    [
        (["a*x + b*y - 2*c*z", "a*x - b*y"], {f"g1 {s} g2 {t} g3": "holds" for s in "+-" for t in "+-"}, 3, "fails"),
        (["a*x + b*y - 2*c*z", "a*x - b*y**3"], {"h1 g1 + h2 g2 + h3 g3": "holds"}, 3, "unknown"),  # (√3 y, 1, √(1/2 + 3y²/2))
        pytest.param(["a*x + b*y - 2*c*z", "a*x - b*y", "c*z"], {}, 0, "fails", marks=pytest.mark.slow),
        pytest.param(["a*x + b*y + c*z"], {"h1 g1 + h2 g2 + h3 g3": "fails"}, 0, "fails", marks=pytest.mark.slow),  # definite
        (["a*y + b*z"], {"h1 g1 + h2 g2 + h3 g3": "holds"}, 4, "holds"),  # h1 h2 + h2 h3 = 0: a cone
    ],
)
def test_combinations_of_three_inputs_are_zeros_of_quadratic_forms(
    rows: list[str], fields: dict[str, str], rank: int, verdict: str
) -> None:
    """Forces (1, 0, 0, f1(x) …), … on a free particle: across them ∇_Y Y is a form in h for each further coordinate, by hand."""
    names = ["x", "y", "z", *"uvw"[: len(rows)]]
    force = dict(zip(names, ["a", "b", "c", *rows]))
    kinetic = "+".join(f"{n}dot**2/2" for n in names)
    answer = nh.controllability(nh.System(coordinates=names, lagrangian=kinetic, forces=force, inputs="a b c"))
    found = {f.data.field: f for f in answer.find("decoupling_field") if "g1" in f.data.field and f.data.field.count("g") == 3}
    assert {n: f.verdict for n, f in found.items()} == fields
    reached = answer.find("kinematically_controllable")[1]
    assert (reached.data.rank, reached.verdict) == (rank, verdict)
    if rows == ["a*y + b*z"]:
        assert found["h1 g1 + h2 g2 + h3 g3"].data.family == 1
    if "b*y**3" in rows[-1]:
        assert found["h1 g1 + h2 g2 + h3 g3"].data.varies


def test_brocketts_condition() -> None:
    def verdict(name: str) -> str:
        known = next(k for k in KNOWN if k.name == name)
        return nh.controllability(known.system, known.state).find("smooth_stabiliser")[0].verdict

    assert verdict("Brockett's integrator") == verdict("snakeboard") == verdict("satellite, two torques") == "fails"
    assert verdict("acrobot") == "holds"


def test_a_state_can_be_given_in_multiples_of_pi_and_is_exact_there() -> None:
    """ẏ = (1 − sin x) w + u cos x: the brackets that see cos x vanish at π/2 alone."""
    odd = kinematic_system("x y z", {"x": "u", "y": "cos(x)*w", "z": "w"}, "u w")
    assert nh.controllability(odd, {"x": "pi/2"}).find("accessible")[1].data.growth == (2, 3)
    assert nh.controllability(odd, {"x": 0.0}).find("accessible")[1].data.growth == (2, 2, 3)
    assert nh.controllability(odd, {"x": "pi"}).find("accessible")[1].data.growth == (2, 2, 3)
    assert nh.controllability(odd, {"x": 1.0}).find("accessible")[1].data.growth == (2, 3)


def test_an_input_that_is_a_velocity_beside_free_speeds_becomes_a_state() -> None:
    boat = nh.System(
        coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2", inputs="w F",
        constraints=["thdot - w", "ydot*cos(th) - xdot*sin(th)"], forces={"x": "F*cos(th)", "y": "F*sin(th)"},
    )  # fmt: skip
    answer = nh.controllability(boat)
    assert answer.accessible is True
    assert answer.locally_controllable is True


def test_a_state_where_the_usual_speeds_degenerate_is_answered_in_others() -> None:
    """xdot is no speed of a skate that points along y; the answers are those of any other heading."""
    skate = nh.System(
        coordinates="th x y", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2", constraints=["ydot*cos(th) - xdot*sin(th)"],
        forces={"th": "u", "x": "F*cos(th)", "y": "F*sin(th)"}, inputs="u F",
    )  # fmt: skip
    for heading in ("pi/2", 0.3):
        for kinematic in (None, True):
            found = nh.controllability(skate, {"th": heading}, kinematic=kinematic)
            assert (found.accessible, found.locally_controllable) == (True, True)
            assert all(f.exact for f in found.find("accessible"))
    moving = nh.controllability(skate, {"th": "pi/2", "ydot": 1.0})
    assert (moving.accessible, moving.locally_controllable) == (True, False)


def test_wrong_questions_are_refused_with_a_reason() -> None:
    skate = nh.System(coordinates="x", lagrangian="xdot**2/2 + x*t", forces={"x": "u"}, inputs="u", parameters="m")
    with pytest.raises(nh.ModelError, match="depend on time"):
        nh.controllability(skate)
    with pytest.raises(nh.StateError, match="no parameter 'n'"):
        nh.controllability(nh.System(coordinates="x", lagrangian="xdot**2/2"), parameters={"n": 1})
    with pytest.raises(nh.ModelError, match="found text"):
        nh.controllability("unicycle")  # type: ignore[arg-type]


ROBOT = """
name = "robot with a cart"
world = "plane"
bodies = [
  {name = "robot", mass = 8, inertia = 0.4, center = [0.05, 0]},
  {name = "cart", mass = 3, inertia = 0.2, joint = {name = "beta", parent = "robot", at = [-0.25, 0], in_child = [0.4, 0]}},
]
wheels = [
  {body = "robot", at = [0, 0.2], radius = 0.08, pair = "left right", motor = "tl tr", inertia = 0.01},
  {body = "cart"},
]
"""


def test_a_machine_with_decimals_is_judged_exactly_and_its_fibre_is_counted_by_dimension(tmp_path: Path) -> None:
    """By hand: d θ̇ = r (ψ̇_r − ψ̇_l) with d = 0.4 and r = 0.08 keeps 5θ + left − right; one of five directions is out of reach."""
    (tmp_path / "robot.toml").write_text(ROBOT)
    answer = nh.controllability(nh.load(tmp_path / "robot.toml"))
    generic = answer.find("accessible")[0]
    assert generic.verdict == "fails"
    assert str(generic.evidence) == "rank of brackets modulo a prime; Chow, Sussmann–Jurdjevic"
    (fibre,) = answer.find("fibre_controllable")
    assert "4 of 5 directions" in fibre.claim
    (leaf,) = answer.find("leaves")
    assert "5*theta + left - right" in leaf.claim


@pytest.mark.parametrize("row", ["xdot**2 - ydot**2", "xdot*sin(y + xdot**2 + ydot**2) - ydot*cos(y + xdot**2 + ydot**2)"])
def test_speeds_are_no_inputs_where_constraints_bind_them_nonlinearly(row: str) -> None:
    """One velocity of two is free: the two were taken for inputs, with a linearisation of full rank."""
    system = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=[row])
    with pytest.raises(nh.ModelError, match="no sums of fields"):
        nh.controllability(system, kinematic=True)
