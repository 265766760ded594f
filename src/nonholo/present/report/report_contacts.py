"""Contacts in a report: forces, the friction they use, when each rolls, slides or is open, and why it changed."""

from __future__ import annotations

import numpy as np

from nonholo.algebra.linear_equations import evaluate
from nonholo.analyse.force_arrows import contact_column
from nonholo.integrate.contacts.contact_formulation import switching
from nonholo.integrate.contacts.mode_changes import Change
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.contacts import ContactLaw
from nonholo.present.figures.interactive import Figure, kept, line, titled
from nonholo.present.report.report_page import escape
from nonholo.present.style.plot_style import COLOURS, FAINT

MOST = 4
"""Contacts in one figure."""
MOST_CHANGES = 40
"""So many changes of contacts are listed."""
MODES = {"rolling": COLOURS[0], "sliding": COLOURS[1], "open": FAINT, "closed": COLOURS[0]}


def contact_figures(run: Trajectory) -> list[tuple[Figure, str]]:
    """Normal and tangential forces over time, their ratio beside the coefficient of friction, and the modes, with captions."""
    columns, system = run.contact_columns, run.system
    if system is None or not columns:
        return []
    laws = list(enumerate(system.contacts))
    figures = []
    for part in (laws[k : k + MOST] for k in range(0, len(laws), MOST)):
        names = ", ".join(law.name for _, law in part)
        if forces := _forces(run, part):
            figures.append((forces, f"Forces at the contacts: {names}"))
        if ratio := _ratio(run, part):
            figures.append((ratio, f"Friction used, tangential over normal force: {names}; dashed, the coefficient of friction"))
    if len(run.modes):
        words = "When each contact rolls, slides or is open, in the motion recorded with the page"
        figures.append((_timeline(run, [law.name for _, law in laws]), words))
    return figures


def _forces(run: Trajectory, laws: list[tuple[int, ContactLaw]]) -> Figure | None:
    figure, some = titled("<i>t</i> [s]", "force [N]"), kept(len(run.times))
    for k, law in laws:
        for part, dash in (("normal", "solid"), ("along", "dash"), ("across", "dot")):
            values = run.contact_columns[part][:, k]
            if np.isfinite(values).any():
                look = {"color": COLOURS[k % len(COLOURS)], "dash": dash}
                meta = {"x": "t", "y": contact_column(part, law.name)}
                line(figure, run.times[some], values[some], f"{law.name}: {part}", line=look, meta=meta)
    figure.layout.update(hovermode="x unified", showlegend=True)
    return figure if figure.data else None


def _ratio(run: Trajectory, laws: list[tuple[int, ContactLaw]]) -> Figure | None:
    figure, some = titled("<i>t</i> [s]", "tangential / normal"), kept(len(run.times))
    ends = [float(run.times[0]), float(run.times[-1])]
    for k, law in laws:
        values, press = run.contact_columns["ratio"][:, k], run.contact_columns["normal"][:, k]
        # without a load the ratio is rounding over rounding
        values = np.where(np.abs(press) > 1e-9 * np.nanmax(np.abs(press), initial=0.0), values, np.nan)
        if not np.isfinite(values).any():
            continue
        colour = COLOURS[k % len(COLOURS)]
        meta = {"x": "t", "y": contact_column("ratio", law.name)}
        line(figure, run.times[some], values[some], law.name, line={"color": colour}, meta=meta)
        limit = _limit(run, law)
        if limit is not None:
            look = {"color": colour, "dash": "dash", "width": 1}
            line(figure, ends, [limit, limit], f"μ of {law.name}", line=look, hoverinfo="skip")
    figure.yaxis["rangemode"] = "tozero"
    figure.layout.update(hovermode="x unified", showlegend=True)
    return figure if figure.data else None


def _limit(run: Trajectory, law: ContactLaw) -> float | None:
    """The coefficient of static friction, where it is a number."""
    system = run.system
    if system is None or law.static is None or not {str(s) for s in law.static.free_symbols} <= set(system.values):
        return None
    return float(evaluate([law.static], system.values)[0])


def _timeline(run: Trajectory, names: list[str]) -> Figure:
    """A bar for each contact, coloured by its mode."""
    figure = titled("<i>t</i> [s]", "")
    first, last, seen = float(run.times[0]), float(run.times[-1]), set[str]()
    for row, name in enumerate(names):
        changes = [c for c in run.modes if c.contact == name]
        begin, mode = first, changes[0].before if changes else str(run.contact_columns["mode"][0, row])
        for change in [*changes, None]:
            end = change.time if change is not None else last
            look = {"color": MODES.get(mode, FAINT), "width": 14}
            line(
                figure, [begin, end], [row, row], mode, line=look, showlegend=mode not in seen, legendgroup=mode,
                hovertemplate=f"{name}: {mode}, {begin:.4g} to {end:.4g} s<extra></extra>",
            )  # fmt: skip
            seen.add(mode)
            if change is not None:
                begin, mode = change.time, change.after
    figure.yaxis.update(tickvals=list(range(len(names))), ticktext=names, range=[-0.6, len(names) - 0.4], showgrid=False)
    figure.layout.update(showlegend=True)
    return figure


def mode_table(run: Trajectory) -> str:
    """The changes of the contacts' modes, as a table."""
    if not len(run.modes) and (run.system is None or not switching(run.system)):
        return ""
    rows = "".join(
        f"<tr><td>{c.time:.6g}</td><td>{escape(c.contact)}</td><td>{c.before} → {c.after}</td>"
        f"<td>{escape(c.why)}{_decided(c)}</td></tr>"
        for c in run.modes[:MOST_CHANGES]
    )
    more = f"… and {len(run.modes) - MOST_CHANGES} more." if len(run.modes) > MOST_CHANGES else ""
    head = "<tr><th>t</th><th>contact</th><th>mode</th><th>why</th></tr>"
    table = f'<table><thead>{head}</thead><tbody data-live="modes">{rows}</tbody></table>'
    return f'<h3>Changes of the contacts</h3>{table}<p data-live="more modes">{more}</p>'


def _decided(change: Change) -> str:
    """The numbers that decided a change."""
    return f" ({escape(', '.join(f'{n} = {e:.4g}' for n, e in change.numbers.items()))})" if change.numbers else ""
