"""The page of theorems that the tests reproduce, written from the tests' own tables: ``python -m tests.symmetry.theorems``."""

from __future__ import annotations

from pathlib import Path

from tests.symmetry.plain_systems import CASES, Case
from tests.symmetry.test_integrals_plain import FILES

PAGE = Path(__file__).parents[2] / "docs" / "theorems.md"
HEAD = """# Theorems of the literature, found again

Each row is a system in plain coordinates, without quasi-velocities (`tests/symmetry/plain_systems.py` and `tests/plain/`), the
published result, and the answer of `nh.integrals`. *Proved*: the rate along the motion is zero at random states modulo two primes
(the probability of an accident is below 1e-60). *Measured*: the coefficients are numbers, and the drift along precise motions is
below 1e-8. Every integral is also followed along a motion of the multiplier form from another state with other parameters.
`python -m tests.symmetry.theorems` writes this page, and a test compares it with the tables.

| system | reference | constant, besides the energy where it is kept | |
|---|---|---|---|
"""
MORE = """
Measures and integrability (`tests/symmetry/test_verdict.py`):

| theorem | reference |
|---|---|
| Suslov's problem preserves a measure iff the fixed axis is an eigenvector of the inertia | Kozlov 1988; Jovanović 1998 |
| sleigh and rattleback preserve no measure with a density of the configuration | Chaplygin 1911; Borisov and Mamaev 2003 |
| Veselova's system is integrable by the Euler–Jacobi theorem | Veselova 1986 |
| Chaplygin's ball is integrable by the Euler–Jacobi theorem | Chaplygin 1903 |
"""


def line(name: str, case: Case) -> str:
    known = "; ".join(f"`{text}`" for text in (*case.known, *case.special))
    if case.momenta and not known:
        known = f"{case.momenta} momenta with coefficients of one variable"
    kept = known or ("the energy" if case.energy else "nothing: no claim is made")
    how = "measured" if case.momenta and not case.known else "proved"
    if case.special:
        how += " for these parameters"
    return f"| {name} | {case.reference or 'verified along motions'} | {kept} | {how} |"


def page() -> str:
    rows = [line(name, case) for name, case in (*FILES.items(), *CASES.items())]
    return HEAD + "\n".join(rows) + "\n" + MORE


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
