"""Expressions -> Program -> its derivatives, numbers and machine code."""
