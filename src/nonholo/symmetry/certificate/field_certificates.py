"""Certificates of Lie algebras and of Noether's conditions on a vector field."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.finding import FieldInside, FieldPreserves, Finding, Unimodular
from nonholo.model.specialise import angles_apart
from nonholo.model.system import System
from nonholo.notation.parse import parse
from nonholo.symmetry.certificate.certificate_record import Certificate, certifies, made
from nonholo.symmetry.certificate.stated_system import Stated, stated_motion, without_forces
from nonholo.symmetry.integrals.conserved_quantity import with_laws

STATES = 4


@certifies(Unimodular)
def _algebra(system: System, finding: Finding, parameters: Mapping[str, float] | None) -> Certificate:
    stated = Stated(stated_motion(without_forces(system)), kinematic=True)
    return made(stated, finding, "unimodular" if finding else "not_unimodular", {}, STATES)


@certifies(FieldInside, FieldPreserves)
def _field(system: System, finding: Finding, parameters: Mapping[str, float] | None) -> Certificate | None:
    """σ in the frame, with admissible states, and others where it leaves the Lagrangian as it is at any velocity."""
    data = finding.data
    assert isinstance(data, (FieldInside, FieldPreserves))
    whole = angles_apart(with_laws(system))
    stated = Stated(stated_motion(without_forces(whole)), kinematic=True, energy=lagrangian_in_frame(whole))
    names = [*stated.system.coordinates, *stated.system.parameters, *system.parameters]
    table: dict[str, object] = {"components": [stated.texts([parse(e, names, e) for e in data.field])]}
    if isinstance(data, FieldInside):
        return made(stated, finding, "field_inside", table, STATES)
    admissible, loose = (0, STATES) if data.fully else (STATES, 1)
    table |= {"fully": data.fully, "unconstrained": list(range(admissible, admissible + loose))}
    return made(stated, finding, "field_preserves", table, admissible, loose=loose)
