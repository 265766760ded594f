"""A scene as a movie file: mp4 through ffmpeg, or gif, painted by matplotlib."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import CalledProcessError
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, StateError
from nonholo.present.film.film_painter import Painter
from nonholo.present.film.scene import numbers
from nonholo.writing import written

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 2.0
"""Seconds without a word before a bar of progress appears."""


def write_movie(
    scene: Mapping[str, Any],
    path: Path,
    seconds: float | None = None,
    fps: int | None = None,
    dpi: int = 100,
    size: tuple[float, float] = (6.4, 4.0),
    progress: bool | None = None,
    painter: Any = Painter,
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
    speed = _speed(float(abs(times[-1] - times[0])) / lasts)
    wanted = np.linspace(times[0], times[-1], max(2, round(rate * lasts)))
    chosen = [int(np.argmin(np.abs(times - t))) for t in wanted]
    writer: Any
    with _ffmpeg(path, gif):
        plain = ["-pix_fmt", "yuv420p", "-crf", "20"]  # what every player knows
        writer = PillowWriter(fps=rate) if gif else FFMpegWriter(fps=rate, codec="libx264", extra_args=plain)
        _write(scene, path, chosen, writer, dpi, _even(size, dpi), progress, painter, speed)
    return path


def _speed(factor: float) -> str:
    """How fast a film runs.

    >>> _speed(1.0), _speed(2.5), _speed(0.125)
    ('real time', '2.5 × real time', '0.12 × real time')
    """
    return "real time" if abs(factor - 1) < 0.01 else f"{factor:.2g} × real time"


def _even(size: tuple[float, float], dpi: int) -> tuple[float, float]:
    """A picture of even width and height in pixels: most codecs want no other."""
    width, height = (2 * max(1, round(length * dpi / 2)) / dpi for length in size)
    return width, height


def _write(
    scene: Mapping[str, Any], path: Path, chosen: list[int], writer: Any, dpi: int, size: tuple[float, float],
    progress: bool | None, painter: Any, speed: str,
) -> None:  # fmt: skip
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, facecolor="white")
    FigureCanvasAgg(figure)
    brush = painter(scene, figure)
    figure.text(0.03, 0.03, speed, fontsize=10, color="#6b7482", va="bottom")
    try:
        with written(path) as beside:
            beside.touch()  # where no file can be written, no frame is painted
            with _bar(progress, f"film {path.name}", len(chosen)) as step, writer.saving(figure, str(beside), dpi):
                for frame in chosen:
                    brush.paint(frame)
                    writer.grab_frame()
                    step()
    except Exception as trouble:
        if isinstance(trouble.__context__, KeyboardInterrupt):  # Ctrl-C reaches ffmpeg as well
            raise KeyboardInterrupt from None
        if not isinstance(trouble, CalledProcessError):
            raise
        reason = (trouble.stderr or "").strip().splitlines() or [f"ffmpeg ended with code {trouble.returncode}"]
        raise FileError(f"{path} cannot be written: {reason[0].rpartition('] ')[2].rstrip('.')}.") from None


@contextmanager
def _ffmpeg(path: Path, gif: bool) -> Iterator[None]:
    """Set matplotlib's path of ffmpeg within a block."""
    if gif:
        yield
        return
    import matplotlib

    log = logging.getLogger("matplotlib.animation")  # ffmpeg's message becomes part of the error
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with matplotlib.rc_context({"animation.ffmpeg_path": ffmpeg_program(path)}):
            yield
    finally:
        log.setLevel(level)


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
