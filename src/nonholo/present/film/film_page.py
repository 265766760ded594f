"""Films of a motion: an interactive page, a movie file, or a fragment of a report, and the page's security policy."""

from __future__ import annotations

import html
import json
import os
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, ModelError, NonholoError
from nonholo.model.system import known_inputs
from nonholo.present.film.scene import scene as scene_of
from nonholo.writing import write_text

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.model.drawing.shapes import Drawing


_SCRIPT = re.compile(r'<script(?: type="text/plain" [^>]*)?>(.*?)</script>', re.DOTALL)
RULES = (
    "default-src 'none'",
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
)
HEIGHT = 480
TOOLS = (
    ".tools { padding: .2rem 1rem 1rem; max-width: 80rem; margin: 0 auto } body { background: Canvas } "
    "@media (prefers-color-scheme: dark) { :root { --ink: #e7eaf0; --soft: #9aa4b4; --line: #333a45; --ground: #191e26; "
    "--shade: #20262f; --accent: #79b0ee; --good: #5fc38d; --bad: #f08a80 } body { background: #12161d } }"
)
VIEWER = Path(__file__).parents[1] / "assets" / "viewer.js"
ENDINGS = (".html", ".htm", ".mp4", ".gif")


def with_policy(page: str) -> str:
    """The page with a policy in its head: only its own scripts, WebAssembly, workers it makes itself, no connection.

    A script of type ``text/plain`` is one that the page itself runs later: its digest is in the list too.

    >>> made = with_policy("<head><meta charset='utf-8'></head><script>1</script>")
    >>> "sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=" in made, "connect-src" in made
    (True, False)
    """
    digests = dict.fromkeys(f"'sha256-{b64encode(sha256(s.encode()).digest()).decode()}'" for s in _SCRIPT.findall(page))
    rules = "; ".join((*RULES, f"script-src {' '.join(digests)} 'wasm-unsafe-eval'"))
    return page.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{rules}">', 1)


@dataclass(frozen=True)
class Film:
    """A film for a notebook: shown where it is the last line of a cell."""

    scene: Mapping[str, object]
    height: int = HEIGHT
    data: Mapping[str, object] | None = None
    """What it needs to live, see `film_data`; in a notebook it is the recorded one."""

    def __repr__(self) -> str:
        return "<Film: shown where it is the last line of a cell; film.save(path) writes it>"

    def _repr_html_(self) -> str:
        page = html.escape(film_page(self.scene), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:{self.height + 2}px;border:0" title="film"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page."""
        return write_text(Path(path), film_page(self.scene, self.data))


def film(
    run: Trajectory,
    path: str | os.PathLike[str] | None = None,
    drawing: Drawing | None = None,
    frames: int = 300,
    height: int = HEIGHT,
    progress: bool | None = None,
    **options: Any,
) -> Film | Path:
    """The film of a motion: written to ``path`` (.html, .mp4 or .gif), or shown in a notebook without one.

    ``drawing`` says what the bodies look like (the gallery's, when left out). Further ``options`` of a movie are
    ``seconds``, ``fps``, ``dpi`` and ``size`` (see `nonholo.present.film.movie.write_movie`).
    """
    ending = None if path is None else Path(path).suffix.lower()
    if ending is not None and ending not in ENDINGS:
        raise FileError(f"{path}: a film ends in {', '.join(ENDINGS)}; found {ending or 'no ending'!r}.")
    if "field" in run.attributes:
        from nonholo.present.fields.field_film import film_field

        return film_field(run, path, progress=progress, **options)
    if options and ending not in (".mp4", ".gif"):
        raise FileError(f"film: {', '.join(options)} only for movies; write to a file that ends in .mp4 or .gif.")
    made = scene_of(run, drawing, frames)
    if made is None:
        name = run.attributes.get("system", "") or "the motion"
        if not any(np.isfinite(run[n]).any() for n in run.names):
            raise ModelError(f"{name}: nothing to film: the motion has no state that is a number; look at its outcome.")
        raise ModelError(
            f"{name}: nothing to film: no drawing in the gallery and no coordinates x, y; give drawing=Drawing(…)."
        )
    if path is None:
        return Film(made, height, film_data(run, drawing))
    if ending in (".mp4", ".gif"):
        from nonholo.present.film.movie import write_movie

        return write_movie(made, Path(path), progress=progress, **options)
    return write_text(Path(path), film_page(made, film_data(run, drawing)))


def film_data(run: Trajectory, drawing: Drawing | None = None) -> dict[str, Any] | None:
    """What a film needs to live: None where the motion's system is not known, or cannot be solved in a page."""
    from nonholo.present.film.scene import subject_of
    from nonholo.present.living.living_data import living

    system, found = run.system, subject_of(run, drawing)
    if system is None or found is None or None in system.inputs.values():
        return None
    try:
        return living(system, found[0], conserved=not known_inputs(system) and not system.forces)
    except NonholoError:
        return None


def viewer_script() -> str | None:
    """The text of the viewer, to put once into a page that holds films; None when it has not been built."""
    try:
        # "</script" inside a string would end the page's script
        return VIEWER.read_text(encoding="utf-8").replace("</script", "<\\/script")
    except OSError:
        return None


def film_fragment(scene: Mapping[str, Any], height: int = HEIGHT, theme: str = "light", autoplay: bool = True) -> str:
    """A film as a piece of HTML, for a page that holds `viewer_script` in a script above it.

    Where the viewer has not been built it is a plotly animation, and the page must hold plotly's script instead.
    """
    if viewer_script() is None:
        from nonholo.present.film.film_plotly import plotly_fragment

        return plotly_fragment(scene, height)
    wishes = json.dumps({"theme": theme, "autoplay": autoplay})
    return (
        f'<div class="nonholo-film" style="width:100%;height:{height}px">'
        f'<script type="application/json">{embedded(scene)}</script></div>\n'
        "<script>(function (box) { window.nonholoViewer.mount(box, JSON.parse(box.firstElementChild.textContent), "
        f"{wishes}); }})(document.currentScript.previousElementSibling);</script>\n"
    )


def living_fragment(data: Mapping[str, Any]) -> str:
    """The controls of a living page as a piece of HTML, below its film; see `nonholo.present.living.living_data`."""
    return (
        f'<div class="nonholo-living"><script type="application/json">{embedded(data)}</script></div>\n'
        "<script>window.nonholoViewer.attach(document.currentScript.previousElementSibling);</script>\n"
    )


def film_page(scene: Mapping[str, Any], data: Mapping[str, object] | None = None) -> str:
    """A page with nothing but the film and, where it is given the data for them, controls that solve the motion again."""
    script = viewer_script()
    if script is None:
        from plotly.offline import get_plotlyjs

        script = get_plotlyjs().replace("</script", "<\\/script")
    title = html.escape(str(scene.get("name", "")) or "film")
    alive = data is not None and viewer_script() is not None
    # the film fills the window: its own height gives way; above controls it leaves them room
    tall = "68vh" if alive else "100vh"
    controls = f'<div class="tools">{living_fragment(data)}</div>' if alive and data is not None else ""
    return with_policy(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{title}</title>\n<link rel="icon" href="data:,">\n'
        "<style>:root { color-scheme: light dark } html, body { margin: 0; height: 100% } "
        f".nonholo-film {{ height: {tall} !important }} {TOOLS if alive else ''}</style>\n"
        f"<script>{script}</script>\n</head>\n<body>\n{film_fragment(scene, theme='auto')}{controls}</body>\n</html>\n"
    )


def embedded(data: Mapping[str, Any]) -> str:
    """JSON that is safe inside a script element: no ``</script>``, no ``<!--``.

    >>> embedded({"label": "</script>"})
    '{"label":"\\\\u003c/script>"}'
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
