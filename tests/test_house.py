"""The house: a room imports only rooms above it and files stay small."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import nonholo

ROOMS = (
    "errors", "lazy_names", "writing", "verification", "program", "algebra", "notation", "finding", "geometry", "model",
    "machines", "derive", "compile", "integrate", "symmetry", "analyse", "control", "dossier", "fields", "gallery", "present",
    "lab", "cli",
)  # fmt: skip
"""From the top of the house down; only rooms that exist."""
STREET = "street"
"""The package's own front, which may use every room."""
ROOT = Path(nonholo.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
PAPERS = Path(__file__).parents[1] / "papers"
"""The verification suite, a package of its own, which may use every room; the same rules on size and types hold in it."""
EVERY = [*FILES, *sorted(PAPERS.rglob("*.py"))]
TESTS = sorted(Path(__file__).parent.rglob("*.py"))
MAY_VERIFY = {"gallery", "cli"}
"""The rooms that ask the verification suite, where it is installed."""
LIMIT = 400
UNTYPED = {"Poly"}
"""The name for what SymPy does not type, see `nonholo.algebra.expression_types`."""


def _name(path: Path) -> str:
    folders = (PAPERS, ROOT, Path(__file__).parents[1])
    return str(path.relative_to(next(folder for folder in folders if path.is_relative_to(folder))))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))


def broken(paths: Iterable[Path], rule: Callable[[Path], object]) -> dict[str, object]:
    """What a rule finds, by file; a rule returns something empty where it is kept."""
    return {_name(path): found for path in paths if (found := rule(path))}


def room_of(path: Path) -> str:
    """The room a file stands in; the package's own doors count as the street."""
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return {"__init__": STREET, "__main__": "cli"}.get(first, first)


def imported_rooms(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and room of every import of ours, wherever it stands; ``package`` is where the file stands."""
    for node in nodes(tree):
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            targets = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            targets = [_spelt(node.args[0])] if node.args else []
        for target in targets:
            if target.split(".")[0] == "nonholo":
                yield node.lineno, _room_named(target)


def _spelt(node: ast.expr) -> str:
    """A module named by text, or by text that begins with words of its own."""
    if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
        return str(node.values[0].value)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _room_named(target: str) -> str:
    words = [*target.split("."), "", ""]
    if words[1] in nonholo._WHERE:  # from nonholo import System
        words = nonholo._WHERE[words[1]].split(".")
    if words[1] == "__version__":
        return ROOMS[0]
    return words[1] if words[1] in ROOMS else STREET


def trespasses(tree: ast.Module, room: str, package: tuple[str, ...]) -> list[str]:
    """Imports of rooms below one's own."""
    order = (*ROOMS, STREET)
    own = order.index(room)
    return [f"line {n}: {room} imports {r}" for n, r in imported_rooms(tree, package) if order.index(r) > own]


def test_a_room_imports_only_rooms_above_it() -> None:
    assert {room_of(path) for path in FILES} <= {*ROOMS, STREET}
    assert broken(FILES, lambda path: trespasses(_tree(path), room_of(path), package_of(path))) == {}


def imports_of_papers(path: Path) -> list[int]:
    """The lines that import the verification suite where that is not allowed: in other rooms, or outside a function."""
    tree = _tree(path)
    found = [n for n in nodes(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) and "nonholo_papers" in ast.unparse(n)]
    return [n.lineno for n in found if room_of(path) not in MAY_VERIFY or n in tree.body]


def test_the_tool_works_without_the_papers() -> None:
    """Only some rooms import the verification suite, and only inside functions that have asked whether it is there."""
    assert broken(FILES, imports_of_papers) == {}


@pytest.mark.parametrize(
    "line",
    [
        "import nonholo.derive.hamel",
        "from nonholo.derive import hamel",
        "from nonholo import hamel",
        "from nonholo import simulate as motion",
        "import nonholo",
        "from nonholo import gallery",
        "def f():\n    from nonholo.integrate.motion.simulate import simulate",
        "if TYPE_CHECKING:\n    from nonholo.gallery.exhibit import Exhibit",
        "from ..derive.hamel import hamel",
        "from .. import derive",
        "import_module('nonholo.cli')",
        "importlib.import_module(f'nonholo.gallery.{name}')",
    ],
)
def test_the_rule_sees_every_way_of_importing(line: str) -> None:
    assert len(trespasses(ast.parse(line), "model", ("nonholo", "model"))) == 1
    assert trespasses(ast.parse(line), STREET, ("nonholo",)) == []


def test_the_rule_lets_pass_what_is_above_and_what_is_not_ours() -> None:
    lines = "import numpy\nfrom nonholo.notation import read\nfrom .system import System\nfrom nonholo import ModelError"
    assert trespasses(ast.parse(lines), "model", ("nonholo", "model")) == []


def test_every_room_exists_and_has_its_place() -> None:
    found = {p.name for p in ROOT.iterdir() if p.is_dir() and (p / "__init__.py").exists()}
    found |= {p.stem for p in ROOT.glob("*.py") if not p.stem.startswith("__")}
    assert set(ROOMS) == found


def test_an_expression_has_one_name() -> None:
    """One protocol for what SymEngine does not type; every room takes it from there."""
    named = [p for p in FILES if re.search(r"^(class Expr\(|Expr\b.*=)", p.read_text(), re.MULTILINE)]
    assert [str(p.relative_to(ROOT)) for p in named] == ["program/expression_type.py"]


def hopes(tree: ast.Module) -> list[int]:
    """The lines that assert that something is not None: a type should have said so."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.Assert)
        for part in ast.walk(node.test)
        if isinstance(part, ast.Compare) and any(isinstance(op, ast.IsNot) for op in part.ops)
        and any(isinstance(e, ast.Constant) and e.value is None for e in part.comparators)
    ]  # fmt: skip


def test_nobody_has_to_assert_that_something_is_there() -> None:
    assert broken(EVERY, lambda path: hopes(_tree(path))) == {}


def _anything(node: ast.AST, loose: Container[str]) -> bool:
    """Whether a type holds ``Any`` by some name; the shape and kind of number of an array may be open."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("np.ndarray", "NDArray", "Literal"):
        return False
    if isinstance(node, ast.Call):
        return False
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return any(word in loose for word in re.findall(r"\w+", node.value))
    own = (isinstance(node, ast.Name) and node.id in loose) or (isinstance(node, ast.Attribute) and node.attr == "Any")
    return own or any(_anything(part, loose) for part in ast.iter_child_nodes(node))


def untyped_fields(tree: ast.Module) -> list[str]:
    """Fields of records whose type is ``Any``, or made of it, also by another name given to it in the module."""
    loose = {"Any"}
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Name, ast.Subscript)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id not in UNTYPED and _anything(node.value, loose):
                loose.add(target.id)
    return [
        f"line {field.lineno}: {node.name}.{ast.unparse(field.target)}"
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and _anything(field.annotation, loose)
    ]


def test_every_field_of_a_record_has_a_type() -> None:
    assert broken(EVERY, lambda path: untyped_fields(_tree(path))) == {}


def test_hopes_and_untyped_fields_are_seen_however_they_are_written() -> None:
    assert hopes(ast.parse("def f(x):\n    y = x\n    assert (y is not None and\n        y > 1)")) == [3]
    assert hopes(ast.parse("assert x is None or y != 2\nif x is not None: pass")) == []
    head = "import typing\nfrom typing import Any\nRow = tuple[Any, ...]\nTable = list[Row]\nArray = NDArray[Any]\n"
    for kind in ("Any", "dict[str, Any]", "Table | None", "typing.Any", '"Any | None"', "ClassVar[Any]"):
        assert untyped_fields(ast.parse(f"{head}class A:\n    b: int\n    c: {kind} = 1")) == ["line 8: A.c"], kind
    for kind in ("Array", "Expr | None", "object", "float"):
        assert untyped_fields(ast.parse(f"{head}class A:\n    c: {kind}\n    def f(self, x: Any) -> Any: ...")) == [], kind


def package_of(path: Path) -> tuple[str, ...]:
    return ("nonholo", *path.relative_to(ROOT).parts[:-1])


def module_name(path: Path) -> str:
    parts = ("nonholo", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(tree: ast.Module, package: tuple[str, ...], known: Container[str]) -> set[str]:
    """Every module of ours that a source imports, at the top, in a function or for the types alone."""
    found = set()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            inner = {f"{module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else module for name in inner}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            found |= {_spelt(node.args[0])} if node.args else set()
    return {name for name in found if name in known}


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Groups of modules each of which reaches all others of its group: strong components, by who reaches whom."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        todo = list(graph[start])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += graph.get(name, ())
        reach[start] = seen
    groups = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in graph if a in reach[a]}
    return sorted((set(g) for g in groups), key=lambda g: sorted(g))


def test_no_module_imports_itself_through_others() -> None:
    names = {module_name(p): p for p in FILES}
    del names["nonholo"]  # the front finds its names when they are asked for
    graph = {
        name: imported_modules(_tree(path), package_of(path), names) - {name}
        for name, path in names.items()
    }
    assert cycles(graph) == []


def test_cycles_are_seen_however_they_are_written() -> None:
    known = {"nonholo.a.one", "nonholo.a.two", "nonholo.a.three"}
    lazy = "def f():\n    from nonholo.a.two import g"
    typed = "if TYPE_CHECKING:\n    from .one import Thing"
    one, two = (imported_modules(ast.parse(text), ("nonholo", "a"), known) for text in (lazy, typed))
    graph = {"nonholo.a.one": one, "nonholo.a.two": two, "nonholo.a.three": {"nonholo.a.one"}}
    assert cycles(graph) == [{"nonholo.a.one", "nonholo.a.two"}]
    assert imported_modules(ast.parse("from nonholo.a import three"), ("nonholo", "b"), known) == {"nonholo.a.three"}


def test_a_module_of_the_papers_has_a_name_of_its_own() -> None:
    names = [p.stem for p in PAPERS.rglob("*.py") if p.stem != "__init__"]
    assert sorted({n for n in names if names.count(n) > 1}) == []


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {_name(path): len(path.read_text().splitlines()) for path in [*EVERY, *TESTS]}
    assert {name: length for name, length in lengths.items() if length > LIMIT} == {}


def timed(tree: ast.Module) -> list[int]:
    """The lines that assert something on processor or clock time."""
    asserted = [n for n in nodes(tree) if isinstance(n, ast.Assert)]
    called = [(n.lineno, ast.unparse(c.func)) for n in asserted for c in ast.walk(n) if isinstance(c, ast.Call)]
    return [line for line, name in called if name.split(".")[-1] in ("process_time", "perf_counter", "thread_time")]


def test_no_test_leans_on_the_clock() -> None:
    """Work is counted by `tests.counted`."""
    assert broken(TESTS, lambda path: timed(_tree(path))) == {}


def test_the_rule_on_clocks_sees_an_assertion() -> None:
    assert timed(ast.parse("begun = process_time()\nassert time.process_time() - begun < 5\nassert monotonic() < end")) == [2]


SOLVERS = {
    "simulate", "ensemble", "sweep", "reduce", "integrals", "verdict", "measure", "hamiltonise", "check", "classify",
    "equilibria", "portrait", "study", "relative_equilibria", "stability", "branch", "orbit", "section", "lyapunov",
    "boundaries", "chart", "hamel", "multipliers", "gibbs_appell", "voronetz", "hamilton", "linearise", "fit",
    "energy_finding", "advance", "prepare", "gait", "gait_map", "gait_sketch", "swing_sketch", "lqr", "steer", "flatness",
    "controllability", "frequencies", "steady_comparison", "compared", "branch_of", "end_of_branch", "constant_energy",
    "complete_state", "contact_problem", "denser",
}  # fmt: skip
"""Functions that find something: `present` draws what `nonholo.dossier` holds and calls none of them."""
ASKED_OF_A_SYSTEM = {
    "phase_portrait.py": ["portrait", "hamilton"], "comparison_plot.py": ["compared", "steady_comparison"],
    "reduction_plot.py": ["study"], "page_modes.py": ["complete_state", "contact_problem"], "scene.py": ["denser"],
}  # fmt: skip
"""Public pictures ask for the record that they draw, living pages for the whole start, films of quick motions more moments."""


def solvers_used(tree: ast.Module) -> list[str]:
    """Solvers that a module imports from rooms above `present`."""
    found = [n for n in nodes(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("nonholo")]
    return [a.name for n in found if "present" not in (n.module or "") for a in n.names if a.name in SOLVERS]


def test_present_draws_and_calls_no_solver() -> None:
    used = {p.name: found for p in FILES if room_of(p) == "present" and (found := solvers_used(_tree(p)))}
    assert used == ASKED_OF_A_SYSTEM


def test_the_rule_on_solvers_sees_an_import_inside_a_function() -> None:
    assert solvers_used(ast.parse("def f():\n    from nonholo.integrate.motion.simulate import simulate")) == ["simulate"]


SINGULAR_VECTORS = {
    "algebra/subspaces.py",
    "symmetry/witness/multiplier_flow.py", "derive/laws/check.py",  # witnesses, which share no code with what they try
    "present/film/scene.py", "analyse/fitting/fit_parameters.py", "analyse/stability/spectrum.py", "control/feedback/riccati.py",
    "control/reachability/sussmann.py", "symmetry/group/affine_symmetries.py", "symmetry/integrals/several/taylor_transport.py",
    "compile/schemes/given_lagrangian.py", "machines/dynamics/missing_inertia.py", "model/drawing/sketch_fit.py",
    "analyse/flow/tangent_divergence.py", "analyse/portrait/plane_equilibria.py", "analyse/continuation/steady_curve.py",
    "analyse/orbits/floquet.py", "analyse/steady/join_families.py",
}  # fmt: skip
"""Null spaces and spans are found in `nonholo.algebra.subspaces`; these need singular vectors for more than a subspace."""


def singular_vectors(path: Path) -> list[int]:
    """The lines that compute singular vectors, not values alone."""
    calls = [n for n in nodes(_tree(path)) if isinstance(n, ast.Call) and ast.unparse(n.func) == "np.linalg.svd"]
    return [n.lineno for n in calls if not any(k.arg == "compute_uv" for k in n.keywords)]


def test_null_spaces_of_numbers_are_found_in_one_module() -> None:
    assert set(broken(FILES, singular_vectors)) == SINGULAR_VECTORS


NAMED_BY_USERS = ("gallery", "cli/commands")
"""Folders whose files carry the name that a user types: a system, a problem, a command."""
FULL = 16
"""So many files may stand in one folder; more want folders by subject."""


def folder_of(path: Path) -> str:
    return path.parent.relative_to(ROOT).as_posix()


def repeated_names(paths: Iterable[Path]) -> list[str]:
    """Module names that occur twice, other than those that users type."""
    own = [p.stem for p in paths if p.stem != "__init__" and not folder_of(p).startswith(NAMED_BY_USERS)]
    return sorted(name for name, count in Counter(own).items() if count > 1)


def full_folders(paths: Iterable[Path]) -> list[str]:
    """Folders with more files than they may have."""
    counts = Counter(folder_of(p) for p in paths if p.stem != "__init__" and not folder_of(p).startswith(NAMED_BY_USERS))
    return sorted(f"{folder}: {count}" for folder, count in counts.items() if count > FULL)


def test_expressions_are_multiplied_out_by_one_function() -> None:
    """SymEngine's own ``expand`` leaves products of numbers in sums, which it reads as other numbers later."""
    for path in FILES:
        calls = [n.func for n in nodes(_tree(path)) if isinstance(n, ast.Call)]
        own = [f for f in calls if isinstance(f, ast.Attribute) and f.attr == "expand" and ast.unparse(f.value) != "sympy"]
        assert len(own) == (1 if path.name == "calculus.py" else 0), f"{path}: use nonholo.algebra.calculus.expand"


def test_a_module_name_occurs_once() -> None:
    assert repeated_names(FILES) == []
    assert repeated_names([*FILES, ROOT / "derive" / "latex.py"]) == ["latex"]


def test_folders_stay_small() -> None:
    assert full_folders(FILES) == []
    assert full_folders([*FILES, *(ROOT / "notation" / f"m{k}.py" for k in range(9))]) == ["notation: 19"]


def test_a_folder_says_what_is_in_it() -> None:
    silent = [folder for folder in {p.parent for p in FILES} if not ast.get_docstring(_tree(folder / "__init__.py"))]
    assert silent == []
