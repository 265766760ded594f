"""Labels of axes with names and units, for matplotlib (math text) and HTML; meanings of symbols in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ZERO, symbol, symbols
from nonholo.errors import NonholoError
from nonholo.finding.sentences import symmetry_words
from nonholo.geometry.frames.frame import rate
from nonholo.model.dimensions import determined_units
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.drawing.sketch import places_of, sketch
from nonholo.model.drawing.sketch_fit import blades, headings_of, plane_samples, wheels
from nonholo.model.rotation_axes import axes_of
from nonholo.model.system import System, parameter_values
from nonholo.notation.latex import to_latex
from nonholo.notation.names import latex_name, undotted
from nonholo.notation.read import expression

_NAME = re.compile(r"\b[^\W\d]\w*\b(?!\()")
WIDEST = 16
"""Letters of the names on an axis; more would be cut at its ends, and stand in the legend."""
_WORD = re.compile(r"\\mathrm\{([^{}]*)\}")
_ACCENTS = {"dot": "\u0307", "ddot": "\u0308"}
_VARIANTS = {"vartheta": "ϑ", "varphi": "φ", "ell": "ℓ", "epsilon": "ε"}
PARAMETERS = {
    "kg": "mass", "kg m²": "moment of inertia", "m": "length", "m/s²": "gravity", "N/m": "stiffness", "rad": "angle",
    "rad/s": "angular velocity", "kg/s": "damping", "N m": "torque", "N": "force",
}  # fmt: skip
"""By unit."""
COORDINATES = {"m": "position", "rad": "angle", "1": "coordinate"}
VELOCITIES = {"m/s": "speed", "rad/s": "angular velocity"}
KNOWN = {"mass": "kg", "gravity": "m/s²", "length": "m", "radius": "m", "position": "m", "height": "m", "angle": "rad"}
"""Units of meanings that leave no choice."""
_UNITS: WeakCache[Mapping[str, str]] = WeakCache(64)
INPUTS = {"N m": "torque", "N": "force"}
LETTERS = {
    "m": "mass", "M": "mass", "g": "gravity", "J": "moment of inertia", "I": "moment of inertia", "k": "stiffness",
    "l": "length", "r": "radius", "R": "radius", "mu": "coefficient of friction",
    "x": "position", "y": "position", "z": "height", "theta": "angle", "phi": "angle", "psi": "angle",
    "omega": "angular velocity", "v": "speed",
}  # fmt: skip
"""Meanings of names without a unit, where they are unambiguous."""


def unit_of(run: Any, name: str) -> str:
    """The unit of a quantity of a motion: its own, or for ``…dot`` that of what it is the rate of, per second.

    Energy is in joules and time in seconds as soon as the motion has units at all (they are SI).
    """
    known, system = run.quantities, getattr(run, "system", None)
    if name in known and (own := known[name].unit):
        return str(own)
    units = units_of(system) if system is not None else {}
    if name in units:
        return str(units[name])
    if name == "energy":
        return "J" if units or any("units" in known[n].words for n in run.names) else ""
    base, dots = undotted(name, known)
    if dots and base in known and (own := known[base].unit or units.get(base)):
        return f"{own}/s" + ("²" if dots == "ddot" else "")
    return ""


def units_of(system: System) -> Mapping[str, str]:
    """The declared units, and those that the equations determine once letters mean what they mostly do.

    >>> cart = System(coordinates="x", parameters="M k c", lagrangian="M*xdot**2/2 - k*x**2/2", forces={"x": "-c*xdot"})
    >>> dict(units_of(cart))
    {'x': 'm', 'M': 'kg', 'k': 'N/m', 'c': 'kg/s'}
    """
    return _UNITS.get(system, lambda: _units_of(system))


def _units_of(system: System) -> Mapping[str, str]:
    names = (*system.coordinates, *system.parameters, *system.inputs)
    if all(n in system.units for n in names):
        return system.units
    meant = {n: KNOWN.get(LETTERS.get(re.sub(r"_?\d+$", "", n), ""), "") for n in (*system.coordinates, *system.parameters)}
    known = {n: unit for n, unit in meant.items() if unit and n not in system.units}
    places = {n: unit for n, unit in known.items() if n in system.coordinates and unit == "m"}
    found = determined_units(system, known) or determined_units(system, places)
    return {**found, **system.units}


def own_unit(system: System, name: str) -> str:
    """The unit of a name: its own, or that of what it is the rate of, per second."""
    units = units_of(system)
    own: str = units.get(name, "")
    if not own and name.endswith("dot") and (base := units.get(name[:-3], "")):
        return "1/s" if base == "1" else f"{base}/s"
    return own


def generator_name(name: str) -> str:
    """A generator of a symmetry group in HTML: in words, with coordinates as formulas write them.

    >>> generator_name("shift_psi"), generator_name("turn"), generator_name("turn_xy + shift_x")
    ('shift of <i>ψ</i>', 'turn', 'turn of <i>xy</i> with shift of <i>x</i>')
    """
    return symmetry_words(name, lambda n: f"<i>{n}</i>" if re.fullmatch("[a-z]{2}", n) else html_name(n))


def math_name(name: str) -> str:
    """A name in matplotlib's math text; words are upright.

    >>> print(math_name("omega"), math_name("thetadot"), math_name("w1"), math_name("energy"))
    $\\omega$ $\\dot{\\theta}$ $w_{1}$ energy
    """
    text = latex_name(name, [name] if name.endswith("dot") else [])
    return _plain(text) if _WORD.fullmatch(text) else f"${text}$"


def math_label(text: str) -> str:
    """A name or an expression in matplotlib's math text; what that cannot set stays as it is.

    >>> print(math_label("sin(alpha)"), math_label("xdot - 2*v"), math_label("energy"), math_label("a < b"))
    $\\sin \\alpha$ $\\dot{x} - 2 v$ energy a < b
    """
    from matplotlib.mathtext import MathTextParser

    if text.isidentifier():
        return math_name(text)
    words = set(_NAME.findall(text))
    try:
        latex = to_latex(expression(text, words, "label"), rates=[w for w in words if w.endswith("dot")])
        MathTextParser("path").parse(f"${latex}$")
    except (NonholoError, ValueError):
        return text
    return f"${latex}$"


def html_name(name: str) -> str:
    """A name in HTML: letters for Greek, ``<sub>`` for indices, dots above.

    >>> print(html_name("omega"), html_name("w1"), html_name("xdot"), html_name("tau_psi"), html_name("energy"))
    <i>ω</i> <i>w</i><sub>1</sub> <i>ẋ</i> <i>τ</i><sub><i>ψ</i></sub> energy
    >>> html_name("angular_momentum"), html_name("leftdot"), html_name("left_wheel_x")
    ('angular momentum', 'd(left)/dt', 'left wheel<sub>x</sub>')
    """
    text = latex_name(name, [name] if name.endswith("dot") else [])
    head, _, index = text.partition("_{")
    accent = re.fullmatch(r"\\(dot|ddot)\{(.*)\}", head)
    if accent:
        head = accent[2]
    letters = _plain(head)
    if accent:
        if len(letters) > 1 and accent[1] == "dot":  # a dot on the last letter of a word is none on the word
            return f"d({letters}{_index(index)})/dt"
        letters = unicodedata.normalize("NFC", letters + _ACCENTS[accent[1]])
    if not head.startswith("\\") or _slanted(letters):
        letters = f"<i>{letters}</i>"
    return letters + _index(index)


def _index(index: str) -> str:
    parts = [f"<i>{e}</i>" if _slanted(e) else e for e in map(_plain, index[:-1].split(","))]
    return f"<sub>{','.join(parts)}</sub>" if index else ""


def _slanted(letters: str) -> bool:
    """Small Greek letters are italic like Latin ones; capitals are upright, as in formulas."""
    return len(letters.rstrip("\u0307\u0308")) == 1 and "GREEK SMALL" in unicodedata.name(letters[0], "")


def _plain(text: str) -> str:
    if word := _WORD.fullmatch(text):
        return word[1].replace("\\ ", " ")
    if not text.startswith("\\"):
        return text
    name = text[1:]
    if name in _VARIANTS:
        return _VARIANTS[name]
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    spelt = name.upper().replace("LAMBDA", "LAMDA")
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {spelt}")
    except KeyError:
        return name


def with_unit(label: str, unit: str) -> str:
    """A label with its unit in brackets, when there is one; "1" is none.

    >>> with_unit("v", "m/s"), with_unit("γ", "1")
    ('v [m/s]', 'γ')
    """
    return f"{label} [{unit}]" if unit not in ("", "1") else label


def axis_label(run: Any, name: str, html: bool = False) -> str:
    """A quantity of a motion with its unit, for an axis."""
    return with_unit(html_name(name) if html else math_name(name), unit_of(run, name))


def shared_label(run: Any, names: Any, html: bool = False) -> str:
    """One label for several quantities on one axis: all of them when short, and the unit when they share it."""
    units = {unit_of(run, n) for n in names}
    spelt = ", ".join((html_name if html else math_name)(n) for n in names)
    if len(names) > 4 or len(re.sub("<[^>]*>", "", ", ".join(map(html_name, names)))) > WIDEST:
        spelt = ""
    return with_unit(spelt, units.pop()) if len(units) == 1 else spelt


def meaning_of(system: System, name: str) -> str:
    """A few words on a name of the system; empty where nothing is known.

    >>> sleigh = System(coordinates="x", parameters={"m": 1.0}, lagrangian="m*xdot**2/2", units={"x": "m", "m": "kg"})
    >>> meaning_of(sleigh, "m"), meaning_of(sleigh, "x"), meaning_of(sleigh, "xdot")
    ('mass', 'position', 'velocity in x')
    """
    own = system.page.meanings.get(name) if system.page is not None else None
    if own:
        shared = sum(word == own for word in system.page.meanings.values()) > 1 if system.page is not None else False
        return f"{own}, {name}" if shared and name in system.coordinates else own
    base = name.removesuffix("dot")
    if base != name and base in system.coordinates:
        if base in ("x", "y", "z") and system.units.get(base, "m") == "m":
            return f"velocity in {base}"
        meaning = (system.page.meanings.get(base) if system.page is not None else None) or roles(system).get(base)
        return f"rate of change of {'the ' * (' of ' in meaning)}{meaning}" if meaning else f"rate of {base}"
    unit = system.units.get(name, "")
    axis = next((a for a in axes_of(system) if name in a.entries), None)
    if axis is not None and not unit:
        return f"{axis.meaning}: component {axis.entries.index(name) + 1} ({name})"
    entry = re.fullmatch(r"([A-Za-z]+?)(\d)(\d)", name)
    if entry and name in system.coordinates and not unit:
        return f"row {entry[2]}, column {entry[3]} of the rotation {entry[1]}"
    word = _usual(system, name)
    if word in ("", "angle") and name in system.coordinates and (role := roles(system).get(name)):
        return role
    if not word and not unit and name in system.parameters:
        place = parameter_place(system, name)
        kind = PARAMETERS.get(units_of(system).get(name, ""), "") if place.startswith("in ") else ""
        return f"{kind}, {place}" if kind and kind != "torque" else place
    known = system.page.meanings if system.page is not None else {}
    others = (n for n in (*system.coordinates, *system.parameters, *system.inputs) if n != name and n not in known)
    return f"{word} {name}" if word and any(_usual(system, n) == word for n in others) else word


def parameter_place(system: System, name: str) -> str:
    """Where a parameter stands in the text of its system; what it is where its term says so.

    >>> cart = System(coordinates="x u", parameters="q c d w e", forces={"x": "-d*xdot"}, constraints=["xdot*cos(w*u) - e*udot"],
    ...     lagrangian="xdot**2/2 + q/2*udot**2 + e*xdot**2*cos(u) - c*x**2/2")
    >>> [parameter_place(cart, n) for n in ("q", "c", "d", "w", "e")]
    ['inertia of u', 'stiffness of x', 'damping of x', 'in constraint 1', 'in the kinetic energy and constraint 1']
    """
    own = symbol(name)
    speeds = symbols(system.velocities)
    slope = se.sympify(system.lagrangian).diff(own)
    rows = [k for k, e in enumerate((*system.constraints, *system.holonomic), 1) if own in se.sympify(e).free_symbols]
    pushed = [c for c, e in system.forces.items() if own in se.sympify(e).free_symbols]
    places = []
    if any(slope.diff(a).diff(b) != 0 for a in speeds for b in speeds):
        places.append("the kinetic energy")
    elif slope.free_symbols & set(speeds):
        places.append("the Lagrangian")
    if slope.xreplace(dict.fromkeys(speeds, ZERO)) != 0:
        places.append("the potential energy")
    places += ["the force on " + ", ".join(pushed)] if pushed else []
    places += [f"constraint{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"] if rows else []
    if len(places) == 1:
        for c in system.coordinates:
            x, v = symbol(c), symbol(rate(c))
            terms = {"inertia": slope - v**2 / 2, "stiffness": slope + x**2 / 2}
            terms |= {"damping": se.sympify(system.forces[c]).diff(own) + v} if pushed == [c] else {}
            if word := next((w for w, e in terms.items() if e == 0), ""):
                return f"{word} of {c}"
    return f"in {' and '.join([', '.join(places[:-1]), places[-1]] if len(places) > 1 else places)}" if places else ""


_ROLES: WeakCache[dict[str, str]] = WeakCache(64)


def roles(system: System) -> dict[str, str]:
    """What coordinates of a body in the plane do: headings and angles of blades, turning angles of wheels, from the constraints.

    >>> roles(System(coordinates="x y p q", lagrangian="xdot**2 + ydot**2 + pdot**2 + qdot**2", constraints=[
    ...     "xdot*sin(p) - ydot*cos(p)", "xdot*sin(p + q) - ydot*cos(p + q) - pdot*cos(q)"]))
    {'p': 'heading', 'q': 'angle of blade 2 to the body'}
    """
    return _ROLES.get(system, lambda: _roles(system))


def _roles(system: System) -> dict[str, str]:
    if not system.frame.plain:
        return {}
    found: dict[str, str] = {}
    pairs = places_of(system)
    try:
        values = parameter_values(system, None)
        if pairs and pairs[0][2] is None:
            seen = plane_samples(system, values, *pairs[0][:2])
            edges, rolling = blades(seen), wheels(seen)
            tyres = {one.heading: f"wheel {one.spin}" for one in rolling}
            for k, edge in enumerate(edges):
                own = {str(s) for s in edge.heading.free_symbols}
                new = sorted(own - set(found))
                if len(new) == 1:
                    what = tyres.get(edge.heading, f"blade {k + 1}")
                    turned = f"angle of {what} to the body" if len(own) > 1 else f"direction of {what}"
                    found[new[0]] = turned if k else "heading"
            found |= {one.spin: "turning angle of the wheel" for one in rolling}
        drawing = system.drawing or sketch(system, values, 1.0)
    except NonholoError:  # numbers are missing, or the constraints cannot be read
        return found
    return {**(_drawn_angles(system, drawing) if drawing is not None else {}), **found}


def _drawn_angles(system: System, drawing: Drawing) -> dict[str, str]:
    """Angles that alone turn a wheel of the drawing, or alone move a labelled mass that is drawn."""
    turned = {str(s) for h in headings_of(system) for s in h.free_symbols}
    result: dict[str, str] = {}
    for body in drawing.bodies:
        at, way = (set(re.findall(r"[^\W\d]\w*", " ".join(e))) for e in (body.position, sum(body.rotation, ())))
        spins = sorted(way & set(system.coordinates) - at - turned)
        swings = sorted(at & turned - way - set(result))
        if body.shape in ("wheel", "disc") and len(spins) == 1:
            result.setdefault(spins[0], "turning angle of the wheel")
        elif body.shape == "sphere" and body.label and len(swings) == 1:
            end = f" to {'the ' * (' ' in body.label)}{body.label}" if body.label not in system.coordinates else ""
            result[swings[0]] = f"angle of the arm{end}"
    alike = [e for e in result.values() if list(result.values()).count(e) > 1]
    return {n: f"{e}, {n}" if e in alike else e for n, e in result.items()}


def _usual(system: System, name: str) -> str:
    """What a name of this unit, or such a letter, mostly means; the word may fit several names."""
    unit = system.units.get(name, "")
    if name in system.parameters:
        table = PARAMETERS
    elif name in system.coordinates:
        table = COORDINATES
    elif name in system.inputs:
        table = INPUTS
    else:
        table = VELOCITIES
    return table.get(unit) or ("" if unit else LETTERS.get(name, ""))
