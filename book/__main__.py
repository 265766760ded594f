"""``python -m book``: build the book, some systems of it, or run the code of a page."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

USAGE = """python -m book                      the whole book, into build/book/site
python -m book systems NAME …       the book with these systems alone
python -m book run PAGE …           the code of pages; --write puts the outputs found into them"""


def main(words: list[str]) -> int:
    """What the words ask for; 1 when something is wrong."""
    if words[:1] == ["run"]:
        return _run([w for w in words[1:] if w != "--write"], "--write" in words)
    if words and words[0] != "systems":
        print(USAGE)
        return 2
    from book.links import broken, count
    from book.site import build
    from book.systems import names

    if unknown := set(words[1:]) - set(names()):
        print(f"book: the gallery has no {', '.join(sorted(unknown))}")
        return 2
    begun, worked = perf_counter(), process_time()
    try:
        site = build(systems=words[1:] or None)
    except RuntimeError as trouble:
        print(f"book: {trouble}")
        return 1
    troubles = broken(site)
    size = sum(p.stat().st_size for p in site.rglob("*") if p.is_file()) / 1e6
    print("\n".join(troubles) or f"{count(site)} links, all good")
    print(f"{size:.0f} MB in {perf_counter() - begun:.0f} s ({process_time() - worked:.0f} s of processor time)")
    print(f"open {site / 'index.html'}")
    return 1 if troubles else 0


def _run(paths: list[str], write: bool) -> int:
    from book.blocks import run_page, with_outputs

    wrong = 0
    for path in map(Path, paths):
        text = path.read_text("utf-8")
        with TemporaryDirectory() as folder:
            begun = process_time()
            results = run_page(text, Path(folder))
        print(f"{path}: {len(results)} blocks, {process_time() - begun:.1f} s of processor time")
        for ran in results:
            if ran.trouble:
                print(f"  line {ran.block.first}: {ran.trouble}\n{ran.found}")
                wrong += not (write and ran.trouble.endswith("prints something else"))
        if write:
            path.write_text(with_outputs(text, results), "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
