"""Certificates of brackets: fields or equations, words of brackets, and states modulo a prime, for a program without ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nonholo.algebra.calculus import ZERO, substitute, symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.rational_reconstruction import decimal_fraction
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.control_affine import ControlAffine, control_affine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.field_jets import fraction_near
from nonholo.control.reachability.generic_accessibility import Generic, generic_test
from nonholo.control.reachability.group_directions import generators
from nonholo.finding import Finding
from nonholo.geometry.distributions.lie_words import Growth
from nonholo.model.specialise import angles_apart, specialised, with_fractions
from nonholo.model.system import System, known_parameters
from nonholo.notation.parse import parse
from nonholo.symmetry.certificate.certificate_record import Certificate, certifies, made
from nonholo.symmetry.certificate.stated_system import Stated, stated_motion, without_forces

STATES = 2
KINDS = (
    told.Accessible, told.FibreControllable, told.Leaves, told.LinearlyControllable, told.LocallyControllable,
    told.NonintegrabilitySuffices, told.SmoothStabiliser, told.Stabilisable,
)  # fmt: skip


@certifies(*KINDS)
def bracket_certificate(system: System, finding: Finding, parameters: Mapping[str, float] | None) -> Certificate | None:
    """What `controllability` proves at almost every state; all but accessibility is about speeds as inputs."""
    system, data = with_fractions(system), finding.data
    values = known_parameters(system, parameters)
    for kinematic in (None, True) if isinstance(data, told.Accessible) else (True,):
        control = control_affine(system, kinematic)
        generic = generic_test(control, values)
        if not isinstance(data, told.Accessible) or generic.dimension == data.dimension:
            break
    if getattr(data, "where", Where.GENERIC) is not Where.GENERIC or not control.certified or generic.growth is None:
        return None
    whole = angles_apart(specialised(without_forces(system) if control.by_speeds else system, values))
    known = {n: fraction_near(v) for n, v in values.items() if n in whole.parameters}  # those of the frame
    numbers = {symbol(n): decimal_fraction(v) for n, v in values.items() if n not in known}
    stated = Stated(stated_motion(whole), idle=control.by_speeds, values=FrozenMap(known), kinematic=control.by_speeds)
    table, names = _fields(stated, control)
    words = _renumbered(generic.growth, list(map(str, control.inputs)), names)
    table |= {"dimension": generic.dimension, "driftless": control.driftless}
    match data:
        case told.LinearlyControllable() | told.SmoothStabiliser() | told.Stabilisable():
            return made(stated, finding, "fewer_inputs", table | {"rank": len(names)}, STATES)
        case told.FibreControllable():
            group = [substitute(field, numbers) for field in generators(control).values()]
            table |= {"fields": [stated.texts(field) for field in group], "reached": data.reached}
    table |= {"growth": list(generic.growth.dimensions), "words": words}
    functions = data.functions if isinstance(data, told.Leaves) else ()
    names = [*system.coordinates, *system.parameters]
    table["integrals"] = stated.texts(substitute([parse(e, names, e) for e in functions], numbers))
    kind = "brackets_of_group" if isinstance(data, told.FibreControllable) else _kind(generic)
    return made(stated, finding, kind, table, STATES)


def _kind(generic: Generic) -> str:
    return "brackets_span" if generic.accessible else "brackets_close"


def _fields(stated: Stated, control: ControlAffine) -> tuple[dict[str, object], list[str]]:
    """The fields in the frame, where inputs are speeds, and the names of the inputs."""
    if not control.by_speeds:
        return {"reading": "dynamic", "components": []}, list(stated.driven)
    allowed = stated.motion.allowed
    still = substitute(allowed.velocity, dict.fromkeys(allowed.speeds, ZERO))
    fields = [still, *([e.diff(s) for e in allowed.velocity] for s in allowed.speeds)]
    return {"reading": "kinematic", "components": [stated.texts(f) for f in fields]}, list(map(str, allowed.speeds))


def _renumbered(growth: Growth, old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """The words with the fields in the certificate's order."""
    place = {0: 0, **{k: 1 + new.index(n) for k, n in enumerate(old, 1)}}
    return [[place[k] for k in word] for word in growth.basis]


