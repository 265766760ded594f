"""Machine code that two processes kept and a third reads: each function is itself, whatever its number when it was compiled."""

import subprocess
import sys

STATEMENTS = "\n".join(f"        x = x * factor + {k}.0 if x < {k + 1}.0 else x - sin({k}.5 * x)" for k in range(60))
MODULE = f"""
import sys
from math import sin
from nonholo.integrate.loops.loop_compiler import inner, outer

def make(factor):
    @inner
    def long(x):  # too long to be written into its callers: a function of its own in the machine code
{STATEMENTS}
        return x

    @outer
    def loop(x):
        return long(x) + long(x + 1.0) + long(x + 2.0)

    return loop

print([make(float(f))(1.0) for f in sys.argv[1:]])
"""


def test_two_functions_compiled_apart_under_one_name_stay_two(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(MODULE)

    def said(*factors: str) -> list[float]:
        done = subprocess.run([sys.executable, str(program), *factors], capture_output=True, text=True, timeout=120, check=True)
        return [float(word) for word in done.stdout.strip("[]\n").split(",")]

    one, two = said("1.1"), said("0.7")
    assert one != two
    assert len(list((tmp_path / "__pycache__").glob("*.nbc"))) == 2
    assert said("1.1", "0.7") == one + two
    assert said("0.7", "1.1") == two + one
