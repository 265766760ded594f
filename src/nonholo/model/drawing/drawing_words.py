"""Read and check a drawing from user input, and write it back for files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from nonholo.errors import ModelError, about, meant
from nonholo.geometry.frames.frame_record import Frame
from nonholo.model.drawing.shapes import (
    UNTURNED,
    Body,
    Drawing,
    Point,
    Rotation,
    Trace,
    heading,
    matrix_of,
    quaternion_of,
    rolling,
    spinning,
    turned_by,
)
from nonholo.notation.parse import parse

SIZES: dict[str, tuple[str, ...]] = {
    "disc": ("radius", "width"),
    "wheel": ("radius", "width"),
    "ellipsoid": ("a", "b", "c"),
    "sphere": ("radius",),
    "box": ("x", "y", "z"),
    "blade": ("length",),
    "rod": ("length", "radius"),
    "arrow": ("x", "y", "z"),
    "wire": ("s0", "s1"),
    "surface": ("s0", "s1", "r0", "r1"),
    "point": (),
}
"""What the ``size`` of each shape names, in order."""
OPTIONAL = {("disc", "width"), ("wheel", "width"), ("rod", "radius")}
SAME = {"disk": "disc", "ball": "sphere", "line": "wire", "cuboid": "box", "spring": "wire"}
"""Other words for a shape."""
HEIGHT = {"wheel": "radius", "sphere": "radius", "box": "z", "disc": "width", "ellipsoid": "c", "rod": "radius"}
"""The size that gives the height of the middle of a shape above the ground it rests on."""
WORDS = ("shape", "at", "from", "to", "heading", "spin", "attitude", "turned", "size", "points", "colour", "label")
TURNS = ("heading", "attitude", "turned")
EXAMPLE = '{"shape": "box", "at": ["x", "y"], "heading": "theta", "size": [0.8, 0.2, 0.02]}'


def drawing_of(given: Any, where: str, frame: Frame | None = None) -> Drawing:
    """The drawing of a user's words: a `Drawing`, a list of shapes, or a table with ``shapes``, ``ground`` and ``plots``.

    >>> found = drawing_of([{"shape": "wheel", "at": ["x", "y"], "heading": "theta", "radius": "r"}], "bike")
    >>> found.bodies[0].position
    ('x', 'y', 'r')
    """
    if isinstance(given, Drawing):
        return given
    table = given if isinstance(given, Mapping) else {"shapes": given}
    for key in table:
        if key not in ("shapes", "ground", "plots"):
            raise ModelError(
                f"{where}: unknown keyword {key!r}; {meant(key, ('shapes', 'ground', 'plots'), 'it has shapes, ground, plots.')}"
            )
    shapes = table.get("shapes", ())
    if isinstance(shapes, (str, Mapping)) or not isinstance(shapes, Sequence):
        raise ModelError(f"{where}: the shapes must be a list of tables, e.g. [{EXAMPLE}].")
    parts: list[Body | Trace] = []
    for k, one in enumerate(shapes):
        with about("drawing", "shapes", k):
            parts.append(_part(one, f"{where}, shape {k + 1}", frame))
    return Drawing(
        bodies=tuple(p for p in parts if isinstance(p, Body)),
        traces=tuple(p for p in parts if isinstance(p, Trace)),
        ground=_ground(table.get("ground", "plane"), where),
        plots=_plots(table.get("plots", ()), where),
    )


def _ground(given: Any, where: str) -> Any:
    if given not in ("plane", "none"):
        raise ModelError(f'{where}: ground is {given!r}; say ground = "plane" or ground = "none".')
    return given


def _plots(given: Any, where: str) -> tuple[tuple[str, str], ...]:
    pairs = list(given) if isinstance(given, (list, tuple)) else [given]
    if not all(isinstance(p, (list, tuple)) and len(p) == 2 and all(isinstance(n, str) for n in p) for p in pairs):
        raise ModelError(f'{where}: plots must be a list of pairs of names, e.g. [["x", "y"], ["t", "v"]].')
    return tuple((str(a), str(b)) for a, b in pairs)


def _part(given: Any, where: str, frame: Frame | None) -> Body | Trace:
    """One shape; a path is the trace that a point leaves."""
    if isinstance(given, (Body, Trace)):
        return given
    if not isinstance(given, Mapping):
        raise ModelError(f"{where}: found {type(given).__name__} where a table was needed, e.g. {EXAMPLE}.")
    words = dict(given)
    label = str(words.get("label", ""))
    where += f" ({label})" if label else ""
    kind = words.get("shape")
    shape = SAME.get(str(kind), str(kind))
    if shape == "path":
        _refuse(words, ("shape", "at", "colour", "label"), where, "path")
        return Trace(_point(words.get("at"), where, "0"), label, str(words.get("colour", "firebrick")))
    if kind is None or shape not in SIZES:
        known = (*SIZES, *SAME, "path")
        found = "no shape" if kind is None else f"no shape is called {kind!r}"
        raise ModelError(f"{where}: {found}; {meant(kind, known, 'choose from ' + ', '.join((*SIZES, 'path')) + '.')}")
    _refuse(words, (*WORDS, *SIZES[shape], *(("vector",) if shape == "arrow" else ())), where, shape)
    if "from" in words or "to" in words:
        return _between(words, shape, where, label)
    size = _size(words, shape, where)
    high = size.get(HEIGHT.get(shape, ""), "0")
    rests = high if shape in ("wheel", "sphere", "ellipsoid", "rod") else f"({high})/2" if high != "0" else "0"
    body = Body(
        shape,  # type: ignore[arg-type]
        _point(words.get("at", ("0", "0", "0")), where, rests),
        _rotation(words, shape, where, frame),
        size,
        _point(words["points"], f"{where}, points", "0") if "points" in words else None,
        str(words.get("colour", "steelblue")),
        label,
    )
    check_body(body, where)
    return body


def _refuse(words: Mapping[str, Any], known: Sequence[str], where: str, shape: str) -> None:
    for word in words:
        if word not in known:
            raise ModelError(f"{where}: a {shape} has no {word!r}; {meant(word, known, 'it has ' + ', '.join(known) + '.')}")


def _text(value: Any, where: str) -> str:
    """A formula as one line of text; numbers are formulas too."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ModelError(f"{where}: found {type(value).__name__} where a formula was needed; write it as text.")
    return " ".join(value.split()) if isinstance(value, str) else repr(value)


def _point(given: Any, where: str, height: str) -> Point:
    """A place by its three components; two lie in the plane, and the shape rests on it."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) not in (2, 3):
        raise ModelError(f'{where}: a place has two or three components, e.g. at = ["x", "y", "0.1"]; found {given!r}.')
    parts = [_text(e, where) for e in given]
    return (parts[0], parts[1], parts[2] if len(parts) == 3 else height)


def _size(words: Mapping[str, Any], shape: str, where: str) -> dict[str, str]:
    names = SIZES[shape]
    given = words.get("size", words.get("vector", {}))
    if isinstance(given, Mapping):
        table = dict(given)
    else:
        listed = [given] if isinstance(given, (str, int, float)) else list(given)
        if len(listed) > len(names):
            raise ModelError(f"{where}: the size of a {shape} is {', '.join(names) or 'none'}; found {len(listed)} numbers.")
        table = dict(zip(names, listed))
    table |= {n: words[n] for n in names if n in words}
    _refuse(table, names, f"{where}, size", shape)
    return {n: _text(table[n], f"{where}, {n}") for n in names if n in table}


def _rotation(words: Mapping[str, Any], shape: str, where: str, frame: Frame | None) -> Rotation:
    said = [w for w in TURNS if w in words]
    if len(said) > 1:
        raise ModelError(f"{where}: both {said[0]!r} and {said[1]!r} say how it is turned; keep one.")
    if "attitude" in words:
        return _attitude(words["attitude"], where, frame)
    if "turned" in words:
        rows = words["turned"]
        if not isinstance(rows, Sequence) or len(rows) != 3 or isinstance(rows, str):
            raise ModelError(f"{where}: turned must be the three rows of a rotation matrix; found {rows!r}.")
        one, two, three = (_point(row, f"{where}, turned", "0") for row in rows)
        return (one, two, three)
    if not said and "spin" not in words:
        return UNTURNED if shape != "wheel" else rolling("0")
    angle = _text(words.get("heading", "0"), where)
    own = rolling(angle) if shape == "wheel" else heading(angle)
    return turned_by(own, spinning(_text(words["spin"], where))) if "spin" in words else own


def _attitude(name: Any, where: str, frame: Frame | None) -> Rotation:
    """The attitude whose rotation matrix or quaternion is part of the frame."""
    known = {
        str(part.get("name", "R" if part["kind"] != "Quaternion" else "q")): str(part["kind"])
        for part in (frame.recipe if frame is not None else ())
        if part["kind"] in ("SO3", "SE3", "Quaternion")
    }
    if name not in known:
        have = f"its frame has {', '.join(known)}." if known else "its frame has no rotation; use heading or turned."
        raise ModelError(f"{where}: no attitude is called {name!r}; {meant(name, known, have)}")
    return quaternion_of(name) if known[name] == "Quaternion" else matrix_of(name)


def _between(words: Mapping[str, Any], shape: str, where: str, label: str) -> Body:
    """A rod or wire from one point to another."""
    if shape not in ("rod", "wire") or "from" not in words or "to" not in words:
        raise ModelError(f'{where}: a rod or wire goes from one point to another: from = ["0", "0", "0"], to = ["x", "y", "0"].')
    one, two = (_point(words[w], f"{where}, {w}", "0") for w in ("from", "to"))
    colour = str(words.get("colour", "grey"))
    gap = [f"({b}) - ({a})" for a, b in zip(one, two)]
    if shape == "rod" and one[2] == two[2]:
        middle = (f"(({one[0]}) + ({two[0]}))/2", f"(({one[1]}) + ({two[1]}))/2", one[2])
        size = {"length": f"sqrt(({gap[0]})**2 + ({gap[1]})**2)"}
        size |= {"radius": _text(words["radius"], where)} if "radius" in words else {}
        return Body("rod", middle, heading(f"atan2({gap[1]}, {gap[0]})"), size, None, colour, label)
    points = tuple(f"{a} + s*({b})" for a, b in zip(one, gap))
    return Body("wire", size={"s0": "0", "s1": "1"}, points=points, colour=colour, label=label)  # type: ignore[arg-type]


def check_body(body: Body, where: str) -> None:
    """Refuse a shape that is unknown or lacks a part of its size."""
    if body.shape not in SIZES:
        raise ModelError(f"{where}: no shape {body.shape!r}; choose from {', '.join(SIZES)}.")
    missing = [n for n in SIZES[body.shape] if n not in body.size and (body.shape, n) not in OPTIONAL]
    if missing:
        raise ModelError(f"{where}: the size of a {body.shape} needs {missing[0]!r}; add it.")
    if body.shape in ("wire", "surface") and body.points is None:
        raise ModelError(f"{where}: a {body.shape} needs points=(x, y, z), texts in s.")


def whereabouts(kind: str, index: int, label: str) -> str:
    """How an error names the part of a drawing it is about."""
    return f"{kind} {index + 1}" + (f" ({label})" if label else "")


@lru_cache(maxsize=256)
def check_drawing(drawing: Drawing, names: tuple[str, ...], where: str) -> None:
    """Refuse a drawing whose formulas cannot be read in these names; what has been read once is not read again."""
    own = {"wire": ("s",), "surface": ("s", "r")}
    for k, body in enumerate(drawing.bodies):
        at = f"{where}, %s of {whereabouts('body', k, body.label)}"
        check_body(body, f"{where}, {whereabouts('body', k, body.label)}")
        parts = {"size": list(body.size.values()), "position": body.position, "rotation": [e for r in body.rotation for e in r]}
        for what, texts in parts.items():
            for text in texts:
                _read(text, names, at % what)
        for text in body.points or ():
            _read(text, tuple(dict.fromkeys((*names, *own.get(body.shape, ())))), at % "points")
    for k, trace in enumerate(drawing.traces):
        for text in trace.point:
            _read(text, names, f"{where}, {whereabouts('trace', k, trace.label)}")


def _read(text: str, names: tuple[str, ...], where: str) -> None:
    if text not in ("0", "1"):
        parse(text, names, where)


def to_words(drawing: Drawing) -> dict[str, Any]:
    """The drawing as plain data for a file, ``drawing_of(to_words(d), …) == d``."""
    shapes: list[dict[str, Any]] = []
    for body in drawing.bodies:
        words: dict[str, Any] = {"shape": body.shape} | ({"label": body.label} if body.label else {})
        words["at"] = list(body.position)
        turn = body.rotation[0][0].removeprefix("cos(").removesuffix(")") if body.rotation[0][0].startswith("cos(") else None
        upright = body.shape == "wheel"
        if turn is not None and body.rotation == (rolling(turn) if upright else heading(turn)):
            words["heading"] = turn
        elif body.rotation != UNTURNED or upright:
            words["turned"] = [list(row) for row in body.rotation]
        names = SIZES[body.shape]
        if body.shape in ("box", "ellipsoid", "arrow") and all(n in body.size for n in names):
            words["size"] = [body.size[n] for n in names]
        else:
            words |= dict(body.size)
        if body.points is not None:
            words["points"] = list(body.points)
        shapes.append({**words, "colour": body.colour})
    for trace in drawing.traces:
        told = {"label": trace.label} if trace.label else {}
        shapes.append({"shape": "path", **told, "at": list(trace.point), "colour": trace.colour})
    result: dict[str, Any] = {"ground": drawing.ground} if drawing.ground != "plane" else {}
    if drawing.plots:
        result["plots"] = [list(pair) for pair in drawing.plots]
    return {**result, "shapes": shapes}
