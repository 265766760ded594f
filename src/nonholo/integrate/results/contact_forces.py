"""Forces, slip and place of every contact along a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.derive.contacts.contact_equations import word
from nonholo.errors import StateError
from nonholo.integrate.contacts.contact_formulation import COLUMNS, ModeKernel
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.results.named_quantities import ReactionProgram, parts_of, reaction_program, reaction_rows
from nonholo.model.contact_reading import own_rows
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import TIME, System, resolve
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    import xarray as xr

FORCES = ("normal", "along", "across", "ratio", "slip", "friction", "gap")
VECTORS = ("point", "force", "normal_direction", "slip_velocity")
MORE = 16
"""Numbers of each contact beside its forces: slips, load, friction, point and axes."""
SHARED = (
    "Contacts that the motion does not tell apart (redundant rows, as the two wheels of an axle) share their forces by the least "
    "sum of squares."
)
_PROGRAMS: WeakCache[ReactionProgram] = WeakCache(64)


def contact_rows(system: System, law: ContactLaw) -> tuple[Expr, ...]:
    """The residuals of a contact in the velocities: the rate of its gap, then its slips."""
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    rate = along([smooth(law.gap, f"{system.name}: gap of {law.name}")], motion) if law.gap is not None else ()
    return (*rate, *resolve(system, law.slip, f"{system.name}: contact {law.name}"))


def contact_columns(kernel: SystemKernel, system: System, rows: Array) -> dict[str, Array]:
    """Arrays (time, contact) of the forces and of the slip speed, and ``point`` (time, contact, 3), with every contact closed.

    With ``R`` the reaction of all constraints, the forces are the least ``λ`` with ``Aᵀ λ = R`` after the other
    constraints have taken their part.
    """
    ready = _PROGRAMS.get(kernel, lambda: _program(kernel, system))
    numbers = reaction_rows(kernel, ready, rows)
    reaction, slopes = parts_of(ready, numbers)
    own = sum(map(len, own_rows(system)))
    rest, held = slopes[:, :own], slopes[:, own:]
    finite = np.all(np.isfinite(slopes), axis=(1, 2)) & np.all(np.isfinite(reaction), axis=1)
    force = np.full((len(rows), held.shape[1]), np.nan)
    if np.any(finite):
        force[finite] = _least(rest[finite], held[finite], reaction[finite])
    return _columns(system, force, numbers[:, numbers.shape[1] - ready.more :])


def _least(rest: Array, held: Array, reaction: Array) -> Array:
    """The least ``λ`` with ``heldᵀ λ + restᵀ μ = reaction`` for some ``μ``, row by row."""
    if rest.shape[1]:
        away = np.eye(rest.shape[2]) - np.linalg.pinv(rest) @ rest
        held, reaction = held @ away, np.einsum("tij,tj->ti", away, reaction)
    return np.einsum("tij,ti->tj", np.linalg.pinv(held), reaction)


def _program(kernel: SystemKernel, system: System) -> ReactionProgram:
    v = symbols(system.velocities)
    constraints, holonomic = own_rows(system)
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    residuals = [*resolve(system, constraints), *along(holonomic, motion)]
    more: list[Expr] = []
    for law in system.contacts:
        residuals += contact_rows(system, law) if law.rolls else contact_rows(system, law)[: law.gap is not None]
        slips = resolve(system, law.slip)
        more += [*slips, *[ZERO] * (2 - len(slips))]
        more += resolve(system, [law.load or ZERO, law.static if law.static is not None else ZERO])
        for vector in (law.point, *law.axes):
            more += resolve(system, vector) or [ZERO] * 3
    return reaction_program(kernel, system, (), tuple(gradient(e, v) for e in residuals), more)


def _columns(system: System, force: Array, more: Array) -> dict[str, Array]:
    laws, held = system.contacts, 0
    wide = more.reshape(len(force), len(laws), MORE)
    numbers = np.zeros((len(force), len(laws), 5))
    numbers[:, :, 3:] = wide[:, :, :2]
    for k, law in enumerate(laws):
        if law.gap is not None:
            numbers[:, k, 0], held = force[:, held], held + 1
        else:
            numbers[:, k, 0] = wide[:, k, 2] if law.load is not None else np.nan
        for i in range(len(law.slip) if law.rolls else 0):
            numbers[:, k, 1 + i], held = force[:, held], held + 1
    found = drawn_columns(laws, numbers, wide[:, :, 3:], [law.static is None for law in laws])
    gap = np.where([law.gap is None for law in laws], np.nan, 0.0)
    words = np.array(["rolling" if law.rolls else "sliding" for law in laws])
    shape = len(force), len(laws)
    return found | {"gap": np.array(np.broadcast_to(gap, shape)), "mode": np.array(np.broadcast_to(words, shape))}


class ContactRecord(Protocol):
    """A motion that knows its contacts."""

    @property
    def times(self) -> Array: ...
    @property
    def contacts(self) -> dict[str, Array]: ...


def contact_data(results: ContactRecord | None, system: System | None) -> xr.Dataset:
    """The forces, slip and place of every contact of a motion as a Dataset (t, contact)."""
    import xarray as xr

    if results is None:
        raise StateError("the motion was read from a file or changed; its contact forces are known where it was computed.")
    columns = results.contacts
    if system is None or not columns:
        raise StateError("the motion has no contacts; give System(contacts=[…]) or [[contacts]] in the system's file.")
    units = {"slip": "m/s", "slip_velocity": "m/s", "point": "m", "gap": "m"}
    units |= dict.fromkeys(("ratio", "friction", "normal_direction"), "1")
    data: dict[str, Any] = {n: (("t", "contact"), columns[n], {"units": units.get(n, "N")}) for n in FORCES}
    data |= {n: (("t", "contact", "axis"), columns[n], {"units": units.get(n, "N")}) for n in VECTORS}
    data["mode"] = (("t", "contact"), columns["mode"], {})
    names = [law.name for law in system.contacts]
    coords = {"t": ("t", results.times, {"units": "s"}), "contact": names, "axis": ["x", "y", "z"]}
    return xr.Dataset(data, coords=coords, attrs={"sharing": SHARED})


def contact_columns_of(kernel: ModeKernel, rows: Array) -> dict[str, Array]:
    """Forces, slip, gap and place of every contact on rows of a path in one mode."""
    found = on_rows(kernel.contact_code, rows).reshape(len(rows), len(kernel.contacts), COLUMNS)
    gap = found[:, :, 5].copy()
    for k, one in enumerate(kernel.contacts):
        if one.gap is None:
            gap[:, k] = np.nan
    modes = [word(one, acting) for one, acting in zip(kernel.contacts, kernel.mode)]
    laws = [one.law for one in kernel.contacts]
    unlimited = [m == "rolling" and not law.slips for m, law in zip(modes, laws)]
    columns = drawn_columns(laws, found[:, :, :5], found[:, :, 6:], unlimited)
    return columns | {"gap": gap, "mode": np.array(np.broadcast_to(np.array(modes), gap.shape))}


def drawn_columns(laws: Sequence[ContactLaw], numbers: Array, place: Array, unlimited: Sequence[bool]) -> dict[str, Array]:
    """Arrays (time, contact[, axis]) from normal force, two tangential forces and two slips, and from friction, point and axes.

    ``unlimited`` are contacts whose friction has no limit now. What a contact does not say is not a number.
    """
    normal, along, across, first, second = (numbers[:, :, i].copy() for i in range(5))
    friction, point, axes = place[:, :, 0].copy(), place[:, :, 1:4].copy(), place[:, :, 4:].reshape(*normal.shape, 3, 3).copy()
    for k, law in enumerate(laws):
        named = law.directions if law.rolls else ()
        if named == ("across",):
            across[:, k], along[:, k], second[:, k], first[:, k] = along[:, k], np.nan, first[:, k], 0.0
        across[:, k] = across[:, k] if "across" in named else np.nan
        along[:, k] = along[:, k] if "along" in named else np.nan
        if not law.point:
            point[:, k] = np.nan
        for i, vector in enumerate(law.axes):
            if not vector:
                axes[:, k, i] = np.nan
        if not law.slip or law.kinetic is None or unlimited[k]:
            friction[:, k] = np.nan if law.slip else 0.0
    parts = np.nan_to_num(along), np.nan_to_num(across)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.hypot(*parts) / normal
    return {
        "normal": normal, "along": along, "across": across, "ratio": ratio, "slip": np.hypot(first, second), "point": point,
        "friction": friction, "normal_direction": axes[:, :, 0],
        "force": _vectors(axes, (normal, *parts)), "slip_velocity": _vectors(axes, (np.zeros_like(normal), first, second)),
    }  # fmt: skip


def _vectors(axes: Array, parts: tuple[Array, ...]) -> Array:
    """The sum of parts along axes; an axis that is not known counts only where there is a part along it."""
    terms = [np.where(part[:, :, None] == 0, 0.0, part[:, :, None] * axes[:, :, i]) for i, part in enumerate(parts)]
    return np.asarray(sum(terms))
