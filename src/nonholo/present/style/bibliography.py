"""The five papers by their short names, with title and journal, as references of exhibits cite them."""

from __future__ import annotations

from collections.abc import Sequence

PAPERS = {
    "BMZ 2009": "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Quasivelocities and symmetries in non-holonomic systems, Dynamical "
    "Systems 24 (2009)",
    "Zenkov 2016": "D. V. Zenkov, On Hamel's equations, Theoretical and Applied Mechanics 43 (2016) 191–220",
    "Benenti 2008": "S. Benenti, A general method for writing the dynamical equations of nonholonomic systems with ideal "
    "constraints, Regular and Chaotic Dynamics 13 (2008), doi:10.1134/S1560354708040059",
    "MacDonnell 1997": "C. G. MacDonnell, A family of nonholonomic systems with symmetry, dissertation, University "
    "of Calgary (1997)",
    "Notices 2005": "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the American "
    "Mathematical Society 52 (2005) 324–333",
}  # fmt: skip


def cited(references: Sequence[str]) -> dict[str, str]:
    """The papers that references name by their short names, in the order of their first appearance.

    >>> list(cited(["Notices 2005, (19)", "Chaplygin 1911", "Notices 2005, history"]))
    ['Notices 2005']
    """
    return {name: text for r in references for name, text in PAPERS.items() if r.startswith(name)}
