"""Sections made by two processes: each once, whichever makes it, and nobody waits for what nobody needs."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from time import sleep

import pytest

from nonholo import System
from nonholo.errors import ModelError
from nonholo.present.report.parallel_sections import Makers, OtherProcess
from nonholo.present.report.report_file import report
from nonholo.present.report.report_page import ReportSection

NAMES = ("long", "middle", "short")


def _made(folder: Path, name: str, after: tuple[str, ...]) -> ReportSection:
    """A section that is made after others, whoever makes them."""
    while not all((folder / other).exists() for other in after):
        sleep(0.01)
    with open(folder / name, "a", encoding="utf-8") as stream:
        stream.write(f"{os.getpid()}\n")
    return ReportSection(name, name, "made")


def _makers(folder: Path, after: tuple[str, ...] = ()) -> Makers:
    return {name: partial(_made, folder, name, after if name == "long" else ()) for name in NAMES}


def _failing() -> Makers:
    def fail() -> ReportSection:
        raise ModelError("the long one is not told")

    return {"long": fail}


def _silent(_: str) -> None:
    pass


def test_each_section_is_made_once_and_both_processes_work(tmp_path: Path) -> None:
    told: list[str] = []
    with OtherProcess(NAMES, _makers, (tmp_path, ("middle", "short"))) as beside:
        while not (beside._taken[0]):
            sleep(0.01)
        made = beside.made(_makers(tmp_path), told.append)
    assert {n: s.title for n, s in made.items() if s is not None} == dict(zip(NAMES, NAMES))
    by = {name: (tmp_path / name).read_text(encoding="utf-8").split() for name in NAMES}
    assert all(len(makers) == 1 for makers in by.values())
    assert by["long"] != by["middle"] == by["short"] == [str(os.getpid())]
    assert told == ["short", "middle", "long"]


def test_what_goes_wrong_in_the_other_process_is_told_here() -> None:
    with pytest.raises(ModelError, match="the long one"), OtherProcess(("long",), _failing, ()) as beside:
        while not (beside._taken[0]):
            sleep(0.01)
        beside.made(_failing(), _silent)


def test_the_other_process_is_not_waited_for_when_this_one_fails(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="here"), OtherProcess(NAMES, _makers, (tmp_path, ("never",))) as beside:
        while not (beside._taken[0]):
            sleep(0.01)
        raise ModelError("here")  # the other would never come to its end


def test_pages_are_the_same_by_one_process_and_by_two(tmp_path: Path) -> None:
    system = System(
        "cart with a hanging load",
        coordinates="x y theta phi",
        parameters={"m": 1.3, "J": 0.4, "mu": 0.35, "l": 0.8, "g": 9.81},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2 + mu*l**2*phidot**2/2 + mu*g*l*cos(phi)",
        constraints=["-sin(theta)*xdot + cos(theta)*ydot"],
        start={"phi": 0.4, "xdot": 0.7, "thetadot": 0.5},
    )
    alone = report(system, tmp_path / "one.html", until=1.0)
    both = report(system, tmp_path / "two.html", until=1.0, processes=2)
    assert alone.read_bytes() == both.read_bytes()


def test_a_dependent_constraint_is_told_on_the_page_not_as_an_error_of_ours(tmp_path: Path) -> None:
    twice = System(
        "twice held",
        coordinates="x y th",
        parameters={"m": 1.3},
        lagrangian="m*(xdot**2 + ydot**2)/2 + thdot**2/2",
        constraints=["xdot*sin(th) - ydot*cos(th)", "2*xdot*sin(th) - 2*ydot*cos(th)"],
    )
    text = report(twice, tmp_path / "twice.html").read_text(encoding="utf-8")
    assert "constraint 2 follows from the others" in text and "depends on the others; remove it." in text
