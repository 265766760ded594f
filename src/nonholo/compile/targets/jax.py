"""JAX: the same functions in jax.numpy; jit, grad and vmap work on them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from nonholo.compile.portable_program import Portable
from nonholo.compile.targets.numpy import language, module, text
from nonholo.compile.targets.registry import Files, Target, missing, register

SPECIAL = {
    "tgamma": "jax.scipy.special.gamma", "lgamma": "jax.scipy.special.gammaln", "erf": "jax.scipy.special.erf",
    "erfc": "jax.scipy.special.erfc",
}  # fmt: skip
JAX = language("JAX", "jnp", SPECIAL)
HEAD = """import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)  # motion in single precision is no motion
"""
STACK = '''
def _stacked(values, t, x, u, p, shape=None):
    """The outputs as one array, its first axes over outputs, the rest over members."""
    spread = jnp.broadcast_shapes(jnp.shape(t), *(jnp.shape(a) for a in (*x, *u, *p)))
    filled = [jnp.broadcast_to(jnp.asarray(v, dtype=float), spread) for v in values]
    table = jnp.stack(filled) if filled else jnp.empty((0, *spread))
    return table if shape is None else table.reshape(*shape, *spread)


'''


def jax_text(p: Portable) -> str:
    """The module's text."""
    return text(p, JAX, HEAD, STACK)


def _loaded(p: Portable) -> Any:
    if find_spec("jax") is None:
        raise missing("jax", "jax")
    return module(jax_text(p), p.name)


def _files(p: Portable, stem: str) -> Files:
    return {f"{stem}.py": jax_text(p)}


register(Target("jax", "JAX functions: jit, grad and vmap work", ".py", _files, _loaded))
