"""The film of a field: a page with a moving curve or flow, or a movie file."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.present.fields.field_interactive import film_figure, sleigh_outline
from nonholo.present.fields.field_shapes import fine_curve, is_flow
from nonholo.present.style.plot_style import COLOURS, FAINT, INK
from nonholo.writing import write_text


class FieldFilm:
    """A film for a notebook."""

    def __init__(self, page: str) -> None:
        self.page = page

    def __repr__(self) -> str:
        return "<FieldFilm: shown where it is the last line of a cell; film.save(path) writes it>"

    def _repr_html_(self) -> str:
        page = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:560px;border:0" title="film"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page."""
        return write_text(Path(path), self.page)


def film_field(
    run: Any, path: str | os.PathLike[str] | None = None, frames: int = 80, progress: bool | None = None, **options: Any
) -> Any:
    """The film of a field's motion, written to ``path`` (.html, .mp4 or .gif), or for a notebook without one."""
    if not len(run["t"]):
        raise ModelError(f"{run.attributes.get('system', 'field')}: nothing to film: the motion has no times.")
    ending = None if path is None else Path(path).suffix.lower()
    if ending in (".mp4", ".gif"):
        from nonholo.present.film.movie import write_movie
        from nonholo.present.film.scene import packed

        scene = {"times": packed(run["t"]), "run": run}
        return write_movie(scene, Path(str(path)), progress=progress, painter=FieldPainter, **options)
    page = film_page(run, frames)
    return FieldFilm(page) if path is None else write_text(Path(path), page)


def film_fragment(run: Any, height: int = 480, frames: int = 80) -> str:
    """The animation as a piece of HTML; the page must hold plotly's script."""
    from plotly.io import to_html

    figure = film_figure(run, frames)
    figure["layout"]["height"] = height
    body = to_html(figure, full_html=False, include_plotlyjs=False, auto_play=False, validate=False)
    return f'<div class="nonholo-field-film" style="width:100%;height:{height}px">{body}</div>\n'


def film_page(run: Any, frames: int = 80) -> str:
    """A page with nothing but the film, complete in itself."""
    from plotly.offline import get_plotlyjs

    script = get_plotlyjs().replace("</script", "<\\/script")
    title = html.escape(str(run.attributes.get("system", "film")))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{title}</title>\n<link rel="icon" href="data:,">\n<style>body {{ margin: 0 }}</style>\n'
        f"<script>{script}</script>\n</head>\n<body>\n{film_fragment(run, 620, frames)}</body>\n</html>\n"
    )


class FieldPainter:
    """Paints the moving curve, with the traces of its ends, or the flow, one frame after the other."""

    def __init__(self, scene: Any, figure: Any) -> None:
        self.run = scene["run"]
        self.axes = figure.add_axes((0.12, 0.12, 0.85, 0.84))
        self.parts: list[Any] = []
        if is_flow(self.run):
            values = self.run["vorticity"]
            reach = float(np.abs(values).max()) or 1.0
            side = (0.0, 2 * np.pi, 0.0, 2 * np.pi)
            self.image = self.axes.imshow(
                values[0].T,
                origin="lower",
                extent=side,
                cmap="RdBu_r",
                vmin=-reach,
                vmax=reach,
                interpolation="bicubic",
            )
            figure.colorbar(self.image, ax=self.axes).set_label("vorticity [1/s]")
        else:
            for name, limit in (("x", self.axes.set_xlim), ("y", self.axes.set_ylim)):
                low, high = float(self.run[name].min()), float(self.run[name].max())
                spare = 0.08 * max(high - low, 0.2)
                limit(low - spare, high + spare)
            self.axes.set_aspect("equal", adjustable="box")
            for k in (0, -1):
                self.axes.plot(self.run["x"][:, k], self.run["y"][:, k], ":", color=FAINT, lw=0.8)
        self.axes.set_xlabel("x [m]")
        self.axes.set_ylabel("y [m]")
        self.clock = self.axes.text(0.02, 0.97, "", transform=self.axes.transAxes, va="top")

    def paint(self, frame: int) -> None:
        """The state at one of the motion's times."""
        for part in self.parts:
            part.remove()
        self.parts = []
        self.clock.set_text(f"t = {self.run['t'][frame]:.2f} s")
        if is_flow(self.run):
            self.image.set_data(self.run["vorticity"][frame].T)
            return
        x, y = fine_curve(self.run, frame)
        self.parts += self.axes.plot(x, y, color=COLOURS[0], lw=2.5)
        self.parts += self.axes.plot(x[:1], y[:1], "o", color=INK, ms=5)
        if "heading" in self.run.quantities:
            self.parts += self.axes.fill(*sleigh_outline(self.run, frame), color=COLOURS[1], alpha=0.8)
