"""docs/integrators.md and its pictures, from what `benchmarks.integrators` has measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import nonholo as nh
from benchmarks import pendulum
from benchmarks.integrators import BEGIN, load, methods_for
from nonholo.analyse.integrators.integrator_properties import COLUMNS, rows
from nonholo_papers import problems
from nonholo_papers.integrator_measures import PROPERTIES, resting, turning

DOCS = Path(__file__).parent.parent / "docs"
SHOWN = ("contact-oscillator", "contact-chaos", "cvt-turning", "rolling-disk")
OURS = ("hamel", "energy_exact", "energy_exact4")
MANY = 10_000_000


def both() -> dict[str, dict[str, Any]]:
    """What was measured for long, with what the first steps showed: the larger error, and both parts of the envelope."""
    table, first = load(), load(BEGIN)
    for name, row in table.items():
        for method, found in row.items():
            early = first.get(name, {}).get(method)
            if early is None:
                continue
            if found["most"] is not None and early["most"] is not None:
                found["most"] = max(found["most"], early["most"])
            points = [p for p in zip(early["edges"], early["energy"]) if p[0] < found["edges"][0]]
            found["edges"] = [*(t for t, _ in points), *found["edges"]]
            found["energy"] = [*(e for _, e in points), *found["energy"]]
    return table


def write() -> None:
    """The page and its pictures."""
    table = both()
    (DOCS / "pictures").mkdir(exist_ok=True)
    drift_picture(table)
    cost_picture(load(BEGIN))
    work_picture()
    equilibrium_picture()
    pendulum.picture()
    text = (Path(__file__).parent / "integrators_page.txt").read_text()
    for mark, part in (
        ("PROPERTIES", property_table()), ("ENERGY", energy_table(table)), ("WINNERS", winners(table)),
        ("STEPS", steps_made(table)), ("PENDULUM", pendulum.table()), ("FEWER", fewer(table)),
    ):  # fmt: skip
        text = text.replace(f"@{mark}@", part)
    (DOCS / "integrators.md").write_text(text)


def property_table() -> str:
    """What `nonholo methods` prints."""
    meanings = "\n".join(f"- **{p.name}**: {p.meaning}; yes where the number is below {p.small:g}." for p in PROPERTIES)
    head = (
        "| method | order | "
        + " | ".join(c.replace("|", "\\|") for c in COLUMNS)
        + " |\n"
        + "|---" * (len(COLUMNS) + 2)
        + "|\n"
    )
    body = "\n".join("| " + " | ".join(str(r[c]) for c in ("method", "order", *COLUMNS)) + " |" for r in rows())
    return f"{meanings}\n\n{head}{body}"


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    if found["outcome"] != "reached":
        return f"{found['outcome']} at {found['until']:.3g} s"
    first, last = found["first"], found["last"]
    grows = first and last and last > 3 * first and last > 1e-12
    return f"{found['most']:.1e}" + (" ↑" if grows else "") + (f" ({_power(found['asked'])})" if found["asked"] < MANY else "")


def _power(count: int) -> str:
    """``10⁶``."""
    return "10" + str(round(np.log10(count))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def fewer(table: dict[str, dict[str, Any]]) -> str:
    """Which measurements are of fewer steps than ten million, and which are missing."""
    missing: list[str] = []
    full: dict[str, int] = {}
    short = 0
    for name in problems.names():
        row = table.get(name, {})
        for method in methods_for(problems.get(name).system):
            found = row.get(method)
            if found is None:
                missing.append(f"{name} by `{method}`")
            elif found["asked"] >= MANY:
                full[name] = full.get(name, 0) + 1
            else:
                short += 1
    total, wide = sum(full.values()), sum(count >= 10 for count in full.values())
    told = f"{total} of {total + short + len(missing)} motions are of 10⁷ steps (dop853: of the same time), "
    told += f"{wide} problems have ten methods and more with so many; the aim of 10 methods × 10 problems × 10⁷ steps is "
    told += f"{'met' if wide >= 10 else 'MISSED'}."
    told += f" {short} are of fewer, as their cells say." if short else ""
    return told + (f" Not measured: {', '.join(missing)}." if missing else "")


def energy_table(table: dict[str, dict[str, Any]]) -> str:
    """Largest relative error of the energy, plain problems and those in other frames."""
    parts = []
    for plain in (True, False):
        names = [n for n in problems.names() if n in table and problems.get(n).system.frame.plain == plain]
        methods = list(dict.fromkeys(m for n in names for m in table[n]))
        lines = ["| method | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        lines += [f"| {m} | " + " | ".join(_cell(table[n].get(m)) for n in names) + " |" for m in methods]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def steps_made(table: dict[str, dict[str, Any]]) -> str:
    """How many steps were truly made."""
    asked = sorted({f["asked"] for row in table.values() for m, f in row.items() if m != "dop853"})
    total = sum(f["steps"] for row in table.values() for f in row.values())
    count = sum(len(row) for row in table.values())
    words = " and ".join(f"{n:.0e}".replace("e+0", "e") for n in asked)
    return f"{count} motions on {len(table)} problems, {words} steps asked of each, {total:,} steps in all"


def winners(table: dict[str, dict[str, Any]]) -> str:
    """For each problem the method with the smallest and the largest error of the energy at its step, and the fastest."""
    lines = [
        "| problem | step [s] | turns back | smallest error | largest error | most steps per second |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in sorted(table.items()):
        problem = problems.get(name)
        steady_ones = {m: f for m, f in row.items() if m != "dop853"}
        long_ones = {m: f for m, f in steady_ones.items() if f["asked"] >= MANY}
        mixed = len(long_ones) < 8
        steady_ones = steady_ones if mixed else long_ones
        ended = [f"{m} ({f['outcome']})" for m, f in steady_ones.items() if f["outcome"] != "reached"]
        done = {m: f for m, f in steady_ones.items() if f["most"] is not None and f["outcome"] == "reached"}
        best, worst = min(done, key=lambda m: done[m]["most"]), max(done, key=lambda m: done[m]["most"])
        fast = max(done, key=lambda m: done[m]["steps"] / done[m]["seconds"])
        lost = ended[0] if ended else f"{worst} {done[worst]['most']:.0e}"
        lines.append(
            f"| {name}{'*' if mixed else ''} | {problem.step:g} | {'yes' if problem.turns_back else 'no'} | "
            f"{best} {done[best]['most']:.0e} | {lost} | "
            f"{fast} {done[fast]['steps'] / done[fast]['seconds'] / 1e6:.1f} million |"
        )
    return "\n".join(lines)


def _axes(rows_: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt.subplots(rows_, columns, figsize=size, constrained_layout=True)


def _saved(figure: Any, name: str) -> None:
    import matplotlib.pyplot as plt

    figure.savefig(DOCS / "pictures" / name, dpi=110)
    plt.close(figure)


def drift_picture(table: dict[str, dict[str, Any]]) -> None:
    """The energy's error in time, both axes logarithmic."""
    names = [n for n in SHOWN if n in table]
    figure, axes = _axes(2, 2, (12, 9))
    for ax, name in zip(axes.flat, names):
        for k, (method, found) in enumerate(sorted(table[name].items())):
            values = [(t, e) for t, e in zip(found["edges"], found["energy"]) if e]
            if values:
                bold = method in OURS
                ax.loglog(*zip(*values), label=method, lw=2.4 if bold else 1.0, ls="-" if k < 10 else "--")
        ax.set_title(problems.get(name).title)
        ax.set_xlabel("t [s]")
        ax.set_ylabel("largest |E − E₀|/|E₀|")
        ax.set_ylim(1e-17, 10)
        ax.grid(alpha=0.3)
        place = {} if name == "cvt-turning" else {"loc": "center", "bbox_to_anchor": (0.5, 0.27)}
        ax.legend(fontsize=6.5, ncol=2, **place)
    _saved(figure, "integrators_drift.png")


def cost_picture(table: dict[str, dict[str, Any]]) -> None:
    """Processor time of a step, of the first 20,000."""
    names = [
        n for n in ("contact-oscillator", "chaplygin-sleigh", "contact-7-chaos", "rattleback", "rolling-disk") if n in table
    ]
    methods = [m for m in dict.fromkeys(m for n in names for m in table[n]) if m != "dop853"]
    figure, ax = _axes(1, 1, (11, 5))
    width = 0.8 / max(len(names), 1)
    for k, name in enumerate(names):
        costs = [1e6 * f["seconds"] / f["steps"] if (f := table[name].get(m)) and f["steps"] else np.nan for m in methods]
        ax.bar(np.arange(len(methods)) + k * width, costs, width, label=name)
    ax.set_yscale("log")
    ax.set_xticks(np.arange(len(methods)) + 0.3, methods, rotation=45, ha="right")
    ax.set_ylabel("processor time of a step [µs]")
    ax.legend(loc="upper center", ncol=2)
    ax.grid(alpha=0.3, axis="y")
    _saved(figure, "integrators_cost.png")


def work_picture() -> None:
    """Error at t = 20 against processor time."""
    import time

    figure, axes = _axes(1, 2, (12, 5))
    for ax, name in zip(axes, ("contact-chaos", "cvt-turning")):
        system = problems.get(name).system
        exact = nh.simulate(system, until=20.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final
        for method in (
            "hamel",
            "energy_exact",
            "energy_exact4",
            "gauss4",
            "dlagrange_dalembert",
            "rattle",
            "leapfrog",
            "rk4",
        ):
            points = []
            for parts in (200, 400, 800, 1600, 3200):
                words = {"until": 20.0, "method": method, "step": 20.0 / parts, "t_eval": "end", "progress": False}
                spent = []
                for _ in range(3):
                    began = time.process_time()
                    final = nh.simulate(system, **words).final
                    spent.append(time.process_time() - began)
                points.append((min(spent), max(abs(final[n] - exact[n]) for n in system.coordinates)))
            ax.loglog(*zip(*points), "o-", label=method, lw=2.2 if method in OURS else 1.0)
        ax.set_title(problems.get(name).title)
        ax.set_xlabel("processor time of one simulate, all told [s]")
        ax.set_ylabel("error of the coordinates at t = 20 s")
        ax.grid(alpha=0.3)
        ax.legend(fontsize=7)
    _saved(figure, "integrators_work.png")


def equilibrium_picture() -> None:
    """Theorem 5.3: Ω(t) from a relative equilibrium, and after a push."""
    r = resting(1.0)
    figure, axes = _axes(1, 2, (12, 4.5))
    for ax, push, title in zip(axes, (0.0, 0.05), ("started at the relative equilibrium", "pushed by 0.05 in r")):
        for method, style in (("hamel", "-"), ("dlagrange_dalembert", "--"), ("dop853", ":")):
            words = {"rtol": 1e-10} if method == "dop853" else {"step": 1.0}
            run = nh.simulate(
                turning(),
                {"r": r + push, "u": 0.0, "w": 1.0},
                60.0,
                method=method,
                t_eval=np.arange(61.0),
                progress=False,
                **words,
            )
            ax.plot(run["t"], run["w"], style, marker="." if method != "dop853" else None, label=method)
        ax.set_title(f"{title}, h = 1 s")
        ax.set_xlabel("t [s]")
        ax.set_ylabel("Ω = ġ [rad/s]")
        ax.grid(alpha=0.3)
        ax.legend()
    _saved(figure, "integrators_theorem_5_3.png")
