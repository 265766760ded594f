"""Generate the loops' LLVM bitcode with Numba: ``python -m nonholo.integrate.loops.compilation.generate FOLDER [UNIT …]``.

This is a step of building the package. The bitcode is simplified but holds no instructions of a particular processor: these are
made where it runs. The same sources and the same Numba give the same bytes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nonholo.integrate.loops.compilation.loop_compiler import GENERATING
from nonholo.integrate.loops.compilation.native import MODELLED, Entry, generate, marked

KINDS = {"i": "i64", "d": "double"}


def units() -> dict[str, tuple[Entry, ...]]:
    """What is compiled together, by name: the loop, the rows of a table, every method's parts, its loop for several motions."""
    import nonholo.integrate.methods  # noqa: F401  (registers them)
    from nonholo.integrate.loops.loop_rates import run_rows
    from nonholo.integrate.loops.step_loop import run_loop
    from nonholo.integrate.methods import registered_methods

    methods = [kind for kind in registered_methods().values() if kind.compiled]
    routines = [run_loop, run_rows, *(kind.lanes for kind in methods if kind.lanes is not None)]
    return {unit.name: unit.entries for unit in routines} | {kind.loop.name: kind.loop.entries for kind in methods}


def bitcode(name: str, entries: Sequence[Entry]) -> bytes:
    """LLVM's code of some functions and of all they call, as one module that shows nothing but them."""
    import llvmlite.binding as llvm
    from numba.core import types

    kinds = {"i": types.int64, "d": types.float64}
    module = llvm.parse_assembly("")
    module.name = name
    for entry in entries:
        result = types.int64 if entry.returns else types.void
        signature = result(*(kinds[letter] for letter in entry.arguments))
        dispatcher: Any = entry.function
        dispatcher.compile(signature)
        made = dispatcher.overloads[signature.args]
        module.link_in(llvm.parse_assembly(made.library.get_llvm_str()))
        module.link_in(llvm.parse_assembly(_wrapper(entry, made.fndesc.llvm_func_name)))
    shown = {entry.name for entry in entries}
    for function in module.functions:
        if not function.is_declaration and function.name not in shown:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    machine = llvm.Target.from_default_triple().create_target_machine(cpu=MODELLED, opt=3)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_strip_symbols_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
    module.triple = module.data_layout = ""
    return bytes(module.as_bitcode())


def _wrapper(entry: Entry, name: str) -> str:
    """The function as C calls it. Numba's own takes a place for its result and one for an error; loops have none."""
    arguments = [f"{KINDS[letter]} %a{k}" for k, letter in enumerate(entry.arguments)]
    result = "i64" if entry.returns else "void"
    lines = [
        f"declare i32 @{name}({', '.join(['ptr', 'ptr', *(KINDS[letter] for letter in entry.arguments)])})",
        f"define {result} @{entry.name}({', '.join(arguments)}) nounwind {{",
        "%result = alloca i64",
        "%error = alloca ptr",
        f"%status = call i32 @{name}({', '.join(['ptr %result', 'ptr %error', *arguments])})",
        *(["%answer = load i64, ptr %result", "ret i64 %answer"] if entry.returns else ["ret void"]),
        "}",
    ]
    return "\n".join(lines)


def main(folder: Path, wanted: Sequence[str]) -> None:
    """Generate these units (all, when none is named) into a folder."""
    known = units()
    strange = [name for name in wanted if name not in known]
    if strange:
        raise SystemExit(
            f"there is no loop {strange[0]!r} among {', '.join(sorted(known))}; a method is known when its file stands in "
            "nonholo/integrate/methods."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(wanted or known):
        (folder / f"{name}.bc").write_bytes(marked(bitcode(name, known[name])))


def stale(folder: Path) -> list[str]:
    """The units whose bitcode in a folder is missing or of other sources."""

    def fresh(path: Path) -> bool:
        return path.is_file() and path.read_bytes().startswith(marked(b""))

    return [name for name in units() if not fresh(folder / f"{name}.bc")]


if __name__ == "__main__":
    place, *named = sys.argv[1:]
    if GENERATING in os.environ:
        main(Path(place), named)
    elif wanted := named or stale(Path(place)):
        generate(Path(place), wanted)
