"""Equations -> Kernel: machine code."""

from __future__ import annotations

from nonholo.compile.kernel import Kernel, compile_equations
from nonholo.program.machine_code import MachineCode, machine_code

__all__ = ["Kernel", "MachineCode", "compile_equations", "machine_code"]
