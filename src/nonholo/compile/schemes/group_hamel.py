"""Discrete Hamel equations with increments on the group: the exponential, or Cayley's map.

(5.11) of Zenkov 2016 leaves the discrete kinematic equation open. Here ``x_τ = x · exp(τ h v)`` and ``x' = x_τ · exp((1 − τ)
h v)`` with
``v = V(x_τ, ξ)``, the velocities of the frame there: rotation matrices, quaternions and the vertical stay where they belong
by construction, for every
``τ``, and with ``τ = 1/2`` the step is symmetric. (For the exponential both together are ``exp(h v)``; for Cayley's map they
are not, and one increment
for the whole step would not be symmetric about ``x_{1/2}``.) The momenta obey ``π' = π + h f(x_τ, ξ)`` as they do in
straight lines.
"""

from __future__ import annotations

import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.compile.schemes.group_increments import Maps, moved, sizes
from nonholo.compile.schemes.scheme import Step, Writer, joined, scheme
from nonholo.errors import ModelError
from nonholo.program.program_values import Values


def _written(w: Writer, maps: Maps) -> Step:
    system = w.equations.system
    factors = system.frame.recipe if system is not None else ()
    counts = [count for f in factors if (count := sizes(f)) is not None]
    if system is None or not factors or len(counts) < len(factors):
        raise ModelError(
            f"{w.equations.name}: increments on a group need a frame made of SO3, Quaternion, SE2, SE3, Vertical and plain "
            "coordinates; leave out kinematics."
        )
    own = {str(s) for s in w.equations.speeds}
    w.more["velocities"] = tuple(
        symbol(n) if n in own else se.sympify(w.equations.outputs[n]) for n in system.frame.velocities
    )
    v, xi, gain = w.unknown(len(system.frame.velocities)), w.unknown(len(w.z)), w.unknown(len(w.z))

    def after(begin: Values, time: Values) -> Values:
        parts, x, step = [], 0, 0
        for factor, count in zip(factors, counts):
            parts.append(moved(factor, begin[x : x + count[0]], time * v[step : step + count[1]], maps))
            x, step = x + count[0], step + count[1]
        return joined(*parts)

    inside = after(w.x, w.tau * w.h)
    new = after(inside, (1.0 - w.tau) * w.h)
    node, within, end = w.at(w.x, w.z, 0), w.at(inside, xi, 1), w.at(new, w.z + gain, 2)
    return Step(
        joined(node.of("velocities"), w.z + w.tau * w.h * w.z_rate, w.h * w.z_rate),
        joined(
            v - within.of("velocities"),
            within.momenta - (1.0 - w.tau) * w.h * within.forces - node.momenta,
            end.momenta - node.momenta - w.h * within.forces,
        ),
        joined(new - w.x, gain),
    )


@scheme("hamel exponential", covectors="hamel", kept=True)
def exponential(w: Writer) -> Step:
    """By the exponential map."""
    return _written(w, Maps(cayley=False))


@scheme("hamel cayley", covectors="hamel", kept=True)
def cayley(w: Writer) -> Step:
    """By Cayley's map."""
    return _written(w, Maps(cayley=True))
