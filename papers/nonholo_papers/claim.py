"""A claim of a paper: what is printed, what a machine found, and the evidence that can be had again at any time.

How to write claims. A paper is a package here (``bmz/``); each of its modules is a section and begins with

    from nonholo_papers.evidence import identity, symbolic
    from nonholo_papers.section import Section

    section = Section("bmz", "2.2 The virtual displacement principle")

and then says what each display of the paper is. Displays (``$$ … $$``) are counted from 1 in the order of the paper's
text; ``python -m nonholo_papers.seed list bmz`` prints them with their numbers.

    @section.confirmed("(2.8)", 17)
    def coordinate_form() -> Evidence:
        \"\"\"Hamel's equations in coordinates are Lagrange's, taken along the frame.\"\"\"     # the statement, in our words
        return identity(points, lambda p: [p.left, -p.right])            # the check

    @section.misprint("(6.16)", 150, right=r"W(r) = W(r_0) \\exp(-\\int \\mathrm{Tr}\\,\\tau)", harm=3, breaks="…", kind="slip")
    def …: return identity(points, printed=lambda p: […], right=lambda p: […])

    section.uncheckable("Figure 6.1", "Figure 6.1", "a drawing", "The sleigh.")
    section.rest("definition", 1, 4, 5, "Definition 2.2")                # displays and numbered statements without a claim

A check gives `Evidence`: residuals, relative to the size of the terms, of the printed form, of the right form, and the
smallest one among mutants (one sign flipped, one term doubled). `identity` and `symbolic` make all three from forms that
return the *terms* of an equation whose sum should vanish, so that every term is mutated once and a term that vanishes at all
points is an error: numbers must be generic. `holds` is for statements in words. What a verdict asks of the evidence
is `disagreement`.

Several formulas in one display: ``"57a"``, ``"57b"`` are its parts; then give ``printed=``. Otherwise the printed form is
the display itself, from ``displays.json``, which ``python -m nonholo_papers.seed ../shared/seeds`` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args
from unicodedata import normalize

Verdict = Literal["confirmed", "misprint", "conditional", "refuted", "not checkable"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
Kind = Literal["error", "condition", "convention", "slip", "reading"]
KINDS: tuple[str, ...] = get_args(Kind)
"""What an entry of the errata is, decided by reading the passage and its surroundings:

- *error*: wrong as it stands: no other place of the paper has the right form, or the wrong one is repeated or used;
- *condition*: true under a condition that is not stated;
- *convention*: right in the convention that the paper uses, which another reader may not share;
- *slip*: an index, a sign or a word that the lines around it correct;
- *reading*: a lost dot, bar or brace, or a glyph taken for another; probably the transcription's, not the printed page's.
"""
TOLERANCE = 1e-8
"""A form holds when its residual, relative to the size of its terms, is below this; most are below 1e-14."""
APART = 1e6
"""How many times larger the residual of a wrong form is than that of the right one, at least."""
ROUNDING = 1e-16


@dataclass(frozen=True)
class Counterexample:
    """A case with numbers in which the printed form gives another value than the right one; a test computes it once more."""

    case: str
    """In words: the system and the motion."""
    values: tuple[tuple[str, float], ...]
    quantity: str
    printed: str
    """Its value as printed, an expression in the names of the values."""
    right: str
    """Its value by what should stand there."""
    found: Callable[[Mapping[str, float]], float]
    """Its value by a third way: Newton's laws, multipliers, differences."""
    by: str = ""
    """The third way, in words."""
    within: float = 1e-9
    """How well it is known, relative to its size or 1."""

    def number(self, text: str) -> float:
        """The value of an expression.

        >>> Counterexample("a free point", (("v", 3.0),), "2T", "v", "v**2", lambda v: v["v"] ** 2).number("v**2")
        9.0
        """
        import symengine as se

        return float(se.sympify(text).subs({se.Symbol(n): e for n, e in self.values}).n())

    def trouble(self) -> str:
        """Why the numbers do not bear it out; empty when they do."""
        value, wrong, right = self.found(dict(self.values)), self.number(self.printed), self.number(self.right)
        if abs(value - right) > self.within * max(1.0, abs(right)):
            return f"{self.quantity} is {value:.6g}, not {right:.6g}"
        return "" if abs(wrong - right) > 1e-3 * max(1.0, abs(right)) else f"the printed form gives {wrong:.6g} too"

    def __str__(self) -> str:
        given = ", ".join(f"{_letter(n)} = {e:g}".replace("-", "−") for n, e in self.values)
        wrong, right = (f"{self.number(text):.4g}".replace("-", "−") for text in (self.printed, self.right))
        by = f" ({self.by})" if self.by else ""
        case = f"{self.case} ({given})" if given else self.case
        return f"{case}: {self.quantity} is {wrong} as printed and {right} in truth{by}."


_LETTERS = {"alpha": "α", "gamma": "γ", "theta": "θ", "omega": "ω", "rho": "ρ", "phi": "φ", "psi": "ψ", "xi": "ξ"}


def _letter(name: str) -> str:
    """A name of a value as it is written: Greek letters, a dot for a rate, an index at the foot.

    >>> _letter("omega"), _letter("xdot"), _letter("m2")
    ('ω', 'ẋ', 'm₂')
    """
    plain = name.removesuffix("dot")
    word = plain.rstrip("0123456789")
    index = plain[len(word) :].translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return normalize("NFC", _LETTERS.get(word, word) + ("\u0307" if plain != name else "")) + index


@dataclass(frozen=True)
class Evidence:
    """Residuals of the printed form, of the right one (or of the printed one under its condition), and of mutants."""

    printed: float
    right: float | None = None
    mutant: float | None = None
    """The smallest residual among all mutants: each must be seen."""
    words: str = ""


@dataclass(frozen=True)
class Claim:
    """One formula or statement of a paper, with its verdict and the check that must agree with it."""

    paper: str
    label: str
    statement: str
    verdict: Verdict
    check: Callable[[], Evidence] | None = None
    displays: tuple[str, ...] = ()
    """Ordinals of displays in the paper, ``"12"`` or a part of one, ``"12a"``."""
    statements: tuple[str, ...] = ()
    """Numbered statements that this claim covers, ``"Theorem 4.4"``."""
    by_functions: tuple[str, ...] = ()
    """Numbered statements that it tests through public functions, on systems that nobody prepared."""
    printed: str = ""
    right: str = ""
    reason: str = ""
    """Under which condition it holds, why it is refuted, or why no machine can tell."""
    harm: int = 0
    """To one who trusts it: 5 wrong motion in general, 4 in an example, 3 a wrong quantity, 2 a wrong step, 1 a slip."""
    breaks: str = ""
    """What goes wrong for one who implements it as printed."""
    kind: Kind | None = None
    """What kind of entry of the errata it is; every misprint, condition and refuted statement has one."""
    because: str = ""
    """Two lines of derivation, for an error."""
    passage: str = ""
    """Where it stands in the paper and why it is of its kind, for an error or a condition."""
    counterexample: Counterexample | None = None
    exhibits: tuple[str, ...] = ()
    slow: bool = False
    section: str = ""

    def __str__(self) -> str:
        return f"{self.paper} {self.label}: {self.verdict}"


def disagreement(claim: Claim, evidence: Evidence | None) -> str:
    """Why the evidence does not bear out the recorded verdict; empty when it does.

    >>> claim = Claim("bmz", "(2.8)", "Hamel's equations", "confirmed", lambda: Evidence(0.0))
    >>> disagreement(claim, Evidence(1e-15, mutant=0.3))
    ''
    >>> disagreement(claim, Evidence(0.2, mutant=0.3))
    'the printed form is off by 0.2'
    """
    if claim.verdict == "not checkable":
        return "" if evidence is None and claim.reason else "a claim that is not checkable has a reason and no check"
    if evidence is None:
        return "there is no check"
    good = evidence.printed if claim.verdict == "confirmed" else evidence.right
    if claim.verdict == "confirmed":
        if not evidence.printed <= TOLERANCE:
            return f"the printed form is off by {evidence.printed:.2g}"
        return _seen("a mutant", evidence.mutant, evidence.printed)
    if claim.verdict in ("misprint", "conditional") and good is None:
        return "the right form was not tested"
    if good is not None and not good <= TOLERANCE:
        return f"the right form is off by {good:.2g}"
    return _seen("the printed form", evidence.printed, good or 0.0) or (
        _seen("a mutant", evidence.mutant, good or 0.0) if evidence.mutant is not None else ""
    )


def _seen(what: str, bad: float | None, good: float) -> str:
    if bad is None:
        return f"{what} was not tried"
    if bad >= APART * max(good, ROUNDING):  # false where it is not a number
        return ""
    return f"{what} is off by {bad:.2g} only, the right form by {good:.2g}"
