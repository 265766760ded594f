"""LaTeX to MathML, which browsers draw without a script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape

_NAMES = (
    r"\\(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|asin|acos|atan|log|ln|exp|operatorname\{\w+\})"
)
_BEFORE = re.compile(rf"(?<=[\w}})])\s*({_NAMES})(?![A-Za-z])")
_AFTER = re.compile(rf"({_NAMES}(?:\^\{{[^{{}}]*\}})?)(?![A-Za-z])\s*(?=\{{(?!\\left)|\\(?!left|,)|[A-Za-z0-9])")
_UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[^<]</mi>){2,}')
_LETTER = re.compile(r"</?mi[^>]*>")
_BOLD = re.compile(r'<mi mathvariant="bold-italic">([^<]+)</mi>')
_SIGN = re.compile(r"(<mo(?![^>]*postfix)[^>]*>[^<]*</mo>)<mo>(&#x02212;|&#x0002B;)</mo>")
_DOTTED = re.compile(r"(<msup>|<msubsup>)(<mover>.*?</mover>)")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORDS = """
frac left right dot ddot hat sqrt mathrm operatorname quad cdot times ldots sin cos tan cot sec csc sinh cosh tanh coth arcsin
arccos arctan ln exp alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi
psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega vartheta varphi ell
"""
_PLAIN = frozenset(f"\\{word}" for word in _WORDS.split())
"""Commands whose meaning does not depend on the context."""
_STRANGE = re.compile(
    r"\\[^A-Za-z,]|[%&'$#~]|\\left[^(.]|\\right[^).]|\\(?:frac|d?dot|hat|mathrm|operatorname)[^{A-Za-z]|\\sqrt[^{\[]"
    r"|\s[_^]|[_^]\s|\{\s*\}|[\n\t]"
)
_BRACE, _BRACKET, _BREAK = re.compile(r"[{}]"), re.compile(r"\\left|\\right"), re.compile(r"[{} ]|\\frac|\\left|\\begin")
_MATRIX = re.compile(r"\\begin\{matrix\}((?:[^\\]|\\\\|\\(?!begin|end)[A-Za-z,])*)\\end\{matrix\}")
_FENCES = {
    (form, mark): f'<mo stretchy="true" fence="true" form="{form}"' + (f">{text}</mo>" if text else " />")
    for form, bracket in (("prefix", "("), ("postfix", ")"))
    for mark, text in ((bracket, f"&#x{ord(bracket):05X};"), (".", ""))
}


def mathml(latex: str, display: bool = False) -> str:
    """A formula as a ``<math>`` element; ``display`` on a line of its own.

    >>> mathml("a^{2}")
    '<math><msup><mi>a</mi><mrow><mn>2</mn></mrow></msup></math>'
    """
    block = ' display="block"' if display else ""
    return f"<math{block}>{content(latex)}</math>"


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Equations under each other as one ``<math>`` element: left sides end, right sides begin at the same place."""
    cells = "".join(
        f'<mtr><mtd class="left">{content(left)}</mtd><mtd class="right">{content(right)}</mtd></mtr>'
        for left, right in rows
    )
    return f'<math display="block"><mtable class="aligned" displaystyle="true">{cells}</mtable></math>'


@lru_cache(maxsize=4096)
def content(latex: str) -> str:
    """The inside of the ``<math>`` element."""
    if not latex.strip():
        return ""
    spaced = _BEFORE.sub(r"\\,\1", latex)
    spaced = _AFTER.sub(r"\1\\,", spaced)
    text = f"<math><mrow>{_row(spaced)}</mrow></math>"
    text = _SIGN.sub(r'\1<mo form="prefix">\2</mo>', text)  # after = or an opening bracket a sign belongs to what follows
    text = _DOTTED.sub(r'\1<mpadded height="0.66em">\2</mpadded>', text)  # exponents beside the letter, not above its dot
    text = text.replace("<mover>", '<mover accent="true">')  # ours are all dots and hats
    text = _BOLD.sub(lambda letter: f"<mi>{_bold(unescape(letter[1]))}</mi>", text)
    text = _UPRIGHT.sub(lambda word: f"<mi>{_LETTER.sub('', word[0])}</mi>", text)
    text = text.removeprefix("<math>").removesuffix("</math>")
    if text.startswith("<mrow>") and _is_one_row(text):
        text = text[len("<mrow>") : -len("</mrow>")]
    return text


def _row(latex: str) -> str:
    """A row of MathML: fractions and brackets are assembled here, the text between them word by word, each word once."""
    outside = _MATRIX.sub("", latex) if r"\begin" in latex else latex
    if not _PLAIN.issuperset(_COMMAND.findall(outside)) or _STRANGE.search(outside):
        return _converted(latex)
    parts: list[str] = []
    place, end = 0, len(latex)
    while place < end:
        if latex[place] == " ":
            place += 1
            continue
        begin = place
        if latex.startswith(r"\frac{", place):
            middle = _closing(latex, place + 5)
            place = _closing(latex, middle)
            above, below = latex[begin + 6 : middle - 1], latex[middle + 1 : place - 1]
            part = f"<mfrac><mrow>{_row(above)}</mrow><mrow>{_row(below)}</mrow></mfrac>"
        elif latex.startswith(r"\left", place):
            place = _right(latex, place) + 7
            first, last = latex[begin + 5], latex[place - 1]
            inside = _row(latex[begin + 6 : place - 7])
            part = f"<mrow>{_FENCES['prefix', first]}{inside}{_FENCES['postfix', last]}</mrow>"
        elif found := _MATRIX.match(latex, place):
            place = found.end()
            rows = ("".join(map(_cell, row.split("&"))) for row in found[1].split(r"\\"))
            part = f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"
        else:
            place = _word_end(latex, place)
            parts.append(_converted(latex[begin:place]))
            continue
        if latex.startswith("^{", place):
            begin, place = place + 2, _closing(latex, place + 1)
            part = f"<msup>{part}<mrow>{_row(latex[begin : place - 1])}</mrow></msup>"
        if latex.startswith(("^", "_"), place):
            return _converted(latex)
        parts.append(part)
    return "".join(parts)


def _cell(latex: str) -> str:
    return f"<mtd>{_row(latex)}</mtd>" if latex.strip() else "<mtd />"


def _closing(latex: str, place: int) -> int:
    """Where the group ends that begins here."""
    last = _partner(_BRACE, "{", latex, place)
    return last.end() if last is not None else len(latex)


def _right(latex: str, place: int) -> int:
    """Index of the right bracket that matches the left one here."""
    last = _partner(_BRACKET, r"\left", latex, place)
    return last.start() if last is not None else len(latex)


def _partner(marks: re.Pattern[str], opening: str, latex: str, place: int) -> re.Match[str] | None:
    """The mark that closes what the first one opens."""
    depth = 0
    for found in marks.finditer(latex, place):
        depth += 1 if found[0] == opening else -1
        if depth == 0:
            return found
    return None


def _word_end(latex: str, place: int) -> int:
    """End of the word that begins here: at a space, a fraction or a bracket outside of all braces."""
    depth = 0
    for found in _BREAK.finditer(latex, place):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0 and found.start() > place:
            return found.start()
    return len(latex)


@lru_cache(maxsize=4096)
def _converted(latex: str) -> str:
    from latex2mathml.converter import convert

    return str(convert(latex)).partition("<mrow>")[2].removesuffix("</mrow></math>")


def _bold(letter: str) -> str:
    """A letter in bold italics, which browsers draw by its own character alone.

    >>> _bold("w") == chr(0x1D498), _bold("γ") == chr(0x1D738)
    (True, True)
    """
    for first, last, bold in (("A", "Z", 0x1D468), ("a", "z", 0x1D482), ("Α", "Ω", 0x1D71C), ("α", "ω", 0x1D736)):
        if len(letter) == 1 and first <= letter <= last:
            return chr(bold + ord(letter) - ord(first))
    return letter


def _is_one_row(text: str) -> bool:
    """Whether the first ``<mrow>`` closes at the very end."""
    depth = 0
    for found in re.finditer(r"<(/?)mrow>", text):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end() == len(text)
    return False
