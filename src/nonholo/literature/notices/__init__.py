"""Bloch, Marsden and Zenkov 2005, claim by claim."""

from nonholo.literature.paper import Paper

PAPER = Paper(
    key="notices",
    title="A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the AMS 52 (2005) 324–333",
    short="BMZ 2005 (Notices)",
    text="004_15e18bf377ce98dd.txt",
)
