"""The note on a paper in LaTeX, in ASCII alone, so that every engine sets it."""

from __future__ import annotations

import re
import unicodedata

from nonholo_papers.claim import KINDS
from nonholo_papers.note import TITLES, WORDS, Note, broken, command, identifier, opening, rows, scripts

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "varsigma",
    "τ": "tau", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Λ": "Lambda", "Ψ": "Psi", "Ω": "Omega", "Δ": "Delta",
    "Γ": "Gamma", "Φ": "Phi", "Π": "Pi", "Σ": "Sigma", "ϖ": "varpi", "ϰ": "varkappa",
}  # fmt: skip
SIGNS = {
    "·": r"\cdot ", "×": r"\times ", "½": r"\tfrac12 ", "→": r"\to ", "∂": r"\partial ", "∇": r"\nabla ", "∈": r"\in ",
    "−": "-", "√": r"\surd ", "∧": r"\wedge ", "∫": r"\int ", "≥": r"\ge ", "≤": r"\le ", "⊕": r"\oplus ", "⟨": r"\langle ",
    "⟩": r"\rangle ", "⟺": r"\iff ", "′": "'", "ℐ": r"\mathcal I ", "ℓ": r"\ell ", "ℬ": r"\mathcal B ", "ℰ": r"\mathcal E ",
    "𝒟": r"\mathcal D ", "𝒦": r"\mathcal K ", "𝔤": r"\mathfrak g ", "≠": r"\ne ", "∞": r"\infty ", "ᵀ": "^T", "Σ": r"\Sigma ",
    "⌟": r"\lrcorner ", "≈": r"\approx ", "¹": "^1", "²": "^2", "³": "^3", "⁰": "^0", "⁴": "^4", "⁻": "^-", "⁺": "^+",
    "∮": r"\oint ", "₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3", "±": r"\pm ", "⊗": r"\otimes ",
}  # fmt: skip
ACCENTS = {"\u0304": "bar", "\u0305": "bar", "\u0307": "dot", "\u0308": "ddot", "\u0302": "hat"}
PLAIN = {
    "–": "--", "“": "``", "”": "''", "…": r"\ldots{}", "§": r"\S", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$",
    "{": r"\{", "}": r"\}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}",
}  # fmt: skip
FIT = (
    r"\newcommand{\fit}[1]{\sbox0{$\displaystyle #1$}"
    r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}"
)
"""A display that is wider than the page is made smaller."""


def latex(of: Note) -> str:
    """The note as a document.

    >>> from nonholo_papers.note import note
    >>> latex(note("notices")).isascii()
    True
    """
    lines = [
        r"\documentclass[11pt]{article}",
        r"\usepackage{amsmath,amssymb,graphicx}",
        r"\usepackage[margin=2.5cm]{geometry}",
        r"\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}\emergencystretch=3em",
        FIT,
        rf"\title{{Notes on {prose(of.paper.short)}}}",
        rf"\author{{\texttt{{{prose(of.tested_by)}}}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        prose(of.paper.title),
    ]
    for paragraph in opening(of):
        lines += ["", prose(paragraph)]
    for kind in KINDS:
        if entries := of.of_kind(kind):
            lines += ["", rf"\section*{{{TITLES[kind]}}}", prose(WORDS[kind])]
        for e in entries:
            lines += ["", rf"\paragraph{{{prose(e.label)}}}"]
            for what, text in rows(e):
                shown = rf"\[ \fit{{{math(text)}}} \]" if "\\" in text and "$" not in text else prose(text)
                lines += [rf"\emph{{{what}:}} {shown}", ""]
            name = prose(identifier(e)).replace("-", r"-\allowbreak ")
            lines += [rf"{{\footnotesize\raggedright\texttt{{{name}}}: \texttt{{{prose(command(e))}}} ({of.stamp})\par}}"]
    return "\n".join([*lines, r"\end{document}", ""])


def math(formula: str) -> str:
    """A display without its number, rows in an environment that takes them."""
    plain = re.sub(r"\\tag\{[^}]*\}|\\quad \(\d+\.\d+\)", "", formula)
    plain = _signs(plain)
    if r"\\" not in plain:
        plain = r" \\ ".join(broken(plain))
    bare = re.sub(r"\\begin\{(\w+)\}.*?\\end\{\1\}", "", plain, flags=re.DOTALL)
    return rf"\begin{{gathered}} {plain} \end{{gathered}}" if r"\\" in bare else plain


def prose(text: str) -> str:
    """Words with mathematical signs in them: letters with scripts, Greek letters and accents become formulas.

    >>> prose("q̇ = ψ^j_α ż_α, 50 %")
    '\\\\ensuremath{\\\\dot{q}} = \\\\ensuremath{\\\\psi ^{j}_{\\\\alpha }} \\\\ensuremath{\\\\dot{z}_{\\\\alpha }}, 50 \\\\%'
    """
    pieces = [(mark, unicodedata.normalize("NFD", part)) for mark, part in scripts(text)]
    result = ""
    for k, (mark, part) in enumerate(pieces):
        followed = k + 1 < len(pieces) and pieces[k + 1][0] != ""
        if mark == "":
            base = re.search("[^\u0300-\u036f][\u0300-\u036f]*$", part) if followed else None
            cut = base.start() if base else len(part)
            result += _words(part[:cut]) + (rf"\ensuremath{{{_signs(part[cut:])}" if followed else "")
        else:
            result += f"{mark}{{{_signs(part)}}}" + ("" if followed else "}")
    return result


def _words(text: str) -> str:
    """Text outside formulas."""
    result = ""
    for base in re.findall(r".[\u0300-\u036f]*", text, flags=re.DOTALL):
        if base in PLAIN:
            result += PLAIN[base]
        elif base in ("_", "^", "~", "\\"):
            result += {"_": r"\_", "^": r"\^{}", "~": r"\~{}", "\\": r"\textbackslash{}"}[base]
        else:
            result += base if base.isascii() else rf"\ensuremath{{{_signs(base)}}}"
    return result


def _signs(text: str) -> str:
    """Unicode letters and signs as LaTeX of mathematics."""
    result = ""
    for base in re.findall(r".[\u0300-\u036f]*", unicodedata.normalize("NFD", text), flags=re.DOTALL):
        letter, *marks = base
        made = rf"\{GREEK[letter]} " if letter in GREEK else SIGNS.get(letter, letter)
        for mark in marks:
            made = r"\ne " if mark == "\u0338" else rf"\{ACCENTS[mark]}{{{made.strip()}}}"
        result += made
    return result
