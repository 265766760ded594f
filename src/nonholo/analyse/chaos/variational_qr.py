"""Growth of tangent vectors by variational equations with QR orthonormalisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.tangent_divergence import divergence_of, tangent_basis
from nonholo.errors import StateError
from nonholo.integrate.inputs import FunctionInput, Source, rows_with_inputs
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import Formulation, InitialValue
from nonholo.integrate.motion.integration import Path, advance
from nonholo.integrate.motion.motion_pieces import Problem, named_state, sources_of, tables_of
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.sensitivity.tangent_motion import Bundle, changed_frame, check_carries, projected_tangents

FAR = 14.0
"""Tangents whose growths differ by more than e to this are made orthonormal twice as often."""
NEAR = 3.0
"""Where they differ by less, half as often is enough."""
MOST_PARTS = 2**14
GROUP = 50
"""So many blocks are moved in one call at most, where nothing grows much."""
GAUSS = np.polynomial.legendre.leggauss(3)
"""Nodes and weights of the mean divergence, on every stretch as long as a step."""
TOGETHER = 4096
"""So many states are looked at together."""
LOOKS = 50
"""Number of states of a piece at which the divergence is tested."""
COMPILED = 4096
"""From so many states on the Jacobian is compiled: that takes as long as some thousand states take the interpreter."""


@dataclass(frozen=True, eq=False)
class Growth:
    """Logarithms of the growth of tangents in blocks of equal length."""

    edges: Numbers
    """Times at which blocks begin and end."""
    logs: Numbers
    """(blocks, directions): the growth of each direction, orthogonal to those before it."""
    volumes: Numbers
    """(blocks,): the integral of the divergence on the manifold, by quadrature of the trace of the Jacobian."""
    compression: float
    """Absolute mean divergence; where it was not requested, the largest at the ends of blocks, which is no less."""
    pieces: tuple[tuple[InitialValue, Path], ...]
    """The motion itself, a piece for each frame, at the nodes of the quadrature."""
    sources: tuple[Source, ...]
    """Its inputs."""
    outcome: Outcome
    steps: int


@dataclass(frozen=True, eq=False)
class _Stretch:
    """A part of the motion in one frame."""

    initial: InitialValue
    path: Path
    weights: Numbers
    """Of the quadrature, one for each time of the path but its last."""
    turned: float = 0.0
    """The logarithm by which volumes look larger in the frame behind it."""


def growth(problem: Problem, method: Method, until: float, blocks: int, count: int | None, divergence: bool = True) -> Growth:
    """Move ``count`` tangents (all of the manifold unless given) with the motion until ``until``, in so many blocks."""
    check_carries(method, problem.name, "variational equations")
    sources = sources_of(problem, method, until, None)
    blind = [n for n, s in zip(problem.initial.kernel.inputs, sources) if isinstance(s, FunctionInput)]
    if blind:
        raise StateError(
            f"{problem.name}: the input {blind[0]!r} is a Python function of the state, which has no slopes; give it as text."
        )
    walk = _QRMotion(problem, method, sources, divergence)
    basis = walk.first_basis(count)
    edges = np.linspace(problem.time, until, blocks + 1)
    logs: list[Numbers] = []
    ends = [0]
    parts = together = 1
    while len(logs) < blocks:
        before, place = walk.mark(), len(logs)
        group = min(together, blocks - place) if parts == 1 else 1
        if group > 1:
            found = walk.several(edges[place : place + group + 1], basis)
            together = group // 2 if found is None else max(1, min(2 * group, GROUP, int(group * FAR / 2 / max(found[2], 1e-9))))
            if found is None or found[2] > FAR:
                walk.back(before)
                together = group // 2
                continue
            logs.extend(found[0])
            ends.extend(range(len(walk.done) - group + 1, len(walk.done) + 1))
            basis = found[1]
            continue
        grown, after, spread = walk.block(float(edges[place]), float(edges[place + 1]), basis, parts)
        if grown is not None and spread > FAR and parts < MOST_PARTS:
            parts *= 2
            walk.back(before)
            continue
        if grown is None:
            break
        logs.append(grown)
        ends.append(len(walk.done))
        basis = after
        together = 2 if parts == 1 and spread < FAR / 4 and not walk.changed_since(before) else 1
        parts = max(1, parts // 2) if spread < NEAR else parts
    done = len(logs)
    volumes = walk.volumes() if divergence else np.full(len(walk.done), np.nan)
    return Growth(
        edges[: done + 1],
        np.array(logs).reshape(done, basis.shape[1]),
        np.array([np.sum(volumes[a:b]) for a, b in pairwise(ends)]),
        abs(float(np.sum(volumes)) / (walk.time - problem.time or np.inf)) if divergence else walk.largest_divergence(),
        walk.pieces(),
        tuple(sources),
        walk.outcome,
        walk.steps,
    )


class _QRMotion:
    """The motion while it is made: where it is, in which frame, and what was seen of it."""

    def __init__(self, problem: Problem, method: Method, sources: Sequence[Any], divergence: bool) -> None:
        self.problem, self.method, self.sources, self.divergence = problem, method, sources, divergence
        self.initial, self.time, self.steps = problem.initial, problem.time, 0
        self.outcome = Outcome("reached", problem.time)
        self.done: list[_Stretch] = []
        self.pace = 0.0  # steps for each unit of time, of late

    def mark(self) -> Any:
        """All that `back` needs."""
        return self.initial, self.time, self.steps, len(self.done)

    def back(self, mark: Any) -> None:
        """Forget what was done since."""
        self.initial, self.time, self.steps, length = mark
        del self.done[length:]

    def first_basis(self, count: int | None) -> Numbers:
        """Generic orthonormal directions of the manifold at the start, always the same ones."""
        here = tangent_basis(self.initial, self._rows(self.initial, np.array([self.time]), self.initial.state[None]))[0]
        size = here.shape[1]
        if not size:
            raise StateError(f"{self.problem.name}: the start has no neighbours on its manifold; nothing can grow.")
        wanted = size if count is None else count
        if not 1 <= wanted <= size:
            raise StateError(f"{self.problem.name}: count = {wanted} where the manifold has {size} dimensions; give 1 to {size}.")
        turned = np.linalg.qr(np.random.default_rng(1).normal(size=(size, size)))[0]
        return np.asarray(here @ turned[:, :wanted])

    def changed_since(self, mark: Any) -> bool:
        """Whether the frame was changed since."""
        return self.initial.kernel is not mark[0].kernel

    def several(self, edges: Numbers, basis: Numbers) -> tuple[Numbers, Numbers, float] | None:
        """Growth over several blocks at once, the new basis and the spread; None where something happens on the way.

        Tangents at the end of each block have one QR from the first basis: its growths are products of those of the blocks.
        """
        initial, n, count = self.initial, len(self.initial.state), basis.shape[1]
        parts = [self._nodes(low, high) for low, high in pairwise(edges.tolist())]
        nodes = np.concatenate([times for times, _ in parts])
        cuts = np.concatenate([[0], np.cumsum([len(times) for times, _ in parts])])
        path = self._advanced(initial, float(edges[-1]), basis, nodes, initial.thresholds)
        if not path.outcome.reached or (self.divergence and path.accepted > sum(len(weights) for _, weights in parts)):
            return None
        whole = path.states[cuts[1:] - 1]
        rows = self._rows(initial, path.times[cuts[1:] - 1], whole[:, :n])
        tangents = whole[:, n:].reshape(len(whole), count, n).swapaxes(1, 2)
        after, stretch = np.linalg.qr(projected_tangents(initial.kernel, rows, Bundle(tangents, (None,) * count)))
        with np.errstate(divide="ignore"):
            sums = np.log(np.abs(np.diagonal(stretch, axis1=1, axis2=2)))
        if not np.all(np.isfinite(sums)):
            return None
        self.outcome = path.outcome
        self.steps += path.accepted
        self.pace = max(path.accepted / abs(float(edges[-1]) - self.time), self.pace / 2)
        for k, (a, b) in enumerate(pairwise(cuts.tolist())):
            own = replace(path, times=path.times[a:b], states=path.states[a:b, :n], accepted=path.accepted if not k else 0,
                          rejected=path.rejected if not k else 0, calls=path.calls if not k else 0)  # fmt: skip
            self.done.append(_Stretch(initial, own, parts[k][1]))
        self.time, self.initial = float(edges[-1]), replace(initial, state=whole[-1, :n].copy())
        spread = max(float(np.max(np.ptp(sums, axis=1))), float(np.max(np.abs(sums))) / 2)
        return np.diff(np.vstack([np.zeros(count), sums]), axis=0), after[-1], spread

    def block(self, low: float, high: float, basis: Numbers, parts: int) -> tuple[Numbers | None, Numbers, float]:
        """Growth over a block in so many parts, the new basis, the largest spread of a part; None where the motion ends."""
        total, spread = np.zeros(basis.shape[1]), 0.0
        for k in range(parts):
            found = self._part(high if k == parts - 1 else low + (high - low) * (k + 1) / parts, basis)
            if found is None:
                return None, basis, spread
            basis, stretch = np.linalg.qr(found)
            with np.errstate(divide="ignore"):
                grown = np.log(np.abs(np.diag(stretch)))
            total += grown
            if not np.all(np.isfinite(grown)):
                return total, basis, np.inf
            spread = max(spread, float(np.max(grown) - np.min(grown)), float(np.max(np.abs(grown))) / 2)
        return total, basis, spread

    def _part(self, end: float, basis: Numbers) -> Numbers | None:
        """Tangents at the end of a part, through changes of frame; None where the motion ends before."""
        while True:
            initial = self.initial
            path, weights, found = self._moved(initial, end, basis)
            if self.divergence and path.outcome.reached and path.accepted > len(weights):  # too few nodes for so many steps
                self.pace = path.accepted / abs(end - self.time)
                path, weights, found = self._moved(initial, end, basis)
            formulation = self.problem.formulation if path.outcome.kind == "frame degenerates" else None
            if formulation is not None and path.final_time != self.time:  # once more, on nodes that end where the frame did
                path, weights, found = self._moved(initial, path.final_time, basis, to_the_end=True)
            self.outcome = path.outcome
            self.steps += path.accepted
            self.pace = max(path.accepted / max(abs(path.final_time - self.time), 1e-300), self.pace / 2)
            if formulation is None and not path.outcome.reached:
                self.done.append(_Stretch(initial, path, weights[: max(0, len(path.times) - 1)]))
                return None
            if formulation is None:
                self.done.append(_Stretch(initial, path, weights))
                self.time, self.initial = end, replace(initial, state=path.final_state)
                return found
            basis, turned = self._changed(formulation, initial, path, found)
            self.done.append(_Stretch(initial, path, weights, turned))

    def _moved(
        self, initial: InitialValue, end: float, basis: Numbers, to_the_end: bool = False
    ) -> tuple[Path, Numbers, Numbers]:
        """The motion until ``end`` (or until its frame degenerates), weights of the quadrature, and the tangents at the end."""
        kernel, n, k = initial.kernel, len(initial.state), basis.shape[1]
        along = (None,) * k
        nodes, weights = self._nodes(self.time, end)
        thresholds = [0.0] * len(initial.thresholds) if to_the_end else initial.thresholds
        path = self._advanced(initial, end, basis, nodes, thresholds)
        last = path.final_state
        rows = self._rows(initial, np.array([path.final_time]), last[None, :n])
        tangents = projected_tangents(kernel, rows, Bundle(last[n:].reshape(1, k, n).swapaxes(1, 2), along))[0]
        return replace(path, states=path.states[:, :n], final_state=last[:n]), weights, tangents

    def _advanced(self, initial: InitialValue, end: float, basis: Numbers, nodes: Numbers, thresholds: Sequence[float]) -> Path:
        """State and tangents until ``end``, seen at the nodes."""
        kernel = initial.kernel
        row = self._rows(initial, np.array([self.time]), initial.state[None])[0]
        return advance(
            kernel.tangent_kernel((None,) * basis.shape[1], row),
            self.method,
            self.time,
            np.concatenate([initial.state, basis.T.ravel()]),
            end,
            [self.problem.parameters[name] for name in kernel.parameters],
            tables_of(self.sources),
            nodes,
            condition_thresholds=thresholds,
        )

    def _changed(self, formulation: Formulation, old: InitialValue, path: Path, basis: Numbers) -> tuple[Numbers, float]:
        """The tangents in a better frame, and the logarithm by which volumes look larger there."""
        here = named_state(self.problem, old, path.final_time, path.final_state, self.sources)
        fresh = formulation.better(here, self.problem.parameters, old)
        row = self._rows(old, np.array([path.final_time]), path.final_state[None])
        whole = tangent_basis(old, row)[0]
        both = np.hstack([basis, whole])
        moved = changed_frame(old.kernel, fresh.kernel, row[0], fresh.state, Bundle(both, (None,) * both.shape[1])).values
        self.time, self.initial = path.final_time, fresh
        after = moved[:, basis.shape[1] :]
        return moved[:, : basis.shape[1]], float(np.linalg.slogdet(after.T @ after)[1]) / 2

    def _nodes(self, low: float, end: float) -> tuple[Numbers, Numbers]:
        """Times of the quadrature and the end itself, with the weights of the former."""
        stretches = max(2, int(np.ceil(self.pace * abs(end - low)))) if self.divergence else 0
        cuts = np.linspace(low, end, stretches + 1)
        half = np.diff(cuts)[:, None] / 2
        inside = (cuts[:-1, None] + half * (1 + GAUSS[0])).ravel()
        return np.append(inside, end), (half * GAUSS[1]).ravel()

    def _rows(self, initial: InitialValue, times: Numbers, states: Numbers) -> Numbers:
        return rows_with_inputs(initial.kernel, self.sources, times, states, self.problem.parameters)

    def volumes(self) -> Numbers:
        """The integral of the divergence over every stretch, with what the changes of frame add."""
        result = np.array([one.turned for one in self.done])
        frames: dict[int, list[int]] = {}
        for k, one in enumerate(self.done):
            frames.setdefault(id(one.initial.kernel), []).append(k)
        for places in frames.values():
            initial = self.done[places[0]].initial
            lengths = [len(self.done[k].weights) for k in places]
            times = np.concatenate([self.done[k].path.times[:length] for k, length in zip(places, lengths)])
            states = np.concatenate([self.done[k].path.states[:length] for k, length in zip(places, lengths)])
            found = [
                self._divergence(initial, times[a : a + TOGETHER], states[a : a + TOGETHER], len(times) >= COMPILED)
                for a in range(0, len(times), TOGETHER)
            ]
            values = np.concatenate([np.empty(0), *found]) * np.concatenate([self.done[k].weights for k in places])
            place = np.repeat(places, lengths)
            np.add.at(result, place, values)
        return result

    def largest_divergence(self) -> float:
        """The largest absolute divergence of the stored states."""
        found = [0.0]
        for initial, path in self.pieces():
            few = slice(None, None, max(1, len(path.times) // LOOKS))
            found.append(float(np.max(np.abs(self._divergence(initial, path.times[few], path.states[few], False)), initial=0.0)))
        return max(found)

    def _divergence(self, initial: InitialValue, times: Numbers, states: Numbers, compiled: bool) -> Numbers:
        """The divergence on the manifold at some states."""
        return divergence_of(initial, self._rows(initial, times, states), compiled)

    def pieces(self) -> tuple[tuple[InitialValue, Path], ...]:
        """The motion with one piece for each frame."""
        result: list[tuple[InitialValue, list[Path]]] = []
        for one in self.done:
            if result and result[-1][0].kernel is one.initial.kernel:
                result[-1][1].append(one.path)
            else:
                result.append((one.initial, [one.path]))
        return tuple((initial, _one_path(paths)) for initial, paths in result)


def _one_path(paths: Sequence[Path]) -> Path:
    return replace(
        paths[-1],
        times=np.concatenate([p.times for p in paths]),
        states=np.concatenate([p.states for p in paths]),
        accepted=sum(p.accepted for p in paths),
        rejected=sum(p.rejected for p in paths),
        calls=sum(p.calls for p in paths),
    )
