"""Bloch, Marsden and Zenkov 2009, claim by claim."""

from nonholo.literature.paper import Paper

PAPER = Paper(
    key="bmz",
    title="A. M. Bloch, J. E. Marsden, D. V. Zenkov, Quasivelocities and symmetries in nonholonomic systems (2009)",
    short="BMZ 2009",
    text="000_6e9082467f4a709d.txt",
)
