"""Systems that nobody prepared, with coefficients drawn from a seed, and their motion by Newton's equations with multipliers.

The theorems are tested on them through the public functions. The other side is solved here from the texts of the Lagrangian
and the constraints: accelerations and multipliers from one linear system, in numbers, without the package's equations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Drawn:
    """A Lagrangian and constraints that are linear in the velocities, ``qdot`` for each coordinate ``q``, as texts.

    >>> plane = Drawn(("x", "y"), "(xdot**2 + ydot**2)/2 - y", ("ydot - x*xdot",))
    >>> plane.accelerations(np.array([1.0, 0.0]), np.array([2.0, 2.0])).tolist()  # ẍ = −(1 + ẋ²)x/(1 + x²)
    [-2.5, 1.5]
    """

    coordinates: tuple[str, ...]
    lagrangian: str
    constraints: tuple[str, ...] = ()
    magnetic: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def rates(self) -> tuple[str, ...]:
        """The names of the velocities."""
        return tuple(f"{n}dot" for n in self.coordinates)

    def system(self, **more: Any) -> Any:
        """The system as a user writes it."""
        from nonholo import System

        given = {
            "coordinates": " ".join(self.coordinates),
            "lagrangian": self.lagrangian,
            "constraints": list(self.constraints),
        }
        return System(**{"name": "drawn", **given, "magnetic": dict(self.magnetic), **more})

    @cached_property
    def _numbers(self) -> tuple[Any, Any]:
        """Values of the texts and of their first and second derivatives, and those of the constraints, as functions of
        (q, v).
        """
        import symengine as se

        from nonholo.notation.read import expression

        known = [*self.coordinates, *self.rates]
        q, v = ([se.Symbol(n) for n in names] for names in (self.coordinates, self.rates))
        hidden = [
            se.Symbol(f"_argument_{k}_") for k in range(len(known))
        ]  # SymEngine's temporaries are called x0, x1, …
        private = dict(zip([*q, *v], hidden))
        lagrangian = expression(self.lagrangian, known, "lagrangian")
        momenta = [lagrangian.diff(s) for s in v]
        mass = [p.diff(s) for p in momenta for s in v]
        rest = [sum((p.diff(s) * w for s, w in zip(q, v)), -lagrangian.diff(x)) for p, x in zip(momenta, q)]
        turned = {pair: expression(text, known, "magnetic") for pair, text in self.magnetic.items()}
        for (one, two), e in turned.items():  # the force M_ij v^j
            i, j = self.coordinates.index(one), self.coordinates.index(two)
            rest[i], rest[j] = rest[i] - e * v[j], rest[j] + e * v[i]
        rows = [expression(text, known, "constraint") for text in self.constraints]
        slopes = [e.diff(s) for e in rows for s in v]
        drift = [sum((e.diff(s) * w for s, w in zip(q, v)), se.Integer(0)) for e in rows]
        motion = se.Lambdify(hidden, [e.xreplace(private) for e in (*mass, *rest, *slopes, *drift)])
        values = se.Lambdify(hidden, [se.sympify(e).xreplace(private) for e in (*momenta, lagrangian, *slopes, *rows)])
        return motion, values

    def lagrange(self, q: Array, v: Array) -> tuple[Array, Array]:
        """``M`` and ``rest`` of Lagrange's expressions ``M a + rest``."""
        n = len(self.coordinates)
        flat = np.asarray(self._numbers[0](np.concatenate([q, v]))).reshape(-1)
        return flat[: n * n].reshape(n, n), flat[n * n : n * n + n]

    def solved(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers: ``M a + rest = Bᵀλ``, ``B a + drift = 0``."""
        n, m = len(self.coordinates), len(self.constraints)
        flat = np.asarray(self._numbers[0](np.concatenate([q, v]))).reshape(-1)
        mass, rest = self.lagrange(q, v)
        slopes, drift = flat[n * n + n : n * n + n + m * n].reshape(m, n), flat[n * n + n + m * n :]
        table = np.block([[mass, -slopes.T], [slopes, np.zeros((m, m))]])
        found = np.linalg.solve(table, -np.concatenate([rest, drift]))
        return found[:n], found[n:]

    def accelerations(self, q: Array, v: Array) -> Array:
        """The accelerations alone."""
        return self.solved(q, v)[0]

    def momenta(self, q: Array, v: Array) -> Array:
        """∂L/∂v."""
        return np.asarray(self._numbers[1](np.concatenate([q, v]))).reshape(-1)[: len(q)]

    def action_density(self, q: Array, v: Array) -> float:
        """L."""
        return float(np.asarray(self._numbers[1](np.concatenate([q, v]))).reshape(-1)[len(q)])

    def rows(self, q: Array) -> Array:
        """The constraints' coefficients ``B``."""
        n, m = len(self.coordinates), len(self.constraints)
        flat = np.asarray(self._numbers[1](np.concatenate([q, 0 * q]))).reshape(-1)
        return flat[n + 1 : n + 1 + m * n].reshape(m, n)

    def states(self, number: int = 3, seed: int = 1) -> list[tuple[Array, Array]]:
        """Random places with velocities that the constraints (homogeneous ones) allow."""
        random = np.random.default_rng(seed)
        found = []
        for _ in range(number):
            q, v = random.uniform(-0.8, 0.8, (2, len(self.coordinates)))
            found.append((q, v - np.linalg.pinv(self.rows(q)) @ self.rows(q) @ v if self.constraints else v))
        return found

    def named(self, q: Array, v: Array) -> dict[str, float]:
        """A state by names."""
        return {**dict(zip(self.coordinates, map(float, q))), **dict(zip(self.rates, map(float, v)))}

    def end(self, q: Array, v: Array, until: float) -> Array:
        """Places and velocities after a time, by SciPy."""
        from scipy.integrate import solve_ivp

        n = len(q)
        run = solve_ivp(
            lambda _, s: np.concatenate([s[n:], self.accelerations(s[:n], s[n:])]), (0.0, until), np.concatenate([q, v]),
            "DOP853", rtol=1e-11, atol=1e-12,
        )  # fmt: skip
        return run.y[:, -1]


def coefficients(seed: int, digits: int = 2) -> Any:
    """A source of numbers between 0.1 and 0.5 of either sign, as texts in brackets.

    >>> next(coefficients(1))
    '(0.3)'
    """
    random = np.random.default_rng(seed)
    return (f"({round(random.uniform(0.1, 0.5) * random.choice((-1, 1)), digits)})" for _ in count())


def wave(drawn: Any, names: Sequence[str]) -> str:
    """A function of the names with drawn coefficients, smaller than about one."""
    parts = [f"{next(drawn)}*sin({n} + {next(drawn)})" for n in names]
    return " + ".join([*parts, f"{next(drawn)}*{names[0]}*{names[-1]}"])


def energy(drawn: Any, rates: Sequence[str], names: Sequence[str], mixed: float = 0.2) -> str:
    """A positive quadratic form in the rates (or any expressions for them), whose coefficients are functions of the names."""
    square = [f"(1.5 + 0.3*{k} + 0.4*({wave(drawn, names)})**2)*({r})**2/2" for k, r in enumerate(rates)]
    cross = [f"{mixed}*sin({wave(drawn, names)})*({r})*({s})" for k, r in enumerate(rates) for s in rates[:k]]
    return " + ".join([*square, *cross])


def free(seed: int, names: str = "x y z") -> Drawn:
    """A system without constraints or symmetries."""
    given, drawn = tuple(names.split()), coefficients(seed)
    return Drawn(given, f"{energy(drawn, [f'{n}dot' for n in given], given)} - ({wave(drawn, given)})")


def constrained(seed: int, names: str = "x y z w", number: int = 1) -> Drawn:
    """The same with constraints, the last rates as combinations of the others."""
    given, drawn = tuple(names.split()), coefficients(seed)
    first, last = given[:-number], given[-number:]
    rows = [f"{n}dot - " + " - ".join(f"({wave(drawn, given)})*{f}dot" for f in first) for n in last]
    return Drawn(given, f"{energy(drawn, [f'{n}dot' for n in given], given)} - ({wave(drawn, given)})", tuple(rows))


BODY = ("thdot", "(xdot*cos(th) + ydot*sin(th))", "(ydot*cos(th) - xdot*sin(th))")
"""The velocities of SE(2) in the body: turning, ahead, across."""


def planar(seed: int, shapes: str = "r s", number: int = 1) -> Drawn:
    """A system over shapes with the symmetry group SE(2), coordinates th, x, y, and constraints of the velocity across
    (and ahead).
    """
    given, drawn = tuple(shapes.split()), coefficients(seed)
    rates = [f"{n}dot" for n in given]
    kept, lost = BODY[: 3 - number], BODY[3 - number :]
    rows = [f"{w} - " + " - ".join(f"({wave(drawn, given)})*{r}" for r in (*rates, *kept)) for w in lost]
    text = f"{energy(drawn, [*rates, *BODY], given)} - ({wave(drawn, given)})"
    return Drawn((*given, "th", "x", "y"), text, tuple(rows))


def shifted(seed: int, shapes: str = "r s", kept: str = "x", lost: str = "z", wide: bool = True) -> Drawn:
    """A system over shapes with shifts as symmetries: ``lost`` rates are combinations of ``kept`` ones, coefficients by shape.

    Not ``wide``: the coefficients depend on one combination of the shapes, so that the connection of the momenta is flat.
    """
    given, drawn = tuple(shapes.split()), coefficients(seed)
    names = given if wide else (f"({given[0]} + {next(drawn)}*{given[-1]})",)
    ahead, behind = kept.split(), lost.split()
    rows = [f"{n}dot - " + " - ".join(f"({wave(drawn, names)})*{f}dot" for f in ahead) for n in behind]
    rates = [f"{n}dot" for n in (*given, *ahead, *behind)]
    squares = " + ".join(f"{k + 2}*{r}**2/4" for k, r in enumerate(rates))
    return Drawn((*given, *ahead, *behind), f"{squares} - ({wave(drawn, given)})", tuple(rows))


def chaplygin(seed: int, shapes: str = "r s", lost: str = "z") -> Drawn:
    """Chaplygin's systems: every rate of a cyclic coordinate is a combination of the shapes' rates, coefficients by shape."""
    given, drawn = tuple(shapes.split()), coefficients(seed)
    behind = lost.split()
    rates = [f"{n}dot" for n in (*given, *behind)]
    rows = [f"{n}dot - " + " - ".join(f"({wave(drawn, given)})*{f}dot" for f in given) for n in behind]
    return Drawn((*given, *behind), f"{energy(drawn, rates, given)} - ({wave(drawn, given)})", tuple(rows))
