"""What an outside examiner found: systems written unhelpfully, against what was known before, and the mistakes by name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
import sympy as sp

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.derive.laws.hints import hints
from nonholo.finding import Finding, FirstIntegral, Symmetries, is_energy
from nonholo.finding.conclusions import Attracted, Integrable, Open
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.read import expression
from nonholo.symmetry.exact.gauge_terms import without_gauge
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.exact.null_space_search import Sought, leave_curves, vanishes
from nonholo.symmetry.group.shift_turn_algebra import decided_algebra
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.judgement.autonomous_part import single_valued
from tests.symmetry.exam import SLED, SLEIGH
from tests.symmetry.examined import EXAMS
from tests.symmetry.test_integrals_plain import _elsewhere, distance, values

SAME = 1e-9
NAMES = [pytest.param(n, marks=pytest.mark.slow) for n in EXAMS]


@cache
def system_of(name: str) -> nh.System:
    return EXAMS[name].system(name)


def bent(system: nh.System) -> bool:
    return not constraint_rows(system).linear


def start_of(name: str, parameters: dict[str, float], seed: int) -> dict[str, float]:
    system, own = system_of(name), EXAMS[name].start
    if own:
        return dict(own)
    state = next(iter(random_states(system, parameters, 1, seed=seed))).values
    return {n: state[n] for n in (*system.coordinates, *system.velocities)}


def names_of(system: nh.System) -> list[str]:
    return sorted({*system.coordinates, *system.velocities, *system.parameters, "t"})


@pytest.mark.parametrize("name", NAMES)
def test_what_was_known_before_is_found_and_nothing_false_is_claimed(name: str) -> None:
    """Every claim, and all that was called known, is followed along motions by multipliers, with other parameters too."""
    exam, system = EXAMS[name], system_of(name)
    own = run_parameters(system, None)
    claims = [f for f in nh.integrals(system) if f and f.expression is not None]
    assert bool(claims and is_energy(claims[0])) == exam.energy
    factors = np.random.default_rng(7).uniform(0.7, 1.4, len(own))
    other = {n: e * f for (n, e), f in zip(own.items(), factors)}
    known = [Finding(k, "holds", expression=expression(k, names_of(system), k)) for k in exam.known]
    for parameters in (own,) if bent(system) else (own, other):
        start = start_of(name, parameters, 17)
        run = nh.simulate(system, start, 0.9, parameters, rtol=1e-13, atol=1e-14, t_eval=15, form="multipliers")
        assert run.outcome.reached
        for f in (*claims, *known):
            numeric = isinstance(f.expression, NumericMomentum)
            special = parameters is other and isinstance(f.data, FirstIntegral) and f.data.when.values
            if not (numeric and _elsewhere(f.expression, run)) and not special:
                assert f.drift(run) < SAME, f.claim
    if not bent(system):
        random = np.random.default_rng(3)
        spots = [{**s.parameters, **s.values} for s in random_states(system, own, 150, seed=31)]
        spots = spots if "t" in spots[0] else [{**s, "t": float(random.uniform(0, 2))} for s in spots]
        columns = [values(f.expression, spots) for f in claims if not isinstance(f.expression, NumericMomentum)]
        products = [a * b for a, b in combinations_with_replacement(columns, 2)]
        for f in known:  # a combination of what is found, or its square is one of products
            own_values = values(f.expression, spots)
            near = distance(columns, own_values)
            assert near < SAME or distance([*columns, *products], own_values**2) < SAME, f.claim
    assert sum("momentum" in f.method for f in claims) >= exam.momenta


@pytest.mark.parametrize("name", NAMES)
def test_reduced_it_moves_as_the_full_system_does(name: str) -> None:
    exam, system = EXAMS[name], system_of(name)
    if not exam.group:
        with pytest.raises(nh.ModelError, match=r"nonlinear in the velocities|leaves the system as it is"):
            nh.reduce(system)
        return
    reduction = nh.reduce(system)
    assert len(reduction.group.names) >= exam.group
    start = start_of(name, run_parameters(system, None), 5)
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 21}
    full, found = nh.simulate(system, start, 1.0, **call), reduction.simulate(start, 1.0, **call)
    assert full.outcome.reached and found.outcome.reached
    names = (*system.coordinates, *system.velocities, "energy")
    assert max(np.max(np.abs(found[n] - full[n])) / (1 + np.max(np.abs(full[n]))) for n in names) < SAME


@pytest.mark.parametrize("name", NAMES)
def test_measure_and_conclusion_are_those_that_were_known(name: str) -> None:
    exam, judged = EXAMS[name], nh.verdict(system_of(name))
    measure = nh.measure(system_of(name))
    assert not exam.measure or (measure.verdict, measure.proved) == (exam.measure, True)
    assert isinstance(judged.decision, Integrable) or not exam.integrable
    assert not [f for f in judged.findings if f.verdict == "fails" and "proved: its rate" in f.evidence]


QUICK = [
    "Engel", "isokinetic", "Heisenberg in parabolic coordinates", "skate on a torus", "cart with its mass ahead", "towed castor",
]  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_measures_that_were_not_decided(name: str) -> None:
    """The metric's own volume, a potential, a coordinate that the rest does not hold; fields that commute and disagree."""
    found = nh.measure(system_of(name))
    assert (found.verdict, found.proved) == (EXAMS[name].measure, True)


def test_where_the_speed_is_kept_the_density_is_the_one_of_evans_and_morriss() -> None:
    found = nh.measure(system_of("isokinetic")).expression
    place = {"x": 0.3, "y": 0.7, "z": -0.4, "c": 1.3, "k": 0.7}
    hill = place["k"] * (place["x"] * place["y"]) ** 2 / 2 + place["x"] * place["z"] + place["z"] ** 4 / 4
    assert float(found.subs(place)) == pytest.approx(np.exp(-2 * hill / place["c"] ** 2), rel=1e-12)


def turned_skate() -> nh.System:
    """A skate in a trough, in axes turned by an angle b."""
    return nh.System(
        coordinates="x y th", parameters="m J g b",
        constraints=["(sin(b)*xdot + cos(b)*ydot)*cos(th) - (cos(b)*xdot - sin(b)*ydot)*sin(th)"],
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 - m*g*(cos(b)*x - sin(b)*y)**2",
    )  # fmt: skip


def test_a_shift_with_factors_of_the_parameters_is_found() -> None:
    """It was "proved" that no shift leaves the system as it is."""
    (field,) = decided_algebra(motion_of(turned_skate())).fields.values()
    x, y, _ = (sp.sympify(e) for e in field)
    assert sp.simplify(y / x - sp.cot(sp.Symbol("b"))) == 0
    with pytest.raises(nh.ModelError, match="the same under"):
        nh.reduce(turned_skate())


def test_a_declared_field_may_hold_parameters() -> None:
    """It was a KeyError."""
    declared = replace(turned_skate(), symmetry=nh.Symmetry({"slide": {"x": "sin(b)", "y": "cos(b)"}}))
    with pytest.raises(nh.ModelError):
        nh.reduce(declared)


def test_the_rate_of_a_function_in_the_lagrangian_hides_no_symmetry() -> None:
    """It was "proved" that none is there."""
    system = system_of("sleigh with a gauge term")
    plain = nh.System(
        coordinates="y x phi", parameters=SLED, lagrangian=SLEIGH, constraints=["sin(phi)*xdot - cos(phi)*ydot"]
    )
    reduction = nh.reduce(system)
    assert set(reduction.group.names) == set(nh.reduce(plain).group.names) and len(reduction.group.names) == 3
    start = {"x": 0.2, "y": -0.1, "phi": 0.4, "phidot": 0.7, "xdot": 0.5}
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 5}
    full, found = nh.simulate(system, start, 1.0, **call), reduction.simulate(start, 1.0, **call)
    assert max(np.max(np.abs(found[n] - full[n])) for n in system.coordinates) < SAME


def test_a_constant_field_written_by_a_potential_hides_no_shift() -> None:
    assert nh.reduce(system_of("charged skate on a slope")).group.names == ("shift_y", "shift_x")


def test_a_constraint_divided_by_a_velocity_is_linear() -> None:
    """It was taken for nonlinear, and the verdict ended in a traceback."""
    rows = constraint_rows(system_of("divided constraint"))
    assert rows.linear and rows.residuals[0] == expression("ydot - xdot*tan(th)", ["ydot", "xdot", "th"], "")


@pytest.mark.slow
def test_an_integral_that_is_proved_is_not_refuted_by_a_motion_through_a_pole() -> None:
    """The energy was "not constant (proved: its rate is zero identically)" since the test run passed θ = π/2."""
    found = nh.integrals(system_of("divided constraint"))
    assert not [f for f in found if f.verdict == "fails"]
    kept = [f.expression for f in found if f]
    assert leave_curves(Sought(motion_of(system_of("divided constraint")), {}, False), kept) and len(kept) == 4


def test_two_systems_without_gyroscopic_terms_are_hamiltonian() -> None:
    """It was a ZeroDivisionError."""
    assert bool(nh.hamiltonise(system_of("two copies")))


def test_what_has_no_value_at_any_state_is_not_called_invariant() -> None:
    """A root of parameters that exists at none of the states left nothing to test: momenta counted as invariant."""
    blade = ["sin(phi)*xdot - cos(phi)*ydot"]
    sleigh = nh.System(coordinates="y x phi", parameters="m J a", lagrangian=SLEIGH, constraints=blade)
    quiet = Sought(motion_of(sleigh), {}, True)
    assert not vanishes(quiet, [expression("phi*sqrt(m*a**2/(J + m*a**2))", ["phi", "m", "J", "a"], "")])
    assert not vanishes(quiet, [expression("phi*sqrt(-1 - m**2)*sqrt(1 + m**2)", ["phi", "m"], "")])
    assert vanishes(quiet, [expression("sin(phi)**2 + cos(phi)**2 - 1", ["phi"], "")])


@pytest.mark.slow
def test_two_sleighs_have_no_more_integrals_than_twice_those_of_one() -> None:
    """"Integrable: on the reduced state (4 dimensions) 3 independent integrals" was false: there are two energies."""
    other = SLEIGH.replace("xdot", "x2dot").replace("ydot", "y2dot").replace("phi", "phi2")
    twice = nh.System(
        coordinates="y x2 phi x y2 phi2", parameters="m J a", lagrangian=f"{SLEIGH} + {other}",
        constraints=["sin(phi)*xdot - cos(phi)*ydot", "sin(phi2)*x2dot - cos(phi2)*y2dot"],
    )  # fmt: skip
    judged = nh.verdict(twice)
    assert isinstance(judged.decision, Attracted | Open) and judged.decision.left == 2
    assert len([f for f in single_valued(motion_of(twice), judged.findings) if f.proved]) == 2
    assert len([f for f in judged.findings if "k*phi" in f.claim]) == 4


def test_functions_of_time_take_part_in_integrals() -> None:
    claims = [f.claim for f in nh.integrals(system_of("shaken particle")) if f.proved and f]
    assert "m*ydot - F*sin(t) is constant" in claims


def test_a_momentum_that_is_denied_is_denied_along_named_fields() -> None:
    """Chaplygin's sleigh with x³ + x for x has momenta with coefficients of the angle, but not along these fields."""
    sleigh = nh.System(
        coordinates="x y th", parameters="m J a", constraints=["ydot*cos(th) - (1 + 3*x**2)*xdot*sin(th)"],
        lagrangian="m*(((1 + 3*x**2)*xdot - a*sin(th)*thdot)**2 + (ydot + a*cos(th)*thdot)**2)/2 + J*thdot**2/2",
    )  # fmt: skip
    denied = [f.data for f in nh.integrals(sleigh) if f.verdict == "fails"]
    assert denied and all("the fields (x: 1" in data.along for data in denied)


def test_a_point_that_two_vectors_make_is_found_by_elimination() -> None:
    """``u·u = 1`` and ``n·u = 0`` "could not be solved for one coordinate"."""
    system = system_of("skate on a sphere, by vectors")
    states = Sought(motion_of(system), {}, True).states(120, 3)
    assert np.sum(states.good) > 5  # three roots must exist
    assert not any(np.any(states.value(e)[states.good]) for e in system.holonomic)


def test_hints_do_not_ask_about_tables_that_turn_nor_about_factors_that_never_vanish() -> None:
    assert hints(system_of("turntable that swings")) == ()
    assert hints(system_of("spring blade")) == () and hints(system_of("beanie on a blade")) == ()
    product = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["x*ydot"])
    assert "product" in hints(product)[0].claim
    belt = nh.System(coordinates="x phi", parameters="R", lagrangian="xdot**2 + phidot**2", constraints=["xdot - R*phi"])
    assert "phi itself" in hints(belt)[0].claim


def test_a_speed_written_with_a_root_is_judged() -> None:
    """It was a traceback: "too few points with real roots"."""
    system = system_of("constant speed in space")
    assert nh.verdict(system).findings[1].data.names == ("shift_z", "shift_y", "shift_x", "turn_xy")


def test_where_no_section_is_found_for_all_a_part_is_reduced_by() -> None:
    """The Heisenberg particle in oblique coordinates was refused, since its turn is one of an ellipse."""
    system = nh.System(
        coordinates="x y z", parameters={"m": 1.3},
        constraints=["zdot - ((x + 2*y)*(ydot - xdot/3) - (y - x/3)*(xdot + 2*ydot))/2"],
        lagrangian="m*((xdot + 2*ydot)**2 + (ydot - xdot/3)**2 + zdot**2)/2",
    )  # fmt: skip
    reduction = nh.reduce(system)
    assert reduction.group.names == ("shift_z",)
    start, call = {"x": 0.3, "y": 0.2, "xdot": 0.5, "ydot": -0.4}, {"rtol": 1e-12, "atol": 1e-13, "t_eval": 5}
    full, found = nh.simulate(system, start, 1.0, **call), reduction.simulate(start, 1.0, **call)
    assert max(np.max(np.abs(found[n] - full[n])) for n in system.coordinates) < SAME


def test_a_number_that_is_a_fraction_by_accident_is_no_factor() -> None:
    """``shift_x + -10597/17606*shift_y`` was told as proved: the residue of a parameter is a fraction often enough."""
    system = nh.System(
        coordinates="x y th", parameters="m J a b", constraints=["xdot + thdot + (y + b*x)*thdot"],
        lagrangian="m*((xdot + thdot - a*sin(th)*thdot)**2 + (ydot + b*xdot + a*cos(th)*thdot)**2)/2 + J*thdot**2/2",
    )  # fmt: skip
    assert list(decided_algebra(motion_of(system)).fields) == ["shift_x + (-b)*shift_y"]


@pytest.mark.slow
def test_a_density_that_counts_the_way_is_none_of_the_part_that_moves_on_its_own() -> None:
    """A sleigh with a spring on its heading was "integrable by the Euler–Jacobi theorem" as soon as a wheel rolled beside it."""
    sleigh = nh.System(
        coordinates="phi y x o", parameters="m J a k", lagrangian=f"{SLEIGH} + m*odot**2/2 - k*phi**2/2",
        constraints=["sin(phi)*xdot - cos(phi)*ydot", "odot - xdot*cos(phi) - ydot*sin(phi)"],
    )  # fmt: skip
    judged = nh.verdict(sleigh)
    assert isinstance(judged.decision, Attracted) and judged.decision.left == 2 and nh.measure(sleigh).proved


def test_a_potential_that_an_input_or_the_time_changes_is_no_gauge() -> None:
    """``u ẋ`` pulls with ``−u̇``; a constant times ẋ does nothing."""
    words = {"coordinates": "x y", "constraints": ["ydot - x*xdot"]}
    for term, kept in (("u*xdot", True), ("t*xdot", True), ("3*xdot", False)):
        system = nh.System(lagrangian=f"(xdot**2 + ydot**2)/2 + {term}", inputs="u" if "u" in term else "", **words)
        assert (without_gauge(system) is system) == kept


@pytest.mark.slow
def test_a_shear_is_told_as_a_symmetry() -> None:
    """The judgement said that nothing leaves the system as it is, while `reduce` took a shear."""
    skate = nh.System(
        coordinates="x y th", parameters="m J g", constraints=["ydot*cos(th) - (xdot + 2*y*ydot)*sin(th)"],
        lagrangian="m*((xdot + 2*y*ydot)**2 + ydot**2)/2 + J*thdot**2/2 - m*g*(x + y**2)**2",
    )  # fmt: skip
    told = nh.verdict(skate).findings[1]
    assert told.verdict == "holds" and told.data == Symmetries(("shear (x: y, y: -1/2)",))


def test_a_shift_in_turned_axes_is_found_where_potential_and_constraint_both_hold_it() -> None:
    """Parameters were drawn apart for the Lagrangian and the constraints, so that only fractions could serve both."""
    particle = nh.System(
        coordinates="x y z", parameters="m b", constraints=["zdot - (sin(b)*x + cos(b)*y)*(cos(b)*xdot - sin(b)*ydot)"],
        lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - (sin(b)*x + cos(b)*y)",
    )  # fmt: skip
    fields = decided_algebra(motion_of(particle)).fields
    assert list(fields) == ["shift_z", "shift_x + (-sin(b)/cos(b))*shift_y"]


def test_a_slide_with_a_factor_of_a_parameter_is_reduced_with_numbers_and_the_refusal_says_so() -> None:
    """Declared, its field was called "not affine"."""
    plank = nh.System(
        name="plank", coordinates="x y z", parameters={"m": 1.3, "k": 0.7}, constraints=["zdot - (y - k*x)*xdot"],
        lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - (y - k*x)**2/2 - z**2/2",
    )  # fmt: skip
    for symmetry in (None, nh.Symmetry({"slide": {"x": "1", "y": "k"}})):
        with pytest.raises(nh.ModelError, match=r'nh.reduce\(system, parameters=\{"k": 0.7\}\)') as refused:
            nh.reduce(plank, symmetry)
        assert "not affine" not in str(refused.value)
    start = {"x": 0.2, "y": 0.3, "z": 0.1, "xdot": 0.4, "ydot": -0.3}
    reduced = nh.reduce(plank, parameters={"k": 0.7}).simulate(start, 3.0).final
    full = nh.simulate(plank, start, 3.0, rtol=1e-12, atol=1e-14, form="multipliers").final
    assert [reduced[n] for n in "xyz"] == pytest.approx([full[n] for n in "xyz"], abs=1e-9)


@pytest.mark.slow
def test_where_a_section_has_no_finite_values_fewer_generators_are_taken() -> None:
    """It ended in NumPy's "SVD did not converge"."""
    assert nh.reduce(system_of("skate on a sphere, by vectors")).group.names
