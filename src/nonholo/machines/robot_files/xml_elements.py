"""XML without its dangers: no entities, nothing fetched, bounded size and depth; each element knows its line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from nonholo.errors import FileError

MOST_BYTES = 20_000_000
MOST_ELEMENTS = 200_000
DEEPEST = 200


@dataclass(frozen=True)
class Element:
    """One element of a robot file: its tag, attributes, children and position."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Its position for messages: ``robot.urdf, line 12: <joint name="left">``."""
        name = f' name="{self.attributes["name"]}"' if "name" in self.attributes else ""
        return f"{self.file}, line {self.line}: <{self.tag}{name}>"

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements inside with one of these tags, in order."""
        return (child for child in self.children if child.tag in tags)

    def first(self, tag: str) -> Element | None:
        """The first element inside with this tag."""
        return next(self.all(tag), None)

    def text(self, key: str, default: str | None = None) -> str:
        """An attribute that must be there unless it has a default."""
        found = self.attributes.get(key, default)
        if found is None:
            raise FileError(f'{self.place} has no {key}; write {key}="…".')
        return found

    def number(self, key: str, default: float | None = None) -> float:
        """An attribute as one finite number."""
        if key not in self.attributes and default is not None:
            return default
        return self.numbers(key, 1)[0]

    def numbers(
        self, key: str, count: int | None = None, default: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """An attribute as finite numbers, ``count`` of them where it is given."""
        if key not in self.attributes and default is not None:
            return default
        words = self.text(key).replace(",", " ").split()
        try:
            values = tuple(float(word) for word in words)
        except ValueError:
            values = (math.nan,)
        if not all(map(math.isfinite, values)):
            raise FileError(f'{self.place} has {key}="{self.text(key)[:60]}" where numbers were needed.')
        if count is not None and len(values) != count:
            raise FileError(f"{self.place}: {key} has {len(values)} numbers where {count} were needed.")
        return values


def parse_xml(data: bytes, file: str) -> Element:
    """The root element of an XML text; errors say file, line and what to do.

    >>> parse_xml(b"<robot name='r'><link name='base'/></robot>", "r.urdf").children[0].attributes
    {'name': 'base'}
    """
    if len(data) > MOST_BYTES:
        raise FileError(f"{file} has {len(data)} bytes; robot files of at most {MOST_BYTES} bytes are read.")
    above = data[: len(data) - len(data.lstrip())].count(b"\n")
    parser = expat.ParserCreate()
    open_elements: list[Element] = [Element("", {}, file, 0)]
    count = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(open_elements) > DEEPEST:
            raise FileError(
                f"{file}, line {above + parser.CurrentLineNumber}: more than {MOST_ELEMENTS} elements, or more than {DEEPEST} "
                "inside each other; this is no robot file."
            )
        element = Element(tag, attributes, file, above + parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def refuse(*_: object) -> None:
        raise FileError(
            f"{file}, line {above + parser.CurrentLineNumber}: entities are not read from robot files; write their text in place."
        )

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(data.lstrip(), True)  # some exporters leave empty lines before the declaration
    except expat.ExpatError as trouble:
        words = expat.errors.messages[trouble.code]
        raise FileError(f"{file}, line {above + trouble.lineno}: not XML ({words}); correct it there.") from None
    return open_elements[0].children[0]
