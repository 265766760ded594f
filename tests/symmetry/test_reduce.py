"""Reduction against things that share no code with it: multipliers, the papers' closed forms, the full motion."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import symbols
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states
from nonholo.finding import Agreement, TimeReversible
from nonholo.symmetry.group.group_action import action, invariance
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.reduction.momentum.labelled_equations import spatial_momentum_equation
from nonholo.symmetry.reduction.momentum.reduced_coefficients import momentum_side, shape_side
from nonholo.symmetry.reduction.quotient_data import force_terms
from nonholo.symmetry.reduction.reduction_findings import witness_gap
from nonholo.symmetry.vector_fields import bracket
from tests.symmetry.systems import SLIDERS, two_sliders

REFUSED = {
    "degenerate-sleigh": "massless",
    "parallel-points": "nonlinear",
    "steered-point": "no symmetry",
    "suslov-n": "already are the reduced",
}
REDUCED = [n for n in nh.gallery.system_names() if n not in REFUSED]


@cache
def reduced(name):
    return nh.reduce(nh.gallery.get(name).system)


def states_of(system, count=2):
    for found in random_states(system, count=count):
        yield {n: e for n, e in found.values.items() if n not in system.parameters}, found.parameters


def gap_to_multipliers(system, reduction, count=2):
    witness = nh.multipliers(system)
    return max(witness_gap(reduction, s, p, witness.rates(s, p)) for s, p in states_of(system, count))


LARGE = ("whipple-bicycle", "rattleback", "chaplygin-top")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LARGE else n for n in REDUCED])
def test_reduced_equations_agree_with_multipliers(name):
    reduction = reduced(name)
    system = reduction.system
    assert gap_to_multipliers(system, reduction) < 1e-9
    routes = [f for f in reduction.findings if isinstance(f.data, Agreement)]
    assert all(routes)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_reduced_says_why_in_one_sentence(name):
    with pytest.raises(nh.ModelError, match=REFUSED[name]) as found:
        nh.reduce(nh.gallery.get(name).system)
    assert "\n" not in str(found.value)


@pytest.fixture(scope="module")
def sliders():
    return nh.reduce(two_sliders())


def test_two_sliders_is_the_generic_case(sliders):
    """Two shape variables, two momenta, I_US, Λ and curvature that do not vanish: nothing hides."""
    linked = sliders.connection
    values = {**SLIDERS, "r1": 0.3, "r2": -0.4}
    assert sliders.shape.names == ("r1", "r2") and len(sliders.momenta) == 2
    for block in (linked.inertia_us, linked.leaning, linked.curvature[0][1], sliders.coefficients.gyroscopic[0][1]):
        flat = [e for row in block for e in (row if isinstance(row, tuple) else (row,))]
        assert np.max(np.abs(evaluate(flat, values))) > 1e-3


def test_two_sliders_agree_with_multipliers(sliders):
    assert gap_to_multipliers(sliders.system, sliders, 4) < 1e-11


def shape_equation_gap(reduction, numbers):
    """(4.9) with d/dt ∂l_c/∂ṙ − ∂l_c/∂r worked out here, against brackets inside D."""
    frame = reduction.frame
    h = frame.horizontal
    p, v = symbols(reduction.momenta), symbols(reduction.rates)
    turning = [sum(frame.inverse_inertia[a][b] * p[b] for b in range(len(p))) for a in range(len(p))]
    swap = dict(zip(frame.data.velocities, (*v, *turning)))
    brackets = [e.xreplace(swap) for e in force_terms(frame.data)[:h]]
    metric, inertia = reduction.metric, reduction.inertia
    sides = shape_side(numbers, p, v)
    worst = 0.0
    random = np.random.default_rng(8)
    for place in frame.data.samples:
        values = {**place, **{str(s): float(random.uniform(-1, 1)) for s in (*p, *v)}}
        for a, name in enumerate(reduction.shape.names):
            r = se.Symbol(name)
            slope = sum(metric[i][j].diff(r) * v[i] * v[j] / 2 for i in range(h) for j in range(h))
            slope += sum(inertia[i][j].diff(r) * turning[i] * turning[j] / 2 for i in range(len(p)) for j in range(len(p)))
            slope -= reduction.data.potential.diff(r)
            one, two = evaluate([brackets[a], sides[a] + slope], values)
            worst = max(worst, abs(one - two) / (1 + abs(one)))
    return worst


def test_shape_equation_4_9_in_the_corrected_form(sliders):
    assert shape_equation_gap(sliders, sliders.coefficients) < 1e-11


def test_shape_equation_4_9_as_printed_is_wrong(sliders):
    """D_bβα where D_bαβ is right [corrects BMZ 2009 (4.9)]: seen with two shape variables only."""
    from dataclasses import replace

    c = sliders.coefficients
    swapped = tuple(tuple(tuple(block[y][x] for y in range(2)) for x in range(2)) for block in c.free)
    assert shape_equation_gap(sliders, replace(c, free=swapped)) > 1e-3


def test_momentum_equation_4_7_without_the_inertia_of_U_is_wrong():
    """``ad*_{Ω} p`` alone gives ṗ = 0 for the unbalanced sleigh [corrects BMZ 2009 (4.7)]."""
    reduction = nh.reduce(nh.gallery.get("chaplygin-sleigh").system)
    linked, inverse = reduction.connection, reduction.frame.inverse_inertia
    printed = [
        sum(
            linked.structure[b][a][c] * inverse[b][d] * se.Symbol(f"p{c + 1}") * se.Symbol(f"p{d + 1}")
            for b in range(2)
            for c in range(2)
            for d in range(2)
        )
        for a in range(2)
    ]
    values = {"m": 1.3, "J": 0.7, "a": 0.4, "p1": 0.8, "p2": -1.1}
    assert evaluate(printed, values).tolist() == [0.0, 0.0]
    right = evaluate(list(momentum_side(reduction.coefficients, symbols(("p1", "p2")), ())), values)
    inertia = 0.7 + 1.3 * 0.16
    omega, v = 0.8 / inertia, -1.1 / 1.3
    assert right == pytest.approx([-1.3 * 0.4 * omega * v, 1.3 * 0.4 * omega**2])


@pytest.mark.parametrize("name", ["sleigh-oscillator", "snakeboard", "roller-racer", "rolling-disk", "two sliders"])
def test_connection_identities_2_18_and_4_11(name, sliders):
    """E = γ − ad_A, and the curvature by derivatives of A with the plus sign before C A A."""
    reduction = sliders if name == "two sliders" else reduced(name)
    linked = reduction.connection
    A, B, C, g, E = linked.components, linked.curvature, linked.structure, linked.motion, linked.mixed
    k, n = len(A), len(reduction.rates)
    names = [reduction.shape.names[c] for c in reduction.frame.rows]
    left, right = [], []
    for x in range(n):
        for b in range(k):
            for c in range(k):
                left.append(E[x][b][c])
                right.append(g[b][x][c] - sum(C[a][b][c] * A[a][x] for a in range(k)))
        for y in range(n):
            for c in range(k):
                left.append(B[x][y][c])
                total = A[c][x].diff(se.Symbol(names[y])) - A[c][y].diff(se.Symbol(names[x]))
                total += sum(C[a][b][c] * A[a][x] * A[b][y] for a in range(k) for b in range(k))
                total += sum(g[b][y][c] * A[b][x] - g[b][x][c] * A[b][y] for b in range(k))
                right.append(total)
    for place in reduction.data.samples:
        one, two = evaluate(left, place), evaluate(right, place)
        assert one == pytest.approx(two, abs=1e-10, rel=1e-9)


def test_sleigh_oscillator_as_in_the_paper():
    """BMZ 2009 §6.3: p1 = (J + m r²) Ω1, p2 = (M + m) Ω2, and its momentum equations; A = m/(M + m) along e_2."""
    reduction = nh.reduce(nh.gallery.get("sleigh-oscillator").system)
    values = {"m": 0.7, "M": 1.9, "J": 0.8, "r": 0.45, "rdot": -0.6, "p1": 0.9, "p2": -1.2}
    found = evaluate(list(reduction.momentum_equation.values()), values)
    m, M, J, r = (values[n] for n in ("m", "M", "J", "r"))
    omega1 = values["p1"] / (J + m * r**2)
    omega2 = values["p2"] / (M + m)
    expected = [-m * r * omega1 * (omega2 - m / (M + m) * values["rdot"]), m * r * omega1**2]
    assert found == pytest.approx(expected, rel=1e-12)
    assert evaluate([row[0] for row in reduction.connection.components], values) == pytest.approx([0, m / (M + m), 0])


def test_snakeboard_has_one_momentum_that_the_rotor_s_angle_does_not_touch():
    """Two shape variables, of which only the wheels' angle φ occurs in ṗ; nothing drives p while both stand still."""
    reduction = reduced("snakeboard")
    (side,) = reduction.momentum_equation.values()
    assert reduction.shape.names == ("psi", "phi") and len(reduction.momenta) == 1
    assert "psi" not in {str(s) for s in side.free_symbols}
    values = {**nh.gallery.get("snakeboard").parameters, "phi": 0.4, "p": 0.7, "tau_psi": 0.0, "tau_phi": 0.0, "psidot": 0.0}
    assert evaluate([side], {**values, "phidot": 0.0})[0] == 0.0
    assert abs(evaluate([side], {**values, "phidot": 0.9})[0]) > 1e-3


BASES = ["chaplygin-sleigh", "rolling-disk", "snakeboard", "basketball", "two sliders"]


@pytest.mark.parametrize("name", [*BASES, pytest.param("rattleback", marks=pytest.mark.slow)])
def test_momentum_equation_in_space_agrees_with_that_in_the_body(name, sliders):
    reduction = sliders if name == "two sliders" else reduced(name)
    system = reduction.system
    spatial = spatial_momentum_equation(reduction)
    from nonholo.symmetry.reduction.quotient_data import natural_parts
    from nonholo.symmetry.reduction.reduced_equations import lifted_columns

    metric = natural_parts(system)[0]
    columns = lifted_columns(reduction.shape, reduction.basis, reduction.frame)
    h = reduction.frame.horizontal
    v = symbols(system.velocities)
    lowered = [sum(e * s for e, s in zip(row, v)) for row in metric]
    momenta = [sum(row[h + a] * l for row, l in zip(columns, lowered)) for a in range(len(reduction.momenta))]
    for state, parameters in states_of(system):
        values = {**state, **parameters}
        values |= dict(zip(reduction.momenta, evaluate(momenta, values).tolist()))
        shapes = evaluate(list(reduction.shape.functions), values) if reduction.shape.names else ()
        values |= dict(zip(reduction.shape.names, shapes))
        body = evaluate(list(reduction.momentum_equation.values()), values)
        assert evaluate(list(spatial.values()), values) == pytest.approx(body, rel=1e-9, abs=1e-10)


RUNS = {
    "sleigh-oscillator": 6.0,
    "rolling-disk": 4.0,
    "snakeboard": 5.0,
    "roller-racer": 5.0,
    "rattleback": 2.0,
    "lagrange-top": 3.0,
    "constrained-particle": 4.0,
    "chaplygin-sphere": 3.0,
    "n-trailer": 3.0,
}


@pytest.mark.parametrize("name", [*RUNS, "two sliders"])
def test_reduced_and_reconstructed_motion_is_the_full_motion(name, sliders):
    if name == "two sliders":
        reduction, until, parameters = sliders, 5.0, SLIDERS
        start = {"r1": 0.3, "r2": -0.2, "theta": 0.5, "r1dot": 0.4, "r2dot": -0.7, "omega": 1.3, "v": 0.6}
        inputs = None
    else:
        exhibit = nh.gallery.get(name)
        reduction, until, parameters, start = reduced(name), RUNS[name], exhibit.parameters, exhibit.start  # type: ignore[assignment]
        inputs = dict(exhibit.inputs) or None
        if inputs and any(isinstance(e, str) for e in inputs.values()):
            inputs = dict.fromkeys(reduction.system.inputs, 0.3)
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 21, "inputs": inputs}
    full = nh.simulate(reduction.system, start, until, parameters, **call)
    found = reduction.simulate(start, until, parameters, **call)
    assert full.outcome.reached and found.outcome.reached
    for quantity in (*reduction.system.coordinates, *reduction.system.velocities, *reduction.system.quasivelocities):
        scale = 1 + np.max(np.abs(full[quantity]))
        assert np.max(np.abs(found[quantity] - full[quantity])) < 1e-9 * scale, quantity


def test_the_reduced_equations_move_on_their_own():
    """The shape and momenta of the full motion, without ever knowing the group."""
    exhibit = nh.gallery.get("sleigh-oscillator")
    reduction = nh.reduce(exhibit.system)
    full = reduction.simulate(exhibit.start, 4.0, exhibit.parameters, rtol=1e-12, atol=1e-13, t_eval=11)
    begin = {n: float(full[n][0]) for n in reduction.equations.state}
    alone = nh.simulate(reduction.equations, begin, 4.0, exhibit.parameters, rtol=1e-12, atol=1e-13, t_eval=11)
    for name in reduction.equations.state:
        assert alone[name] == pytest.approx(full[name], abs=1e-10)
    assert "theta" not in alone.data


def test_bases_are_what_their_names_say():
    """H ⊥ S, N ⊥ S, R ⊥ all; S and N along the orbits; H and S admissible; all commute with the group."""
    for name in ("sleigh-oscillator", "rolling-disk", "ball-on-sphere"):
        reduction = reduced(name)
        system = reduction.system
        bases, group = reduction.bases, reduction.group
        from nonholo.model.velocities.admissible import constraint_rows
        from nonholo.symmetry.reduction.quotient_data import natural_parts

        metric = natural_parts(system)[0]
        rows = constraint_rows(system).slopes
        for state, parameters in states_of(system, 1):
            values = {**state, **parameters}

            def numbers(fields, values=values, size=len(system.velocities)):  # noqa: B008
                return np.array([evaluate(list(f), values) for f in fields]).reshape(len(fields), size)

            G = numbers(metric)
            H, S, N, R = (numbers(bases[letter]) for letter in "HSNR")
            size = np.linalg.norm(G)
            for one, two in ((H, S), (N, S), (R, S), (R, H), (R, N)):
                assert np.max(np.abs(one @ G @ two.T), initial=0.0) < 1e-9 * size * (1 + np.max(np.abs(two), initial=0.0)) ** 2
            orbit = numbers(group.fields)
            for vertical in (S, N):
                assert np.linalg.matrix_rank(np.concatenate([orbit, vertical]), tol=1e-7) == group.rank
            A = numbers(rows)
            assert np.max(np.abs(A @ np.concatenate([H, S]).T), initial=0.0) < 1e-9
            assert len(H) + len(S) + len(N) + len(R) == len(system.velocities)
            for letter in "HS":
                for field in bases[letter]:
                    for generator in group.fields:
                        assert np.max(np.abs(evaluate(list(bracket(system.frame, generator, field)), values))) < 1e-9


def test_structure_constants_of_the_plane():
    system = nh.gallery.get("chaplygin-sleigh").system
    c = action(system, system.symmetry).constants
    # [shift_x, turn] = shift_y, [shift_y, turn] = −shift_x, [shift_x, shift_y] = 0
    assert c[0][2].tolist() == [0, 1, 0] and c[1][2].tolist() == [-1, 0, 0] and not c[0][1].any()


def sleigh_with(symmetry):
    from dataclasses import replace

    return replace(nh.gallery.get("chaplygin-sleigh").system, symmetry=symmetry)


BAD = {
    "do not close": nh.Symmetry({"shift_x": {"x": "1"}, "turn": {"theta": "1", "x": "-y", "y": "x"}}),
    "does not leave the kinetic energy": nh.rotation("theta"),
    "does not leave the constraints": nh.Symmetry({"stretch": {"x": "x", "y": "-y"}}),
    "depend on each other": nh.Symmetry({"one": {"x": "1"}, "two": {"x": "2"}}),
}


@pytest.mark.parametrize("words", BAD)
def test_a_bad_group_is_refused_in_one_sentence(words):
    if words == "does not leave the constraints":
        system = nh.System(
            coordinates="x y z",
            lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
            constraints=["zdot - x*ydot"],
            symmetry=nh.translation("x"),
        )
    else:
        system = sleigh_with(BAD[words])
    with pytest.raises(nh.ModelError, match=words) as found:
        nh.reduce(system)
    assert "\n" not in str(found.value) and len(str(found.value)) < 400


def test_a_start_on_a_singular_orbit_is_refused():
    sphere = nh.gallery.get("routh-sphere")
    reduction = nh.reduce(sphere.system)
    with pytest.raises(nh.StateError, match="singular orbit"):
        reduction.simulate({"w3": 6.0}, 1.0, sphere.parameters)


def test_potential_that_breaks_the_symmetry_is_named():
    system = nh.System(
        coordinates="x y",
        parameters="g",
        lagrangian="(xdot**2 + ydot**2)/2 - g*x",
        symmetry=nh.translation("x"),
    )
    verdicts = {f.claim: f.verdict for f in invariance(system, action(system, system.symmetry))}
    assert verdicts["kinetic energy is invariant under shift_x"] == "holds"
    assert verdicts["potential energy is invariant under shift_x"] == "fails"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("chaplygin-sleigh", {"shift_x", "shift_y", "turn"}),
        ("rattleback", {"shift_x", "shift_y", "R_turn"}),
        ("rolling-disk", {"shift_x", "shift_y", "R_turn", "R_spin"}),
        ("euler-top", {"R_turn1", "R_turn2", "R_turn3"}),
        ("constrained-particle", {"shift_x", "shift_z"}),
        ("knife-edge", {"shift_x", "shift_y"}),
        ("n-trailer", {"shift_x", "shift_y", "turn"}),
    ],
)
def test_obvious_symmetries_are_found(name, expected):
    from dataclasses import replace

    found = group_of(replace(nh.gallery.get(name).system, symmetry=None)).symmetry
    assert set(found.generators) == expected


@pytest.mark.parametrize("magnetic", [{}, {("x", "y"): "2"}])
def test_what_is_found_acts_freely(magnetic):
    """Shifts and turns of a plane together would hold points still; the shifts alone are kept, and the reduction works."""
    system = nh.System(name="plane", coordinates="x y", lagrangian="(xdot**2 + 3*ydot**2 - 2*ydot**2)/2", magnetic=magnetic)
    reduction = nh.reduce(system)
    assert reduction.group.names == ("shift_x", "shift_y") and reduction.shape.names == ()
    assert gap_to_multipliers(system, reduction) < 1e-12


def test_magnetic_forces_must_be_invariant_too():
    system = nh.System(
        coordinates="x y",
        lagrangian="(xdot**2 + ydot**2)/2",
        magnetic={("x", "y"): "x"},
        symmetry=nh.translation("x"),
    )
    with pytest.raises(nh.ModelError, match="does not leave the forces"):
        nh.reduce(system)


def test_reversibility_fails_with_friction():
    for name, verdict in (("tippe-top", "fails"), ("rattleback", "holds")):
        (found,) = [f for f in reduced(name).findings if isinstance(f.data, TimeReversible)]
        assert found.verdict == verdict
