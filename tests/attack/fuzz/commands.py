"""Command lines: every command, every option, values with and without sense."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

FILES = {
    "line.toml": 'coordinates = "x"\nlagrangian = "xdot**2/2"\nuntil = 0.2\n[start]\nxdot = 1.0\n',
    "cart.toml": 'coordinates = "x"\nlagrangian = "m*xdot**2/2"\nforces = {x = "u"}\ninputs = "u"\nparameters = ["m"]\n',
    "bad.toml": "coordinates = \n",
    "binary.toml": "\x00\x01\x02",
}
SYSTEMS = [
    "line.toml", "line.toml", "line.toml", "cart.toml", "bad.toml", "binary.toml", "nobody", "nobody.toml", "",
    "-", ".", "..", "/dev/null",
    "/dev/zero", "/", "line.toml/", "\udcff\udcfe.toml", "x" * 5000, "--", "ideal-fluid-", "../line.toml", "~",
    "*.toml", "http://x/y.toml",
]  # fmt: skip
VALUES = [
    "", "0", "-1", "1e-3", "0.1", "nan", "inf", "1e400", "x", "x=1", "x=", "=1", "x=a", "x==1", "m=2",
    "m=1e999", "xdot=2", "u=sin(t)",
    "u=1/0", "u=x.__class__", "u=file.csv", "nobody=1", "a,b", "x,xdot", "t,x", ",", "out.nc", "/dev/full",
    "no/such/place.nc", "out.png",
    "out.xyz", ".", "rk4", "magic", "hamel", "taylor", "c", "numpy", "wasm", "cobol", "tcp://127.0.0.1:1",
    "\udcff", "🙂", "x" * 3000,
    "-x", "--help", "; rm -rf /", "$(id)", "`id`", "%s%s%n", "{0}", "\x1b[31m", "<script>alert(1)</script>",
    "u=xdot*2", "body",
]  # fmt: skip
HEAVY = {"report", "verify", "verdict", "integrals", "reduce", "lab", "stability", "section"}
"""These take longer than a fuzzer has time for, or listen for ever: only their refusals are tried."""
TEXT = 'coordinates = "x"\nlagrangian = "xdot**2/2"\n'


@cache
def tree() -> dict[str, list[tuple[str, bool]]]:
    """Every command with its options, and whether each takes a value."""
    from typer.main import get_command

    from nonholo.cli.application import application

    group: Any = get_command(application())
    return {
        name: [(o, not p.is_flag) for p in command.params if p.param_type_name == "option" for o in (*p.opts, *p.secondary_opts)]
        for name, command in sorted(group.commands.items())
    }


def make(chance: Random) -> list[str]:
    name = chance.choice([*tree(), "simulate", "simulate", "derive", "sweep", "export"])
    words = [name] if chance.random() < 0.95 else [chance.choice(VALUES)]
    heavy = name in HEAVY
    if chance.random() < 0.95:
        words.append(chance.choice([s for s in SYSTEMS if not (heavy and ("line" in s or "cart" in s))]))
    for _ in range(chance.randint(0, 4)):
        if chance.random() < 0.9 and tree()[name]:
            option, valued = chance.choice(tree()[name])
            words.append(option)
            if valued and chance.random() < 0.95:
                words.append(chance.choice(VALUES))
        else:
            words.append(chance.choice([*VALUES, "--nobody", "-z"]))
    if heavy and not any(w.endswith((".toml", "nobody")) for w in words[1:2]):
        words.append("--nobody")
    return words


def run(case: list[str], place: Path) -> None:
    from nonholo.cli.main import main

    here, stdin = os.getcwd(), sys.stdin
    for name, text in FILES.items():
        (place / name).write_text(text)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace") for _ in range(2))
    os.chdir(place)
    sys.stdin = io.TextIOWrapper(io.BytesIO(TEXT.encode()), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(list(case))
    finally:
        os.chdir(here)
        sys.stdin = stdin
    out.flush()
    err.flush()
    told = err.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
    if code not in (0, 1, 2):
        raise AssertionError(f"exit code {code}")
    if "Traceback" in told or ("unexpected " in told and "please report" in told):
        raise AssertionError(told[-600:])
    if code == 2 and not told.strip():
        raise AssertionError("exit code 2 without a word")
