"""Controller and observer steps in ISO C99: the caller's arrays, no allocation, nothing kept between calls."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonholo.compile.portable_program import Portable, ProgramSection, identifier, portable
from nonholo.compile.rates_jacobian import slopes_program
from nonholo.compile.targets.c import C, function_lines, input_place, number
from nonholo.compile.targets.straight_lines import lines
from nonholo.control.feedback.riccati import Regulator
from nonholo.control.observers.observer import NOTHING, SPREAD, Observer
from nonholo.errors import ModelError, StateError
from nonholo.integrate.inputs import Controller

ALGEBRA = Path(__file__).with_name("embedded_algebra.c")
"""Products, solutions of linear equations and the symmetric square root, with sizes known to the compiler."""
NO_LIMIT = (-np.inf, np.inf)


def to_c(
    step: Regulator | Controller | Observer, name: str = "", *, path: str | os.PathLike[str] | None = None
) -> dict[str, str]:
    """A regulator's or an observer's step as C: source and header by file name, also written into the folder ``path``.

    A regulator (or ``nh.controller(regulator, limits=…)``) becomes ``void NAME_step(double t, const double *y, double *u)``. An
    observer becomes ``NAME_predict(t, mean, covariance, u)`` and ``NAME_correct(t, mean, covariance, z, u, residual)``, which
    change mean and covariance in place. Sampling and delay are the caller's timer.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> files = nh.control.to_c(nh.lqr(nh.linearise(cart, {"x": 0}), 1, 1), "cart_regulator")
    >>> sorted(files)
    ['cart_regulator.c', 'cart_regulator.h']
    """
    found = step.function if isinstance(step, Controller) else step
    if isinstance(found, Regulator):
        stem = identifier(name or f"{found.lin.name} regulator")
        files = _regulator(found, step.limits if isinstance(step, Controller) else None, stem)
    elif isinstance(found, Observer):
        stem = identifier(name or f"{found.model.system.name} observer")
        files = _observer(found, stem)
    else:
        raise ModelError(f"to_c: {type(found).__name__} where nh.lqr(…), nh.controller(nh.lqr(…)) or nh.observer(…) is needed.")
    if path is not None:
        folder = Path(path)
        if not folder.is_dir():
            raise StateError(f"to_c: {folder} is no folder; make it first.")
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    return files


def _array(kind: str, values: Any) -> str:
    flat = np.asarray(values, dtype=float).ravel().tolist() or [0.0]
    return f"static const double {kind}[{len(flat)}] = {{{', '.join(map(number, flat))}}};"


def _files(stem: str, title: str, comment: Sequence[str], declared: Sequence[str], body: Sequence[str]) -> dict[str, str]:
    guard = f"{stem.upper()}_H"
    head = [f"/* {title}; written by nonholo.", *(f"   {t}" for t in comment), "   Nothing is allocated and nothing is kept. */"]
    header = "\n".join([*head, f"#ifndef {guard}", f"#define {guard}", *(f"{d};" for d in declared), "#endif", ""])
    return {f"{stem}.c": "\n".join(["#include <math.h>", f'#include "{stem}.h"', "", *body, ""]), f"{stem}.h": header}


def _regulator(regulator: Regulator, limits: Any, stem: str) -> dict[str, str]:
    """``u = held − K (y − centre)`` with the limits; along a run tables are linear between its times."""
    lin, times = regulator.lin, regulator.times
    n, m, count = len(lin.names), len(lin.inputs), max(1, len(times))
    centre = np.stack([np.asarray(lin.state[name], dtype=float) for name in lin.names], axis=-1)
    held = np.stack([np.asarray(lin.state[name], dtype=float) for name in lin.inputs], axis=-1)
    pairs = [NO_LIMIT if limits is None else limits if isinstance(limits, tuple) else limits.get(u, NO_LIMIT) for u in lin.inputs]
    call = f"void {stem}_step(double t, const double *y, double *u)"
    place = ["    const int k = 0;", "    const double s = 0.0;", "    (void)t;"]
    if len(times):
        place = [
            "    int k = 0;", f"    while (k < {count - 2} && T[k + 1] < t) ++k;",
            "    double s = (t - T[k]) / (T[k + 1] - T[k]);", "    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;",
        ]  # fmt: skip
    nxt = "k + 1" if len(times) else "k"
    body = [
        _array("T", times), _array("CENTRE", centre), _array("HELD", held), _array("K", regulator.K),
        _array("LOW", [a for a, _ in pairs]), _array("HIGH", [b for _, b in pairs]),
        f"{call} {{", *([] if len(times) else ["    (void)T;"]), *place,
        f"    for (int i = 0; i < {m}; ++i) {{",
        f"        double sum = (1.0 - s) * HELD[k * {m} + i] + s * HELD[({nxt}) * {m} + i];",
        f"        for (int j = 0; j < {n}; ++j) {{",
        f"            const double gain = (1.0 - s) * K[(k * {m} + i) * {n} + j] + s * K[(({nxt}) * {m} + i) * {n} + j];",
        f"            sum -= gain * (y[j] - ((1.0 - s) * CENTRE[k * {n} + j] + s * CENTRE[({nxt}) * {n} + j]));",
        "        }", "        u[i] = sum < LOW[i] ? LOW[i] : sum > HIGH[i] ? HIGH[i] : sum;", "    }", "}",
    ]  # fmt: skip
    comment = [f"y: {', '.join(lin.names)}", f"u: {', '.join(lin.inputs)}"]
    comment += [f"call it every {regulator.every!r} s and hold u"] if regulator.every is not None else []
    return _files(stem, f"{_plain(lin.name)}: linear quadratic regulator", comment, [call], body)


def _plain(text: str) -> str:
    return "".join(c if c.isalnum() or c in " -_().," else "_" for c in text)[:80]


def _observer(observer: Observer, stem: str) -> dict[str, str]:
    """The filter with its own Runge–Kutta steps, Jacobians and projections."""
    model = observer.model
    kernel = model.kernel
    equations = kernel.equations
    p = portable(equations, jacobian=True)
    if equations.unknowns:
        raise ModelError(f"{model.system.name}: to_c: equations with multipliers; observe the system in the form hamel.")
    n, m, rows = len(model.names), len(observer.measured), len(kernel.invariants)
    texts = list(observer.measured)
    columns = kernel.symbols[1 : 1 + n]
    exprs = [kernel.expression(t, f"{model.system.name}: measured {t}") for t in texts]
    kept = [equations.invariants[k] for k in kernel.invariants]
    wide = max(n, m, rows, 1)
    functions = [
        *_static(p, p.section("rates"), "rates"), *_static(p, p.section("jacobian"), "slopes"),
        *_program(p, kernel.symbols, exprs, columns, "seen"), *_program(p, kernel.symbols, kept, columns, "kept"),
    ]  # fmt: skip
    defines = {
        "N": n, "M": m, "ROWS": rows, "WIDE": wide, "STEPS": observer.steps, "UNSCENTED": int(observer.kind == "ukf"),
        "POINTS": 2 * n + 1,
    }  # fmt: skip
    numbers = [model.parameters[name] for name in kernel.parameters]
    body = [
        *(f"#define {key} {value}" for key, value in defines.items()),
        f"#define EVERY {number(observer.every)}", f"#define KAPPA {number(SPREAD * n)}", f"#define NOTHING {number(NOTHING)}",
        _array("P", numbers), _array("PROCESS", np.diag(observer.process)), _array("NOISE", np.diag(observer.measurement)), "",
        *functions, ALGEBRA.read_text(encoding="utf-8").replace("OBSERVER", stem),
    ]  # fmt: skip
    declared = [
        f"void {stem}_predict(double t, double *mean, double *covariance, const double *u)",
        f"void {stem}_correct(double t, double *mean, double *covariance, const double *z, const double *u, double *residual)",
    ]
    comment = [
        f"mean: {', '.join(model.names)}; covariance: {n} by {n}, by rows", f"z, residual: {', '.join(map(_plain, texts))}",
        f"u: {', '.join(model.inputs) or 'nothing'}",
        f"predict moves on by {observer.every!r} s from t; correct uses a measurement at t",
    ]  # fmt: skip
    return _files(stem, f"{_plain(model.system.name)}: Kalman filter ({observer.kind})", comment, declared, body)


def _static(p: Portable, section: ProgramSection, name: str) -> list[str]:
    """A section of the portable program as a static function of that name."""
    made = function_lines(p, section)
    return [made[0].replace(f"void {p.name}_{section.name}(", f"static void {name}("), *made[1:]]


def _program(p: Portable, symbols: Sequence[Any], exprs: Sequence[Any], columns: Sequence[Any], name: str) -> list[str]:
    """Expressions and their derivatives by the state, by rows."""
    program, outputs = slopes_program(symbols, exprs, columns, name)
    body, results = lines(program, outputs, input_place(p), C, name)
    silent = [f"    (void){a};" for a in ("t", "x", "u", "p")] + ([] if results else ["    (void)out;"])
    stores = [f"    out[{k}] = {r};" for k, r in enumerate(results)]
    head = f"static void {name}(double t, const double *x, const double *u, const double *p, double *out) {{"
    return [head, *silent, *body, *stores, "}", ""]
