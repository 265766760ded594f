"""Machine code that is no longer used leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import symengine as se

from nonholo.program import hash_consing

GROWTH = """
import gc
from pathlib import Path
from nonholo.program.llvm_jit import load
TEXT = (
    "define void @run(ptr %o, ptr %i, ptr %d) nounwind {{\\n%a = load double, ptr %i\\n"
    "%b = fmul double %a, {:.1f}\\nstore double %b, ptr %o\\nret void\\n}}"
)
def held():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
for k in range(100):
    load(TEXT.format(k))
before = held()
for k in range(500):
    load(TEXT.format(k))
print((held() - before) / 500)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_compiling_again_and_again_takes_no_more_memory() -> None:
    done = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1000  # bytes for each program; a builder of passes for each left 3000


def test_the_sizes_of_many_small_expressions_are_forgotten() -> None:
    x = se.Symbol("x")
    for k in range(4 * hash_consing.SIZES):
        hash_consing.tree_size(se.sin(k * x))
    table = hash_consing._table
    assert len(table.sizes) + len(table.sizes_old) < 2 * hash_consing.SIZES + 10
    table.sizes.clear()
    table.sizes_old.clear()
    deep = x
    for _ in range(hash_consing.SIZES):
        deep = se.sin(deep) + x
    assert hash_consing.tree_size(deep) == 3 * hash_consing.SIZES + 1
    assert len(table.sizes) > 2 * hash_consing.SIZES  # one expression is counted whole, however deep
