"""Stability of an equilibrium or steady motion: eigenvalues, attribution of zeros, verdict and proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.subspaces import outside
from nonholo.analyse.flow.state_flow import Flow, flow_of
from nonholo.analyse.flow.zero_attribution import Zero, explained, independent_rows
from nonholo.analyse.stability.conserved_expansions import Conserved, conserved, integrals_of
from nonholo.analyse.stability.proofs import Proof, Situation, first_proof
from nonholo.analyse.stability.proofs.proof_registry import UNSTABLE, times
from nonholo.analyse.stability.spectrum import Mode, Spectrum, balanced, comoving, cut, modes, quiet_velocity, spectrum
from nonholo.analyse.steady.equilibrium_record import NOTHING, Equilibrium, along_words, without_rounding
from nonholo.analyse.steady.steady_families import Direction, Tangents, directions, goes_on
from nonholo.analyse.steady.steady_zeros import steady_at_home
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.finding import Finding, Lasting, Measured, Stable, while_lasting
from nonholo.finding.html_tables import folded, html_table
from nonholo.finding.sentences import headline, lasting_words
from nonholo.finding.statements import ALWAYS
from nonholo.integrate.inputs import Controller
from nonholo.model.lasting_contacts import lasting
from nonholo.model.system import System
from nonholo.symmetry.witness.trials import tried_spectrum

if TYPE_CHECKING:
    from nonholo.analyse.stability.sampled_loop import SampledLoop

AXIS = 1e-7
"""A real part below this part of the size of the slopes counts as zero."""
SLIGHT, VANISHING = 1e-3, 1e-5
"""Slopes smaller than the first are compared with those nearby; below this part of them there are none."""
OPEN, DRIFT = "spectrally stable, not decided", "linearly drifting, not decided"
CONTRADICTED = "contradicted by small motions"


@dataclass(frozen=True, eq=False)
class Stability:
    """The answer of `stability`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)", forces={"q": "-qdot"})
    >>> print(nh.stability(swing, {"q": 0}))
    system: asymptotically stable
      all eigenvalues have negative real parts; the slowest mode decays at 0.5
      -0.5 ± 1.93649i  oscillates and decays: qdot, q
    """

    name: str
    verdict: str
    """``unstable``, ``asymptotically stable``, ``partially asymptotically stable``, ``orbitally stable``, ``stable up to drift
    along its family``, ``spectrally stable, not decided``, ``linearly drifting, not decided`` or ``contradicted by small
    motions``, which is a defect of this program."""
    evidence: str
    """What proves the verdict, or what is missing."""
    eigenvalues: NDArray[np.complex128]
    """All on the manifold: the modes', by falling real part, then the others."""
    zeros: tuple[Zero, ...]
    """What each eigenvalue that is no mode's is due to."""
    modes: tuple[Mode, ...]
    state: FrozenMap[str, float] = field(repr=False)
    velocity: FrozenMap[str, float] = NOTHING
    """Of the group, where the motion is steady."""
    family: tuple[Direction, ...] = ()
    decided: bool = True
    rate: float = 0.0
    """The largest real part of a mode: how fast motions depart (or, negative, come back)."""
    parameters: FrozenMap[str, float] = field(default=NOTHING, repr=False)
    details: str = ""
    """The proof in the words of an expert, where the evidence is put plainly."""
    condition: Lasting = ALWAYS
    """While which contacts keep their mode."""
    chosen: bool = False
    """Whether other velocities of the group move the state in the same way: frequencies belong to this one."""

    @property
    def finding(self) -> Finding:
        """As a Finding: holds when it is stable, fails when unstable, unknown when not decided."""
        word: Any = "unknown" if not self.decided else "fails" if self.verdict == UNSTABLE else "holds"
        found = Finding(Stable(self.verdict), word, self.rate, Measured(self.evidence), method=self.details)
        return while_lasting(found, self.condition)

    def __repr__(self) -> str:
        return f"<Stability of {self.name}: {self.verdict}>"

    def _repr_html_(self) -> str:
        """The verdict, its reason, the modes and what zero eigenvalues are due to, for a notebook."""
        rows = [["mode", escape(str(mode))] for mode in self.modes]
        rows += [["zero eigenvalue", escape(str(zero))] for zero in self.zeros]
        words = f"<b>{escape(headline(self.verdict + lasting_words(self.condition)))}</b> {escape(headline(self.evidence))}"
        return f"<p>{words}</p>{folded([self.details])}{html_table(rows, caption=self.name)}"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.verdict}{lasting_words(self.condition)}", f"  {self.evidence}"]
        lines += [f"  ({self.details})"] if self.details else []
        if self.chosen and any(mode.frequency for mode in self.modes):
            lines.append(f"  frequencies as seen in the frame that moves along {along_words(self.velocity) or 'nothing'}")
        lines += [f"  {mode}" for mode in self.modes]
        lines += [f"  {zero}" for zero in self.zeros]
        return "\n".join(lines)


@overload
def stability(
    system: System | Equations, at: Any = None, *, parameters: Mapping[str, Any] | None = None,
    integrals: Sequence[Finding] | None = None, witness: bool = True, inputs: Mapping[str, Any] | None = None,
) -> Stability: ...
@overload
def stability(
    system: System, at: Any = None, *, parameters: Mapping[str, Any] | None = None, inputs: Controller,
) -> SampledLoop: ...
def stability(
    system: System | Equations,
    at: Any = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    integrals: Sequence[Finding] | None = None,
    witness: bool = True,
    inputs: Mapping[str, Any] | Controller | None = None,
) -> Stability | SampledLoop:
    """Whether an equilibrium or steady motion is stable: the spectrum on the manifold, and what it proves.

    ``at`` is a start as for `simulate` or what `equilibria` and `relative_equilibria` give; the system's own start unless
    given. It must be steady: its rates those of a motion of the symmetry. Verdicts:

    - *unstable*: an eigenvalue has a positive real part (Lyapunov 1892);
    - *asymptotically stable*, modulo the symmetry: all real parts are negative and no other eigenvalue is zero;
    - *partially asymptotically stable*: the zeros are exactly those of the family it belongs to, all others have negative real
      parts; nearby motions tend to members of the family (Lyapunov–Malkin; Zenkov, Bloch and Marsden 1998);
    - *orbitally stable*: a combination of integrals is definite on their level (the energy–momentum method);
    - *spectrally stable, not decided*: nothing of this proves more.

    ``integrals`` are those to use (found by `integrals` when they are needed and not given). At rest the eigenvalues are compared
    with small motions by multipliers, and nothing is decided where these contradict them; ``witness=False`` leaves this out.

    ``inputs`` closes the loop: formulas by input (``lin.feedback(K)``), or ``nh.controller(f, every=…)``; then the answer is that
    of the sampled system, its multipliers from sample to sample, a `SampledLoop`.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> for v in (2, -2):
    ...     print(nh.stability(sleigh.system, {"v": v}, parameters=sleigh.parameters).verdict)
    partially asymptotically stable
    unstable
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> law = lambda t, state: {"u": -state["x"] - 2 * state["xdot"]}
    >>> [nh.stability(cart, {"x": 0}, inputs=nh.controller(law, every=h)).verdict for h in (0.1, 1.2)]
    ['asymptotically stable', 'unstable']
    """
    if isinstance(at, Equilibrium):
        parameters = dict(at.parameters) if parameters is None else parameters
        at = {n: at.state[n] for n in at.names}
    elif at is not None and not isinstance(at, Mapping):
        at = getattr(at, "state", at)
    if inputs is not None:
        if not isinstance(system, System):
            raise ModelError("stability: inputs close the loop of a System; these are equations.")
        from nonholo.analyse.stability.sampled_loop import closed_by, sampled_loop

        if isinstance(inputs, Controller):
            return sampled_loop(system, at, inputs, parameters=parameters)
        system = closed_by(system, inputs)
    system, condition = lasting(system) if isinstance(system, System) else (system, ALWAYS)
    flow = flow_of(system, at, parameters)
    steady, unknowns = steady_at_home(flow)
    state = unknowns[: flow.size]
    velocity, chosen = quiet_velocity(flow, state, unknowns[flow.size :])
    parts = _spectrum(flow, state, velocity)
    first = parts.chain[0] if parts.chain else np.zeros((flow.size, 0))
    tangent = goes_on(steady, unknowns, Tangents(parts.orbit, outside(first, parts.orbit)))
    values = parts.values
    limit = AXIS * max(parts.scale, 1e-300)
    largest = float(np.max(values.real, initial=-np.inf))
    neutral = bool(np.any(np.abs(values.real) <= limit))
    known: list[Conserved] = []
    if largest <= limit and (neutral or len(parts.chain) > 1 or parts.zeros > tangent.across.shape[1] or not len(values)):
        own = integrals_of(flow.given_system, flow.parameters) if integrals is None and flow.given_system is not None else ()
        found = own if integrals is None else tuple(integrals)
        known = conserved(flow, state, found)
    judged = _judged(Situation(flow, state, parts, tangent, tuple(known), limit))
    found_values = [complex(e) for e in values]
    said = flow.given_system if witness else None
    against = tried_spectrum(said, flow.parameters, flow.full(state), found_values) if said is not None else None
    if against is not None:
        judged = Proof(CONTRADICTED, f"{against.how} by {against.gap:.1e}; please report this with the system", "")
    return Stability(
        flow.name,
        judged.verdict,
        judged.words,
        parts.all_values,
        _zeros(flow, state, parts, tangent, directions(steady, tangent), known),
        modes(flow, state, velocity, parts),
        FrozenMap(flow.full(without_rounding(state))),
        FrozenMap({n: float(e) for n, e in zip(flow.fields.names, velocity) if abs(e) > 1e-9}),
        directions(steady, tangent),
        judged.verdict not in (OPEN, DRIFT, CONTRADICTED),
        largest if len(values) else 0.0,
        FrozenMap(dict(flow.parameters)),
        judged.details,
        condition,
        chosen,
    )


def _spectrum(flow: Flow, state: Numbers, velocity: Numbers) -> Spectrum:
    """The linear flow; nothing but zeros where it vanishes beside that of states nearby.

    At a state of which rates are quadratic (a Suslov problem at rest) the search stops where rates are rounding, and slopes are
    still the root of it: they would be taken for modes.
    """
    parts = spectrum(flow, state, velocity)
    if parts.scale < SLIGHT:
        around = state + np.random.default_rng(8).uniform(-0.3, 0.3, (12, flow.size))
        sizes = np.linalg.norm(flow.slopes(around), axis=(1, 2))
        typical = float(np.median(sizes[np.isfinite(sizes)])) if np.any(np.isfinite(sizes)) else 0.0
        if parts.scale < VANISHING * typical:
            return cut(np.zeros((flow.size, flow.size)), flow.bound(state[None])[1][0], flow.generator_fields(state[None])[0][0])
    return balanced(comoving(flow, state, velocity), flow.bound(state[None])[1][0], flow.generator_fields(state[None])[0][0])


def _judged(situation: Situation) -> Proof:
    """The verdict and what proves it, or what is missing (`nonholo.analyse.stability.proofs`)."""
    found = first_proof(situation)
    if found is not None:
        return found
    parts, family = situation.parts, situation.family
    if parts.zeros > parts.still or parts.still > family:
        return Proof(
            DRIFT,
            "no disturbance grows exponentially, but the linearised motion may drift, and no known integral decides",
            f"no eigenvalue has a positive real part; {times(parts.zeros, 'zero eigenvalue')}, {family} of them by the family",
        )
    held = ", ".join(one.name for one in situation.known)
    why = "no known integral decides"
    why = f"the integrals that are invariant under the symmetry ({held}) have no minimum or maximum here" if held else why
    return Proof(OPEN, f"no eigenvalue has a positive real part; {why}")


def _zeros(
    flow: Flow,
    state: Numbers,
    parts: Spectrum,
    tangent: Tangents,
    family: Sequence[Direction],
    known: Sequence[Conserved],
) -> tuple[Zero, ...]:
    """What each eigenvalue beside the modes is due to."""
    result = [Zero("symmetry", name, value) for name, value in _along_orbit(flow, state, parts)]
    energy = [] if known else [("energy", flow.valued([flow.kernel.equations.energy], state[None])[1][0, 0])]
    slopes = energy + [(one.name, one.slope) for one in known]
    own = [d for d in family if not d.symmetry]
    for direction in own:
        vector = np.array([direction.slopes.get(n, 0.0) for n in flow.names])
        held = [n for n, s in slopes if abs(s @ vector) > 1e-6 * np.linalg.norm(s) * np.linalg.norm(vector)]
        changing = f"; {', '.join(held)} {'changes' if len(held) == 1 else 'change'} along it" if held else ""
        result.append(Zero("family", f"{direction}{changing}"))
    left = parts.zeros - len(own)
    if left > 0 and tangent.crossing.size:
        others = [flow.names[int(np.argmax(np.abs(way)))] for way in tangent.crossing.T]
        result += [Zero("family", f"{name}, of another family that crosses here") for name in others[:left]]
        left -= len(others[:left])
    return explained(result, left, [(one.name, one.slope) for one in known], parts.tangent, tangent.across, 0.0)


def _along_orbit(flow: Flow, state: Numbers, parts: Spectrum) -> list[tuple[str, complex]]:
    """Generators that are independent at the state, with the eigenvalues along the orbit."""
    fields = flow.generator_fields(state[None])[0][0]
    names = [flow.fields.names[k] for k in independent_rows(fields[None])]
    values = sorted(parts.orbit_values, key=lambda v: (abs(v) < 1e-9 * parts.scale, -abs(v.imag), -v.imag))
    return [(n, complex(v) if abs(v) > 1e-9 * parts.scale else 0.0) for n, v in zip(names, values)]
