"""Work is bounded by its amount: the same everywhere, whoever else is busy."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from time import sleep

import pytest
import symengine

from nonholo.algebra.budget import CHARGES, Repeated, TooLongError, allowed, charge, spent, within
from nonholo.algebra.cache import forget
from nonholo.algebra.polynomials import ring_of
from nonholo.program import hash_consing


def endless() -> None:
    for _ in count():
        (lambda: None)()


def test_endless_work_ends_and_has_no_result() -> None:
    assert within(0.02, endless) is None


def test_work_that_fails_has_no_result() -> None:
    assert within(1.0, lambda: 1 // 0) is None


def test_what_is_charged_is_counted_and_ends_at_the_allowance() -> None:
    before = spent()
    with allowed(1.0):
        charge(CHARGES // 2)
        with pytest.raises(TooLongError):
            charge(CHARGES)
    assert spent() - before == pytest.approx(1.5)


def test_an_allowance_inside_another_is_no_larger() -> None:
    with allowed(0.1), allowed(5.0), pytest.raises(TooLongError):
        charge(CHARGES)


def test_a_common_divisor_of_large_polynomials_is_charged_or_refused() -> None:
    letters = ring_of([f"u{i}" for i in range(12)]).gens
    large = sum(letters, start=letters[0] ** 4) ** 2
    wide = large * sum(x**5 for x in letters)
    with pytest.raises(TooLongError), allowed(0.5):
        wide.cancel(large)


def test_sleeping_is_no_work() -> None:
    assert within(1e-4, lambda: sleep(0.2) or 7) == 7


def test_a_budget_inside_another_is_its_own_and_the_outer_one_goes_on() -> None:
    assert within(1.0, lambda: (within(0.01, endless), within(0.5, lambda: 5))) == (None, 5)


def test_what_the_outer_budget_ends_the_inner_one_does_not_hide() -> None:
    reached = []

    def work() -> None:
        within(10.0, endless)
        reached.append(True)

    assert within(0.01, work) is None
    assert reached == []


def test_the_tracer_of_a_debugger_is_there_again_afterwards() -> None:
    before = sys.gettrace()
    within(0.01, endless)
    assert sys.gettrace() is before


def test_threads_count_for_themselves() -> None:
    found: list[float] = []

    def work() -> None:
        charge(3000)
        found.append(spent())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3000 / CHARGES] * 4


PRINTED = """
import nonholo as nh, sys
if sys.argv[1] == "late":
    import sympy
    sympy.simplify("sin(x)**2 + cos(x)**2"); print(end="")
print(nh.hamel(nh.gallery.get("routh-sphere").system).latex(0.3))
"""


def test_the_same_equations_are_printed_in_every_process_whatever_was_done_before() -> None:
    printed = {
        subprocess.run([sys.executable, "-c", PRINTED, word], capture_output=True, text=True, check=True).stdout
        for word in ("early", "late")
    }
    assert len(printed) == 1 and len(printed.pop()) > 200


def test_what_is_remembered_is_charged_as_when_it_was_found_and_never_inside_a_count_of_calls() -> None:
    forget()
    x, y, z = ring_of(["x", "y", "z"]).gens
    product = (x**2 + y * z + 1) * (y**2 - x * z**2) ** 2
    costs = []
    for _ in range(3):
        before = spent()
        assert product.factor_list() == (1, [(x * z**2 - y**2, 2), (x**2 + y * z + 1, 1)])
        costs.append(round((spent() - before) * CHARGES))
    assert costs[0] == costs[1] == costs[2] > 0
    memory: Repeated[int] = Repeated(4)
    asked: list[int] = []

    def work() -> int:
        asked.append(1)
        charge(5)
        return len(asked)

    assert [memory.get("a", work), memory.get("a", work), memory.get("b", work)] == [1, 1, 2]
    assert within(1.0, lambda: memory.get("a", work)) == 3


def test_what_is_remembered_meets_the_same_allowance() -> None:
    memory: Repeated[int] = Repeated(4)

    def work() -> int:
        charge(1000)
        return 1

    assert memory.get("a", work) == 1
    with pytest.raises(TooLongError), allowed(900 / CHARGES):
        memory.get("a", work)
    with pytest.raises(TooLongError), allowed(900 / CHARGES):
        memory.get("b", work)


class Closing:
    """Calls functions when it is thrown away, as a generator does that has a finally."""

    def __del__(self) -> None:
        for _ in range(50):
            (lambda: None)()


def test_work_that_ends_inside_a_destructor_says_nothing_and_ends(capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        while True:
            Closing()
            (lambda: None)()

    assert [within(0.01 + 0.0001 * k, work) for k in range(5)] == [None] * 5
    assert capfd.readouterr().err == ""


def test_work_that_ends_while_a_generator_is_closed_says_nothing_and_ends(capfd: pytest.CaptureFixture[str]) -> None:
    def opened() -> Iterator[int]:
        try:
            yield 1
        finally:
            for _ in range(50):
                (lambda: None)()

    def work() -> None:
        while True:
            next(opened())
            (lambda: None)()

    assert [within(0.01 + 0.0001 * k, work) for k in range(5)] == [None] * 5
    assert capfd.readouterr().err == ""


def test_bookkeeping_of_shared_parts_is_no_work() -> None:
    """Looking up addresses does not use up a budget: the same questions are answered with hash-consing as without."""
    x = symengine.Symbol("x")
    assert within(0.001, lambda: len(list(map(hash_consing.address, [x] * 5000)))) == 5000
    assert within(0.001, lambda: len(list(map(_one, [x] * 5000)))) is None


def _one(_: object) -> int:
    return 1
