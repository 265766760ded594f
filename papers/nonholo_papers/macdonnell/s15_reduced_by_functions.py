"""The propositions of chapters 8.4 to 13, reduced systems and rolling bodies, by the public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, together
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "Reduced systems and rolling bodies by the public functions")


@section.confirmed(
    "Lemmas 8.4.1 to 8.4.5, Proposition 8.4.1 and Corollary 8.4.1 by `nh.studies.reduced_system`, corrected",
    by_functions=(
        "Lemma 8.4.1",
        "Lemma 8.4.2",
        "Lemma 8.4.3",
        "Lemma 8.4.4",
        "Lemma 8.4.5",
        "Proposition 8.4.1",
        "Corollary 8.4.1",
    ),
    printed=r"\text{the reduced system } (\overline{K}, \overline{U}, \overline{M}) "
    r"\text{ with } K([\kappa_i,\kappa_j]_N,\kappa_k)v^jv^k",
)
def reduced() -> Evidence:
    """Shapes of drawn Chaplygin systems move as the reduced system says, with the term of Lemma 8.4.4; without it they do
    not, and the reduced motion is Hamiltonian for one shape variable, not for two.
    """
    import nonholo as nh

    def system(given: drawn.Drawn) -> Any:
        return nh.studies.reduced_system(nh.reduce(given.system(symmetry=nh.translation("z")), witness=False))

    given = drawn.chaplygin(20)
    found, single = system(given), system(drawn.chaplygin(20, "r"))

    def value(e: Any, q: Array) -> float:
        return float(e.subs({"r": q[0], "s": q[1]}).n())

    def terms(state: Any) -> list[Array]:
        """K̄ times the shape's accelerations by Newton and by the reduced equations."""
        q, v = state
        rates = found.equations.rates({"r": q[0], "s": q[1], "rdot": v[0], "sdot": v[1]}, {})
        metric = np.array([[value(e, q) for e in row] for row in found.metric])
        return [metric @ np.array([rates["rdot"], rates["sdot"]]), -metric @ given.accelerations(q, v)[:2]]

    def printed(state: Any) -> list[Array]:
        q, v = state
        cube = np.array([[[value(e, q) for e in row] for row in block] for block in found.gyroscopic])
        one, two = terms(state)
        return [one + np.einsum("ijk,j,k->i", cube, v[:2], v[:2]), two]

    verdict = holds(
        ("Hamiltonian for one shape variable", bool(single.hamiltonian)), against=[("for two", bool(found.hamiltonian))]
    )
    return together([identity(given.states(), terms, mutants=[printed]), verdict], "the mutant leaves the term out")


@section.confirmed(
    "Proposition 8.5.1 by `nh.reduce`",
    by_functions=("Proposition 8.5.1",),
    printed=r"\text{the lift of a group invariant field on } P \text{ is invariant on } Q",
)
def lifted() -> Evidence:
    """With x and z shifted and ż = f(r, s)ẋ, Q = R × P with P = (r, s, x): the lift of ∂x + r∂r to D is ∂x + r∂r + f∂z; as
    a basis of D it is taken for invariant, and one that depends on x is refused.
    """
    import nonholo as nh
    from nonholo import ModelError

    given = drawn.shifted(21, "r s", "x", "z")
    row = given.constraints[0].removeprefix("zdot - ").removesuffix("*xdot")

    def accepted(factor: str) -> bool:
        basis = {"lift": {"x": factor, "z": f"{factor}*({row})"}}
        try:
            nh.reduce(given.system(symmetry=nh.translation("x", "z")), basis=basis, witness=False)
        except ModelError:
            return False
        return True

    return holds(
        ("the lift of a field that is invariant on P", accepted("(2 + r*s)")),
        against=[("the lift of one that is not", accepted("(2 + x)"))],
    )


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
    by_functions=(
        "Lemma 9.2.1",
        "Proposition 9.2.1",
        "Proposition 9.4.1",
        "Proposition 9.4.2",
        "Proposition 9.5.1",
        "Corollary 9.5.1",
    ),
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


def _moved(name: str, until: float) -> tuple[Any, Any, float]:
    """An exhibit reduced and moved, and how far it is at the end from its motion by the equations of the whole system."""
    import nonholo as nh

    exhibit = nh.gallery.get(name)
    red = nh.reduce(exhibit.system, witness=False)
    run = red.simulate(exhibit.start, until, exhibit.parameters, rtol=1e-11, atol=1e-13, progress=False)
    whole = nh.simulate(
        exhibit.system, exhibit.start, until, exhibit.parameters, rtol=1e-11, atol=1e-13, progress=False
    )
    names = exhibit.system.coordinates
    return red, run, gap([run[n][-1] for n in names], [whole[n][-1] for n in names])


@section.confirmed(
    "Propositions 10.4.1, 10.4.2 and 10.5.1 by `nh.reduce` and `nh.studies.momentum_frame`",
    by_functions=("Proposition 10.4.1", "Proposition 10.4.2", "Proposition 10.5.1", "Corollary 10.5.1"),
    printed=r"\text{the sphere on a surface of revolution is flat, with two constants that are linear in } \Omega",
    exhibits=("ball-on-surface",),
    slow=True,
)
def sphere_on_a_surface() -> Evidence:
    """The sphere on a surface of revolution: the reduced motion is that of the whole system, it is flat, and the
    momenta of the parallel basis are constant.
    """
    import nonholo as nh

    red, run, apart = _moved("ball-on-surface", 1.0)
    kept = nh.studies.momentum_frame(red, nh.gallery.get("ball-on-surface").parameters).values(run)
    bare = np.stack([run[n] for n in red.momenta], 1)
    flat = float(not all(bool(f) for f in nh.studies.flatness(red)))
    return Evidence(
        max(gap(kept[0], kept[-1]), flat, apart),
        mutant=gap(bare[0], bare[-1]),
        words="1 s, against the whole system; the momenta p themselves change",
    )


@section.confirmed(
    "Propositions 12.3.1 and 13.3.1 by `nh.reduce`",
    by_functions=("Proposition 12.3.1", "Proposition 13.3.1"),
    printed=r"\text{the bases of the cart and of the sphere are group invariant: their motions reduce}",
    exhibits=("three-wheel-cart", "chaplygin-sphere"),
    slow=True,
)
def invariant_bases() -> Evidence:
    """Cart and sphere, reduced with invariant bases, moved and put together again, are where the whole system moves them."""
    found = [_moved(name, 0.5) for name in ("three-wheel-cart", "chaplygin-sphere")]
    return Evidence(
        max(apart for _, _, apart in found),
        mutant=min(
            gap([run[n][0] for n in red.momenta], [run[n][-1] + 0.1 for n in red.momenta]) for red, run, _ in found
        ),
        words="0.5 s, against the whole system; the mutant has other momenta",
    )


@section.confirmed(
    "§12.4 and Proposition 13.4.1 by `nh.studies.flatness`",
    by_functions=("Proposition 13.4.1",),
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
    "Proposition 13.5.1 by `nh.conserved`",
    by_functions=("Proposition 13.5.1",),
    printed=r"K(\tau, \gamma) = \epsilon_3^T W J \omega \text{ is constant}",
    exhibits=("chaplygin-sphere",),
)
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
