"""Reports in a real browser: how large they are, and how long until one is open, solved and moving.

``python -m benchmarks.pages [--folder F] [--against G] [system …]`` makes the reports of the gallery, or of some systems (or
finds them in the folder F), and opens each in headless Chromium in a new window; a row is printed as soon as it is known. The
page's own clock runs from its navigation to the first picture after the motion has been solved in the page. Beside it stand the
processor time of the page's main thread and that of the whole browser (drawing without a graphics card is most of it), which a
busy machine lengthens less. With ``--against`` reports of the same names in another folder, made by an older version, are opened
in turn with the new ones.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import nonholo as nh
from nonholo import gallery
from nonholo.errors import NonholoError

ARGUMENTS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
OPENED = """() => new Promise((done) => {
  const look = () => Number(document.documentElement.dataset.solved || 0) > 0
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))) : requestAnimationFrame(look);
  look();
})"""
SIZE, SECONDS = 4.0, 2.0
WINDOWS = 3
CLOCK, PAGE, ALL = "open and moving [s]", "processor time of the page [s]", "of the browser [s]"


def rows(systems: Sequence[str] = (), folder: str | None = None, against: str | None = None) -> Iterator[dict[str, Any]]:
    """One row for each system that moves, as soon as it has been measured."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as made, sync_playwright() as player:
        place = Path(folder or made)
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = player.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name in systems or gallery.system_names():
            file = place / f"{name}.html"
            if not file.exists():
                try:
                    nh.simulate(gallery.get(name).system, t_eval="end", progress=False)
                except NonholoError:
                    continue  # nothing moves
                nh.report(name, file)
            files = [file, *([Path(against) / file.name] if against else [])]
            found = [[_opened(browser, f) for f in files] for _ in range(WINDOWS)]
            # of several windows the one that was disturbed least
            best = [{key: min(one[k][key] for one in found) for key in found[0][k]} for k in range(len(files))]
            row = {"system": name, "size [MB]": file.stat().st_size / 1e6, **best[0]}
            yield {**row, **{f"before: {key}": value for key, value in best[-1].items()}} if against else row
        browser.close()


def table(*given: Any) -> list[dict[str, Any]]:
    """All rows, and what they amount to."""
    found = list(rows(*given))
    return [*found, summary(found)]


def summary(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The largest file, medians and worsts, and whether the aims are met."""
    largest, clock = max(row["size [MB]"] for row in found), [row[CLOCK] for row in found]
    pairs = {key: [row[key] for row in found] for key in found[0] if key.endswith("[s]")}
    return {
        "system": "all: largest; median and worst", "size [MB]": largest,
        **{key: f"{median(v):.2f}, {max(v):.2f}" for key, v in pairs.items()},
        "4 MB": largest <= SIZE, "2 s by the clock": max(clock) <= SECONDS, "load of the machine": os.getloadavg()[0],
    }  # fmt: skip


def _opened(browser: Any, file: Path) -> dict[str, float]:
    page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.set_default_timeout(120_000)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _spent()
    page.goto(file.as_uri())
    milliseconds = page.evaluate(OPENED)
    whole = _spent() - before
    told = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    page.context.close()
    return {CLOCK: milliseconds / 1e3, PAGE: told["TaskDuration"], ALL: whole}


def _spent() -> float:
    """Seconds of processor time of all processes that this one has started, and they."""
    parent, seconds = {}, {}
    tick = os.sysconf("SC_CLK_TCK")
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                words = (place / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parent[int(place.name)] = int(words[1])
            seconds[int(place.name)] = (int(words[11]) + int(words[12])) / tick

    def ours(process: int) -> bool:
        while process > 1 and process != os.getpid():
            process = parent.get(process, 0)
        return process == os.getpid()

    return sum(value for process, value in seconds.items() if process != os.getpid() and ours(process))


def _line(row: dict[str, Any]) -> str:
    return " | ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values())


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("systems", nargs="*", help="names of the gallery; all that move when none is given")
    words.add_argument("--folder", help="where reports are, or are made and kept")
    words.add_argument("--against", help="reports of an older version, opened in turn with the new ones")
    given = words.parse_args()
    found: list[dict[str, Any]] = []
    for row in rows(given.systems, given.folder, given.against):
        if not found:
            print(" | ".join(row), flush=True)
        found.append(row)
        print(_line(row), flush=True)
    if found:
        print("; ".join(f"{key}: {value}" for key, value in summary(found).items()))


if __name__ == "__main__":
    main()
