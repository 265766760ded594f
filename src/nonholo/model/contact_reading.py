"""Read contacts from user input, write them back as tables, and choose the rows they add to the constraints."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, along, gradient, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError, StateError, about, meant
from nonholo.geometry.frames.frame import sample
from nonholo.model.contacts import CONTACT_WORDS, EXPRESSIONS, IMPACTS, LISTS, ContactLaw, Resistance
from nonholo.model.declared_words import Understood, known_names, multiplier_names, rate_table
from nonholo.notation.write import to_text

Read = Callable[[Any, Sequence[str], str], Expr]
KEYS = (
    "name", "gap", "slip", "friction", "spin", "rolling", "slips", "lifts", "restitution", "impact", "load", "point", "normal",
    "along", "across", "body", "on",
)  # fmt: skip
TIME = symbol("t")
DEPENDENT = 1e-9
"""A row whose part that is independent of those before it is below this, relative to its length, depends on them."""


def read_contacts(given: Any, system: Understood, read: Read) -> tuple[ContactLaw, ...]:
    """The contacts of a system; ``read`` reads one expression in given names."""
    if isinstance(given, Mapping) or not isinstance(given, Sequence) or isinstance(given, str):
        raise ModelError(f'{system.name}: contacts must be a list of tables, e.g. contacts=[{{"gap": "z - r", "slip": […]}}].')
    found: list[ContactLaw] = []
    for k, one in enumerate(given):
        with about("contacts", k):
            law = one if isinstance(one, ContactLaw) else _contact(one, k, system, read)
            rubs = law.kinetic is not None if isinstance(one, ContactLaw) else "friction" in one
            _check(law, f"{system.name}: contact {k + 1}", rubs)
            trouble = impossible_numbers({what: float(e) for what, e in law.numbers.items() if e.is_Number})
            if trouble:
                raise ModelError(f"{system.name}: contact {k + 1} ({law.name}): {trouble}.")
            if any(law.name == other.name for other in found):
                raise ModelError(f"{system.name}: two contacts are called {law.name!r}; give each a name of its own.")
        found.append(law)
    return tuple(found)


def _contact(given: Any, number: int, system: Understood, read: Read) -> ContactLaw:
    where = f"{system.name}: contact {number + 1}"
    if not isinstance(given, Mapping):
        raise ModelError(f'{where}: a table is needed, e.g. {{"gap": "z - r", "slip": ["xdot - r*phidot"]}}; found {given!r}.')
    for key in given:
        if key not in KEYS:
            hint = meant(key, KEYS, f"the keywords are {', '.join(KEYS)}.")
            raise ModelError(f"{where}: unknown keyword {key!r}; {hint}")
    known = known_names(system)
    fixed = (*system.coordinates, *system.parameters, "t")

    def one(key: str, names: Sequence[str] = known) -> Expr | None:
        value = given.get(key)
        return None if value is None else read(value, names, f"{where}: {key}")

    def several(key: str, names: Sequence[str] = known, lengths: Sequence[int] = (3,)) -> tuple[Expr, ...]:
        value = given.get(key)
        if value is None:
            return ()
        parts = [value] if isinstance(value, (str, int, float)) or not isinstance(value, Sequence) else list(value)
        if len(parts) not in lengths:
            raise ModelError(f"{where}: {key} needs {' or '.join(map(str, lengths))} expressions; found {len(parts)}.")
        return tuple(read(e, names, f"{where}: {key} {i + 1}") for i, e in enumerate(parts))

    static, kinetic = _friction(given.get("friction"), where, known, read)
    law = ContactLaw(
        name=_word(given, "name", where, f"contact {number + 1}"),
        gap=one("gap", fixed),
        slip=several("slip", lengths=(0, 1, 2)),
        static=static,
        kinetic=kinetic,
        spin=_resistance(given, "spin", where, known, read, 1),
        rolling=_resistance(given, "rolling", where, known, read, 2),
        slips=_flag(given, "slips", where),
        lifts=_flag(given, "lifts", where),
        restitution=one("restitution"),
        impact=_word(given, "impact", where, "newton"),
        load=one("load"),
        point=several("point"),
        normal=several("normal"),
        along=several("along"),
        across=several("across"),
        body=_word(given, "body", where, ""),
        on=_word(given, "on", where, ""),
    )
    return law


def _check(law: ContactLaw, where: str, rubs: bool) -> None:
    """Refuse a contact whose laws lack what they act on."""
    trouble = ""
    if law.gap is None and not law.slip:
        trouble = "it has neither gap nor slip; give the distance that closes, the velocities that vanish in rolling, or both"
    elif law.lifts and law.gap is None:
        trouble = "lifts = true needs a gap, the distance that opens"
    elif law.restitution is not None and not law.lifts:
        trouble = "restitution belongs to a contact that may open; give lifts = true"
    elif law.slips and not law.slip:
        trouble = "slips = true needs slip, the velocities that vanish in rolling"
    elif law.slips and not rubs:
        trouble = "slips = true needs friction, the coefficient μ"
    elif law.slips and law.gap is None and law.load is None:
        trouble = "friction needs a normal force; give a gap, whose reaction it is, or load, the force itself"
    elif law.load is not None and law.gap is not None:
        trouble = "the normal force is the reaction of the gap; leave out load"
    elif law.impact not in IMPACTS:
        trouble = f"impact = {law.impact!r}; choose {' or '.join(IMPACTS)}"
    elif (law.spin or law.rolling) and law.gap is None and law.load is None:
        trouble = "resistance is in proportion to the normal force; give a gap or load"
    if trouble:
        raise ModelError(f"{where} ({law.name}): {trouble}.")


def impossible_numbers(numbers: Mapping[str, float]) -> str | None:
    """What is wrong with the coefficients of a contact, named as in `ContactLaw.numbers`, in words; None where nothing is.

    >>> impossible_numbers({"static friction": 0.4, "kinetic friction": -0.3})
    'kinetic friction = -0.3 would drive the slip; a coefficient ≥ 0 is needed'
    """
    for what, value in numbers.items():
        if what == "restitution" and not 0 <= value <= 1:
            return f"restitution = {value:g} would make energy grow or the bodies pass through each other; 0 ≤ e ≤ 1 is needed"
        if what == "load" and value < 0:
            return f"load = {value:g} would pull; a normal force ≥ 0 is needed"
        if value < 0:
            driven = "slip" if "friction" in what else "turning"
            return f"{what} = {value:g} would drive the {driven}; a coefficient ≥ 0 is needed"
    static, kinetic = (numbers.get(f"{kind} friction") for kind in ("static", "kinetic"))
    if static is not None and kinetic is not None and static < kinetic:
        return f"static friction {static:g} is below kinetic friction {kinetic:g}; the static one is at least as great"
    return None


def _word(given: Mapping[str, Any], key: str, where: str, default: str) -> str:
    value = given.get(key, default)
    if not isinstance(value, str):
        raise ModelError(f"{where}: {key} must be text; found {value!r}.")
    return value


def _flag(given: Mapping[str, Any], key: str, where: str) -> bool:
    value = given.get(key, False)
    if not isinstance(value, bool):
        raise ModelError(f"{where}: {key} must be true or false; found {value!r}.")
    return value


def _endless(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isinf(value)) or value in ("inf", "oo")


def _friction(value: Any, where: str, known: Sequence[str], read: Read) -> tuple[Expr | None, Expr | None]:
    """Static and kinetic coefficient, None for no limit."""
    if not isinstance(value, Mapping):
        one = None if _endless(value) else read(value, known, f"{where}: friction")
        return one, one
    stray = [k for k in value if k not in ("static", "kinetic")]
    if stray or not value:
        raise ModelError(f'{where}: friction is a coefficient or {{static = "…", kinetic = "…"}}; found {dict(value)!r}.')
    kinetic, static = value.get("kinetic", value.get("static")), value.get("static", value.get("kinetic"))
    if _endless(kinetic):
        raise ModelError(f"{where}: friction: kinetic friction must be finite; give a number or a parameter.")
    return (
        None if _endless(static) else read(static, known, f"{where}: static friction"),
        read(kinetic, known, f"{where}: kinetic friction"),
    )


def _resistance(
    given: Mapping[str, Any], key: str, where: str, known: Sequence[str], read: Read, most: int
) -> Resistance | None:
    value = given.get(key)
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"rate", "coefficient"}:
        raise ModelError(
            f'{where}: {key} needs the rate it resists and a length, {{rate = "w3", coefficient = "delta"}}; found {value!r}.'
        )
    rates = [value["rate"]] if isinstance(value["rate"], str) or not isinstance(value["rate"], Sequence) else list(value["rate"])
    if not 1 <= len(rates) <= most:
        raise ModelError(f"{where}: {key}: at most {most} rates; found {len(rates)}.")
    return Resistance(
        tuple(read(e, known, f"{where}: rate of {key}") for e in rates),
        read(value["coefficient"], known, f"{where}: coefficient of {key}"),
    )


def contact_table(law: ContactLaw) -> dict[str, Any]:
    """A contact as plain data with the keys of a file; the inverse of reading it."""
    table: dict[str, Any] = {"name": law.name}
    table |= {key: to_text(getattr(law, key)) for key in ("gap", "restitution", "load") if getattr(law, key) is not None}
    table |= {key: [to_text(e) for e in getattr(law, key)] for key in LISTS if getattr(law, key)}
    if law.kinetic is not None:
        static = "inf" if law.static is None else to_text(law.static)
        table["friction"] = static if law.static == law.kinetic else {"static": static, "kinetic": to_text(law.kinetic)}
    for key, one in (("spin", law.spin), ("rolling", law.rolling)):
        if one is not None:
            table[key] = {"rate": [to_text(e) for e in one.rates], "coefficient": to_text(one.coefficient)}
    table |= {key: True for key in ("slips", "lifts") if getattr(law, key)}
    table |= {"impact": law.impact} if law.impact != "newton" else {}
    return table | {key: getattr(law, key) for key in ("body", "on") if getattr(law, key)}


def with_expressions(law: ContactLaw, change: Callable[[Expr], Expr]) -> ContactLaw:
    """The contact with every expression changed."""
    words: dict[str, Any] = {key: change(getattr(law, key)) for key in EXPRESSIONS if getattr(law, key) is not None}
    words |= {key: tuple(map(change, getattr(law, key))) for key in LISTS}
    for key in ("spin", "rolling"):
        one = getattr(law, key)
        if one is not None:
            words[key] = Resistance(tuple(map(change, one.rates)), change(one.coefficient))
    return replace(law, **words)


def expressions_of(law: ContactLaw) -> list[Expr]:
    """Every expression of a contact."""
    alone = [getattr(law, key) for key in EXPRESSIONS if getattr(law, key) is not None]
    several = [e for key in LISTS for e in getattr(law, key)]
    return [*alone, *several, *(e for one in (law.spin, law.rolling) if one is not None for e in (*one.rates, one.coefficient))]


def own_rows(system: Understood) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The constraints and the holonomic constraints that are no rows of contacts."""
    gaps = {law.gap for law in system.contacts}
    slips = {e for law in system.contacts for e in law.slip}
    return tuple(e for e in system.constraints if e not in slips), tuple(e for e in system.holonomic if e not in gaps)


def with_contact_rows(system: Understood) -> Understood:
    """The system in which every contact is closed and rolls: gaps among the holonomic constraints, slips among the others.

    A row that depends on the rows before it at configurations near the start is left out, as the second wheel of an axle
    adds no constraint against sliding sideways; `run.contacts` shares the forces among all rows.
    """
    own, fixed = own_rows(system)
    plain = replace(system, constraints=own, holonomic=fixed)
    gaps = tuple(law.gap for law in system.contacts if law.gap is not None)
    slips = tuple(e for law in system.contacts if law.rolls for e in law.slip)
    if system.parametric is not None and (gaps or slips):
        raise ModelError(f"{system.name}: parametric velocities contain every constraint already; leave out contacts.")
    if not gaps and not slips:
        return plain
    kept = independent_rows(plain, gaps, slips)
    return replace(
        plain,
        holonomic=(*plain.holonomic, *(e for e, keep in zip(gaps, kept) if keep)),
        constraints=(*plain.constraints, *(e for e, keep in zip(slips, kept[len(gaps) :]) if keep)),
    )


def with_multipliers(system: Understood, text: Any, where: str) -> Any:
    """A text in which forces of contacts (``normal(front)``, ``along``, ``across``) are the multipliers of their rows.

    Only where no row was left out: of redundant contacts the multipliers do not tell how they share their forces.

    >>> from nonholo.model.system import System
    >>> bead = System(coordinates="x z", lagrangian="xdot**2/2", contacts=[{"name": "floor", "gap": "z - x**2"}])
    >>> with_multipliers(bead, "2*normal(floor)", "bead")
    '2*lambda1'
    """
    if not isinstance(text, str) or not CONTACT_WORDS.search(text):
        return text
    rows = (*system.constraints, *system.holonomic)
    names = dict(zip(rows, multiplier_names(system, len(rows))))
    table: dict[str, Expr] = {}
    for law in system.contacts:
        own = dict(zip(law.directions, law.slip)) if law.rolls else {}
        own |= {"normal": law.gap} if law.gap is not None else {}
        table |= {f"{force}({law.name})": row for force, row in own.items()}

    def multiplier(found: re.Match[str]) -> str:
        said = f"{found[1]}({found[2].strip()})"
        if said not in table:
            raise StateError(f"{where}: {said} is no force of a contact; the forces are {', '.join(table) or 'none'}.")
        if not all(row in names for row in table.values()):
            raise StateError(
                f"{where}: {said}: contacts that share their forces (redundant rows, as the wheels of an axle) have none that a "
                "formula tells apart; sample them (nh.controller with every=…)."
            )
        return names[table[said]]

    return CONTACT_WORDS.sub(multiplier, text)


def independent_rows(
    system: Understood, gaps: Sequence[Expr], slips: Sequence[Expr], rounding: float = 0.0
) -> list[bool]:
    """Which of the rows (gaps first) are independent of the system's own constraints and of those before them.

    What is left of a row is ``rounding`` times the longest row where lengths and angles are given with few digits.
    """
    v, x = symbols(system.frame.velocities), symbols(system.coordinates)
    table = rate_table(system)
    table |= {symbol(n): substitute([e], table)[0] for n, e in system.quasivelocities.items()}
    motion = {**dict(zip(x, system.frame.rates)), TIME: ONE}
    gaps, slips = ([smooth(e, f"{system.name}: contact") for e in part] for part in (gaps, slips))
    held = [*substitute(system.constraints, table), *along(system.holonomic, motion)]
    rows = [*held, *along(gaps, motion), *substitute(slips, table)]
    slopes = [gradient(e, v) for e in rows]
    places = [_on_ground(system, gaps, seed) for seed in range(2)]
    return max((_chosen(evaluate_matrix(slopes, place), len(held), rounding) for place in places), key=sum)


def _on_ground(system: Understood, gaps: Sequence[Expr], seed: int) -> dict[str, float]:
    """A configuration near the start at which every gap is closed, with generic velocities."""
    random = np.random.default_rng(300 + seed)
    names = (*system.parameters, *system.inputs, *system.frame.velocities)
    place = dict(zip((*names, "t"), random.uniform(0.6, 1.6, len(names) + 1).tolist()))
    place |= {n: e for n, e in system.parameters.items() if e is not None}
    place |= {n: float(e) for n, e in sample(system.frame, seed).items()}
    start = {n: float(e) for n, e in system.start.items() if n in system.coordinates}
    place |= {n: e + 1e-2 * float(random.uniform(-1, 1)) for n, e in start.items()}
    x = symbols(system.coordinates)
    residuals = [*gaps, *system.holonomic, *system.frame.relations]
    if not residuals:
        return place
    slopes = jacobian(residuals, x)

    def function(point: Numbers) -> tuple[Numbers, Numbers]:
        here = {**place, **dict(zip(system.coordinates, point.tolist()))}
        return evaluate(residuals, here), evaluate_matrix(slopes, here)

    point, _ = gauss_newton(function, np.array([place[n] for n in system.coordinates]))
    return {**place, **dict(zip(system.coordinates, point.tolist()))} if np.all(np.isfinite(point)) else place


def _chosen(rows: Numbers, held: int, rounding: float) -> list[bool]:
    """The rows after the first ``held`` that are independent of those before them, in order."""
    faint = rounding * float(np.max(np.linalg.norm(rows, axis=1), initial=0.0))
    basis: list[Numbers] = []
    kept: list[bool] = []
    for k, row in enumerate(rows):
        rest = np.array(row, dtype=float)
        for _ in range(2):
            for one in basis:
                rest = rest - (one @ rest) * one
        size, length = float(np.linalg.norm(rest)), float(np.linalg.norm(row))
        new = size > max(DEPENDENT * length, faint)
        if new:
            basis.append(rest / size)
        if k >= held:
            kept.append(new)
    return kept
