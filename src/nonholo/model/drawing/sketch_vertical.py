"""Sketch carts, pendulums and arms that move along a line or in a vertical plane, from their kinetic metric and weight.

``∂L/∂m`` of a point mass is ``|Ṗ|²/2 - g z``: linear in what multiplies the mass. Its weight gives the height ``z = ζ·b`` in
functions ``b`` (lengths, sines and cosines); its metric is ``∇bᵀ C ∇b`` with ``C = ξξᵀ + ζζᵀ``, linear in ``C``, so that least
squares give ``C`` and what is left of it beside the height is the other component ``ξ·b``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.model.drawing.drawing_words import drawing_of
from nonholo.model.drawing.shapes import Body, Drawing, Rotation, Trace
from nonholo.model.drawing.sketch_fit import EXACT, PlaneSamples, plane_samples
from nonholo.model.drawing.sketch_side import spun
from nonholo.model.system import System, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text
from nonholo.program.array_types import Array

COLOURS = ("firebrick", "seagreen", "darkorange", "purple", "slategrey")
MOST = 12
"""At most so many functions make up a place."""


@dataclass(frozen=True)
class Basis:
    """Functions that places are made of: lengths first, then cosine and sine of each angle, then lengths along angles."""

    lengths: tuple[Expr, ...]
    angles: tuple[Expr, ...]
    sliding: bool

    @property
    def functions(self) -> list[Expr]:
        """All of them, in order."""
        waves = [w for a in self.angles for w in (se.cos(a), se.sin(a))]
        return [*self.lengths, *waves, *(s * w for s in self.lengths for w in waves if self.sliding)]

    def share(self, factors: Array, angle: Expr | None) -> Expr:
        """What belongs to one angle, or to the lengths alone."""
        waves = () if angle is None else (se.cos(angle), se.sin(angle))
        chosen = [(f, b) for f, b in zip(factors, self.functions) if abs(f) > 1e-7 and _within(b, angle, waves)]
        return se.Add(*(se.RealDouble(float(np.round(f, 9))) * b if abs(f - 1) > EXACT else b for f, b in chosen))


def _within(function: Expr, angle: Expr | None, waves: Sequence[Expr]) -> bool:
    parts = function.args if isinstance(function, se.Mul) else (function,)
    own = [p for p in parts if isinstance(p, (se.cos, se.sin))]
    return not own if angle is None else any(p in waves for p in own)


@dataclass(frozen=True)
class Mass:
    """A mass by its parameter, with the joints from where it hangs; each a place across and up."""

    name: str
    joints: tuple[tuple[Expr, Expr], ...]
    up: bool
    """Whether its weight says which way is up."""


def vertical(system: System, values: Mapping[str, float], spread: float) -> Drawing | None:
    """Carts, wheels, arms and masses of a system of one length and some angles; None where no mass is found."""
    if not system.frame.plain or system.contacts or system.parametric is not None:
        return None
    found = plane_samples(system, values, "", None)
    waves = {str(s) for h in found.headings for s in h.free_symbols}
    spins = _spins(found, waves)
    masses = [m for p in system.parameters if p != "g" and (m := _mass(found, p, waves, spins)) is not None]
    if not masses:
        return None
    up = any(m.up for m in masses)
    masses.sort(key=lambda m: len(m.joints))
    far = max((found.reach(m.joints[0], m.joints[-1]) for m in masses), default=0.0)
    size = far or max((abs(r) for _, r in spins.values()), default=0.0) * 3 or spread / 8 or 1.0
    lift = {n: abs(r) for n, (_, r) in spins.items()}
    high = max(lift.values(), default=0.07 * size if far and any(_lengths(m) for m in masses) else 0.0)
    slope = next((s for m in masses if (s := _slope(found, m)) is not None), (1.0, 0.0)) if up else (1.0, 0.0)
    shift = (-slope[1] * high, slope[0] * high)

    def at(place: tuple[Expr, Expr]) -> list[str]:
        across, upward = (e + se.RealDouble(s) if s else e for e, s in zip(place, shift))
        return [to_text(across), "0", to_text(upward)] if up or not far else [to_text(across), to_text(upward), "0"]

    shapes: list[dict[str, object]] = []
    bodies: list[Body] = []
    traces: list[Trace] = []
    bases = list(dict.fromkeys(m.joints[0] for m in masses if _lengths(m)))
    for base in bases:
        wheel = next(((n, r) for n, (s, r) in spins.items() if any(s in e.free_symbols for e in base)), None)
        if wheel is not None:
            disc = {"radius": repr(abs(wheel[1])), "width": repr(abs(wheel[1]) / 3)}
            turned = spun(wheel[0] if wheel[1] > 0 else f"-({wheel[0]})", False)
            bodies.append(Body("disc", tuple(at(base)), turned, disc, label=f"wheel {wheel[0]}"))  # type: ignore[arg-type]
        else:
            box = {"x": repr(0.3 * size), "y": repr(0.2 * size), "z": repr(0.14 * size)}
            label = next((m.name for m in masses if m.joints == (base,)), "carriage")
            bodies.append(Body("box", tuple(at(base)), _tilted(slope), box, label=label))  # type: ignore[arg-type]
        label = f"path of {bodies[-1].label}" if len(bases) > 1 else "path"
        traces.append(Trace(tuple(at(base)), label))  # type: ignore[arg-type]
    rods = dict.fromkeys(pair for m in masses for pair in zip(m.joints, m.joints[1:]))
    shapes += [{"shape": "rod", "from": at(one), "to": at(two), "radius": 0.02 * size, "colour": "grey"} for one, two in rods]
    hanging = [m for m in masses if len(m.joints) > 1]
    for k, mass in enumerate(hanging):
        end, colour = at(mass.joints[-1]), COLOURS[k % len(COLOURS)]
        shapes.append({"shape": "ball", "at": end, "radius": 0.07 * size, "colour": colour, "label": mass.name})
        shapes.append({"shape": "path", "at": end, "label": mass.name, "colour": colour})
    made = drawing_of({"shapes": shapes, "ground": "none"}, "sketch") if shapes else Drawing((), (), "none")
    sheet = _sheet(slope, max(spread, 4 * size)) if bases and abs(slope[1]) > EXACT else ()
    floor = not up or (bool(bases) and not sheet)
    return Drawing((*sheet, *bodies, *made.bodies), (*made.traces, *traces), "plane" if floor else "none")


def _lengths(mass: Mass) -> bool:
    return any(e.free_symbols for e in mass.joints[0])


def _spins(found: PlaneSamples, waves: set[str]) -> dict[str, tuple[Expr, float]]:
    """Angles of wheels that roll along a length, ``ẋ = r φ̇``: the length and the radius with its sign."""
    rows, names = constraint_rows(found.system), found.system.coordinates
    result: dict[str, tuple[Expr, float]] = {}
    for row in rows.slopes if rows.linear else ():
        numbers = found.at(list(row))
        moving = [k for k in range(len(names)) if np.max(np.abs(numbers[:, k])) > EXACT]
        if len(moving) != 2 or any(names[k] in waves for k in moving) or np.max(np.ptp(numbers, axis=0)) > EXACT:
            continue
        length, angle = (k for k in (moving if abs(numbers[0, moving[0]]) == 1 else moving[::-1]))
        result[names[angle]] = (symbols([names[length]])[0], float(-numbers[0, angle] / numbers[0, length]))
    return result


def _mass(found: PlaneSamples, name: str, waves: set[str], spins: Mapping[str, object]) -> Mass | None:
    """The place of the mass that a parameter is, if it is one."""
    system = found.system
    (energy,) = resolve(system, [system.lagrangian])
    mass = symbols([name])[0]
    part = energy.diff(mass)
    coordinates = [c for c in system.coordinates if c not in spins]
    rates = symbols(f"{c}dot" for c in coordinates)
    metric = [part.diff(a).diff(b) for a in rates for b in rates]
    free = {str(s) for e in metric for s in e.free_symbols}
    lengths = tuple(s for s in symbols(coordinates) if str(s) not in waves)
    moving = [c for k, c in enumerate(coordinates) if any(e != 0 for e in metric[k * len(rates) : (k + 1) * len(rates)])]
    if mass in part.free_symbols or not moving:
        return None
    if not free & set(system.parameters) and not any(str(s) in moving for s in lengths):
        return None  # an inertia: it has no place
    still = part.xreplace(dict.fromkeys(symbols(f"{c}dot" for c in system.coordinates), ZERO))
    height = -still.diff(symbols(["g"])[0]) if "g" in system.parameters else -still / se.RealDouble(9.81)
    singles = dict.fromkeys(s for h in found.headings for s in sorted(h.free_symbols, key=str))
    sums = [h for h in found.headings if len(h.free_symbols) > 1 and all(h.diff(s) == 1 for s in h.free_symbols)]
    for sliding in (False, True):
        basis = Basis(tuple(s for s in lengths if str(s) in moving), (*singles, *sums), sliding and bool(lengths))
        if len(basis.functions) <= MOST and (components := _components(found, basis, metric, height, coordinates)) is not None:
            across, upward = components
            joints = [(basis.share(across, None), basis.share(upward, None))]
            for angle in basis.angles:
                step = (basis.share(across, angle), basis.share(upward, angle))
                if any(e != 0 for e in step):
                    joints.append((joints[-1][0] + step[0], joints[-1][1] + step[1]))
            return Mass(name, tuple(joints), bool(np.any(np.abs(upward) > EXACT)) and height.free_symbols != set())
    return None


def _components(
    found: PlaneSamples, basis: Basis, metric: Sequence[Expr], height: Expr, coordinates: Sequence[str]
) -> tuple[Array, Array] | None:
    """The factors of the two components of a place, across and up, in the functions of a basis."""
    functions = basis.functions
    if not functions:
        return None
    slopes = found.at([b.diff(s) for b in functions for s in symbols(coordinates)]).reshape(-1, len(functions), len(coordinates))
    pairs = [(i, j) for i in range(len(functions)) for j in range(i, len(functions))]
    outer = np.einsum("nia,njb->nijab", slopes, slopes)
    columns = np.array([(outer[:, i, j] + outer[:, j, i]).ravel() / (1 + (i == j)) for i, j in pairs]).T
    sides = found.at(metric).ravel()
    answer = np.linalg.lstsq(columns, sides, rcond=None)[0]
    if np.max(np.abs(columns @ answer - sides)) > EXACT * (1 + float(np.max(np.abs(sides)))):
        return None
    gram = np.zeros((len(functions), len(functions)))
    for (i, j), e in zip(pairs, answer):
        gram[i, j] = gram[j, i] = e
    rise = np.linalg.lstsq(
        np.vstack([slopes[:, :, a] for a in range(len(coordinates))]),
        np.concatenate([found.at([height.diff(s)])[:, 0] for s in symbols(coordinates)]),
        rcond=None,
    )[0]
    gap = found.at([height])[:, 0] - found.at(functions) @ rise
    upward = np.where(np.abs(rise) > 1e-7, rise, 0.0) if np.ptp(gap) < 1e-7 else np.zeros(len(functions))
    roots, ways = np.linalg.eigh(gram - np.outer(upward, upward))
    parts = [np.sqrt(r) * w for r, w in zip(roots, ways.T) if r > 1e-7][::-1]
    if roots[0] < -1e-7 or len(parts) > (1 if np.any(upward) else 2):
        return None
    if np.any(upward):
        across = parts[0] if parts else np.zeros(len(functions))
        first = across[np.flatnonzero(np.abs(across) > 1e-7)[:1]]
        return (across if not len(first) or first[0] > 0 else -across), upward
    if len(parts) == 1:
        return parts[0] * (1 if parts[0][np.flatnonzero(np.abs(parts[0]) > 1e-7)[0]] > 0 else -1), np.zeros(len(functions))
    both = np.array(parts)  # without weight the plane has no direction: the first function is along x
    lead = int(np.flatnonzero(np.linalg.norm(both, axis=0) > 1e-7)[0])
    along = both[:, lead] / np.linalg.norm(both[:, lead])
    x, y = along @ both, np.array([-along[1], along[0]]) @ both
    return x, y * (1 if y[np.flatnonzero(np.abs(y) > 1e-7)[0]] > 0 else -1)


def _slope(found: PlaneSamples, mass: Mass) -> tuple[float, float] | None:
    """Which way a step along the length of a mass leads, across and up."""
    base = mass.joints[0]
    names = [s for s in symbols(found.system.coordinates) if any(s in e.free_symbols for e in base)]
    if len(names) != 1:
        return None
    across, upward = (float(e.diff(names[0])) if (e.diff(names[0])).is_Number else np.nan for e in base)
    size = float(np.hypot(across, upward))
    return (across / size, upward / size) if np.isfinite(size) and size > EXACT else None


def _tilted(slope: tuple[float, float]) -> Rotation:
    c, s = map(repr, slope)
    return ((c, "0", f"-({s})"), ("0", "1", "0"), (s, "0", c))


def _sheet(slope: tuple[float, float], spread: float) -> tuple[Body, ...]:
    size = {"s0": repr(-spread), "s1": repr(spread), "r0": repr(-spread / 2), "r1": repr(spread / 2)}
    return (Body("surface", rotation=_tilted(slope), size=size, points=("s", "r", "0"), colour="wheat", label="slope"),)
