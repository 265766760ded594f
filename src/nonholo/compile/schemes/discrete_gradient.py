"""A scheme that conserves energy: the discrete gradient of the mean value, in the adapted frame.

Let ``π = M(x) z`` and ``E = ½ zᵀM(x) z + V(x)``, as the equations have them. The rates of ``π`` along the motion are

    π̇_α = u_α[½ zᵀM z − V] + Γ_α(x, z)

where ``Γ`` (brackets, curvature, magnetic and other forces) does the work ``zᵀΓ``, which is zero where the energy is
conserved. A step solves, with means ``x̄ = (x + x')/2``, ``z̄ = (z + z')/2``,

    x' − x = h (ψ(x̄) z̄ + d(x̄)),        M(x')z' − M(x)z = h (ψ(x̄)ᵀ D̄ + Γ(x̄, z̄)),
    D̄ = ∫₀¹ ∂_x [½ zᵀM z' − V](x + s (x' − x)) ds.

Then ``E' − E = z̄ᵀ(π' − π) − [½ zᵀM z' − V]' + [½ zᵀM z' − V] = h (z̄ᵀΓ(x̄, z̄) − D̄·d(x̄))`` identically: an algebraic identity
and the fundamental theorem of calculus. (``d`` is zero for linear constraints; for affine ones ``E`` here is not the energy
of the motion, which is not kept there, and the identity holds all the same.) The velocities are admissible at every node; what
is quadratic in the coordinates is kept; the step is symmetric. Rounding is fed back: the E that should be there (that of the
start, and all work since) is remembered, and what is missing at a node is given back in the next step along ``M z̄``, so that
errors of rounding do not add up (not where M or V depend on time or inputs, where the identity has one term more). The
integral is Gauss's sum, exact for polynomials of the degree at hand (up to thirteen), and otherwise with seven nodes, whose
error is rounding while coordinates change by less than about the length on which M and V vary. For constraints that are not
linear in the velocities see `nonholo.compile.schemes.chetaev`.
[discrete gradients: Gonzalez 1996; McLachlan, Quispel, Robidoux 1999; mean value: Quispel, McLaren 2008; for
nonholonomic systems Celledoni, Farré Puiggalí, Høiseth, Martín de Diego 2019]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import symengine as se

from nonholo.algebra.calculus import node_count, substitute, tidy
from nonholo.compile.schemes.scheme import Point, Step, Writer, scheme, stacked
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.program.derivative import gradient, tangents
from nonholo.program.program import Program
from nonholo.program.program_values import Value, Values, inlined, inputs, values
from nonholo.program.translate import translate

REST = 1e-6
"""Where the kinetic energy is less than this part of the whole, less than what is missing is given back: near rest there is
no direction."""
NODES = 7
"""Of Gauss's sum where an expression is no polynomial."""


@scheme("energy_exact", times=(0.0, 0.5, 1.0), quadratic=True, memory=lambda equations: 1, bent="energy_exact chetaev")
def energy_exact(w: Writer) -> Step:
    """The step of the module's text; unknown are the changes of coordinates and speeds."""
    w.equations = with_pythagoras(w.equations)
    parts = prepared(w)
    move, gain = w.unknown(len(w.x)), w.unknown(len(w.z))
    node, end = w.at(w.x, w.z, 0), w.at(w.x + move, w.z + gain, 2)
    mean, new = w.z + 0.5 * gain, w.z + gain
    middle = w.at(w.x + 0.5 * move, mean, 1)
    turning, slope = parts.gyration(middle, mean), parts.mean_slopes(w, move, new)
    push = turning + slope @ parts.columns(middle) if len(w.x) else turning
    work = mean @ turning - slope @ parts.drift(middle, mean) if parts.affine else mean @ turning
    along_mean = middle.mass @ mean
    balance = end.mass @ w.z + end.mass @ gain - node.mass @ w.z - w.h * push
    if parts.steady:
        balance = balance - share(w, node, mean, along_mean) * along_mean
    return Step(
        stacked(w.h * w.x_rate, w.h * w.z_rate),
        stacked(move - w.h * middle.kinematics, balance),
        stacked(move, gain),
        np.array([w.memory[0] + w.h * work], dtype=object),
        node.of("energy"),
    )


def share(w: Writer, node: Point, mean: Values, along_mean: Values) -> Value:
    """How much of ``M z̄`` gives back what is missing of the energy."""
    due = w.memory[0]
    found: Value = (due - node.of("energy")[0]) / (mean @ along_mean + REST * magnitude(due))
    return found


def magnitude(value: Value) -> Value:
    """``|value|``."""
    return Value(value.program, value.program.call("fabs", value.place))


@dataclass(frozen=True)
class GradientPrograms:
    """Programs of ``[t, x…, z…, inputs…, parameters…, z'…]``: the slopes of ``½ zᵀM z' − V``, and ``F + d/dt(M z)`` at ``ż =
    0``."""

    program: Program
    slope: list[int]
    carried: list[int]
    nodes: int
    steady: bool
    """Neither the mass nor the potential depends on time or inputs."""
    affine: bool
    """Coordinates move while all speeds are zero."""

    def slopes(self, point: Point, new: Values) -> Values:
        """``∂_x[½ zᵀM z' − V]`` at a point."""
        return inlined(self.program, self.slope, [*point.arguments, *new])

    def columns(self, point: Point) -> Values:
        """The fields ``u_α`` as columns."""
        return point.of("fields").reshape(len(self.slope), -1)

    def drift(self, point: Point, z: Values) -> Values:
        """``d``: the motion of the coordinates while all speeds z are zero."""
        found: Values = point.kinematics - self.columns(point) @ z
        return found

    def gyration(self, point: Point, z: Values) -> Values:
        """``Γ`` at a point with speeds z."""
        whole = inlined(self.program, self.carried, [*point.arguments, *z])
        return whole - self.slopes(point, z) @ self.columns(point) if self.slope else whole

    def mean_slopes(self, w: Writer, move: Values, new: Values) -> Values:
        """``D̄`` by Gauss's sum along the chord, at the middle of the step's time."""
        places, weights = np.polynomial.legendre.leggauss(self.nodes)
        points = [w.at(w.x + (0.5 + 0.5 * float(place)) * move, w.z, 1) for place in places]
        found: Values = sum((0.5 * float(b)) * self.slopes(point, new) for b, point in zip(weights, points))
        return found


def prepared(w: Writer) -> GradientPrograms:
    """Slopes by derivatives of programs: no expression is differentiated but the kinematics, by the speeds.

    Of a mass matrix with a border only the block of the speeds is used, and as many forces.
    """
    own = w.equations
    x, z = own.coordinates, own.speeds
    size = len(z)
    entries = [own.mass[i][j] for i in range(size) for j in range(i + 1)]
    potential = substitute([own.energy], {s: se.Integer(0) for s in z})[0]
    if any(se.sympify(e).free_symbols & set(z) for e in entries):
        raise ModelError(
            f"{own.name}: method energy_exact is for kinetic energies that are quadratic in the velocities; choose "
            'method="gauss4" or "dop853".'
        )
    squares = sum((own.mass[i][j] * z[i] * z[j] for i in range(size) for j in range(size)), se.Integer(0))
    w.more["energy"] = (squares / 2 + potential,)
    w.more["fields"] = tuple(se.diff(e, s) for e in own.kinematics for s in z)
    outside = {own.time, *own.inputs}
    steady = not any(se.sympify(e).free_symbols & outside for e in (*entries, potential))
    drifting = substitute(own.kinematics, {s: se.Integer(0) for s in z})
    symbols = (own.time, *x, *z, *own.inputs, *own.parameters)
    program = Program(fixed=len(symbols) + size)
    table = {s: i for i, s in enumerate(symbols)}
    found = translate(program, table, [*entries, potential, *own.kinematics, *own.force[:size]])
    mass = values(program, found[: len(entries)])
    rest, force = found[len(entries)], values(program, found[len(found) - size :])
    flow = found[len(entries) + 1 : len(entries) + 1 + len(x)]
    old, new = inputs(program, 1 + len(x), size), inputs(program, len(symbols), size)
    paired = values(program, [program.number(0.0)])[0] - values(program, [rest])[0]
    momenta = [paired * 0.0 for _ in z]
    for i in range(size):
        for j in range(i + 1):
            entry = mass[i * (i + 1) // 2 + j]
            pair = old[i] * new[j] + old[j] * new[i] if i != j else old[i] * new[i]
            paired = paired + 0.5 * pair * entry
            momenta[i] = momenta[i] + entry * old[j]
            if i != j:
                momenta[j] = momenta[j] + entry * old[i]
    places = [program.put("input", detail=1 + k) for k in range(len(x))]
    slope = gradient(program, paired.place, places)
    direction = {**dict(zip(places, flow)), program.put("input", detail=0): program.number(1.0)}
    moved = values(program, tangents(program, [m.place for m in momenta], direction))
    carried = [v.place for v in force + moved]
    return GradientPrograms(program, slope, carried, nodes_for(own, [*entries, potential]), steady, any(e != 0 for e in drifting))


def with_pythagoras(own: Equations) -> Equations:
    """The same with ``sin² + cos² = 1`` in short masses and forces: what depends on no angle then need not be integrated.

    Terms that are multiplied out share less with each other: where all of them together are longer (the rattleback), as it was.
    """
    mass = tuple(tuple(tidy(e) for e in row) for row in own.mass)
    force = tuple(tidy(e) for e in own.force)
    before, after = (node_count([*(e for row in m for e in row), *f]) for m, f in ((own.mass, own.force), (mass, force)))
    return replace(own, mass=mass, force=force) if after < before else own


def nodes_for(own: Equations, functions: Sequence[se.Basic]) -> int:
    """How many nodes make Gauss's sum exact for the mass and the potential, or `NODES`."""
    degree = 0
    for e in functions:
        found = _degree(se.sympify(e), set(own.coordinates))
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
