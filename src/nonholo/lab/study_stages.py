"""Studies of the lab: what is computed for a text, in stages, in a separate process and never in the server.

Input and output are plain data. Text is parsed, never evaluated.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from nonholo.errors import NonholoError
from nonholo.model.files.mistake_places import place_in
from nonholo.model.files.toml_map import Span, strings

_WORD = re.compile(r"\w+")
_HEAD = re.compile(r"\[\[?[\w. ]+\]\]?")
"""The head of a table."""


@dataclass(frozen=True)
class Place:
    """A piece of a text, by characters from its beginning, and as lines and columns are counted."""

    start: int
    stop: int
    line: int
    column: int

    def for_browser(self, text: str) -> dict[str, int]:
        """The same in a browser's count, where some characters are two."""
        first, last = (len(text[:k].encode("utf-16-le", "surrogatepass")) // 2 for k in (self.start, self.stop))
        return {"from": first, "to": last, "line": self.line, "column": self.column}


def error_place(text: str, trouble: NonholoError) -> Place:
    """Position of an error in the text: the passage or the entry that it names; the first line where it names none.

    >>> from nonholo.errors import ModelError
    >>> place = error_place('coordinates = "x"\\n[forces]\\ny = "1"', ModelError("no such force", key=("forces", "y")))
    >>> place.line, place.column
    (3, 1)
    """
    passage = place_in(text, trouble) if _readable(text) else trouble.passage
    if passage is None or passage.text != text:
        return _placed(text, (0, len(text.partition("\n")[0])))
    at = passage.offset
    for start, stop in strings(text) if text[at : at + 1] in ("'", '"') else ():
        if at in (start, stop - 1):  # a whole string, or what is missing at its end
            return _placed(text, (start, stop) if at == start else (at, at))
    head = _HEAD.match(text, at)
    word = head or _WORD.match(text, at)
    return _placed(text, (at, word.end() if word else at + 1))


def _readable(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False
    return True


def _placed(text: str, span: Span) -> Place:
    """A piece that has something to underline, with its line and column."""
    start = max(0, min(span[0], len(text)))
    stop = max(start, min(span[1], len(text)))
    if not text[start:stop].strip() and start > 0 and text[start - 1] != "\n":  # the end of a line: its last character
        start, stop = start - 1, start
    elif start == stop:
        stop = min(stop + 1, len(text))
    before = text[: span[0]]
    return Place(start, stop, before.count("\n") + 1, len(before) - before.rfind("\n"))


STAGES = ("text", "equations", "motion", "checks", "symmetry", "verdict", "forms")
"""In the order in which they are computed; each needs only the text and what is quick to make again."""
WHERE = "this text"
Told = Callable[[dict[str, Any]], None]


def work(
    job: str, given: Mapping[str, Any], first: int, begin: Callable[[str], None], tell: Told, subject: Subject | None = None
) -> None:
    """Run one job from stage ``first`` on and send its results; ``begin`` is called before each stage.

    A report on the ``subject`` of a study needs only what the study has not computed.
    """
    if job in ("study", "report"):
        subject = subject if subject is not None else Subject(given["text"], given["name"])
        (study if job == "study" else whole_report)(subject, first, begin, tell)
    else:
        {"exhibit": exhibit_text, "field": field_page}[job](given, first, begin, tell)


def study(subject: Subject, first: int, begin: Callable[[str], None], tell: Told) -> None:
    """Every stage of a text; after a text that cannot be read there is nothing to do."""
    begin(STAGES[0])
    try:
        subject.case  # noqa: B018
    except NonholoError as trouble:
        tell({"stage": STAGES[0], "state": "mistake", **mistake(subject.text, trouble)})
        return
    if first == 0:
        system = subject.case.system
        tell({"stage": STAGES[0], "state": "done", "title": subject.case.title, "coordinates": len(system.coordinates)})
    for stage in STAGES[max(1, first) :]:
        begin(stage)
        before = time.process_time()
        try:
            found = subject.answer(stage)
        except NonholoError as trouble:
            found = {"state": "failed", "words": trouble.advice("page")}
        except (RecursionError, MemoryError, ArithmeticError, ValueError, TypeError, RuntimeError) as trouble:
            reason = " ".join(f"{type(trouble).__name__}: {trouble}".split())[:300]
            found = {"state": "failed", "words": f"unexpected {reason} (please report it)"}
        tell({"stage": stage, "state": "done", **found, "seconds": time.process_time() - before})


def whole_report(subject: Subject, first: int, begin: Callable[[str], None], tell: Told) -> None:
    """The report on a text as ``nonholo report`` writes it."""
    from nonholo.present.report.report_file import report_page

    begin("report")
    try:
        tell({"stage": "report", "state": "done", "page": report_page(subject.case, lambda step: begin(f"report: {step}"))})
    except NonholoError as trouble:
        tell({"stage": "report", "state": "failed", "words": trouble.advice("page")})


def field_page(given: Mapping[str, Any], first: int, begin: Callable[[str], None], tell: Told) -> None:
    """The page on a field of the gallery: it has no text, so that what ``nonholo report`` writes is shown."""
    from nonholo.present.fields.field_report import field_report
    from nonholo.present.report.report_subject import field_of

    begin("field")
    found = field_of(given["name"])
    if found is None:
        tell({"stage": "field", "state": "failed", "words": f"the gallery has no field {given['name']!r}."})
        return
    page = field_report(found, None, None, None, None, "", lambda step: begin(f"field: {step}"))
    tell({"stage": "field", "state": "done", "page": page})


def exhibit_text(given: Mapping[str, Any], first: int, begin: Callable[[str], None], tell: Told) -> None:
    """An exhibit of the gallery as a text to work on, its further starts as presets of the page."""
    from nonholo import gallery
    from nonholo.machines.machine_files import dumps
    from nonholo.model.files.page_options import Page
    from nonholo.model.system import varied

    begin("exhibit")
    found = gallery.get(given["name"])
    system = found.system
    page = system.page or Page()
    presets = {title: e for title, e in found.starts.items() if title not in page.presets}
    page_options = replace(page, presets={**presets, **page.presets})
    with suppress(NonholoError):  # a start that only the exhibit understands
        system = varied(system, page=page_options)
    lines = [found.title, *found.references]
    head = "".join(f"# {' '.join(line.split())}\n" for line in lines)
    tell({"stage": "exhibit", "state": "done", "text": f"{head}\n{dumps(system)}"})


def mistake(text: str, trouble: NonholoError) -> dict[str, Any]:
    """The message of an error, and its position in the text."""
    return {"words": trouble.message.removeprefix(f"{WHERE}: "), **error_place(text, trouble).for_browser(text)}


class Subject:
    """A text with its system and its motion, each made once."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    @cached_property
    def case(self) -> Any:
        """The system of the text with its numbers."""
        from nonholo.machines.machine_files import from_table
        from nonholo.model.files.toml_text import toml_table
        from nonholo.present.report.report_subject import Case

        stem = self.name.rpartition("/")[2].removesuffix(".toml") or "system"
        return Case(self.name, from_table({"name": stem, **toml_table(self.text, WHERE)}, WHERE))

    @cached_property
    def motion(self) -> Any:
        """Its motion, or the reason why there is none."""
        from nonholo.present.report.report_motion import motion

        return motion(self.case)

    def answer(self, stage: str) -> dict[str, Any]:
        """What a stage shows."""
        return {"sections": [{"title": s.title, "body": s.body} for s in self.sections(stage)], **self.more(stage)}

    def more(self, stage: str) -> dict[str, Any]:
        """What a stage has beside its sections: the page of the motion."""
        if stage != "motion":
            return {}
        from nonholo.present.report.report_file import living_page

        found = self.motion
        if found.run is None:
            place = error_place(self.text, found.trouble).for_browser(self.text)
            return {"state": "failed", "words": found.reason, "place": place}
        return {"page": living_page(self.case, found)}

    def sections(self, stage: str) -> list[Any]:
        """The sections of a report that belong to a stage."""
        from nonholo.present.report import report_sections as parts

        case, quiet = self.case, _quiet
        if stage == "equations":
            return [parts.system_section(case), parts.equations_section(case, quiet, quick=True)]
        if stage == "forms":
            return [parts.system_section(case), parts.equations_section(case, quiet)]
        if stage == "checks":
            return [parts.constraints_section(case), parts.checks_section(case)]
        if stage == "symmetry":
            from nonholo.model.velocities.admissible import admissible
            from nonholo.present.report.report_symmetry import symmetry

            admissible(case.system)  # constraints that depend on each other are no question without answer
            found = symmetry(case, self.motion.run, quiet).section
            return [found] if found is not None else []
        if stage == "verdict":
            from nonholo.present.report.report_symmetry import verdict_section

            return [verdict_section(case)]
        return []


def _quiet(step: str) -> None:
    """The steps inside a stage are not reported."""
