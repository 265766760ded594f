"""How much is computed for an answer, counted: what was known once is not asked again."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.cache import forget
from nonholo.algebra.calculus import ZERO, symbol
from nonholo.algebra.prime.modular_arithmetic import P
from nonholo.derive.angle_coordinates import periodic
from nonholo.errors import NonholoError
from nonholo.finding import Finding, FirstIntegral
from nonholo.program import hash_consing
from nonholo.symmetry.exact import null_space_search as search
from nonholo.symmetry.exact.modular_states import exact_states, motion_of
from nonholo.symmetry.exact.null_space_search import Sought, constants
from nonholo.symmetry.integrals import polynomial_integrals as polynomial
from nonholo.symmetry.integrals.gauge import gauge_search
from nonholo.symmetry.integrals.gauge.gauge_basis import slices, variable_of
from nonholo.symmetry.integrals.searches.integral_question import Question
from nonholo.symmetry.judgement import verdict as judgement
from nonholo.symmetry.measure import density
from nonholo.symmetry.reduction import reduce as reduction


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Calls of what takes the time of a search."""
    count: Counter[str] = Counter()

    def watch(module: Any, name: str) -> None:
        work: Callable[..., Any] = getattr(module, name)

        def called(*words: Any, **named: Any) -> Any:
            count[name] += 1
            return work(*words, **named)

        monkeypatch.setattr(module, name, called)

    watch(polynomial, "constants")
    for name in ("columns", "independent_columns", "proved"):
        watch(search, name)
    for name in ("best_fit", "_ode"):
        watch(gauge_search, name)
    forget()
    return count


@pytest.mark.slow
def test_integrals_of_the_rattleback_compute_each_library_once(counted: Counter[str]) -> None:
    """62 libraries are asked for; 34 lie in others in which nothing is constant, and those with values are like those without."""
    found = nh.integrals(nh.gallery.get("rattleback").system)
    assert ["energy" in f.claim for f in found if f and "is constant" in f.claim] == [True]
    assert counted["constants"] == 62
    assert counted["columns"] <= 28
    assert counted["independent_columns"] <= 9
    assert counted["best_fit"] == counted["_ode"] == 0  # no coefficients of one variable: their values alone exclude them


def test_what_parameters_make_special_is_found_though_nothing_holds_in_general() -> None:
    """Rates as independent as in general mean nothing new; fewer mean something: a stretched well that is round by its values."""
    words = {
        "coordinates": "x y", "parameters": {"a": 1.3, "b": 1.3},
        "lagrangian": "(xdot**2 + ydot**2)/2 - (a*x**2 + b*y**2)**2/2",
    }  # fmt: skip
    round_, other = nh.System(**words), nh.System(**{**words, "parameters": {"a": 1.3, "b": 1.7}})
    told = [f.claim for f in nh.integrals(round_) if f]
    assert any("for these values of the parameters" in claim and "x*ydot" in claim for claim in told)
    assert not any("for these values" in f.claim for f in nh.integrals(other) if f)


def test_known_integrals_that_vanish_for_some_values_hide_nothing_there() -> None:
    """``(a − b) w`` is constant in general and nothing at a = b, where ``w`` must be found again."""
    system = nh.System(coordinates="x y", parameters="a b", lagrangian="(xdot**2 + ydot**2)/2 - a*b*x**2/2")
    sought = Sought(motion_of(system), {}, False)
    ydot, a, b = (search.symbol(n) for n in ("ydot", "a", "b"))
    known = [(a - b) * ydot]
    assert constants(sought, [ydot], [(0,)], known) == []
    here = Sought(sought.motion, {"a": search.Fraction(2), "b": search.Fraction(2)}, False, tuple(sought.empty))
    assert here.general and constants(here, [ydot], [(0,)], known) == [ydot]


@pytest.mark.slow
def test_the_symmetry_of_the_rattleback_needs_no_sympy() -> None:
    lines = (
        "import sys, nonholo as nh",
        "system = nh.gallery.get('rattleback').system",
        "nh.reduce(system), nh.integrals(system)",
        "print('sympy' in sys.modules)",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_integrals_and_a_reduction_of_one_system_reduce_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reduction that the search for integrals makes within its budget, momentum frames included, serves the user's too."""
    made: list[str] = []
    work = reduction._by
    monkeypatch.setattr(reduction, "_by", lambda *words: made.append("") or work(*words))
    forget()
    disk = nh.gallery.get("rolling-disk").system
    nh.integrals(disk)
    assert nh.reduce(disk).group.rank == 4 and len(made) == 1


def test_a_shape_under_constraints_is_seen_before_the_equations_of_a_reduction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chaplygin's change of time needs free velocities of the shape: their number is enough, and is that of the reduction."""
    tied = nh.System(
        coordinates="x a b c",
        lagrangian="(xdot**2 + adot**2 + bdot**2 + cdot**2)/2 - cos(a) - b**4 - sin(c)",
        constraints=["adot - b*cdot"],
    )
    whole = nh.reduce(tied)
    counts = whole.frame.horizontal, whole.shape.size, whole.frame.vertical
    assert reduction.dimensions(tied) == counts == (2, 3, 1)
    for name in ("roller-racer", "rolling-disk", "snakeboard"):
        system = nh.gallery.get(name).system
        other = nh.reduce(system)
        assert reduction.dimensions(system) == (other.frame.horizontal, other.shape.size, other.frame.vertical)
    with pytest.raises(NonholoError, match="constraints act on the shape itself") as said:
        nh.hamiltonise(whole)
    monkeypatch.setattr(judgement, "attempted", lambda _: pytest.fail("the equations of the reduction were derived"))
    assert judgement._hamiltonised(tied).evidence == said.value.said("page")


def test_long_holonomic_constraints_are_not_multiplied_out() -> None:
    """On the bumpy tricycle this took a minute: a sum of products of long sums, solved for a coordinate."""
    a, b = (" + ".join(f"{k}*cos({n} + {k})" for k in range(1, 80)) for n in ("x", "y"))
    system = nh.System(coordinates="x y z", lagrangian="xdot**2 + ydot**2 + zdot**2", holonomic=[f"z - ({a})*({b})"])
    assert list(slices(system, variable_of(system, "x"))) == []
    short = nh.System(coordinates="x y z", lagrangian="xdot**2 + ydot**2 + zdot**2", holonomic=["z - x*y"])
    assert next(slices(short, variable_of(short, "x")))


@pytest.mark.slow
def test_a_motion_too_long_for_proofs_is_not_searched_for_momenta_in_numbers() -> None:
    """The bumpy tricycle has 43,000 different terms."""
    question = Question(nh.gallery.get("bumpy-tricycle").system, {}, None, 1, None)
    assert question.sought is None and question.momenta is None and "more than 12000" in question.problem


def test_a_local_integral_is_listed_once() -> None:
    """The leaves of a cart's constraints: one relation of its angles, which polynomials in the velocities find again."""
    robot = nh.gallery.get("two-wheel-robot").system
    claims = [f.claim for f in nh.integrals(robot) if isinstance(f.data, FirstIntegral) and f]
    assert len(claims) == len(set(claims)) == 1


def deep() -> Any:
    """A formula of th whose tree has 2^60 nodes; each call makes an equal copy."""
    found: Any = symbol("th")
    for _ in range(60):
        found = se.sin(found) + se.cos(found)
    return found


def test_angles_in_deep_formulas_are_found_without_comparing_equal_copies() -> None:
    """The energy of a car in a bowl took for ever."""
    th, first = symbol("th"), hash_consing.consed([deep()])  # what is asked now is an equal copy
    assert periodic(deep(), th) and not periodic(deep() + th, th)
    assert not periodic(se.sin(th * deep()), th) and first  # nor is the argument multiplied out


def test_a_deep_formula_is_followed_along_a_motion_without_a_walk_through_its_tree() -> None:
    """The energy of the bicycle took for ever."""
    system = nh.System(coordinates="th", lagrangian="thdot**2/2")
    values, _ = Finding("deep", "holds", expression=deep()).followed(nh.simulate(system, {"th": 0, "thdot": 1}, 1, t_eval=3))
    assert len(values) == 3 and np.all(np.isfinite(values))


class _FewRoots:
    """States where roots exist nowhere."""

    good = np.zeros(48, dtype=np.bool_)

    def kept(self, *words: Any) -> _FewRoots:
        return self

    def rate(self, expr: Any) -> Any:
        raise AssertionError("a rate was computed for nothing")


def test_no_rates_are_computed_where_too_few_roots_exist() -> None:
    """Two thirds of the proofs for a ball on a ball."""
    states: Any = _FewRoots()
    assert search._rate_at(states, ZERO, 1, P) == "open"


@pytest.mark.slow
def test_a_measure_is_sought_among_candidates_consed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the snake 400,000 nodes are read into the table of deep expressions; 1,546,000 when every library reads them anew."""
    work, read = hash_consing._node, [0]

    def node(*words: Any) -> Any:
        read[0] += 1
        return work(*words)

    monkeypatch.setattr(hash_consing, "_node", node)
    forget()
    assert nh.measure(nh.gallery.get("snake").system).verdict == "unknown"
    assert read[0] < 600_000


def test_rates_by_the_chain_rule_are_sums_over_partial_derivatives() -> None:
    """At random states modulo a prime; the derivatives are SymEngine's."""
    states = exact_states(motion_of(nh.gallery.get("chaplygin-sleigh").system), 8, 5)
    theta, x, v, a = map(symbol, ("theta", "x", "v", "a"))
    whole = [
        se.sin(theta) * x**3 / (2 + a * v), se.sqrt(x**2 + 1) * se.cos(theta + 2 * x), se.exp(a * x) * v, (x + v) ** -2 + a,
        se.tan(theta) * se.log(x), x ** (a + 1), a**2 * se.sin(a), se.cosh(x) * v, se.sinh(v) ** se.Rational(3, 2),
    ]  # fmt: skip
    for e in whole:
        expected = sum(states.points.value(e.diff(s)) * step for s, step in states.rates.items()) % P
        assert np.array_equal(states.rate(e)[states.good], expected[states.good]), e


def test_the_squared_volume_of_many_constraints_is_not_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The determinant of a chain of eight constraints has 8! products before they cancel."""
    names = [f"x{k}" for k in range(10)]
    chain = nh.System(
        coordinates=names,
        lagrangian=" + ".join(f"{n}dot**2/2" for n in names),
        constraints=[f"x{k}dot - x{k - 1}*x0dot" for k in range(2, 10)],
    )
    sizes: list[int] = []
    write = density.determinant
    monkeypatch.setattr(density, "determinant", lambda rows: [sizes.append(len(rows)), write(rows)][1])
    assert nh.measure(chain).proved
    assert sizes and max(sizes) <= density.WIDE
