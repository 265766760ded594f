"""Warm calls against the code of another checkout: ``python -m benchmarks.against ../before [ROUNDS] [ROW …]``.

Each checkout works in a process of its own; blocks of calls of the same row alternate between the two, and the best and the lower
quartile of their processor times are compared. Both must have their compiled loops (``pip install -e .`` or a first motion).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

LEAST = 0.02
"""Seconds of a block of calls."""
GALLERY = {"chaplygin-sleigh": 12.0, "rattleback": 0.1, "whipple-bicycle": 0.1}


def works() -> Iterable[tuple[str, Callable[[], Any]]]:
    """The rows, of whichever checkout runs this."""
    import nonholo as nh
    from benchmarks import integrate, many

    swing = nh.System(
        coordinates=["x"], parameters={"m": 1.3, "k": 2.0}, lagrangian="m*xdot**2/2 - k*x**2/2"
    )
    yield "simulate: oscillator, 0.1 s", lambda: nh.simulate(swing, {"x": 0.3, "xdot": 0.1}, 0.1)
    for name, until in GALLERY.items():
        one = nh.gallery.get(name)
        yield f"simulate: {name}, {until} s", lambda s=one, t=until: nh.simulate(s.system, s.start, t, s.parameters)
    for subject, count in zip(many.subjects(), (2000, 100)):
        yield f"many: {count} of {subject.name}", lambda s=subject, n=count: many.call(s, n, 1, 1e-9)
    for case in integrate.subjects():
        yield f"integrate: {case.name}, prepared", integrate.ours(case, 1e-9)
        yield f"integrate: {case.name}, at once", integrate.ours_at_once(case, 1e-9)


def answer(wanted: list[str]) -> None:
    """The process of a checkout: says which rows it has, then the seconds of a call for each that is asked for."""
    sys.path.remove(str(Path(__file__).parent))  # its own modules, not those beside this file
    rows = {name: work for name, work in works() if not wanted or any(w in name for w in wanted)}
    counts = {}
    for name, work in rows.items():
        for _ in range(3):
            work()
        counts[name] = 1
        while block(work, counts[name]) < LEAST:
            counts[name] *= 2
    print(json.dumps(list(rows)), flush=True)
    for line in sys.stdin:
        name = line.strip()
        print(block(rows[name], counts[name]) / counts[name], flush=True)


def block(work: Callable[[], Any], count: int) -> float:
    """Processor seconds of so many calls."""
    began = process_time()
    for _ in range(count):
        work()
    return process_time() - began


def compared(before: Path, rounds: int, wanted: list[str]) -> list[dict[str, Any]]:
    """One line for each row."""
    here, began = Path(__file__).resolve().parents[1], []
    for root in (before.resolve(), here):
        paths = os.pathsep.join(str(root / part) for part in ("src", "papers", "."))
        words = [sys.executable, str(here / "benchmarks" / "against.py"), "--answer", *wanted]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        began.append(subprocess.Popen(words, cwd=root, env={**os.environ, "PYTHONPATH": paths}, **pipes))

    def told(process: Any, line: str = "") -> Any:
        if line:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        return json.loads(process.stdout.readline())

    names = [told(process) for process in began][1]
    spent: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in names}
    for k in range(rounds):
        for name in names:
            for which in (0, 1) if k % 2 else (1, 0):
                spent[name][which].append(told(began[which], name))
    for process in began:
        process.stdin.close()
        process.wait()
    lines = []
    for name, found in spent.items():
        old, new = (sorted(one) for one in found)
        part = rounds // 4
        lines.append({"row": name, "before [µs]": 1e6 * old[0], "now [µs]": 1e6 * new[0], "best / best": new[0] / old[0],
                      "quartile / quartile": new[part] / old[part]})  # fmt: skip
    return lines


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        answer(sys.argv[2:])
    else:
        number, rest = (int(sys.argv[2]), sys.argv[3:]) if sys.argv[2:3] and sys.argv[2].isdigit() else (20, sys.argv[2:])
        for line in compared(Path(sys.argv[1]), number, rest):
            print("  ".join(f"{v:.3f}" if isinstance(v, float) else f"{v:45s}" for v in line.values()))
