"""Defaults classes and included files of MJCF, written out: afterwards each element has all of its attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from nonholo.errors import FileError, meant
from nonholo.machines.robot_files.xml_elements import MOST_BYTES, Element, parse_xml

MOST_INCLUDES = 100
Defaults = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Class -> tag -> attributes."""
MAIN = "main"


def with_includes(root: Element, folder: Path | None) -> Element:
    """The root with the elements of included files in place of ``<include file=…>``, from its folder and those below it."""
    left = [MOST_INCLUDES]

    def expand(element: Element) -> Iterator[Element]:
        if element.tag != "include":
            yield _copy(element, [new for child in element.children for new in expand(child)])
            return
        left[0] -= 1
        path = None if folder is None else (folder / element.text("file")).resolve()
        if path is None or folder is None or folder.resolve() not in path.parents:
            raise FileError(f"{element.place}: only files in the folder of the model and below it are included.")
        if left[0] < 0 or not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise FileError(f"{element.place}: {element.text('file')!r} is no file there; put it beside the model.")
        for child in parse_xml(path.read_bytes(), path.name).children:
            yield from expand(child)

    return next(expand(root))


def with_defaults(root: Element) -> Element:
    """The root with the attributes of defaults classes written into the elements of the world, actuators and equalities."""
    defaults = _classes(root)

    def expand(element: Element, inherited: str) -> Element:
        own = element.attributes.get("childclass", inherited)
        name = element.attributes.get("class", own)
        if name not in defaults:
            hint = meant(name, defaults, f"the classes are {', '.join(defaults)}.")
            raise FileError(f"{element.place}: there is no defaults class {name!r}; {hint}")
        given = {**defaults[name].get(element.tag, {}), **element.attributes}
        for orientation in ORIENTATIONS:  # an orientation of one's own replaces an inherited one
            if orientation in element.attributes:
                given = {k: v for k, v in given.items() if k not in ORIENTATIONS or k in element.attributes}
        return Element(
            element.tag, given, element.file, element.line, [expand(child, own) for child in element.children]
        )

    kept = [e if e.tag == "default" else expand(e, MAIN) for e in root.children]
    return _copy(root, kept)


ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto")


def _copy(element: Element, children: list[Element]) -> Element:
    return Element(element.tag, element.attributes, element.file, element.line, children)


def _classes(root: Element) -> Defaults:
    result: dict[str, dict[str, dict[str, str]]] = {MAIN: {}}

    def collect(element: Element, name: str, parent: Mapping[str, Mapping[str, str]]) -> None:
        own = {tag: dict(attributes) for tag, attributes in parent.items()} | result.get(name, {})
        for child in element.children:
            if child.tag != "default":
                own[child.tag] = {**own.get(child.tag, {}), **child.attributes}
        result[name] = own
        for child in element.all("default"):
            collect(child, child.text("class"), own)

    for element in root.all("default"):
        collect(element, element.attributes.get("class", MAIN), {})
        if element.attributes.get("class", MAIN) != MAIN:  # the outermost class is the default one, whatever its name
            result[MAIN] = result[element.attributes["class"]]
    return result
