"""Pages as executed notebooks: text as text, Python and commands as cells, files written by a cell, outputs as they came."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from book.blocks import Block, blocks

PAGES = ("first-hour", "roboticist", "researcher")
"""Pages of ``docs/book`` that can be downloaded as notebooks."""
LONGEST = 600
"""Seconds a cell may take."""


def notebook(page: str) -> dict[str, Any]:
    """The cells of a page in nbformat 4, not yet run; outputs that the page shows are left to the run.

    >>> [c["cell_type"] for c in notebook("# A\\n\\n```python\\n1\\n```\\n\\n```output\\n1\\n```\\nB")["cells"]]
    ['markdown', 'code', 'markdown']
    """
    lines, cells, row = page.splitlines(), [], 0
    for block in blocks(page):
        cells.append(_text(lines[row : block.first - 1]))
        cells.append(_code(block))
        row = block.last + 1
    cells.append(_text(lines[row:]))
    kept = [cell for cell in cells if cell is not None]
    for number, cell in enumerate(kept):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": kept, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def _text(lines: list[str]) -> dict[str, Any] | None:
    text = re.sub(r"<!--.*?-->", "", "\n".join(lines), flags=re.S).strip()
    text = re.sub(r"\]\((?!https?:)[^)]*\)", "]", text)  # pages of the book are not beside the notebook
    return {"cell_type": "markdown", "metadata": {}, "source": text} if text else None


def _code(block: Block) -> dict[str, Any] | None:
    if block.kind == "output" or (block.kind == "toml" and not block.words and not block.excuse):
        return None
    if block.excuse or block.kind not in ("python", "console", "toml"):
        return {"cell_type": "markdown", "metadata": {}, "source": f"```\n{block.text}\n```"}
    source, tags = block.text, ["raises-exception"] if "raises" in block.words else []
    if block.kind == "console":
        commands = re.sub(r"\\\n\s*", "", block.text)
        source = "\n".join(["%%sh", *(line[2:] for line in commands.splitlines() if line.startswith("$ "))])
    if block.kind == "toml":
        source = f"%%writefile {block.words[0]}\n{block.text}"
    metadata = {"tags": tags} if tags else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def executed(page: str, folder: Path) -> str:
    """The notebook of a page after a run in a folder, as text; an error that the page does not expect is one here."""
    import nbformat
    from nbclient import NotebookClient

    made = nbformat.from_dict(notebook(page))
    where = {"metadata": {"path": str(folder)}}
    # what a command prints arrives in pieces, which a reader would show as lines
    client = NotebookClient(made, timeout=LONGEST, kernel_name="python3", coalesce_streams=True, resources=where)
    commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    client.execute(env={**os.environ, "PATH": commands})  # where `nonholo` is installed with this Python
    for cell in made.cells:
        cell.metadata.pop("execution", None)  # times of day
    return nbformat.writes(made)


def write_notebooks(docs: Path, source: Path, extra: Path, work: Path) -> None:
    """The executed notebooks into ``extra/notebooks``, each with a link on its page of ``source``."""
    (extra / "notebooks").mkdir(parents=True)
    for name in PAGES:
        shutil.rmtree(work / name, ignore_errors=True)
        (work / name).mkdir(parents=True)
        made = executed((docs / "book" / f"{name}.md").read_text("utf-8"), work / name)
        (extra / "notebooks" / f"{name}.ipynb").write_text(made, "utf-8")
        page = source / "book" / f"{name}.md"
        title, _, rest = page.read_text("utf-8").partition("\n")
        link = f'<p><a href="../notebooks/{name}.ipynb" download>This page as an executed notebook</a></p>'
        page.write_text(f"{title}\n\n```{{raw}} html\n{link}\n```\n{rest}", "utf-8")
