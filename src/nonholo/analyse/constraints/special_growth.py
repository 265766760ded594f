"""Parameters and configurations with a special growth vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nonholo.algebra.high_precision import evaluate_matrix_precisely
from nonholo.finding import Finding, Property
from nonholo.geometry.distributions.distribution import Distribution, growth_flag, redundant
from nonholo.geometry.distributions.flag import Flag
from nonholo.geometry.distributions.numeric_rank import numeric_rank

Values = Mapping[str, float]


def special_growth(
    whole: Distribution, flag: Flag, places: Sequence[Values], values: Values, at: Values | None
) -> tuple[list[Finding], tuple[str, ...]]:
    """Findings and remarks on the growth vector at the given parameter values and at a given configuration."""
    findings, remarks = [], []
    used = {str(s) for row in whole.given for e in row for s in e.free_symbols}
    own = {n: x for n, x in values.items() if n in used}
    there = [{**s, **own} for s in places[:3]]
    idle = redundant(whole, there) if own else ()
    if idle or (own and not _spans(flag, there)):
        rows = [row for k, row in enumerate(whole.given) if k not in idle]
        found = growth_flag(Distribution(whole.frame, rows=rows, parameters=whole.parameters), samples=there).dimensions
        if found != flag.dimensions:
            findings.append(Finding("the system's own parameter values are special", "holds", found, "growth vector"))
            remarks.append(f"at the system's own parameter values the growth vector is {found}")
    if at is not None:
        here = growth_flag(whole, {**places[0], **own, **at}).dimensions
        same = here == flag.dimensions
        what = Property("the configuration is generic", "the configuration is special")
        findings.append(Finding(what, "holds" if same else "fails", here, "growth vector"))
        if not same:
            remarks.append(f"at the given configuration it is {here}")
    return findings, tuple(remarks)


def _spans(flag: Flag, places: Sequence[Values]) -> bool:
    """Whether the flag's fields stay independent."""
    numbers = [evaluate_matrix_precisely(flag.fields, s) for s in places] if flag.fields else []
    return all(np.all(np.isfinite(n)) and numeric_rank(n) == len(n) for n in numbers)
