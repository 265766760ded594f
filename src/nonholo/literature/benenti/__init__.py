"""Benenti 2008, claim by claim."""

from nonholo.literature.paper import Paper

PAPER = Paper(
    key="benenti",
    title="S. Benenti, A general method for writing the dynamical equations of nonholonomic systems with ideal "
    "constraints (2008)",
    short="Benenti 2008",
    text="002_717ad06add043d64.txt",
)
