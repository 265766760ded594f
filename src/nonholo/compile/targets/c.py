"""ISO C99: a header and a source file without allocation, and an example that integrates and prints."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from nonholo.compile.portable_program import Portable, ProgramSection
from nonholo.compile.targets.registry import Files, Target, register
from nonholo.compile.targets.straight_lines import Language, lines
from nonholo.errors import ModelError

NAMES = (
    "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh log exp pow tgamma lgamma erf erfc floor ceil "
    "trunc fabs fmax fmin"
)


def number(value: float) -> str:
    """A number that C reads back with the same bits."""
    if not math.isfinite(value):
        return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "(-INFINITY)"
    return f"({value!r})" if value < 0 or str(value).startswith("-") else repr(value)


C = Language(
    "C",
    number,
    {n: n for n in NAMES.split()},
    "({test} ? {yes} : {no})",
    lambda name, text, condition: f"    const {'int' if condition else 'double'} {name} = {text};",
)


def input_place(p: Portable) -> Callable[[int], str]:
    """The input at a place of the program's vector, as C finds it."""
    first = 1 + len(p.state)
    second = first + len(p.inputs)
    third = second + len(p.parameters)
    fourth = third + len(p.state)

    def text(place: int) -> str:
        for array, start, end in (("x", 1, first), ("u", first, second), ("p", second, third), ("xdot", third, fourth)):
            if start <= place < end:
                return f"{array}[{place - start}]"
        return "t" if place == 0 else f"z[{place - fourth}]"

    return text


def _signature(p: Portable, section: ProgramSection) -> str:
    more = ", const double *xdot, const double *z" if section.name == "residual" else ""
    given = f"double t, const double *x{more}, const double *u, const double *p"
    return f"void {p.name}_{section.name}({given}, double *out)"


def function_lines(p: Portable, section: ProgramSection) -> list[str]:
    """One section as a function."""
    body, results = lines(p.program, section.outputs, input_place(p), C, f"{p.equations.name}: section {section.name}")
    used = "\n".join(body)
    names = ("t", "x", *(("xdot", "z") if section.name == "residual" else ()), "u", "p")
    silent = [f"    (void){a};" for a in names if not re.search(rf"\b{a}(\[|;)", used)]
    silent += [] if results else ["    (void)out;"]
    stores = [f"    out[{k}] = {r};" for k, r in enumerate(results)]
    return [f"{_signature(p, section)} {{", *silent, *body, *stores, "}", ""]


def header(p: Portable) -> str:
    """The declarations, with what every array holds."""
    guard = f"{p.name.upper()}_H"
    comment = [
        f"/* {p.title}, equations by {p.equations.origin}; written by nonholo.",
        f"   x: {', '.join(p.state) or 'nothing'}",
        f"   u: {', '.join(p.inputs) or 'nothing'}",
        f"   p: {', '.join(p.parameters) or 'nothing'}",
        *([f"   z: {', '.join(p.unknowns)}"] if p.unknowns else []),
        "   Arrays are the caller's; nothing is allocated and nothing is kept. */",
    ]
    sizes = [f"#define {p.name.upper()}_{n} {k}" for n, k in
             (("STATES", len(p.state)), ("INPUTS", len(p.inputs)), ("PARAMETERS", len(p.parameters)))]  # fmt: skip
    declared = [f"/* {s.title.replace('*/', '')}: {' x '.join(map(str, s.shape))} */\n{_signature(p, s)};" for s in p.sections]
    return "\n".join([*comment, f"#ifndef {guard}", f"#define {guard}", "", *sizes, "", *declared, "", "#endif", ""])


def source(p: Portable, stem: str) -> str:
    """The functions."""
    body = [line for section in p.sections for line in function_lines(p, section)]
    return "\n".join(["#include <math.h>", f'#include "{stem}.h"', "", *body])


def example(p: Portable, stem: str) -> str:
    """A main that integrates by Runge and Kutta's fourth-order rule and prints time, state and energy."""
    n, name = len(p.state), p.name
    values = ", ".join(number(1.0 if v is None else float(v)) for v in p.values) or "0.0"
    rest = ", ".join(number(p.start.get(name, 0.1)) for name in p.inputs) or "0.0"
    begin = ", ".join(number(p.start.get(s, round(0.1 + 0.05 * k, 3))) for k, s in enumerate(p.state)) or "0.0"
    first = number(p.start.get("t", 0.0))
    return f"""#include <stdio.h>
#include "{stem}.h"

enum {{ N = {max(n, 1)} }};

static const double p[] = {{{values}}}; /* {', '.join(p.parameters)} */
static const double u[] = {{{rest}}};

static void step(double t, double h, double x[]) {{
    static const double part[4] = {{0.0, 0.5, 0.5, 1.0}}, weight[4] = {{1.0, 2.0, 2.0, 1.0}};
    double k[N] = {{0.0}}, y[N], sum[N] = {{0.0}};
    int i, s;
    for (s = 0; s < 4; ++s) {{
        for (i = 0; i < N; ++i) y[i] = x[i] + h * part[s] * k[i];
        {name}_rates(t + h * part[s], y, u, p, k);
        for (i = 0; i < N; ++i) sum[i] += weight[s] * k[i];
    }}
    for (i = 0; i < N; ++i) x[i] += h / 6.0 * sum[i];
}}

int main(void) {{
    double x[N] = {{{begin}}}, energy[1]; /* {', '.join(p.state)} */
    const double h = 0.001, first = {first};
    int i, j;
    for (i = 0; i <= 1000; ++i) {{
        if (i % 100 == 0) {{
            {name}_energy(first + i * h, x, u, p, energy);
            printf("%.3f", first + i * h);
            for (j = 0; j < N; ++j) printf(" %.17g", x[j]);
            printf(" %.17g\\n", energy[0]);
        }}
        step(first + i * h, h, x);
    }}
    return 0;
}}
"""


def files(p: Portable, stem: str) -> Files:
    """Source, header, and (explicit equations only) an example."""
    if re.search(r"[\"'\\\x00-\x1f\x7f]|\?\?|^$", stem):  # no name of a header in C [C99 6.4.7]
        raise ModelError(
            f"export: the file name {stem + '.c'!r} cannot stand in #include of C, where quotes, backslashes, control characters "
            "and ?? have another meaning; choose a name without them, e.g. "
            f"{p.name}.c."
        )
    made: Files = {f"{stem}.c": source(p, stem), f"{stem}.h": header(p)}
    if any(s.name == "rates" for s in p.sections):
        made[f"{stem}_example.c"] = example(p, stem)
    return made


register(Target("c", "ISO C99: header, source and an example", ".c", files, lambda p: files(p, p.name)))
