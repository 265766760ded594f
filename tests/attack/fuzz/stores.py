"""Results: NetCDF files of motions (sealed again after the damage, as a forger would) and Zarr stores of sweeps."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

KINDS = ("flip", "flip", "flip", "cut", "zero", "fill", "copy", "insert", "drop", "text")


def make(chance: Random) -> dict[str, Any]:
    changes = [
        [chance.choice(KINDS), chance.random(), chance.random(), chance.randrange(256), chance.randint(1, 64)]
        for _ in range(chance.randint(1, 4))
    ]
    return {"changes": changes, "sealed": chance.random() < 0.8, "file": chance.random()}


def changed(content: bytes, changes: list[Any]) -> bytes:
    found = bytearray(content)
    for kind, place, other, value, length in changes:
        at, to = int(place * len(found)), int(other * len(found))
        if kind == "flip" and found:
            found[at] ^= 1 << value % 8
        elif kind == "cut":
            del found[max(at, 1) :]
        elif kind in ("zero", "fill"):
            found[at : at + length] = bytes([0 if kind == "zero" else value]) * len(found[at : at + length])
        elif kind == "copy":
            found[at : at + length] = found[to : to + length]
        elif kind == "insert":
            found[at:at] = bytes([value]) * length
        elif kind == "drop":
            del found[at : at + length]
        elif kind == "text":  # digits and words of the attributes, where lies are told
            old, new = ((b"reached", b"invents"), (b"0", b"9"), (b"1", b"-"), (b"[", b"{"), (b'"', b"'"))[value % 5]
            spot = found.find(old, at)
            if spot >= 0:
                found[spot : spot + len(old)] = new
    return bytes(found)


@cache
def motion() -> bytes:
    import nonholo as nh

    system = nh.System("cart", coordinates="x", lagrangian="m*xdot**2/2 - x**2", parameters={"m": 1.7})
    place = Path(mkdtemp()) / "run.nc"
    nh.simulate(system, {"x": 0.3, "xdot": 1.0}, 2.0, t_eval=31, events=["x"]).save(place)
    content = place.read_bytes()
    shutil.rmtree(place.parent)
    return content


def run_netcdf(case: dict[str, Any], place: Path) -> None:
    import nonholo as nh
    from nonholo.integrate.results.trajectory_files import seal

    inner = motion()[: -len(seal(b""))]
    content = changed(inner, case["changes"]) if case["sealed"] else changed(motion(), case["changes"])
    file = place / "run.nc"
    file.write_bytes(content + seal(content) if case["sealed"] else content)
    try:
        run = nh.open(file)
    except nh.FileError:
        return
    if not case["sealed"] and content != motion():
        raise AssertionError("damage that the seal did not notice")
    repr(run), str(run.outcome), dict(run.final), dict(run.events), run.drift("energy"), run.data.mean(), run.system


@cache
def store() -> tuple[Path, dict[str, bytes], Any]:
    """A store with the TOML of its sweep, its bytes, and its numbers."""
    import atexit

    import nonholo as nh
    from tests.attack.fuzz.files import SPEC

    place = Path(mkdtemp(prefix="fuzz-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "sweep.toml").write_text(SPEC)
    data = nh.sweep(place / "sweep.toml", store=place / "s.zarr", threads=1).load()
    return place, contents(place), data


def contents(place: Path) -> dict[str, bytes]:
    return {str(p.relative_to(place)): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def run_zarr(case: dict[str, Any], place: Path) -> None:
    """One file of a store is damaged or deleted; afterwards it is put back."""
    origin, whole, _ = store()
    names = [n for n in whole if n.rpartition("/")[2] not in ("running", "preparing", "begun", "sweep.toml")]
    name = names[int(case["file"] * len(names))]
    try:
        if case["sealed"]:
            (origin / name).write_bytes(changed(whole[name], case["changes"]))
        else:
            (origin / name).unlink()
        _tried(case, name)
    finally:
        for n, content in whole.items():
            if not (origin / n).is_file() or (origin / n).read_bytes() != content:
                (origin / n).parent.mkdir(parents=True, exist_ok=True)
                (origin / n).write_bytes(content)


def _tried(case: dict[str, Any], name: str) -> None:
    import nonholo as nh
    from nonholo.integrate.many.sweep import open_sweep

    origin, whole, sound = store()
    target = origin / name
    damage = not target.is_file() or target.read_bytes() != whole[name]
    try:
        data = open_sweep(origin / "s.zarr").load()
        if (damage and ".marks" not in name) or not all(data[n].equals(e) for n, e in sound.items()):
            raise AssertionError(f"damage to {name} went unnoticed")
    except nh.FileError:
        pass
    if case["changes"][0][3] % 16 == 0:
        try:
            nh.sweep(origin / "sweep.toml", store=origin / "s.zarr", threads=1)
        except nh.FileError:
            return
        found = {n: c for n, c in contents(origin).items() if n.startswith("s.zarr/")}
        if found != {n: c for n, c in whole.items() if n.startswith("s.zarr/")}:
            raise AssertionError(f"damage to {name} was not mended")
