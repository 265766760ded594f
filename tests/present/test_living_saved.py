"""What a living page saves: numbers, a picture, a film, and a link that opens the same experiment."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.model.system import numbered
from tests.browser import PATIENCE
from tests.present.living_cases import python_final
from tests.present.test_browser import solved
from tests.present.test_living_browser import needs_viewer, number

CHOOSE = "select[aria-label='Save or share']"


@pytest.mark.slow
@needs_viewer
def test_numbers_picture_film_and_link_of_a_changed_experiment(browser: Any, tmp_path: Path) -> None:
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    file = nh.simulate(sleigh, progress=False).film(tmp_path / "sleigh.html")
    context = browser.new_context(viewport={"width": 700, "height": 600}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.goto(file.as_uri())
    solved(page)
    number(page, "a", 0.3)
    number(page, "until", 2.0)

    def saved(kind: str) -> bytes:
        with page.expect_download() as waiting:
            page.locator(CHOOSE).select_option(kind)
        target = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(target)
        assert target.suffix == f".{kind}"
        return target.read_bytes()

    head, *rows = saved("csv").decode().splitlines()
    values = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    columns = dict(zip(head.split(","), values.T))
    run = python_final(numbered(sleigh, {**sleigh.parameters, "a": 0.3}, until=2.0))
    assert columns["t"][0] == 0.0 and columns["t"][-1] == 2.0 and len(rows) > 50
    assert max(abs(columns[n][-1] - run.final[n]) for n in ("theta", "x", "y", "omega", "v")) < 1e-9

    import matplotlib.pyplot as plt

    picture = plt.imread(io.BytesIO(saved("png")))
    assert min(picture.shape[:2]) > 200 and picture[..., :3].std() > 0.02
    shown = page.locator(".nhf-stage canvas").evaluate("(e) => [e.clientHeight, e.clientWidth, Math.max(1, devicePixelRatio)]")
    assert list(picture.shape[:2]) == [round(2 * shown[2] * e) for e in shown[:2]], "twice the size"
    film = saved("webm")
    assert film.startswith(b"\x1a\x45\xdf\xa3") and len(film) > 5_000

    page.locator(CHOOSE).select_option("link")
    page.locator(".nhl-status", has_text="has been copied").wait_for()
    address = page.evaluate("() => navigator.clipboard.readText()")
    assert address.startswith(file.as_uri()) and "a=0.3" in address and "until=2" in address
    again = context.new_page()
    again.set_default_timeout(PATIENCE)
    again.goto(address)
    solved(again)
    assert again.locator(".nhl input[type=number][data-name='a']").input_value() == "0.3"
    context.close()
    assert errors == []
