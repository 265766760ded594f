"""Names made to break out of files, and objects of every wrong kind at every door: kept as they are, or refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh

NAMES = [
    "<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "a\nb", "\u202egpj.exe", "../../etc/passwd", "%s%n",
    "x" * 100_000, "</title><script>", "$\\input{/etc/passwd}$", "]]>", "<!--", "*/ int main() { */", '"""', "'''", "#", "🙂",
    '"""\nraise SystemExit("run")\n"""', "'''\nraise SystemExit\n'''", "back\\", "*/\n#error broken\n/*",
]  # fmt: skip
LINE = nh.System(coordinates="x", lagrangian="xdot**2/2")


@pytest.mark.parametrize("name", NAMES, ids=lambda n: n[:12])
def test_a_name_goes_through_files_and_code_and_stays_a_name(name: str, tmp_path: Path) -> None:
    system = nh.System(name, coordinates="x", parameters={"m": 1.5}, lagrangian="m*xdot**2/2 - x**2", start={"xdot": 1.0})
    nh.dump(system, tmp_path / "s.toml")
    assert nh.load(tmp_path / "s.toml") == system
    nh.simulate(system, until=0.1).save(tmp_path / "run.nc")
    assert nh.open(tmp_path / "run.nc").system.name == name
    nh.export(system, "numpy", tmp_path / "code.py")
    made: dict = {}
    exec(compile((tmp_path / "code.py").read_text("utf-8"), "code", "exec"), made)  # it is Python, whatever the name was
    nh.export(system, "c", tmp_path / "code.c")
    plain = tmp_path / "plain.c"
    nh.export(nh.System("plain", coordinates="x", parameters={"m": 1.5}, lagrangian="m*xdot**2/2 - x**2"), "c", plain)
    assert _lines(tmp_path / "code.c") == _lines(plain)
    assert (tmp_path / "code.h").read_text("utf-8").count("*/") == (tmp_path / "plain.h").read_text("utf-8").count("*/")
    nh.export(system, "sympy", tmp_path / "exact.py")
    exec(compile((tmp_path / "exact.py").read_text("utf-8"), "exact", "exec"), made)
    nh.export(system, "numpy")  # as a module, which is run here


def _lines(file: Path) -> list[str]:
    """The lines of C in which no function is named."""
    return [line for line in file.read_text("utf-8").splitlines() if not line.startswith(("void", "#include"))]


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800", "x\udfff"])
def test_a_name_that_no_file_can_hold_is_refused(name: str) -> None:
    with pytest.raises(nh.ModelError, match="no file can hold"):
        nh.System(name, coordinates="x", lagrangian="xdot**2/2")


DOORS = {
    "lagrangian": lambda v: nh.System(coordinates="x", lagrangian=v),
    "coordinates": lambda v: nh.System(coordinates=v, lagrangian="xdot**2"),
    **{
        word: lambda v, word=word: nh.System(coordinates="x", lagrangian="xdot**2", **{word: v})
        for word in ("forces", "quasivelocities", "symmetry", "frame", "drawing", "until", "magnetic", "parametric", "units")
    },
    "start": lambda v: nh.simulate(LINE, v, 0.1),
    "events": lambda v: nh.simulate(LINE, {}, 0.1, events=[v]),
    "method": lambda v: nh.simulate(LINE, {}, 0.1, method=v),
    "load": nh.load,
    "open": nh.open,
    "sweep": nh.sweep,
    "gallery": nh.gallery.get,
    "hamel": nh.hamel,
    "check": nh.check,
    "from_sympy": nh.from_sympy,
}
WRONG = [object(), [3.5], {3.5}, range(3), b"x", type, ...]


@pytest.mark.parametrize("door", DOORS)
def test_objects_of_every_wrong_kind_are_refused_in_words(door: str) -> None:
    for value in WRONG:
        if door == "events" and callable(value):
            continue
        with pytest.raises(nh.NonholoError):
            DOORS[door](value)


@pytest.mark.parametrize("to", ["c", "numpy", "wasm", "sympy"])
@pytest.mark.parametrize("place", ["no/such/folder/x", "/dev/full", "/dev/null", "/proc/x", ".", "x" * 3000])
def test_code_is_written_to_files_only(to: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(nh.NonholoError):
        nh.export(LINE, to, place)
    assert list(tmp_path.iterdir()) == []
