"""Fields that a living page integrates: the finite system with the same motion, or one that converges to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonholo.errors import NonholoError
from nonholo.fields.strings.chains import chain_start, linked_chain
from nonholo.fields.strings.inextensible_string import String
from nonholo.fields.strings.towing_sleigh import SleighString
from nonholo.gallery.field_exhibit import FieldExhibit
from nonholo.model.drawing.shapes import Body, Drawing, Trace, heading
from nonholo.model.files.page_options import Page
from nonholo.model.system import System, numbered, varied
from nonholo.present.report.report_motion import film, living_data, motion
from nonholo.present.report.report_page import ReportSection, escape
from nonholo.present.report.report_sections import note
from nonholo.present.report.report_subject import case
from nonholo.present.report.report_symmetry import SymmetryResults

if TYPE_CHECKING:
    from collections.abc import Mapping

LINKS = 8
"""Rods of the chain that represents a string: each start angle has a slider."""
RECORDED = "This page shows the motion recorded when it was made, and cannot solve it again: {why} For other numbers: {how}"
WHY = {
    "String": "an end is held or a start is no formula, and the chain of rods that stands for a free string has neither.",
    "ConstrainedString": "the string lies in the groove of its front end, z(s, t) = z(0, t'), so nothing is left to solve: a "
    "page would need the whole curve of its start, a function and not some numbers.",
    "Fluid": "its thousands of waves are multiplied by Fourier transforms, and the page's solver has programs of a few thousand "
    "operations, without transforms.",
}


def living_section(exhibit: FieldExhibit) -> ReportSection:
    """The finite system with its film and sliders."""
    try:
        found = finite_system(exhibit)
    except NonholoError:
        found = None
    if found is None:
        why = WHY.get(type(exhibit.field).__name__, "it has no finite system of coordinates.")
        sentence = RECORDED.format(why=why, how=f"nonholo report {exhibit.name} --set NAME=NUMBER.")
        return ReportSection("living", "Other numbers", note(sentence))
    system, words = found
    chosen = case(system)
    moved = motion(chosen)
    stage = f"{film(chosen, moved) or ''}{living_data(chosen, moved, SymmetryResults())}"
    return ReportSection("living", "Try it", f'<div class="stage">{stage}</div><p class="caption">{escape(words)}</p>')


def finite_system(exhibit: FieldExhibit) -> tuple[System, str] | None:
    """A System whose motion is the field's, or tends to it, with what it is.

    >>> import nonholo as nh
    >>> finite_system(nh.gallery.get("sleigh-string"))[0].name
    'sleigh with string'
    """
    field = exhibit.field
    if isinstance(field, SleighString):
        return _sleigh(exhibit, field)
    given = all(isinstance(exhibit.start.get(name), (str, float, int)) for name in ("theta", "omega"))
    if isinstance(field, String) and not field.held and not field.gravity and given:
        return _chain(exhibit, field)
    return None


def _sleigh(exhibit: FieldExhibit, field: SleighString) -> tuple[System, str]:
    """The sleigh with the string's mass at its blade: its motion exactly; the string lies on its path."""
    start = {n: float(e) for n, e in exhibit.start.items() if isinstance(e, (int, float))}
    meanings = {
        "m": "mass of the sleigh", "J": "moment of inertia about the centre of mass", "a": "centre of mass ahead of the blade",
        "mu": "mass of the string", "heading": "heading of the blade", "sigma": "length of the path", "omega": "turning rate",
        "v": "speed along the blade", "x": "place of the blade", "y": "place of the blade",
    }  # fmt: skip
    units = {"m": "kg", "mu": "kg", "J": "kg m²", "a": "m", "x": "m", "y": "m", "sigma": "m", "heading": "rad", "v": "m/s"}
    above = ("x + a*cos(heading)", "y + a*sin(heading)", "0.12")
    box = Body("box", above, heading("heading"), {"x": "0.5", "y": "0.3", "z": "0.08"})
    blade = Body("blade", ("x", "y", "0"), heading("heading"), {"length": "0.4"}, colour="black", label="blade")
    drawing = Drawing((box, blade), (Trace(("x", "y", "0"), "path of the blade, in which the string lies"),), plots=(("t", "v"),))
    laws = {n: str(e) for n, e in exhibit.inputs.items()}
    made = varied(field.system, drawing=drawing, inputs={**field.system.inputs, **laws}, page=Page(meanings))
    words = (
        "The string only makes the blade heavier by its mass μ, so the motion of this sleigh is the field's, exactly; the string "
        "lies in the path of the blade. The sliders solve it again in this page."
    )
    values = {n: float(f"{e:.12g}") for n, e in field.values().items()}  # as one would write them
    return numbered(made, values, start, exhibit.until, {**units, "omega": "rad/s"}), words


def _chain(exhibit: FieldExhibit, field: String) -> tuple[System, str]:
    """Rods hinged end to end, seen from their centre of mass."""
    rod = f"L/{LINKS}"
    names = [f"theta{k + 1}" for k in range(LINKS)]
    exact: Mapping[str, float] = chain_start(LINKS, field.length, exhibit.start["theta"], exhibit.start["omega"])
    start = {n: round(e, 4) for n, e in exact.items()}  # numbers that fit beside a slider
    bodies = []
    for k, name in enumerate(names):
        # the middle of a rod from the centre of mass: half of itself, the whole of those before, less the mean of all middles
        weights = [((j < k) + 0.5 * (j == k)) - (LINKS - j - 0.5) / LINKS for j in range(LINKS)]
        place = [" + ".join(f"({w:.17g})*{f}({n})" for w, n in zip(weights, names)) for f in ("cos", "sin")]
        at = (f"{rod}*({place[0]})", f"{rod}*({place[1]})", "0.02*L")
        bodies.append(Body("rod", at, heading(name), {"length": rod, "radius": "0.012*L"}))
    meanings = {n: f"angle of rod {k + 1}" for k, n in enumerate(names)} | {"M": "mass of the chain", "L": "length of the chain"}
    units = {"M": "kg", "L": "m", **dict.fromkeys(names, "rad")}
    made = varied(linked_chain(LINKS), drawing=Drawing(tuple(bodies), ()), page=Page(meanings))
    words = (
        f"A chain of {LINKS} equal rods hinged end to end, seen from its centre of mass. It is not the string but tends to it: "
        "with the square of the rods' length, more slowly at the free ends. Its angles are those of the string at the middles of "
        "the rods. The sliders solve it again in this page."
    )
    return numbered(made, {"M": field.density * field.length, "L": field.length}, start, exhibit.until, units), words
