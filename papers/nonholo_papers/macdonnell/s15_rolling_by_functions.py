"""The propositions of chapters 9, 10, 12 and 13 by the public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, together
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "Rolling bodies by the public functions")
HEIGHT = ("(1 + 0.3*cos(th) + 0.1*cos(th)**3)", "(-0.3*sin(th) - 0.3*cos(th)**2*sin(th))")
"""The height of the centre of a body of revolution above the plane when its axis is tilted by th, and its derivative."""


def _body() -> drawn.Drawn:
    """A body of revolution that rolls: the contact point is h′ ahead of the centre, along the tilt, and h below it."""
    h, ahead = HEIGHT
    spin = f"({ahead}*(phdot + psdot*cos(th)) + {h}*psdot*sin(th))"
    moving = f"1.3*(xdot**2 + ydot**2 + {ahead}**2*thdot**2)/2"
    turning = "0.8*(thdot**2 + phdot**2*sin(th)**2)/2 + 0.5*(psdot + phdot*cos(th))**2/2"
    rows = (f"xdot - {h}*thdot*cos(ph) - {spin}*sin(ph)", f"ydot - {h}*thdot*sin(ph) + {spin}*cos(ph)")
    return drawn.Drawn(("th", "ph", "ps", "x", "y"), f"{moving} + {turning} - 9.8*{h}", rows)


def _fields() -> dict[str, dict[str, str]]:
    """γ1, a turn about the axis, and γ2, one about the vertical, with the rolling that goes with each."""
    h, ahead = HEIGHT
    one, two = f"({ahead}*cos(th) + {h}*sin(th))", ahead
    return {
        "axis": {"ps": "1", "x": f"{one}*sin(ph)", "y": f"-{one}*cos(ph)"},
        "vertical": {"ph": "1", "x": f"{two}*sin(ph)", "y": f"-{two}*cos(ph)"},
    }


@section.confirmed(
    "Propositions 9.2.1, 9.4.1, 9.4.2 and 9.5.1 by `nh.reduce`",
    printed=r"\text{bodies of revolution are flat, and } \{K(\gamma_i, \gamma_j)\Omega^j\}' "
    r"\text{ is linear in } \Omega\dot\theta",
)
def body_of_revolution() -> Evidence:
    """A body that nobody prepared: γ1, γ2 are taken for invariant, (7.2) and (7.3) hold, and the momenta change as Newton's
    equations say; a body with three moments is refused.
    """
    import nonholo as nh
    from nonholo import ModelError

    given = _body()
    group = nh.planar_motion("x", "y", "ph") * nh.rotation("ps")
    red = nh.reduce(given.system(symmetry=group), basis=_fields(), witness=False)

    def momenta(q: Array, v: Array) -> Array:
        """K(q̇, γ_i), γ_i from the rows of the constraints."""
        rows = given.rows(q)
        fields = [np.array([0, 0, 1, *-rows[:, 2]]), np.array([0, 1, 0, *-rows[:, 1]])]
        return np.array([given.momenta(q, v) @ f for f in fields])

    def terms(state: Any) -> list[Array]:
        q, v = state
        a, step = given.accelerations(q, v), 1e-3
        pushed = [momenta(q + h * v + h**2 / 2 * a, v + h * a) for h in (2 * step, step, -step, -2 * step)]
        slope = (-pushed[0] + 8 * pushed[1] - 8 * pushed[2] + pushed[3]) / (12 * step)
        values = dict(zip(("p_axis", "p_vertical"), momenta(q, v)))
        rates = red.equations.rates({"th": q[0], "thdot": v[0], **values}, {})
        return [slope, -np.array([rates["p_axis"], rates["p_vertical"]])]

    def states() -> list[tuple[Array, Array]]:
        found = []
        for q, v in given.states(3):
            place = q + np.array([1.2, 0, 0, 0, 0])
            rows = given.rows(place)
            found.append((place, v - np.linalg.pinv(rows) @ rows @ v))
        return found

    def refused() -> bool:
        uneven = given.lagrangian + " + 0.1*cos(2*ps)*thdot**2"
        try:
            nh.reduce(drawn.Drawn(given.coordinates, uneven, given.constraints).system(symmetry=group), witness=False)
        except ModelError:
            return True
        return False

    flat = holds(
        ("flat", all(bool(f) for f in nh.studies.flatness(red))), ("a body with three moments has no such group", refused()),
        against=[("one momentum", len(red.momenta) == 1)],
    )  # fmt: skip
    return together([identity(states(), terms), flat], "a drawn support function, against Newton's equations")


@section.confirmed(
    "Propositions 10.4.2 and 10.5.1 by `nh.studies.momentum_frame`",
    printed=r"\text{the sphere on a surface of revolution is flat, with two constants that are linear in } \Omega",
    exhibits=("ball-on-surface",), slow=True,
)  # fmt: skip
def sphere_on_a_surface() -> Evidence:
    """The sphere on a surface of revolution: flat, and the momenta of the parallel basis are constant along its motion."""
    import nonholo as nh

    exhibit = nh.gallery.get("ball-on-surface")
    red = nh.reduce(exhibit.system, witness=False)
    frame = nh.studies.momentum_frame(red, exhibit.parameters)
    run = red.simulate(exhibit.start, 1.0, exhibit.parameters, rtol=1e-11, atol=1e-13, progress=False)
    kept = frame.values(run)
    bare = np.stack([run[n] for n in red.momenta], 1)
    flat = float(not all(bool(f) for f in nh.studies.flatness(red)))
    return Evidence(
        max(gap(kept[0], kept[-1]), flat), mutant=gap(bare[0], bare[-1]), words="1 s; the momenta p themselves change"
    )


@section.confirmed(
    "Propositions 12.3.1 and 13.4.1 by `nh.studies.flatness`",
    printed=r"\text{the sphere is flat; the cart has (7.2), not (7.3)}",
    exhibits=("three-wheel-cart", "chaplygin-sphere"),
)
def flat_or_not() -> Evidence:
    """Chaplygin's sphere is flat with its invariant bases, and the cart with three wheels has (7.2) alone."""
    import nonholo as nh

    def verdicts(name: str) -> list[bool]:
        red = nh.reduce(nh.gallery.get(name).system, witness=False)
        return [bool(f) for f in nh.studies.flatness(red)]

    sphere, cart = verdicts("chaplygin-sphere"), verdicts("three-wheel-cart")
    return holds(
        ("the sphere is flat", all(sphere)), ("(7.2) holds for the cart", cart[0]),
        against=[("(7.3) holds for the cart", cart[1])],
    )  # fmt: skip


@section.confirmed(
    "Proposition 13.5.1 by `nh.conserved`", printed=r"K(\tau, \gamma) = \epsilon_3^T W J \omega \text{ is constant}",
    exhibits=("chaplygin-sphere",),
)  # fmt: skip
def vertical_momentum() -> Evidence:
    """The momentum about the vertical of a sphere whose centre of mass is in its middle is proved constant; Jω alone is not."""
    import nonholo as nh

    sphere = nh.System(
        name="sphere", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), parameters="m r J1 J2 J3",
        lagrangian="(J1*w1**2 + J2*w2**2 + J3*w3**2)/2 + m/2*(xdot**2 + ydot**2)",
        constraints=["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"],
    )  # fmt: skip
    found = nh.conserved(sphere, "R31*J1*w1 + R32*J2*w2 + R33*J3*w3")
    return holds(
        ("about the vertical", bool(found) and found.proved),
        against=[("about an axis", bool(nh.conserved(sphere, "J1*w1")))],
    )
