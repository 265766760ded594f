"""Reports in a real browser: how large they are, and how long until one is open, solved and moving.

``python -m benchmarks.pages [folder]`` makes every report of the gallery (or finds them in the folder) and opens each in
headless Chromium in a new window. The page's own clock runs from its navigation to the first picture after the motion has been
solved in the page; beside it stands the processor time of the page's main thread, which a busy machine lengthens less.
"""

from __future__ import annotations

import os
import shutil
import sys
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


def table(folder: str | None = None) -> list[dict[str, Any]]:
    """One row for each system of the gallery that moves."""
    from playwright.sync_api import sync_playwright

    rows: list[dict[str, Any]] = []
    with TemporaryDirectory() as made, sync_playwright() as player:
        place = Path(folder or made)
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = player.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name in gallery.names():
            file = place / f"{name}.html"
            try:
                nh.simulate(gallery.get(name).system, t_eval="end", progress=False)
            except NonholoError:
                continue  # nothing moves
            if not file.exists():
                nh.report(name, file)
            rows.append({"system": name, "size [MB]": file.stat().st_size / 1e6, **_opened(browser, file)})
        browser.close()
    largest, clock = max(row["size [MB]"] for row in rows), [row["open and moving [s]"] for row in rows]
    work = [row["processor time [s]"] for row in rows]
    rows.append({
        "system": "all: largest; median and worst", "size [MB]": largest,
        "open and moving [s]": f"{median(clock):.2f}, {max(clock):.2f}",
        "processor time [s]": f"{median(work):.2f}, {max(work):.2f}",
        "4 MB": largest <= SIZE, "2 s by the clock": max(clock) <= SECONDS, "2 s of processor time": max(work) <= SECONDS,
    })  # fmt: skip
    print(f"load of the machine: {os.getloadavg()}")
    return rows


def _opened(browser: Any, file: Path) -> dict[str, float]:
    """Of three windows the one that was disturbed least."""
    found = []
    for _ in range(3):
        page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
        page.set_default_timeout(120_000)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(file.as_uri())
        milliseconds = page.evaluate(OPENED)
        told = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        found.append((milliseconds / 1e3, told["TaskDuration"]))
        page.context.close()
    return {"open and moving [s]": min(f[0] for f in found), "processor time [s]": min(f[1] for f in found)}


if __name__ == "__main__":
    for row in table(*sys.argv[1:2]):
        print(" | ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values()))
