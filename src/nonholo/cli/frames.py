"""``--frame``: quasi-velocities written on the command line, or the body or spatial frame of a group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nonholo.algebra.calculus import ZERO, expand, substitute, symbol, tidy
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, identity, transpose
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form_named, forms
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import Euclidean, Frame, rate
from nonholo.geometry.frames.frame_files import GROUPS, frame_from_recipe
from nonholo.geometry.groups.matrix_groups import rotation_matrix
from nonholo.model.declared_words import known_names
from nonholo.model.system import System, varied, velocity_table
from nonholo.notation.read import expression

WORDS = ("body", "spatial", "coordinates")


def equations_in_frame(system: System, form: str, words: str) -> Equations:
    """The equations in the frame that ``--frame`` describes: ``u=xdot*cos(theta), w=…``, or one of `WORDS`."""
    text = words.strip()
    if text in WORDS:
        if form != "hamel":
            raise ModelError(
                f"--frame {text} goes with --form hamel, not {form}; or write it out, --frame 'u=xdot, …'."
            )
        from nonholo.derive.hamel import hamel

        return hamel(system, plain_frame(system) if text == "coordinates" else sided_frame(system, text))
    chosen = form_named(form)
    if not chosen.chosen_speeds:
        fit = ", ".join(n for n, f in forms().items() if f.chosen_speeds)
        raise ModelError(
            f"--frame goes with --form {fit}; {form} is written in the coordinates' rates."
        )
    given = written_forms(text)
    equations = chosen(with_quasivelocities(system, given))
    used = {str(s).removeprefix("p_") for s in equations.speeds}
    if not used & set(given):
        raise ModelError(
            f"--frame {text}: the speeds of {system.name} are {', '.join(map(str, equations.speeds))}; none of the given "
            "ones is free, they vanish on the constraints or the system fixes its own."
        )
    return equations


def written_forms(text: str) -> dict[str, str]:
    """``"omega=thetadot, v=f(x, y)*xdot"`` as a table; commas inside brackets do not separate.

    >>> written_forms("u=atan2(y, x)*xdot, w = ydot")
    {'u': 'atan2(y, x)*xdot', 'w': 'ydot'}
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    forms: dict[str, str] = {}
    for part in parts:
        name, sign, form = (piece.strip() for piece in part.partition("="))
        if not (name and sign and form):
            raise ModelError(
                f"--frame {part.strip() or text!r}: write name=form, e.g. --frame 'omega=thetadot, u=2*xdot', "
                f"or one of {', '.join(WORDS)}."
            )
        if name in forms:
            raise ModelError(f"--frame: {name!r} is given twice; give each velocity once.")
        forms[name] = form
    return forms


def with_quasivelocities(system: System, forms: dict[str, str]) -> System:
    """The same system with the given quasi-velocities first; a name it has already must keep its meaning."""
    own = dict(system.quasivelocities)
    inside = {symbol(n): e for n, e in own.items()}
    known = [n for n in known_names(system) if n not in (*system.inputs, "t")]
    new = {n: substitute([expression(f, known, f"--frame {n}")], inside)[0] for n, f in forms.items()}
    table = velocity_table(system)
    for name in own.keys() & new.keys():
        given, meant = substitute([new[name], own[name]], table)
        if tidy(expand(given - meant)) != 0:
            raise ModelError(
                f"--frame {name}: {system.name} has another {name} already, {own[name]}; choose a new name."
            )
    try:
        return varied(system, quasivelocities={**new, **{n: e for n, e in own.items() if n not in new}})
    except ModelError as trouble:
        raise ModelError(f"--frame: {str(trouble).removeprefix(f'{system.name}: ')}") from None


def plain_frame(system: System) -> Frame:
    """The coordinates' own rates."""
    if len(system.coordinates) != system.frame.size:
        raise ModelError(
            f"--frame coordinates: {system.name} has {len(system.coordinates)} coordinates for {system.frame.size} "
            "velocities, so their rates are no frame; try --frame body."
        )
    return Euclidean(system.coordinates)


def sided_frame(system: System, side: str) -> Frame:
    """The left-invariant (body) or right-invariant (spatial) frame of the system's group."""
    tables = [dict(t) for t in system.frame.recipe]
    if not any(t["kind"] in GROUPS for t in tables):
        tables = _planar(system, side)
    for table in tables:
        if table["kind"] in GROUPS and table.get("side", "body") != side:
            table |= {"side": side, "rates": " ".join(f"{side[0]}_{n}" for n in table["rates"].split())}
    frame = frame_from_recipe(tables)
    turns = [t for t in tables if t["kind"] in GROUPS]
    if system.frame.plain or any(t["kind"] not in ("SO3", "Quaternion") for t in turns):
        return frame
    return replace(frame, relative=(system.frame.velocities, _turning(system.frame, frame)))


def _turning(old: Frame, new: Frame) -> Matrix:
    """``B`` with ``v_old = B v_new``: ``R`` from body to space or ``Rᵀ`` back, so that no Gram matrix is solved."""
    blocks: list[Matrix] = []
    for own, wanted in zip(old.recipe, new.recipe):
        if own["kind"] in GROUPS:
            to_space = rotation_matrix(old, own["name"])
            side = own.get("side", "body")
            same = side == wanted.get("side", "body")
            blocks.append(identity(3) if same else transpose(to_space) if side == "body" else to_space)
        else:
            blocks.append(identity(len(own["coordinates"].split())))
    size = sum(map(len, blocks))
    rows: list[tuple[Any, ...]] = []
    for block in blocks:
        before = len(rows)
        rows += [(*[ZERO] * before, *row, *[ZERO] * (size - before - len(block))) for row in block]
    return tuple(rows)


def _planar(system: System, side: str) -> list[dict[str, Any]]:
    """SE(2) when the declared symmetry says which coordinates are a place and a heading."""
    generators = system.symmetry.generators if system.symmetry is not None else FrozenMap()
    shifts = {next(iter(f)) for f in generators.values() if len(f) == 1 and set(f.values()) == {"1"}}
    for field in generators.values():
        turned = [c for c, e in field.items() if e == "1"]
        places = [c for c in field if c in shifts and c not in turned]
        if len(turned) == 1 and len(places) == 2:
            x, y = places if field[places[0]].startswith("-") else places[::-1]
            names = (turned[0], x, y)
            rest = [c for c in system.coordinates if c not in names]
            taken = {*known_names(system), *map(rate, system.coordinates)}
            mark = "" if not taken & {"w", "v1", "v2"} else f"_{side}"
            rates = f"w{mark} v1{mark} v2{mark}"
            group: dict[str, Any] = {"kind": "SE2", "names": " ".join(names), "rates": rates, "side": side}
            return [group] + ([{"kind": "Euclidean", "coordinates": " ".join(rest)}] if rest else [])
    raise ModelError(
        f"--frame {side}: {system.name} moves on no group that nonholo knows (SO3, SE3, a quaternion, or a declared "
        "planar symmetry); write the velocities out, e.g. --frame 'u=xdot, …'."
    )
