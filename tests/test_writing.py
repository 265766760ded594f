"""Every writer of ours goes through one door: whole files, links followed, nothing but files replaced."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main
from nonholo.writing import write_text, written

SYSTEM = nh.System(coordinates="x y", lagrangian="xdot**2 + ydot**2", start={"xdot": 1.0})


def writers(tmp_path: Path) -> dict[str, object]:
    run = nh.simulate(SYSTEM, until=0.1, t_eval=3)
    return {
        "mine.toml": lambda place: nh.dump(SYSTEM, place),
        "run.nc": run.save,
        "film.html": lambda place: run.film(path=place),
        "film.gif": lambda place: run.film(path=place, seconds=0.2),
        "plot.png": lambda place: nh.film_strip(run, frames=2, path=place),
    }


@pytest.mark.parametrize("name", ["mine.toml", "run.nc", "film.html", "film.gif", "plot.png"])
def test_a_link_is_followed_and_a_fifo_is_refused_in_words(name: str, tmp_path: Path) -> None:
    write = writers(tmp_path)[name]
    real, link, pipe = (tmp_path / f"{k}{Path(name).suffix}" for k in ("real", "link", "pipe"))
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link)  # type: ignore[operator]
    assert link.is_symlink() and real.read_bytes() != b"old" and real.stat().st_mode & 0o777 == 0o640
    os.mkfifo(pipe)
    with pytest.raises(nh.FileError, match="it is a FIFO, not a file; choose another name"):
        write(pipe)  # type: ignore[operator]
    assert pipe.is_fifo()
    assert not [p.name for p in tmp_path.iterdir() if ".part" in p.name]


def test_a_report_on_a_device_is_refused_before_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "chaplygin-sleigh", "-o", "/dev/null"]) == 2
    assert "it is a device, not a file" in capsys.readouterr().err
    assert not Path("/dev/null").is_file()


def test_what_fails_half_way_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    write_text(place, "old")
    with pytest.raises(RuntimeError), written(place) as beside:
        beside.write_text("half")
        raise RuntimeError
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


def test_nobody_renames_files_but_the_one_helper() -> None:
    root = Path(nh.__file__).parent
    found = []
    for file in sorted(root.rglob("*.py")):
        text = file.read_text()
        if not any(word in text for word in ("replace", "rename", "move")):
            continue
        for node in ast.walk(ast.parse(text)):
            named = isinstance(node, ast.Attribute) and node.attr in ("replace", "rename", "move")
            if named and ast.unparse(node) in ("os.replace", "os.rename", "shutil.move"):
                found.append(file.name)
    assert found == ["writing.py"]


def test_nobody_guesses_names_but_the_one_helper() -> None:
    root = Path(nh.__file__).parent
    assert [f.name for f in sorted(root.rglob("*.py")) if "difflib" in f.read_text()] == ["errors.py"]


def test_what_is_written_on_the_way_has_a_name_that_nobody_can_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writers in one thread have two names; where a link stands already, nothing is written through it."""
    with written(tmp_path / "a.txt") as one, written(tmp_path / "a.txt") as two:
        assert one != two and one.exists() and two.exists() and not one.is_symlink()
        assert str(os.getpid()) not in one.name.split(".")[2]
    monkeypatch.setattr("nonholo.writing.token_hex", lambda _: "0123")
    (tmp_path / "victim").write_text("mine")
    (tmp_path / ".b.0123.part.txt").symlink_to(tmp_path / "victim")
    with pytest.raises(nh.FileError, match="File exists"):
        write_text(tmp_path / "b.txt", "other")
    assert (tmp_path / "victim").read_text() == "mine" and not (tmp_path / "b.txt").exists()
