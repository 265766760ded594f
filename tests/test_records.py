"""The nouns of nonholo as a researcher handles them: equal, copied, pickled, sent to other processes, shown in notebooks."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
from typing import Any

import pytest

import nonholo as nh


def records(name: str) -> dict[str, Any]:
    exhibit = nh.gallery.get(name)
    system = exhibit.system
    run = nh.simulate(system, exhibit.start, 0.4, exhibit.parameters, inputs=exhibit.inputs or None)
    found = {"exhibit": exhibit, "system": system, "frame": system.frame, "hamel": nh.hamel(system)}
    found |= {"multipliers": nh.multipliers(system), "findings": nh.check(system, exhibit.parameters), "run": run}
    found |= {"reduction": nh.reduce(system), "class": nh.classify(system), "outcome": run.outcome}
    return found


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "suslov"])
def test_copies_are_equal_and_answer_alike(name: str) -> None:
    for word, one in records(name).items():
        for same in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
            assert type(same) is type(one)
            if word not in ("exhibit", "run"):
                assert same == one, word
            if word == "run":
                assert same.final == one.final and same.drift("energy") == one.drift("energy")


def end_of(job: tuple[nh.System, dict[str, float], dict[str, float]]) -> float:
    system, start, parameters = job
    return float(nh.simulate(system, start, 1.0, parameters).final["theta"])


def test_systems_travel_to_processes_that_start_afresh() -> None:
    exhibit = nh.gallery.get("chaplygin-sleigh")
    job = (exhibit.system, dict(exhibit.start), dict(exhibit.parameters))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(end_of, [job]) == [end_of(job)]


def test_reprs_are_short_and_say_what_to_do() -> None:
    exhibit = nh.gallery.get("rattleback")
    system = exhibit.system
    for one in (exhibit, system, nh.hamel(system), nh.multipliers(system), nh.reactions(system), nh.reduce(system)):
        assert len(repr(one)) < 1000 and "\n" not in repr(one), type(one)
    plain = nh.System(name="fall", coordinates="z", parameters="m", lagrangian="m*zdot**2/2", holonomic=["z - 1"])
    assert eval(repr(plain), {"System": nh.System}) == plain


class Page:
    """What IPython gives to ``_repr_pretty_``."""

    said = ""

    def text(self, words: str) -> None:
        self.said += words


def test_notebooks_show_equations_and_reductions_as_they_are_printed() -> None:
    system = nh.gallery.get("chaplygin-sleigh").system
    for one in (nh.hamel(system), nh.reduce(system)):
        page = Page()
        one._repr_pretty_(page, False)
        assert page.said == str(one) and "\n" in page.said
    assert nh.hamel(system)._repr_latex_().startswith("$") and "<" in nh.reduce(system)._repr_html_()


WRONG = {
    "text": (
        "chaplygin-sleigh",
        r"found text where a System was needed; use nh.gallery.get\('chaplygin-sleigh'\).system",
    ),
    "a dict": ({"coordinates": "x"}, r"found dict where a System was needed; build one with nh.System\("),
    "nothing": (None, "found NoneType where a System was needed"),
    "an exhibit": ("exhibit", "found Exhibit where a System was needed; use its .system"),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize(
    "name",
    [
        "hamel",
        "multipliers",
        "gibbs_appell",
        "voronetz",
        "hamilton",
        "vakonomic",
        "check",
        "classify",
        "reduce",
        "integrals",
        "reactions",
        "energy",
        "complete_state",
        "almost_poisson",
        "connection",
        "simulate",
    ],
)
def test_what_is_no_system_is_refused_in_words(name: str, kind: str) -> None:
    given, words = WRONG[kind]
    given = nh.gallery.get("heisenberg") if given == "exhibit" else given  # type: ignore[assignment]
    with pytest.raises(nh.ModelError, match=words):
        getattr(nh, name)(given)


@pytest.mark.parametrize(
    "name", ["flatness", "reduced_system", "momentum_frame", "spatial_momenta"]
)
def test_what_is_no_reduction_is_refused_in_words(name: str) -> None:
    with pytest.raises(nh.ModelError, match=r"found System where a Reduction was needed; reduce it first, nh.reduce"):
        getattr(nh, name)(nh.gallery.get("heisenberg").system)


def test_numbers_and_names_of_numpy_and_sympy_are_welcome() -> None:
    import numpy as np
    import sympy

    exhibit = nh.gallery.get("chaplygin-sleigh")
    m, J, a, omega = sympy.symbols("m J a omega")
    plain = nh.simulate(exhibit.system, {"omega": 1.5}, 1.0, {"m": 1, "J": 0.5, "a": 0.25})
    numbers = {m: sympy.Integer(1), J: np.float32(0.5), a: sympy.Rational(1, 4)}
    same = nh.simulate(exhibit.system, {omega: np.float32(1.5)}, np.int64(1), numbers)
    assert same.final == plain.final and same.data.attrs["start"] == plain.data.attrs["start"]
    for given in ([1.5], 1.5, "omega"):
        with pytest.raises(nh.StateError, match="start must be a table of names and numbers"):
            nh.simulate(exhibit.system, given, 1.0, exhibit.parameters)
    with pytest.raises(nh.StateError, match="parameters must be a table of names and numbers"):
        nh.simulate(exhibit.system, {}, 1.0, [1, 2, 3])


def test_the_front_room_holds_public_names_only_and_offers_the_nearest() -> None:
    import inspect

    bare = [n for n in dir(nh) if ">>>" not in (inspect.getdoc(getattr(nh, n)) or "")]
    spaces = ["control", "fields", "forms", "frames", "gallery", "pictures", "studies"]
    assert sorted(bare) == ["__version__", *spaces], "every public name shows an example, which the doctests run"
    assert [n for n in dir(nh) if n.startswith("_")] == ["__version__"]
    assert [n for n in dir(nh) if inspect.ismodule(getattr(nh, n))] == spaces
    kinds = ["contact_names", "field_names", "machine_names", "names", "system_names"]
    assert dir(nh.gallery) == sorted(["catalogue", "get", *kinds])
    with pytest.raises(AttributeError, match="nonholo has no name 'hammel'; did you mean 'hamel'"):
        nh.hammel  # noqa: B018
    with pytest.raises(AttributeError, match=r"nonholo\.frames has no name 'vertical'; did you mean 'Vertical'"):
        nh.frames.vertical  # noqa: B018
    assert not hasattr(nh, "_ipython_display_")


def test_rooms_at_the_front_are_modules_whose_names_show_examples_and_old_names_still_work() -> None:
    import inspect
    from importlib import import_module

    for space in ("forms", "frames", "pictures", "studies"):
        room = import_module(f"nonholo.{space}")
        assert room is getattr(nh, space) and dir(room) == sorted(room.__all__)
        for name in dir(room):
            assert getattr(room, name) is getattr(nh, name), "names of the first release are found where they were"
            assert ">>>" in (inspect.getdoc(getattr(room, name)) or ""), name
    assert nh.Vertical is nh.frames.Vertical and nh.vertical is nh.studies.vertical


def test_a_star_import_leaves_pythons_open_alone() -> None:
    space: dict[str, Any] = {}
    exec("from nonholo import *", space)
    assert "open" not in space and space["System"] is nh.System and callable(nh.open)


def test_the_fronts_page_names_what_stands_there() -> None:
    told = set((nh.__doc__ or "").replace("``", " ").split())
    assert {n for n in dir(nh) if not n.startswith("_")} <= told


def test_names_can_be_fetched_by_many_threads_at_once() -> None:
    import subprocess
    import sys

    code = (
        "import random, threading, nonholo as nh\n"
        "def fetch(k):\n names = dir(nh); random.Random(k).shuffle(names); gate.wait(); [getattr(nh, n) for n in names]\n"
        " done.append(k)\n"
        "gate, done = threading.Barrier(8), []\n"
        "threads = [threading.Thread(target=fetch, args=(k,)) for k in range(8)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\nprint(len(done))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (found.stdout, found.stderr) == ("8\n", "")


def test_an_old_name_says_at_a_prompt_where_it_is_now(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for at_a_prompt, told in ((False, ""), (True, "nonholo.flatness has moved: it is nonholo.studies.flatness now")):
        vars(nh).pop("flatness", None)
        if at_a_prompt:
            monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
        assert nh.flatness is nh.studies.flatness
        assert capsys.readouterr().err.startswith(told) and bool(told) == at_a_prompt
