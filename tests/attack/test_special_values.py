"""Claims with tacit conditions: special parameters, roots of squares, functions without exact numbers, forces left out."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.finding import AlmostAll, LinearMomenta, Symmetries
from nonholo.geometry.groups.adjoint import unimodular
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.measure.density_absence import suslov_criterion

SO3 = {("e1", "e2"): "e3", ("e2", "e3"): "e1", ("e3", "e1"): "e2"}
TOP = "(e1**2 + 2*e2**2 + 3*e3**2)/2"


def particle(potential: str, parameters: object = ()) -> nh.System:
    """A particle in the potential, with a second coordinate that no shift leaves alone."""
    return nh.System(coordinates="x y", parameters=parameters, lagrangian=f"(xdot**2 + ydot**2)/2 - ({potential}) - cos(y)")


def symmetry_line(potential: str, parameters: object = ()) -> nh.Finding:
    """The line on symmetries of its judgement."""
    found = nh.verdict(particle(potential, parameters), witness=False).findings
    return next(f for f in found if isinstance(f.data, Symmetries))


@pytest.mark.parametrize(
    "zero",
    [
        "sqrt(x**4 + 2*x**2 + 1) - x**2 - 1",
        "sqrt(cosh(x)**2) - cosh(x)",
        "((x**2 + 1)**3)**(1/3) - x**2 - 1",
        "exp(2*log(x**2 + 1)) - (x**2 + 1)**2",
        "cos(2*atan(x)) - (1 - x**2)/(1 + x**2)",
    ],
)
def test_what_is_zero_behind_roots_and_inverse_functions_denies_no_symmetry(zero: str) -> None:
    """The potential is zero, so that x is shifted; modulo a prime the root of a square has either sign."""
    found = group_of(particle(zero))
    assert found.generators or found.open


def test_a_root_that_is_no_square_still_denies_a_symmetry() -> None:
    found = symmetry_line("sqrt(x**2 + 1)")
    assert found.verdict == "fails" and found.proved


def test_a_symmetry_is_denied_for_almost_all_values_of_parameters_without_one() -> None:
    generic, given = symmetry_line("k*x**4", "k"), symmetry_line("k*x**4", {"k": 2.0})
    assert AlmostAll(parameters=("k",)) in generic.basis and "almost all values of k" in generic.claim
    assert given.proved and given.verdict == "fails" and not any(isinstance(e, AlmostAll) for e in given.basis)


def test_turns_of_many_pairs_that_were_not_tried_are_not_denied() -> None:
    names = [f"q{k}" for k in range(10)]
    wells = "".join(f" - cos({k}*q{k})*(1 + q{k}**4)" for k in range(2, 10))
    energy = " + ".join(f"{n}dot**2/2" for n in names)
    system = nh.System(coordinates=" ".join(names), lagrangian=f"{energy} - cos(q0**2 + q1**2){wells}")
    found = group_of(system)
    assert found.open and not found.generators


def test_constants_behind_nested_roots_are_read_twice() -> None:
    """It was refused: the name 'constant_0_' appears twice."""
    assert symmetry_line("(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))*cos(x)").verdict == "holds"


def denied_momenta(k: float) -> list[nh.Finding]:
    """What is denied of a particle with the potential ``k x² y⁴``; with k = 0 ydot is constant."""
    system = nh.System(
        coordinates="x y z", parameters={"k": k}, lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - k*x**2*y**4",
        constraints=["zdot - y*xdot"],
    )  # fmt: skip
    found = nh.integrals(system, witness=False)
    assert any(f and str(f.expression) == "ydot" for f in found) is (k == 0)
    return [f for f in found if isinstance(f.data, LinearMomenta) and f.verdict == "fails"]


def test_no_momentum_is_denied_for_special_values_of_the_parameters() -> None:
    """The coefficient of ydot depends on no variable: what is denied holds for almost all k."""
    denied = denied_momenta(0.0)
    assert denied and all(AlmostAll(parameters=("k",)) in f.basis and not f.proved for f in denied)


def test_momenta_are_denied_for_the_given_values_of_the_parameters() -> None:
    """With k = 2 the claim is about k = 2."""
    denied = denied_momenta(2.0)
    assert denied and all(f.proved and not any(isinstance(e, AlmostAll) for e in f.basis) for f in denied)


def test_the_criterion_of_suslov_refuses_forces_and_time() -> None:
    """A damped body was called one with a smooth measure, by a theorem on bodies without forces."""
    frame = nh.LieAlgebra(SO3)
    for words in ({"forces": {"e1": "-e1"}}, {"lagrangian": f"exp(t)*{TOP}"}, {"constraints": ["e3 - t*e1"]}):
        with pytest.raises(nh.ModelError, match="without forces"):
            suslov_criterion(nh.System(**{"frame": frame, "lagrangian": TOP, **words}))


def test_the_criterion_of_suslov_knows_the_values_of_parameters() -> None:
    def body(values: object) -> nh.Finding:
        lagrangian = f"{TOP} + k*e1*e3"
        frame = nh.LieAlgebra(SO3)
        return suslov_criterion(nh.System(frame=frame, parameters=values, lagrangian=lagrangian, constraints=["e3"])).holds

    assert (body({"k": 0.0}).verdict, body({"k": 0.5}).verdict) == ("holds", "fails")
    assert AlmostAll(parameters=("k",)) in body("k").basis


def test_an_algebra_with_parameters_is_not_unimodular_for_almost_all_values() -> None:
    assert AlmostAll(parameters=("a",)) in unimodular(nh.LieAlgebra({("e1", "e2"): "a*e2"}, parameters="a")).basis
    assert not any(isinstance(e, AlmostAll) for e in unimodular(nh.LieAlgebra({("e1", "e2"): "e2"})).basis)


def steered(drift: str, state: object = None) -> nh.Controllability:
    return nh.controllability(nh.control.kinematic_system("x y", {"x": "u", "y": drift}, "u"), state)


@pytest.mark.parametrize("drift", ["log(x)", "atan(x) - pi/4", "exp(x) - exp(1)"])
def test_functions_have_their_own_values_at_a_given_state(drift: str) -> None:
    """At x = 1 the drift is zero and the linearisation controllable; random numbers for the function said it moves away."""
    found = steered(drift, {"x": 1.0})
    assert found.locally_controllable and found.linear and not found.find("moves")


def test_brackets_of_what_is_zero_span_nothing() -> None:
    """``√((x² + 1)²) − x² − 1`` is zero: accessibility was called proved."""
    for drift in ("sqrt(x**4 + 2*x**2 + 1) - x**2 - 1", "exp(log(x**2 + 1)) - x**2 - 1"):
        assert steered(drift).accessible is not True
    assert steered("sqrt(x**2 + 1)").accessible and all(f.exact for f in steered("sqrt(x**2 + 1)").find("accessible"))


def test_fields_without_a_value_at_the_state_are_refused() -> None:
    assert steered("exp(-1/x**2)", {"x": 0.0}).locally_controllable is None


def test_definiteness_in_floating_numbers_is_measured() -> None:
    system = nh.control.kinematic_system("x y z", {"x": "u", "y": "w", "z": "x**2 + y**2"}, "u w")
    (local,) = nh.controllability(system, {"x": 0.0}).find("locally_controllable")
    assert local.verdict == "fails" and not local.exact


def test_ranks_hold_for_almost_all_values_of_parameters_without_one() -> None:
    def answer(values: object) -> nh.Controllability:
        rates = {"x": "u", "y": "w", "z": "(a - b)*x*w"}
        return nh.controllability(nh.control.kinematic_system("x y z", rates, "u w", parameters=values))

    (generic,) = answer("a b").find("accessible")
    assert generic.verdict == "holds" and AlmostAll(parameters=("a", "b")) in generic.basis
    assert answer({"a": 1.0, "b": 1.0}).accessible is False


def test_noether_measures_what_is_zero_behind_a_root() -> None:
    flat = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - sqrt(x**4 + 2*x**2 + 1) + x**2")
    assert nh.noether(flat, "x").preservation == "fully"


@pytest.mark.parametrize(
    ("coordinates", "constraints", "count"),
    [
        ("r s x y z", ["zdot - sin(r + s/2)*xdot - ydot*sin(r + s/2 + 1/5)"], 2),
        (
            "r s x y z w",
            ["zdot - 0.41*sin(r + 0.35*s)*xdot - ydot*(r + 0.35*s)**2", "wdot - ydot*sin(r + 0.35*s) - xdot*(r + 0.35*s)"],
            2,
        ),
    ],
)  # fmt: skip
def test_momenta_of_two_shapes_are_not_denied(coordinates: str, constraints: list[str], count: int) -> None:
    """All depends on one combination u of r and s, of which two momenta do. sin(1/5) is one number, and 0.35² is 49/400."""
    words = coordinates.split()
    energy = " + ".join(f"{n}dot**2/2" for n in words)
    shifts = nh.translation(*words[2:])
    system = nh.System(coordinates=coordinates, lagrangian=f"{energy} - r*s**2", constraints=constraints, symmetry=shifts)
    found = [f for f in nh.integrals(system) if isinstance(f.data, LinearMomenta) and set(f.data.variables) == {"r", "s"}]
    assert [(f.verdict, f.data.count) for f in found] == [("holds", count)]
