"""Equations -> Kernel: machine code, its derivatives, and other people's languages."""

from __future__ import annotations

from nonholo.compile.kernel import Kernel, compile_equations
from nonholo.compile.rates_jacobian import RatesJacobian, jacobian_code, rates_jacobian
from nonholo.program.machine_code import MachineCode, machine_code

__all__ = [
    "Kernel", "MachineCode", "RatesJacobian", "compile_equations", "jacobian_code", "machine_code", "rates_jacobian",
]  # fmt: skip
