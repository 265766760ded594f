"""Properties of integrators, as they were measured on small test systems (`nonholo_papers.integrator_measures`)."""

from __future__ import annotations

from typing import Any

COLUMNS = ("symmetric", "reversible", "energy", "momenta", "constraints", "|γ|", "measure", "equilibria", "stability")
TABLE: dict[str, tuple[dict[str, Any], int, str]] = {
    "hamel": ({}, 2, "yes yes no yes yes yes no yes yes"),
    "hamel averaged": ({"kinematics": "averaged"}, 2, "yes yes no yes yes yes no yes yes"),
    "hamel exponential": ({"kinematics": "exponential"}, 2, "yes yes no yes yes yes no yes yes"),
    "hamel cayley": ({"kinematics": "cayley"}, 2, "yes yes no yes yes yes no yes yes"),
    "hamel tau=0.3": ({"tau": 0.3}, 1, "no no no yes yes yes no yes yes"),
    "energy_exact": ({}, 2, "yes yes yes yes yes yes no yes yes"),
    "energy_exact4": ({}, 4, "yes yes yes yes yes yes no yes yes"),
    "gauss2": ({}, 2, "yes yes no no yes yes no yes yes"),
    "gauss4": ({}, 4, "yes yes no no yes yes no yes yes"),
    "dlagrange_dalembert": ({}, 2, "yes yes no yes yes - no no no"),
    "dlagrange_dalembert nodes": ({"constraint": "nodes"}, 2, "yes yes no yes yes - no no no"),
    "dlagrange_dalembert begin": ({"constraint": "begin"}, 1, "no no no yes yes - no no yes"),
    "dlagrange_dalembert end": ({"constraint": "end"}, 1, "no no no yes yes - no no yes"),
    "verlet": ({}, 2, "yes yes no yes yes - no no no"),
    "rattle": ({}, 2, "yes yes no yes yes - no no yes"),
    "gni": ({}, 2, "yes yes no yes yes - no no no"),
    "leapfrog": ({}, 2, "yes yes no yes yes - no no no"),
    "newmark": ({}, 2, "no no no no yes - no no yes"),
    "newmark_symmetric": ({}, 2, "yes yes no no yes - no no yes"),
    "midpoint_projected": ({}, 2, "no no no no yes - no no yes"),
    "heun3": ({}, 3, "no no no no yes yes no yes no"),
    "rk4": ({}, 4, "no no no no yes yes no yes yes"),
    "bs3": ({}, 3, "no no no no yes yes no yes yes"),
    "dopri5": ({}, 5, "no no no no yes yes no yes yes"),
    "dop853": ({}, 8, "no no no no yes yes no yes yes"),
    "rodas": ({}, 5, "no no no no yes yes no yes yes"),
    "taylor": ({}, 20, "no no no no yes yes no yes yes"),
}
"""Name (with options in words): options, order, and an entry for each column."""


def rows() -> list[dict[str, Any]]:
    """The table as records.

    >>> rows()[0]["method"], rows()[0]["equilibria"]
    ('hamel', 'yes')
    """
    return [
        {"method": name, "order": order, **dict(zip(COLUMNS, words.split()))} for name, (_, order, words) in TABLE.items()
    ]
