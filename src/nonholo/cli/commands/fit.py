"""The command fit: parameters and start values from measured motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import assignments, subject
from nonholo.cli.command_subject import laws as input_laws
from nonholo.cli.options import Json, Laws, Settings, Start, System
from nonholo.cli.terminal import as_json, say, table, working
from nonholo.errors import StateError


@command(place=100, example="nonholo fit chaplygin-sleigh track.csv --unknown a=0.3")
def fit(
    system: System,
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="Table with a column t and columns of quantities, by name.")],
    unknown: Annotated[
        list[str], typer.Option(metavar="NAME=GUESS", help="Unknown parameter or start value, with a first guess; repeatable.")
    ] = [],  # noqa: B006
    sigma: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Standard deviation of the data; default: estimated.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    laws: Laws = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Fit parameters and start values to a measured motion."""
    from nonholo.analyse.fitting.fit_parameters import fit
    from nonholo.model.files.toml_files import number

    guesses = assignments(unknown, "--unknown")
    if not guesses:
        raise StateError("fit: nothing is unknown; name it with a first guess, e.g. --unknown a=0.3.")
    chosen = subject(system, settings, start)
    with working("fit"):
        found = fit(
            chosen.system,
            data,
            guesses,
            sigma=number(sigma, "--sigma") if sigma is not None else None,
            inputs=input_laws(laws, chosen.system) or None,
        )
    if json:
        as_json(
            {
                "values": dict(found.values),
                "errors": dict(found.errors),
                "covariance": found.covariance.values,
                "samples": found.samples,
                "chi2": found.chi2,
                "scale": found.scale,
            }
        )
        return 0
    table(("unknown", "value", "error"), [(n, f"{e:.8g}", f"{found.errors[n]:.2g}") for n, e in found.values.items()])
    how = f"chi² = {found.chi2:.4g}" if sigma is not None else f"the data scatter by {found.scale:.3g}"
    say(f"{found.samples} samples; {how}")
    return 0
