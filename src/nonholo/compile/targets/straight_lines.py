"""Straight-line code of a program in languages that write ``v3 = v1 * v2``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nonholo.compile.targets.registry import inexpressible
from nonholo.program.llvm_jit import ordered
from nonholo.program.program import Program

SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
ORDER = {"oeq": "==", "une": "!=", "ole": "<=", "olt": "<", "oge": ">=", "ogt": ">"}


@dataclass(frozen=True)
class Language:
    """How one language writes numbers, inputs, functions, choices and definitions."""

    title: str
    number: Callable[[float], str]
    functions: Mapping[str, str]
    """The C library's name -> the language's."""
    choose: str
    """A template with test, yes and no."""
    define: Callable[[str, str, bool], str]
    """(name, expression, whether it is a condition) -> a line."""


def lines(
    program: Program, outputs: Sequence[int], inputs: Callable[[int], str], language: Language, where: str
) -> tuple[list[str], list[str]]:
    """The definitions that outputs need, and the outputs as expressions of them."""

    def name(i: int) -> str:
        value = program.value(i)
        return f"v{i}" if value is None else language.number(value)

    def written() -> Iterator[str]:
        for i in ordered(program, outputs, {}):
            kind, of, detail = program.operations[i]
            args = [name(j) for j in of]
            if kind == "input":
                text = inputs(int(detail))
            elif kind in SIGNS:
                text = f"{args[0]} {SIGNS[kind]} {args[1]}"
            elif kind == "negate":
                text = f"-{args[0]}"
            elif kind == "compare":
                text = f"{args[0]} {ORDER[str(detail)]} {args[1]}"
            elif kind == "choose":
                text = language.choose.format(test=args[0], yes=args[1], no=args[2])
            else:
                function = str(detail) if kind == "call" else kind
                if function not in language.functions:
                    raise inexpressible(where, language.title, function)
                text = f"{language.functions[function]}({', '.join(args)})"
            yield language.define(f"v{i}", text, kind == "compare")

    return list(written()), [name(i) for i in outputs]
