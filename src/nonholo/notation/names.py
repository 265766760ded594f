"""Spelling and order of names in written formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby

from nonholo.algebra.frozen_map import FrozenMap

PARAMETER, COORDINATE, SPEED, INPUT = range(4)
"""What a name stands for, in the order in which the factors of a product are written."""
Place = tuple[int, int, tuple[tuple[int, int, str], ...]]
"""Where a name stands in products and sums: what it is, its place in the declaration, its spelling."""

GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
})  # fmt: skip
_SPELLINGS = {
    "lam": "lambda", "vartheta": "vartheta", "varphi": "varphi", "eps": "epsilon", "ell": "ell", "th": "theta",
    "ph": "phi", "om": "omega",
}  # fmt: skip


def latex_name(name: str, rates: Collection[str] = ()) -> str:
    """A name as a person writes it; ``…dot`` and ``…ddot`` become dots only for the names in ``rates``.

    Two letters are a letter and its index, longer words stand upright; words after each other are one name or index.

    >>> print(latex_name("theta"), latex_name("thetadot", ["thetadot"]), latex_name("R11"), latex_name("polkadot"))
    \\theta \\dot{\\theta} R_{11} \\mathrm{polkadot}
    >>> print(latex_name("Jw"), latex_name("v_x"), latex_name("nu"), latex_name("torque_r"), latex_name("xy_radius"))
    J_{w} v_{x} \\nu \\mathrm{torque}_{r} r_{xy}
    >>> print(latex_name("left_wheel_x"), latex_name("m_left_wheel"), latex_name("R_lower12"))
    \\mathrm{left\\ wheel}_{x} m_{\\mathrm{left\\ wheel}} R_{\\mathrm{lower},12}
    """
    name, accent = undotted(name, rates) if name in rates else (name, "")
    head, _, index = name.strip("_").partition("_")
    if index == "radius":
        head, index = "r", head
    digits = re.fullmatch(r"(.*?)(\d+)", head)
    if digits and digits[1]:
        head, index = digits[1], digits[2] + (f",{index}" if index else "")
    if len(head) == 2 and head.isalpha() and not _is_letter(head):
        head, index = head[0], head[1] + (f",{index}" if index else "")
    index = re.sub(r"(?<=[^\W\d_]{3})(?=\d)", ",", index)
    head, *parts = _joined([head, *(part for part in re.split("[_,]+", index) if part)])
    indices = ",".join(_letters(part, False) for part in parts)
    letters = _letters(head, True) if head else r"\_"
    letters = f"\\{accent}{{{letters}}}" if accent else letters
    return letters + (f"_{{{indices}}}" if indices else "")


def undotted(name: str, known: Collection[str] = ()) -> tuple[str, str]:
    """What a name is the rate of, with ``dot`` or ``ddot``: the rate of a word that ends in d has one dot.

    >>> undotted("thetaddot"), undotted("forwarddot"), undotted("rollddot", ["rolldot"])
    (('theta', 'ddot'), ('forward', 'dot'), ('roll', 'ddot'))
    >>> undotted("noddot"), undotted("thddot")
    (('nod', 'dot'), ('th', 'ddot'))
    """
    dots = re.fullmatch(r"(.+?)(d?dot)", name)
    if dots is None:
        return name, ""
    word = re.sub(r"[\d_]", "", dots[1])
    spoken = len(word) > 2 or (len(word) == 2 and re.search("[aeiou]", word) is not None)
    twice = dots[2] == "ddot" and f"{dots[1]}dot" not in known and spoken
    return (name[:-3], "dot") if twice and not _is_letter(re.sub(r"[\d_].*", "", dots[1])) else (dots[1], dots[2])


def _is_letter(word: str) -> bool:
    return word in GREEK or word in _SPELLINGS


def _joined(parts: Sequence[str]) -> list[str]:
    """The parts of a name, words that follow each other as one, with a space between."""
    return [part for word, run in groupby(parts, _is_word) for part in ([" ".join(run)] if word else run)]


def _is_word(part: str) -> bool:
    return len(part) > 2 and part.isalpha() and not _is_letter(part)


def _letters(word: str, alone: bool) -> str:
    if len(word) == 1 and not word.isascii():
        case, _, letter = unicodedata.name(word, "").removeprefix("GREEK ").partition(" LETTER ")
        word = {"SMALL": letter.lower(), "CAPITAL": letter.capitalize()}.get(case, word)
        word = {"lamda": "lambda", "Lamda": "Lambda"}.get(word, word)
    word = _SPELLINGS.get(word, word)
    if word in GREEK or word in _SPELLINGS.values():
        return f"\\{word}"
    upright = (alone and len(word) > 1) or (len(word) > 2 and word.replace(" ", "").isalpha())
    return "\\mathrm{" + word.replace(" ", r"\ ") + "}" if upright else word


@dataclass(frozen=True)
class Notation:
    """How the names of one system are written, and in which order; no two of them alike. Made by `notation`."""

    names: FrozenMap[str, str] = field(default_factory=FrozenMap)
    places: FrozenMap[str, tuple[int, int]] = field(default_factory=FrozenMap)
    rotations: tuple[str, ...] = ()
    """Letters R of rotation matrices with the entries R11, …, R33."""

    def name(self, name: str) -> str:
        """The name in LaTeX."""
        return self.names.get(name) or latex_name(name)

    def place(self, name: str) -> Place:
        """Declared names as declared; others, masses first, before all of them or, if parameters were declared, after."""
        role, index = self.places.get(name, (PARAMETER, -1))
        if index == -1 and any(r == PARAMETER for r, _ in self.places.values()):
            role, index = COORDINATE, len(self.places)
        heavy = 0 if name[0] in "mM" else 1
        return role, index, ((heavy, 0, ""), *natural(name))

    def with_constants(self, names: Iterable[str]) -> Notation:
        """The same with these names of constants after the declared parameters, before all that moves.

        >>> import symengine as se
        >>> from nonholo.notation.latex import to_latex
        >>> own = notation(parameters=["m"], coordinates=["theta"])
        >>> print(to_latex(se.cos(se.Symbol("k") * se.Symbol("theta")), spelling=own.with_constants(["k"])))
        \\cos \\left(k \\theta\\right)
        """
        last = sum(role == PARAMETER for role, _ in self.places.values())
        fresh = [name for name in names if name not in self.places]
        return replace(self, places=FrozenMap({**self.places, **{n: (PARAMETER, last + k) for k, n in enumerate(fresh)}}))


@lru_cache(maxsize=4096)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts ``k2`` before ``k10``, and small before capital letters.

    >>> sorted(["k10", "k2", "J", "a"], key=natural)
    ['a', 'J', 'k2', 'k10']
    """
    parts = re.findall(r"\d+|\D+", name)
    folded = [(0, int(p), "") if p.isdigit() else (1, 0, p.lower()) for p in parts]
    return (*folded, (2, 0, name.swapcase()))


def notation(
    parameters: Sequence[str] = (),
    coordinates: Sequence[str] = (),
    speeds: Sequence[str] = (),
    inputs: Sequence[str] = (),
    rates: Iterable[str] = (),
    rotations: Iterable[str] = (),
) -> Notation:
    """The notation for these names; those in ``rates`` (``xdot``, ``xddot``) are written with dots.

    A name that would look like an earlier one is written as an upright word.

    >>> spelt = notation(parameters=["Jw", "J_w"], coordinates=["x"], rates=["xdot"])
    >>> print(spelt.name("Jw"), spelt.name("J_w"), spelt.name("xdot"))
    J_{w} \\mathrm{J\\_w} \\dot{x}
    """
    dotted = tuple(dict.fromkeys(rates))
    bases = [undotted(r, dotted)[0] for r in dotted]
    known = {*parameters, *speeds, *inputs}
    within = list(dict.fromkeys([*coordinates, *(b for b in bases if b not in known)]))
    places: dict[str, tuple[int, int]] = {}
    for role, members in ((PARAMETER, parameters), (INPUT, inputs), (COORDINATE, within)):
        for index, name in enumerate(members):
            places.setdefault(name, (role, index))
    for index, name in enumerate(speeds):
        own = undotted(name, dotted)[0] if name in dotted else ""
        places.setdefault(name, (SPEED, within.index(own) if own in within else len(within) + index))
    for rate, base in zip(dotted, bases):  # in the order of what they are the rates of
        places.setdefault(rate, (SPEED, places[base][1]))
    names: dict[str, str] = {}
    words: set[str] = set()
    for name in (*(n for n in places if n not in dotted), *dotted):
        base, accent = undotted(name, dotted) if name in dotted else (name, "")
        spelt = latex_name(name, dotted)
        if base in words or spelt in names.values():
            words.add(base)
            spelt = f"\\{accent}{{{_word(base)}}}" if accent else _word(base)
        names[name] = spelt
    return Notation(FrozenMap(names), FrozenMap(places), tuple(rotations))


def _word(name: str) -> str:
    return "\\mathrm{" + name.replace("_", r"\_") + "}"
