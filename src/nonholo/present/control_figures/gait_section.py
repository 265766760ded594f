"""Gaits in a report: the curvature over shape space, the best loop, and a place to draw loops of one's own."""

from __future__ import annotations

from nonholo.errors import NonholoError
from nonholo.present.film.film_page import embedded, viewer_script
from nonholo.present.report.report_page import Section, escape
from nonholo.present.report.report_subject import Case

POINTS = 17


def gait_section(case: Case) -> Section | None:
    """The section, where the page says over which shapes (``[page.gait]``)."""
    window = case.system.page.gait if case.system.page is not None else None
    if window is None or viewer_script() is None:
        return None
    from nonholo.control.gaits.gait import gait
    from nonholo.control.gaits.gait_map import gait_map

    system, values = case.system, dict(case.system.values)
    try:
        best = gait(system, dict(window.loop), displacement=window.quantity, parameters=values) if window.loop else None
        table = gait_map(system, dict(window.over), parameters=values, points=POINTS, gait=best).table()
    except NonholoError as trouble:
        return Section("drawn-gaits", "Draw a gait", f'<p class="note">No map of gaits: {escape(trouble)}</p>')
    table["quantity"] = window.quantity
    one, two = (escape(n) for n in window.over)
    words = (
        f"<p>A gait is a loop in the shape variables {one} and {two}. Where it leads follows from the connection; a small loop "
        "moves the system by its area times the curvature, shown as colours. Draw a loop with mouse or finger: the path beside "
        "it is where three cycles lead.</p>"
    )
    if not table["kinematic"]:
        words += (
            "<p>This system also carries momentum, which the loop pumps up: what is drawn here is the geometric part of its "
            "motion, from rest and without momentum.</p>"
        )
    if best is not None:
        words += (
            f"<p>The dashed loop is the best that was found: {escape(window.quantity)} moves by {best.displacement:.4g} in one "
            f"cycle, {best.geometric:.4g} of it geometric and {best.dynamic:.4g} by the momentum.</p>"
        )
    data = f'<div class="nonholo-gait"><script type="application/json">{embedded(table)}</script></div>\n'
    script = "<script>window.nonholoViewer.gait(document.currentScript.previousElementSibling);</script>\n"
    return Section("drawn-gaits", "Draw a gait", f"{words}{data}{script}")
