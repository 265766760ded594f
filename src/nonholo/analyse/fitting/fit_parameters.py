"""Fit parameters and start values to measured motion, by least squares with exact sensitivities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.fitting.measured_data import Samples, samples, spread
from nonholo.derive.equations import Equations
from nonholo.errors import NonholoError, StateError, meant
from nonholo.integrate.motion.motion_pieces import numbers_of
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.declared_words import Formula, GivenInput, Option
from nonholo.model.system import System, check_system, finite, known_names, named, parameter_values

if TYPE_CHECKING:
    import xarray as xr

BLIND = 1e-9
"""A direction of the (scaled) unknowns that changes the data by less than this part of the most visible one is not seen."""

PATIENCE = 50
"""A trial that takes so many times the steps of the first guess is given up."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of unknowns to data: best values, standard deviations and correlations; made by `fit`.

    >>> import nonholo as nh
    >>> slide = nh.System(coordinates="x", parameters="c", lagrangian="xdot**2/2", forces={"x": "-c*xdot"})
    >>> found = nh.fit(slide, {"t": [0, 1, 2], "xdot": [2.0, 1.2, 0.75]}, {"c": 1.0}, start={"xdot": 2.0}, sigma=0.05)
    >>> round(found.values["c"], 3), round(found.errors["c"], 3)
    (0.499, 0.026)
    """

    name: str
    values: FrozenMap[str, float]
    errors: FrozenMap[str, float]
    covariance: xr.DataArray = field(repr=False)
    """(unknown, unknown_too)."""
    run: Trajectory = field(repr=False)
    """The motion with the best values, at the times of the data, with its sensitivities."""
    residuals: xr.Dataset = field(repr=False)
    """Data less motion, over the times of the data; not a number where nothing was seen."""
    chi2: float
    """The sum of squared residuals over their standard deviations (over nothing where none were given)."""
    samples: int
    scale: float
    """The standard deviation of the data: 1 where it was given, else estimated from the residuals."""
    evaluations: int
    message: str

    @property
    def correlation(self) -> xr.DataArray:
        """The covariance over the errors."""
        width = np.sqrt(np.diag(self.covariance.values))
        return self.covariance / np.outer(width, width)

    def __repr__(self) -> str:
        listed = ", ".join(f"{n} = {e:.6g} ± {self.errors[n]:.2g}" for n, e in self.values.items())
        return f"<Fit {self.name}: {listed}; {self.samples} samples>"


def fit(
    system: System | Equations,
    data: Any,
    unknown: Mapping[str, Any],
    *,
    start: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    sigma: Any = None,
    inputs: Mapping[str, Any] | None = None,
    observe: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    method: str = "dop853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    evaluations: int = 200,
    **options: Any,
) -> Fit:
    """The parameters, start values (or constant inputs) ``unknown``, given with first guesses, that fit the data best.

    ``data`` is an xarray Dataset over ``t``, a pandas DataFrame, the path of a CSV file or a mapping of arrays. Its columns are
    quantities of the motion by name (some of them are enough), or of ``observe``, more expressions by name; what was not seen
    is not a number. ``sigma`` is the standard deviation of the data: a number, numbers by name, or a table like the data;
    where it is left out it is one for all and is estimated from the residuals. The motion starts at ``start`` (at ``t = 0``
    unless that says otherwise).

    Errors are those of the linearised problem, ``(JᵀJ)⁻¹``, with J the sensitivities: good where the errors are small. Data
    that say nothing of an unknown, or do not tell it from others, are refused by its name.

    >>> import nonholo as nh
    >>> import numpy as np
    >>> fall = nh.System(coordinates="z", parameters="g", lagrangian="zdot**2/2 - g*z")
    >>> t = np.linspace(0, 2, 21)
    >>> seen = {"t": t, "z": 3*t - 9.81*t**2/2 + 0.01*(-1)**np.arange(21)}
    >>> nh.fit(fall, seen, {"g": 8.0, "zdot": 1.0}, sigma=0.01)
    <Fit system: g = 9.8075 ± 0.0094, zdot = 2.99843 ± 0.0075; 21 samples>
    """
    if not isinstance(system, Equations):
        check_system(system)
    where = f"{system.name}: fit"
    guess = {
        n: finite(e, f"{where}: first guess of {n}")
        for n, e in named(unknown, f"{where}: unknown", '{"a": 0.3}').items()
    }
    if not guess:
        raise StateError(f'{where}: nothing is unknown; give unknown={{"a": 0.3}} with a first guess for each.')
    known = [n for n in _fittable_names(system) if n != "t"]
    for name in guess:
        if name not in known:
            near = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{where}: no parameter or start value is called {name!r}; {near}")
    found = samples(data, where)
    width = spread(sigma, found, where)
    fixed = {n: e for n, e in dict(parameters or {}).items() if n not in guess}
    own = tuple(map(str, system.parameters))
    told = {**fixed, **{n: e for n, e in guess.items() if n in own}}
    values = numbers_of(system, told) if isinstance(system, Equations) else parameter_values(system, told)
    begin = dict(start if start is not None else {} if isinstance(system, Equations) else system.start)
    problem = _Problem(
        system, found, width, tuple(guess), values, begin, dict(inputs or {}), dict(observe or {}),
        {"method": method, "rtol": rtol, "atol": atol, **options}, where,
    )  # fmt: skip
    if problem.count < len(guess):
        raise StateError(
            f"{where}: {problem.count} samples for {len(guess)} unknowns; give more data or fewer unknowns."
        )
    first = np.array(list(guess.values()))
    problem.check(first)
    low, high = _bounds(bounds, guess, where)
    from scipy.optimize import least_squares

    answer = least_squares(
        problem.residuals, first, problem.jacobian, (low, high), x_scale="jac", max_nfev=evaluations,
        xtol=1e-12, ftol=1e-12, gtol=1e-12,
    )  # fmt: skip
    if answer.status <= 0:
        raise StateError(
            f"{where}: no best values after {answer.nfev} evaluations (residuals {np.sqrt(2 * answer.cost):.3g}); begin nearer, "
            "or allow more evaluations."
        )
    return _fit_of(problem, answer)


def _fittable_names(system: System | Equations) -> Sequence[str]:
    """The names that may be unknown: of a system, or of equations without one."""
    if isinstance(system, System):
        return known_names(system)
    return (*system.state, *map(str, (*system.parameters, *system.inputs)))


def _bounds(bounds: Any, guess: Mapping[str, float], where: str) -> tuple[Numbers, Numbers]:
    table = dict(bounds or {})
    stray = [n for n in table if n not in guess]
    if stray:
        raise StateError(
            f"{where}: bounds for {stray[0]!r}, which is not unknown; {meant(stray[0], guess, 'leave it out.')}"
        )
    try:
        pairs = [tuple(map(float, table.get(n, (-np.inf, np.inf)))) for n in guess]
        low, high = (np.array(side) for side in zip(*((a, b) for a, b in pairs)))
    except (TypeError, ValueError):
        raise StateError(f'{where}: bounds are pairs of numbers by name; give bounds={{"a": (0, 1)}}.') from None
    for k, (name, value) in enumerate(guess.items()):
        if not low[k] < value < high[k]:
            raise StateError(
                f"{where}: the first guess {name} = {value:g} is not inside its bounds {low[k]:g} … {high[k]:g}."
            )
    return low, high


@dataclass
class _Problem:
    """Residuals and their slopes; the last motion is cached, since both are computed from it in turn."""

    system: System | Equations
    found: Samples
    width: Numbers | None
    unknown: tuple[str, ...]
    values: dict[str, float]
    start: dict[str, float]
    inputs: dict[str, GivenInput]
    observe: dict[str, Formula]
    options: dict[str, Option]
    where: str
    last: tuple[bytes, Trajectory | None] | None = None

    @property
    def driving(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(map(str, self.system.inputs))

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Where there is a sample."""
        return np.asarray(~np.isnan(self.found.values))

    @property
    def count(self) -> int:
        """How many samples there are."""
        return int(np.sum(self.seen))

    def motion(self, point: Numbers) -> Trajectory:
        """The motion with these values of the unknowns."""
        values = dict(zip(self.unknown, map(float, point)))
        times, begun = self.found.times, self.start.get("t", 0.0)
        if len(times) and times[0] < begun:
            raise StateError(
                f'{self.where}: data at t = {times[0]:g} before the start at {begun:g}; give start={{"t": …}} of the motion.'
            )
        moved: Callable[..., Trajectory] = simulate  # the options are the method's own
        return moved(
            self.system,
            {**self.start, **{n: e for n, e in values.items() if n not in self.values and n not in self.driving}},
            times[-1],
            {**self.values, **{n: e for n, e in values.items() if n in self.values}},
            inputs={**self.inputs, **{n: e for n, e in values.items() if n in self.driving}} or None,
            watch=self.observe,
            t_eval=times,
            sensitivity=list(self.unknown),
            progress=False,
            **self.options,
        )

    def check(self, point: Numbers) -> None:
        """Refuse what cannot be fitted, before the search."""
        run = self.motion(point)
        quantities = [str(n) for n in run.sensitivity["quantity"].values]
        if not set(self.found.names) <= set(quantities):
            quantities += [str(n) for n in run.reaction_sensitivity["quantity"].values]
        for name in self.found.names:
            if name not in quantities:
                raise StateError(
                    f"{self.where}: the data have a column {name!r} that is no quantity of the motion; "
                    + meant(name, quantities, f"rename or drop it, or say what it is with observe={{{name!r}: …}}.")
                )
        if not run.outcome.reached:
            raise StateError(f"{self.where}: with the first guess the motion does not reach the data ({run.outcome.kind} at t = "
                             f"{run.outcome.time:g}); begin with other values.")  # fmt: skip
        self.last = (point.tobytes(), run)
        self.options.setdefault("max_steps", 1000 + PATIENCE * run.steps)  # a trial near a singular motion ends soon

    def _at(self, point: Numbers) -> Trajectory | None:
        if self.last is None or self.last[0] != point.tobytes():
            try:
                run: Trajectory | None = self.motion(point)
            except NonholoError:  # no such motion: the search turns back
                run = None
            self.last = (point.tobytes(), run if run is not None and run.outcome.reached else None)
        return self.last[1]

    def residuals(self, point: Numbers) -> Numbers:
        """Motion less data over their standard deviations, where there are data."""
        run = self._at(point)
        if run is None:
            return np.full(self.count, np.nan)
        gap = np.stack([run[n] for n in self.found.names], axis=1)[self.found.place] - self.found.values
        return np.asarray((gap / self.width if self.width is not None else gap)[self.seen])

    def jacobian(self, point: Numbers) -> Numbers:
        """The slopes of the residuals."""
        run = self._at(point)
        if run is None:
            return np.full((self.count, len(self.unknown)), np.nan)
        slopes = run.sensitivity
        order, values = list(map(str, slopes["quantity"].values)), slopes.values
        if not set(self.found.names) <= set(order):  # reactions were measured too
            more = run.reaction_sensitivity
            order, values = [*order, *map(str, more["quantity"].values)], np.concatenate([values, more.values], axis=1)
        rows = values[:, [order.index(n) for n in self.found.names]][self.found.place]
        return np.asarray((rows / self.width[..., None] if self.width is not None else rows)[self.seen])


def _fit_of(problem: _Problem, answer: Any) -> Fit:
    import xarray as xr

    names, point = problem.unknown, np.asarray(answer.x)
    run = problem.motion(point)
    problem.last = (point.tobytes(), run)
    slopes, gaps = problem.jacobian(point), problem.residuals(point)
    _check_seen(problem, slopes)
    size = np.linalg.norm(slopes, axis=0)
    inner = np.linalg.inv((slopes / size).T @ (slopes / size)) / np.outer(size, size)
    chi2, free = float(gaps @ gaps), len(gaps) - len(names)
    scale = 1.0 if problem.width is not None else float(np.sqrt(chi2 / free)) if free > 0 else float("nan")
    covariance = inner * scale**2
    left = np.full(problem.found.values.shape, np.nan)
    left[problem.seen] = -gaps * (problem.width[problem.seen] if problem.width is not None else 1.0)
    times = problem.found.times[problem.found.place]
    return Fit(
        name=problem.system.name,
        values=FrozenMap(dict(zip(names, point.tolist()))),
        errors=FrozenMap(dict(zip(names, np.sqrt(np.diag(covariance)).tolist()))),
        covariance=xr.DataArray(
            covariance, {"unknown": list(names), "unknown_too": list(names)}, ("unknown", "unknown_too")
        ),
        run=run,
        residuals=xr.Dataset({n: ("t", left[:, j]) for j, n in enumerate(problem.found.names)}, {"t": times}),
        chi2=chi2,
        samples=len(gaps),
        scale=scale,
        evaluations=int(answer.nfev),
        message=str(answer.message),
    )


def _check_seen(problem: _Problem, slopes: Numbers) -> None:
    """Refuse unknowns that the data do not determine, alone or apart from others."""
    names, where = problem.unknown, problem.where
    size = np.linalg.norm(slopes, axis=0)
    scaled = (
        size * np.maximum(1.0, np.abs([*map(float, np.frombuffer(problem.last[0]))]))
        if problem.last is not None
        else size
    )
    blind = [n for n, s in zip(names, scaled) if s <= BLIND * np.max(scaled, initial=0.0) or s == 0.0]
    if blind:
        raise StateError(
            f"{where}: the data do not depend on {', '.join(map(repr, blind))}; observe something that does, or give it."
        )
    _, sizes, turned = np.linalg.svd(slopes / size)
    if sizes[-1] <= BLIND * sizes[0]:
        together = [n for n, e in zip(names, turned[-1]) if abs(e) > 1e-3]
        raise StateError(
            f"{where}: the data do not tell {' and '.join(map(repr, together))} apart: a change of one is undone by the others; "
            "give one of them, or observe more."
        )
