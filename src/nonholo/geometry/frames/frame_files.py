"""Frames as plain data, for files, and back; the right-invariant version of a group's frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.brackets import structure_functions
from nonholo.geometry.frames.frame_constructions import Euclidean
from nonholo.geometry.frames.frame_record import Frame, product
from nonholo.geometry.frames.frame_words import Chart
from nonholo.geometry.groups.lie_algebra import LieAlgebra, bracket_texts
from nonholo.geometry.groups.matrix_groups import SE2, SE3, SO3, Quaternion, Vertical
from nonholo.notation.read import names_of
from nonholo.notation.write import to_text

Recipe = Mapping[str, Any]

GROUPS: dict[str, Callable[..., Frame]] = {"SO3": SO3, "Quaternion": Quaternion, "SE2": SE2, "SE3": SE3}
KEYWORDS: dict[str, tuple[str, ...]] = {
    "Euclidean": ("coordinates",),
    "SO3": ("name", "rates", "side"),
    "Quaternion": ("name", "rates", "side"),
    "SE2": ("names", "rates", "side"),
    "SE3": ("name", "position", "rates", "side"),
    "Vertical": ("name", "rates"),
    "LieAlgebra": ("brackets", "rates", "parameters"),
    "Frame": ("coordinates", "velocities", "anchor", "brackets", "parameters", "relations", "home", "chart"),
}
NEEDED: dict[str, tuple[str, ...]] = {
    "Euclidean": ("coordinates",),
    "LieAlgebra": ("brackets",),
    "Frame": ("coordinates", "velocities", "anchor"),
}
CHART = ("names", "embedding", "velocities", "center", "reach")


def frame_from_recipe(recipe: Recipe | Sequence[Recipe]) -> Frame:
    """The frame a recipe describes: one table for each factor of a product.

    >>> frame_from_recipe([{"kind": "SO3", "name": "R"}, {"kind": "Euclidean", "coordinates": "x y"}]).velocities
    ('w1', 'w2', 'w3', 'xdot', 'ydot')
    """
    tables = [recipe] if isinstance(recipe, Mapping) else recipe
    if isinstance(tables, str) or not isinstance(tables, Sequence) or not tables:
        raise ModelError(f'frame: {recipe!r} is no recipe; give a table such as {{"kind": "SO3", "name": "R"}}.')
    return reduce(product, [_factor(table) for table in tables])


def recipe_of(frame: Frame) -> list[dict[str, Any]]:
    """The frame as plain data that `frame_from_recipe` reads back to an equal frame.

    >>> recipe_of(SO3("R"))
    [{'kind': 'SO3', 'name': 'R', 'rates': 'w1 w2 w3'}]
    """
    if frame.recipe:
        return [_plain(table) for table in frame.recipe]
    words: dict[str, Any] = {
        "kind": "Frame",
        "coordinates": " ".join(frame.coordinates),
        "velocities": " ".join(frame.velocities),
        "anchor": [[to_text(e) for e in row] for row in frame.anchor],
    }
    if frame.brackets is not None:
        words["brackets"] = _plain(bracket_texts(frame.brackets, frame.velocities))
    if frame.parameters:
        words["parameters"] = " ".join(frame.parameters)
    if frame.relations:
        words["relations"] = [to_text(e) for e in frame.relations]
    if any(frame.home):
        words["home"] = list(frame.home)
    if frame.chart is not None:
        chart = frame.chart
        words["chart"] = {
            "names": " ".join(chart.names),
            "embedding": [to_text(e) for e in chart.embedding],
            "velocities": [to_text(e) for e in chart.velocities],
            "center": list(chart.center),
            "reach": list(chart.reach),
        }
    return [words]


def spatial(frame: Frame, rates: Any = None) -> Frame:
    """The right-invariant version, by spatial velocities ``ġ g⁻¹``: the brackets change their sign.

    Works on SO3, Quaternion, SE2, SE3, Lie algebras and their products; Euclidean factors stay. The velocities are
    named ``s_w1, …`` unless ``rates`` gives names (for the factors that change, in order).

    >>> spatial(SO3("R")).velocities
    ('s_w1', 's_w2', 's_w3')
    """
    factors = [_factor(table) for table in frame.recipe]
    turned = [f for f in factors if not f.plain]
    refused = [f.recipe[0] for f in turned if not _has_sides(f.recipe[0])]
    if not turned or refused:
        found = f"{refused[0]['kind']}" if refused else "a frame without a group"
        raise ModelError(
            f"spatial: {found} has no right-invariant version; give a body frame of SO3, Quaternion, SE2, SE3 or a "
            "LieAlgebra, or a product of them with Euclidean."
        )
    names = names_of(rates, "spatial rates") if rates is not None else tuple(
        f"s_{v}" for f in turned for v in f.velocities
    )
    size = sum(f.size for f in turned)
    if len(names) != size:
        raise ModelError(f"spatial: {len(names)} rates {', '.join(names)}, where {size} are needed.")
    result = []
    for factor in factors:
        if factor.plain:
            result.append(factor)
            continue
        result.append(_other_side(factor, names[: factor.size]))
        names = names[factor.size :]
    return reduce(product, result)


def _has_sides(table: Recipe) -> bool:
    return table["kind"] == "LieAlgebra" or (table["kind"] in GROUPS and table.get("side", "body") == "body")


def _other_side(factor: Frame, names: Sequence[str]) -> Frame:
    (table,) = factor.recipe
    if table["kind"] == "LieAlgebra":
        opposite = {key: -e for key, e in structure_functions(factor).items()}
        return LieAlgebra(opposite, rates=names, parameters=factor.parameters)
    words = {k: v for k, v in table.items() if k != "kind"}
    return GROUPS[table["kind"]](**{**words, "rates": names, "side": "spatial"})


def _factor(table: Recipe) -> Frame:
    if not isinstance(table, Mapping):
        raise ModelError(f'frame: {table!r} is no recipe; give a table such as {{"kind": "SO3", "name": "R"}}.')
    words = _plain(table)
    kind = words.pop("kind", None)
    if not isinstance(kind, str) or kind not in KEYWORDS:
        raise ModelError(f"frame: unknown kind {kind!r}; {_meant(kind, KEYWORDS)}")
    _check_words(words, KEYWORDS[kind], kind)
    missing = [w for w in NEEDED.get(kind, ()) if w not in words]
    if missing:
        raise ModelError(f"frame of kind {kind}: {missing[0]!r} is missing; add it.")
    if kind == "Euclidean":
        return Euclidean(words["coordinates"])
    if kind == "Vertical":
        return Vertical(**words)
    if kind == "LieAlgebra":
        return LieAlgebra(words.pop("brackets"), **words)
    if kind in GROUPS:
        return GROUPS[kind](**words)
    chart = words.pop("chart", None)
    if chart is not None:
        if not isinstance(chart, Mapping):
            raise ModelError(f"frame: chart is {chart!r}; give a table with {', '.join(CHART)}.")
        _check_words(chart, CHART, "chart")
        absent = [w for w in CHART[:3] if w not in chart]
        if absent:
            raise ModelError(f"frame: the chart's {absent[0]!r} is missing; add it.")
        chart = Chart(**chart)
    return Frame(**words, chart=chart)


def _check_words(words: Mapping[str, Any], allowed: Sequence[str], kind: str) -> None:
    for word in words:
        if word not in allowed:
            raise ModelError(f"frame of kind {kind}: unknown keyword {word!r}; {_meant(word, allowed)}")


def _meant(word: Any, choices: Any) -> str:
    return meant(word, choices, f"choose from {', '.join(choices)}.")


def _plain(value: Any) -> Any:
    """Tables and lists of Python, copied."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


