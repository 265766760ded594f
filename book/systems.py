"""A page for each system of the gallery, from its own records: story, living figure, equations, facts, references, errata."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from book.markdown import escaped, fenced, raw

FIGURE = 900
"""Height of a living figure in pixels."""
FAR = 8.0
"""A small picture shows a way of at most so many sizes of the bodies."""


def names() -> tuple[str, ...]:
    """All systems of the gallery, fields too."""
    from nonholo import gallery

    return gallery.names()


def write_systems(source: Path, extra: Path, wanted: Iterable[str]) -> None:
    """The pages into ``source/systems``, the living figures into ``extra/living``, for the systems wanted, and their index."""
    chosen = [n for n in names() if n in set(wanted)]
    for folder in (source / "systems", extra / "living"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        (source / "systems" / f"{name}.md").write_text(system_page(name, extra / "living"), "utf-8")
    pictured = {n for n in chosen if (extra / "living" / f"{n}.png").is_file()}
    (source / "systems" / "index.md").write_text(index_page(chosen, pictured), "utf-8")


def index_page(chosen: list[str], pictured: Container[str] = ()) -> str:
    """The systems as pictures, by what they are."""
    from nonholo import gallery

    catalogue, groups = gallery.catalogue(), {}
    for name in chosen:
        groups.setdefault(catalogue[name]["group"], []).append(name)
    told = "Where one moves, its page has a figure in which every number can be changed; of fields it has a recorded film."
    lines = ["# Systems of the literature", "", f"{len(chosen)} systems. {told}"]
    for group, members in groups.items():
        cards = "".join(_card(n, catalogue[n], n in pictured) for n in members)
        lines += ["", f"## {group}", "", raw(f'<div class="cards">{cards}</div>')]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *chosen, "```"]) + "\n"


def _card(name: str, entry: Mapping[str, str], pictured: bool) -> str:
    picture = f'<img alt="" loading="lazy" src="../living/{name}.png">' if pictured else '<span class="blank"></span>'
    words = f"<b>{escape(entry['title'])}</b><small><code>{name}</code> · {escape(entry['papers'])}</small>"
    return f'<a class="card" href="{name}.html">{picture}{words}</a>'


def _near(run: Any) -> list[float]:
    """Five instants from the start, while the bodies go no further than some of their own sizes."""
    import numpy as np

    from nonholo.present.figures.plane_path import drawing_of
    from nonholo.present.film.scene import numbers, scene

    table = scene(run, drawing_of(run, None), 400)
    if table is None:
        return [float(run.times[0])]
    path, times = numbers(table["follow"], -1, 3), numbers(table["times"])
    spread = np.maximum.accumulate(path) - np.minimum.accumulate(path)
    last = int(np.sum(np.linalg.norm(spread, axis=1) <= FAR * float(table["reach"]))) - 1
    return np.linspace(times[0], times[max(last, 1)], 5).tolist()


def _thumbnail(run: Any, path: Path) -> None:
    """A small picture of a motion, beside its film; systems without a drawing have none."""
    from nonholo.errors import NonholoError
    from nonholo.present.film.film_strip import film_strip

    try:
        axes = film_strip(run, times=_near(run), width=3.2, layout="path")
    except NonholoError:
        return
    axes.set_axis_off()
    for text in axes.texts:
        text.set_visible(False)
    axes.figure.savefig(path, dpi=160, bbox_inches="tight", pad_inches=0.02)


def system_page(name: str, figures: Path) -> str:
    """The page of one system; its figure is written beside."""
    from nonholo import gallery

    exhibit = gallery.get(name)
    field = name in gallery.field_names()
    parts = [f"# {escaped(exhibit.title)}", f"*{escaped(exhibit.group)}* · `{name}`", escaped(exhibit.story)]
    parts.append(_figure(exhibit, figures, field))
    parts += _field_parts(exhibit) if field else _system_parts(exhibit)
    moves = "living/" in parts[3]
    parts += _published(exhibit) + _errata(name) + ["## Ask it yourself", _commands(name, moves)]
    if not field:
        from nonholo.machines.machine_files import dumps

        parts += ["As a file (`nonholo simulate system.toml`):", fenced("toml", dumps(exhibit.system))]
    return "\n\n".join([*parts, *_citation(exhibit)]) + "\n"


def _citation(exhibit: Any) -> list[str]:
    """The page's lasting address, and an entry for BibTeX."""
    from nonholo import __version__

    address = f"systems/{exhibit.name}.html"
    lines = [
        f"@misc{{nonholo-{exhibit.name},", f"  title        = {{{exhibit.title}}},",
        f"  howpublished = {{nonholo {__version__}, {address}}},", "  year         = {2026},", "}",
    ]  # fmt: skip
    told = f"The address `{address}` of this page stays the same from version to version."
    return ["## Cite this system", told, fenced("text", "\n".join(lines))]


def _figure(exhibit: Any, figures: Path, field: bool) -> str:
    """The film with its controls in a frame of its own; a flow as a moving picture; words where nothing moves."""
    from nonholo.errors import NonholoError
    from nonholo.integrate.motion.simulate import simulate

    flow = exhibit.name == "ideal-fluid"
    path = figures / f"{exhibit.name}.{'gif' if flow else 'html'}"
    try:
        run = exhibit.simulate() if field else simulate(exhibit.system, progress=False)
        run.film(path, **({"seconds": 6, "fps": 10, "dpi": 80, "size": (5.6, 4.4), "progress": False} if flow else {}))
        if not field:
            _thumbnail(run, figures / f"{exhibit.name}.png")
    except NonholoError as trouble:
        return f"```{{note}}\nThere is no motion to show: {escaped(trouble)}\n```"
    if flow:
        return raw(f'<img class="flow" alt="vorticity in time" src="../living/{path.name}">')
    kind = "recorded" if field else "living"
    tall = 660 if field else FIGURE
    place = f'src="../living/{path.name}" title="{kind} figure" style="height:{tall}px"'
    return raw(
        f'<iframe class="{kind}" {place} loading="lazy"></iframe>\n'
        f'<p class="alone"><a href="../living/{path.name}">The figure on a page of its own</a></p>'
    )


def _system_parts(exhibit: Any) -> list[str]:
    from nonholo.present.report.report_sections import constraints_section, equations_section, system_section
    from nonholo.present.report.report_subject import case

    subject = case(exhibit.name)
    told = system_section(subject).body.partition("<h3>References</h3>")[0]
    parts = ["## The system", raw(told), "## Constraints", raw(constraints_section(subject).body)]
    return [*parts, "## Equations of motion", raw(equations_section(subject, lambda _: None).body)]


def _field_parts(exhibit: Any) -> list[str]:
    formulas = [f"$$\n{line}\n$$" for line in exhibit.equations]
    rows = ["| parameter | value |", "|---|---|", *(f"| `{n}` | {escaped(v)} |" for n, v in exhibit.parameters.items())]
    rows += ["", "| at the start | |", "|---|---|", *(f"| `{n}` | `{v}` |" for n, v in exhibit.start.items())]
    return ["## The field", *formulas, "\n".join(rows)]


def _published(exhibit: Any) -> list[str]:
    from nonholo.gallery.published import facts_on
    from nonholo.present.report.report_sections import facts_list
    from nonholo.present.style.bibliography import cited

    facts = facts_on(exhibit.name)
    sources = [f"- **{escaped(r)}**: {_linked(text)}" if text else f"- {escaped(r)}" for r, text in cited(exhibit.references)]
    parts = []
    if facts:
        told = f"Each is tested against something independent: `nonholo verify {exhibit.name}`."
        parts += ["## Facts", told, raw(facts_list(facts))]
    return [*parts, "## References", "\n".join(sources)] if sources else parts


def _linked(text: str) -> str:
    words, found, doi = text.partition("doi:")
    return escaped(words) + (f"[doi:{doi}](https://doi.org/{doi})" if found else "")


def _errata(name: str) -> list[str]:
    from nonholo.gallery.published import REMEDIES, errata_on, short_title

    found = errata_on(name)
    if not found:
        return []
    lines = []
    for e in found:
        lines += [f"- **{escaped(short_title(e.paper))}, {escaped(e.label)}** ({e.kind})"]
        lines += [f"  - printed: {formula(e.printed)}", f"  - {REMEDIES[e.kind]}: {formula(e.right or e.because)}"]
        lines += [f"  - it would break: {escaped(e.breaks)}"] if e.breaks else []
    told = "Found while this system was checked; [all of them](../errata.md) with their evidence."
    return ["## Errata of the papers", told, "\n".join(lines)]


def formula(text: str) -> str:
    """A paper's LaTeX between dollars, without its number; words as they are."""
    if "\\" not in text or "$" in text:
        return text if "$" in text else escaped(text)
    plain = re.sub(r"\\tag\{[^}]*\}|\\quad \(\d+\.\d+\)", "", text)
    return f"${' '.join(plain.split())}$"


def _commands(name: str, moves: bool) -> str:
    kinds = ("simulate", "report", "verify") if moves else ("report", "verify")
    return fenced("console", "\n".join(f"$ nonholo {kind} {name}" for kind in kinds))
