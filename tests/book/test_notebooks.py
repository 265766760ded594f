"""Pages as notebooks: every block becomes a cell, and a run fills in what it prints and draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from book.blocks import blocks
from book.notebooks import PAGES, executed, notebook
from book.site import DOCS

PAGE = """# A page

Text with a [link](other.md).

```toml fall.toml
coordinates = "z"
lagrangian = "zdot**2/2 - 9.81*z"
```

```console
$ nonholo derive fall.toml
…
```

```python
import nonholo as nh
run = nh.simulate(nh.load("fall.toml"), until=1.0)
print(f"{run.final['z']:.3f}")
run
```
```output
-4.905
```

```python
run.plot("t", "z")
```

```python
system = nh.gallery.get("balanced-sleigh").system
nh.check(system)
```

```python
nh.classify(system)
```

```python
nh.verdict(system)
```

```python
nh.stability(system, {"v": 1.0})
```

```python
nh.relative_equilibria(system)
```

```python
nh.simulate(system, until=1.0).film()
```

```python
nh.pictures.phase_portrait(system, "omega", "v")
```

```python raises
nh.load("rise.toml")
```
```output
FileError: …
```
"""


def code(made: dict) -> list[dict]:
    return [cell for cell in made["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", PAGES)
def test_every_block_that_runs_on_a_page_is_a_cell(name: str) -> None:
    page = (DOCS / "book" / f"{name}.md").read_text("utf-8")
    made = notebook(page)
    runs = [b for b in blocks(page) if not b.excuse and (b.kind in ("python", "console") or (b.kind == "toml" and b.words))]
    assert len(code(made)) == len(runs) > 5
    assert all(b.text in c["source"] for b, c in zip(runs, code(made)) if b.kind == "python")
    assert not any("](" in c["source"] and "](http" not in c["source"] for c in made["cells"] if c["cell_type"] == "markdown")


def test_a_run_fills_in_what_is_printed_drawn_and_refused(tmp_path: Path) -> None:
    written, told, shown, drawn, *tables, film, portrait, refused = code(json.loads(executed(PAGE, tmp_path)))
    assert (tmp_path / "fall.toml").read_text().startswith("coordinates")
    assert "zddot" in "".join(told["outputs"][0]["text"])
    printed, motion = shown["outputs"]
    assert "".join(printed["text"]) == "-4.905\n" and "<table" in "".join(motion["data"]["text/html"])
    for cell in (drawn, portrait):  # in a fresh kernel, after a motion was shown
        result, picture = cell["outputs"]
        assert "image/png" in picture["data"] and len("".join(result["data"]["text/plain"])) < 300
    _frame_and_a_line(film)
    for cell in tables:
        (table,) = cell["outputs"]
        assert "<table" in "".join(table["data"]["text/html"]), cell["source"]
    assert refused["outputs"][0]["ename"] == "FileError" and written["outputs"]


def _frame_and_a_line(cell: dict) -> None:
    """What is shown is a page in a frame; its words, for those who have no browser, are one short line."""
    (result,) = cell["outputs"]
    assert "".join(result["data"]["text/html"]).startswith("<iframe")
    assert 10 < len("".join(result["data"]["text/plain"])) < 120


@pytest.mark.slow
def test_a_report_shows_itself(tmp_path: Path) -> None:
    made = executed("""```python\nimport nonholo as nh\nnh.report("balanced-sleigh")\n```\n""", tmp_path)
    _frame_and_a_line(code(json.loads(made))[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_notebooks_of_the_book_run(name: str, tmp_path: Path) -> None:
    made = json.loads(executed((DOCS / "book" / f"{name}.md").read_text("utf-8"), tmp_path))
    assert all(cell["outputs"] for cell in code(made) if "print(" in "".join(cell["source"]))
    assert len(json.dumps(made)) < 3_000_000
    for cell in code(made):  # what a command prints is one piece: readers show pieces as lines
        streams = [o["name"] for o in cell["outputs"] if o["output_type"] == "stream"]
        assert len(streams) == len(set(streams)), cell["source"]
