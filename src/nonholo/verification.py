"""Find the verification suite: the package ``nonholo_papers``, with the claims of the papers and the facts of the gallery.

It is a distribution of its own (``pip install ./papers`` in a clone). In a checkout it stands in ``papers/`` beside ``src/``,
and that copy is used, whatever else is installed.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from nonholo.errors import ModelError

PACKAGE = "nonholo_papers"


@cache
def available() -> bool:
    """Whether ``nonholo_papers`` can be imported; puts the copy of a checkout on the path.

    >>> available()
    True
    """
    beside = Path(__file__).resolve().parents[2] / "papers"
    if (beside / PACKAGE / "__init__.py").exists() and str(beside) not in sys.path[:1]:
        sys.path.insert(0, str(beside))
    return find_spec(PACKAGE) is not None


def require() -> None:
    """Raise an error that says how to install the verification suite, unless it is there."""
    if not available():
        raise ModelError(
            "the claims of the papers and the facts of the gallery are a package of their own, which is not installed; "
            "run `pip install ./papers` in a clone of the project."
        )
