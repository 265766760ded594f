"""Fit: parameters and start values from measured motion."""

from __future__ import annotations

from pathlib import Path

from nonholo.cli.page import as_json, say, table, working
from nonholo.cli.subject import assignments, laws, subject
from nonholo.errors import StateError


def show_fit(
    name: str,
    data: Path,
    unknown: list[str],
    sigma: str | None,
    settings: list[str],
    start: list[str],
    given: list[str],
    json: bool,
) -> int:
    """The best values with their errors, and how well they describe the data."""
    from nonholo.analyse.fit import fit
    from nonholo.model.files import number

    guesses = assignments(unknown, "--unknown")
    if not guesses:
        raise StateError("fit: nothing is unknown; name it with a first guess, e.g. --unknown a=0.3.")
    chosen = subject(name, settings, start)
    with working("fit"):
        found = fit(
            chosen.system,
            data,
            guesses,
            sigma=number(sigma, "--sigma") if sigma is not None else None,
            inputs=laws(given, chosen.system) or None,
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
