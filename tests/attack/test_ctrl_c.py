"""Ctrl-C while the program is still being loaded: exit 130 and not a word."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

SCRIPT = """
import os, runpy, sys, _signal
if {module!r} in sys.modules:
    sys.exit("loaded before the program")
_signal.signal(_signal.SIGINT, _signal.default_int_handler)
class Interrupts:
    seen = 0
    def find_spec(self, name, path=None, target=None):
        if name == {module!r} and not Interrupts.seen:
            Interrupts.seen = 1
            os.kill(os.getpid(), _signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["nonholo", *{words!r}]
try:
    runpy.run_module("nonholo", run_name="__main__")
finally:
    print("loaded", Interrupts.seen)
"""
PLACES = [
    ("nonholo.cli", ["list"]), ("nonholo.cli.main", ["list"]), ("nonholo.cli.main", ["list"]), ("typing", ["list"]),
    ("re", ["list"]), ("nonholo.errors", ["list"]), ("typer.main", ["list"]), ("nonholo.cli.main", ["list"]),
    ("numpy", ["derive", "euler-top"]), ("symengine", ["derive", "euler-top"]), ("llvmlite", ["simulate", "euler-top"]),
    ("nonholo.integrate.motion.simulate", ["simulate", "euler-top"]),
]  # fmt: skip


@pytest.mark.parametrize(("module", "words"), PLACES, ids=[m for m, _ in PLACES])
def test_an_interrupt_while_a_module_is_loaded_is_quiet(module: str, words: list[str]) -> None:
    script = SCRIPT.format(module=module, words=words)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    if done.stderr == "loaded before the program\n":
        pytest.skip(f"this environment loads {module} before any program")
    assert done.returncode == 130, done
    assert done.stderr == "" and done.stdout in ("", "loaded 1\n")


def test_the_front_loads_nothing_that_takes_time() -> None:
    """What is loaded before the program is prepared for Ctrl-C."""
    script = "import sys; before = set(sys.modules); import nonholo; print(sorted(set(sys.modules) - before))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {n for n in ast.literal_eval(told.stdout) if not n.startswith("nonholo")}
    assert loaded <= {"__future__", "importlib", "importlib._bootstrap", "importlib._bootstrap_external", "warnings"}, loaded
