"""A scene as a movie file: mp4 through ffmpeg, or gif, painted by matplotlib."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, StateError
from nonholo.present.film_shapes import Line, Skin, stills
from nonholo.present.scene import Numbers, numbers

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 2.0
"""Seconds without a word before a bar of progress appears."""
FAR = 16.0
"""A motion that goes this many times its bodies' size is followed."""


def write_movie(
    scene: Mapping[str, Any],
    path: Path,
    seconds: float | None = None,
    fps: int | None = None,
    dpi: int = 100,
    size: tuple[float, float] = (6.4, 4.0),
    progress: bool | None = None,
) -> Path:
    """Write the film to ``path`` (.mp4 or .gif); it lasts the motion's own time when that is 4 to 12 seconds.

    Written beside and renamed. An mp4 needs ffmpeg, of the machine or of the package imageio-ffmpeg.
    """
    from matplotlib.animation import FFMpegWriter, PillowWriter

    gif = path.suffix.lower() == ".gif"
    rate = (12 if gif else 25) if fps is None else int(fps)
    times = numbers(scene["times"])
    lasts = min(max(float(abs(times[-1] - times[0])), 4.0), 12.0) if seconds is None else float(seconds)
    if rate < 1 or not 0 < lasts < float("inf"):
        raise StateError(f"{path}: fps = {rate}, seconds = {lasts:g}; both must be positive.")
    wanted = np.linspace(times[0], times[-1], max(2, round(rate * lasts)))
    chosen = [int(np.argmin(np.abs(times - t))) for t in wanted]
    writer: Any
    with _ffmpeg(path, gif):
        plain = ["-pix_fmt", "yuv420p", "-crf", "20"]  # what every player knows
        writer = PillowWriter(fps=rate) if gif else FFMpegWriter(fps=rate, codec="libx264", extra_args=plain)
        _write(scene, path, chosen, writer, dpi, _even(size, dpi), progress)
    return path


def _even(size: tuple[float, float], dpi: int) -> tuple[float, float]:
    """A picture of even width and height in pixels: most codecs want no other."""
    width, height = (2 * max(1, round(length * dpi / 2)) / dpi for length in size)
    return width, height


def _write(
    scene: Mapping[str, Any], path: Path, chosen: list[int], writer: Any, dpi: int, size: tuple[float, float],
    progress: bool | None,
) -> None:  # fmt: skip
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, facecolor="white")
    FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    painter = Painter(scene, axes)
    temporary = ""
    try:
        with NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.stem}.", suffix=f".part{path.suffix}", delete=False
        ) as handle:
            temporary = handle.name
        with _bar(progress, f"film {path.name}", len(chosen)) as step, writer.saving(figure, temporary, dpi):
            for frame in chosen:
                painter.paint(frame)
                writer.grab_frame()
                step()
        os.replace(temporary, path)
    except OSError as trouble:
        raise FileError(f"{path} cannot be written: {trouble.strerror or trouble}.") from None
    finally:
        with suppress(OSError):
            os.unlink(temporary)


@contextmanager
def _ffmpeg(path: Path, gif: bool) -> Iterator[None]:
    """Matplotlib told where ffmpeg is, for as long as it is needed."""
    if gif:
        yield
        return
    import matplotlib

    with matplotlib.rc_context({"animation.ffmpeg_path": ffmpeg_program(path)}):
        yield


def ffmpeg_program(path: Path) -> str:
    """The machine's ffmpeg, else the one of imageio-ffmpeg."""
    own = shutil.which("ffmpeg")
    if own is not None:
        return own
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise FileError(
            f"{path}: no ffmpeg on this machine; `pip install imageio-ffmpeg` brings one, or write a .gif or .html."
        ) from None


@contextmanager
def _bar(wanted: bool | None, name: str, total: int) -> Iterator[Callable[[], None]]:
    """A step function that shows a bar once the work takes longer than one likes to wait."""
    began, done = perf_counter(), 0
    bar: Any = None
    task: Any = None

    def step() -> None:
        nonlocal bar, task, done
        done += 1
        if bar is None and perf_counter() - began > PATIENCE and (sys.stderr.isatty() if wanted is None else wanted):
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(name, total=total)
        if bar is not None:
            bar.update(task, completed=done)

    try:
        yield step
    finally:
        if bar is not None:
            bar.stop()


class Painter:
    """Paints frames of a scene on matplotlib's 3-D axes."""

    def __init__(self, scene: Mapping[str, Any], axes: Any) -> None:
        self.scene, self.axes = scene, axes
        self.times = numbers(scene["times"])
        self.target = numbers(scene["follow"], -1, 3)
        low, high = np.array(scene["low"]), np.array(scene["high"])
        self.reach = float(scene["reach"])
        travels = float(np.linalg.norm(np.ptp(self.target, axis=0))) > 0.5 * self.reach
        self.follows = travels and float(np.linalg.norm(high - low)) > FAR * 2 * self.reach
        self.low, self.high = low, high
        x, y, z = scene["view"]
        axes.set_proj_type("persp", focal_length=1.6)
        axes.view_init(elev=float(np.degrees(np.arcsin(z))), azim=float(np.degrees(np.arctan2(y, x))))
        axes.computed_zorder = False

    def paint(self, frame: int) -> None:
        """Everything at one frame."""
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

        axes = self.axes
        axes.clear()
        axes.set_axis_off()
        low, high = self._room(frame)
        if self.scene["ground"] == "plane":
            self._ground(low, high)
        near = np.array(self.scene["view"])
        skins = []
        for part in stills(self.scene, frame):
            if isinstance(part, Line):
                order = 1.0 if part.opacity < 1 else 2.0
                look = {"color": part.colour, "lw": part.width, "alpha": part.opacity}
                axes.plot(*part.points.T, zorder=order, solid_capstyle="round", **look)
            else:
                skins.append(part)
        if skins:
            # one collection, so that the painter's order is right between bodies too
            faces = np.concatenate([skin.faces for skin in skins])
            axes.add_collection3d(Poly3DCollection(faces, facecolors=_lit(skins, near), edgecolors="none", zorder=3))
        for axis, bottom, top in zip("xyz", low, high):
            getattr(axes, f"set_{axis}lim")(bottom, top)
        axes.set_box_aspect(high - low, zoom=1.25)
        axes.text2D(
            0.03, 0.93, f"t = {self.times[frame]:.2f} s", transform=axes.transAxes, fontsize=10, color="#6b7482"
        )
        name = str(self.scene.get("name", ""))
        axes.text2D(0.97, 0.93, name, transform=axes.transAxes, fontsize=10, color="#6b7482", ha="right")

    def _room(self, frame: int) -> tuple[Numbers, Numbers]:
        if self.follows:
            half = np.array([3.0, 3.0, 1.5]) * self.reach
            middle = self.target[frame]
            low, high = middle - half, middle + half
            if self.scene["ground"] == "plane":
                low[2], high[2] = 0.0, 2 * half[2]
            return low, high
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        half = np.maximum(half, 0.1 * half.max())
        return middle - half, middle + half

    def _ground(self, low: Numbers, high: Numbers) -> None:
        """A square net under the motion."""
        span = float(max(high[:2] - low[:2]))
        power = 10.0 ** np.floor(np.log10(span / 8))
        step = power * min((1, 2, 5, 10), key=lambda k: abs(np.log(k * power * 8 / span)))
        first, last = np.floor(low[:2] / step - 1) * step, np.ceil(high[:2] / step + 1) * step
        for x in np.arange(first[0], last[0] + step / 2, step):
            self.axes.plot([x, x], [first[1], last[1]], [0, 0], color="#dfe4ec", lw=0.7, zorder=0)
        for y in np.arange(first[1], last[1] + step / 2, step):
            self.axes.plot([first[0], last[0]], [y, y], [0, 0], color="#dfe4ec", lw=0.7, zorder=0)


def _lit(skins: list[Skin], eye: Numbers) -> Numbers:
    """The faces' colours in the light of a lamp above the eye's left."""
    from matplotlib.colors import to_rgba_array

    lamp = np.array([0.0, 0.0, 1.2]) + eye + 0.6 * np.cross([0, 0, 1], -eye)
    lamp /= np.linalg.norm(lamp)
    lit = []
    for skin in skins:
        normal = np.cross(skin.faces[:, 2] - skin.faces[:, 0], skin.faces[:, 3] - skin.faces[:, 1])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
        # a face has no outside of its own: the side that looks at the eye is the one seen
        normal *= np.where(normal @ eye < 0, -1.0, 1.0)[:, None]
        colours = to_rgba_array(skin.colours)
        colours[:, :3] *= (0.62 + 0.38 * np.clip(normal @ lamp, 0, 1))[:, None]
        colours[:, 3] = skin.opacity
        lit.append(colours)
    return np.concatenate(lit)
