"""Program -> other people's languages: one file each, which registers itself."""

from __future__ import annotations

from nonholo.compile.targets.registry import Target, target, targets

__all__ = ["Target", "target", "targets"]
