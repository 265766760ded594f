"""Film strips: the bodies at several instants in one figure, from above for planar systems, else in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.errors import ModelError, StateError
from nonholo.present.figures.plane_path import drawing_of
from nonholo.present.film.film_shapes import Line, Skin, stills
from nonholo.present.film.scene import numbers, scene
from nonholo.present.style.labels import unit_of, with_unit
from nonholo.present.style.plot_style import INK, PAGE, journal, new_axes, save_figure
from nonholo.program.array_types import Array

FINEST = 2000
"""States from which the instants are taken."""
TALLEST = 5.0
"""In inches."""
FADED = 0.7
"""How far the first of the instants is on its way to white."""


def film_strip(
    run: Any,
    frames: int = 6,
    *,
    drawing: Any = None,
    times: Sequence[float] | None = None,
    layout: str | None = None,
    view: Any = None,
    width: float = PAGE,
    axes: Any = None,
    path: Any = None,
) -> Any:
    """The bodies of a motion at ``frames`` instants evenly spaced in time (or at ``times``), earlier ones paler.

    ``layout`` is ``"path"`` (all in one picture, for what travels) or ``"panels"`` (side by side, for what turns in
    place); left out, it is chosen by how far the bodies go. Planar systems are seen from above with axes in metres,
    others in space along ``view`` (towards the eye) without foreshortening, with a net of known mesh on the ground.
    Returns the axes; ``path`` also writes the figure.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, sleigh.start, 5, sleigh.parameters)
    >>> axes = nh.pictures.film_strip(run, frames=3)
    """
    if not hasattr(run, "data"):
        raise StateError(f"film strip: {type(run).__name__} where a motion is needed; nh.simulate(…) gives one.")
    table = scene(run, drawing_of(run, drawing), min(max(len(run["t"]), 2), FINEST))
    if table is None or not (table["bodies"] or table["traces"]):
        raise ModelError(
            f"{run.attributes.get('system', 'the motion')}: there is nothing to draw; give drawing=Drawing(bodies=…)."
        )
    if layout not in (None, "path", "panels"):
        raise StateError(f'film strip: layout {layout!r}; choose "path" or "panels".')
    if frames < 1 or (times is not None and not len(times)):
        raise StateError("film strip: no instants; give frames=6 or a list of times.")
    known = numbers(table["times"])
    wanted = np.linspace(known[0], known[-1], frames) if times is None else np.asarray(times, dtype=float)
    instants = [int(np.argmin(np.abs(known - t))) for t in wanted]
    flat = _is_planar(table)
    eye = _eye(np.array([0.0, 0.0, 1.0]) if flat else np.asarray(table["view"] if view is None else view, dtype=float))
    travels = layout == "path" if layout else _travels(table, instants, eye)
    with journal():
        if travels:
            panels = [axes] if axes is not None else [_one_panel(table, instants, eye, width)]
            _draw(panels[0], table, instants, eye, flat, run)
        else:
            panels = list(np.ravel(axes)) if axes is not None else _row(len(instants), width)
            for panel, instant in zip(panels, instants):
                _draw(panel, table, [instant], eye, flat, run)
                panel.set_title(f"$t$ = {known[instant]:.3g} s", fontsize=8)
            _same_scale(panels)
    if path is not None:
        save_figure(panels[0].figure, path)
    return panels[0] if len(panels) == 1 else np.array(panels, dtype=object)


def _moving(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [b for b in table["bodies"] if b["turns"] or b["moves"]]


def _is_planar(table: Mapping[str, Any]) -> bool:
    """Whether all that moves only slides and turns on the ground; wheels may roll."""
    if table["ground"] != "plane":
        return False
    for body in _moving(table):
        if body["shape"] in ("wheel", "point", "arrow"):
            continue
        turns = numbers(body["rotation"], -1, 4)
        upright = 1 - 2 * (turns[:, 0] ** 2 + turns[:, 1] ** 2)
        if np.min(upright) < 0.999 or (body["shape"] in ("sphere", "ellipsoid") and body["turns"]):
            return False
    return True


def _travels(table: Mapping[str, Any], instants: Sequence[int], eye: Array) -> bool:
    """Whether the bodies go so far that most of the instants can be distinguished in one picture."""
    target = numbers(table["follow"], -1, 3)[list(instants)] @ eye[:2].T
    if len(target) < 2:
        return True
    apart = np.linalg.norm(target[:, None] - target[None], axis=2)[np.triu_indices(len(target), 1)]
    return float(np.quantile(apart, 0.2)) > 0.9 * float(table["reach"])


def _eye(direction: Array) -> Array:
    """Rows: to the right in the picture, up in it, towards the eye."""
    toward = direction / np.linalg.norm(direction)
    if abs(toward[2]) > 0.999:
        return np.eye(3)
    right = np.cross([0.0, 0.0, 1.0], toward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(toward, right), toward])


def _extent(table: Mapping[str, Any], instants: Sequence[int], eye: Array) -> tuple[Array, Array]:
    parts = [p for k in instants for p in stills({**table, "traces": []}, k, coarse=True)]
    points = [_points(p) for p in parts]
    points += [numbers(t["points"], -1, 3)[min(instants) : max(instants) + 1] for t in table["traces"]]
    places = np.concatenate(points) @ eye[:2].T
    return places.min(axis=0), places.max(axis=0)


def _points(part: Line | Skin) -> Array:
    return part.points if isinstance(part, Line) else part.faces.reshape(-1, 3)


def _one_panel(table: Mapping[str, Any], instants: Sequence[int], eye: Array, width: float) -> Any:
    low, high = _extent(table, instants, eye)
    across, up = (high - low).tolist()
    ratio = max(1.1 * up / (across or 1.0), 0.25)
    if ratio * width > TALLEST:
        width = TALLEST / ratio + 0.6  # room for the words at the axis
        ratio = TALLEST / width
    return new_axes(width, ratio)[1]


def _row(count: int, width: float) -> list[Any]:
    columns = min(count, 6)
    rows = -(-count // columns)
    figure, table = new_axes(width, 1.15, rows, columns)
    panels = list(np.ravel(table))
    for spare in panels[count:]:
        figure.delaxes(spare)
    return panels[:count]


def _draw(axes: Any, table: Mapping[str, Any], instants: Sequence[int], eye: Array, flat: bool, run: Any) -> None:
    """Ground, traces, bodies at rest, and the moving bodies at each instant, the farther first."""
    low, high = _extent(table, instants, eye)
    room = 0.04 * float(np.max(high - low))
    axes.set_aspect("equal")
    axes.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    if flat:
        unit = unit_of(run, "x")
        axes.set_xlabel(with_unit("$x$", unit))
        axes.set_ylabel(with_unit("$y$", unit))
    else:
        axes.set_axis_off()
        if table["ground"] == "plane":
            _net(axes, table, instants, eye, unit_of(run, "x"))
    last = max(instants)
    for k, trace in enumerate(table["traces"]):
        points = numbers(trace["points"], -1, 3)[min(instants) if len(instants) > 1 else 0 : last + 1] @ eye.T
        axes.plot(*points[:, :2].T, color=trace["colour"], lw=0.9 if k == 0 else 0.6, zorder=2, label=trace["label"])
    order = sorted(instants, key=lambda k: float(numbers(table["follow"], -1, 3)[k] @ eye[2])) if not flat else instants
    still = [b for b in table["bodies"] if not (b["turns"] or b["moves"])]
    _bodies(axes, {**table, "bodies": still, "traces": []}, last, eye, 0.0, 1.5)
    moving = _moving(table)
    under = [b for b in moving if b["shape"] == "box"] if flat else []  # from above a box would hide its blade
    groups = [g for g in (under, [b for b in moving if b not in under]) if g]
    for place, k in enumerate(order):
        pale = FADED * (1 - instants.index(k) / max(len(instants) - 1, 1)) if len(instants) > 1 else 0.0
        for level, group in enumerate(groups):
            _bodies(axes, {**table, "bodies": group, "traces": []}, k, eye, pale, 3 + place * 0.1 + level * 0.05)
    if len(instants) > 1:
        _clock(axes, table, instants, eye)


def _bodies(axes: Any, table: Mapping[str, Any], frame: int, eye: Array, pale: float, order: float) -> None:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgba_array

    parts = stills(table, frame)
    skins = [p for p in parts if isinstance(p, Skin)]
    if skins:
        faces = np.concatenate([s.faces for s in skins]) @ eye.T
        colours = np.concatenate([to_rgba_array(s.colours, s.opacity) for s in skins])
        colours[:, :3] *= _light(faces)[:, None]
        colours[:, :3] += pale * (1 - colours[:, :3])
        far = np.argsort(faces[:, :, 2].mean(axis=1), kind="stable")
        edges = np.where(colours[far, 3:] < 1, 0.0, colours[far])
        axes.add_collection(
            PolyCollection(
                list(faces[far][:, :, :2]), facecolors=colours[far], edgecolors=edges, linewidths=0.25, zorder=order
            ),
            autolim=False,
        )
    lines = [p for p in parts if isinstance(p, Line)]
    if lines:
        colours = to_rgba_array([p.colour for p in lines])
        colours[:, :3] += pale * (1 - colours[:, :3])
        places = [p.points @ eye[:2].T for p in lines]
        axes.add_collection(
            LineCollection(places, colors=colours, linewidths=[0.6 * p.width for p in lines], zorder=order + 0.01),
            autolim=False,
        )


def _light(faces: Array) -> Array:
    """How bright each face is under a lamp over the eye's left shoulder."""
    normal = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    normal *= np.where(normal[:, 2] < 0, -1.0, 1.0)[:, None]
    lamp = np.array([-0.4, 0.7, 0.6])
    return np.asarray(0.66 + 0.34 * np.clip(normal @ lamp / np.linalg.norm(lamp), 0, 1), dtype=np.float64)


def _net(axes: Any, table: Mapping[str, Any], instants: Sequence[int], eye: Array, unit: str) -> None:
    """Lines on the ground under the motion, with their mesh width in the caption."""
    from matplotlib.collections import LineCollection

    path = numbers(table["follow"], -1, 3)[min(instants) : max(instants) + 1, :2]
    reach = float(table["reach"])
    low, high = path.min(axis=0) - 1.2 * reach, path.max(axis=0) + 1.2 * reach
    size = float(np.max(high - low)) / 8
    power = 10.0 ** np.floor(np.log10(size))
    step = float(power * min((1, 2, 5, 10), key=lambda k: abs(np.log(k * power / size))))
    low, high = np.floor(low / step) * step, np.ceil(high / step) * step
    ends = [[(x, low[1], 0), (x, high[1], 0)] for x in np.arange(low[0], high[0] + step / 2, step)]
    ends += [[(low[0], y, 0), (high[0], y, 0)] for y in np.arange(low[1], high[1] + step / 2, step)]
    axes.add_collection(
        LineCollection([np.array(e) @ eye[:2].T for e in ends], colors="#d5dae2", linewidths=0.5, zorder=0),
        autolim=False,
    )
    if unit and len(instants) > 1:
        axes.text(0.0, 0.0, f"mesh {step:g} {unit}", transform=axes.transAxes, fontsize=7, color=INK, va="bottom")


def _clock(axes: Any, table: Mapping[str, Any], instants: Sequence[int], eye: Array) -> None:
    """The time beside each instant's bodies."""
    known = numbers(table["times"])
    wide, tall = (float(np.ptp(limits)) for limits in (axes.get_xlim(), axes.get_ylim()))
    written: list[Any] = []
    beside = tall > 1.3 * wide  # a path that goes up the page would run through words above the bodies
    for number, k in enumerate(instants):
        parts = stills({**table, "bodies": _moving(table), "traces": []}, k, coarse=True)
        if not parts:
            continue
        places = np.concatenate([_points(p) for p in parts]) @ eye[:2].T
        text = f"$t$ = {known[k]:.3g} s" if number == 0 else f"{known[k]:.3g}"
        if beside:
            at, look = (places[:, 0].max() + 0.02 * tall, places[:, 1].mean()), {"ha": "left", "va": "center"}
        else:
            at, look = (places[:, 0].mean(), places[:, 1].max() + 0.02 * tall), {"ha": "center", "va": "bottom"}
        near = [abs(at[0] - x) < 0.06 * wide and abs(at[1] - y) < 0.1 * tall for x, y in written]
        if not any(near):  # overlapping labels are left out
            axes.text(*at, text, fontsize=7, color=INK, zorder=6, **look)
            written.append(at)


def _same_scale(panels: Sequence[Any]) -> None:
    """Every panel shows as much, so that sizes can be compared."""
    spans = np.array([[np.ptp(p.get_xlim()), np.ptp(p.get_ylim())] for p in panels]).max(axis=0)
    for panel in panels:
        x, y = (np.mean(panel.get_xlim()), np.mean(panel.get_ylim()))
        panel.set(xlim=(x - spans[0] / 2, x + spans[0] / 2), ylim=(y - spans[1] / 2, y + spans[1] / 2))
