"""Meanings and units of the names of a machine, as far as its tables tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.record_tables import Record

Word = tuple[str, str]
"""A meaning and a unit."""


def name_words(parts: Assembly) -> dict[str, Word]:
    """Meaning and unit of coordinates, inputs and of parameters that are single values of a table."""
    found: dict[str, Word] = {}
    for name, word in (*_coordinates(parts), *_contact_points(parts), *_wheels(parts), *_forces(parts), *_parameters(parts)):
        found.setdefault(name, word)
    if "g" in parts.parameters:
        found.setdefault("g", ("gravity", "m/s²"))
    return found


def _coordinates(parts: Assembly) -> Iterator[tuple[str, Word]]:
    axes = ("x", "y", "z")
    for name, one in parts.placed.items():
        motion = one.motion
        free = len(motion.lengths) >= 2
        for k, c in enumerate(motion.lengths):
            word = f"{axes[k]} of {name}" if free else f"shift of {name} against {one.parent}"
            yield c, (word, "m")
            yield (
                rate(c),
                (f"velocity of {name} along {axes[k]}" if free else f"speed of {name} against {one.parent}", "m/s"),
            )
        turns = ("heading", "roll", "pitch") if len(motion.angles) == 3 else ("heading",)
        for k, c in enumerate(motion.angles):
            word = f"{turns[k]} of {name}" if free else f"angle of {name} against {one.parent}"
            yield c, (word, "rad")
            yield rate(c), (f"rate of {word}", "rad/s")
        for frame in motion.frames:
            if not frame.plain:
                for k, v in enumerate(frame.velocities):
                    yield v, (f"angular velocity of {name} about its axis {axes[k]}", "rad/s")
        if one.turning:
            yield one.turning, (f"angular velocity of {name}", "rad/s")


def _contact_points(parts: Assembly) -> Iterator[tuple[str, Word]]:
    """Coordinates of contact points on bodies and grounds that are no planes."""
    for one in parts.contacts:
        for name in one.guess or ():
            last = name.rpartition("_")[2]
            yield name, (f"contact point of {one.law.name} ({last})", "rad" if last == "angle" else "m")
            yield rate(name), (f"rate of the contact point of {one.law.name} ({last})", "rad/s" if last == "angle" else "m/s")


def _wheels(parts: Assembly) -> Iterator[tuple[str, Word]]:
    for wheel in parts.wheels:
        name = wheel.contact.law.name
        if wheel.spin is not None:
            yield wheel.spin, (f"angle of wheel {name} about its axle", "rad")
            yield rate(wheel.spin), (f"spin of wheel {name}", "rad/s")
        if wheel.tyre is not None:
            yield wheel.tyre, (f"sideways shift of the contact patch of {name}", "m")
        if wheel.steer is not None:
            yield wheel.steer, (f"{'angle' if wheel.caster else 'steer'} of {name}", "rad")
            yield rate(wheel.steer), (f"rate of the {'angle' if wheel.caster else 'steer'} of {name}", "rad/s")


def _forces(parts: Assembly) -> Iterator[tuple[str, Word]]:
    machine = parts.machine
    for motor in machine.motors:
        for key, unit in (("torque", "N m"), ("voltage", "V"), ("speed", "rad/s")):
            value = getattr(motor, key)
            if isinstance(value, str) and value in parts.inputs:
                yield value, (f"{key} of the motor on {motor.joint}", unit)
    for wheel in machine.wheels:
        if wheel.motor in parts.inputs and wheel.motor is not None:
            yield wheel.motor, (f"torque on wheel {wheel.name}", "N m")
    for load in machine.loads:
        for value in load.force:
            if isinstance(value, str) and value in parts.inputs:
                yield value, (f"force on {load.body}", "N")
        for axis, value in zip("xyz", load.torque if isinstance(load.torque, tuple) else ()):
            if isinstance(value, str) and value in parts.inputs:
                yield value, (f"torque on {load.body} about {axis}", "N m")


UNITS = {
    "mass": "kg", "radius": "m", "tube": "m", "length": "m", "trail": "m", "a": "m", "b": "m", "c": "m", "x": "m", "y": "m",
    "z": "m", "inertia": "kg m²", "friction": "1", "restitution": "1", "resistance": "Ω", "gear": "1", "load": "N",
}  # fmt: skip
"""Units of single values of a table, by key."""
PLACES = ("center", "at", "in_child", "offset")


def _parameters(parts: Assembly) -> Iterator[tuple[str, Word]]:
    machine = parts.machine
    records: list[tuple[str, Record]] = [(body.name, body) for body in machine.bodies]
    records += [(body.name, body.shape) for body in machine.bodies if isinstance(body.shape, Record)]
    records += [(f"joint {j.name or j.child}", j) for j in (*machine.joints, *machine.loops)]
    records += [(f"wheel {w.name or w.body}", w) for w in machine.wheels]
    records += [(f"caster {c.name}", c) for c in machine.casters]
    records += [(f"contact {c.name or c.body}", c) for c in machine.contacts]
    records += [(f"motor on {m.joint}", m) for m in machine.motors]
    for owner, record in records:
        for key, value in vars(record).items():
            yield from _alone(key, value, owner, parts.parameters)
    ground = {
        "slope": ("slope of the ground", "rad"), "sphere": ("radius of the ground", "m"),
        "cone": ("half angle of the cone", "rad"),
        "cylinder": ("radius of the ground", "m"), "turning": ("turning rate of the ground", "rad/s"),
    }  # fmt: skip
    for key, word in ground.items():
        value = getattr(machine.ground, key, None)
        if isinstance(value, str) and value in parts.parameters:
            yield value, word
    for spring in machine.springs:
        turned = spring.joint is not None
        where = f"spring on {spring.joint}" if turned else "spring"
        units = {"stiffness": "N m/rad" if turned else "N/m", "damping": "N m s/rad" if turned else "N s/m"}
        for key, unit in units.items():
            value = getattr(spring, key)
            if isinstance(value, str) and value in parts.parameters:
                yield value, (f"{key} of the {where}", unit)


def _alone(key: str, value: object, owner: str, parameters: tuple[str, ...]) -> Iterator[tuple[str, Word]]:
    listed = enumerate(value) if isinstance(value, tuple) else ((None, value),)
    items: list[tuple[object, object]] = [*(value.items() if isinstance(value, Mapping) else listed)]
    for part, item in items:
        name = item.removeprefix("-").strip() if isinstance(item, str) else ""
        if name not in parameters:
            continue
        if key == "inertia":
            axes = f" about {'xyz'[part]}" if isinstance(part, int) and len(items) > 1 else f" ({part})" if part else ""
            yield name, (f"moment of inertia of {owner}{axes}", "kg m²")
        elif key in PLACES and isinstance(part, int):
            side = f"{'−' if item != name else ''}{'xyz'[part]}"
            yield name, (f"{'centre of mass' if key == 'center' else 'place'} of {owner} (along {side})", "m")
        elif key in UNITS and part is None and item == name:
            yield name, (f"{key} of {owner}", UNITS[key])
