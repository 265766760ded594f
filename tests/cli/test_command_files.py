"""Commands are files: one adds one, and only what is asked for is read in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nonholo.cli.main import main


def test_a_command_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from nonholo.cli import commands

    text = """
from nonholo.cli.command import command
from nonholo.cli.options import System

@command(place=5, example="nonholo greet chaplygin-sleigh")
def greet(system: System) -> int:
    "Greet a system."
    print("hello", system)
    return 1
"""
    (tmp_path / "greet.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    assert main(["greet", "sleigh"]) == 1
    assert capsys.readouterr().out == "hello sleigh\n"
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("greet") < shown.index("list  ") and "Greet a system." in shown
    assert main(["greet", "--help"]) == 0
    assert "Example: nonholo greet chaplygin-sleigh" in capsys.readouterr().out


def test_one_command_reads_in_no_other() -> None:
    code = (
        "import sys; from nonholo.cli.main import main; main(['list', '--json']);"
        "print([m for m in sys.modules if '.commands.' in m])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "['nonholo.cli.commands.list']"
