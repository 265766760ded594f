"""How many files and functions of the package ``nonholo report chaplygin-sleigh`` runs through, counted by ``sys.setprofile``.

A function counts when it is called, a file when one of its functions is. Bodies of modules and classes, which run when a module
is imported, count as imports; functions that are called only while modules are imported (decorators that register something) are
counted and also listed apart. Lambdas and comprehensions count apart; ``names`` counts them with the functions, one for each
qualified name. The page is made in one process, so that nothing is missed.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import nonholo

ROOT = str(Path(nonholo.__file__).parent)
SYSTEM = "chaplygin-sleigh"


def walk(name: str = SYSTEM) -> dict[str, int]:
    """The counts of one report."""
    seen: set[CodeType] = set()
    later: set[CodeType] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and code not in later:
            seen.add(code)
            if not _importing(frame):
                later.add(code)

    with TemporaryDirectory() as folder:
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            nonholo.report(name, Path(folder) / "page.html", processes=1)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
    called = [code for code in seen if code.co_flags & 0x2]  # CO_NEWLOCALS: neither a module nor a class
    inner = [code for code in called if code.co_name.startswith("<")]
    return {
        "files imported": sum(code.co_name == "<module>" for code in seen),
        "files with functions called": len({code.co_filename for code in called}),
        "functions": len(called) - len(inner),
        "of these only by imports": sum(code not in later for code in called) - sum(code not in later for code in inner),
        "lambdas and comprehensions": len(inner),
        "names": len({(code.co_filename, code.co_qualname) for code in called}),
    }


def _importing(frame: FrameType | None) -> bool:
    """Whether a module of the package is being imported below this call."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(ROOT):
            return True
        frame = frame.f_back
    return False


def table() -> list[dict[str, Any]]:
    """The row of the sleigh."""
    return [{"report": SYSTEM, **walk()}]
