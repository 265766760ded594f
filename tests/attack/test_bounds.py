"""Texts that are small and ask for much: refused in words, or answered in time that grows like the text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.calculus import nodes
from nonholo.model.files.toml_files import loads
from tests.counted import calls, lines

SYSTEM = 'coordinates = "x"\nlagrangian = "xdot**2/2"\n'


def potential(text: str) -> nh.System:
    return nh.System(coordinates="x y", lagrangian=f"(xdot**2 + ydot**2)/2 - ({text})")


@pytest.mark.parametrize("text", ["**".join("x" * 300), "x**" * 90 + "(" + "x**" * 90 + "(" + "x**" * 90 + "x))"])
def test_operations_too_deep_inside_each_other_are_refused(text: str) -> None:
    with pytest.raises(nh.ParseError, match="inside each other"):
        potential(text)


def test_long_sums_of_deep_terms_count_as_deep_as_their_terms() -> None:
    deep = "sin(" * 100 + "x" + ")" * 100
    potential(" + ".join([deep] * 70))
    with pytest.raises(nh.ParseError, match="inside each other"):
        potential("x**" * 120 + "(" + " + ".join([f"{deep}"] * 70) + ")")


def test_the_largest_of_many_has_a_force_that_does_not_double_with_each() -> None:
    """As nested pieces 24 of them would have millions of nodes; the force is the slope of the largest, by numpy."""
    slopes = np.random.default_rng(5).normal(size=24)
    for word, pick in (("Max", np.argmax), ("Min", np.argmin)):
        system = potential(f"{word}({', '.join(f'{a!r}*x' for a in slopes.tolist())})")
        equations = nh.hamel(system)
        rates = equations.rates({"x": 0.7, "y": 0.0, "xdot": 0.0, "ydot": 0.0}, {})
        assert rates["xdot"] == pytest.approx(-slopes[pick(slopes * 0.7)], abs=1e-12)
        assert len(nodes(equations.force)) < 100 * len(slopes)


def test_three_that_are_equal_in_pairs() -> None:
    system = potential("Max(x, -x, y)")
    for x, y, along in ((0.5, 0.2, (-1, 0)), (-0.5, 0.2, (1, 0)), (0.1, 0.2, (0, -1))):
        rates = nh.hamel(system).rates({"x": x, "y": y, "xdot": 0.0, "ydot": 0.0}, {})
        assert (rates["xdot"], rates["ydot"]) == along


def test_kinks_inside_kinks_are_bounded() -> None:
    text = "x"
    for k in range(1, 30):
        text = f"Abs({text} - {k}/7)"
    with pytest.raises(nh.ModelError, match="inside each other"):
        nh.hamel(potential(text))
    folded = nh.hamel(potential("Abs(Abs(Abs(x) - 1) - 1/2)")).rates({"x": 0.7, "y": 0.0, "xdot": 0.0, "ydot": 0.0}, {})
    assert folded["xdot"] == -1.0  # ||0.7| − 1| = 0.3 < 1/2: the slope of 1/2 − (1 − x)


@pytest.mark.parametrize(
    "line", ["until = " + "9" * 5000, "until = " + "9" * 4000, "until = 0x" + "F" * 50_000, "[parameters]\nm = 1" + "0" * 400,
             ".".join(["a"] * 20_000) + " = 1", f"[{'.'.join(['a'] * 20_000)}]", "a = " + "[" * 100_000, "a = " + "{b = " * 5000],
    ids=lambda line: line[:12],
)  # fmt: skip
def test_files_that_ask_for_much(line: str, tmp_path: Path) -> None:
    def read() -> None:
        with pytest.raises(nh.FileError, match=r"more than 300 digits|nested too deeply|not TOML"):
            loads(SYSTEM + line if line[0] in "u[" else line + "\n" + SYSTEM)
        (tmp_path / "s.toml").write_text(line)
        with pytest.raises(nh.NonholoError):
            nh.sweep(tmp_path / "s.toml", store=tmp_path / "s.zarr")

    assert calls(read) < 1_000_000


@pytest.mark.parametrize("key", ["{} = 1", '[start]\n{} = 1.0', '[forces]\n{} = "1"'])
def test_very_many_keys_take_work_that_grows_like_their_number(key: str) -> None:
    def work(count: int) -> int:
        head, _, line = key.rpartition("\n")
        rows = "\n".join(line.format(f"k{i}") for i in range(count))
        text = f"{SYSTEM}{head}\n{rows}" if head else f"{rows}\n{SYSTEM}"

        def read() -> None:
            with pytest.raises(nh.NonholoError):
                loads(text)

        return lines(read)

    work(100)
    assert work(2000) < 6 * work(500)


@pytest.mark.parametrize("laws", [{"u": "u"}, {"u": "w", "w": "u"}, {"u": "w", "w": "x"}])
def test_laws_in_a_circle_are_refused(laws: dict) -> None:
    system = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u + w"}, inputs="u w")
    with pytest.raises(nh.ParseError, match="unknown name"):
        nh.simulate(system, {}, 1.0, inputs={"w": 0.0, **laws})


def test_advice_for_stiff_systems_names_a_method() -> None:
    run = nh.simulate(potential("5e9*x**2"), {"x": 1.0}, 1.0, max_steps=500)
    assert run.outcome.kind == "too many steps" and 'method="rodas"' in run.outcome.advice


def test_a_huge_file_that_is_no_motion_is_not_read(tmp_path: Path) -> None:
    from nonholo.integrate.results.trajectory_files import MAGIC

    with (tmp_path / "huge.nc").open("wb") as file:
        file.write(MAGIC)
        file.truncate(2**40)  # a hole: it takes no room
    with pytest.raises(nh.FileError, match="not one that nonholo wrote"):
        nh.open(tmp_path / "huge.nc")


def test_a_heap_that_never_ends_is_refused_before_hdf5_walks_in_it(tmp_path: Path) -> None:
    from nonholo.integrate.results.trajectory_files import _endless, seal

    nh.simulate(nh.System(coordinates="x", lagrangian="xdot**2/2"), {"xdot": 1.0}, 1.0).save(tmp_path / "run.nc")
    content = bytearray((tmp_path / "run.nc").read_bytes()[: -len(seal(b""))])
    assert not _endless(bytes(content))
    at = content.find(b"GCOL") + 16
    while content[at : at + 2] != b"\0\0":
        at += 16 + -(-int.from_bytes(content[at + 8 : at + 16], "little") // 8) * 8
    content[at + 8 : at + 16] = bytes(8)
    (tmp_path / "run.nc").write_bytes(bytes(content) + seal(bytes(content)))
    with pytest.raises(nh.FileError, match="never ends"):
        nh.open(tmp_path / "run.nc")


@pytest.mark.parametrize("name", ['a"b.toml', "a\\b.toml", "a\nb.toml", "\udcff.toml"])
def test_new_files_have_names_that_can_stand_in_them(name: str, tmp_path: Path, monkeypatch, capsys) -> None:
    from nonholo.cli.main import main

    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 2 and list(tmp_path.iterdir()) == []
    assert main(["new", "plain name.toml"]) == 0 and nh.load(tmp_path / "plain name.toml").name == "plain name"
    assert json.dumps(capsys.readouterr().err).count("\\n") <= 2
