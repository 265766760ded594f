"""A scheme that keeps the energy: the discrete gradient of the mean value, in the adapted frame.

Let ``π = M(x) z`` and ``E = ½ zᵀM(x) z + V(x)``, as the equations have them. The rates of ``π`` along the motion are

    π̇_α = u_α[½ zᵀM z − V] + Γ_α(x, z)

where ``Γ`` (brackets, curvature, magnetic and other forces) does the work ``zᵀΓ``, which is zero where the energy is
conserved. A step solves, with means ``x̄ = (x + x')/2``, ``z̄ = (z + z')/2``,

    x' − x = h ψ(x̄) z̄,        M(x')z' − M(x)z = h (ψ(x̄)ᵀ D̄ + Γ(x̄, z̄)),
    D̄ = ∫₀¹ ∂_x [½ zᵀM z' − V](x + s (x' − x)) ds.

Then ``E' − E = z̄ᵀ(π' − π) − [½ zᵀM z' − V]' + [½ zᵀM z' − V] = h z̄ᵀΓ(x̄, z̄)`` identically: an algebraic identity and the
fundamental theorem of calculus. The velocities are admissible at every node; what is quadratic in the coordinates is kept; the step is
symmetric. The integral is Gauss's sum, exact for polynomials of the degree at hand (at most nine), and otherwise with five nodes, whose
error is rounding while coordinates change by less than about half of the length on which M and V vary.
[discrete gradients: Gonzalez 1996; McLachlan, Quispel, Robidoux 1999; mean value: Quispel, McLaren 2008; for
nonholonomic systems Celledoni, Farré Puiggalí, Høiseth, Martín de Diego 2019]
"""

from __future__ import annotations

import numpy as np
import symengine as se

from nonholo.algebra.calculus import along, substitute
from nonholo.compile.schemes.base import Step, Writer, joined, scheme
from nonholo.derive.equations import Equations
from nonholo.program.values import Values

NODES = 5
"""Of Gauss's sum where an expression is no polynomial."""


@scheme("energy_exact", times=(0.0, 0.5, 1.0), quadratic=True)
def energy_exact(w: Writer) -> Step:
    """The step of the module's text; unknown are the changes of coordinates and speeds."""
    own = w.equations
    prepare(w)
    move, gain = w.unknown(len(w.x)), w.unknown(len(w.z))
    node, end = w.at(w.x, w.z, 0), w.at(w.x + move, w.z + gain, 2)
    middle = w.at(w.x + 0.5 * move, w.z + 0.5 * gain, 1)
    slopes = mean_slopes(w, move, w.z + gain)
    columns = middle.of("columns").reshape(len(w.x), len(w.z)) if len(w.x) else None
    push = middle.of("gyration")
    if columns is not None:
        push = push + slopes @ columns
    before = node.mass @ w.z
    after = end.mass @ w.z + end.mass @ gain
    assert len(own.mass) == len(w.z)
    return Step(
        joined(w.h * w.x_rate, w.h * w.z_rate),
        joined(move - w.h * middle.kinematics, after - before - w.h * push),
        joined(move, gain),
    )


def prepare(w: Writer) -> None:
    """``u_α`` as columns, ``Γ``, and the slopes of M and V."""
    own = w.equations
    x, z = own.coordinates, own.speeds
    potential = resting(own)
    kinetic = se.Add(*(a * own.mass[i][j] * b for i, a in enumerate(z) for j, b in enumerate(z))) / 2
    fields = [[se.diff(e, s) for s in z] for e in own.kinematics]
    flow = {**dict(zip(x, own.kinematics)), own.time: se.Integer(1)}
    momenta = [se.Add(*(e * s for e, s in zip(row, z))) for row in own.mass]
    carried = along(momenta, flow)
    slope = [se.diff(kinetic - potential, s) for s in x]
    gyration = [
        own.force[a] + carried[a] - se.Add(*(slope[k] * fields[k][a] for k in range(len(x)))) for a in range(len(z))
    ]
    w.more["columns"] = tuple(e for row in fields for e in row)
    w.more["gyration"] = tuple(gyration)
    entries = [own.mass[i][j] for i in range(len(z)) for j in range(i + 1)]
    w.more["mass slopes"] = tuple(se.diff(e, s) for e in entries for s in x)
    w.more["potential slope"] = tuple(se.diff(potential, s) for s in x)
    w.more["functions of place"] = (*entries, potential)


def resting(own: Equations) -> se.Basic:
    """``V``: the energy without speeds."""
    return substitute([own.energy], {s: se.Integer(0) for s in own.speeds})[0]


def mean_slopes(w: Writer, move: Values, new: Values) -> Values:
    """``D̄`` by Gauss's sum along the chord, at the middle of the step's time."""
    count, size = len(w.x), len(w.z)
    if not count:
        return w.x
    places, weights = np.polynomial.legendre.leggauss(nodes_for(w))
    total = None
    for place, weight in zip(places, weights):
        point = w.at(w.x + (0.5 + 0.5 * float(place)) * move, w.z, 1)
        table = point.of("mass slopes").reshape(-1, count)
        value = -1.0 * point.of("potential slope")
        for i in range(size):
            for j in range(i + 1):
                pair = w.z[i] * new[j] + w.z[j] * new[i] if i != j else w.z[i] * new[i]
                value = value + (0.5 * pair) * table[i * (i + 1) // 2 + j]
        part = (0.5 * float(weight)) * value
        total = part if total is None else total + part
    assert total is not None
    return total


def nodes_for(w: Writer) -> int:
    """How many nodes make Gauss's sum exact for the mass and the potential, or `NODES`."""
    own = w.equations
    degree = 0
    for e in w.more["functions of place"]:
        if not e.free_symbols & set(own.coordinates):
            continue
        found = _degree(e, set(own.coordinates))
        if found is None:
            return NODES
        degree = max(degree, found)
    return min(NODES, max(1, (degree + 1) // 2))


def _degree(e: se.Basic, moving: set[se.Basic]) -> int | None:
    """A bound of the degree in some symbols; None for what is no polynomial of them."""
    if not e.free_symbols & moving:
        return 0
    if e in moving:
        return 1
    below = [_degree(a, moving) for a in e.args]
    if e.is_Pow and e.args[1].is_Integer and int(e.args[1]) > 0 and below[0] is not None:
        return below[0] * int(e.args[1])
    if any(b is None for b in below) or not (e.is_Add or e.is_Mul):
        return None
    known = [b for b in below if b is not None]
    return max(known) if e.is_Add else sum(known)
