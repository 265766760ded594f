"""The lab's parts: the folder, the stages of a study, what the gallery gives, the command and its end."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nonholo import gallery
from nonholo.errors import FileError, ModelError, NonholoError
from nonholo.lab import server as serve
from nonholo.lab.folder import ChangedMeanwhile, Folder, version_mark
from nonholo.lab.study_stages import STAGES, work
from nonholo.lab.workbench import Bench, Limits
from nonholo.machines.machine_files import load, loads
from nonholo.model.files.page_options import Page

SWING = 'coordinates = "th"\nlagrangian = "thdot**2/2 + 9.81*cos(th)"\nuntil = 1\n[start]\nth = 0.5\n'


def told(job: str, **given: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    work(job, given, 0, lambda stage: None, found.append)
    return found


def test_saving_is_whole_or_not_at_all_and_asks_before_it_overwrites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path.resolve())
    first = folder.save("a.toml", "x = 1\n", "")
    assert folder.read("a.toml") == {"text": "x = 1\n", "mark": first}
    with pytest.raises(ChangedMeanwhile, match="exists already"):
        folder.save("a.toml", "x = 2\n", "")
    (tmp_path / "a.toml").write_text("elsewhere")
    with pytest.raises(ChangedMeanwhile, match="changed by another program"):
        folder.save("a.toml", "x = 2\n", first)
    assert folder.save("a.toml", "x = 2\n", version_mark(b"elsewhere")) == version_mark(b"x = 2\n")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match=r"^a\.toml cannot be written: No space left on device"):
        folder.save("a.toml", "x = 3\n", None)
    assert [p.name for p in tmp_path.iterdir()] == ["a.toml"] and (tmp_path / "a.toml").read_text() == "x = 2\n"
    with pytest.raises(FileError, match="there is no folder deep"):
        folder.save("deep/a.toml", "", "")


def test_labs_of_a_folder_and_of_one_inside_it_lose_no_update(tmp_path: Path) -> None:
    """What is compared and then written is held by the file's own folder, whichever folder a lab was started in."""
    (tmp_path / "inner").mkdir()
    labs = [(Folder(tmp_path.resolve()), "inner/a.toml"), (Folder((tmp_path / "inner").resolve()), "a.toml")]
    labs[0][0].save("inner/a.toml", "n = 0\n", "")

    def counted(lab: tuple[Folder, str]) -> None:
        folder, path = lab
        for _ in range(30):
            saved = False
            while not saved:
                seen = folder.read(path)
                with suppress(ChangedMeanwhile):
                    folder.save(path, f"n = {int(seen['text'][4:]) + 1}\n", seen["mark"])
                    saved = True

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(counted, labs * 2))
    assert (tmp_path / "inner" / "a.toml").read_text() == "n = 120\n"


def test_a_study_tells_every_stage_with_what_it_shows() -> None:
    found = told("study", text=SWING, name="folder/swing.toml")
    assert [t["stage"] for t in found] == list(STAGES)
    assert all(t["state"] == "done" for t in found)
    assert found[0]["title"] == "swing"
    shown = {t["stage"]: t for t in found}
    assert "nonholo-living" in shown["motion"]["page"] and 'class="lean"' in shown["motion"]["page"]
    for stage in ("equations", "checks", "verdict", "forms"):
        assert all(s["body"] for s in shown[stage]["sections"])
    assert "<math" in shown["equations"]["sections"][1]["body"]
    assert len(shown["forms"]["sections"][1]["body"]) > len(shown["equations"]["sections"][1]["body"])


def test_a_report_is_made_by_the_process_that_has_studied_the_text() -> None:
    """What the lab has computed is not computed again; other texts, and processes that died meanwhile, begin anew."""

    async def asked() -> None:
        bench = Bench(Limits(seconds=60))

        async def stays() -> bool:
            return False

        async def answers(job: str, name: str = "swing.toml") -> list[dict[str, Any]]:
            return [told async for told in bench.run(job, {"text": SWING, "name": name}, stays)]

        both = await asyncio.gather(answers("study"), answers("report"))  # a report that is asked for early waits for the study
        (pid,) = [job.process.pid for job in bench.waiting.values()]
        again = await answers("report")
        assert [job.process.pid for job in bench.waiting.values()] == [pid] and bench.jobs == []
        bench.waiting["swing.toml", SWING].process.kill()
        bench.waiting["swing.toml", SWING].process.join()
        fresh = await answers("report")
        assert [job.process.pid for job in bench.waiting.values()] != [pid]
        pages = [one["page"] for told in (both[1], again, fresh) for one in told if one["state"] == "done"]
        assert len(pages) == 3 and len(set(pages)) == 1
        for name in ("b.toml", "c.toml"):
            await answers("study", name)
        assert [name for name, _ in bench.waiting] == ["b.toml", "c.toml"]
        kept = [job.process for job in bench.waiting.values()]
        bench.stop()
        for process in kept:
            process.join()
        assert bench.waiting == {}

    with ThreadPoolExecutor(1) as alone:  # a browser in this process keeps a loop of its own in the main thread
        alone.submit(asyncio.run, asked()).result()


CART = """world = "plane"
until = 1
bodies = [{name = "barrow", mass = 2.0, inertia = 0.3, center = [0.2, 0], free = "x y theta"}]
wheels = [{body = "barrow"}]
start = {thetadot = 1.0}
"""


@pytest.mark.slow
def test_a_machine_is_studied_and_drawn_from_its_bodies() -> None:
    shown = {t["stage"]: t for t in told("study", text=CART, name="cart.toml")}
    assert all(t["state"] == "done" for t in shown.values()) and "barrow" in shown["motion"]["page"]


def test_a_mistake_in_a_machine_is_told_at_its_place() -> None:
    (one,) = told("study", text=CART.replace('{body = "barrow"}', '{body = "barow"}'), name="cart.toml")
    assert (one["state"], one["line"]) == ("mistake", 4) and "did you mean 'barrow'?" in one["words"]


def test_names_in_a_text_stay_text_in_what_is_shown() -> None:
    hostile = 'name = "<img src=x onerror=alert(1)></script>"\n' + SWING + '[page.meanings]\nth = "<b onclick=x>"\n'
    for one in told("study", text=hostile, name='"><script>alert(1)</script>.toml'):
        bodies = "".join(s["body"] for s in one.get("sections", ())) + one.get("page", "")
        assert "<img src=x" not in bodies and "<b onclick" not in bodies and "<script>alert" not in bodies


def test_a_start_without_a_motion_is_told_at_its_place() -> None:
    text = 'coordinates = "x y"\nlagrangian = "(xdot**2 + ydot**2)/2"\nconstraints = ["ydot - x"]\n[start]\nx = 1\nydot = 3\n'
    found = {t["stage"]: t for t in told("study", text=text, name="a.toml")}
    assert found["motion"]["state"] == "failed" and found["motion"]["place"]["line"] == 6
    assert found["motion"]["words"].endswith("change or leave out ydot.")
    assert found["checks"]["state"] == "done"  # what needs no motion is told all the same


BROKEN = {
    'coordinates = "x y"\nlagrangian = "xdot**2/2"\n': (2, "the Lagrangian has no kinetic energy along ydot"),
    'coordinates = "x y"\nlagrangian = "(xdot**2 + ydot**2)/2"\nconstraints = ["xdot", "2*xdot"]\n': (3, "constraint 2 (2*xdot"),
    'coordinates = "x"\nparameters = "m"\nlagrangian = "m*xdot**2/2"\n': (2, "the parameter 'm' has no value; write [para"),
}
"""Texts that can be read and do not move -> the line where the reason stands, and its first words."""


@pytest.mark.parametrize("text", BROKEN)
def test_a_system_that_does_not_move_says_why_at_its_place_and_the_rest_is_told(text: str) -> None:
    found = {t["stage"]: t for t in told("study", text=text, name="a.toml")}
    line, words = BROKEN[text]
    assert (found["motion"]["state"], found["motion"]["place"]["line"]) == ("failed", line)
    assert found["motion"]["words"].startswith(f"a: {words}")
    assert all("unexpected" not in t.get("words", "") for t in found.values())
    assert set(found) == set(STAGES)


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rattleback", "snakeboard", "suslov-n", "knife-edge", "two-axle-tractor"])
def test_an_exhibit_becomes_a_text_that_is_the_same_system(name: str) -> None:
    (one,) = told("exhibit", name=name)
    made, exhibit = loads(one["text"]), gallery.get(name)
    assert (made.lagrangian, made.constraints, made.parameters, made.start) == (
        exhibit.system.lagrangian, exhibit.system.constraints, exhibit.system.parameters, exhibit.system.start,
    )  # fmt: skip
    assert one["text"].startswith(f"# {exhibit.title}\n")
    pages = [page or Page() for page in (made.page, exhibit.system.page)]
    assert len({(page.meanings, page.exercises, page.story, page.gait) for page in pages}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", (*gallery.system_names(), *gallery.machine_names()))
def test_every_exhibit_can_be_opened(name: str) -> None:
    (one,) = told("exhibit", name=name)
    assert loads(one["text"]).coordinates == gallery.get(name).system.coordinates


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "no_such_package"))
    with pytest.raises(NonholoError, match=r"the lab needs no_such_package; install .* pip install no_such_package\."):
        serve.read_folder(None)
    monkeypatch.setattr(serve, "NEEDED", ())
    monkeypatch.setattr(serve, "SCRIPT", tmp_path / "nothing.js")
    with pytest.raises(NonholoError, match=r"no scripts for living pages.*Node 18.*pip install \."):
        serve.read_folder(None)


def test_what_is_opened_at_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(serve, "SCRIPT", Path(__file__))
    here, other = tmp_path / "here", tmp_path / "other"
    for folder in (here / "in", other):
        folder.mkdir(parents=True)
        (folder / "a.toml").write_text(SWING)
    monkeypatch.chdir(here)
    assert serve.read_folder(None) == (Folder(here), "")
    assert serve.read_folder("in/a.toml") == (Folder(here), "in/a.toml")
    assert serve.read_folder("new.toml") == (Folder(here), "new.toml")
    assert serve.read_folder("rattleback") == (Folder(here), "gallery:rattleback")
    assert serve.read_folder("../other/a.toml") == (Folder(other), "a.toml")
    for wrong in ("in", "no/such.toml", "a.txt", "/dev/null"):
        with pytest.raises(FileError):
            serve.read_folder(wrong)
    with pytest.raises(ModelError, match="did you mean 'rattleback'"):
        serve.read_folder("ratleback")


@pytest.mark.skipif(not serve.SCRIPT.is_file(), reason="the lab's page has not been built")
def test_the_command_prints_its_address_and_ctrl_c_ends_it_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nonholo", "lab", "--no-browser"]
    quiet = {**os.environ, "PYTHONUNBUFFERED": "1"}
    lab = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=quiet,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert lab.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#\S+$", lab.stdout.readline().strip())
        assert found is not None and lab.stdout.readline() == "Ctrl-C ends it.\n"
        taken = subprocess.run([*command, "--port", found[1]], cwd=tmp_path, capture_output=True, text=True, timeout=240)
        assert taken.returncode == 2 and taken.stderr.startswith("nonholo: --port") and taken.stderr.count("\n") == 1
        group = os.getpgid(lab.pid)
        os.killpg(group, signal.SIGINT)  # as a terminal does
        out, err = lab.communicate(timeout=240)
        assert (lab.returncode, out, err) == (130, "", "")
        deadline = time.monotonic() + 240
        while _alive(group) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert _alive(group) == []  # nothing of it is left
    finally:
        lab.kill()
        lab.wait()
    assert list(tmp_path.iterdir()) == []


def _alive(group: int) -> list[str]:
    """The processes of a group that still run; what has ended and was not buried does not."""
    rows = subprocess.run(
        ["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [row for row in rows if row.split()[0] == str(group) and not row.split()[1].startswith("Z")]


def test_files_saved_by_the_lab_are_systems(tmp_path: Path) -> None:
    Folder(tmp_path.resolve()).save("swing.toml", SWING, "")
    assert load(tmp_path / "swing.toml").name == "swing"
