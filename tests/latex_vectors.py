"""Vector equations in LaTeX, read as numbers along a motion; shares no code with the writer."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from tests.latex_numbers import Reader, number

STEP = 1e-6
VECTOR = re.compile(r"\\boldsymbol\{(?:[^{}]|\{[^{}]*\})*\}(?:_\{[^{}]*\})?")
MATRIX = re.compile(r"\\mathbf\{[^{}]*\}|\\Theta")
REACTION = re.compile(r"\\lambda(?:_\{\d+\})?")
SLOPE = re.compile(r"\\frac\{\\partial (\w)\}\{\\partial (\\boldsymbol\{\\\w+\})\}")


def is_vector_row(left: str, right: str) -> bool:
    return r"\boldsymbol" in left + right or r"\mathbf" in left


class Instant(Reader):
    """A formula of vectors at one instant; letters that have a row of their own are read there."""

    def __init__(self, latex: str, world: World, at: float) -> None:
        super().__init__(latex, world.scalars(at))
        self.world, self.moment = world, at

    def term(self):
        value = self.factor()
        assert value is not None, f"nothing to read at …{self.text[max(0, self.at - 30) : self.at + 30]}…"
        while True:
            sign = self.take(r"\times", r"\cdot")
            following = self.factor()
            if following is None:
                assert not sign
                return value
            if sign == r"\times":
                value = np.cross(value, following)
            elif np.ndim(value) == 2 or (sign and np.ndim(value) == 1):
                value = value @ following
            else:
                value = value * following

    def factor(self):
        self.space()
        if self.take(r"\dot{"):
            if not self.text.startswith(r"\boldsymbol", self.at):
                self.at -= len(r"\dot{")
                return super().factor()
            name = self.matched(VECTOR)
            self.need("}")
            early, late = (self.world.vector(name, self.moment + s * STEP) for s in (-1, 1))
            return (late - early) / (2 * STEP)
        for pattern in (VECTOR, MATRIX):
            if name := self.matched(pattern):
                return self.world.vector(name, self.moment)
        if found := SLOPE.match(self.text, self.at):
            self.at = found.end()
            return self.world.slope(found[1], found[2], self.moment)
        if found := re.compile(r"([A-Z])(\^\{\\top\})?(?= \\boldsymbol)").match(self.text, self.at):
            self.at = found.end()
            matrix = self.world.rotation(found[1], self.moment)
            return matrix.T if found[2] else matrix
        if self.matched(REACTION):
            return self.world.reaction
        if self.take(r"\operatorname{diag}"):
            return np.diag(self.factor())
        if self.take(r"\left(\begin{matrix}"):
            rows = [[self.sum()]]
            while word := self.take("&", r"\\"):
                if word == "&":
                    rows[-1].append(self.sum())
                else:
                    rows.append([self.sum()])
            self.need(r"\end{matrix}\right)")
            return np.array(rows)
        if self.take(r"\left("):
            values = [self.sum()]
            while self.take(","):
                self.take(r"\;")
                values.append(self.sum())
            self.need(r"\right)")
            return self.power(values[0]) if len(values) == 1 else np.array(values)
        return super().factor()

    def matched(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""


class World:
    """Values of all names and their rates, and the rows that say what letters mean."""

    def __init__(self, values: Mapping[str, float], spelling, rows: list[tuple[str, str]]) -> None:
        self.values, self.spelling = values, spelling
        letters = [(left, right) for left, right in rows if VECTOR.fullmatch(left) or MATRIX.fullmatch(left)]
        self.meant = {left: right.split(r",\qquad ")[0] for left, right in letters}
        self.potential = dict(rows)
        self.reaction = 0.0

    def moved(self, at: float) -> dict[str, float]:
        """Every name at an instant, by its rate; the rates themselves stay."""
        return {n: v + at * self.values.get(f"{n}dot", 0.0) for n, v in self.values.items()}

    def scalars(self, at: float) -> dict[str, float]:
        return {self.spelling.name(n): v for n, v in self.moved(at).items()}

    def rotation(self, letter: str, at: float) -> np.ndarray:
        values = self.moved(at)
        return np.array([[values[f"{letter}{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])

    def vector(self, name: str, at: float):
        if name in self.meant:
            return self.read(self.meant[name], at)
        if unit := re.fullmatch(r"\\boldsymbol\{e\}_\{(\d)\}", name):
            return np.eye(3)[int(unit[1]) - 1]
        letter = re.fullmatch(r"\\boldsymbol\{(.*)\}|\\mathbf\{(.*)\}", name)
        assert letter, name
        table = self.scalars(at)
        return np.array([table[f"{letter[1] or letter[2]}_{{{k}}}"] for k in (1, 2, 3)])

    def slope(self, potential: str, axis: str, at: float):
        letter = re.fullmatch(r"\\boldsymbol\{(.*)\}", axis)[1]
        table = self.scalars(at)
        found = []
        for k in (1, 2, 3):
            name = f"{letter}_{{{k}}}"
            up, down = ({**table, name: table[name] + s * STEP} for s in (1, -1))
            text = self.potential[potential]
            found.append((number(text, up) - number(text, down)) / (2 * STEP))
        return np.array(found)

    def read(self, latex: str, at: float = 0.0):
        reader = Instant(latex, self, at)
        value = reader.sum()
        reader.space()
        assert reader.at == len(latex), f"not read: {latex[reader.at : reader.at + 60]}"
        return value


def holds(left: str, right: str, world: World) -> bool:
    """Whether a row of vectors holds, whatever the reactions; a row that says what a letter means holds when it can be read."""
    if left in world.meant and not re.search(r"[A-Z](\^\{\\top\})? \\boldsymbol", right):
        world.read(right)
        return True
    told = right.split(r",\qquad ")
    pairs = [(left, told[0]), *(tuple(part.split(" = ")) for part in told[1:])]
    for one, two in pairs:
        axis = re.fullmatch(r"\\boldsymbol\{(.*)\}", one) if one in world.meant else None
        if axis:  # the definition of an axis, against the entries themselves
            table = world.scalars(0.0)
            first = np.array([table[f"{axis[1]}_{{{k}}}"] for k in (1, 2, 3)])
        else:
            first = world.read(one)
        second = world.read(two)
        gap = np.asarray(first) - np.asarray(second)
        directions = []
        for reaction in sorted(set(REACTION.findall(two))):
            alone = re.sub(REACTION, lambda m, r=reaction: "1" if m[0] == r else "0", two)
            none = re.sub(REACTION, "0", two)
            directions.append(world.read(alone) - world.read(none))
        if directions:
            columns = np.array(directions).T
            gap = gap - columns @ np.linalg.lstsq(columns, gap, rcond=None)[0]
        if not np.allclose(gap, 0, atol=1e-6 * (1 + np.abs(first).max() + np.abs(second).max())):
            return False
    return True
