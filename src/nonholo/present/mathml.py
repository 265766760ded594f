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
    from latex2mathml.converter import convert

    spaced = _BEFORE.sub(r"\\,\1", latex)
    spaced = _AFTER.sub(r"\1\\,", spaced)
    text = (
        str(convert(spaced)).replace(' display="inline"', "").replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    )
    text = text.replace("<mover>", '<mover accent="true">')  # ours are all dots and hats
    text = _BOLD.sub(lambda letter: f"<mi>{_bold(unescape(letter[1]))}</mi>", text)
    text = _UPRIGHT.sub(lambda word: f"<mi>{_LETTER.sub('', word[0])}</mi>", text)
    text = text.removeprefix("<math>").removesuffix("</math>")
    if text.startswith("<mrow>") and _is_one_row(text):
        text = text[len("<mrow>") : -len("</mrow>")]
    return text


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
