"""Entry point of the command line: an error is one line, the exit code says its kind."""

from __future__ import annotations

import os
import sys
from typing import Any

from nonholo.cli.interrupts import interrupts, silent
from nonholo.cli.terminal import ReaderLeft
from nonholo.errors import NonholoError

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(arguments: list[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 ok, 1 a check failed, 2 bad input, 130 interrupted."""
    with interrupts() as seen:
        try:
            code = _command(arguments)
        except KeyboardInterrupt:
            return INTERRUPTED
        except (BrokenPipeError, ReaderLeft):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more when it ends
            return BROKEN_PIPE
        except Exception as trouble:
            if seen or type(trouble).__name__ == "Abort":  # click's word for Ctrl-C
                return INTERRUPTED
            return _refuse(trouble)
        return INTERRUPTED if seen else code


def _command(arguments: list[str] | None) -> int:
    from typer.main import get_command  # here, so that Ctrl-C is quiet from the first moment

    from nonholo.cli.application import application

    given = sys.argv[1:] if arguments is None else arguments
    code: Any = get_command(application(given)).main(args=given, prog_name="nonholo", standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _refuse(trouble: Exception) -> int:
    if isinstance(trouble, NonholoError):
        line = trouble.said("shell")
        if trouble.passage is None or not trouble.passage.file:  # of a file its line is shown, with a caret
            line = line.partition("\n")[0]
    elif hasattr(trouble, "format_message"):  # click's, of an option or argument
        line = " ".join(trouble.format_message().split())
    elif os.environ.get("NONHOLO_TRACEBACK"):
        raise trouble
    else:
        reason = " ".join(f"{type(trouble).__name__}: {trouble}".split())[:300]
        line = f"unexpected {reason} (NONHOLO_TRACEBACK=1 shows where; please report it)"
    print(f"nonholo: {line}", file=sys.stderr)
    return BAD_INPUT


def run() -> None:
    """The command ``nonholo``."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.argv[1:2] in (["simulate"], ["report"]):
        # xarray imports all of dask where it is installed, half a second for one motion that never uses it
        sys.modules.setdefault("dask", None)  # type: ignore[arg-type]
    code = main()
    if code == INTERRUPTED:
        sys.unraisablehook = silent
    sys.exit(code)
