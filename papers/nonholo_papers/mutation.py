"""Mutation of the checks: formulas are edited one place at a time, and a check that still agrees with its verdict is told.

An edit changes a sign (``a + b`` to ``a − b``, ``−a`` to ``a``), a factor (``a·b`` to ``2·a·b``), an index (two letters of an
``einsum``) or a function (sin and cos). Edited are the functions that return the terms of an equation, as a list, and those of
the module that they call; a check without terms, a statement in words, is edited as a whole. Generic states and motions, for
which an identity holds whatever they are, are left alone. An edit that only changes another wrong form (a mutant, or the
printed form of a misprint) is not counted.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from nonholo_papers.claim import Claim, Evidence
from nonholo_papers.runner import run_one

OTHER = {"sin": "cos", "cos": "sin"}


@dataclass(frozen=True)
class Mutant:
    """One edit: the claim, the function and the line of its module, what stood there and what stands there now."""

    claim: Claim
    function: str
    place: int
    """Which of the places of the function that can be edited."""
    line: int
    before: str
    after: str

    @property
    def key(self) -> tuple[str, str, int]:
        """The edit, whichever check runs it."""
        check = self.claim.check
        return (check.__module__ if check is not None else "", self.function, self.place)

    def __str__(self) -> str:
        check = self.claim.check
        module = check.__module__.removeprefix("nonholo_papers.") if check is not None else ""
        return f"{self.claim.paper} {self.claim.label} ({module}, line {self.line}): {self.before}  →  {self.after}"


@dataclass(frozen=True)
class Survey:
    """How many edits were tried, and those that no check saw; a function that several checks call is edited once."""

    tried: int
    survivors: tuple[Mutant, ...]


def survey(claims: Iterable[Claim], told: Any = lambda _: None) -> Survey:
    """Edit the checks of claims and run them."""
    unseen: dict[tuple[str, str, int], Mutant] = {}
    seen = set()
    with catch_warnings(), np.errstate(all="ignore"):
        simplefilter("ignore")  # an edited formula may divide by zero
        for claim in claims:
            told(f"{claim.paper} {claim.label}")
            for mutant, fate in mutated(claim):
                if fate == "seen":
                    seen.add(mutant.key)
                elif fate == "survives":
                    unseen.setdefault(mutant.key, mutant)
    return Survey(len(seen | set(unseen)), tuple(m for key, m in unseen.items() if key not in seen))


def mutated(claim: Claim) -> Iterator[tuple[Mutant, str]]:
    """Each edit of the functions of a check with its fate: ``seen``, ``survives`` or ``other`` (it changed a wrong form only)."""
    check = claim.check
    functions = _functions(check) if check is not None else {}
    if check is None or check.__name__ not in functions:
        return
    original = run_one(claim)
    if original.evidence is None:
        return
    forms = {name: _forms(node) for name, node in functions.items()}
    if not any(forms.values()):
        forms = {check.__name__: [functions[check.__name__]]}
    called = {n.id for found in forms.values() for form in found for n in ast.walk(form) if isinstance(n, ast.Name)}
    for name, node in functions.items():
        whole = name in called or forms.get(name) == [node]
        for place, edit in enumerate(_edits(node, whole)):
            changed = {**functions, name: _edited(node, place, whole)}
            made = _compiled(check.__module__, changed, check.__name__)
            result = run_one(replace(claim, check=made))
            line, before, after = edit
            fate = _fate(claim, original.evidence, result.evidence, result.trouble)
            yield Mutant(claim, name, place, line, before, after), fate


def _fate(claim: Claim, before: Evidence, after: Evidence | None, trouble: str) -> str:
    if trouble or after is None:
        return "seen"
    trusted = (before.printed, after.printed) if claim.verdict == "confirmed" else (before.right, after.right)
    wrong = (before.mutant, after.mutant) if claim.verdict == "confirmed" else (before.printed, after.printed)
    same = trusted[0] == trusted[1]
    return "other" if same and wrong[0] != wrong[1] else "survives"


@lru_cache
def _module(name: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[name]))


def _functions(check: Any) -> dict[str, ast.FunctionDef]:
    """The check and the functions of its module that it calls, without decorators."""
    known = {n.name: n for n in _module(check.__module__).body if isinstance(n, ast.FunctionDef)}
    found: dict[str, ast.FunctionDef] = {}
    todo = [check.__name__]
    while todo:
        name = todo.pop()
        node = known.get(name)
        if node is None or name in found or (node.decorator_list and name != check.__name__):
            continue  # what is computed once, and the checks of other claims
        plain = deepcopy(node)
        plain.decorator_list = []
        found[name] = plain
        todo += [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in known]
    return found


def _compiled(module: str, functions: dict[str, ast.FunctionDef], name: str) -> Any:
    """The check with these functions in place of the module's own."""
    space = dict(vars(sys.modules[module]))
    body: list[ast.stmt] = list(functions.values())
    tree = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(tree, module, "exec"), space)
    return space[name]


class _Editor(ast.NodeTransformer):
    """Counts the places that can be edited, and edits one of them."""

    def __init__(self, chosen: int = -1) -> None:
        self.chosen, self.count = chosen, 0
        self.within: set[int] = set()
        self.edits: list[tuple[int, str, str]] = []

    def offer(self, node: ast.expr, new: ast.expr) -> ast.expr:
        """One place: the new expression where it is the chosen one."""
        place, self.count = self.count, self.count + 1
        self.edits.append((node.lineno, ast.unparse(node), ast.unparse(new)))
        return ast.copy_location(new, node) if place == self.chosen else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        inner = {id(e) for e in (node.left, node.right) if _product(e)} if _product(node) else set()
        self.within |= inner  # the factor of a product is edited once, outside
        self.generic_visit(node)
        if _texts(node) or id(node) in self.within:
            return node
        if isinstance(node.op, (ast.Add, ast.Sub)) and not _vanishes(node.right):
            other: ast.operator = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            return self.offer(node, ast.BinOp(node.left, other, node.right))
        if _product(node) and not _vanishes(node) and not _size(node):
            return self.offer(node, ast.BinOp(ast.Constant(2), ast.Mult(), node))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return self.offer(node, node.operand)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in ("np.sin", "np.cos"):
            return self.offer(node, ast.Call(ast.parse(f"np.{OTHER[name[3:]]}", mode="eval").body, node.args, []))
        if name == "np.einsum" and node.args and isinstance(node.args[0], ast.Constant):
            swapped = _swapped(str(node.args[0].value))
            if swapped:
                return self.offer(node, ast.Call(node.func, [ast.Constant(swapped), *node.args[1:]], node.keywords))
        return node


def _product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.MatMult))


def _vanishes(node: ast.expr) -> bool:
    """The number 0, or a product with it, which gives an array its shape or kind."""
    factors = (node.left, node.right) if isinstance(node, ast.BinOp) else (node,)
    return any(isinstance(e, ast.Constant) and e.value == 0 for e in factors)


def _size(node: ast.expr) -> bool:
    """A residual over the size of its terms: twice as large it says the same."""
    return isinstance(node, ast.BinOp) and ast.unparse(node.left).startswith(("abs(", "np.max(", "float(", "np.linalg.norm("))


def _texts(node: ast.BinOp) -> bool:
    """Whether an operand is a text, a list or a formatted text, so that the operation is no formula."""
    inner = (node.left, node.right)
    return any(isinstance(e, (ast.JoinedStr, ast.List, ast.Tuple)) or isinstance(getattr(e, "value", 0), str) for e in inner)


def _swapped(subscripts: str) -> str:
    """The first operand with two indices has them exchanged; empty where none has.

    >>> _swapped("bca,x->bcx")
    'cba,x->bcx'
    """
    inputs, _, output = subscripts.partition("->")
    operands = inputs.split(",")
    for k, letters in enumerate(operands):
        if len(set(letters)) > 1:
            operands[k] = letters[1] + letters[0] + letters[2:]
            return f"{','.join(operands)}->{output}" if "->" in subscripts else ",".join(operands)
    return ""


def _forms(node: ast.FunctionDef) -> list[ast.AST]:
    """A function itself, or those inside it, that return the terms of an equation as a list."""

    def own(function: ast.FunctionDef) -> bool:
        return any(isinstance(n, ast.Return) and isinstance(n.value, ast.List) for n in function.body)

    if own(node):
        return [node]
    inner = [n for n in ast.walk(node) if n is not node and isinstance(n, ast.FunctionDef) and own(n)]
    return [*inner, *(n for n in ast.walk(node) if isinstance(n, ast.Lambda) and isinstance(n.body, ast.List))]


def _edits(node: ast.FunctionDef, whole: bool) -> list[tuple[int, str, str]]:
    editor = _Editor()
    _walk(deepcopy(node), editor, whole)
    return editor.edits


def _edited(node: ast.FunctionDef, place: int, whole: bool) -> ast.FunctionDef:
    made = deepcopy(node)
    _walk(made, _Editor(place), whole)
    return made


def _walk(node: ast.FunctionDef, editor: _Editor, whole: bool) -> None:
    """Visit the forms in a function, or all of it; edits are made in place."""
    for part in [node] if whole else _forms(node):
        editor.generic_visit(part)
