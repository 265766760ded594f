"""The value of a formula in LaTeX, by a small reader of the constructs that are written; shares no code with the writer."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

FUNCTIONS = {
    r"\sin": math.sin, r"\cos": math.cos, r"\tan": math.tan, r"\arctan": math.atan, r"\arcsin": math.asin,
    r"\arccos": math.acos, r"\sinh": math.sinh, r"\cosh": math.cosh, r"\tanh": math.tanh, r"\ln": math.log,
    r"\cot": lambda x: 1 / math.tan(x), r"\sec": lambda x: 1 / math.cos(x), r"\csc": lambda x: 1 / math.sin(x),
    r"\operatorname{sgn}": lambda x: math.copysign(1.0, x) if x else 0.0, r"\operatorname{arsinh}": math.asinh,
}  # fmt: skip
SEVERAL = {r"\max": max, r"\min": min, r"\mathrm{atan2}": math.atan2}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Reader:
    """Reads one formula from left to right."""

    def __init__(self, latex: str, values: Mapping[str, object]) -> None:
        self.text, self.at, self.values = latex, 0, values
        self.names = sorted(values, key=len, reverse=True)

    def space(self) -> None:
        while self.text.startswith((" ", "\n", r"\,"), self.at):
            self.at += 2 if self.text.startswith(r"\,", self.at) else 1

    def sees(self, *words: str) -> str:
        self.space()
        return next((w for w in words if self.text.startswith(w, self.at)), "")

    def take(self, *words: str) -> str:
        word = self.sees(*words)
        self.at += len(word)
        return word

    def need(self, word: str) -> None:
        assert self.take(word), f"{word} is missing at …{self.text[max(0, self.at - 30) : self.at + 30]}…"

    def group(self) -> float:
        self.need("{")
        value = self.sum()
        if self.take("/"):
            value /= self.sum()
        self.need("}")
        return value

    def sum(self) -> float:
        sign = -1.0 if self.take("-") else 1.0
        total = sign * self.term()
        while word := self.take("+", "-"):
            total += self.term() if word == "+" else -self.term()
        return total

    def term(self) -> float:
        value = self.factor()
        assert value is not None, f"nothing to read at …{self.text[max(0, self.at - 30) : self.at + 30]}…"
        while True:
            dotted = self.take(r"\cdot")
            following = self.factor()
            if following is None:
                assert not dotted
                return value
            value *= following

    def power(self, value: float) -> float:
        return value ** self.group() if self.take("^") else value

    def factor(self) -> float | None:
        self.space()
        if found := NUMBER.match(self.text, self.at):
            self.at = found.end()
            return self.power(float(found[0]))
        if name := self.take(*SEVERAL):
            self.need(r"\left(")
            values = [self.sum()]
            while self.take(","):
                values.append(self.sum())
            self.need(r"\right)")
            return float(SEVERAL[name](*values))
        if name := self.take(*sorted(FUNCTIONS, key=len, reverse=True)):
            power = self.group() if self.take("^") else 1.0
            return FUNCTIONS[name](self.argument()) ** power
        if self.take(r"\frac"):
            above = self.group()
            return above / self.group()
        if self.take(r"\sqrt"):
            index = 2.0
            if self.take("["):
                index = self.sum()
                self.need("]")
            return self.power(self.group() ** (1 / index))
        if self.take(r"\left("):
            value = self.sum()
            self.need(r"\right)")
            return self.power(value)
        if self.take(r"\left|"):
            value = abs(self.sum())
            self.need(r"\right|")
            return self.power(value)
        if self.take(r"\begin{cases}"):
            return self.cases()
        for constant, value in ((r"\mathrm{e}", math.e), (r"\pi", math.pi)):
            if self.take(constant):
                return self.power(value)
        return self.name()

    def name(self) -> float | None:
        name = self.take(*self.names)
        if not name:
            return None
        value = self.values[name]
        return self.power(value() if callable(value) else value)

    def argument(self) -> float:
        """Brackets, a fraction, or a letter, perhaps with a number before it."""
        if self.sees(r"\left(", r"\frac"):
            value = self.factor()
        else:
            self.space()
            number = NUMBER.match(self.text, self.at)
            self.at = number.end() if number else self.at
            value = self.name()
            assert value is not None
            value *= float(number[0]) if number else 1.0
        assert value is not None
        return value

    def cases(self) -> float:
        answer = None
        while not self.take(r"\end{cases}"):
            value = self.sum()
            self.need("&")
            if self.take(r"\text{otherwise}"):
                holds = True
            else:
                self.need(r"\text{for }")
                left = self.sum()
                relation = self.take(r"\leq", "<", "=", r"\neq")
                right = self.sum()
                holds = {r"\leq": left <= right, "<": left < right, "=": left == right, r"\neq": left != right}[
                    relation
                ]
            answer = value if answer is None and holds else answer
            self.take(r"\\")
        assert answer is not None
        return answer


def number(latex: str, values: Mapping[str, object]) -> float:
    """The value of a formula; a value may be a function without arguments, called when it is needed."""
    reader = Reader(latex, values)
    value = reader.sum()
    reader.space()
    assert reader.at == len(latex), f"not read: {latex[reader.at : reader.at + 60]}"
    return value


def side(latex: str, values: Mapping[str, object]) -> np.ndarray | float:
    """A formula, or a product of matrices and the names of matrices."""
    if r"\begin{matrix}" not in latex:
        return number(latex, values)
    total: np.ndarray | None = None
    for part in re.findall(r"\\left\(\\begin\{matrix\}.*?\\end\{matrix\}\\right\)|\S+", latex):
        inside = re.fullmatch(r"\\left\(\\begin\{matrix\}(.*)\\end\{matrix\}\\right\)", part)
        if inside:
            rows = [[number(entry, values) for entry in row.split("&")] for row in inside[1].split(r"\\")]
            matrix = np.array(rows)
        else:
            matrix = np.asarray(values[f"matrix {part}"])
        total = matrix if total is None else total @ matrix
    assert total is not None
    return total
