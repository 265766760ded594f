"""What constraints are, against Benenti's conclusions, hand computations and motions along the constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.analyse.constraints.classification import Classification
from nonholo.analyse.constraints.classify_constraints import classify
from nonholo.geometry.foliations import leaves
from nonholo.model.velocities import constraint_branches
from nonholo.model.velocities import quadratic_constraints as quadratic


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
    if not residuals or len({se.sympify(r).expand() for r in residuals}) < len(residuals):
        return  # the same constraint twice is refused
    other = [f"{scale}*({r})" for r in residuals]
    other[-1] = f"{other[-1]} + ({mix})*({other[0]})" if len(other) > 1 else other[-1]
    forms = {"p": "xdot", "q": "ydot - x*xdot", "r": "zdot + y*wdot", "s": "wdot"}
    moved = system(names, residuals[::-1], quasivelocities=forms)
    first = classify(system(names, residuals))
    for answer in (classify(system(names, other)), classify(moved)):
        assert (answer.kind, answer.rank, answer.growth) == (first.kind, first.rank, first.growth)
        assert (answer.disguised, answer.nonholonomic) == (first.disguised, first.nonholonomic)


@pytest.mark.slow
def test_the_brackets_of_a_bicycle_stay_in_the_leaf_of_its_holonomic_constraint() -> None:
    """Eight coordinates, one holonomic and four rolling constraints: the leaf has seven dimensions."""
    from tests.program.subjects import PLAIN

    (bicycle,) = [p for p in PLAIN if p.stem == "whipple-bicycle"]
    found = nh.classify(nh.load(bicycle))
    assert found.growth == (3, 5, 7)
    assert (found.holonomic, found.disguised, found.nonholonomic) == (1, 0, 4)


def test_constraints_that_are_written_linearly_are_not_multiplied_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contacts of a wheelset have more terms than can be written; its classification did not end."""

    def refuse(expr: Any) -> Any:
        raise AssertionError(expr)

    monkeypatch.setattr(constraint_branches, "expand", refuse)
    x, y, a = se.symbols("xdot ydot a")
    assert constraint_branches.affine_row((a + x * se.sin(a)) * (a + 1), (x, y)) == (se.sin(a) * (a + 1), 0, a * (a + 1))


def test_a_constraint_with_cases_in_the_coordinates_is_linear() -> None:
    """The derivative by a velocity of cases that do not hold it is a case of zeros; a wheel at a kerb was called nonlinear."""
    row = classify(nh.System(coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2", constraints=["xdot - zdot*Max(x, 0)"]))
    assert (row.form, row.kind) == ("linear", "holonomic in disguise")


def test_combinations_of_forms_are_solved_only_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The car in a bowl spent its work on the first form, after twelve solutions that nobody looked at."""
    x, y, z = se.symbols("x y z")
    forms = ((x + 1, y, z), (y, x, se.Integer(1)))
    samples = [{"x": 0.3, "y": 0.7, "z": 0.2}, {"x": 1.1, "y": 0.4, "z": 0.9}]
    solved: list[Any] = []
    solve = leaves.solve
    monkeypatch.setattr(leaves, "solve", lambda *words: solved.append(words) or solve(*words))
    choices = leaves._choices(forms, samples)
    assert [next(choices), next(choices)] == list(forms) and not solved
    assert len(list(choices)) > 1 and len(solved) == 3
