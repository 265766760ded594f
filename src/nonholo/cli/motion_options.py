"""Options and answers of the commands simulate and sweep."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.cli.command_subject import hint_lines, laws, subject
from nonholo.cli.terminal import FIGURES, as_json, check_place, say, short, table
from nonholo.errors import FileError, StateError
from nonholo.writing import write_bytes

if TYPE_CHECKING:
    from nonholo.integrate.motion.integration import Event
    from nonholo.present.report.report_subject import Case

INTERRUPTED = 130
ENDINGS = {"--out": (".nc",), "--plot-out": FIGURES, "--film": (".html", ".mp4", ".gif")}


@dataclass(frozen=True)
class MotionOptions:
    """Options of a motion."""

    settings: list[str]
    start: list[str]
    laws: list[str]
    until: str | None
    method: str
    rtol: str | None
    step: str | None
    out: Path | None
    plot: str | None
    plot_out: Path | None
    film: Path | None
    json: bool
    sensitivity: str | None = None
    events: tuple[str, ...] = ()


def show_motion(name: str, wishes: MotionOptions) -> int:
    """Compute a motion, show where it ends, keep it and draw it; 1 when it ends early."""
    from nonholo.integrate.motion.simulate import simulate

    chosen = subject(name, wishes.settings, wishes.start)
    names = check_options(wishes)
    options: dict[str, Any] = {
        k: _number(wishes, k) for k in ("until", "rtol", "step") if getattr(wishes, k) is not None
    }
    run = simulate(
        chosen.system,
        method=wishes.method,
        inputs=laws(wishes.laws, chosen.system) or None,
        sensitivity=_directions(wishes.sensitivity),
        events=[_event(text) for text in wishes.events],
        **options,
    )
    if wishes.out is not None:
        run.save(wishes.out)
    picture = draw_picture(run, names, wishes.plot_out, chosen.name) if names else None
    begun = len(run.times) > 0  # an interrupted motion may have no times yet
    if wishes.film is not None and begun:
        run.film(path=wishes.film)
    answer = _answer(run, chosen, wishes, picture)
    if wishes.json:
        as_json(answer)
    else:
        _print_end(run, answer, hint_lines(name, run.hints, [*wishes.settings, *wishes.start]))
    if run.outcome.kind == "interrupted":
        return INTERRUPTED
    return 0 if run.outcome.reached else 1


def _event(text: str) -> Event:
    """``v``, ``v:up``, ``v:down``, ``v:stop`` or ``v:up:stop`` as an event."""
    from nonholo.integrate.motion.integration import Event

    formula, *words = (part.strip() for part in text.split(":"))
    stray = [w for w in words if w not in ("up", "down", "stop")]
    if not formula or stray:
        raise StateError(f"--event {text}: write a formula, perhaps with :up, :down or :stop, e.g. --event v:up:stop.")
    return Event(formula, ("up" in words) - ("down" in words), int("stop" in words))


def _directions(given: str | None) -> list[str] | None:
    """The names of ``--sensitivity``."""
    if given is None:
        return None
    names = [n.strip() for n in given.split(",") if n.strip()]
    if not names:
        raise StateError("--sensitivity: name parameters and start values, e.g. --sensitivity m,omega.")
    return names


def _number(wishes: MotionOptions, option: str) -> float:
    from nonholo.model.files.toml_files import number

    return number(getattr(wishes, option), f"--{option}")


def check_options(wishes: MotionOptions) -> list[str]:
    """The names to draw; what cannot be done is refused before the work, not after it."""
    if wishes.plot_out is not None and wishes.plot is None:
        raise FileError(f"--plot-out {wishes.plot_out}: say what to draw, e.g. --plot x,y.")
    for option, place in (("--out", wishes.out), ("--plot-out", wishes.plot_out), ("--film", wishes.film)):
        stem = place.stem.strip(".-") if place is not None else ""
        check_place(place, option, ENDINGS[option], stem or "run")
    names = [n.strip() for n in (wishes.plot or "").split(",") if n.strip()]
    if wishes.plot is not None and len(names) < 2:
        raise StateError(f"--plot {wishes.plot}: name what is across and what is up, e.g. --plot x,y.")
    return names


def draw_picture(run: Any, names: list[str], place: Path | None, stem: str) -> Path:
    """The picture of some quantities, written beside and renamed; its name is made from ``stem`` and theirs when not given."""
    for name in names:
        run[name]  # a name the motion does not have is refused with a suggestion
    import matplotlib

    matplotlib.use("Agg")
    place = place or Path(f"{Path(stem).stem}-{'-'.join(names)}.png")
    drawn = BytesIO()
    run.plot(*names).figure.savefig(drawn, format=place.suffix[1:].lower(), dpi=150, bbox_inches="tight")
    return write_bytes(place, drawn.getvalue())


def _answer(run: Any, chosen: Case, wishes: MotionOptions, picture: Path | None) -> dict[str, Any]:
    begun = len(run.times) > 0  # an interrupted motion may have no times yet
    first = {n: run.first[n] for n in run.names if n in run.final and begun}
    slopes: dict[str, dict[str, float]] = {}
    if wishes.sensitivity is not None and begun:
        last = run.sensitivity[-1]
        quantities = [n for n in last["quantity"].values.tolist() if n in first]
        slopes = {
            by: {n: float(last.sel(quantity=n, with_respect_to=by)) for n in quantities}
            for by in last["with_respect_to"].values.tolist()
        }
    hints = list(run.hints)
    return {
        "system": chosen.system.name,
        "method": wishes.method,
        "outcome": run.outcome.kind,
        "time": run.outcome.time,
        "advice": run.outcome.said("shell"),
        **({"hints": hints} if hints else {}),
        "steps": run.steps,
        **({"modes": [str(change) for change in run.modes]} if len(run.modes) else {}),
        "parameters": dict(chosen.parameters),
        "start": first,
        "final": dict(run.final),
        **({"sensitivity": slopes} if slopes else {}),
        **({"events": {n: ts.tolist() for n, ts in run.events.items()}} if wishes.events else {}),
        "drift": {"energy": run.drift("energy")} if begun and "energy" in run.names else {},
        "out": None if wishes.out is None else str(wishes.out),
        "plot": None if picture is None else str(picture),
        "film": None if wishes.film is None or not begun else str(wishes.film),
    }


MOST_CHANGES = 12
"""So many changes of contacts are printed."""


def _print_end(run: Any, answer: dict[str, Any], hints: list[str]) -> None:
    ended = f"{run.outcome.kind}{'' if run.outcome.reached else ' at'} t = {short(answer['time'])}"
    ended += f". {answer['advice']}" if answer["advice"] else ""
    say(f"{answer['system']} ({answer['method']}, {answer['steps']} steps): {ended}")
    rows = [(n, short(e), short(answer["final"][n])) for n, e in answer["start"].items()]
    table(("", "start", "end"), rows)
    for name, times in answer.get("events", {}).items():
        say(f"event {name}: " + (", ".join(f"t = {short(t)}" for t in times) or "never"))
    slopes = answer.get("sensitivity", {})
    if slopes:
        told = [(n, *(short(column[n]) for column in slopes.values())) for n in next(iter(slopes.values()))]
        say("derivatives of the end by")
        table(("", *slopes), told)
    if "energy" in answer["drift"]:
        what = "energy less work" if "energy" in run.drifts else "energy"
        say(f"{what} changed by {answer['drift']['energy']:.2g} (relative)")
    for change in answer.get("modes", ())[:MOST_CHANGES]:
        say(change)
    if len(run.modes) > MOST_CHANGES:
        say(f"… and {len(run.modes) - MOST_CHANGES} more changes of contacts (--json lists them all)")
    for hint in hints:
        say(f"hint: {hint}")
    for key in ("out", "plot", "film"):
        if answer[key]:
            say(f"wrote {answer[key]}")


def show_sweep(spec: Path, out: Path | None, scheduler: str | None, resume: bool, json: bool) -> int:
    """Many motions over a grid of parameters and starts; the system may be a gallery name."""
    from nonholo.gallery.named_sweep import sweep, sweep_words
    from nonholo.integrate.many.ensemble import OUTCOMES

    words, store = sweep_words(spec, out)
    result = sweep(words, scheduler=scheduler, resume=resume, store=store)
    if json:
        names = [str(n) for n in result.data_vars]
        as_json({"spec": str(spec), "store": str(store), "sizes": dict(result.sizes), "quantities": names})
        return 0
    sizes = " x ".join(f"{length} {name}" for name, length in result.sizes.items())
    say(f"wrote {store}: {sizes}")
    if result.attrs.get("damaged"):
        say(f"{result.attrs['damaged']} chunks had been damaged since they were written; they were computed again")
    early = int((result["outcome"] != OUTCOMES.index("reached")).sum())
    if early:
        say(f"{early} of them ended early: see outcome and end_time")
    several = int((result["unique_until"] < float("inf")).sum()) if "unique_until" in result else 0
    if several:
        say(f"{several} of them pass states where constraints lose their rank, going on in one of several ways: see unique_until")
    rows = [(str(n), " ".join(map(str, v.dims)), _range(v)) for n, v in sorted(result.data_vars.items())]
    table(("quantity", "over", "range"), rows)
    return 0


def _range(values: Any) -> str:
    if values.dtype.kind not in "fiu" or not values.size:
        return ""
    return f"{short(float(values.min()))} … {short(float(values.max()))}"
