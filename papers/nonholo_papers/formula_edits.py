"""Edits of the formulas in a check, made on its syntax tree: sign, factor, index and function.

The rules, whatever the outcome:

- sign: ``a + b`` becomes ``a − b`` and the reverse, ``−a`` becomes ``a``
  (``−1.5`` or ``1 + 2j``, written with digits alone, are numbers);
- factor: a product ``a·b``, ``a/b`` or ``a @ b`` becomes ``2·a·b``, once for a product of several factors;
- index: the first operand of an ``einsum`` that has two different indices has its first two exchanged;
- function: sine becomes cosine and the reverse.

Edited are the check and the functions of its module that it calls. Left alone are functions with a decorator, which draw
states once and keep them, operations on texts and lists, and products with the number 0, which give an array its kind.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

OTHER = {"sin": "cos", "cos": "sin"}
Functions = dict[str, ast.FunctionDef]


@dataclass(frozen=True)
class Edit:
    """One place of a function of a module, what stands there and what the edit writes there."""

    module: str
    function: str
    place: int
    """Which of the places of the function that can be edited."""
    line: int
    before: str
    after: str
    kind: str
    """``sign``, ``factor``, ``index`` or ``function``."""
    term: bool
    """The sign or factor of a whole term: the sum of the terms always shows it."""
    column: int = 0


@lru_cache
def _module(name: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[name]))


def functions_of(check: Any) -> Functions:
    """The check and the functions of its module that it calls, without decorators."""
    known = {n.name: n for n in _module(check.__module__).body if isinstance(n, ast.FunctionDef)}
    found: Functions = {}
    todo = [check.__name__]
    while todo:
        name = todo.pop()
        node = known.get(name)
        if node is None or name in found or (node.decorator_list and name != check.__name__):
            continue
        plain = deepcopy(node)
        plain.decorator_list = []
        found[name] = plain
        todo += [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in known]
    return found


def edits_of(check: Any, functions: Functions) -> list[Edit]:
    """Every edit of these functions."""
    return [
        Edit(check.__module__, name, place, *found)
        for name, node in functions.items()
        for place, found in enumerate(_walked(deepcopy(node)).found)
    ]


Rewrite = Callable[[ast.expr, ast.expr], ast.expr]
"""From what stands at a place and what the edit writes there to what shall stand there."""


def rewritten(functions: Functions, edit: Edit, rewrite: Rewrite) -> Functions:
    """The functions with one place rewritten."""
    made = deepcopy(functions[edit.function])
    _walked(made, edit.place, rewrite)
    return {**functions, edit.function: made}


def replaced(_: ast.expr, new: ast.expr) -> ast.expr:
    """The edit itself."""
    return new


def probed(old: ast.expr, new: ast.expr) -> ast.expr:
    """Both forms, and the operands, are handed to a function ``_probe_``."""
    operands = [old.left, old.right] if isinstance(old, ast.BinOp) else [old.operand] if isinstance(old, ast.UnaryOp) else []
    return ast.Call(ast.Name("_probe_", ast.Load()), [_later(e) for e in (old, new, *operands)], [])


def function_around(functions: Functions, edit: Edit) -> ast.FunctionDef:
    """The innermost named function around a place."""
    nested = [n for n in ast.walk(functions[edit.function]) if isinstance(n, ast.FunctionDef)]
    return max((n for n in nested if n.lineno <= edit.line <= (n.end_lineno or n.lineno)), key=lambda n: n.lineno)


def decorated(functions: Functions, edit: Edit) -> Functions:
    """The functions with the innermost one around a place decorated by ``_letter_``."""
    made = {**functions, edit.function: deepcopy(functions[edit.function])}
    function_around(made, edit).decorator_list = [ast.Name("_letter_", ast.Load())]
    return made


def _later(node: ast.expr) -> ast.expr:
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(nothing, deepcopy(node))


def compiled(module: str, functions: Functions, name: str, **more: Any) -> Any:
    """The check with these functions in place of the module's own, and more names."""
    space = {**vars(sys.modules[module]), **more}
    body: list[ast.stmt] = list(functions.values())
    tree = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(tree, module, "exec"), space)
    return space[name]


def _walked(node: ast.FunctionDef, chosen: int = -1, rewrite: Rewrite = replaced) -> _Editor:
    editor = _Editor(chosen, rewrite)
    editor.generic_visit(node)
    return editor


class _Editor(ast.NodeTransformer):
    """Counts the places that can be edited, and rewrites one of them."""

    def __init__(self, chosen: int, rewrite: Rewrite) -> None:
        self.chosen, self.rewrite, self.count = chosen, rewrite, 0
        self.within: set[int] = set()
        self.terms: set[int] = set()
        self.found: list[tuple[int, str, str, str, bool, int]] = []

    def offer(self, node: ast.expr, new: ast.expr, kind: str) -> ast.expr:
        """One place: rewritten where it is the chosen one."""
        place, self.count = self.count, self.count + 1
        found = node.lineno, ast.unparse(node), ast.unparse(new), kind, id(node) in self.terms, node.col_offset
        self.found.append(found)
        return ast.copy_location(self.rewrite(node, new), node) if place == self.chosen else node

    def visit_List(self, node: ast.List) -> ast.AST:
        self.terms |= {id(e) for e in node.elts}
        self.terms |= {id(e.operand) for e in node.elts if isinstance(e, ast.UnaryOp)}
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        inner = {id(e) for e in (node.left, node.right) if _product(e)} if _product(node) else set()
        self.within |= inner  # the factor of a product is edited once, outside
        self.generic_visit(node)
        if _texts(node) or _number(node) or id(node) in self.within:
            return node
        if isinstance(node.op, (ast.Add, ast.Sub)) and not _vanishes(node.right):
            other: ast.operator = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            return self.offer(node, ast.BinOp(node.left, other, node.right), "sign")
        if _product(node) and not _vanishes(node):
            return self.offer(node, ast.BinOp(ast.Constant(2), ast.Mult(), node), "factor")
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not _number(node.operand):
            return self.offer(node, node.operand, "sign")
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in ("np.sin", "np.cos"):
            other = ast.parse(f"np.{OTHER[name[3:]]}", mode="eval").body
            return self.offer(node, ast.Call(other, node.args, []), "function")
        if name == "np.einsum" and node.args and isinstance(node.args[0], ast.Constant):
            swapped = exchanged(str(node.args[0].value))
            if swapped:
                new = ast.Call(node.func, [ast.Constant(swapped), *node.args[1:]], node.keywords)
                return self.offer(node, new, "index")
        return node


def _product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.MatMult))


def _vanishes(node: ast.expr) -> bool:
    """The number 0, or a product with it, which gives an array its shape or kind."""
    if isinstance(node, ast.BinOp) and _product(node):
        return _vanishes(node.left) or _vanishes(node.right)
    return isinstance(node, ast.Constant) and node.value == 0


def _number(node: ast.expr) -> bool:
    """A number, written with digits alone."""
    inner = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.operand,) if isinstance(node, ast.UnaryOp) else ()
    return isinstance(node, ast.Constant) or (bool(inner) and all(map(_number, inner)))


def _texts(node: ast.BinOp) -> bool:
    """Whether an operand is a text, a list or a formatted text, so that the operation is no formula."""
    inner = (node.left, node.right)
    return any(isinstance(e, (ast.JoinedStr, ast.List, ast.Tuple)) or isinstance(getattr(e, "value", 0), str) for e in inner)


def exchanged(subscripts: str) -> str:
    """The first operand with two different indices has its first two exchanged; empty where none has.

    >>> exchanged("bca,x->bcx"), exchanged("aax->x")
    ('cba,x->bcx', 'axa->x')
    """
    inputs, _, output = subscripts.partition("->")
    operands = inputs.split(",")
    for k, letters in enumerate(operands):
        other = next((i for i, e in enumerate(letters) if e != letters[0]), 0)
        if other:
            operands[k] = letters[: other - 1] + letters[other] + letters[other - 1] + letters[other + 1 :]
            return f"{','.join(operands)}->{output}" if "->" in subscripts else ",".join(operands)
    return ""
