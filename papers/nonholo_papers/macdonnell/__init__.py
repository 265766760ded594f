"""MacDonnell 1997, claim by claim: a module for each section, ``s8_4_reduced.py``; notation in ``_notation_….py``."""

from nonholo_papers.paper import Paper, notation

PAPER = Paper(
    key="macdonnell",
    title="C. G. MacDonnell, A family of nonholonomic systems with symmetry (thesis, Calgary 1997)",
    short="MacDonnell 1997",
    text="003_eacf7ed9127281dd.txt",
    reference=(
        "phdthesis",
        (
            ("author", "MacDonnell, C. G."),
            ("title", "A family of nonholonomic systems with symmetry"),
            ("school", "University of Calgary"),
            ("year", "1997"),
        ),
    ),
    notation=notation("macdonnell"),
)
