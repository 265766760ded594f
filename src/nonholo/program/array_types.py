"""Types of NumPy arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""Floats, of any shape."""
AnyArray: TypeAlias = NDArray[Any]
"""Numbers of any kind: floats or complex ones, of any shape."""
Mask: TypeAlias = NDArray[np.bool_]
