"""Films: pages that need nothing else, movies that decode, and what happens where parts are missing."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo import gallery
from nonholo.errors import FileError, ModelError, StateError
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.present.film import film_page as film_module
from nonholo.present.film import movie
from nonholo.present.film.film_page import film, film_fragment, film_page, viewer_script
from nonholo.present.film.film_painter import SLOPE, fitted
from nonholo.present.film.film_plotly import plotly_figure
from nonholo.present.film.film_shapes import Line, Skin, matrix, stills
from nonholo.present.film.scene import numbers, scene

BUILT = film_module.VIEWER
LOADING = {"src", "href", "data", "action", "poster", "srcset", "srcdoc"}


@pytest.fixture(scope="module")
def run() -> Trajectory:
    exhibit = gallery.get("chaplygin-sphere")
    return nh.simulate(exhibit.system, exhibit.start, 3.0, exhibit.parameters, t_eval=31)


@pytest.fixture(scope="module")
def made(run: Trajectory) -> dict[str, Any]:
    found = scene(run)
    assert found is not None
    return found


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the built viewer, with the one text that could break a page."""
    place = tmp_path / "viewer.js"
    place.write_text('window.nonholoViewer = { mount: function () { return "</script>"; } };')
    monkeypatch.setattr(film_module, "VIEWER", place)
    return place


@pytest.fixture
def no_viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_module, "VIEWER", tmp_path / "not built.js")


class Page(HTMLParser):
    """The scripts of a page, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[str, str]] = []
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.kind: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in LOADING]
        if tag == "script":
            self.kind = dict(attrs).get("type") or "javascript"
            self.scripts.append((self.kind, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.kind = None

    def handle_data(self, data: str) -> None:
        if self.kind is not None:
            self.scripts[-1] = (self.kind, self.scripts[-1][1] + data)


def test_a_page_holds_everything_and_loads_nothing(viewer: Path, made: dict[str, Any]) -> None:
    page = Page(film_page(made))
    assert all(link.startswith("data:") for link in page.loads)
    kinds = [kind for kind, _ in page.scripts]
    assert kinds == ["javascript", "application/json", "javascript"]
    assert json.loads(page.scripts[1][1]) == made
    assert "nonholoViewer.mount" in page.scripts[2][1]


def test_text_cannot_break_out_of_the_data(viewer: Path, made: dict[str, Any]) -> None:
    name = 'evil</script><script>alert("1")</script><!--<b>&amp;\u2028'
    page = Page(film_page({**made, "name": name}))
    assert page.tags.count("script") == 3 and "b" not in page.tags
    assert json.loads(page.scripts[1][1])["name"] == name
    assert '"<\\/script>"' in page.scripts[0][1]


@pytest.mark.skipif(not BUILT.is_file(), reason="the viewer has not been built (needs Node; `make run` builds it)")
def test_the_built_viewer_is_one_script_that_loads_nothing() -> None:
    text = viewer_script()
    assert text is not None and "nonholoViewer" in text and "</script" not in text
    # the one address is the name of a language (XHTML), never fetched
    assert {word.split("://")[1].split("/")[0] for word in _addresses(text)} <= {"www.w3.org"}
    assert "import(" not in text.replace(" ", "") and "@license" in text


def _addresses(text: str) -> list[str]:
    return re.findall(r"https?://[\w./-]+", text)


def test_a_page_is_written_beside_and_renamed(viewer: Path, run: Trajectory, tmp_path: Path) -> None:
    place = tmp_path / "film.html"
    assert film(run, place) == place
    assert Page(place.read_text(encoding="utf-8")).tags.count("script") == 5
    assert sorted(e.name for e in tmp_path.iterdir()) == ["film.html", "viewer.js"]


def test_in_a_notebook_the_film_is_a_page_in_a_frame(viewer: Path, run: Trajectory) -> None:
    shown = film(run)._repr_html_()  # type: ignore[union-attr]
    begin = shown.index('srcdoc="') + len('srcdoc="')
    inner = html.unescape(shown[begin : shown.index('"', begin)])
    assert Page(shown).tags == ["iframe"]
    assert json.loads(Page(inner).scripts[1][1])["name"] == "Chaplygin sphere"


def test_without_the_viewer_plotly_draws_and_says_so(no_viewer: None, made: dict[str, Any]) -> None:
    assert viewer_script() is None
    piece = film_fragment(made, 300)
    assert "no scripts for living pages" in piece and "pip install ." in piece
    assert "Plotly.newPlot" in piece and "nonholoViewer" not in piece
    page = Page(film_page(made))
    assert not [link for link in page.loads if not link.startswith("data:")]
    assert len(page.scripts[0][1]) > 1e6  # plotly itself is inside


def test_plotlys_ball_is_round_and_rolls_along(made: dict[str, Any]) -> None:
    figure = plotly_figure(made, frames=7)
    assert len(figure["frames"]) == 7
    times, places = numbers(made["times"]), numbers(made["bodies"][0]["position"], -1, 3)
    radius = gallery.get("chaplygin-sphere").parameters["r"]
    for frame in figure["frames"]:
        k = int(np.argmin(np.abs(times - float(frame["name"]))))
        ball = max((e for e in frame["data"] if e["type"] == "mesh3d"), key=lambda e: np.ptp(e["x"]))
        away = np.linalg.norm(np.stack([ball[n] for n in "xyz"], 1) - places[k], axis=1)
        np.testing.assert_allclose(away, radius, rtol=2e-4)
    ball = max((e for e in figure["data"] if e["type"] == "mesh3d"), key=lambda e: np.ptp(e["x"]))
    assert len(ball["facecolor"]) == len(ball["i"]) and len(set(ball["facecolor"])) == 2


def test_what_stands_still_is_sent_once() -> None:
    exhibit = gallery.get("ball-in-cylinder")
    found = scene(nh.simulate(exhibit.system, exhibit.start, 0.5, exhibit.parameters, t_eval=9))
    assert found is not None
    figure = plotly_figure(found, frames=3)
    tube = next(k for k, e in enumerate(figure["data"]) if e["type"] == "mesh3d" and e["opacity"] < 1)
    assert all(tube not in frame["traces"] and len(frame["traces"]) > 3 for frame in figure["frames"])


def test_plotly_itself_accepts_the_figure(made: dict[str, Any]) -> None:
    import plotly.graph_objects as go

    figure = go.Figure(plotly_figure(made, frames=3))
    assert len(figure.frames) == 3


def test_a_gif_decodes_with_frames_that_change(run: Trajectory, tmp_path: Path) -> None:
    place = tmp_path / "film.gif"
    film(run, place, seconds=0.8, fps=5, size=(3.0, 2.0))
    with Image.open(place) as picture:
        assert picture.n_frames == 4 and picture.size == (300, 200)
        assert picture.info["duration"] == 200
        frames = []
        for k in range(4):
            picture.seek(k)
            frames.append(np.asarray(picture.convert("RGB"), float))
    assert all(np.mean(np.any(np.abs(a - b) > 30, axis=2)) > 0.005 for a, b in pairwise(frames))
    assert np.mean(np.any(frames[0] < 200, axis=2)) > 0.01
    assert [e.name for e in tmp_path.iterdir()] == ["film.gif"]


def test_an_mp4_decodes_with_frames_that_change(run: Trajectory, tmp_path: Path) -> None:
    place = tmp_path / "film.mp4"
    film(run, place, seconds=1.0, fps=6, size=(3.01, 2.03))
    program = movie.ffmpeg_program(place)
    told = subprocess.run(
        [program, "-i", str(place), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    )
    about = next(line for line in told.stderr.decode().splitlines() if "Video: h264" in line)
    width, height = (int(e) for e in re.search(r", (\d+)x(\d+)", about).groups())  # type: ignore[union-attr]
    assert " 6 fps" in about and "yuv420p" in about, about
    assert all(abs(have - wanted) <= 1 and have % 2 == 0 for have, wanted in ((width, 301), (height, 203)))
    frames = np.frombuffer(told.stdout, np.uint8).reshape(-1, height, width, 3).astype(float)
    assert len(frames) == 6
    assert all(np.mean(np.any(np.abs(a - b) > 30, axis=2)) > 0.005 for a, b in pairwise(frames))
    assert [e.name for e in tmp_path.iterdir()] == ["film.mp4"]


def test_without_ffmpeg_one_line_says_what_to_do(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(movie.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(FileError, match=r"film\.mp4: no ffmpeg .* imageio-ffmpeg") as told:
        film(run, tmp_path / "film.mp4")
    assert "\n" not in str(told.value) and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "wishes", "problem"),
    [
        ("film.avi", {}, r"film\.avi: a film ends in .*found '\.avi'"),
        ("film", {}, "no ending"),
        ("film.html", {"fps": 3}, "fps only for movies"),
        ("no/such/film.html", {}, r"film\.html cannot be written: No such file"),
        ("no/such/film.gif", {}, r"film\.gif cannot be written: No such file"),
    ],
)
def test_what_cannot_be_written_is_refused(
    run: Trajectory, tmp_path: Path, path: str, wishes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FileError, match=problem):
        film(run, tmp_path / path, **wishes)
    assert not list(tmp_path.iterdir())


def test_a_film_of_no_length_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(StateError, match="seconds = 0"):
        film(run, tmp_path / "film.gif", seconds=0.0)


def test_nothing_to_film_is_said() -> None:
    still = nh.simulate(nh.System(name="charge", coordinates="u", lagrangian="udot**2/2"), {"udot": 1.0}, 1.0)
    with pytest.raises(ModelError, match="charge: nothing to film"):
        film(still)


def test_a_long_wait_shows_a_bar(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import rich.progress

    told: list[Any] = []

    class Bar:
        def __init__(self, **_: Any) -> None:
            self.start = self.stop = lambda: None

        def add_task(self, name: str, total: int) -> int:
            told.extend([name, total])
            return 0

        def update(self, task: int, completed: int) -> None:
            told.append(completed)

    monkeypatch.setattr(rich.progress, "Progress", Bar)
    wishes: dict[str, Any] = {"seconds": 0.6, "fps": 5, "size": (1.0, 1.0)}
    monkeypatch.setattr(movie, "PATIENCE", float("inf"))
    film(run, tmp_path / "quick.gif", **wishes, progress=True)
    assert told == []
    monkeypatch.setattr(movie, "PATIENCE", 0.0)
    film(run, tmp_path / "slow.gif", **wishes, progress=True)
    assert told == ["film slow.gif", 3, 1, 2, 3]
    film(run, tmp_path / "piped.gif", **wishes)  # nobody watches
    assert len(told) == 5 and capsys.readouterr().err == ""


def test_the_fitted_eye_sees_every_point_and_is_as_near_as_can_be() -> None:
    dice = np.random.default_rng(7)
    points = dice.normal(size=(200, 3)) * [3.0, 0.7, 0.4] + [5.0, -2.0, 1.0]
    direction = np.array([0.3, -0.8, 0.5]) / np.linalg.norm([0.3, -0.8, 0.5])
    for aspect in (0.4, 1.7):
        places, near = fitted(direction, points, aspect).picture(points)
        part = np.abs(places) / (0.86 * SLOPE * np.array([aspect, 1.0]))
        assert near.max() < fitted(direction, points, aspect).distance
        assert part.max() == pytest.approx(1.0)
        tight = int(np.argmax(part.max(axis=0)))
        # both edges are touched, so no eye nearer along this line sees all
        for edge in (places[:, tight].max(), -places[:, tight].min()):
            assert edge == pytest.approx(0.86 * SLOPE * (aspect if tight == 0 else 1.0))


def test_a_matrix_is_the_quaternions() -> None:
    four = np.random.default_rng(3).normal(size=4)
    np.testing.assert_allclose(matrix(four), Rotation.from_quat(four).as_matrix(), atol=1e-12)


def test_the_movies_sleigh_is_a_box_with_a_growing_path() -> None:
    exhibit = gallery.get("chaplygin-sleigh")
    run = nh.simulate(exhibit.system, exhibit.start, 2.0, exhibit.parameters, t_eval=21)
    found = scene(run)
    assert found is not None
    parts = stills(found, 8)
    a, theta = exhibit.parameters["a"], run["theta"][8]
    body = next(part for part in parts if isinstance(part, Skin) and part.label == "body")
    middle = np.array([run["x"][8] + a * np.cos(theta), run["y"][8] + a * np.sin(theta), a / 3])
    own = (body.faces.reshape(-1, 3) - middle) @ np.array(
        [[np.cos(theta), -np.sin(theta), 0], [np.sin(theta), np.cos(theta), 0], [0, 0, 1]]
    )
    np.testing.assert_allclose(np.abs(own), np.broadcast_to([0.75 * a, a / 2, a / 12], own.shape), atol=1e-6)
    assert len({tuple(face.mean(axis=0).round(5)) for face in body.faces}) == 6
    paths = [part for part in parts if isinstance(part, Line) and part.label == "edge"]
    assert [len(path.points) for path in paths] == [21, 9]
    smooth = [part for part in stills(found, 8, parts=4) if isinstance(part, Line) and part.label == "edge"]
    assert [len(path.points) for path in smooth] == [81, 33]
    np.testing.assert_allclose(smooth[1].points[::4], paths[1].points, atol=1e-9)
    dense = nh.simulate(exhibit.system, exhibit.start, 2.0, exhibit.parameters, t_eval=81)
    gap = np.abs(smooth[0].points[:, :2] - np.column_stack([dense["x"], dense["y"]])).max()
    chords = np.column_stack([np.interp(dense["t"], run["t"], run[n]) - dense[n] for n in "xy"])
    assert gap < 0.3 * np.abs(chords).max()
    np.testing.assert_allclose(paths[1].points[-1, :2], [run["x"][8], run["y"][8]], atol=1e-6)


@pytest.mark.parametrize("name", gallery.system_names())
def test_every_shape_of_the_gallery_can_be_painted(name: str) -> None:
    """Its first state alone: places are finite, and inside the scene's box but for a rod's or blade's thickness."""
    exhibit = gallery.get(name)
    state = nh.complete_state(exhibit.system, dict(exhibit.start), exhibit.parameters)
    import xarray as xr

    from nonholo.integrate.outcome import Outcome

    data = xr.Dataset({n: ("t", [v]) for n, v in state.items() if n != "t"}, {"t": [0.0]})
    found = scene(Trajectory(data, state, Outcome("reached", 0.0, ""), system=exhibit.system))
    assert found is not None
    low, high, thick = np.array(found["low"]), np.array(found["high"]), 0.13 * found["reach"]
    for part in stills(found, 0):
        points = part.points if isinstance(part, Line) else part.faces.reshape(-1, 3)
        assert np.all(points > low - thick) and np.all(points < high + thick)


def test_every_colour_of_the_controls_has_a_dark_one():
    style = (Path(__file__).parents[2] / "viewer/src/living/style.ts").read_text("utf-8")
    used = set(re.findall(r"var\((--\w+),#", style))
    assert used and used <= set(re.findall(r"(--\w+): #", film_module.TOOLS))
