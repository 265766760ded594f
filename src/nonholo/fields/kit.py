"""What this room takes from the rooms of integration, in one place."""

from __future__ import annotations

from nonholo.integrate.advance import Event
from nonholo.integrate.compiled import inner, outer
from nonholo.integrate.methods import dop853_table
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.simulate import simulate
from nonholo.integrate.trajectory import Trajectory

__all__ = ["Event", "Outcome", "Trajectory", "dop853_table", "inner", "outer", "simulate"]
