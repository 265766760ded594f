"""NumPy: plain functions ``f(t, x, u, p)``, vectorised: every entry of x, u and p may be an array over members."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from nonholo.compile.portable_program import Portable, ProgramSection
from nonholo.compile.targets.registry import Files, Target, register
from nonholo.compile.targets.straight_lines import Language, lines

FUNCTIONS = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "pow": "power", "fabs": "abs", "fmax": "fmax", "fmin": "fmin",
    **{n: n for n in ["sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "exp", "floor", "ceil", "trunc"]},
}  # fmt: skip


def _number(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return f"({value!r})" if str(value).startswith("-") else repr(value)


def language(title: str, module: str, special: dict[str, str]) -> Language:
    """Python with the functions of a module."""
    return Language(
        title,
        _number,
        {**{name: f"{module}.{own}" for name, own in FUNCTIONS.items()}, **special},
        f"{module}.where({{test}}, {{yes}}, {{no}})",
        lambda name, text, condition: f"    {name} = {text}",
    )


NUMPY = language(
    "NumPy", "np",
    {"tgamma": "special.gamma", "lgamma": "special.gammaln", "erf": "special.erf", "erfc": "special.erfc"},
)  # fmt: skip
HEAD = "import numpy as np\n"
QUIET = '@np.errstate(all="ignore")'
SPECIAL = "from scipy import special\n"


def input_text(p: Portable, index: int) -> str:
    """The input at a place of the program's vector, as Python finds it."""
    if index == 0:
        return "t"
    index -= 1
    for array, names in (("x", p.state), ("u", p.inputs), ("p", p.parameters), ("xdot", p.state)):
        if index < len(names):
            return f"{array}[{index}]"
        index -= len(names)
    return f"z[{index}]"


def function(p: Portable, section: ProgramSection, words: Language) -> list[str]:
    """One function; what is the same for all members is spread over them."""
    body, results = lines(
        p.program, section.outputs, lambda i: input_text(p, i), words, f"{p.equations.name}: section {section.name}"
    )
    more = ", xdot, z" if section.name == "residual" else ""
    known = tuple(v for v in p.values if v is not None)
    default = f"={known!r}" if len(known) == len(p.values) else ""
    empty = "=()" if not p.inputs else ""
    given = f"t, x{more}, u{empty}, p{default}" if not empty or default else f"t, x{more}, u, p"
    shape = f", {section.shape!r}" if len(section.shape) > 1 else ""
    return [
        f"def {section.name}({given}):",
        f'    """{section.title}: {" x ".join(map(str, section.shape))}."""',
        *body,
        f"    return _stacked([{', '.join(results)}], t, x, u, p{shape})",
        "",
        "",
    ]


STACK = '''
def _stacked(values, t, x, u, p, shape=None):
    """The outputs as one array, its first axes over outputs, the rest over members."""
    spread = np.broadcast_shapes(np.shape(t), *(np.shape(a) for a in (*x, *u, *p)))
    filled = [np.broadcast_to(v, spread) for v in values]
    table = np.stack(filled) if filled else np.empty((0, *spread))
    return table if shape is None else table.reshape(*shape, *spread)


'''


def text(p: Portable, words: Language, head: str, stack: str = STACK) -> str:
    """A module of functions."""
    names = [
        f'"""{p.title}, equations by {p.equations.origin}; written by nonholo."""\n',
        head,
        f"STATE = {p.state!r}\nINPUTS = {p.inputs!r}\nPARAMETERS = {p.parameters!r}\nWATCHED = {tuple(p.equations.outputs)!r}\n",
    ]
    body = [line for section in p.sections for line in function(p, section, words)]
    return "\n".join([*names, stack, *body]).rstrip() + "\n"


def module(source: str, name: str) -> ModuleType:
    """The text as a module; it is our own and has numbered values and numbers only."""
    made = ModuleType(name)
    exec(compile(source, f"<{name}>", "exec"), made.__dict__)
    return made


def numpy_text(p: Portable) -> str:
    """The module's text; where there are pieces NumPy computes all of them, and is not to warn of those that are not taken."""
    body = text(p, NUMPY, HEAD)
    if "np.where(" in body:
        body = body.replace("\ndef ", f"\n{QUIET}\ndef ").replace(f"{QUIET}\ndef _stacked", "def _stacked")
    return body.replace(HEAD, HEAD + SPECIAL, 1) if "special." in body else body


def _loaded(p: Portable) -> Any:
    return module(numpy_text(p), p.name)


def _files(p: Portable, stem: str) -> Files:
    return {f"{stem}.py": numpy_text(p)}


register(Target("numpy", "NumPy functions, vectorised over members", ".py", _files, _loaded))
