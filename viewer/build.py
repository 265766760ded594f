"""Build the scripts of pages and of the lab into the package: ``python viewer/build.py``.

It needs Node and the npm registry, and does nothing where the scripts are made of these sources already. A digest of the sources
stands beside the scripts, so that an sdist, which holds both, needs neither.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent.resolve()
ASSETS = HERE.parent / "src" / "nonholo" / "present" / "assets"
STAMP = ASSETS / "built_from.txt"
OLDEST = 18
NEEDED = ("viewer.js", "lab.js", "plotly.js", "THIRD_PARTY_LICENSES.txt")
MISSING = """
!!! nonholo: the scripts of living pages and of the lab are missing: {reason}.
!!! Reports will have no sliders, and `nonholo lab` will not open. To get them, install Node {oldest} or later, allow access to
!!! the npm registry, and run in the folder of the sources: python viewer/build.py (a checkout) or pip install . (again).
"""


def sources() -> str:
    """A digest of all that the scripts are made of."""
    digest = hashlib.sha256()
    files = [HERE / name for name in ("build.mjs", "package.json", "package-lock.json")]
    for path in [*files, *sorted((HERE / "src").rglob("*"))]:
        if path.is_file():
            digest.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def fresh() -> bool:
    """Whether the scripts are there and made of these sources."""
    try:
        return STAMP.read_text("utf-8").strip() == sources() and all((ASSETS / name).is_file() for name in NEEDED)
    except OSError:
        return False


def build() -> str:
    """Build them; returns what stands in the way, or nothing."""
    if fresh():
        return ""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "Node and npm are not installed"
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    if not version.startswith("v") or int(version[1:].split(".")[0]) < OLDEST:
        return f"Node is {version or 'of an unknown version'}"
    steps = (
        [npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        [node, "build.mjs"],
    )
    for words in steps:
        done = subprocess.run(words, cwd=HERE, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            (HERE / "build.log").write_text(done.stdout + done.stderr, "utf-8")
            return f"`{Path(words[0]).name} {words[1]}` failed, see {HERE / 'build.log'}"
    STAMP.write_text(sources() + "\n", "utf-8")
    return ""


def warn(reason: str) -> None:
    """Say what is missing and what to do; also at the terminal itself, since pip shows nothing of a build that ends well."""
    text = MISSING.format(reason=reason, oldest=OLDEST)
    print(text, file=sys.stderr)
    if not sys.stderr.isatty():
        with suppress(OSError), open("/dev/tty", "w") as terminal:
            terminal.write(text)


if __name__ == "__main__":
    trouble = build()
    if trouble:
        warn(trouble)
    sys.exit(bool(trouble))
