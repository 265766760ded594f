"""The note on a paper as a page of HTML and as PDF, set by LaTeX where it is installed or else printed by a browser."""

from __future__ import annotations

import re
import subprocess
from html import escape
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from nonholo.errors import ModelError
from nonholo_papers.claim import KINDS
from nonholo_papers.latex_note import latex
from nonholo_papers.note import TITLES, WORDS, Note, broken, command, identifier, opening, rows, scripts

ENGINES = ("tectonic", "lualatex", "xelatex", "pdflatex")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
STYLE = """
body { font: 11pt/1.45 Georgia, 'DejaVu Serif', serif; max-width: 46em; margin: 2em auto; color: #111 }
h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 1.6em } h3 { font-size: 1em; margin: 1.2em 0 .2em }
p { margin: .3em 0 } .what { font-style: italic } .entry { break-inside: avoid-page }
code { font: .8em 'DejaVu Sans Mono', monospace; color: #555; overflow-wrap: anywhere } math { font-size: 1.05em }
.accent { font: italic 1em 'DejaVu Serif', Georgia, serif } sub, sup { font-size: .75em; line-height: 0 }
.display { margin: .3em 0 .3em 1.5em; overflow-x: auto } @page { margin: 2cm }
"""
SECONDS = 120
_LAYOUT = re.compile(r"\\(?:begin|end)\{(?:aligned|split|cases|gathered)\}|\\tag\{[^}]*\}|\\quad \(\d+\.\d+\)")


def html(of: Note) -> str:
    """The note as one page without scripts.

    >>> from nonholo_papers.note import note
    >>> html(note("notices")).startswith("<!DOCTYPE html>")
    True
    """
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>Notes on {escape(of.paper.short)}</title>',
    ]
    lines += [f"<style>{STYLE}</style></head><body>", f"<h1>Notes on {escape(of.paper.short)}</h1>"]
    lines += [f"<p>{escape(of.paper.title)}</p>", f"<p><code>{escape(of.tested_by)}</code></p>"]
    lines += [f"<p>{escape(paragraph)}</p>" for paragraph in opening(of)]
    for kind in KINDS:
        if entries := of.of_kind(kind):
            lines += [f"<h2>{TITLES[kind]}</h2>", f"<p>{escape(WORDS[kind])}</p>"]
        for e in entries:
            lines += [f'<div class="entry" id="{identifier(e)}"><h3>{_worded(e.label)}</h3>']
            lines += [f'<p><span class="what">{what}:</span> {_shown(text)}</p>' for what, text in rows(e)]
            lines += [f"<p><code>{identifier(e)}</code>, tested by <code>{escape(command(e))}</code> ({of.stamp})</p></div>"]
    return "\n".join([*lines, "</body></html>", ""])


def _worded(text: str) -> str:
    """Words with their indices raised and lowered.

    >>> _worded("c_ij^m < 1")
    'c<sub>ij</sub><sup>m</sup> &lt; 1'
    """
    tags = {"_": "sub", "^": "sup"}
    return "".join(f"<{tags[mark]}>{_worded(part)}</{tags[mark]}>" if mark else escape(part) for mark, part in scripts(text))


def _accented(formula: str) -> str:
    """Accents over one letter as combining characters: as operators over it they touch the letter in many fonts.

    >>> _accented('<mover accent="true"><mi>z</mi><mo>&#x002D9;</mo></mover>')
    '<mi class="accent">z&#x0307;</mi>'
    """
    for _ in range(2):  # a dot over a bar
        formula = _ACCENT.sub(lambda hit: f'<mi class="accent">{hit[1]}&#x{_MARKS[hit[2]]};</mi>', formula)
    return formula


_MARKS = {"002D9": "0307", "000A8": "0308", "000AF": "0304", "02015": "0304", "0203E": "0304", "0005E": "0302", "002DC": "0303"}
_ACCENT = re.compile(
    r'<mover accent="true">(?:<mrow>)?<mi(?: class="accent")?>((?:&#x[0-9A-F]+;|[A-Za-z])(?:&#x03[0-9A-F]+;)?)</mi>(?:</mrow>)?'
    rf"<mo[^>]*>&#x({'|'.join(_MARKS)});</mo></mover>"
)


def _shown(text: str) -> str:
    """Words with their indices, LaTeX as MathML, each row of a display on its line."""
    if "\\" not in text or "$" in text:
        return _worded(text)
    from nonholo.present.style.mathml import mathml

    found = []
    for row in (part for whole in _rows(_LAYOUT.sub("", text)) for part in broken(whole)):
        try:
            made = mathml(row.replace("&", "") if r"\begin{" not in row else row, True) if row.strip() else ""
            found.append(_accented(made))
        except Exception:  # a formula that the converter does not know
            found.append(f"<code>{escape(row)}</code>")
    return f'<span class="display">{"".join(e for e in found if e)}</span>'


def _rows(text: str) -> list[str]:
    """The rows of a display; those of a matrix stay together.

    >>> _rows(r"a \\\\ \\begin{bmatrix} b \\\\ c \\end{bmatrix}")
    ['a ', ' \\\\begin{bmatrix} b \\\\\\\\ c \\\\end{bmatrix}']
    """
    parts = re.split(r"(\\begin\{\w*matrix\}.*?\\end\{\w*matrix\})", text, flags=re.DOTALL)
    whole = "".join(part if k % 2 else part.replace(r"\\", "\n") for k, part in enumerate(parts))
    return whole.split("\n")


def write_pdf(of: Note, path: Path) -> str:
    """The note as PDF; what set it is returned. Without LaTeX and browser it is an error that says what to do."""
    engine = next((e for e in ENGINES if which(e)), "") or next((e for e in BROWSERS if which(e)), "")
    if not engine:
        raise ModelError(
            f"-o {path}: PDF needs LaTeX ({', '.join(ENGINES)}) or a browser ({', '.join(BROWSERS[:3])}), and none is installed; "
            "-o note.tex writes the source, -o note.html a page."
        )
    with TemporaryDirectory() as folder:
        source = Path(folder) / ("note.html" if engine in BROWSERS else "note.tex")
        source.write_text(html(of) if engine in BROWSERS else latex(of), "utf-8")
        made = source.with_suffix(".pdf")
        if engine in BROWSERS:
            line = [engine, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
            line += ["--no-pdf-header-footer", f"--print-to-pdf={made}", source.as_uri()]
        else:
            line = [engine, *(["-interaction=nonstopmode"] if engine != "tectonic" else []), source.name]
        try:
            run = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
            words = (run.stderr or run.stdout).strip().splitlines()[-1:]
        except subprocess.TimeoutExpired:
            words = [f"no answer in {SECONDS} s"]
        if not made.exists():
            raise ModelError(f"-o {path}: {engine} made no PDF ({' '.join(words)}); -o note.tex writes the source.")
        path.write_bytes(made.read_bytes())
    return engine
