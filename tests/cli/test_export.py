"""nonholo export: files, and one line for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from nonholo.cli.main import main


def test_export_writes_c_with_the_gallerys_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "chaplygin-sleigh", "--to", "c", "-o", str(tmp_path / "sleigh.c")]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sleigh.c", "sleigh.h", "sleigh_example.c"]
    assert "wrote" in capsys.readouterr().out
    assert "/* m, J, a */" in (tmp_path / "sleigh_example.c").read_text()


def test_export_takes_the_ending_from_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "chaplygin-sleigh", "--to", "wasm", "--implicit"]) == 0
    assert (tmp_path / "chaplygin_sleigh.wasm").read_bytes()[:4] == b"\0asm"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--to", "cc"], "no target is called 'cc'; did you mean 'c'?"),
        (["--to", "c", "-o", "nowhere/sleigh.c"], "cannot be written: No such file or directory"),
        (["--to", "c", "-o", "sleigh.txt"], "give one that ends in .c"),
        (["--to", "numpy", "-o", "."], "is a folder"),
        ([], "give --to and one of c, casadi, jax, jax_ffi, numpy, sympy, wasm"),
    ],
)
def test_bad_wishes_are_one_line_and_exit_code_two(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "chaplygin-sleigh", *words]) == 2
    shown = capsys.readouterr().err
    assert told in shown
    assert len(shown.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
