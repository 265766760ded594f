"""MacDonnell 1997, claim by claim."""

from nonholo.literature.paper import Paper

PAPER = Paper(
    key="macdonnell",
    title="J. MacDonnell, A family of nonholonomic systems with symmetry (1997)",
    short="MacDonnell 1997",
    text="003_eacf7ed9127281dd.txt",
)
