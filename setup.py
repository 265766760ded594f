"""Build steps beside those of setuptools: the compiled loops as LLVM bitcode, made with Numba; the rest stands in pyproject.toml.

What is made stands in the source tree (ignored by Git), so that wheels, sdists and editable installations all hold it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCE = Path(__file__).parent.resolve() / "src"


def generate_loops() -> None:
    """LLVM bitcode of every loop whose sources have changed since it was made."""
    paths = os.pathsep.join([str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])])
    folder = SOURCE / "nonholo" / "integrate" / "loops" / "bitcode"
    words = [sys.executable, "-m", "nonholo.integrate.loops.generate", str(folder)]
    subprocess.run(words, check=True, env={**os.environ, "PYTHONPATH": paths})


class BuildPackage(build_py):
    """The package with what is generated for it."""

    def run(self) -> None:
        generate_loops()
        super().run()


class BuildSource(sdist):
    """The sources with what is generated for them."""

    def run(self) -> None:
        generate_loops()
        super().run()


setup(cmdclass={"build_py": BuildPackage, "sdist": BuildSource})
