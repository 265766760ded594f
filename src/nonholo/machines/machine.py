"""The record of a machine; printed, it is a summary of its model."""

from __future__ import annotations

from dataclasses import dataclass

from nonholo.machines.machine_data import MachineData


@dataclass(frozen=True)
class Machine(MachineData):
    """Bodies, joints, wheels and contacts: another way to say a System, made by `nonholo.machines.machine_system.assemble`.

    Fields are the tables of a file with ``[[bodies]]`` (``docs/bodies-and-wheels.md``); records and plain tables are accepted.

    >>> from nonholo.machines.machine_records import Body, Wheel
    >>> cart = Machine(world="plane", bodies=[Body("cart", mass=2, inertia=0.3, free="x y theta")], wheels=[Wheel("cart")])
    >>> cart.bodies[0].mass, cart.wheels[0].at
    (2, (0, 0))
    """

    def __str__(self) -> str:
        """What was understood: masses, contacts, degrees of freedom, redundant contacts, warnings."""
        from nonholo.machines.summary.machine_summary import machine_summary

        return machine_summary(self)
