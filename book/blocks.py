"""The code on a page: each block is run in the order of the page, and what it prints is compared with what the page shows.

A block of ``python`` is run; an ``output`` block after it shows what it prints. After ``python raises`` it shows the error.
A block of ``console`` has commands (``$ nonholo …``), each with the output it should have. A block of ``toml`` is a system;
with a name (``toml sleigh.toml``) it is a file that later blocks find. In outputs ``…`` stands for anything, on a line of its
own for any lines. ``<!-- not run: reason -->`` above a block says why it cannot run; ``<!-- first:`` … ``-->`` holds lines that
the reader need not see.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANY = "…"
WIDTH = "100"
RUN = ("python", "console", "toml")
SHOWN = ("output", "text")
_FENCE = re.compile(r"^(```+)\s*(.*)$")
_EXCUSE = re.compile(r"^<!-- not run: (.+) -->$")
_COMMAND = re.compile(r"^    (?:nonholo |nh\.|make |python -m |pytest |pip |\$ )", re.M)

_TINY = re.compile(r"\b\d+(?:\.\d+)?e-(?:0[89]|1\d)\b")
_PLACE = re.compile(r"file:///(?:[^/\s]+/)*")


@dataclass(frozen=True)
class Block:
    """A block of a page: ``lines`` from ``first`` to ``last`` (of the page, from 0) are its inside."""

    kind: str
    words: tuple[str, ...]
    text: str
    first: int
    last: int
    excuse: str = ""


@dataclass(frozen=True)
class Ran:
    """What running a block gave beside what the page shows; ``shown`` is the block of the page that holds it."""

    block: Block
    found: str
    trouble: str = ""
    shown: Block | None = None


def blocks(page: str) -> list[Block]:
    """The blocks of a page, hidden ones too, in order.

    >>> [b.kind for b in blocks("```python\\n1\\n```\\n\\n```output\\n1\\n```\\n")]
    ['python', 'output']
    """
    lines, found, row, above = page.splitlines(), [], 0, ""
    while row < len(lines):
        line = lines[row]
        fence = _FENCE.match(line)
        if fence or line == "<!-- first:":
            end = fence[1] if fence else "-->"
            last = next((k for k in range(row + 1, len(lines)) if lines[k] == end), len(lines))
            words = fence[2].split() if fence else ["python"]
            excuse = _EXCUSE.match(above)
            inside = "\n".join(lines[row + 1 : last])
            kind, why = words[0] if words else "text", excuse[1] if excuse else ""
            found.append(Block(kind, tuple(words[1:]), inside, row + 1, last, why))
            row, above = last + 1, ""
            continue
        above = line or above
        row += 1
    return found


def loose_commands(page: str) -> list[str]:
    """Commands in indented blocks, which nobody would run."""
    return [m.strip() for m in _COMMAND.findall(page)]


def run_page(page: str, folder: Path) -> list[Ran]:
    """Run the blocks of a page in a folder, where its files are written; what went wrong is in ``trouble``."""
    import matplotlib

    matplotlib.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    found, results = blocks(page), []
    before = {key: os.environ.get(key) for key in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS=WIDTH, NO_COLOR="1")
    try:
        with chdir(folder):
            for block, after in zip(found, [*found[1:], None]):
                if block.kind in RUN and not block.excuse:
                    shown = after if after is not None and after.kind == "output" else None
                    results.append(_run(block, shown, names))
    finally:
        import matplotlib.pyplot as plt

        plt.close("all")
        for key, value in before.items():
            os.environ.pop(key) if value is None else os.environ.update({key: value})
    return results


def _run(block: Block, shown: Block | None, names: dict[str, Any]) -> Ran:
    if block.kind == "console":
        return _session(block)
    if block.kind == "toml":
        return _file(block)
    found, error = _python(block, names)
    if error is not None and "raises" not in block.words:
        return Ran(block, found, f"raised {type(error).__name__}: {error}", shown)
    if error is None and "raises" in block.words:
        return Ran(block, found, "raised nothing", shown)
    if error is not None:
        found += f"{type(error).__name__}: {error}"
    if found.strip() and shown is None:
        return Ran(block, found, "prints something that the page does not show", shown)
    agree = shown is None or matches(shown.text, found)
    return Ran(block, found, "" if agree else "prints something else", shown)


def _python(block: Block, names: dict[str, Any]) -> tuple[str, Exception | None]:
    out = io.StringIO()
    with redirect_stdout(out):
        try:
            exec(compile("\n" * block.first + block.text, "page", "exec"), names)
        except Exception as error:
            return out.getvalue(), error
    return out.getvalue(), None


def _file(block: Block) -> Ran:
    from nonholo.errors import NonholoError
    from nonholo.machines.machine_files import loads

    if block.words:
        Path(block.words[0]).write_text(block.text + "\n", "utf-8")
    if "wrong" in block.words or "sweep" in block.words:
        return Ran(block, "")
    try:
        loads(block.text)
    except NonholoError as error:
        return Ran(block, str(error), f"is no system: {error}")
    return Ran(block, "")


def _session(block: Block) -> Ran:
    """The commands of a block, in this process; their output as a terminal shows it."""
    lines, troubles = [], []
    for command, shown in commands(block.text):
        lines.append(f"$ {command}")
        words = shlex.split(command)
        if words[:1] != ["nonholo"]:
            troubles.append(f"{command}: only nonholo is run here")
            continue
        text, code = _nonholo(words[1:])
        wanted = 2 if shown.startswith("nonholo: ") else 0
        if code != wanted:
            troubles.append(f"{command}: exit code {code}, not {wanted}: {text[:200]}")
        if shown.strip() and not matches(shown, text):
            troubles.append(f"{command}: prints something else")
        lines += [text.rstrip()] if shown.strip() else []
    return Ran(block, "\n".join(lines), "; ".join(troubles), block)


def _nonholo(words: list[str]) -> tuple[str, int]:
    from nonholo.cli.main import main

    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main(words)
    return out.getvalue(), code


def commands(session: str) -> list[tuple[str, str]]:
    """The commands of a session, each with the output shown below it.

    >>> commands("$ nonholo list\\na\\nb\\n$ nonholo methods")
    [('nonholo list', 'a\\nb'), ('nonholo methods', '')]
    """
    parts = re.split(r"^\$ ", session, flags=re.M)
    found = []
    for part in parts[1:]:
        while part.partition("\n")[0].endswith("\\"):
            part = re.sub(r"\\\n\s*", "", part, count=1)
        command, _, shown = part.partition("\n")
        found.append((command.strip(), shown.rstrip()))
    return found


def matches(shown: str, found: str) -> bool:
    """Whether a printed output is the one shown, where ``…`` stands for anything and spaces at line ends count for nothing.

    >>> matches("a … c\\n…\\nz", "a b c\\nd\\ne\\nz"), matches("a", "b")
    (True, False)
    """
    pattern = ""
    for line in _tidy(shown):
        pattern += "(?:.*\n)*?" if line.strip() == ANY else ".*?".join(map(re.escape, line.split(ANY))) + "\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _tidy(found))) is not None


def _tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").rstrip().splitlines()]


def with_outputs(page: str, results: list[Ran]) -> str:
    """The page with the outputs that were found in place of those that differ; rounding errors and folders as ``…``."""
    lines = page.splitlines()
    for ran in reversed(results):
        if ran.shown is not None and ran.trouble.endswith("prints something else"):
            told = [_PLACE.sub(f"file:///{ANY}/", line) for line in _tidy(ran.found)]
            lines[ran.shown.first : ran.shown.last] = [_TINY.sub(ANY, line) for line in told]
    return "\n".join(lines) + "\n"
