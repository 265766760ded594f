"""TOML files of systems and of sweeps: true ones, damaged."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from tests.attack.fuzz.expressions import HOSTILE, damaged

NAMES = ["chaplygin-sleigh", "euler-top", "rolling-disk", "snakeboard", "gauge-momentum", "rattleback", "heavy-top"]
VALUES = [
    "nan", "inf", "-inf", "1e400", "10" * 300, "-1", "0", "true", '""', '"' + "x" * 3000 + '"', "[]", "[[]]",
    "{}", "[1, 2]", '["x"]',
    "1979-05-27", "07:32:00", "0x1F", "1_000", '"\\u0000"', '"\\U0010FFFF"', "'''a\nb'''",
    "[" * 60 + "]" * 60, '"x y z"', '"x x"',
    '{a = {b = {c = 1}}}', '["xdot", "xdot"]', "9223372036854775808", "1e-320", '"lambda"', '"__class__"',
    '"../../etc/passwd"',
    "1000000000000", "2147483648", "-0.0", '"\\n"', '"=1+1"', "{from = 0, to = 1, count = 1000000000}",
    '{from = 1, to = 0, count = 2}',
    "{from = -1, to = 1, count = 3, log = true}", '{from = "a", to = 1, count = 2}', "{count = 3, x = {from = 0, to = 1}}",
]  # fmt: skip
KEYS = [
    "name", "coordinates", "parameters", "lagrangian", "constraints", "quasivelocities", "frame", "parametric",
    "holonomic", "forces",
    "magnetic", "inputs", "symmetry", "start", "until", "units", "drawing", "system", "grid", "random",
    "latin", "record", "method",
    "rtol", "atol", "chunk", "seed", "store", "options", "unknown", "x", "a.b.c", '"quoted key"', "''", "__proto__",
]  # fmt: skip
SPEC = '''
until = 0.5
chunk = 2
method = "dop853"
rtol = 1e-6
seed = 3
store = "s.zarr"
[system]
name = "cart"
coordinates = "x"
lagrangian = "m*xdot**2/2 - k*x**2/2"
parameters = {m = 1.0, k = 2.0}
[start]
x = 0.1
[grid]
xdot = {from = 0.5, to = 2.0, count = 2}
m = [1.0, 2.0]
[record]
final = ["x"]
extrema = ["xdot"]
events = ["x"]
drift = ["energy"]
trajectory = ["x"]
points = 5
[options]
max_steps = 1000
'''


@cache
def texts() -> list[str]:
    import nonholo as nh
    from nonholo.model.files.toml_files import dumps

    known = set(nh.gallery.system_names())
    return [dumps(nh.gallery.get(n).system) for n in NAMES if n in known]


def mutated(text: str, chance: Random) -> str:
    """Lines swapped, dropped, doubled, given other values or keys; or characters anywhere."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.random()
        if kind < 0.35 and "=" in lines[at]:
            lines[at] = f"{lines[at].split('=')[0]}= {chance.choice(VALUES)}"
        elif kind < 0.45 and "=" in lines[at]:
            lines[at] = f"{chance.choice(KEYS)} = {lines[at].partition('=')[2]}"
        elif kind < 0.55:
            lines.insert(at, f"{chance.choice(KEYS)} = {chance.choice(VALUES)}")
        elif kind < 0.62:
            lines.insert(at, f"[{chance.choice(KEYS)}]")
        elif kind < 0.7:
            del lines[at]
        elif kind < 0.75:
            lines.insert(chance.randrange(len(lines) + 1), lines[at])
        elif kind < 0.9 and '"' in lines[at]:
            inner = lines[at].split('"')
            which = chance.randrange(len(inner))
            inner[which] = damaged(inner[which], chance, [h for h in HOSTILE if '"' not in h])
            lines[at] = '"'.join(inner)
        else:
            lines[at] = damaged(lines[at], chance, HOSTILE)
        text = "\n".join(lines) or " "
    return text


def make_toml(chance: Random) -> str:
    return mutated(chance.choice(texts()), chance)


def run_toml(case: str, place: Path) -> None:
    import nonholo as nh
    from nonholo.model.files.toml_files import dumps

    file = place / "system.toml"
    file.write_bytes(case.encode("utf-8", "surrogatepass"))
    try:
        system = nh.load(file)
    except nh.NonholoError:
        return
    text = dumps(system)
    file.write_text(text, "utf-8")
    again = nh.load(file)
    if dumps(again) != text:
        raise AssertionError("read, written and read again it is another system")


def make_spec(chance: Random) -> str:
    return mutated(SPEC, chance)


def run_spec(case: str, place: Path) -> None:
    import shutil

    import nonholo as nh
    from nonholo.integrate.many.sweep import read_words
    from nonholo.integrate.many.sweep_spec import read_spec

    file = place / "sweep.toml"
    file.write_bytes(case.encode("utf-8", "surrogatepass"))
    try:
        plan = read_spec(read_words(file, place / "s.zarr")[0])
        small = plan.count <= 8 and abs(plan.until) <= 1 and plan.points <= 100 and plan.most_events <= 100
        if small and len(case) % 5 == 0:
            nh.sweep(file, store=place / "s.zarr", threads=1)
    except nh.NonholoError:
        pass
    finally:
        shutil.rmtree(place / "s.zarr", ignore_errors=True)
        shutil.rmtree(place / "s.zarr.marks", ignore_errors=True)
