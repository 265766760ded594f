"""Imports of this room from `integrate`, in one place."""

from __future__ import annotations

from nonholo.integrate.methods import dop853_table
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome

__all__ = ["Event", "Outcome", "Trajectory", "dop853_table", "simulate"]
