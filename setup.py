"""Build steps beside those of setuptools: the compiled loops (bitcode, by Numba), the scripts of pages and lab (by Node).

What is made stands in the source tree (ignored by Git), so that wheels, sdists and editable installations all hold it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCE = Path(__file__).parent.resolve() / "src"


def generate_loops() -> None:
    """LLVM bitcode of every loop whose sources have changed since it was made."""
    paths = os.pathsep.join([str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])])
    folder = SOURCE / "nonholo" / "integrate" / "loops" / "bitcode"
    words = [sys.executable, "-m", "nonholo.integrate.loops.compilation.generate", str(folder)]
    subprocess.run(words, check=True, env={**os.environ, "PYTHONPATH": paths})


def build_scripts(must: bool) -> None:
    """The scripts of living pages and of the lab; where that cannot be done it is an error if they ``must`` be there."""
    place = Path(__file__).parent.resolve() / "viewer" / "build.py"
    described = spec_from_file_location("viewer_build", place)
    if described is None or described.loader is None:
        raise FileNotFoundError(place)
    viewer = module_from_spec(described)
    described.loader.exec_module(viewer)
    trouble = viewer.build()
    if trouble and must:
        raise SystemExit(viewer.MISSING.format(reason=trouble, oldest=viewer.OLDEST))
    if trouble:
        viewer.warn(trouble)


class BuildPackage(build_py):
    """The package with what is generated for it."""

    def run(self) -> None:
        build_scripts(must=False)
        generate_loops()
        super().run()


class BuildSource(sdist):
    """The sources with what is generated for them: who installs them needs neither Node nor a network for it."""

    def run(self) -> None:
        build_scripts(must=True)
        generate_loops()
        super().run()


setup(cmdclass={"build_py": BuildPackage, "sdist": BuildSource})
