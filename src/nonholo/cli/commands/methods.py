"""The command methods: methods of integration and the properties they conserve."""

from __future__ import annotations

from nonholo.cli.command import command
from nonholo.cli.options import Json
from nonholo.cli.terminal import as_json, say, table


@command(place=120, example="nonholo methods")
def methods(json: Json = False) -> int:
    """List the methods of integration.

    Gives the order of each and what it was measured to conserve.
    """
    from dataclasses import fields

    from nonholo.analyse.integrators.integrator_properties import COLUMNS, rows
    from nonholo.integrate.methods import registered_methods

    kinds = registered_methods()
    measured = rows()
    in_table = {row["method"].split()[0] for row in measured}
    others = [
        {"method": n, "order": kinds[n].order, **dict.fromkeys(COLUMNS, "unknown")} for n in sorted(kinds) if n not in in_table
    ]
    entries = [*measured, *others]
    if json:
        options = {n: [f.name for f in fields(kind)] for n, kind in sorted(kinds.items())}
        as_json({"methods": entries, "options": options})
        return 0
    table(("method", "order", *COLUMNS), [[str(e[c]) for c in ("method", "order", *COLUMNS)] for e in entries])
    say(
        'A word after a name is an option: "hamel exponential" is method="hamel", kinematics="exponential". '
        "Measured; docs/integrators.md says how."
    )
    return 0
