"""Zenkov 2016, claim by claim."""

from nonholo.literature.paper import Paper

PAPER = Paper(
    key="zenkov",
    title="D. V. Zenkov, On Hamel's equations (2016)",
    short="Zenkov 2016",
    text="001_071c27b281466535.txt",
)
