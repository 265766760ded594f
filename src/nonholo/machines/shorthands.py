"""Spell out the short forms of a machine: joints, wheels and contacts in a body's own line, chains of copies, pairs of wheels.

    bodies = [{name = "link", copies = 8, mass = 1, inertia = 0.1, wheel = {}, joint = {name = "phi", at = [-0.4, 0]}}]
    wheels = [{pair = "left right", at = [0, 0.3], radius = 0.1, motor = "tl tr"}]

are eight bodies ``link 1`` to ``link 8``, joined by hinges ``phi1`` to ``phi7``, with a wheel each; and two wheels on both sides
of the only body. What is spelled out is what a machine holds, and what is written to files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonholo.errors import ModelError, about
from nonholo.machines.machine_records import Body, Caster, Contact, Joint, Motor, Spring, Wheel
from nonholo.machines.record_tables import Record, record_of

Parts = dict[str, tuple[Any, ...]]
MOST = 1000
"""Copies of a body."""


def spelled_out(parts: Mapping[str, tuple[Any, ...]], machine: str) -> Parts:
    """The records of a machine by their keys, without short forms."""
    found: Parts = dict(parts)
    bodies: list[Body] = []
    joints: list[Joint] = list(parts["joints"])
    wheels: list[Wheel] = list(parts["wheels"])
    contacts: list[Contact] = list(parts["contacts"])
    for body in parts["bodies"]:
        where = f"{machine}: body {body.name!r}"
        with about("bodies", body.name):
            chain = _copies(body, where)
            bodies += chain
            joints += _joints(body, chain, where)
            for one in chain:
                wheels += _own(Wheel, body.wheel, one, len(chain), f"{where}: wheel")
                contacts += _own(Contact, body.contact, one, len(chain), f"{where}: contact")
    only = bodies[0].name if len(bodies) == 1 else ""
    found["bodies"] = tuple(bodies)
    found["joints"] = tuple(replace(joint, motor=None, stiffness=0, damping=0) for joint in joints)
    found["wheels"] = tuple(one for wheel in wheels for one in _pair(_on(wheel, only), machine))
    found["casters"] = tuple(one for caster in parts["casters"] for one in _pair(_on(caster, only), machine))
    found["contacts"] = tuple(_on(contact, only) for contact in contacts)
    driven = [joint for joint in joints if joint.motor is not None]
    sprung = [joint for joint in joints if joint.stiffness != 0 or joint.damping != 0]
    for joint in (*driven, *sprung):
        if not joint.name:
            raise ModelError(f"{machine}: the joint of {joint.child!r} has a motor or spring; give it a name.")
    turned = ((name, torque) for joint in driven for name, torque in _driven(joint, machine))
    found["motors"] = (*parts["motors"], *(Motor(name, torque=torque) for name, torque in turned))
    more = ((name, joint) for joint in sprung for name in joint.name.split())
    springs = (Spring(joint=name, stiffness=joint.stiffness, damping=joint.damping) for name, joint in more)
    found["springs"] = (*parts["springs"], *springs)
    return found


def _driven(joint: Joint, machine: str) -> list[tuple[str, Any]]:
    """Each coordinate of a joint with its torque; a joint with several has as many torques, ``motor = "t1 t2"``."""
    names = joint.name.split()
    if len(names) == 1:
        return [(joint.name, joint.motor)]
    torques = joint.motor.split() if isinstance(joint.motor, str) else []
    if len(torques) != len(names):
        asked = f"the joint has the coordinates {', '.join(names)} and needs a torque for each"
        said = f"{machine}: joint {joint.name!r}: motor = {joint.motor!r}"
        raise ModelError(f'{said}; {asked}: motor = "t1 t2".', key=("joints", joint.name))
    return list(zip(names, torques))


def _copies(body: Body, where: str) -> list[Body]:
    """The body, or a chain of bodies with numbers behind their name."""
    plain = replace(body, joint=None, wheel=None, contact=None, copies=None)
    if body.copies is None:
        return [plain]
    if not isinstance(body.copies, int) or isinstance(body.copies, bool) or not 1 <= body.copies <= MOST:
        raise ModelError(f"{where}: copies = {body.copies!r}; give a whole number from 1 to {MOST}.")
    if body.copies > 1 and body.joint is None:
        raise ModelError(f"{where}: copies hang on each other by joints; give joint = {{name = …, at = […], in_child = […]}}.")
    held = isinstance(body.joint, Mapping) and "parent" in body.joint
    first = replace(plain, name=f"{body.name} 1", free=None if held else body.free)
    return [first, *(replace(plain, name=f"{body.name} {k}", free=None) for k in range(2, body.copies + 1))]


def _joints(body: Body, chain: Sequence[Body], where: str) -> list[Joint]:
    """The joint of a body, or those of a chain: the first of it is free unless the joint has a parent."""
    if body.joint is None:
        return []
    given = record_of(Joint, body.joint, f"{where}: joint")
    if given.child not in ("", body.name):
        raise ModelError(f"{where}: joint: child = {given.child!r}; the joint of a body moves that body, leave child out.")
    if body.copies is None:
        return [replace(given, child=body.name)]
    before = [given.parent] if "parent" in body.joint else []
    before += [one.name for one in chain[:-1]]
    return [
        replace(given, name=" ".join(f"{name}{k + 1}" for name in given.name.split()), parent=parent, child=child.name)
        for k, (parent, child) in enumerate(zip(before, chain[len(chain) - len(before) :]))
    ]


def _own(kind: type[Any], given: object, body: Body, count: int, where: str) -> list[Any]:
    """The wheels or contacts that a body gives itself; in a chain their names get its number."""
    if given is None:
        return []
    tables = [given] if isinstance(given, (Mapping, Record)) else given
    if isinstance(tables, str) or not isinstance(tables, Sequence):
        raise ModelError(f"{where}: found {given!r} where a table or a list of tables was needed, e.g. {{}}.")
    found = [record_of(kind, table, where) for table in tables]
    number = body.name.rpartition(" ")[2] if count > 1 else ""
    return [replace(one, body=one.body or body.name, name=f"{one.name}{number}" if one.name else "") for one in found]


def _on(one: Any, only: str) -> Any:
    """A wheel or contact that names no body is on the only one."""
    return one if one.body or not only else replace(one, body=only)


def _pair(one: Wheel | Caster, machine: str) -> list[Wheel | Caster]:
    """A wheel and its mirror image across the body's x-axis."""
    if one.pair is None:
        return [one]
    where = f"{machine}: {one.TITLE} pair {one.pair!r}"
    names = one.pair.split() if isinstance(one.pair, str) else []
    if len(names) != 2 or one.name:
        raise ModelError(f'{where}: give two names and no other, pair = "left right".')
    first = replace(one, pair=None, name=names[0])
    place = (one.at[0], mirrored(one.at[1])) if len(one.at) == 2 else one.at
    if place == one.at:
        raise ModelError(f"{where}: at = {list(one.at)!r} is its own mirror image; give at = [x, y] with y of the first one.")
    second = replace(one, pair=None, name=names[1], at=place)
    if not isinstance(first, Wheel) or not isinstance(second, Wheel):
        return [first, second]
    if first.motor is not None:
        motors = first.motor.split()
        if len(motors) != 2:
            raise ModelError(f'{where}: motor = {first.motor!r}; a pair has two, motor = "tl tr".')
        first, second = replace(first, motor=motors[0]), replace(second, motor=motors[1])
    if first.roller is not None:
        second = replace(second, roller=mirrored(first.roller))
    if first.steer is not None or first.law is not None:
        raise ModelError(f"{where}: wheels that are steered are written one by one; leave out pair.")
    return [first, second]


def mirrored(value: Any) -> Any:
    """The opposite of a number or formula.

    >>> mirrored("b"), mirrored("-b"), mirrored("a + b"), mirrored(0.5)
    ('-b', 'b', '-(a + b)', -0.5)
    """
    if not isinstance(value, str):
        return -value if value != 0 else value
    text = value.strip()
    if text.startswith("-") and text[1:].isidentifier():
        return text[1:]
    return f"-{text}" if text.isidentifier() else f"-({text})"
