"""What constraints are, against Benenti's conclusions, hand computations and motions along the constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

import nonholo as nh
from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.linear import evaluate, evaluate_matrix
from nonholo.analyse import leaves, quadratic
from nonholo.analyse.classification import Classification
from nonholo.analyse.classify import classify
from nonholo.model.system import resolve


def system(coordinates: str, constraints: Any = (), **words: Any) -> nh.System:
    frame = words.get("frame")
    moving = frame.velocities if frame is not None else [f"{c}dot" for c in coordinates.split()]
    energy = " + ".join(f"{v}**2/2" for v in moving)
    return nh.System(coordinates=coordinates, lagrangian=energy, constraints=constraints, **words)


def same_up_to_a_function(found: Any, expected: str, names: str, **values: float) -> bool:
    """Whether two functions have parallel gradients: one is then a function of the other."""
    x = se.symbols(names)
    random = np.random.default_rng(3)
    for _ in range(3):
        here = {**dict(zip(names.split(), random.uniform(0.3, 1.4, len(names.split())))), **values}
        one, two = (np.array(evaluate([f.diff(s) for s in x], here)) for f in (se.sympify(found), se.sympify(expected)))
        if not abs(abs(one @ two) - np.linalg.norm(one) * np.linalg.norm(two)) < 1e-9 * np.linalg.norm(one) * np.linalg.norm(two):
            return False
    return True


POINTS = "x1 y1 x2 y2"
ORTHOGONAL = ["x1dot*(x2 - x1) + y1dot*(y2 - y1)", "x2dot*(x2 - x1) + y2dot*(y2 - y1)"]
PARALLEL = "x1dot*y2dot - x2dot*y1dot"
RIGID = "(x1 - x2)**2 + (y1 - y2)**2 - l**2"
DISTANCE = "(x1 - x2)**2 + (y1 - y2)**2"


class TestBenenti:
    """S. Benenti, Regul. Chaotic Dyn. 13 (2008), section 8: two points in the plane."""

    def test_8_1_orthogonal_velocities_are_linear_and_keep_the_distance(self) -> None:
        answer = classify(system(POINTS, ORTHOGONAL))
        assert (answer.kind, answer.form, answer.rank) == ("partly holonomic", "linear", 2)
        assert (answer.disguised, answer.nonholonomic, answer.growth) == (1, 1, (2, 3))
        assert same_up_to_a_function(answer.integrals[0], DISTANCE, POINTS)
        assert str(answer).startswith("1 of 2 constraints is holonomic in disguise: ")
        assert str(answer).endswith(" = const would be an integral; 1 nonholonomic constraint, growth vector (2, 3)")

    def test_8_1_in_polar_coordinates_the_distance_is_a_coordinate(self) -> None:
        first = "rho*(xdot*cos(theta) + ydot*sin(theta))"
        answer = classify(system("x y theta rho", [first, f"{first} + rho*rhodot"]))
        assert answer.integrals == (se.Symbol("rho"),)
        assert (answer.disguised, answer.nonholonomic, answer.growth) == (1, 1, (2, 3))

    def test_8_1_parallel_velocities_are_only_apparently_nonlinear(self) -> None:
        # "in this case it may be considered as a consequence of two independent linear conditions"
        answer = classify(system(POINTS, [*ORTHOGONAL, PARALLEL]))
        assert answer.kind == "partly holonomic"
        assert answer.linear_equivalents == answer.constraints
        assert len(answer.linear_equivalents) == 2
        assert str(answer).startswith("apparently nonlinear, but equivalent to these linear ones: x1dot*(x2 - x1)")
        assert same_up_to_a_function(answer.integrals[0], DISTANCE, POINTS)

    def test_8_2_a_rigid_segment_adds_nothing_to_8_1(self) -> None:
        answer = classify(system(POINTS, ORTHOGONAL, holonomic=[RIGID], parameters="l"))
        assert (answer.holonomic, answer.disguised, answer.nonholonomic, answer.rank) == (1, 0, 1, 2)
        assert answer.growth == (2, 3)
        assert "constraint 2 follows from the others" in str(answer)

    def test_8_2_in_three_coordinates_both_conditions_are_one(self) -> None:
        along_first = "xdot*cos(phi) + ydot*sin(phi)"
        along_second = "(xdot - l*sin(phi)*phidot)*cos(phi) + (ydot + l*cos(phi)*phidot)*sin(phi)"
        answer = classify(system("x y phi", [along_first, along_second], parameters="l"))
        assert (answer.kind, answer.rank, answer.growth) == ("nonholonomic", 2, (2, 3))
        assert answer.remarks == ("constraint 2 follows from the others",)

    def test_8_3_parallel_velocities_of_free_points_are_truly_nonlinear(self) -> None:
        answer = classify(system(POINTS, [PARALLEL]))
        assert (answer.kind, answer.rank, answer.homogeneous) == ("nonlinear", 3, True)
        assert not answer.branches and not answer.linear_equivalents
        assert str(answer) == "nonlinear, homogeneous (the reaction does no work): 1 constraint"

    def test_8_3_by_parameters(self) -> None:
        table = {"x1dot": "v1*cos(th)", "y1dot": "v1*sin(th)", "x2dot": "v2*cos(th)", "y2dot": "v2*sin(th)"}
        answer = classify(system(POINTS, parametric=("v1 v2 th", table)))
        assert (answer.kind, answer.rank, answer.homogeneous) == ("nonlinear", 3, True)

    def test_8_4_a_rigid_segment_with_parallel_velocities_has_two_linear_branches(self) -> None:
        second = ("xdot - l*sin(phi)*phidot", "ydot + l*cos(phi)*phidot")
        answer = classify(system("x y phi", [f"xdot*({second[1]}) - ydot*({second[0]})"], parameters="l"))
        self._two_types_of_motion(answer)
        holonomic = next(b for b in answer.branches if b.nonholonomic == 0)
        assert holonomic.constraints == (se.Symbol("phidot"),)
        assert holonomic.integrals == (se.Symbol("phi"),)

    def test_8_4_as_benenti_writes_it(self) -> None:
        answer = classify(system("x y phi", ["(xdot*cos(phi) + ydot*sin(phi))*phidot"]))
        self._two_types_of_motion(answer)
        assert str(answer) == (
            "factors into two linear branches: A: xdot*cos(phi) + ydot*sin(phi) = 0 (1 nonholonomic constraint, growth "
            "vector (2, 3)), B: phidot = 0 (holonomic in disguise: phi = const would be an integral)"
        )

    def test_8_4_by_the_points_themselves(self) -> None:
        answer = classify(system(POINTS, [PARALLEL], holonomic=[RIGID], parameters="l"))
        self._two_types_of_motion(answer)
        for branch in answer.branches:
            assert branch.holonomic == 1
            if branch.disguised:  # translation: the difference of the points stays
                assert same_up_to_a_function(branch.integrals[0], "x1 - x2", POINTS)

    @staticmethod
    def _two_types_of_motion(answer: Classification) -> None:
        assert answer.kind == "branches"
        assert sorted((b.nonholonomic, b.disguised) for b in answer.branches) == [(0, 1), (1, 0)]
        assert sorted(b.growth for b in answer.branches) == [(2,), (2, 3)]
        assert "factors into two linear branches" in str(answer)

    def test_orthogonal_and_parallel_says_more_than_orthogonal_twice(self) -> None:
        # v1 ⟂ P1P2 and v1 ∥ v2: the first point stands still, or v2 ⟂ P1P2 too
        answer = classify(system(POINTS, [ORTHOGONAL[0], PARALLEL]))
        assert sorted((b.disguised, b.nonholonomic) for b in answer.branches) == [(1, 1), (2, 0)]


WORDS = {
    "no constraints: all 2 velocities are free": system("x y"),
    "1 nonholonomic constraint, growth vector (2, 3)": system("th x y", ["ydot*cos(th) - xdot*sin(th)"]),
    "2 nonholonomic constraints, growth vector (2, 3, 4)": system(
        "x y phi th", ["xdot - R*cos(phi)*thdot", "ydot - R*sin(phi)*thdot"], parameters="R"
    ),
    "holonomic in disguise: x**2 + y**2 = const would be an integral": system("x y", ["x*xdot + y*ydot"]),
    "holonomic in disguise: x - y = const would be an integral": system("x y", ["exp(x)*(ydot - xdot)"]),
    "1 holonomic constraint (declared)": system("x y", holonomic=["x**2 + y**2 - 1"]),
    "1 holonomic constraint (declared); 1 nonholonomic constraint, growth vector (2, 3)": system(
        "th x y z", ["ydot*cos(th) - xdot*sin(th)"], holonomic=["z - x**2"]
    ),
    "1 of 2 constraints is holonomic in disguise: w = const would be an integral; "
    "1 nonholonomic constraint, growth vector (2, 3)": system("x y z w", ["zdot - y*xdot + wdot", "wdot"]),
    "1 affine nonholonomic constraint, growth vector (3, 4) on configurations and time": system(
        "x y z", ["zdot - y*xdot - 1"]
    ),
    "holonomic in disguise: x - sin(t) = const would be an integral": system("x y", ["xdot - cos(t)"]),
    "nonlinear, not homogeneous (the reaction may do work): 1 constraint": system(
        "x y", ["xdot**2 + ydot**2 - c**2"], parameters="c"
    ),
    "nonlinear, homogeneous (the reaction does no work): 1 constraint": system(
        "x y z", ["zdot**2 - a**2*(xdot**2 + ydot**2)"], parameters="a"
    ),
    "nonlinear, homogeneous (the reaction does no work): 1 constraint, beside 1 linear one": system(
        "x y z th", ["zdot**2 - xdot**2 - ydot**2", "thdot - y*zdot"]
    ),
    "apparently nonlinear, but equivalent to these linear ones: xdot*cos(th) + ydot*sin(th) = 0; "
    "1 nonholonomic constraint, growth vector (2, 3)": system("x y th", ["(xdot*cos(th) + ydot*sin(th))**2"]),
    "no velocity satisfies the constraints": system("x y", ["xdot**2 + 1"]),
}


@pytest.mark.parametrize("words", WORDS)
def test_in_words(words: str) -> None:
    assert str(classify(WORDS[words])) == words


INTEGRABLE: dict[str, tuple[nh.System, str, str]] = {
    "angle": (system("x y", ["xdot*y - ydot*x"]), "x/y", "x y"),
    "separable": (system("x y", ["xdot/x - ydot/y**2"]), "log(x) + 1/y", "x y"),
    "graph of a function": (system("x y z", ["zdot - x*cos(x)*xdot"]), "z - cos(x) - x*sin(x)", "x y z"),
    "linear differential equation": (system("x y", ["ydot - (y + exp(x))*xdot"]), "y*exp(-x) - x", "x y"),
    "homogeneous": (system("x y", ["(x**2 + y**2)*xdot - 2*x*y*ydot"]), "(x**2 - y**2)/x", "x y"),
    "factor in three variables": (system("x y z", ["y*xdot - x*ydot + x*y*zdot"]), "log(x/y) + z", "x y z"),
    "surfaces": (system("x y z", ["y*z*xdot + x*z*ydot + x*y*zdot"]), "x*y*z", "x y z"),
    "polar": (system("r th", ["rdot - r*tan(th)*thdot"]), "r*cos(th)", "r th"),
    "rolling on a line": (system("x phi", ["xdot - R*phidot"], parameters="R"), "x - R*phi", "x phi"),
    "with a scale": (system("x y", ["m*x*xdot + k*y*ydot"], parameters="m k"), "m*x**2 + k*y**2", "x y"),
    "pendulum's rates": (
        system("x th", ["xdot - l*cos(th)*thdot"], parameters="l"), "x - l*sin(th)", "x th",
    ),
    "in quasi-velocities": (
        system("th x y", ["v"], quasivelocities={"w": "thdot", "v": "x*xdot + y*ydot", "s": "ydot"}), "x**2 + y**2", "th x y",
    ),
    "mixed with another": (
        system("x y z w", ["zdot - w*xdot + x*xdot + y*ydot", "x*xdot + y*ydot"]), "x**2 + y**2", "x y z w",
    ),
}  # fmt: skip
PARAMETERS = {"R": 0.83, "m": 1.31, "k": 0.47, "l": 1.21}


@pytest.mark.parametrize("name", INTEGRABLE)
def test_integrals_known_in_closed_form(name: str) -> None:
    which, expected, names = INTEGRABLE[name]
    answer = classify(which)
    assert answer.disguised == 1
    values = {p: PARAMETERS[p] for p in which.parameters}
    (integral,) = answer.integrals
    found = integral.subs({se.Symbol(n): x for n, x in values.items()})
    wanted = se.sympify(expected).subs({se.Symbol(n): x for n, x in values.items()})
    assert same_up_to_a_function(found, str(wanted), names)


def test_several_integrals_at_once() -> None:
    answer = classify(system("x y th", ["xdot - l*cos(th)*thdot", "ydot - l*sin(th)*thdot"], parameters="l"))
    assert (answer.disguised, len(answer.integrals), answer.nonholonomic) == (2, 2, 0)
    answer = classify(system("x y z w", ["xdot + y*zdot", "ydot"]))  # dx + y dz is integrable only where y is constant
    assert len(answer.integrals) == 2
    assert {str(f) for f in answer.integrals} == {"y", "x + y*z"}


def test_integrable_without_closed_form_says_so() -> None:
    answer = classify(system("x y", ["sin(x*y)*xdot + (exp(x) + y)*ydot"]))
    assert str(answer) == "holonomic in disguise: integrable, but no closed form found"
    assert answer.integrals == ()


def test_integrals_are_written_with_functions_that_can_be_read_back() -> None:
    # ∫ exp(x)/x dx is no elementary function
    answer = classify(system("x y", ["ydot - exp(x)/x*xdot"]))
    assert (answer.kind, answer.integrals) == ("holonomic in disguise", ())


@pytest.mark.parametrize("name", INTEGRABLE)
def test_integrals_stay_constant_along_motions_that_keep_the_constraints(name: str) -> None:
    which = INTEGRABLE[name][0]
    assert _drift(which, classify(which).integrals) < 1e-8


def test_a_false_integral_would_be_noticed() -> None:
    assert _drift(INTEGRABLE["angle"][0], (se.sympify("x*y"),)) > 1e-3


def _drift(which: nh.System, functions: Any) -> float:
    """The largest change of the functions along Runge–Kutta's motion with random admissible velocities.

    The velocities come from numpy's null space of the constraints' slopes; no code of classify is shared.
    """
    assert which.frame is not None
    residuals = resolve(which, which.constraints)
    slopes = jacobian(residuals, symbols(which.velocities))
    random = np.random.default_rng(17)
    fixed = {p: PARAMETERS[p] for p in which.parameters}
    names = which.coordinates
    x = random.uniform(0.6, 1.2, len(names))
    weights = random.uniform(-1, 1, len(which.velocities))

    def rate(point: Any) -> Any:
        here = {**fixed, **dict(zip(names, point))}
        matrix = evaluate_matrix(slopes, here)
        free = weights - np.linalg.pinv(matrix) @ (matrix @ weights)
        return evaluate_matrix(which.frame.anchor, here) @ free  # type: ignore[union-attr]

    def values(point: Any) -> Any:
        return np.array(evaluate(list(functions), {**fixed, **dict(zip(names, point))}))

    start, step = values(x), 0.01
    for _ in range(40):
        a = rate(x)
        b = rate(x + step / 2 * a)
        c = rate(x + step / 2 * b)
        d = rate(x + step * c)
        x = x + step / 6 * (a + 2 * b + 2 * c + d)
    return float(np.max(np.abs(values(x) - start)))


LINEAR_IN_DISGUISE = {
    "sum of squares": ("x y z", ["(xdot - ydot)**2 + zdot**2"], 2),
    "sum of squares, multiplied out": ("x y z", ["xdot**2 - 2*xdot*ydot + ydot**2 + 3*zdot**2"], 2),
    "square, multiplied out": ("x y z", ["xdot**2 + 2*y*xdot*zdot + y**2*zdot**2"], 1),
    "square by the double angle": ("x y th", ["xdot**2*cos(th)**2 + xdot*ydot*sin(2*th) + ydot**2*sin(th)**2"], 1),
    "negative square": ("x y z", ["-(zdot - y*xdot)**4"], 1),
    "quotient": ("x y th", ["ydot/xdot - tan(th)"], 1),
    "cube": ("x y", ["xdot**3 - ydot**3"], 1),  # the other factor is definite
    "two at once": ("x y z", ["(zdot - y*xdot)**2", "xdot*(zdot - y*xdot)"], 1),
    "definite": ("x y z", ["xdot**2 + xdot*ydot + ydot**2"], 2),
}


@pytest.mark.parametrize("name", LINEAR_IN_DISGUISE)
def test_linear_in_disguise(name: str) -> None:
    coordinates, constraints, count = LINEAR_IN_DISGUISE[name]
    answer = classify(system(coordinates, constraints))
    assert len(answer.linear_equivalents) == count
    assert answer.rank == len(coordinates.split()) - count
    _same_velocities(coordinates, constraints, answer.linear_equivalents)


def _same_velocities(coordinates: str, constraints: list[str], linear: Any) -> None:
    """The linear ones' null space satisfies the constraints, and no random velocity outside of it does."""
    random = np.random.default_rng(5)
    names = coordinates.split()
    rates = [f"{n}dot" for n in names]
    exprs = [se.sympify(c) for c in constraints]
    slopes = jacobian(linear, se.symbols(" ".join(rates)))
    for _ in range(5):
        here = dict(zip(names, random.uniform(-1, 1, len(names))))
        matrix = evaluate_matrix(slopes, here)
        free = random.uniform(-1, 1, len(names))
        inside = free - np.linalg.pinv(matrix) @ (matrix @ free)
        assert np.max(np.abs(evaluate(exprs, {**here, **dict(zip(rates, inside))}))) < 1e-12
        outside = inside + np.linalg.pinv(matrix) @ random.choice([-1.0, 1.0], len(matrix)) * 0.3
        assert np.max(np.abs(evaluate(exprs, {**here, **dict(zip(rates, outside))}))) > 1e-4


BRANCHING = {
    "difference of squares": ("x y", ["xdot**2 - ydot**2"], 2),
    "with a root": ("x y", ["xdot**2 - 2*ydot**2"], 2),
    "with a root of a function": ("x y z", ["zdot**2 - (1 + x**2)*ydot**2"], 2),
    "square of a function": ("x y z", ["zdot**2 - (1 + x**2)**2*ydot**2"], 2),
    "mixed term": ("x y z", ["x*xdot*zdot + y*xdot*ydot"], 2),
    "three": ("x y z", ["xdot*ydot*(zdot - y*xdot)"], 3),
    "two squares' difference on a plane": ("x y z", ["xdot**2 + zdot*ydot", "zdot - 3*xdot + 2*ydot"], 2),
    "affine": ("x y", ["xdot**2 - 4"], 2),
    "a branch inside another": ("x y z", ["xdot*(xdot**2 + ydot**2)*zdot"], 2),
}


@pytest.mark.parametrize("name", BRANCHING)
def test_branches(name: str) -> None:
    coordinates, constraints, count = BRANCHING[name]
    answer = classify(system(coordinates, constraints))
    assert (answer.kind, len(answer.branches)) == ("branches", count)
    random = np.random.default_rng(9)
    names = coordinates.split()
    rates = [f"{n}dot" for n in names]
    for branch in answer.branches:
        rows = jacobian(branch.constraints, se.symbols(" ".join(rates)))
        for _ in range(3):
            here = dict(zip(names, random.uniform(0.2, 1, len(names))))
            matrix = evaluate_matrix(rows, here)
            side = evaluate(list(branch.constraints), {**here, **dict.fromkeys(rates, 0.0)})
            free = random.uniform(-1, 1, len(names))
            v = free - np.linalg.pinv(matrix) @ (matrix @ free + side)
            values = {**here, **dict(zip(rates, v))}
            assert np.max(np.abs(evaluate([se.sympify(c) for c in constraints], values))) < 1e-12


@pytest.mark.parametrize(
    "constraint",
    [
        "xdot**2 + ydot**2 - zdot**2",  # a cone
        "x*xdot**2 + ydot**2 - 0.1*zdot**2",
        "xdot*ydot - zdot**2",
        "xdot**3 + ydot**3 + zdot**3",
        "xdot**4 + ydot**4 - zdot**4 + xdot*ydot*zdot**2",
    ],
)
def test_truly_nonlinear_ones_are_left_alone(constraint: str) -> None:
    answer = classify(system("x y z", [constraint]))
    assert (answer.kind, answer.homogeneous, answer.rank) == ("nonlinear", True, 2)
    assert not answer.branches and not answer.linear_equivalents


def test_a_form_that_changes_its_signs_is_not_called_linear() -> None:
    # for x > 0 only rest is admissible, for x < 0 two directions are
    answer = classify(system("x y", ["x*xdot**2 + ydot**2"]))
    assert answer.kind == "nonlinear"
    assert "other kinds of velocities at some configurations" in str(answer)


@pytest.mark.parametrize("constraint", ["xdot*ydot - 1", "sqrt(xdot**2 + ydot**2) - 2", "xdot**2 + ydot - 1", "exp(xdot) - ydot"])
def test_not_homogeneous(constraint: str) -> None:
    answer = classify(system("x y", [constraint]))
    assert (answer.kind, answer.homogeneous) == ("nonlinear", False)


@pytest.mark.parametrize("constraints", [["xdot**2 + ydot**2 + 2"], ["xdot - 1", "xdot - 2"], ["xdot**2 - 3", "xdot - 1"]])
def test_constraints_that_no_velocity_satisfies(constraints: list[str]) -> None:
    assert classify(system("x y", constraints)).kind == "impossible"


class TestParameters:
    def test_polar_parameters_of_a_plane_are_linear(self) -> None:
        table = {"xdot": "v*cos(a)", "ydot": "v*sin(a)", "zdot": "x*v*sin(a)"}
        answer = classify(system("x y z", parametric=("v a", table)))
        assert same_up_to_a_function(answer.linear_equivalents[0], "zdot - x*ydot", "xdot ydot zdot", x=0.7)
        assert (answer.kind, answer.growth) == ("nonholonomic", (2, 3))

    def test_polar_parameters_of_everything_are_no_constraint(self) -> None:
        answer = classify(system("x y", parametric=("v a", {"xdot": "v*cos(a)", "ydot": "v*sin(a)"})))
        assert answer.kind == "unconstrained"

    def test_linear_parameters(self) -> None:
        # Benenti (46)
        table = {"xdot": "v*sin(theta)", "ydot": "-v*cos(theta)", "thetadot": "w"}
        answer = classify(system("x y theta", parametric=("v w", table)))
        assert (answer.kind, answer.form, answer.growth) == ("nonholonomic", "linear", (2, 3))
        assert not answer.linear_equivalents

    def test_affine_parameters(self) -> None:
        answer = classify(system("x y z", parametric=("a b", {"xdot": "a", "ydot": "b", "zdot": "y*a + 1"})))
        assert (answer.kind, answer.form, answer.growth) == ("nonholonomic", "affine", (3, 4))

    def test_constant_speed(self) -> None:
        answer = classify(system("x y", parametric=("a", {"xdot": "c*cos(a)", "ydot": "c*sin(a)"}), parameters="c"))
        assert (answer.kind, answer.homogeneous, answer.nonlinear) == ("nonlinear", False, 1)

    def test_a_cone_in_a_plane_is_nonlinear_beside_a_linear_one(self) -> None:
        table = {"xdot": "a**2", "ydot": "a*b", "zdot": "b**2", "wdot": "a**2 + x*b**2"}
        answer = classify(system("x y z w", parametric=("a b", table)))
        assert (answer.kind, answer.homogeneous, answer.nonlinear) == ("nonlinear", True, 1)
        assert "beside 1 linear one" in str(answer)


class TestTime:
    def test_table_that_turns_with_the_ball(self) -> None:
        frame = nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.Euclidean("x y")
        still = system("x y", ["xdot - r*w2", "ydot + r*w1"], frame=frame, parameters="r")
        turning = system("x y", ["xdot - r*w2 + W*y", "ydot + r*w1 - W*x"], frame=frame, parameters="r W")
        assert str(classify(still)) == "2 nonholonomic constraints, growth vector (3, 5)"
        assert str(classify(turning)) == (
            "2 affine nonholonomic constraints, growth vector (4, 6) on configurations and time"
        )

    def test_holonomic_constraint_that_moves(self) -> None:
        answer = classify(system("x y", holonomic=["x**2 + y**2 - (2 + sin(t))**2"]))
        assert (answer.kind, answer.holonomic, answer.disguised) == ("holonomic", 1, 0)

    def test_rotation_by_velocities_keeps_the_radius(self) -> None:
        answer = classify(system("x y", ["xdot - W*y", "ydot + W*x"], parameters="W"))
        assert (answer.disguised, answer.nonholonomic, answer.rank) == (2, 0, 0)
        assert se.sympify("x**2 + y**2") in answer.integrals

    def test_time_in_the_coefficients(self) -> None:
        # a blade whose direction is a given function of time; d(x sin t − y cos t) has no part along the blade's normal
        answer = classify(system("x y", ["ydot*cos(t) - xdot*sin(t)"]))
        assert (answer.form, answer.with_time, answer.growth) == ("linear", True, (2, 3))

    def test_inputs_in_the_constraints(self) -> None:
        assert classify(system("x y", ["xdot - u"], inputs="u")).disguised == 1
        assert classify(system("x y", ["xdot - u*y"], inputs="u")).nonholonomic == 1
        # a blade that is turned by hand: integrable if the hand rested, but it is a function of time
        assert classify(system("x y", ["xdot*cos(u) + ydot*sin(u)"], inputs="u")).growth == (2, 3)


class TestGroups:
    def test_suslov_three_ways(self) -> None:
        by_matrix = system("", ["a*w1 + w3"], frame=nh.SO3("R", rates="w1 w2 w3"), parameters="a")
        by_quaternion = system("", ["a*w1 + w3"], frame=nh.Quaternion("q", rates="w1 w2 w3"), parameters="a")
        by_algebra = system("", ["a*w1 + w3"], frame=nh.LieAlgebra(nh.so(3), rates="w1 w2 w3"), parameters="a")
        for which in (by_matrix, by_quaternion, by_algebra):
            assert str(classify(which)) == "1 nonholonomic constraint, growth vector (2, 3)"

    def test_suslov_by_euler_angles(self) -> None:
        # ω3 = ψ' + φ' cos θ, ω1 = φ' sin θ sin ψ + θ' cos ψ
        first, third = "phidot*sin(theta)*sin(psi) + thetadot*cos(psi)", "psidot + phidot*cos(theta)"
        answer = classify(system("phi theta psi", [f"a*({first}) + {third}"], parameters="a"))
        assert str(answer) == "1 nonholonomic constraint, growth vector (2, 3)"

    def test_a_body_that_may_only_turn_about_one_axis(self) -> None:
        answer = classify(system("", ["w1", "w2"], frame=nh.SO3("R", rates="w1 w2 w3")))
        assert (answer.disguised, answer.nonholonomic) == (2, 0)
        columns = {se.Symbol(f"R{i}3") for i in (1, 2, 3)}  # the axis in space stays
        assert len(answer.integrals) == 2 and all(f.free_symbols <= columns for f in answer.integrals)

    def test_algebra_alone_has_nothing_to_write_integrals_in(self) -> None:
        answer = classify(system("", ["w1", "w2"], frame=nh.LieAlgebra(nh.so(3), rates="w1 w2 w3")))
        assert (answer.kind, answer.integrals) == ("holonomic in disguise", ())


class TestNothingIsBelievedUnverified:
    """Each step's answer is replaced by a false one, which must be noticed."""

    def test_a_false_potential(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leaves, "simple_integrals", lambda *_: [se.sympify("x + y")])
        monkeypatch.setattr(leaves, "potential", lambda *_: se.sympify("x*y"))
        assert classify(system("x y", ["x*xdot + y*ydot"])).integrals == ()

    def test_false_factors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import sympy

        x, y = sympy.symbols("x1dot y2dot")
        monkeypatch.setattr(sympy, "factor_list", lambda _: (sympy.Integer(1), [(x, 1), (y, 1)]))
        assert classify(system(POINTS, [PARALLEL])).kind == "nonlinear"

    def test_a_false_signature(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(quadratic, "_signature", lambda _: (2, 0))
        assert classify(system("x y", ["x*xdot**2 + ydot**2"])).linear_equivalents == ()

    def test_false_squares(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(quadratic, "_adds_up", lambda *_, **__: True)
        assert classify(system("x y", ["x*xdot**2 + ydot**2"])).linear_equivalents == ()


def test_special_parameter_values_are_reported() -> None:
    # with a = 0 the constraint is dz = 0
    which = system("x y z", ["zdot - a*y*xdot"], parameters={"a": 0.0})
    assert str(classify(which)) == (
        "1 nonholonomic constraint, growth vector (2, 3); at the system's own parameter values the growth vector is (2,)"
    )
    ordinary = system("x y z", ["zdot - a*y*xdot"], parameters={"a": 0.4})
    assert classify(ordinary).remarks == ()
    dependent = classify(system("x y z", ["zdot - y*xdot - a*ydot", "zdot - y*xdot"], parameters={"a": 0.0}))
    assert (dependent.rank, dependent.growth) == (1, (1,))
    assert dependent.remarks == ("at the system's own parameter values the growth vector is (2, 3)",)


def test_a_singular_configuration_is_reported() -> None:
    martinet = system("x y z", ["zdot - y**2*xdot"])
    assert classify(martinet, at={"x": 0, "y": 0, "z": 0}).remarks == ("at the given configuration it is (2, 2, 3)",)
    assert classify(martinet, at={"x": 0, "y": 1, "z": 0}).remarks == ()


def test_dependent_constraints_are_named_not_refused() -> None:
    answer = classify(system("x y z", ["zdot - y*xdot", "2*zdot - 2*y*xdot", "ydot"]))
    assert answer.rank == 1
    assert "constraint 2 follows from the others" in str(answer)


def test_findings_carry_the_integral_and_its_evidence() -> None:
    answer = classify(system("x y", ["x*xdot + y*ydot"]))
    (finding,) = [f for f in answer.findings if f.expression is not None]
    assert finding.verdict == "holds" and finding.expression == answer.integrals[0] and finding.value < 1e-12


ENTRIES = ["0", "1", "x", "y", "cos(x)", "z*y", "-1"]


@settings(max_examples=12, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from(ENTRIES), min_size=4, max_size=4), min_size=1, max_size=2),
    scale=st.sampled_from(["exp(x)", "(2 + sin(y))", "-3", "(1 + w**2)"]),
    mix=st.sampled_from(["x", "0", "z", "cos(w)"]),
)
def test_the_answer_does_not_depend_on_how_constraints_are_written(rows: list[list[str]], scale: str, mix: str) -> None:
    names = "x y z w"
    residuals = ["+".join(f"({e})*{n}dot" for e, n in zip(row, names.split())) for row in rows]
    residuals = [r for r in residuals if se.sympify(r).expand() != 0]
    if not residuals:
        return
    other = [f"{scale}*({r})" for r in residuals]
    other[-1] = f"{other[-1]} + ({mix})*({other[0]})" if len(other) > 1 else other[-1]
    forms = {"p": "xdot", "q": "ydot - x*xdot", "r": "zdot + y*wdot", "s": "wdot"}
    moved = system(names, residuals[::-1], quasivelocities=forms)
    first = classify(system(names, residuals))
    for answer in (classify(system(names, other)), classify(moved)):
        assert (answer.kind, answer.rank, answer.growth) == (first.kind, first.rank, first.growth)
        assert (answer.disguised, answer.nonholonomic) == (first.disguised, first.nonholonomic)
