"""Base class for records about one system: they take parameters, start and duration from it."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.model.system import DURATION, System


class AboutSystem:
    """Parameters, start and end of the motion of ``system``: for exhibits of the gallery and subjects of reports."""

    system: System

    @property
    def parameters(self) -> Mapping[str, float]:
        """The values of the system's parameters."""
        return self.system.values

    @property
    def start(self) -> Mapping[str, float]:
        """Where its motion begins."""
        return self.system.start

    @property
    def until(self) -> float:
        """How long its motion is shown, in seconds."""
        return self.system.until if self.system.until is not None else DURATION
