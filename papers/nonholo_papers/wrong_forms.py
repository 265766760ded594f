"""Which places of a check belong to wrong forms alone, found in its syntax tree.

The evidence says which of its parts are wrong on purpose: ``against``, ``mutants``, ``mutant``, and ``printed`` where the claim
is that it fails. What is written there, and what is computed for these parts alone, does not enter the form that must hold. The
words of the evidence do not enter it either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Functions = dict[str, ast.FunctionDef]
Span = tuple[tuple[int, int], tuple[int, int]]
_WRONG = ("against", "mutant", "mutants", "words")
_ORDER = {
    "Evidence": ("printed", "right", "mutant", "words"),
    "identity": ("points", "printed", "right", "mutants", "words"),
    "symbolic": ("printed", "right", "mutants", "words"),
    "vanish": ("points", "form", "against", "words"),
}
"""The parameters of the functions that make evidence, in order."""


def wrong_spans(functions: Functions, confirmed: bool) -> dict[str, list[Span]]:
    """For each function of a check the stretches of its text that belong to wrong forms alone."""
    spans = {name: [_span(e) for e in _roots(tree, confirmed)] for name, tree in functions.items()}
    while True:
        before = sum(map(len, spans.values()))
        for name, tree in functions.items():
            spans[name] += [s for s in _only_for(tree, spans[name]) if s not in spans[name]]
        for name, tree in functions.items():
            uses = [_inside(n, spans[user]) for user, body in functions.items() for n in _loads(body, name) if user != name]
            if uses and all(uses) and _span(tree) not in spans[name]:
                spans[name].append(_span(tree))
        if sum(map(len, spans.values())) == before:
            return spans


def within(line: int, column: int, spans: Iterable[Span]) -> bool:
    """Whether a place is in one of the stretches."""
    return any(start <= (line, column) < end for start, end in spans)


def _roots(tree: ast.FunctionDef, confirmed: bool) -> Iterator[ast.expr]:
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        order = _ORDER.get(ast.unparse(call.func), ())
        given = {k.arg: k.value for k in call.keywords if k.arg} | dict(zip(order, call.args))
        wrong = set(_WRONG) if order or ast.unparse(call.func) in ("holds", "together") else set()
        if order and not confirmed and "printed" in order and ("right" in given or ast.unparse(call.func) == "Evidence"):
            wrong.add("printed")
        yield from (value for name, value in given.items() if name in wrong)


def _only_for(tree: ast.FunctionDef, spans: list[Span]) -> Iterator[Span]:
    """Values of local names, and local functions, that are used in these stretches alone."""
    for node in (n for n in ast.walk(tree) if isinstance(n, ast.stmt)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
                if isinstance(target, (ast.Name, ast.Tuple)) and all(_unused(tree, n, spans) for n in names):
                    yield _span(value)
        name = node.name if isinstance(node, ast.FunctionDef) and node is not tree else _appended(node)
        if name and _unused(tree, name, spans):
            yield _span(node)


def _unused(tree: ast.FunctionDef, name: str, spans: list[Span]) -> bool:
    """Whether every use of a name is in the stretches, or adds to the list of this name."""
    adders = [_span(n) for n in ast.walk(tree) if isinstance(n, ast.Expr) and _appended(n) == name]
    uses = _loads(tree, name)
    return bool(uses) and any(_inside(n, spans) for n in uses) and all(_inside(n, [*spans, *adders]) for n in uses)


def _appended(node: ast.stmt) -> str:
    """The name of the list to which a statement appends."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
        return ast.unparse(call.func.value)
    return ""


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, two in zip(target.elts, value.elts):
            yield from _pairs(one, two)
    else:
        yield target, value


def _loads(tree: ast.AST, name: str) -> list[ast.Name]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]


def _inside(node: ast.expr, spans: Iterable[Span]) -> bool:
    return within(node.lineno, node.col_offset, spans)


def _span(node: ast.expr | ast.stmt) -> Span:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
