"""Pages on what stands at ``nh.``, from the docstrings, and on the command line, from its help."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from book.markdown import escaped, fenced

TITLES = {
    "control": "Control and data", "behaviour": "How it behaves", "chaos": "Chaos and sections",
    "elsewhere": "To and from other tools",
}  # fmt: skip
"""Groups of the front, as its docstring has them -> their titles, where these are longer."""
ANSWERS = ("equations", "questions", "motion", "control", "steering", "behaviour", "chaos")
"""Groups whose records are answers, which nobody makes by hand."""
ROOMS = ("frames", "forms", "pictures", "studies", "fields", "control", "gallery")


def groups() -> dict[str, tuple[str, ...]]:
    """The names at ``nh.`` by what they are for, as the package's own docstring groups them."""
    import nonholo as nh

    found: dict[str, tuple[str, ...]] = {}
    title = ""
    for line in (nh.__doc__ or "").splitlines():
        if line.startswith("    "):
            title, names = line[4:18].strip() or title, line[18:]
            found[title] = (*found.get(title, ()), *names.split())
    return found


def write_reference(source: Path) -> None:
    """The pages into ``source/reference``."""
    import nonholo as nh

    folder = source / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    pages = []
    for title, names in groups().items():
        pages.append(title.replace(" ", "-"))
        entries = (_entry(n, getattr(nh, n), "nh.", title not in ANSWERS) for n in names)
        text = [f"# {TITLES.get(title, title.capitalize())}", *entries]
        (folder / f"{pages[-1]}.md").write_text("\n\n".join(text) + "\n", "utf-8")
    for room in ROOMS:
        pages.append(f"nh-{room}")
        space = getattr(nh, room)
        names = getattr(space, "__all__", None) or [n for n in dir(space) if not n.startswith("_")]
        front = {n: title for title, group in groups().items() for n in group if n in names}
        text = [f"# nh.{room}", prose(space.__doc__ or "")]
        text += [f"Also at the front: {', '.join(_link(n, title) for n, title in front.items())}."] if front else []
        text += [_entry(n, getattr(space, n), f"nh.{room}.") for n in names if n not in front]
        (folder / f"{pages[-1]}.md").write_text("\n\n".join(text) + "\n", "utf-8")
    (folder / "command-line.md").write_text(command_line(), "utf-8")
    (folder / "index.md").write_text(_index([*pages, "command-line"]), "utf-8")


def _index(pages: list[str]) -> str:
    import nonholo as nh

    lines = ["# Reference", "", "What stands at `nh.`, from its docstrings, whose examples are tests.", ""]
    for title, names in groups().items():
        lines += [f"## {TITLES.get(title, title.capitalize())}", "", "| name | what it is |", "|---|---|"]
        lines += [f"| {_link(n, title)} | {one_line(getattr(nh, n))} |" for n in names] + [""]
    lines += ["## Rooms", "", "| room | what it holds |", "|---|---|"]
    lines += [f"| [`nh.{room}`](nh-{room}.md) | {one_line(getattr(nh, room))} |" for room in ROOMS]
    lines += ["| [The command line](command-line.md) | Every command with its options and an example. |"]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *pages, "```"]) + "\n"


def one_line(thing: object) -> str:
    """The first sentence of a docstring, for a cell of a table."""
    first = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    sentence = re.split(r"(?<=\.)\s", " ".join(first.split()), maxsplit=1)[0]
    return prose(sentence).replace("|", "\\|")


def _link(name: str, group: str) -> str:
    return f"[`{name}`]({group.replace(' ', '-')}.md#{anchor(name)})"


def anchor(name: str) -> str:
    """The anchor of a name on its page; a class and a function may differ by their first letter alone."""
    return f"nh-{name}".lower().replace("_", "-").replace(".", "-") + ("-record" if name.rpartition(".")[2][:1].isupper() else "")


def _entry(name: str, thing: Any, front: str, made: bool = True) -> str:
    """A name with its call (of records that a user makes), its words, and the fields and methods of a record."""
    parts = [f"({anchor((front + name).removeprefix('nh.'))})=\n## `{name}`"]
    if inspect.ismodule(thing) or not (callable(thing) or inspect.isclass(thing)):
        return "\n\n".join([*parts, prose(inspect.getdoc(thing) or "")])
    error = inspect.isclass(thing) and issubclass(thing, BaseException)
    if not error and (made or not is_dataclass(thing)):
        parts.append(fenced("python", _signature(front + name, thing)))
    parts.append(prose(inspect.getdoc(thing) or ""))
    if inspect.isclass(thing) and not error:
        parts += _members(thing)
    return "\n\n".join(p for p in parts if p)


def _signature(name: str, thing: Any) -> str:
    """The call, broken into lines where it is long; defaults that are objects as ``...``."""
    try:
        given = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"{name}(...)"
    words = []
    for p in given.parameters.values():
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = "" if p.annotation is p.empty else f": {_plain(p.annotation)}"
        shown = repr(p.default)
        default = "" if p.default is p.empty else f" = {'...' if '<' in shown or len(shown) > 40 else shown}"
        if p.kind is p.KEYWORD_ONLY and "*" not in words and not any(w.startswith("*") for w in words):
            words.append("*")
        words.append(f"{star}{p.name}{kind}{default}")
    back = "" if given.return_annotation is given.empty or inspect.isclass(thing) else f" -> {_plain(given.return_annotation)}"
    short = f"{name}({', '.join(words)}){back}"
    return short if len(short) < 90 else f"{name}(\n" + "".join(f"    {w},\n" for w in words) + f"){back}"


def _plain(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _members(thing: type) -> list[str]:
    told = _told(thing)
    rows = []
    if is_dataclass(thing):
        rows += [(f.name, told.get(f.name, "")) for f in fields(thing) if not f.name.startswith("_")]
    for name, member in vars(thing).items():
        if name.startswith("_") or name in {n for n, _ in rows}:
            continue
        doc = inspect.getdoc(member) or ""
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            rows.append((name, _first(doc)))
        elif inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod)):
            rows.append((f"{name}()", _first(doc)))
    return ["\n".join(["| | |", "|---|---|", *(f"| `{n}` | {inline(t)} |" for n, t in rows)])] if rows else []


def _told(thing: type) -> dict[str, str]:
    """The strings that stand below the fields of a record."""
    found: dict[str, str] = {}
    for kind in reversed(thing.__mro__[:-1]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
        except (OSError, TypeError):
            continue
        for line, after in zip(getattr(body, "body", []), getattr(body, "body", [])[1:]):
            if isinstance(line, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found[ast.unparse(line.target)] = str(after.value.value)
    return found


def _first(doc: str) -> str:
    return doc.partition("\n\n")[0]


def inline(text: str) -> str:
    """A docstring's line as Markdown: code between backticks, the rest as it is.

    >>> inline("the ``p_a`` of [BMZ]")
    'the `p_a` of \\\\[BMZ\\\\]'
    """
    parts = re.split(r"(``.+?``|`[^`]+`)", " ".join(text.split()))
    return "".join(f"`{p.strip('`').replace('|', '∣')}`" if k % 2 else escaped(p) for k, p in enumerate(parts))


def prose(doc: str) -> str:
    """A docstring as Markdown: indented lines are formulas, ``>>>`` begins an example, lists stay lists."""
    parts = []
    for piece in re.split(r"\n\s*\n", doc.strip("\n")):
        if not piece.strip():
            continue
        if piece.lstrip().startswith(">>>"):
            parts.append(("python", textwrap.dedent(piece)))
        elif piece.startswith("    "):
            parts.append(("text", textwrap.dedent(piece)))
        elif re.match(r"[-*] |\d+\. |\|", piece):
            parts.append(("", piece))
        else:
            parts.append(("", inline(piece)))
    return "\n\n".join(fenced(kind, text) if kind else text for kind, text in parts)


def command_line() -> str:
    """Every command with its help."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from nonholo.cli.application import application

    runner, parts = CliRunner(env={"COLUMNS": "96", "NO_COLOR": "1", "TERM": "dumb"}), ["# The command line"]
    parts.append("`SYSTEM` is a name of the gallery or a `.toml` file. Exit codes: 0 good, 1 a check failed, 2 bad input.")
    for name in sorted(getattr(get_command(application()), "commands", {})):
        told = runner.invoke(application(), [name, "--help"], prog_name="nonholo").output
        parts += [f"## `nonholo {name}`", fenced("text", told)]
    return "\n\n".join(parts) + "\n"
